#!/usr/bin/env python3
"""What clients do to `holostat serve`: refused, survived, and nothing of it kept."""
import http.client
import json
import os
import pathlib
import random
import signal
import socket
import struct
import time
import unittest

import holostat
from service import Service

PICTURE = holostat.DEMO.read_bytes()
POST = b"POST /v1/track?complexity=full HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(PICTURE)

TWO = holostat.ROOT.parent / "shared/media/synth/two-people.jpg"

CLIENTS = int(os.environ.get("HOLOSTAT_CLIENTS", "200"))  # that leave

SMUGGLING = [
    b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
    b"Content-Length: 4\r\nContent-Length: 5\r\n", b"Content-Length: 4, 4\r\n", b"Content-Length: +4\r\n",
    b"Content-Length : 4\r\n", b"Content-Length: 4\r\n folded: x\r\n", b"X: a\nContent-Length: 4\r\n",
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", b"Host: b\r\nContent-Length: 4\r\n",
    b"X: \0\r\nContent-Length: 4\r\n",
]


def matches(document, schema, value):
    """What of JSON Schema our document uses."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "null": type(None)}
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(isinstance(value, kinds[one]) and not isinstance(value, bool) for one in types):
        return False
    if "const" in schema and value != schema["const"] or "minimum" in schema and value < schema["minimum"]:
        return False
    if "anyOf" in schema and not any(matches(document, one, value) for one in schema["anyOf"]):
        return False
    if "not" in schema and matches(document, schema["not"], value):
        return False
    if isinstance(value, dict):
        return all(name in value for name in schema.get("required", [])) and all(
            matches(document, inner, value[name]) for name, inner in schema.get("properties", {}).items() if name in value)
    if isinstance(value, list):
        return schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)) and all(
            matches(document, schema.get("items", {}), item) for item in value)
    return True


class HttpTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service("--workers", "1")

    @classmethod
    def tearDownClass(cls):
        cls.service.stop()

    def connect(self, data=b""):
        client = socket.create_connection(("127.0.0.1", self.service.port), timeout=30)
        client.sendall(data)
        return client

    def say(self, data):
        """All that is answered until the server closes."""
        with self.connect(data) as client:
            answer = b""
            while part := client.recv(65536):
                answer += part
            return answer

    def post(self, path, body, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=60)
        try:
            connection.request("POST", path, body, headers or {})
            answer = connection.getresponse()
            answer.body = answer.read()
            return answer
        finally:
            connection.close()

    def assert_well(self):
        answer = self.post("/v1/track", PICTURE)
        self.assertEqual(answer.status, 200)
        self.assertEqual(len(json.loads(answer.body)["people"]), 1)

    def test_smuggled_requests_are_refused_and_nothing_behind_them_is_answered(self):
        for fields in SMUGGLING:
            with self.subTest(fields=fields):
                answer = self.say(b"POST /v1/track HTTP/1.1\r\nHost: a\r\n" + fields +
                                  b"\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                self.assertTrue(answer.startswith(b"HTTP/1.1 400"), answer[:80])
                self.assertEqual(answer.count(b"HTTP/1.1 "), 1)
        self.assert_well()

    def test_as_many_people_are_found_as_asked_for(self):
        if not TWO.exists():
            self.skipTest("the shared media are not beside this checkout")
        for query, found in (("", 1), ("?people=1", 1), ("?people=2", 2), ("?people=8&segmentation=true", 2)):
            with self.subTest(query=query):
                answer = self.post("/v1/track" + query, TWO.read_bytes())
                self.assertEqual(answer.status, 200, answer.body)
                self.assertEqual([person["id"] for person in json.loads(answer.body)["people"]], [1, 2][:found])
        answer = self.post("/v1/track?people=9", PICTURE)
        self.assertEqual(answer.status, 400)
        self.assertIn("people", json.loads(answer.body)["detail"])

    def test_answers_are_what_openapi_says(self):
        document = json.loads(self.service.get("/openapi.json").body)
        schema = {"$ref": "#/components/schemas/Tracked"}
        answer = self.post("/v1/track", PICTURE)
        frame = json.loads(answer.body)
        self.assertEqual(frame["schema"], "holostat.frame/1")
        self.assertTrue(matches(document, schema, frame))
        del frame["people"][0]["pose_landmarks"]
        self.assertFalse(matches(document, schema, frame))
        form = b"".join(b'--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n' + one + b"\r\n"
                        for one in (PICTURE, b"none")) + b"--b--"
        batch = json.loads(self.post("/v1/track", form, {"Content-Type": "multipart/form-data; boundary=b"}).body)
        self.assertTrue(matches(document, schema, batch))
        self.assertEqual([one["frame"] for one in batch], [0, 1])
        self.assertEqual(batch[1]["status"], 415)
        status = json.loads(self.service.get("/v1/status").body)
        self.assertTrue(matches(document, {"$ref": "#/components/schemas/Status"}, status))

    def test_clients_that_leave_keep_nothing(self):
        self.assert_well()
        fds = self.service.fds()
        for i in range(CLIENTS):
            client = self.connect(POST + (PICTURE if i % 2 else PICTURE[:random.randrange(len(PICTURE))]))
            if i % 4 < 2:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if i % 8 == 7:
                time.sleep(0.01)  # into the middle of the inference
            client.close()
        holostat.wait_until(lambda: self.service.fds() <= fds)
        self.assert_well()
        totals = self.service.status()["totals"]
        exits = {why: count for why, count in totals["worker_exits"].items() if why != "recycled"}  # for another test's model
        self.assertEqual(sum(exits.values()), 0, totals)

    def test_a_zygote_that_comes_later_holds_no_socket_of_ours(self):
        with Service("--complexity", "lite", "--workers", "1") as service:
            zygotes = lambda: {one["pid"] for one in service.status()["processes"] if one["role"] == "zygote"} - {0}
            before = zygotes()
            with socket.create_connection(("127.0.0.1", service.port), 20) as client:
                client.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                client.recv(65536)
                service.process.send_signal(signal.SIGHUP)
                holostat.wait_until(lambda: zygotes() - before)
                new = (zygotes() - before).pop()
                fds = [os.readlink(one) for one in pathlib.Path(f"/proc/{new}/fd").iterdir()]
                self.assertLessEqual(sum("socket:" in one for one in fds), 1, fds)  # its own, to us

    def test_a_client_that_says_no_more_as_its_answer_comes_gets_it(self):
        def pid_of_worker(state):
            return next((one["pid"] for one in self.service.status()["processes"]
                         if one["role"] == "worker" and one["state"] == state), None)
        holostat.wait_until(lambda: pid_of_worker("idle"))
        worker = pid_of_worker("idle")
        os.kill(worker, signal.SIGSTOP)
        with self.connect(POST.replace(b"Host: a", b"Host: a\r\nConnection: close") + PICTURE) as client:
            holostat.wait_until(lambda: pid_of_worker("busy") == worker)
            # Both wait for the server when it looks again, the answer first.
            os.kill(self.service.process.pid, signal.SIGSTOP)
            os.kill(worker, signal.SIGCONT)
            holostat.wait_until(lambda: holostat.is_asleep(worker))
            client.shutdown(socket.SHUT_WR)
            os.kill(self.service.process.pid, signal.SIGCONT)
            answer = b""
            while part := client.recv(65536):
                answer += part
        self.assertIn(b"HTTP/1.1 200", answer)

    def test_slow_and_idle_clients_hold_up_nobody(self):
        idle = [self.connect() for _ in range(500)]
        slow = [self.connect(b"GET /healthz HT") for _ in range(30)]
        try:
            took = []
            for i in range(20):
                slow[i].sendall(b"T")
                started = time.monotonic()
                self.assertEqual(self.service.get("/healthz").status, 200)
                took.append(time.monotonic() - started)
            print(f"/healthz beside 500 idle and 30 slow clients: median {sorted(took)[10] * 1000:.1f} ms")
            self.assert_well()
        finally:
            for client in idle + slow:
                client.close()

    def test_floods_of_headers_and_long_targets_are_refused(self):
        flood = b"".join(b"X-%d: aaaaaaaaaaaaaaaaaaaa\r\n" % i for i in range(2000))
        self.assertTrue(self.say(b"GET /healthz HTTP/1.1\r\nHost: a\r\n" + flood + b"\r\n").startswith(b"HTTP/1.1 431"))
        self.assertTrue(self.say(b"GET /" + b"a" * 5000 + b" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                        .startswith(b"HTTP/1.1 414"))
        for path in (b"/../../etc/passwd", b"/%2e%2e/%2e%2e/etc/passwd", b"//etc/passwd", b"/assets/..%2f..%2f"):
            self.assertTrue(self.say(b"GET " + path + b" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                            .startswith(b"HTTP/1.1 404"), path)

    def test_chunks_of_one_byte_are_a_picture_too(self):
        body = b"".join(b"1\r\n%c\r\n" % byte for byte in PICTURE) + b"0\r\n\r\n"
        answer = self.say(b"POST /v1/track HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
        self.assertTrue(answer.startswith(b"HTTP/1.1 200"), answer[:200])


if __name__ == "__main__":
    holostat.need_models()
    unittest.main()
