#!/usr/bin/env python3
"""The types of the page's sources fit, and its pure parts do what web/test says. Skipped without Node.js."""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import build_page


def main():
    if not shutil.which("npm"):
        return 77
    build_page.install_tools()
    steps = [["npm", "run", "--silent", "check"], ["npm", "test", "--silent"]]
    return max(subprocess.run(step, cwd=ROOT / "web").returncode for step in steps)


if __name__ == "__main__":
    sys.exit(main())
