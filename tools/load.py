#!/usr/bin/env python3
"""Keep a tracking service busy and report: tools/load.py http://127.0.0.1:8080 --concurrency 8 --seconds 10 --corrupt 0.1 me.jpg

Without dependencies: raw HTTP/1.1 over asyncio streams, connections kept alive, each picture encoded as a request once.
Prints one line of JSON: requests, seconds, rate, counts by status, latency in ms (all and of those answered 200).
"""
import argparse
import asyncio
import collections
import json
import pathlib
import random
import ssl
import sys
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent


def encoded(url, path, body, token):
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    return (f"POST {path} HTTP/1.1\r\nHost: {url.netloc}\r\n{authorization}Content-Length: {len(body)}\r\n\r\n").encode() + body


def corrupted(body, randomness):
    """Cut short, or with bytes overwritten: still the beginning of a picture."""
    if randomness.random() < 0.5:
        return body[:randomness.randrange(1, len(body))]
    bad = bytearray(body)
    for _ in range(50):
        bad[randomness.randrange(16, len(bad))] = randomness.randrange(256)
    return bytes(bad)


class Load:
    def __init__(self, options):
        self.options, self.url = options, urllib.parse.urlsplit(options.url)
        self.random = random.Random(options.seed)
        bodies = [pathlib.Path(p).read_bytes() for p in options.pictures or [ROOT / "assets/demo/upper-hands-up.jpg"]]
        encode = lambda body: encoded(self.url, options.path, body, options.token)
        self.good = [encode(body) for body in bodies]
        self.bad = [encode(corrupted(self.random.choice(bodies), self.random)) for _ in range(64)] if options.corrupt else []
        self.statuses, self.latencies, self.latencies_ok = collections.Counter(), [], []
        self.sent = 0

    async def next_request(self):
        """The bytes of one, when it is due; None once there are enough."""
        enough = self.options.requests and self.sent >= self.options.requests
        if enough or (self.options.seconds and time.perf_counter() - self.start >= self.options.seconds):
            return None
        self.sent += 1
        if self.options.rate:
            await asyncio.sleep(self.start + self.sent / self.options.rate - time.perf_counter())
        return self.random.choice(self.bad if self.random.random() < self.options.corrupt else self.good)

    async def ask(self, reader, writer, request):
        """The status, and whether the connection may be used again."""
        writer.write(request)
        await writer.drain()
        head = b"HTTP/1.1 100"
        while head.startswith(b"HTTP/1.1 100"):
            head = await reader.readuntil(b"\r\n\r\n")
        headers = head.lower()
        at = headers.index(b"content-length:")
        await reader.readexactly(int(headers[at + 15:headers.index(b"\r\n", at)]))
        return int(head[9:12]), b"connection: close" not in headers

    async def client(self):
        writer = None
        while (request := await self.next_request()) is not None:
            began = time.perf_counter()
            try:
                if writer is None:
                    tls = ssl._create_unverified_context() if self.url.scheme == "https" else None
                    reader, writer = await asyncio.open_connection(self.url.hostname, self.url.port, ssl=tls, limit=1 << 20)
                status, stays = await asyncio.wait_for(self.ask(reader, writer, request), self.options.timeout)
            except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError) as error:
                status, stays = type(error).__name__, False
            taken = 1000 * (time.perf_counter() - began)
            self.statuses[str(status)] += 1
            self.latencies.append(taken)
            if status == 200:
                self.latencies_ok.append(taken)
            if not stays and writer is not None:
                writer.close()
                writer = None
        if writer is not None:
            writer.close()

    async def run(self):
        self.start = time.perf_counter()
        await asyncio.gather(*(self.client() for _ in range(self.options.concurrency)))
        self.seconds = time.perf_counter() - self.start

    def report(self):
        return {"requests": len(self.latencies), "seconds": round(self.seconds, 3),
                "requests_per_second": round(len(self.latencies) / self.seconds, 1),
                "statuses": dict(sorted(self.statuses.items())),
                "latency_ms": quantiles(self.latencies), "latency_ok_ms": quantiles(self.latencies_ok)}


def quantiles(values):
    ordered = sorted(values)
    at = lambda share: round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3) if ordered else None
    return {"p50": at(0.5), "p90": at(0.9), "p99": at(0.99), "max": at(1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("pictures", nargs="*", help="sent in random order (default: the demo picture)")
    parser.add_argument("--path", default="/v1/track", help="with query")
    parser.add_argument("--concurrency", type=int, default=4)
    parser.add_argument("--rate", type=float, default=0, metavar="N",
                        help="requests a second, however slow the answers (give a --concurrency that is large enough)")
    parser.add_argument("--requests", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0, help="default 10, if --requests is not given")
    parser.add_argument("--corrupt", type=float, default=0, metavar="SHARE", help="of damaged pictures, 0 to 1")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one answer")
    parser.add_argument("--token", default="")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_intermixed_args()
    if not options.requests and not options.seconds:
        options.seconds = 10
    load = Load(options)
    asyncio.run(load.run())
    print(json.dumps(load.report()))
    return 0 if load.latencies else 1


if __name__ == "__main__":
    sys.exit(main())
