#!/usr/bin/env python3
"""Files that are no picture, damaged, or built to exhaust memory: a clear error or an empty answer, in bounded memory."""
import pathlib
import shutil
import tempfile
import unittest

import holostat
from pictures import png


class BadPictures(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="holostat-"))
        self.addCleanup(shutil.rmtree, self.dir)

    def code_of(self, data, *args, name="picture"):
        path = self.dir / name
        path.write_bytes(data)
        done = holostat.run("track", path, *args)
        self.assertIn(done.returncode, (0, 3, 5), done.stderr)
        if done.returncode:
            self.assertEqual(done.stdout, b"")
            self.assertEqual(len(done.stderr.splitlines()), 1, f"one clear line: {done.stderr}")
        return done.returncode

    def test_what_is_no_picture_is_unreadable(self):
        for data in (b"", b"\0", b"hello", b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBP", b"GIF89a", b"\0" * 100000):
            self.assertEqual(self.code_of(data), 3, data[:16])
        self.assertEqual(holostat.run("track", self.dir).returncode, 3, "a folder")
        self.assertEqual(holostat.run("track", "/dev/null").returncode, 3, "a device")

    def test_a_truncated_picture_is_unreadable(self):
        data = holostat.DEMO.read_bytes()
        for size in (3, 100, 1000, len(data) // 2, len(data) - 100):
            self.assertEqual(self.code_of(data[:size]), 3, size)

    def test_a_bomb_is_refused_from_its_header(self):
        self.assertEqual(self.code_of(png(30000, 30000)), 5)
        self.assertEqual(self.code_of(png(2**31 - 1, 2**31 - 1)), 5)
        if not holostat.SANITIZED:
            self.assertLess(holostat.run("track", self.dir / "picture").peak_rss_bytes, 200e6)

    def test_limits_can_be_set(self):
        self.assertEqual(self.code_of(holostat.DEMO.read_bytes(), "--max-pixels", "1000000"), 5)
        self.assertEqual(self.code_of(holostat.DEMO.read_bytes(), "--max-bytes", "1000"), 5)

    def test_a_long_standard_input_is_cut_off(self):
        done = holostat.run("track", "-", "--max-bytes", "1000", stdin=b"\xff\xd8" + b"\0" * 10_000_000)
        self.assertEqual(done.returncode, 5)

    def test_extreme_shapes_are_read(self):
        self.assertEqual(self.code_of(png(1, 1, b"\0\x80")), 0)
        self.assertEqual(self.code_of(png(1, 10000, b"\0\x80" * 10000)), 0)
        self.assertEqual(self.code_of(png(10000, 1, b"\0" + b"\x80" * 10000)), 0)


if __name__ == "__main__":
    holostat.need_models()
    unittest.main()
