#!/usr/bin/env python3
"""How long a live session waits for its landmarks, before, during and after a flood of frames.

    python3 bench/live_delay.py [--binary build/release/holostat] [--complexity lite] [--picture FILE] [--json]

Sends a picture (the demo's, unless told) at 30 frames a second for 5 s, at twice the rate that the service can take for
5 s, and at 30 a second again. Prints the delay from sending a frame to having its answer, and how soon after the flood it is what it was
before: newest frame wins, so it should be within a frame or two. Frames that were dropped are counted.
"""
import argparse
import json
import os
import pathlib
import statistics
import sys
import threading
import time

from recovery import back_after

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/system"))
from websocket import Closed, WebSocket  # noqa: E402
PHASE_SECONDS = 5


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(ROOT / "build/release/holostat"))
    parser.add_argument("--complexity", default="lite", choices=["lite", "full", "heavy"])
    parser.add_argument("--picture", default=str(ROOT / "assets/demo/upper-hands-up.jpg"))
    parser.add_argument("--fps", type=float, default=30)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


class Session:
    """Frames out at a rate, answers in on a thread of their own."""

    def __init__(self, socket, picture):
        self.socket, self.picture = socket, picture
        self.sent, self.delays, self.dropped = [], [], 0
        self.receiver = threading.Thread(target=self._receive, daemon=True)
        self.receiver.start()

    def _receive(self):
        while True:
            try:
                message = self.socket.receive_json()
            except Closed:
                return  # as we asked for
            if message["type"] == "frame":
                now = time.monotonic()
                self.delays.append((now, now - self.sent[message["sequence"]]))
                self.dropped = message["dropped"]

    def send(self, fps, seconds):
        """Gives the time when it began."""
        begin = time.monotonic()
        for i in range(int(fps * seconds)):
            time.sleep(max(0, begin + i / fps - time.monotonic()))
            self.sent.append(time.monotonic())
            self.socket.send_frame(self.picture, len(self.sent) - 1, int((self.sent[-1] - self.sent[0]) * 1e6))
        return begin

    def between(self, begin, end):
        return [delay for at, delay in self.delays if begin <= at < end]


def capacity(session):
    """Frames a second, when there is always a next one."""
    begin = time.monotonic()
    session.send(200, 3)
    return len(session.between(begin + 1, begin + 3)) / 2


def measure(session, fps):
    most = capacity(session)
    time.sleep(0.5)
    dropped = session.dropped
    calm = session.send(fps, PHASE_SECONDS)
    dropped_calm = session.dropped - dropped
    flood = session.send(2 * max(most, fps), PHASE_SECONDS)
    after = session.send(fps, PHASE_SECONDS)
    time.sleep(0.5)
    baseline = session.between(calm, flood)
    median = lambda delays: round(1000 * statistics.median(delays), 1)
    return {"capacity_fps": round(most, 1), "flood_fps": round(2 * max(most, fps), 1),
            "delay_ms": {"before": median(baseline), "before_max": round(1000 * max(baseline), 1),
                         "during": median(session.between(flood, after)),
                         "during_max": round(1000 * max(session.between(flood, after)), 1),
                         "after": median(session.between(after, after + PHASE_SECONDS))},
            "back_to_baseline_s": back_after(baseline, [(at - after, delay) for at, delay in session.delays if at >= after]),
            "dropped_before": dropped_calm, "dropped": session.dropped, "sent": len(session.sent),
            "answered": len(session.delays)}


def main():
    args = parse()
    os.environ.setdefault("HOLOSTAT_BINARY", args.binary)
    from service import Service

    with Service("--complexity", args.complexity) as service:
        with WebSocket(service.port, f"/v1/live?complexity={args.complexity}") as socket:
            assert socket.receive_json()["type"] == "ready"
            session = Session(socket, pathlib.Path(args.picture).read_bytes())
            report = measure(session, args.fps)
            socket.close()
            session.receiver.join(10)
    if args.json:
        print(json.dumps(report))
        return
    for name, value in report.items():
        print(f"{name:>22}  {value}")


if __name__ == "__main__":
    main()
