#!/usr/bin/env python3
"""`track -o clip.bvh`, read back by an independent reader: bones of constant length, angles without leaps, limbs that point where
the world landmarks say."""
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import bvh
import holostat

MEDIA = holostat.ROOT.parent / "shared/media"
# Bone: the landmarks it goes between.
LIMBS = {"LeftUpperArm": (11, 13), "LeftLowerArm": (13, 15), "RightUpperArm": (12, 14), "RightLowerArm": (14, 16),
         "LeftUpperLeg": (23, 25), "LeftLowerLeg": (25, 27), "RightUpperLeg": (24, 26), "RightLowerLeg": (26, 28)}
ENDS = {"LeftUpperArm": "LeftLowerArm", "LeftLowerArm": "LeftHand", "RightUpperArm": "RightLowerArm",
        "RightLowerArm": "RightHand", "LeftUpperLeg": "LeftLowerLeg", "LeftLowerLeg": "LeftFoot",
        "RightUpperLeg": "RightLowerLeg", "RightLowerLeg": "RightFoot"}


def angle(a, b):
    dot = sum(x * y for x, y in zip(a, b))
    return math.degrees(math.acos(max(-1, min(1, dot / math.hypot(*a) / math.hypot(*b)))))


class Bvh(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="holostat-"))
        self.addCleanup(shutil.rmtree, self.dir)

    def test_a_picture_is_one_frame_of_motion(self):
        done = holostat.run("track", holostat.DEMO, "-o", self.dir / "a.bvh")
        self.assertEqual(done.returncode, 0, done.stderr)
        joints, frames, _ = bvh.read((self.dir / "a.bvh").read_text())
        self.assertEqual(len(frames), 1)
        placed = bvh.places(joints, frames[0])
        self.assertGreater(placed["Head"][1], placed["Hips"][1])
        self.assertGreater(placed["LeftUpperArm"][0], placed["RightUpperArm"][0], "faces us")
        face = json.loads((self.dir / "a.face.json").read_text())
        self.assertEqual(len(face["frames"]), 1)
        self.assertIsNotNone(face["frames"][0]["head"])

    @unittest.skipUnless(MEDIA.exists() and shutil.which("ffmpeg"), "no shared media or no ffmpeg")
    def test_a_clip_moves_as_its_landmarks_do(self):
        subprocess.run(["ffmpeg", "-v", "error", "-i", MEDIA / "clip-squats.mp4", self.dir / "%04d.png"], check=True)
        pictures = sorted(self.dir.glob("*.png"))[:20 if holostat.SANITIZED else None]
        done = holostat.run("track", *pictures, "--fps", "5", "--people", "1", "-o", self.dir / "a.bvh", "-o", self.dir / "a.jsonl", timeout=250)
        self.assertEqual(done.returncode, 0, done.stderr)
        joints, frames, step = bvh.read((self.dir / "a.bvh").read_text())
        tracked = [json.loads(line) for line in (self.dir / "a.jsonl").read_text().splitlines()]
        self.assertEqual((len(frames), step), (len(tracked), 0.2))
        off, largest = [], 0
        lengths = {}
        for i, (frame, document) in enumerate(zip(frames, tracked)):
            placed = bvh.places(joints, frame)
            for joint in joints:
                if joint.parent is not None:
                    length = math.dist(placed[joint.name], placed[joint.parent.name])
                    self.assertAlmostEqual(lengths.setdefault(joint.name, length), length, places=6, msg=joint.name)
            if i:
                largest = max(largest, max(abs(a - b) for a, b in zip(frame[3:], frames[i - 1][3:])))
            if not document["people"]:
                continue
            world = document["people"][0]["pose_world_landmarks"]
            for bone, (a, b) in LIMBS.items():
                if min(world[a][3], world[b][3]) >= 0.5:
                    seen = [(world[b][n] - world[a][n]) * (1 if n == 0 else -1) for n in range(3)]
                    made = [q - p for p, q in zip(placed[bone], placed[ENDS[bone]])]
                    off.append((angle(seen, made), bone, i))
        off.sort()
        print(f"{len(frames)} frames; limbs off by {off[len(off) // 2][0]:.3f} degrees (median), {off[-1]} (most); "
              f"largest step of an angle {largest:.1f} degrees")
        self.assertLess(off[len(off) // 2][0], 0.1)
        self.assertLess(off[-1][0], 20)
        self.assertLess(largest, 180)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--svg"]:  # FILE FRAME WIDTH HEIGHT: the picture of docs/formats.md
        joints, frames, _ = bvh.read(pathlib.Path(sys.argv[2]).read_text())
        print(bvh.svg(joints, bvh.places(joints, frames[int(sys.argv[3])]), int(sys.argv[4]), int(sys.argv[5])), end="")
        sys.exit(0)
    holostat.need_models()
    unittest.main()
