#!/usr/bin/env python3
"""check_layers.py passes the tree as it is, and catches each kind of upward include (its negative control)."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def check(root):
    done = subprocess.run([sys.executable, ROOT / "tools/check_layers.py", "--root", root], stdout=subprocess.PIPE, text=True)
    return done.returncode, done.stdout


class CheckLayers(unittest.TestCase):
    def verdict_on(self, path, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / path
            file.parent.mkdir(parents=True)
            file.write_text(text)
            return check(folder)

    def test_the_tree_obeys(self):
        code, output = check(ROOT)
        self.assertEqual(code, 0, output)

    def test_upward_includes_are_faults(self):
        for path, include in [("src/base/a.h", '"media/warp.h"'), ("src/engine/a.cc", '"vision/nms.h"'),
                              ("src/server/a.cc", '"engine/session.h"'), ("src/runtime/a.cc", '"holostat/holistic_tracker.h"'),
                              ("src/vision/a.cc", "<xnnpack.h>"), ("src/media/a.cc", "<libavutil/frame.h>"), ("include/holostat/picture.h", '"engine/graph.h"')]:
            code, output = self.verdict_on(path, f"#include {include}\n")
            self.assertEqual(code, 1, f"{path} including {include}: {output}")

    def test_downward_and_library_includes_are_fine(self):
        for path, include in [("src/vision/a.cc", '"engine/session.h"'), ("src/engine/a.cc", "<xnnpack.h>"),
                              ("src/media/av/a.cc", "<libavutil/frame.h>"), ("src/base/a.cc", "<vector>")]:
            code, output = self.verdict_on(path, f"#include {include}\n")
            self.assertEqual(code, 0, f"{path} including {include}: {output}")

    def test_an_unknown_module_and_an_empty_tree_are_faults(self):
        self.assertEqual(self.verdict_on("src/misc/a.cc", "\n")[0], 1)
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(check(folder)[0], 1)


if __name__ == "__main__":
    unittest.main()
