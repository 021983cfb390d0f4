#!/usr/bin/env python3
"""Landmarks of the built program agree with the peer's golden landmarks (shared/tools/parity.py), in every run of still pictures.

Takes the program from HOLOSTAT_BINARY (default build/release/holostat) and the models from HOLOSTAT_MODELS (default build/models).
Exit code 77, skipped, where the shared folder beside the checkout or the models are missing.
"""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
RUNS = ("cpu_c1_refine", "cpu_c1_norefine", "cpu_c0_refine", "cpu_c2_refine")
MEDIA = ("media", "media/synth")
SECONDS_A_RUN = 240
SKIPPED = 77


def main():
    binary = os.environ.get("HOLOSTAT_BINARY", ROOT / "build" / "release" / "holostat")
    models = os.environ.setdefault("HOLOSTAT_MODELS", str(ROOT / "build" / "models"))
    parity = SHARED / "tools" / "parity.py"
    for needed in (parity, pathlib.Path(models)):
        if not needed.exists():
            print(f"skipped: no {needed}")
            return SKIPPED
    failed = []
    for run in RUNS:
        for media in MEDIA:
            print(f"== {run} on {media}", flush=True)
            command = [sys.executable, str(parity), "--binary", str(binary), "--media", str(SHARED / media), "--run", run]
            if subprocess.run(command, timeout=SECONDS_A_RUN).returncode != 0:
                failed.append(f"{run} on {media}")
    print("failed: " + ", ".join(failed) if failed else "all runs agree")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
