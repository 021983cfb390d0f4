#!/usr/bin/env python3
"""Whether many requests over HTTP leave anything behind: pictures of 64 to 4096 pixels across, as JPEG, PNG and WebP, one in
ten damaged.

    python3 bench/http_growth.py [--binary build/release/holostat] [--requests 100000] [--media FOLDER]

Each size is sent as often as it is small (a side twice as long, half as often). Prints a line of JSON: statuses, why workers
ended, private memory of all processes (medians of the second fifth of the run and of the last), descriptors, latency.
Needs the program ffmpeg, to make the pictures.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/system"))
SIZES = [64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096]
KINDS = ["jpg", "png", "webp"]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(ROOT / "build/release/holostat"))
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--concurrency", type=int, default=6)
    parser.add_argument("--media", default=str(ROOT / "assets/demo"), help="folder of the pictures that are scaled")
    return parser.parse_args()


def pictures(media, folder):
    """One for each size and kind, in turns from the folder's pictures; as often in the list as it shall be sent."""
    sources = sorted(path for path in pathlib.Path(media).iterdir() if path.suffix in (".jpg", ".png"))
    listed = []
    for number, (size, kind) in enumerate((size, kind) for size in SIZES for kind in KINDS):
        made = folder / f"{size}.{kind}"
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", str(sources[number % len(sources)]), "-vf",
                        f"scale='if(gte(iw,ih),{size},-1)':'if(gte(iw,ih),-1,{size})'", "-frames:v", "1", str(made)], check=True)
        listed += [str(made)] * (SIZES[-1] // size)
    return listed


class Samples(threading.Thread):
    """What the service says of itself, every two seconds: (requests so far, private bytes, descriptors)."""

    def __init__(self, service):
        super().__init__(daemon=True)
        self.service, self.taken, self.stop = service, [], threading.Event()
        self.start()

    def run(self):
        while not self.stop.wait(2):
            self.taken.append(sample(self.service))

    def end(self):
        self.stop.set()
        self.join()


def sample(service):
    status = service.status()
    workers = [one for one in status["processes"] if one["role"] == "worker"]
    return {"requests": status["totals"]["requests"], "uss": sum(one["uss_bytes"] for one in status["processes"]),
            "fds": sum(one["fds"] for one in status["processes"]), "workers": len(workers), "totals": status["totals"]}


def median_uss_mb(samples):
    return round(statistics.median(one["uss"] for one in samples) / 1e6, 3)


def main():
    args = parse()
    os.environ.setdefault("HOLOSTAT_BINARY", args.binary)
    from service import Service

    with tempfile.TemporaryDirectory() as folder, Service("--complexity", "lite", "--workers", "2") as service:
        paths = pictures(args.media, pathlib.Path(folder))
        samples = Samples(service)
        load = subprocess.run([sys.executable, str(ROOT / "tools/load.py"), service.url, *paths, "--path",
                               "/v1/track?complexity=lite", "--requests", str(args.requests), "--corrupt", "0.1",
                               "--concurrency", str(args.concurrency)], stdout=subprocess.PIPE, check=True)
        samples.end()
        time.sleep(1)
        last = sample(service)
    usual = [one for one in samples.taken if one["workers"] == 2]  # not while one replaces another
    count = last["requests"]
    early = [one for one in usual if 0.2 * count <= one["requests"] < 0.4 * count]
    late = [one for one in usual if one["requests"] >= 0.8 * count]
    print(json.dumps({**json.loads(load.stdout), "worker_exits": last["totals"]["worker_exits"], "retried": last["totals"]["retried"],
                      "uss_mb": {"early": median_uss_mb(early), "late": median_uss_mb(late),
                                 "growth": round(median_uss_mb(late) - median_uss_mb(early), 3)},
                      "fds": {"early": statistics.median(one["fds"] for one in early),
                              "late": statistics.median(one["fds"] for one in late)}}))


if __name__ == "__main__":
    main()
