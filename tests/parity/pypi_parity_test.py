#!/usr/bin/env python3
"""Sampling crops as OpenCV does, our landmarks of the demo picture are those of PyPI mediapipe (tests/parity/pypi, made by
tools/golden/make_golden.py), within the tolerances of tools/golden/compare.py.

Takes the program from HOLOSTAT_BINARY (default build/release/holostat) and the models from HOLOSTAT_MODELS (default build/models).
Exit code 77, skipped, without models.
"""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


def main():
    binary = os.environ.get("HOLOSTAT_BINARY", str(ROOT / "build" / "release" / "holostat"))
    models = pathlib.Path(os.environ.setdefault("HOLOSTAT_MODELS", str(ROOT / "build" / "models")))
    if not models.exists():
        print(f"skipped: no {models}")
        return SKIPPED
    command = [sys.executable, str(ROOT / "tools" / "golden" / "compare.py"), binary, str(ROOT / "tests" / "parity" / "pypi"),
               "--media", str(ROOT / "assets" / "demo"), "--sampling", "opencv", "--check"]
    return subprocess.run(command, timeout=240).returncode


if __name__ == "__main__":
    sys.exit(main())
