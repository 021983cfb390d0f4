#!/usr/bin/env python3
"""The program and tools/fetch_models.py know the same model files."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class ModelList(unittest.TestCase):
    def test_both_name_the_same_files(self):
        fetched = json.loads(subprocess.check_output([sys.executable, ROOT / "tools/fetch_models.py", "--list"]))
        with tempfile.TemporaryDirectory() as folder:
            # One wrong file is enough for the folder to be taken; every other one is listed as missing.
            (pathlib.Path(folder) / fetched[0]["file"]).write_text("not a model")
            done = subprocess.run([os.environ["HOLOSTAT_BINARY"], "models", "--json", "--models", folder], stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 4)
        known = json.loads(done.stdout)["models"]
        pick = lambda models: sorted((m["file"], m["bytes"], m["sha256"]) for m in models)
        self.assertEqual(pick(known), pick(fetched))
        self.assertFalse([m for m in known if m["state"] == "ok"])


if __name__ == "__main__":
    unittest.main()
