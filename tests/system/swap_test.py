#!/usr/bin/env python3
"""`holostat swap`: what it draws, what it leaves, and that nobody can forget to say so."""
import os
import pathlib
import subprocess
import tempfile
import unittest

import holostat
import pictures

MEDIA = holostat.ROOT.parent / "shared/media"
FACE, TARGET = MEDIA / "upper-two-hands-ai.png", MEDIA / "face-hand-cgi.jpg"
CLIP = MEDIA / "clip-sign.mp4"
ASTRONAUT = MEDIA / "upper-astronaut.png"


@unittest.skipUnless(MEDIA.is_dir(), "needs ../shared")
class SwapTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.dir = pathlib.Path(self.folder.name)

    def swap(self, *args, face=FACE, status=0):
        done = subprocess.run([holostat.BINARY, "swap", "--face", str(face), *map(str, args)], capture_output=True, text=True,
                              env={**os.environ, "HOLOSTAT_MODELS": str(holostat.MODELS), "XDG_STATE_HOME": str(self.dir / "state")})
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def test_the_first_use_says_what_it_is_for_and_later_ones_do_not(self):
        self.assertIn("agreed", self.swap(TARGET, "-o", self.dir / "a.jpg"))
        self.assertNotIn("agreed", self.swap(TARGET, "-o", self.dir / "b.jpg"))

    def test_every_file_says_that_the_face_was_altered(self):
        for name in ("a.jpg", "a.png"):
            self.swap(TARGET, "-o", self.dir / name, "--no-label", "--i-will-disclose")
            self.assertIn(b"altered with Holostat", (self.dir / name).read_bytes())

    def test_the_label_is_left_out_only_by_who_says_so_himself(self):
        self.assertIn("--i-will-disclose", self.swap(TARGET, "-o", self.dir / "a.png", "--no-label", status=2))
        self.assertFalse((self.dir / "a.png").exists())

    def test_only_the_face_is_changed(self):
        self.swap(ASTRONAUT, "-o", self.dir / "a.png", "--no-label", "--i-will-disclose")
        width, height, before = pictures.read_png(ASTRONAUT)
        after = pictures.read_png(self.dir / "a.png")
        self.assertEqual(after[:2], (width, height))
        face = holostat.track(ASTRONAUT)[0]["people"][0]["face_landmarks"]
        left, right = (width * f(x for x, _, _ in face) for f in (min, max))
        top, bottom = (height * f(y for _, y, _ in face) for f in (min, max))
        changed = [(x, y) for y in range(height) for x in range(width) if before[y][3 * x:3 * x + 3] != after[2][y][3 * x:3 * x + 3]]
        self.assertGreater(len(changed), 0.2 * (right - left) * (bottom - top))
        for x, y in changed:
            self.assertTrue(left - 1 <= x <= right + 1 and top - 1 <= y <= bottom + 1, (x, y))

    def test_a_video_keeps_its_frames_and_times_and_says_that_it_was_altered(self):
        said = self.swap(CLIP, "-o", self.dir / "a.mp4", "--to", "0.5")
        self.assertRegex(said, r"15 frames.*swapped in 1[0-5]")
        self.assertIn(b"altered with Holostat", (self.dir / "a.mp4").read_bytes())
        frames, times = ([f["timestamp_ms"] for f in holostat.track(video, "--to", "0.5", "--complexity", "lite")]
                         for video in (CLIP, self.dir / "a.mp4"))
        self.assertEqual(len(frames), len(times))
        for a, b in zip(frames, times):
            self.assertAlmostEqual(a, b, delta=1)

    def test_a_video_in_which_nobody_is_meant_can_be_hidden(self):
        self.swap(CLIP, "-o", self.dir / "a.mp4", "--to", "0.2", "--on-loss", "blur", "--person", "9")
        self.assertEqual([f["people"] for f in holostat.track(self.dir / "a.mp4", "--complexity", "lite")], [[]] * 6)

    def test_an_unfinished_video_leaves_no_file(self):
        self.swap(CLIP, "-o", self.dir / "a.mp4", "--from", "100", status=3)
        self.assertEqual(list(self.dir.glob("*a.mp4*")), [])

    def test_of_several_people_one_is_chosen(self):
        group = MEDIA / "multi-three-people.jpg"
        changed = []
        for who in ("leftmost", "rightmost"):
            self.swap(group, "-o", self.dir / f"{who}.png", "--no-label", "--i-will-disclose", "--person", who)
            changed.append(pictures.read_png(self.dir / f"{who}.png"))
        self.assertNotEqual(changed[0], changed[1])
        self.assertIn("neither", self.swap(group, "-o", self.dir / "a.png", "--person", "tallest", status=2))

    def test_without_a_face_it_says_so(self):
        nobody = MEDIA / "none-coffee.png"
        self.assertIn("no face", self.swap(nobody, "-o", self.dir / "a.png", status=3))
        self.assertIn("no face", self.swap(TARGET, "-o", self.dir / "a.png", face=nobody, status=3))
        self.assertEqual(list(self.dir.glob("*.png")), [])

    def test_wrong_calls_are_explained(self):
        self.assertIn("numbers", self.swap(TARGET, "-o", self.dir / "a.png", "--strength", "nan", status=2))
        self.assertIn("at most", self.swap(TARGET, "-o", self.dir / "a.png", *["--face", FACE] * 8, status=2))
        self.assertIn(".jpg", self.swap(TARGET, "-o", self.dir / "a.gif", status=2))
        self.assertIn("missing.jpg", self.swap(self.dir / "missing.jpg", "-o", self.dir / "a.png", status=3))
        self.assertIn("--label", self.swap(TARGET, "-o", self.dir / "a.png", "--label", "x" * 65, status=2))


if __name__ == "__main__":
    holostat.need_models()
    unittest.main()
