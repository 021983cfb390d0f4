#!/usr/bin/env python3
"""The page in a real Chromium against the real service: runs page_test.mjs. Skipped where Node.js or Chromium is missing."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent / "system"), str(ROOT / "tools")]

import build_page
import service

DEMO = ROOT / "assets/demo/upper-hands-up.jpg"
SKIPPED = 77
TOKEN = "a token/with+letters=that need care"


def main():
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium or not shutil.which("npm"):
        print("skipped: needs Chromium, Node.js and npm (./dev test installs them)")
        return SKIPPED
    build_page.install_tools(HERE)
    with tempfile.TemporaryDirectory() as scratch, service.Service("--workers", "1") as free, \
            service.Service("--workers", "1", token=TOKEN.replace(" ", "-")) as locked:
        camera = pathlib.Path(scratch) / "camera.mjpeg"
        camera.write_bytes(DEMO.read_bytes() * 4)
        environment = {**os.environ, "CHROMIUM": chromium, "CAMERA": str(camera), "DEMO": str(DEMO), "URL": free.url,
                       "LOCKED_URL": locked.url, "TOKEN": locked.token, "SCRATCH": scratch}
        return subprocess.run(["node", "--test", str(HERE / "page_test.mjs")], env=environment, timeout=240).returncode


if __name__ == "__main__":
    sys.exit(main())
