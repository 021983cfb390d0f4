"""Live sessions over WebSocket (docs/live.md), against the real program."""
import base64
import json
import os
import signal
import struct
import unittest

import holostat
import service
from websocket import CLOSE, Closed, Refused, WebSocket

DEMO = holostat.DEMO.read_bytes()
TWO = holostat.ROOT.parent / "shared/media/synth/two-people.jpg"


def frames_of(socket):
    """Messages of type frame, one after the other; notices and errors fail."""
    while True:
        message = socket.receive_json()
        assert message["type"] == "frame", message
        yield message


class LiveTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = service.Service("--complexity", "lite", "--workers", "2")
        cls.expected = holostat.track(holostat.DEMO, "--complexity", "lite")[0]

    @classmethod
    def tearDownClass(cls):
        cls.service.stop()

    def open(self, query="", **options):
        socket = WebSocket(self.service.port, "/v1/live?complexity=lite" + query, **options)
        self.addCleanup(socket.socket.close)
        ready = socket.receive_json()
        self.assertEqual(ready["type"], "ready")
        socket.ready = ready
        return socket

    def assertSamePose(self, document, expected, tolerance=1e-6):
        mine, theirs = (one["people"][0]["pose_landmarks"] for one in (document, expected))
        for a, b in zip(mine, theirs):
            for x, y in zip(a, b):
                self.assertAlmostEqual(x, y, delta=tolerance)

    def test_a_first_frame_is_tracked_as_a_picture_is(self):
        socket = self.open()
        socket.send_frame(DEMO, sequence=7, timestamp_us=40_000)
        message = next(frames_of(socket))
        self.assertEqual((message["sequence"], message["timestamp_ms"], message["dropped"]), (7, 40.0, 0))
        self.assertEqual(message["frame"]["schema"], "holostat.frame/1")
        self.assertSamePose(message["frame"], self.expected)
        self.assertGreater(message["timing_ms"]["infer"], 0)

    def test_options_come_from_the_query_and_by_message(self):
        socket = self.open("&refine_face=false")
        self.assertEqual(socket.ready["options"], {"complexity": "lite", "refine_face": False, "segmentation": False,
                                                   "people": 1, "output": "json"})
        socket.send_frame(DEMO)
        self.assertEqual(len(next(frames_of(socket))["frame"]["people"][0]["face_landmarks"]), 468)
        socket.send_json({"type": "options", "refine_face": True})
        self.assertTrue(socket.receive_json()["options"]["refine_face"])
        socket.send_frame(DEMO, timestamp_us=33_000)
        self.assertEqual(len(next(frames_of(socket))["frame"]["people"][0]["face_landmarks"]), 478)

    def test_people_are_as_many_as_asked_for_and_keep_their_ids(self):
        if not TWO.exists():
            self.skipTest("the shared media are not beside this checkout")
        socket = self.open("&people=2")
        self.assertEqual(socket.ready["options"]["people"], 2)
        picture = TWO.read_bytes()
        ids = []
        for sequence in range(6):
            if sequence in (2, 4):  # less, and more again
                socket.send_json({"type": "options", "people": 1 if sequence == 2 else 3})
                self.assertEqual(socket.receive_json()["type"], "ready")
            socket.send_frame(picture, sequence, timestamp_us=sequence * 40_000)
            ids.append([person["id"] for person in next(frames_of(socket))["frame"]["people"]])
        self.assertEqual(ids[:4], [[1, 2], [1, 2], [1], [1]])
        self.assertEqual(ids[5], [1, 2], "who left a moment ago is the same")

    def test_a_flood_of_frames_gets_the_newest_and_counts_the_others(self):
        socket = self.open()
        for sequence in range(60):
            socket.send_frame(DEMO, sequence, timestamp_us=sequence * 33_333)
        seen = []
        for message in frames_of(socket):
            seen.append(message["sequence"])
            if message["sequence"] == 59:
                break
        self.assertEqual(seen, sorted(seen))
        self.assertEqual(len(seen) + message["dropped"], 60)
        self.assertGreater(message["dropped"], 0)

    def test_raw_pixels_are_tracked_too(self):
        socket = self.open()
        width, height = 64, 48
        socket.send_frame(bytes(width * height * 3), kind=2, width=width, height=height)
        document = next(frames_of(socket))["frame"]
        self.assertEqual((document["image"], document["people"]), ({"width": width, "height": height}, []))

    def test_a_frame_that_is_no_picture_is_an_error_and_the_session_goes_on(self):
        socket = self.open()
        for picture, status in ((b"not a picture", 415), (DEMO[:2000], 422)):
            socket.send_frame(picture, sequence=3)
            message = socket.receive_json()
            self.assertEqual((message["type"], message["status"], message["sequence"]), ("error", status, 3))
        socket.send_frame(DEMO, sequence=4)
        self.assertEqual(next(frames_of(socket))["sequence"], 4)

    def assertCloses(self, socket, code):
        with self.assertRaises(Closed) as closed:
            for _ in range(100):
                socket.receive()
        self.assertEqual(closed.exception.code, code)

    def test_what_is_no_message_ends_the_session(self):
        for send in (lambda socket: socket.send_json({"type": "dance"}),
                     lambda socket: socket.send(1, b"{"),
                     lambda socket: socket.send(2, b"short"),
                     lambda socket: socket.send(2, b"\x09" + bytes(40)),
                     lambda socket: socket.send(1, b" " * 5000)):
            socket = self.open()
            send(socket)
            self.assertCloses(socket, 1008)

    def test_a_frame_that_is_too_large_ends_the_session(self):
        socket = self.open()
        try:
            for _ in range(40):
                socket.send(0 if _ else 2, bytes(1 << 20), final=False)
        except OSError:
            pass  # it has been closed meanwhile
        self.assertCloses(socket, 1009)

    def test_a_mask_is_drawn_when_it_is_asked_for(self):
        socket = self.open("&segmentation=true")
        socket.send_frame(DEMO)
        mask = next(frames_of(socket))["frame"]["people"][0]["segmentation"]
        self.assertTrue(base64.b64decode(mask["png"]).startswith(b"\x89PNG"))

    def test_binary_answers_have_the_same_numbers(self):
        socket = self.open("&output=binary")
        socket.send_frame(DEMO, sequence=9, timestamp_us=77)
        _, answer = socket.receive()
        self.assertEqual(struct.unpack_from("<BBHIqQ", answer), (1, 1, 0, 9, 77, 0))
        self.assertEqual(struct.unpack_from("<4sHHII", answer, 40), (b"HOLF", 1, 1, *(self.expected["image"][side]
                                                                                   for side in ("width", "height"))))
        person, pose = 40 + 32, self.expected["people"][0]["pose_landmarks"]
        self.assertEqual(struct.unpack_from("<III", answer, person + 16), (478, 21, 21))
        for index, point in enumerate(pose):
            for mine, wanted in zip(struct.unpack_from("<5f", answer, person + 32 + 20 * index), point):
                self.assertAlmostEqual(mine, wanted, delta=1e-6)

    def test_reset_is_taken(self):
        socket = self.open()
        socket.send_frame(DEMO, timestamp_us=0)
        next(frames_of(socket))
        socket.send_json({"type": "reset"})
        socket.send_frame(DEMO, sequence=1, timestamp_us=0)
        self.assertSamePose(next(frames_of(socket))["frame"], self.expected)

    def test_a_killed_worker_is_replaced_in_the_session(self):
        socket = self.open()
        socket.send_frame(DEMO)
        next(frames_of(socket))
        for process in self.service.status()["processes"]:
            if process["role"] == "worker":
                os.kill(process["pid"], signal.SIGKILL)
        socket.send_frame(DEMO, sequence=1, timestamp_us=33_000)
        notice = socket.receive_json()
        self.assertEqual((notice["type"], notice["reason"]), ("notice", "worker_replaced"))
        message = next(frames_of(socket))
        self.assertEqual(message["sequence"], 1)
        self.assertSamePose(message["frame"], self.expected)

    def test_a_client_that_goes_away_leaves_nothing(self):
        before = self.service.fds()
        for _ in range(20):
            socket = self.open()
            socket.send_frame(DEMO)
            socket.socket.close()
        holostat.wait_until(lambda: self.service.metric("holostat_live_sessions") == 0)
        holostat.wait_until(lambda: self.service.fds() <= before)

    def test_a_session_is_counted_when_it_has_ended(self):
        line = 'holostat_http_requests_total{route="/v1/live",status="101"}'
        count = lambda: int(([one.split()[-1] for one in self.service.get("/metrics").body.decode().splitlines()
                              if one.startswith(line)] or [0])[0])
        before = count()
        self.open().socket.close()
        holostat.wait_until(lambda: count() > before)

    def test_bad_options_in_the_query_refuse_the_upgrade(self):
        for query, name in (("complexity=huge", "complexity"), ("colour=red", "colour"), ("people=9", "people")):
            with self.assertRaises(Refused) as refused:
                WebSocket(self.service.port, "/v1/live?" + query)
            self.assertEqual(refused.exception.status, 400)
            self.assertIn(name, json.loads(refused.exception.body)["detail"])


class LiveLimitsTest(unittest.TestCase):
    def test_sessions_are_bounded_and_idle_ones_end(self):
        with service.Service("--complexity", "lite", "--workers", "1", "--max-live-sessions", "2",
                             "--live-idle-timeout", "0.5") as one:
            sockets = [WebSocket(one.port), WebSocket(one.port)]
            with self.assertRaises(Refused) as refused:
                WebSocket(one.port)
            self.assertEqual(refused.exception.status, 503)
            self.assertIn("retry-after:", refused.exception.head.lower())
            for socket in sockets:
                with self.assertRaises(Closed) as closed:
                    while True:
                        socket.receive()
                self.assertEqual(closed.exception.code, 4408)
            holostat.wait_until(lambda: one.metric("holostat_live_sessions") == 0)
            with WebSocket(one.port) as socket:
                self.assertEqual(socket.receive_json()["type"], "ready")

    def test_a_bad_frame_that_meets_our_goodbye_ends_the_session_all_the_same(self):
        with service.Service("--complexity", "lite", "--workers", "1", "--live-idle-timeout", "0.3") as one:
            before = one.fds()
            socket = WebSocket(one.port)
            self.addCleanup(socket.socket.close)
            while socket.frame()[0] != CLOSE:
                pass
            socket.send(3, b"no such opcode")
            holostat.wait_until(lambda: one.metric("holostat_live_sessions") == 0, seconds=10)
            holostat.wait_until(lambda: one.fds() <= before, seconds=10)

    def test_a_session_ends_though_its_client_never_closes(self):
        with service.Service("--complexity", "lite", "--workers", "1") as one:
            socket = WebSocket(one.port)
            self.addCleanup(socket.socket.close)
            socket.send(1, b"no message")
            holostat.wait_until(lambda: one.metric("holostat_live_sessions") == 0, seconds=10)

    def test_a_token_may_come_as_a_subprotocol(self):
        with service.Service("--complexity", "lite", "--workers", "1", token="open.sesame") as one:
            for headers in ([], ["Sec-WebSocket-Protocol: holostat.v1, holostat.bearer.d3Jvbmc"]):
                with self.assertRaises(Refused) as refused:
                    WebSocket(one.port, headers=headers)
                self.assertEqual(refused.exception.status, 401)
            offered = "Sec-WebSocket-Protocol: holostat.v1, holostat.bearer.b3Blbi5zZXNhbWU"
            with WebSocket(one.port, headers=[offered]) as socket:
                self.assertIn("sec-websocket-protocol: holostat.v1\r\n", socket.head.lower() + "\r\n")
                self.assertEqual(socket.receive_json()["type"], "ready")
            with WebSocket(one.port, headers=["Authorization: Bearer open.sesame"]) as socket:
                self.assertEqual(socket.receive_json()["type"], "ready")

    def test_sessions_are_told_when_the_server_goes_away(self):
        one = service.Service("--complexity", "lite", "--workers", "1")
        with WebSocket(one.port) as socket:
            socket.receive_json()
            one.process.send_signal(signal.SIGTERM)
            with self.assertRaises(Closed) as closed:
                socket.receive()
            self.assertEqual(closed.exception.code, 1001)
        one.stop()


if __name__ == "__main__":
    holostat.need_models()
    unittest.main()
