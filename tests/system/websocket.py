"""A small WebSocket client (RFC 6455) for the tests of live sessions: blocking, with a deadline for every read."""
import base64
import hashlib
import json
import os
import socket
import struct

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
ACCEPT_KEY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, section 1.3


class Refused(Exception):
    """The server answered the upgrade with another status."""

    def __init__(self, status, head, body):
        super().__init__(f"{status}: {body[:200]!r}")
        self.status, self.head, self.body = status, head, body


class Closed(Exception):
    def __init__(self, code, reason):
        super().__init__(f"closed: {code} {reason}")
        self.code, self.reason = code, reason


def frame_header(picture_kind, sequence, timestamp_us, width=0, height=0):
    """The header of docs/live.md."""
    return struct.pack("<BBHIIIq", 1, picture_kind, 0, sequence, width, height, timestamp_us)


class WebSocket:
    def __init__(self, port, path="/v1/live", headers=(), timeout=20, context=None):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if context is not None:
            self.socket = context.wrap_socket(self.socket, server_hostname="localhost")
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", "Host: localhost", "Upgrade: websocket", "Connection: Upgrade",
                 f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", *headers, "", ""]
        self.socket.sendall("\r\n".join(lines).encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        self.head = head.decode()
        status = int(self.head.split()[1])
        if status != 101:
            raise Refused(status, self.head, self.buffer)
        expected = base64.b64encode(hashlib.sha1((key + ACCEPT_KEY).encode()).digest()).decode()
        assert f"Sec-WebSocket-Accept: {expected}".lower() in self.head.lower(), self.head

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def _more(self):
        piece = self.socket.recv(1 << 16)
        if not piece:
            raise ConnectionError("the server closed the connection without a close frame")
        self.buffer += piece

    def _take(self, count):
        while len(self.buffer) < count:
            self._more()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def send(self, opcode, payload, final=True):
        mask = os.urandom(4)
        length = len(payload)
        if length < 126:
            head = struct.pack("!BB", final << 7 | opcode, 0x80 | length)
        elif length < 1 << 16:
            head = struct.pack("!BBH", final << 7 | opcode, 0x80 | 126, length)
        else:
            head = struct.pack("!BBQ", final << 7 | opcode, 0x80 | 127, length)
        key = int.from_bytes((mask * (length // 4 + 1))[:length], "big")
        masked = (int.from_bytes(payload, "big") ^ key).to_bytes(length, "big")
        self.socket.sendall(head + mask + masked)

    def send_json(self, message):
        self.send(TEXT, json.dumps(message).encode())

    def send_frame(self, picture, sequence=0, timestamp_us=0, kind=1, width=0, height=0):
        self.send(BINARY, frame_header(kind, sequence, timestamp_us, width, height) + picture)

    def frame(self):
        """(opcode, whether it ends its message, payload) of what comes next, unanswered."""
        first, second = self._take(2)
        length = second & 0x7F
        if length == 126:
            length, = struct.unpack("!H", self._take(2))
        elif length == 127:
            length, = struct.unpack("!Q", self._take(8))
        return first & 0x0F, bool(first & 0x80), self._take(length)

    def receive(self):
        """(opcode, payload) of the next whole message; pings are answered."""
        message, kind = b"", None
        while True:
            opcode, is_last, payload = self.frame()
            if opcode == PING:
                self.send(PONG, payload)
            elif opcode == CLOSE:
                code = struct.unpack("!H", payload[:2])[0] if payload else 1005
                self.send(CLOSE, payload[:2])
                raise Closed(code, payload[2:].decode())
            elif opcode != PONG:
                kind = kind or opcode
                message += payload
                if is_last:
                    return kind, message

    def receive_json(self):
        kind, payload = self.receive()
        assert kind == TEXT, f"binary message of {len(payload)} bytes"
        return json.loads(payload)

    def close(self, code=1000):
        self.send(CLOSE, struct.pack("!H", code))
