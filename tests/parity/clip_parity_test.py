#!/usr/bin/env python3
"""Landmarks of followed clips agree with the peer's golden ones frame by frame (shared/tools/parity.py --clips), smoothed and not.

The program decodes the clips itself; that its pixels are those of the ffmpeg command, which the peer was given, video_reader_test shows.
Takes the program from HOLOSTAT_BINARY (default build/release/holostat) and the models from HOLOSTAT_MODELS (default build/models). Exit
code 77, skipped, where the shared folder beside the checkout or the models are missing.
"""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
RUNS = ("cpu_c1_refine_smooth", "cpu_c1_refine_nosmooth")
SECONDS_A_RUN = 600
SKIPPED = 77


def main():
    binary = os.environ.get("HOLOSTAT_BINARY", str(ROOT / "build" / "release" / "holostat"))
    models = os.environ.setdefault("HOLOSTAT_MODELS", str(ROOT / "build" / "models"))
    parity = SHARED / "tools" / "parity.py"
    missing = [str(path) for path in (parity, pathlib.Path(models)) if not path.exists()]
    if missing:
        print("skipped: no " + ", ".join(missing))
        return SKIPPED
    failed = []
    for run in RUNS:
        print(f"== {run}", flush=True)
        command = [sys.executable, str(parity), "--clips", "--binary", binary,
                   "--media", str(SHARED / "media"), "--run", run]
        if subprocess.run(command, timeout=SECONDS_A_RUN).returncode != 0:
            failed.append(run)
    print("failed: " + ", ".join(failed) if failed else "all runs agree")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
