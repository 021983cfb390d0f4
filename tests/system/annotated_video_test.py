#!/usr/bin/env python3
"""`holostat track VIDEO -o x.mp4` from outside: the frames, times and audio of the source, with the landmarks drawn on them."""
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import holostat

SQUATS = holostat.ROOT.parent / "shared/media/clip-squats.mp4"
MILLISECOND = 0.001


def ffmpeg(*args):
    return subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, args)], check=True,
                          stdout=subprocess.PIPE).stdout


def probe(path, *args):
    done = subprocess.run(["ffprobe", "-v", "error", "-of", "json", *args, str(path)], check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def times_of(path):
    packets = probe(path, "-select_streams", "v:0", "-show_entries", "packet=pts_time")["packets"]
    return sorted(float(packet["pts_time"]) for packet in packets)


def audio_of(path):
    return [packet["data_hash"] for packet in
            probe(path, "-select_streams", "a:0", "-show_packets", "-show_data_hash", "md5")["packets"]]


def make_clip(path, *options, seconds=2, size="160x120", rate=10):
    """The demo person and a tone."""
    ffmpeg("-loop", 1, "-framerate", rate, "-i", holostat.DEMO, "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000",
           "-t", seconds, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-s", size, *options, path)
    return path


class Pixels:
    """One frame as RGB."""

    def __init__(self, path, number, width, height):
        self.width = width
        self.bytes = ffmpeg("-i", path, "-vf", f"select=eq(n\\,{number})", "-frames:v", 1, "-f", "rawvideo",
                            "-pix_fmt", "rgb24", "-")
        assert len(self.bytes) == width * height * 3

    def at(self, x, y):
        place = 3 * (y * self.width + x)
        return self.bytes[place:place + 3]


def difference(a, b, x, y):
    return max(abs(p - q) for p, q in zip(a.at(x, y), b.at(x, y)))


class AnnotatedVideo(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="holostat-"))
        self.addCleanup(shutil.rmtree, self.dir)

    def track(self, *args, code=0):
        done = holostat.run("track", "--complexity", "lite", *args, timeout=280)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    @unittest.skipIf(holostat.SANITIZED, "takes minutes")
    @unittest.skipUnless(SQUATS.exists(), "no shared media")
    def test_a_real_clip_keeps_its_frames_and_is_drawn_on_where_the_person_is(self):
        out, lines = self.dir / "x.mp4", self.dir / "x.jsonl"
        self.track(SQUATS, "-o", out, "-o", lines)
        written, source = times_of(out), times_of(SQUATS)
        self.assertEqual(len(written), 65)
        for mine, theirs in zip(written, source):
            self.assertAlmostEqual(mine, theirs - source[0], delta=MILLISECOND)
        stream = probe(out, "-show_streams")["streams"][0]
        self.assertEqual([stream[key] for key in ("codec_name", "pix_fmt", "width", "height", "color_space")],
                         ["h264", "yuv420p", 720, 1280, "bt709"])
        person = json.loads(lines.read_text().splitlines()[30])["people"][0]
        before, after = Pixels(SQUATS, 30, 720, 1280), Pixels(out, 30, 720, 1280)
        joints = [(int(x * 720), int(y * 1280)) for x, y, _, visibility, _ in person["pose_landmarks"][11:17]
                  if visibility > 0.9]
        self.assertGreaterEqual(len(joints), 4)
        for x, y in joints:
            self.assertGreater(difference(before, after, x, y), 30, f"joint at {x}, {y}")
        corners = [difference(before, after, x, y) for x in range(2, 60, 8) for y in range(2, 60, 8)]
        self.assertLess(sum(corners) / len(corners), 12)

    def test_audio_and_uneven_times_are_those_of_the_source(self):
        clip = make_clip(self.dir / "clip.mkv", "-vf", "setpts='(N+floor(N/3)*2)/20/TB'", "-fps_mode", "passthrough")
        self.track(clip, "-o", self.dir / "{name}.out.mp4")
        out = self.dir / "clip.out.mp4"
        written, source = times_of(out), times_of(clip)
        self.assertEqual(len(written), len(source))
        for mine, theirs in zip(written, source):
            self.assertAlmostEqual(mine, theirs - source[0], delta=MILLISECOND)
        mine, theirs = audio_of(out), audio_of(clip)
        self.assertGreater(len(mine), 30)
        self.assertEqual(mine, theirs[:len(mine)])
        self.assertIn("holostat", probe(out, "-show_format")["format"]["tags"]["comment"])

    def test_a_part_has_the_audio_of_that_part(self):
        clip = make_clip(self.dir / "clip.mp4", seconds=3)
        self.track(clip, "--from", "1", "--to", "2", "-o", self.dir / "part.mp4")
        self.assertEqual(len(times_of(self.dir / "part.mp4")), 10)
        mine, theirs = audio_of(self.dir / "part.mp4"), audio_of(clip)
        first = theirs.index(mine[0])
        self.assertAlmostEqual(first * 1024 / 48000, 0.9, delta=0.05)  # 0.1 s for the decoder
        self.assertEqual(mine, theirs[first:first + len(mine)])

    def test_audio_that_mp4_does_not_take_is_left_out_and_said(self):
        clip = make_clip(self.dir / "clip.mkv", "-c:a", "pcm_s16le", seconds=1)
        done = self.track(clip, "-o", self.dir / "x.mp4")
        self.assertIn(b"pcm_s16le", done.stderr)
        self.assertEqual(len(times_of(self.dir / "x.mp4")), 10)
        self.assertNotIn(b"pcm_s16le", self.track(clip, "--quiet", "-o", self.dir / "x.mp4").stderr)

    def test_ctrl_c_finishes_the_video(self):
        clip = make_clip(self.dir / "clip.mp4", seconds=300)
        out, lines = self.dir / "x.mp4", self.dir / "x.jsonl"
        process = subprocess.Popen([holostat.BINARY, "track", "--models", str(holostat.MODELS), "--complexity", "lite",
                                    str(clip), "-o", str(out), "-o", str(lines)], stderr=subprocess.DEVNULL)
        holostat.wait_until(lambda: lines.exists() and lines.read_bytes().count(b"\n") >= 5)
        self.assertFalse(out.exists(), "not before it is whole")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 130)
        self.assertEqual(len(times_of(out)), lines.read_bytes().count(b"\n"))

    def test_pictures_are_a_video_with_fps_only(self):
        self.track(holostat.DEMO, "-o", self.dir / "x.mp4", code=2)
        self.track(holostat.DEMO, holostat.DEMO, "--fps", "25", "-o", self.dir / "x.mp4")
        self.assertEqual([round(time, 3) for time in times_of(self.dir / "x.mp4")], [0, 0.04])
        self.assertEqual(sorted(path.name for path in self.dir.iterdir()), ["x.mp4"])


if __name__ == "__main__":
    holostat.need_models()
    if shutil.which("ffmpeg") is None or shutil.which("ffprobe") is None:
        print("SKIPPED: no ffmpeg; ./dev test installs it")
        sys.exit(77)
    unittest.main()
