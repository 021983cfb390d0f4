#!/usr/bin/env python3
"""Sends a running `holostat serve` what no honest client would, and fails when it minds: when it dies, a sanitizer speaks,
a worker ends, an answer is a 5xx other than 503, a descriptor stays, or /healthz waits. The same seed sends the same bytes;
what meets what is up to the machine.

    HOLOSTAT_SANITIZE=1 HOLOSTAT_BINARY=build/dev/holostat tools/fuzz_server.py --seconds 600 --seed 1
"""
import argparse
import collections
import pathlib
import random
import re
import socket
import struct
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/system"))
import holostat  # noqa: E402
from service import Service  # noqa: E402
from websocket import Refused, WebSocket, frame_header  # noqa: E402

THREADS = 6
HEALTH_SECONDS = 5  # under sanitizers, beside other programs
PICTURE = holostat.DEMO.read_bytes()
BAD_ANSWER = re.compile(rb'HTTP/1\.1 5(?!03)\d\d|"type":"error","status":5(?!03)\d\d')
FORM = b'--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n%s\r\n--b--\r\n'


def request(line, fields=b"", body=b""):
    return line + b" HTTP/1.1\r\nHost: a\r\n" + fields + b"\r\n" + body


def with_length(target, body, fields=b""):
    return request(b"POST " + target, fields + b"Content-Length: %d\r\n" % len(body), body)


def chunked(body, size):
    parts = [body[i:i + size] for i in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


SEEDS = [
    with_length(b"/v1/track?complexity=lite", PICTURE),
    with_length(b"/v1/track?complexity=lite&format=svg&refine_face=false", PICTURE[:3000]),
    with_length(b"/v1/track?complexity=lite", b"GIF89a" + bytes(40), b"Expect: 100-continue\r\n"),
    with_length(b"/v1/track?complexity=lite", FORM % PICTURE, b"Content-Type: multipart/form-data; boundary=b\r\n"),
    request(b"POST /v1/track?complexity=lite", b"Transfer-Encoding: chunked\r\n", chunked(PICTURE, 700)),
    request(b"POST /v1/track", b"Transfer-Encoding: chunked\r\n", chunked(PICTURE[:600], 1)),
    request(b"GET /healthz") + request(b"GET /v1/status") + request(b"HEAD /"),
    request(b"GET /", b"Accept-Encoding: gzip\r\nIf-None-Match: \"x\"\r\nOrigin: http://a\r\n"),
    request(b"OPTIONS *"), request(b"GET /metrics"), request(b"GET /openapi.json"), request(b"GET /v1/events"),
    request(b"GET /v1/live?complexity=lite", b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: holostat.v1, holostat.bearer.eA\r\n"),
]
WORDS = [
    b"Content-Length: 4\r\n", b"Content-Length: 99999999999999999999\r\n", b"Content-Length: -1\r\n", b"Content-Length : 4\r\n",
    b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: gzip, chunked\r\n", b"Transfer-Encoding:\x0bchunked\r\n",
    b"Host: b\r\n", b" folded\r\n", b"Connection: close\r\n", b"Expect: 100-continue\r\n", b"X-Request-Id: \xff\xfe\r\n",
    b"X: " + b"a" * 20000 + b"\r\n", b"a: b\r\n" * 120, b"\r\n\r\n", b"\n", b"\r", b"\0", b" ", b"\t", b"ffffffffffffffff\r\n",
    b"0\r\n\r\n", b"-1\r\n", b"5;x=\"y\r\n", b"HTTP/2.0", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01",
    b"%00", b"/../", b"%2e%2e%2f", b"&people=9", b"?format=\xff", b"--b", b"--b--", b"http://[::1", b"\xed\xa0\x80",
]
TEXTS = [b'{"type":"reset"}', b'{"type":"options","complexity":"lite"}', b'{"type":"options","output":"binary"}', b"[" * 5000,
         b'{"type":', b"\xff\xfe", b"\xed\xa0\x80", b'{"type":"options","complexity":1e999}', b""]


def mutate(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice([0, 1, 1, 1, 2, 4])):
        # Mostly in the head: most of a body is the picture decoders', which have a fuzzer of their own.
        end = len(data) if rng.random() < 0.3 else min(len(data), 400)
        at = rng.randrange(end + 1)
        kind = rng.randrange(6)
        if kind == 0 and at < len(data):
            data[at] = rng.randrange(256)
        elif kind == 1:
            del data[at:at + rng.choice([1, 2, 8, 64])]
        elif kind == 2:
            data[at:at] = data[at:at + rng.choice([1, 8, 64])] * rng.choice([1, 2, 30])
        elif kind == 3:
            line = data.find(b"\r\n", at)  # where a field can stand
            at = line + 2 if line >= 0 and rng.random() < 0.7 else at
            data[at:at] = rng.choice(WORDS)
        elif kind == 4:
            del data[at:]
        else:
            data[at:at] = rng.choice(SEEDS)[:rng.choice([40, 200, 4000])]
    return bytes(data)


def frame(rng, opcode, payload, final=True):
    """A frame, one in five of them wrong."""
    first, length, mask = final << 7 | opcode, len(payload), 0x80
    wrong = rng.randrange(20)
    if wrong == 0:
        first |= rng.choice([0x10, 0x20, 0x40])
    elif wrong == 1:
        mask = 0
    elif wrong == 2:
        length = rng.choice([0, 125, 126, 65535, 65536, 1 << 31, (1 << 63) - 1, (1 << 64) - 1])
    elif wrong == 3:
        first = rng.randrange(256)
    if length < 126 and rng.random() < 0.9:
        head = struct.pack("!BB", first, mask | length)
    elif length < 1 << 16 and rng.random() < 0.9:
        head = struct.pack("!BBH", first, mask | 126, length)
    else:
        head = struct.pack("!BBQ", first, mask | 127, length)
    return head + (bytes(4) + payload if mask else payload)  # a mask of zeros changes nothing


def message(rng):
    """A message of a live session, whole or in parts, with control frames between them."""
    kind = rng.randrange(8)
    if kind < 3:
        picture = mutate(rng, PICTURE) if rng.random() < 0.3 else PICTURE
        size = rng.choice([(0, 0, 1), (0, 0, 1), (16, 16, 2), (1 << 31, 1 << 31, 3)])
        payload = frame_header(size[2], rng.randrange(1 << 32), rng.randrange(-1 << 63, 1 << 63), size[0], size[1])
        payload += picture if size[2] == 1 else bytes(rng.choice([768, 1024, 5]))
        opcode = 2
    elif kind < 6:
        payload, opcode = mutate(rng, rng.choice(TEXTS)) if rng.random() < 0.5 else rng.choice(TEXTS), 1
    elif kind == 6:
        return frame(rng, rng.choice([9, 10]), bytes(rng.choice([0, 1, 125, 126])))
    else:
        code = rng.choice([0, 999, 1000, 1004, 1005, 1006, 1015, 2999, 3000, 4999, 65535])
        return frame(rng, 8, rng.choice([b"", b"\x03", struct.pack("!H", code), struct.pack("!H", code) + b"\xff"]))
    if rng.random() < 0.6:
        return frame(rng, opcode, payload)
    cut = rng.randrange(len(payload) + 1)
    between = frame(rng, rng.choice([9, 10]), b"x") if rng.random() < 0.5 else b""
    return frame(rng, opcode, payload[:cut], final=False) + between + frame(rng, 0, payload[cut:])


class Fuzzer:
    def __init__(self, service, seed):
        self.service, self.seed = service, seed
        self.counts = collections.Counter()
        self.findings = []
        self.stop = threading.Event()

    def run(self, number):
        rng = random.Random(self.seed * 1000 + number)
        while not self.stop.is_set():
            case = self.websocket_case if rng.random() < 0.3 else self.http_case
            try:
                case(rng)
            except OSError:  # closed or reset by the server, or nothing said in time: its right
                self.counts["ended by the server"] += 1
            except Refused as refusal:
                self.note(refusal.head.encode() + refusal.body, b"an upgrade")

    def note(self, answer, sent):
        for status in re.findall(rb"HTTP/1\.1 (\d\d\d) ", answer):
            self.counts[status.decode()] += 1
        if bad := BAD_ANSWER.search(answer):
            self.findings.append(f"{sent!r} was answered {answer[bad.start():bad.start() + 600]!r}")

    def http_case(self, rng):
        data = b"".join(mutate(rng, rng.choice(SEEDS)) for _ in range(rng.choice([1, 1, 1, 3])))
        with socket.create_connection(("127.0.0.1", self.service.port), timeout=2) as client:
            self.counts["connections"] += 1
            self.send(rng, client, data)
            self.leave(rng, client, b"", data)

    def websocket_case(self, rng):
        with WebSocket(self.service.port, "/v1/live?complexity=lite", timeout=5) as client:
            self.counts["live sessions"] += 1
            sent = b"".join(message(rng) for _ in range(rng.choice([0, 1, 3, 10])))
            self.send(rng, client.socket, sent)
            self.leave(rng, client.socket, client.buffer, sent)

    def send(self, rng, client, data):
        cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.choice([0, 0, 1, 5, 40])))
        for begin, end in zip([0, *cuts], [*cuts, len(data)]):
            client.sendall(data[begin:end])
            if rng.random() < 0.02:
                time.sleep(rng.choice([0, 0.001, 0.02]))

    def leave(self, rng, client, answer, sent):
        """Reads all, a part or nothing of the answer, and goes in one of the ways there are."""
        way = rng.randrange(4)
        if way == 0:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if way == 1:
            client.shutdown(socket.SHUT_WR)
        client.settimeout(0.3)
        try:
            while way != 0 and len(answer) < 1 << 20 and (part := client.recv(1 << 16)):
                answer += part
        except OSError:
            pass  # it has said all it will, or reset: what came before is looked at all the same
        self.note(answer, sent)


def check_health(service, findings):
    started = time.monotonic()
    try:
        status = service.get("/healthz").status
        took = time.monotonic() - started
        if status != 200 or took > HEALTH_SECONDS:
            findings.append(f"/healthz: {status} after {took:.1f} s")
    except OSError as error:
        findings.append(f"/healthz: {error}")


def fuzz(seconds, seed):
    service = Service("--complexity", "lite", "--workers", "1")
    holostat.wait_until(lambda: service.get("/v1/status").status == 200)
    fds = service.fds()
    fuzzer = Fuzzer(service, seed)
    threads = [threading.Thread(target=fuzzer.run, args=(i,)) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    until = time.monotonic() + seconds
    while time.monotonic() < until and not fuzzer.findings and service.process.poll() is None:
        check_health(service, fuzzer.findings)
        time.sleep(0.2)
    fuzzer.stop.set()
    for thread in threads:
        thread.join()
    findings = fuzzer.findings
    if service.process.poll() is None:
        try:
            holostat.wait_until(lambda: service.fds() <= fds and service.metric("holostat_live_sessions") == 0)
        except TimeoutError:
            findings.append(f"{service.fds()} descriptors are open, before it were {fds}; "
                            f"{service.metric('holostat_live_sessions'):.0f} live sessions have no client")
        # Another model that is asked for is loaded by new workers: those before it are "recycled".
        exits = {cause: count for cause, count in service.status()["totals"]["worker_exits"].items()
                 if cause != "recycled" and not (holostat.SANITIZED and cause == "over_budget")}
        if any(exits.values()):
            findings.append(f"workers ended: {exits}")
    try:
        service.stop()
    except AssertionError as error:
        findings.append(str(error))
    said = "".join(service.errors)
    if "Sanitizer" in said or "runtime error:" in said:
        findings.append(said[-8000:])
    return findings, fuzzer.counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    holostat.need_models()
    findings, counts = fuzz(arguments.seconds, arguments.seed)
    print(f"seed {arguments.seed}: " + ", ".join(f"{name}: {count}" for name, count in sorted(counts.items())))
    for finding in findings[:5]:
        print("FOUND:", finding[:20000])
    if not findings and not (counts["200"] and counts["400"] and counts["live sessions"]):
        findings = ["nothing was tried"]
        print("FOUND: neither good nor bad requests, or no live sessions, came through")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
