#!/usr/bin/env python3
"""An installed Holostat is found by find_package from a project elsewhere, and its program runs from there."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "system"))
import holostat


PUBLIC_FUNCTIONS = {"holostat::DecodePicture", "holostat::ErrorCodeName", "holostat::HolisticTracker::Create",
                    "holostat::ReadPicture", "holostat::RenderMask"}


def call(*args, **kwargs):
    done = subprocess.run([str(a) for a in args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **kwargs)
    assert done.returncode == 0, done.stdout
    return done.stdout


class Install(unittest.TestCase):
    def test_the_example_builds_against_the_installation_and_finds_the_person(self):
        with tempfile.TemporaryDirectory(prefix="holostat-") as folder:
            root = pathlib.Path(folder)
            call("cmake", "--install", os.environ["HOLOSTAT_BUILD"], "--prefix", root / "prefix")
            shutil.copytree(holostat.ROOT / "examples/track_picture", root / "example")
            call("cmake", "-S", root / "example", "-B", root / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={root / 'prefix'}")
            call("cmake", "--build", root / "build")
            output = call(root / "build/track_picture", holostat.MODELS, holostat.DEMO)
            self.assertIn("1 person(s)", output)
            self.assertIn("left index finger at", output)
            symbols = call("nm", "-DC", "--defined-only", root / "prefix/lib/libholostat.so")
            ours = {line.split(" T ")[1].split("(")[0] for line in symbols.splitlines() if " T holostat::" in line}
            self.assertEqual(ours, PUBLIC_FUNCTIONS)
            program = subprocess.run([root / "prefix/bin/holostat", "models"], stdout=subprocess.PIPE,
                                     env={**os.environ, "HOLOSTAT_MODELS": str(holostat.MODELS)})
            self.assertEqual(program.returncode, 0)
            doctor = call(root / "prefix/bin/holostat", "doctor", env={**os.environ, "HOLOSTAT_MODELS": str(holostat.MODELS)})
            self.assertIn("videos: FFmpeg", doctor, "the library for videos is found")


if __name__ == "__main__":
    holostat.need_models()
    unittest.main()
