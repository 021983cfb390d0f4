#!/usr/bin/env python3
"""`holostat track` from outside: outputs, order independence, several pictures, exit codes."""
import base64
import json
import pathlib
import random
import shlex
import shutil
import signal
import subprocess
import tempfile
import unittest
import urllib.parse
import xml.etree.ElementTree

import holostat
import pictures

MEDIA = holostat.ROOT.parent / "shared/media"
# For a shell: a checkout may have a space in its name.
BINARY, DEMO, MODELS = (shlex.quote(str(one)) for one in (holostat.BINARY, holostat.DEMO, holostat.MODELS))


class Track(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="holostat-"))
        self.addCleanup(shutil.rmtree, self.dir)

    def test_the_demo_person_is_found_whole(self):
        (frame,) = holostat.track(holostat.DEMO)
        self.assertEqual(frame["schema"], "holostat.frame/1")
        self.assertEqual(frame["image"], {"width": 1280, "height": 960})
        (person,) = frame["people"]
        sizes = {k: len(person[k]) for k in person if isinstance(person[k], list)}
        self.assertEqual(sizes, {"pose_landmarks": 33, "pose_world_landmarks": 33, "face_landmarks": 478,
                                 "left_hand_landmarks": 21, "right_hand_landmarks": 21,
                                 "left_hand_world_landmarks": 21, "right_hand_world_landmarks": 21})
        self.assertIsNone(person["segmentation"])
        # The person's own left is on the right of an unmirrored picture.
        self.assertGreater(person["left_hand_landmarks"][0][0], person["right_hand_landmarks"][0][0])
        nose, hip = person["pose_landmarks"][0], person["pose_landmarks"][23]
        self.assertLess(nose[1], hip[1])

    def test_fewer_face_points_without_refinement(self):
        (frame,) = holostat.track(holostat.DEMO, "--no-refine-face")
        self.assertEqual(len(frame["people"][0]["face_landmarks"]), 468)

    def test_frames_of_a_video_are_followed_in_its_time(self):
        frames = holostat.track(holostat.DEMO, holostat.DEMO, holostat.DEMO, "--fps", "25")
        self.assertEqual([f["timestamp_ms"] for f in frames], [0, 40, 80])
        self.assertEqual([f["frame"] for f in frames], [0, 1, 2])
        self.assertNotEqual(frames[1]["people"], frames[0]["people"], "looks where the body was")
        raw = holostat.track(holostat.DEMO, holostat.DEMO, holostat.DEMO, "--fps", "25", "--no-smooth")
        self.assertNotEqual(frames[2]["people"][0]["pose_landmarks"], raw[2]["people"][0]["pose_landmarks"])

    def test_the_frames_of_a_video_are_one_document_or_a_file_each(self):
        outputs = ["a.json", "a.jsonl", "{frame}.openpose.json", "{index}.svg"]
        done = holostat.run("track", holostat.DEMO, holostat.DEMO, "--fps", "25", *sum([["-o", self.dir / n] for n in outputs], []))
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads((self.dir / "a.json").read_text())
        self.assertEqual((document["schema"], document["fps"], document["source"]), ("holostat.frames/1", 25, str(holostat.DEMO)))
        self.assertEqual(document["frames"], [json.loads(line) for line in (self.dir / "a.jsonl").read_text().splitlines()])
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()),
                         ["0.svg", "000000.openpose.json", "000001.openpose.json", "1.svg", "a.json", "a.jsonl"])

    def test_every_output_format_is_written(self):
        names = ["a.json", "a.jsonl", "a.svg", "a.jpg", "a.png", "a.mask.png"]
        done = holostat.run("track", holostat.DEMO, "--svg-picture", *sum([["-o", self.dir / n] for n in names], []))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, b"")
        self.assertIn(b"left hand", done.stderr)
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()), sorted(names))
        frame = json.loads((self.dir / "a.json").read_text())
        self.assertEqual(frame, json.loads((self.dir / "a.jsonl").read_text()))
        mask = base64.b64decode(frame["people"][0]["segmentation"]["png"])
        self.assertEqual(mask, (self.dir / "a.mask.png").read_bytes())
        self.assertEqual(xml.etree.ElementTree.parse(self.dir / "a.svg").getroot().tag, "{http://www.w3.org/2000/svg}svg")
        self.assertTrue((self.dir / "a.jpg").read_bytes().startswith(b"\xff\xd8"))
        self.assertTrue((self.dir / "a.png").read_bytes().startswith(b"\x89PNG"))

    def test_a_linked_picture_may_have_any_name(self):
        picture = self.dir / "50% #1?.jpg"
        shutil.copy(holostat.DEMO, picture)
        (self.dir / "sub").mkdir()
        holostat.run("track", picture, "--svg-picture", "-o", self.dir / "sub/a.svg")
        image = xml.etree.ElementTree.parse(self.dir / "sub/a.svg").getroot().find(".//{http://www.w3.org/2000/svg}image")
        self.assertEqual(urllib.parse.unquote(image.get("href")), "../50% #1?.jpg")

    def test_json_flag_prints_as_well_as_writes(self):
        done = holostat.run("track", holostat.DEMO, "--json", "--quiet", "-o", self.dir / "a.svg")
        self.assertEqual(len(done.stdout.splitlines()), 1)
        self.assertEqual(done.stderr, b"")

    def test_standard_input_is_a_picture(self):
        self.assertEqual(holostat.track("-", stdin=holostat.DEMO.read_bytes())[0]["people"],
                         holostat.track(holostat.DEMO)[0]["people"])

    def test_several_pictures_go_to_several_files_and_one_bad_one_stops_none(self):
        bad = self.dir / "bad.jpg"
        bad.write_bytes(b"no picture")
        copy = self.dir / "copy.jpg"
        shutil.copy(holostat.DEMO, copy)
        done = holostat.run("track", holostat.DEMO, bad, copy, "-o", self.dir / "{name}.json", "-o", self.dir / "all.jsonl")
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"bad.jpg", done.stderr)
        self.assertTrue((self.dir / "copy.json").exists())
        self.assertFalse((self.dir / "bad.json").exists())
        lines = [json.loads(line) for line in (self.dir / "all.jsonl").read_text().splitlines()]
        self.assertEqual([line["frame"] for line in lines], [0, 2])

    def test_a_picture_a_format_cannot_hold_stops_no_other(self):
        wide = self.dir / "wide.png"
        wide.write_bytes(pictures.png(65530, 20, b"\0" * (65531 * 20)))
        copy = self.dir / "copy.jpg"
        shutil.copy(holostat.DEMO, copy)
        done = holostat.run("track", wide, copy, "-o", self.dir / "{name}.out.jpg")
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertTrue((self.dir / "copy.out.jpg").exists())

    def test_one_output_that_cannot_be_written_stops_no_other_picture(self):
        long_name = self.dir / ("x" * 250 + ".jpg")
        shutil.copy(holostat.DEMO, long_name)
        done = holostat.run("track", long_name, holostat.DEMO, "-o", self.dir / "new/folder/{name}.json")
        self.assertEqual(done.returncode, 1)
        self.assertEqual([p.name for p in (self.dir / "new/folder").iterdir()], [holostat.DEMO.stem + ".json"])

    def test_a_working_folder_that_is_gone_is_no_internal_error(self):
        done = subprocess.run(f"mkdir {self.dir}/gone && cd {self.dir}/gone && rmdir {self.dir}/gone && "
                              f"{BINARY} track {DEMO} --models {MODELS} -o x.json", shell=True, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"cannot write", done.stderr)

    def test_ctrl_c_stops_a_program_that_waits_for_its_input(self):
        waiting = subprocess.Popen([holostat.BINARY, "track", "-", "--models", holostat.MODELS], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        holostat.wait_until(lambda: holostat.is_blocked_in_read(waiting.pid))
        waiting.send_signal(signal.SIGINT)
        self.assertEqual(waiting.wait(timeout=60), 130)
        waiting.communicate()

    def test_messages_that_cannot_be_written_change_no_exit_code(self):
        for redirect in ("2>/dev/full", "2>&-"):
            for args, code in ((f"{DEMO} -o {self.dir}/a.jsonl", 0), (f"{self.dir}/none.jpg", 3)):
                done = subprocess.run(f"{BINARY} track {args} --models {MODELS} {redirect}", shell=True)
                self.assertEqual(done.returncode, code, (redirect, args))
            self.assertEqual(len((self.dir / "a.jsonl").read_text().splitlines()), 1, "no message may land in the file")

    def test_output_that_cannot_be_written_is_a_failure(self):
        for command in (f"track {DEMO}", "models --json", "completion bash", "--help"):
            done = subprocess.run(f"HOLOSTAT_MODELS={MODELS} {BINARY} {command} >/dev/full", shell=True,
                                  stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 1, command)
            self.assertIn(b"standard output", done.stderr, command)

    def test_names_are_shown_without_control_characters(self):
        done = holostat.run("track", self.dir / "a\x1b[31m.jpg")
        self.assertEqual(done.returncode, 3)
        self.assertNotIn(b"\x1b", done.stderr)
        self.assertEqual(done.stderr.count(b".jpg"), 1, "the name is said once")

    def test_wrong_calls_are_usage_errors(self):
        for args in ([], ["--complexity", "huge", holostat.DEMO], [holostat.DEMO, "-o", "a.bmp"], [holostat.DEMO, "--nonsense"],
                     [holostat.DEMO, holostat.DEMO, "-o", self.dir / "a.svg"], [holostat.DEMO, "-o", holostat.DEMO],
                     ["--min-detection-confidence", "7", holostat.DEMO], ["--max-pixels", "-1", holostat.DEMO],
                     ["--max-bytes", "-5", holostat.DEMO], [holostat.DEMO, "-o", "{name}.jsonl"],
                     ["--no-smooth", holostat.DEMO], ["--fps", "0", holostat.DEMO]):
            done = holostat.run("track", *args)
            self.assertEqual(done.returncode, 2, (args, done.stderr))
            self.assertTrue(done.stderr, args)

    def test_missing_models_and_unwritable_outputs_have_their_codes(self):
        done = holostat.run("track", holostat.DEMO, "--models", self.dir)
        self.assertEqual(done.returncode, 4)
        self.assertIn(b"--models", done.stderr)
        self.assertEqual(holostat.run("track", holostat.DEMO, "-o", holostat.DEMO / "a.svg").returncode, 1)
        self.assertEqual(holostat.run("track", self.dir / "none.jpg").returncode, 3)

    def test_a_damaged_model_is_refused(self):
        models = self.dir / "models"
        shutil.copytree(holostat.MODELS, models)
        data = bytearray((models / "pose_detection.tflite").read_bytes())
        data[100000] ^= 1
        (models / "pose_detection.tflite").write_bytes(data)
        done = holostat.run("track", holostat.DEMO, "--models", models)
        self.assertEqual(done.returncode, 4)
        self.assertIn(b"pose_detection", done.stderr)


@unittest.skipUnless(MEDIA.exists(), "the shared media are not beside this checkout")
class People(unittest.TestCase):
    TWO = MEDIA / "synth/two-people.jpg"

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="holostat-"))
        self.addCleanup(shutil.rmtree, self.dir)

    def test_two_people_are_in_every_output(self):
        names = ["a.json", "a.svg", "a.png", "a.mask.png", "a.openpose.json", "a.coco.json"]
        done = holostat.run("track", self.TWO, "--people", 2, *sum([["-o", self.dir / n] for n in names], []))
        self.assertEqual(done.returncode, 0, done.stderr)
        people = json.loads((self.dir / "a.json").read_bytes())["people"]
        self.assertEqual([person["id"] for person in people], [1, 2])
        for person in people:
            self.assertIsNotNone(person["segmentation"])
            self.assertEqual(len(person["face_landmarks"]), 478)
        self.assertNotEqual(people[0]["segmentation"], people[1]["segmentation"])
        svg = (self.dir / "a.svg").read_text()
        self.assertIn('id="person-1"', svg)
        self.assertIn('id="person-2"', svg)
        self.assertEqual(svg.count('class="label"'), 2)
        openpose = json.loads((self.dir / "a.openpose.json").read_bytes())["people"]
        self.assertEqual([person["person_id"] for person in openpose], [[1], [2]])
        self.assertEqual(len(json.loads((self.dir / "a.coco.json").read_bytes())["annotations"]), 2)

    def test_one_is_found_unless_more_are_asked_for(self):
        (alone,) = holostat.track(self.TWO)
        (both,) = holostat.track(self.TWO, "--people", 8)
        self.assertEqual(len(alone["people"]), 1)
        self.assertEqual(len(both["people"]), 2)
        self.assertEqual(both["people"][0], alone["people"][0])

    def test_people_of_a_video_keep_their_ids(self):
        frames = holostat.track(*[self.TWO] * 4, "--fps", "25", "--people", "2")
        for frame in frames:
            self.assertEqual([person["id"] for person in frame["people"]], [1, 2])
            self.assertLess(frame["people"][0]["pose_landmarks"][0][0], frame["people"][1]["pose_landmarks"][0][0])

    def test_too_many_are_a_usage_error(self):
        for people in ("0", "9", "two"):
            self.assertEqual(holostat.run("track", self.TWO, "--people", people).returncode, 2)


@unittest.skipUnless(MEDIA.exists(), "the shared media are not beside this checkout")
class SharedMedia(unittest.TestCase):
    def test_the_answer_does_not_depend_on_what_came_before(self):
        pictures = sorted(p for p in MEDIA.iterdir() if p.suffix in (".jpg", ".png"))
        def answers(order):
            return {p: {k: v for k, v in f.items() if k != "frame"} for p, f in zip(order, holostat.track(*order, timeout=600))}
        in_order = answers(pictures)
        shuffled = pictures[:]
        random.Random(1).shuffle(shuffled)
        self.assertEqual(answers(shuffled), in_order)
        for picture in pictures if not holostat.SANITIZED else pictures[:3]:
            self.assertEqual(answers([picture])[picture], in_order[picture], picture.name)

    def test_nobody_is_an_empty_list(self):
        for name in ("none-coffee.png", "hands-only.jpg"):
            self.assertEqual(holostat.track(MEDIA / name)[0]["people"], [], name)


if __name__ == "__main__":
    holostat.need_models()
    unittest.main()
