#!/usr/bin/env python3
"""Workers of `holostat serve` are killed twice a second: each request that is taken is answered, and rightly."""
import http.client
import json
import os
import random
import signal
import threading
import time
import unittest

import holostat
from service import Service

SECONDS = float(os.environ.get("HOLOSTAT_SECONDS", "8"))
CLIENTS = 3
PICTURE = holostat.DEMO.read_bytes()


class Clients:
    def __init__(self, port, expected):
        self.port, self.expected = port, expected
        self.right, self.busy, self.wrong = 0, 0, []
        self.lock, self.stop = threading.Lock(), threading.Event()
        self.threads = [threading.Thread(target=self.run) for _ in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        while not self.stop.is_set():
            try:
                connection.request("POST", "/v1/track?complexity=lite", PICTURE)
                answer = connection.getresponse()
                status, body = answer.status, answer.read()
            except (OSError, http.client.HTTPException) as error:
                status, body = 0, repr(error).encode()
                connection.close()
            with self.lock:
                if status == 200 and json.loads(body)["people"] == self.expected:
                    self.right += 1
                elif status == 503:
                    self.busy += 1
                else:
                    self.wrong.append((status, body[:300]))
        connection.close()

    def end(self):
        self.stop.set()
        for thread in self.threads:
            thread.join()


class HttpEnduranceTest(unittest.TestCase):
    def test_requests_are_answered_rightly_while_workers_are_killed(self):
        chance = random.Random(1)
        with Service("--complexity", "lite", "--workers", "2") as service:
            connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
            connection.request("POST", "/v1/track?complexity=lite", PICTURE)
            clients = Clients(service.port, json.loads(connection.getresponse().read())["people"])
            connection.close()
            kills, until = 0, time.monotonic() + SECONDS
            while time.monotonic() < until:
                time.sleep(0.5)
                workers = [one["pid"] for one in service.status()["processes"] if one["role"] == "worker"]
                if workers:
                    try:
                        os.kill(chance.choice(workers), signal.SIGKILL)
                        kills += 1
                    except ProcessLookupError:
                        pass  # it has ended meanwhile
            clients.end()
            crashed = service.status()["totals"]["worker_exits"]["crashed"]
        print(f"{kills} kills in {SECONDS:.0f} s: {clients.right} answered rightly, {clients.busy} refused with 503, "
              f"{len(clients.wrong)} wrong or lost")
        self.assertEqual(clients.wrong[:3], [])
        self.assertGreater(clients.right, kills)
        self.assertGreaterEqual(crashed, kills // 2)


if __name__ == "__main__":
    holostat.need_models()
    unittest.main()
