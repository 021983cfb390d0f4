#!/usr/bin/env python3
"""What HTTP adds to the models' own time, what a second worker gives, and what a flood does.

    python3 bench/http_cost.py [--binary build/release/holostat] [--picture FILE] [--complexity full] [--only cost|workers|flood]

cost     one client, one picture after the other, in turns with `holostat bench` on the same picture: the client's time for
         an answer less the bench's time for a frame, medians; and what the server says of its stages.
workers  requests a second with 1 and with 2 workers, in turns.
flood    capacity, then four times as many requests a second for --seconds, then one client again: statuses, latency of those
         that were served, private memory before and after, and how soon the first client's latency is what it was.
"""
import argparse
import http.client
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import threading
import time

from recovery import back_after

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/system"))


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(ROOT / "build/release/holostat"))
    parser.add_argument("--picture", default=str(ROOT / "assets/demo/upper-hands-up.jpg"))
    parser.add_argument("--complexity", default="full", choices=["lite", "full", "heavy"])
    parser.add_argument("--seconds", type=float, default=60, help="of the flood")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=["cost", "workers", "flood"])
    return parser.parse_args()


class Client:
    """One connection that is kept."""

    def __init__(self, args, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.path = f"/v1/track?complexity={args.complexity}"
        self.body = pathlib.Path(args.picture).read_bytes()
        self.status = None

    def ask(self):
        """The milliseconds until the answer is there, and the server's own stages."""
        began = time.perf_counter()
        self.connection.request("POST", self.path, body=self.body)
        answer = self.connection.getresponse()
        answer.read()
        taken = 1000 * (time.perf_counter() - began)
        self.status = answer.status
        stages = dict(re.findall(r"(\w+);dur=([\d.]+)", answer.getheader("Server-Timing") or ""))
        return taken, {name: float(value) for name, value in stages.items()}


def bench_frame(args):
    """Median milliseconds of a frame in this process's stead."""
    done = subprocess.run([args.binary, "bench", "--json", "--frames", "40", "--picture", args.picture,
                           "--complexity", args.complexity], stdout=subprocess.PIPE, check=True,
                          env={**os.environ, "HOLOSTAT_MODELS": str(ROOT / "build/models")})
    return json.loads(done.stdout)["frame_ms"]["p50"]


def cost(args, Service):
    rounds = []
    with Service("--complexity", args.complexity, "--workers", "1") as service:
        client = Client(args, service.port)
        for _ in range(10):
            client.ask()
        for _ in range(args.rounds):
            frame = bench_frame(args)
            asked = [client.ask() for _ in range(40)]
            total = statistics.median(taken for taken, _ in asked)
            stages = {name: statistics.median(stage[name] for _, stage in asked) for name in asked[0][1]}
            beyond = statistics.median(taken - stage["infer"] for taken, stage in asked)
            rounds.append({"bench_ms": frame, "answer_ms": total, "beyond_bench_ms": total - frame,
                           "beyond_own_inference_ms": beyond, **{f"{name}_ms": value for name, value in stages.items()}})
    return {name: round(statistics.median(one[name] for one in rounds), 3) for name in rounds[0]}


def load(args, port, *more):
    done = subprocess.run([sys.executable, str(ROOT / "tools/load.py"), f"http://127.0.0.1:{port}", args.picture,
                           "--path", f"/v1/track?complexity={args.complexity}", *map(str, more)],
                          stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def workers(args, Service):
    rates = {1: [], 2: []}
    for _ in range(args.rounds):
        for count in rates:
            with Service("--complexity", args.complexity, "--workers", str(count)) as service:
                rates[count].append(load(args, service.port, "--concurrency", 2 * count, "--seconds", 6)["requests_per_second"])
    one, two = (statistics.median(each) for each in rates.values())
    return {"per_second_with_1": one, "per_second_with_2": two, "ratio": round(two / one, 2),
            "ratios": [round(b / a, 2) for a, b in zip(*rates.values())]}


def private_mb(service):
    return sum(process["uss_bytes"] for process in service.status()["processes"]) / 1e6


def flood(args, Service):
    with Service("--complexity", args.complexity) as service:
        client = Client(args, service.port)
        calm = [client.ask()[0] for _ in range(40)]
        capacity = load(args, service.port, "--concurrency", 4, "--seconds", 6)["requests_per_second"]
        before = private_mb(service)
        report = {}
        loader = threading.Thread(target=lambda: report.update(
            load(args, service.port, "--rate", 4 * capacity, "--concurrency", 400, "--seconds", args.seconds)))
        loader.start()
        loader.join()
        ended = time.perf_counter()
        after, client = [], Client(args, service.port)  # the first one's connection was idle for too long
        while len(after) < 60:
            after.append((time.perf_counter() - ended, client.ask()[0]))
        return {"capacity_per_second": capacity, "asked_per_second": report["requests_per_second"],
                "statuses": report["statuses"], "served_ms": report["latency_ok_ms"], "all_ms": report["latency_ms"],
                "calm_ms": {"p50": round(statistics.median(calm), 1), "max": round(max(calm), 1)},
                "back_to_calm_s": back_after(calm, after),
                "private_mb": {"before": round(before, 2), "after": round(private_mb(service), 2)}}


def main():
    args = parse()
    os.environ.setdefault("HOLOSTAT_BINARY", args.binary)
    from service import Service

    for name, measure in (("cost", cost), ("workers", workers), ("flood", flood)):
        if args.only in (None, name):
            print(json.dumps({name: measure(args, Service)}), flush=True)


if __name__ == "__main__":
    main()
