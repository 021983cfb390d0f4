#!/usr/bin/env python3
"""Measures the memory of a service by the figures that the reference service states of itself.

    python3 tools/memory_table.py [--binary build/release/holostat] [--json | --markdown] [--limit-seconds 60]

The reference service loads one model set a process and answers in it. What it states of itself, before
and after its authors mended it, stands in REFERENCE. Ours is measured here: two workers, the full model,
the demo picture and those of ../shared/media where there are any.

Private memory is the sum of USS (Private_* of smaps_rollup) of supervisor, zygote and workers, taken
before and after 100 requests, after a warm-up; it is sampled while the service works, so a worker may be in
the middle of a picture. OOM kills are counted by the kernel, in a control group of its own, with a limit of
512 MB; making one needs root. Where there is none, that row says so: no other limit is a substitute.
"""
import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT_MB = 512
WORKERS = 2
REFERENCE = {
    "per_request": ("memory added per request", "10.2 MB", "0.7 MB"),
    "growth_100": ("growth over 100 calls", "1.3 GB", "86 MB"),
    "peak": ("peak", "2.1 GB", "412 MB"),
    "oom": (f"OOM kills in an hour under {LIMIT_MB} MB", "95 %", "0 %"),
}


def pictures():
    media = ROOT.parent / "shared/media"
    shared = [file for file in sorted(media.glob("*")) if file.suffix in (".jpg", ".png")]
    return [ROOT / "assets/demo/upper-hands-up.jpg", *shared]


def uss_of(pid):
    """Private bytes of a process; None when it is gone."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return None
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Private_"))


def family(supervisor):
    """The supervisor, and its zygote and workers: those have its number on their command lines."""
    mark = f"--supervisor\0{supervisor}\0".encode()
    found = [supervisor]
    for entry in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and mark in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


def service_uss(supervisor):
    """The median of some samples of all its processes together."""
    samples = []
    for _ in range(9):
        each = [uss_of(pid) for pid in family(supervisor)]
        samples.append(sum(uss for uss in each if uss is not None))
        time.sleep(0.1)
    return statistics.median(samples)


@contextlib.contextmanager
def memory_group(limit_bytes):
    """A control group with a limit, to be removed; None where there may be none."""
    first = pathlib.Path("/sys/fs/cgroup/memory")
    is_v1 = (first / "memory.limit_in_bytes").exists()
    group = (first if is_v1 else first.parent) / f"holostat-table-{os.getpid()}"
    try:
        group.mkdir()
        (group / ("memory.limit_in_bytes" if is_v1 else "memory.max")).write_text(str(limit_bytes))
    except OSError:
        with contextlib.suppress(OSError):
            group.rmdir()
        yield None
        return
    try:
        yield group
    finally:
        for _ in range(100):  # what has just ended may still be in it
            with contextlib.suppress(OSError):
                group.rmdir()
                break
            time.sleep(0.05)


def number_in(file, key):
    """The number after `key` in a file of the kernel's; the first one for an empty key."""
    with contextlib.suppress(OSError):
        for line in file.read_text().splitlines():
            words = line.split()
            if not key or words[0] == key:
                return int(words[-1])
    return 0


def group_counts(group):
    if (group / "memory.oom_control").exists():
        return {"oom_kill": number_in(group / "memory.oom_control", "oom_kill"),
                "limit_hit": number_in(group / "memory.failcnt", ""),
                "peak_bytes": number_in(group / "memory.max_usage_in_bytes", "")}
    return {"oom_kill": number_in(group / "memory.events", "oom_kill"),
            "limit_hit": number_in(group / "memory.events", "max"),
            "peak_bytes": number_in(group / "memory.peak", "")}


def start_soak(args, *more, group=None):
    command = [args.binary, "soak", "--workers", str(WORKERS), "--complexity", "full", "--json", "--quiet",
               *map(str, more), *map(str, pictures())]
    environment = dict(os.environ)
    environment.setdefault("HOLOSTAT_MODELS", str(ROOT / "build/models"))
    enter = (lambda: (group / "cgroup.procs").write_text(str(os.getpid()))) if group else None
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
                            preexec_fn=enter)


def finish(soak):
    out, err = soak.communicate()
    if soak.returncode != 0:
        sys.exit(f"memory_table: soak ended with {soak.returncode}: {err[-2000:]}")
    return json.loads(out)


def summary(report):
    return {key: report.get(key, 0) for key in ("requests", "ok", "lost", "wrong")}


def requests_so_far(args, pid):
    """Answered by the workers, as the service's own status tells."""
    told = subprocess.run([args.binary, "top", "--once", "--json", "--pid", str(pid)], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    if told.returncode != 0:
        return None
    return json.loads(told.stdout.splitlines()[0])["totals"]["ok"]


def wait_for_requests(args, soak, count):
    while (done := requests_so_far(args, soak.pid)) is None or done < count:
        if soak.poll() is not None:
            sys.exit(f"memory_table: soak ended early: {soak.stderr.read()[-2000:]}")
        time.sleep(0.1)
    return done


def measure_growth(args):
    """Private memory before and after `--calls` requests, after `--warm-up` that nobody counts; and as many again."""
    references = 2 * len(pictures())  # each picture once with the full and with the lite model
    soak = start_soak(args, "--seconds", 24 * 3600)
    before_at = wait_for_requests(args, soak, references + args.warm_up)
    before = service_uss(soak.pid)
    after_at = wait_for_requests(args, soak, before_at + args.calls)
    after = service_uss(soak.pid)
    wait_for_requests(args, soak, after_at + args.calls)
    later = service_uss(soak.pid)
    soak.terminate()
    report = finish(soak)
    peak = report.get("peak_service_pss_bytes", report.get("peak_pss_bytes", 0))
    return {"calls": after_at - before_at, "uss_before_bytes": before, "uss_after_bytes": after,
            "growth_bytes": after - before, "next_growth_bytes": later - after,
            "per_request_bytes": (after - before) / (after_at - before_at),
            "peak_pss_bytes": peak, **summary(report)}


def measure_oom(args):
    """None where no control group can be made."""
    with memory_group(LIMIT_MB << 20) as group:
        if group is None:
            return None
        report = finish(start_soak(args, "--seconds", args.limit_seconds, group=group))
        return {"seconds": args.limit_seconds, **group_counts(group), **summary(report)}


def megabytes(value):
    return f"{value / 2**20:.2f} MB"


def our_cells(growth, oom):
    ran = "not measured: no control group can be made here"
    if oom is not None:
        ran = (f"{oom['oom_kill']} kills in {oom['seconds']:g} s, {oom['requests']} requests "
               f"(limit hit {oom['limit_hit']} times, group's peak {megabytes(oom['peak_bytes'])})")
    return {"per_request": megabytes(growth["per_request_bytes"]),
            "growth_100": f"{megabytes(growth['growth_bytes'])} over {growth['calls']}, then "
                          f"{megabytes(growth['next_growth_bytes'])}",
            "peak": f"{megabytes(growth['peak_pss_bytes'])} (PSS, {WORKERS} workers)", "oom": ran}


def as_table(cells, markdown):
    rows = [("", "reference, before", "reference, after", "Holostat")]
    rows += [(*REFERENCE[key], cells[key]) for key in REFERENCE]
    if markdown:
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=str(ROOT / "build/release/holostat"))
    parser.add_argument("--json", action="store_true", help="figures for a program")
    parser.add_argument("--markdown", action="store_true", help="a table for a page")
    parser.add_argument("--warm-up", type=int, default=20, metavar="N", help="requests that are not counted")
    parser.add_argument("--calls", type=int, default=100, metavar="N", help="requests that are")
    parser.add_argument("--limit-seconds", type=float, default=60, metavar="S",
                        help=f"how long under the limit of {LIMIT_MB} MB (3600: the full hour)")
    args = parser.parse_args()
    growth, oom = measure_growth(args), measure_oom(args)
    if args.json:
        print(json.dumps({"pictures": len(pictures()), "growth": growth, "limited": oom, "reference": REFERENCE}))
        return 0
    print(as_table(our_cells(growth, oom), args.markdown))
    if not args.markdown:
        print(f"\n{len(pictures())} pictures, full model. Requests: {growth['requests']}, lost {growth['lost']}, "
              f"wrong {growth['wrong']}; under the limit: "
              + (f"lost {oom['lost']}, wrong {oom['wrong']}." if oom else "not run."))
    return 0


if __name__ == "__main__":
    sys.exit(main())
