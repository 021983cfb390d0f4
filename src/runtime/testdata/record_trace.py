#!/usr/bin/env python3
"""Record how a process grows under a control group of version 1, as a trace for governor_test.cc.

  record_trace.py > recorded.trace        (as root; makes and removes a group of its own)

A child touches 4 MB each 0.2 s until it holds 235 MB under a limit of 256 MB, waits, and gives it all back.
"""
import mmap
import os
import pathlib
import sys
import time

GROUP = pathlib.Path("/sys/fs/cgroup/memory") / f"holo-gov-test-{os.getpid()}"
LIMIT_MB = 256


def grow():
    blocks = []
    while len(blocks) * 4 < 225:
        block = mmap.mmap(-1, 4 << 20)
        block.write(b"x" * len(block))
        blocks.append(block)
        time.sleep(0.2)
    time.sleep(4)
    blocks.clear()
    time.sleep(14)


def pss_mb(pid):
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0


def used_mb():
    stat = dict(line.split() for line in (GROUP / "memory.stat").read_text().splitlines())
    usage = int((GROUP / "memory.usage_in_bytes").read_text())
    return (usage - int(stat["total_inactive_file"])) / 2**20


def main():
    GROUP.mkdir()
    try:
        (GROUP / "memory.limit_in_bytes").write_text(str(LIMIT_MB << 20))
        child = os.fork()
        if child == 0:
            (GROUP / "cgroup.procs").write_text(str(os.getpid()))
            grow()
            os._exit(0)
        start = time.monotonic()
        print(f"budget 0\nlimit {LIMIT_MB}")
        while os.waitpid(child, os.WNOHANG)[0] == 0:
            try:
                print(f"{time.monotonic() - start:.1f} {pss_mb(child):.1f} {used_mb():.1f}", flush=True)
            except OSError:  # it has just ended
                break
            time.sleep(0.5)
    finally:
        time.sleep(0.5)
        GROUP.rmdir()


if __name__ == "__main__":
    sys.exit(main())
