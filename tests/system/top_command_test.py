#!/usr/bin/env python3
"""holostat top from outside: on a terminal and in a pipe, against a service that this test plays."""
import fcntl
import json
import os
import pathlib
import pty
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import unittest

import holostat

ALONE = "HOLOSTAT_TEST_ALONE"  # set when no other service of this machine can be seen
ENTER, LEAVE = b"\x1b[?1049h\x1b[?25l", b"\x1b[?25h\x1b[?1049l"
STATUS = {
    "uptime_s": 100.0,
    "processes": [{"role": "worker", "id": 7, "pid": 11, "state": "busy", "generation": 1, "age_s": 90.0, "requests": 500,
                   "uss_bytes": 9 << 20, "pss_bytes": 20 << 20, "rss_bytes": 99 << 20, "fds": 8, "growth": "plateau"}],
    "totals": {"requests": 1000, "ok": 990, "client_errors": 4, "retried": 3, "failed": 2, "leak_alarms": 1,
               "worker_exits": {"recycled": 1, "crashed": 2, "hung": 3, "over_budget": 4, "leak": 5}},
    "memory": {"service_pss_bytes": 90 << 20, "budget_bytes": 180 << 20, "level": "normal"},
    "events": [{"uptime_s": 33.5, "text": "worker 2 (pid 9) crashed: signal 11; replaced in 11 ms"}],
}


class Service:
    """The door of src/runtime/control_server.h, in this process."""

    def __init__(self, answer):
        self.answer = answer
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"\0holostat/{os.getpid()}")
        self.listener.listen(16)
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with client:
                if client.recv(1024) == b"status\n":
                    client.sendall(self.answer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.listener.close()


def status_answer(status=STATUS):
    body = json.dumps(status).encode()
    return b"ok %d\n%s" % (len(body), body)


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, *args, size=(30, 100), environment=None):
        self.shown = b""
        self.side, self.inner = pty.openpty()
        self.resize(*size)
        self.modes = termios.tcgetattr(self.inner)
        self.process = subprocess.Popen(
            [holostat.BINARY, "top", *args], stdin=self.inner, stdout=self.inner, stderr=self.inner, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env={**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", **(environment or {})})

    def resize(self, rows, columns):
        fcntl.ioctl(self.inner, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self):
        while select.select([self.side], [], [], 0)[0]:
            self.shown += os.read(self.side, 65536)
        return self.shown

    def wait_for(self, text):
        holostat.wait_until(lambda: text in self.read() or self.process.poll() is not None)

    def press(self, keys):
        os.write(self.side, keys)

    def end(self):
        """Waits for it; its exit code."""
        holostat.wait_until(lambda: self.read() is not None and self.process.poll() is not None)
        self.read()
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.side)
        os.close(self.inner)


class OnATerminal(unittest.TestCase):
    def assert_restored(self, terminal):
        self.assertEqual(terminal.shown.count(ENTER), terminal.shown.count(LEAVE))
        self.assertGreater(terminal.shown.rfind(LEAVE), terminal.shown.rfind(b"holostat"), "nothing is drawn after it")
        self.assertEqual(termios.tcgetattr(terminal.inner), terminal.modes)

    def show(self, *args, **kwargs):
        terminal = Terminal("--pid", str(os.getpid()), "--interval", "0.1", *args, **kwargs)
        terminal.wait_for(b"requests")
        return terminal

    def test_q_leaves_and_restores_the_terminal(self):
        with Service(status_answer()), self.show() as terminal:
            self.assertNotEqual(termios.tcgetattr(terminal.inner), terminal.modes, "keys come without Enter")
            terminal.press(b"xq")
            self.assertEqual(terminal.end(), 0)
            self.assert_restored(terminal)

    def test_ctrl_c_leaves_and_restores_the_terminal(self):
        with Service(status_answer()), self.show() as terminal:
            terminal.press(b"\x03")
            self.assertEqual(terminal.end(), 0)
            self.assert_restored(terminal)

    def test_signals_end_it_once_the_terminal_is_restored(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            with self.subTest(number), Service(status_answer()), self.show() as terminal:
                terminal.process.send_signal(number)
                self.assertEqual(terminal.end(), -number)
                self.assert_restored(terminal)

    def test_ctrl_z_gives_the_terminal_back_until_it_goes_on(self):
        with Service(status_answer()), self.show() as terminal:
            terminal.press(b"\x1a")
            terminal.wait_for(LEAVE)
            stat = pathlib.Path(f"/proc/{terminal.process.pid}/stat")
            holostat.wait_until(lambda: stat.read_text().split()[2] == "T")
            self.assertEqual(termios.tcgetattr(terminal.inner), terminal.modes)
            terminal.process.send_signal(signal.SIGCONT)
            holostat.wait_until(lambda: terminal.read().count(ENTER) == 2)
            terminal.press(b"q")
            self.assertEqual(terminal.end(), 0)
            self.assert_restored(terminal)

    def test_fits_the_window_and_follows_its_size(self):
        with Service(status_answer()), self.show(size=(12, 40)) as terminal:
            before = len(terminal.read())
            terminal.resize(8, 30)
            holostat.wait_until(lambda: terminal.read()[before:].count(b"\x1b[H") >= 3)
            frame = terminal.read().split(b"\x1b[H")[-2].decode().replace("\r", "")
            lines = frame.replace("\x1b[K", "").replace("\x1b[J", "").split("\n")
            self.assertLessEqual(len(lines), 8)
            for line in lines:
                for style in ("0m", "1m", "7m", "1;33m", "1;31m"):
                    line = line.replace("\x1b[" + style, "")
                self.assertLessEqual(len(line), 30)
            terminal.press(b"q")
            terminal.end()

    def test_goes_on_when_the_service_does_not_answer_and_when_it_is_back(self):
        service = Service(status_answer())
        with self.show() as terminal:
            service.__exit__()
            terminal.wait_for(b"no answer")
            with Service(status_answer()):
                before = len(terminal.read())
                holostat.wait_until(lambda: b"q: leave\x1b[0m" in terminal.read()[before:])
            terminal.press(b"q")
            self.assertEqual(terminal.end(), 0)
            self.assert_restored(terminal)

    def test_uses_no_colour_when_asked_not_to(self):
        status = json.loads(json.dumps(STATUS))
        status["memory"]["level"] = "refuse"
        for environment, coloured in ({}, True), ({"NO_COLOR": "1"}, False):
            with Service(status_answer(status)), self.show(environment=environment) as terminal:
                self.assertEqual(b"\x1b[1;33m" in terminal.read(), coloured)

    def test_touches_no_terminal_when_there_is_nothing_to_show(self):
        with Terminal("--pid", str(os.getpid())) as terminal:
            self.assertEqual(terminal.end(), 3)
            self.assertNotIn(b"\x1b", terminal.shown)

    def test_is_plain_text_on_a_dumb_terminal(self):
        with Service(status_answer()), self.show(environment={"TERM": "dumb"}) as terminal:
            self.assertNotIn(b"\x1b", terminal.read())


class InAPipe(unittest.TestCase):
    def top(self, *args):
        return holostat.run("top", "--pid", os.getpid(), *args)

    def test_once_prints_plain_text(self):
        with Service(status_answer()):
            done = self.top("--once")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = done.stdout.decode()
        self.assertNotIn("\x1b", text)
        for part in ("up 0:01:40", "requests  1000   10.0/s", "90.0 MB of 180.0 MB", "crashed 2", "worker", "plateau", "replaced in 11 ms"):
            self.assertIn(part, text)

    def test_json_prints_the_status_as_it_came(self):
        with Service(status_answer()):
            done = self.top("--once", "--json")
        self.assertEqual(json.loads(done.stdout), STATUS)
        self.assertEqual(done.stdout.count(b"\n"), 1)

    def test_prints_a_view_each_interval_as_it_comes(self):
        with Service(status_answer()):
            process = subprocess.Popen([holostat.BINARY, "top", "--pid", str(os.getpid()), "--json", "--interval", "0.1"],
                                       stdout=subprocess.PIPE)
            for _ in range(3):
                self.assertEqual(json.loads(process.stdout.readline()), STATUS)
            process.stdout.close()
            self.assertIn(process.wait(60), (0, 1, -signal.SIGPIPE))

    def test_says_what_the_service_answered_instead(self):
        for answer, part in ((b"error overloaded 8\ntoo many", b"too many"), (b"ok 9\nno", b"cut off"), (b"HTTP/1.1 200 OK\n", b"not an answer"),
                             (b"ok 2\n{}", b"status"), (b"", b"cut off")):
            with self.subTest(answer), Service(answer):
                done = self.top("--once")
                self.assertEqual(done.returncode, 3)
                self.assertIn(part, done.stderr)
                self.assertEqual(done.stdout, b"")

    def test_has_bounds_for_its_options(self):
        for args in (("--pid", "0"), ("--pid", "x"), ("--interval", "0"), ("--interval", "nan"), ("--nonsense",)):
            self.assertEqual(holostat.run("top", "--once", *args).returncode, 2, args)


@unittest.skipUnless(os.environ.get(ALONE), "needs a network namespace of its own")
class FindsTheService(unittest.TestCase):
    def play_another(self):
        play = "import sys, top_command_test as t\nwith t.Service(t.status_answer()):\n print('up', flush=True)\n sys.stdin.read()"
        other = subprocess.Popen([sys.executable, "-c", play], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 cwd=os.path.dirname(os.path.abspath(__file__)))
        other.stdout.readline()
        return other

    def test_with_a_supervisor_among_several(self):
        status = json.loads(json.dumps(STATUS))
        status["processes"].append({**status["processes"][0], "role": "supervisor"})
        other = self.play_another()
        try:
            with Service(status_answer(status)):
                done = holostat.run("top", "--once")
            self.assertIn(f"holostat {os.getpid()} ", done.stdout.decode())
        finally:
            other.communicate()

    def test_by_itself_when_there_is_one(self):
        with Service(status_answer()):
            done = holostat.run("top", "--once")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"holostat {os.getpid()} ", done.stdout.decode())

    def test_and_says_so_when_there_is_none(self):
        done = holostat.run("top", "--once")
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"no service", done.stderr)

    def test_and_asks_which_when_there_are_several(self):
        other = self.play_another()
        try:
            with Service(status_answer()):
                done = holostat.run("top", "--once")
            self.assertEqual(done.returncode, 2)
            for pid in (os.getpid(), other.pid):
                self.assertIn(str(pid), done.stderr.decode())
            self.assertEqual(holostat.run("top", "--once").returncode, 0, "the other one is alone now")
        finally:
            other.communicate()

    def test_among_processes_that_do_not_tell_their_status(self):
        with Service(b"error invalid_argument 2\nno"):
            done = holostat.run("top", "--once")
        self.assertEqual(done.returncode, 3)
        self.assertIn(f"process {os.getpid()}: no", done.stderr.decode())


if __name__ == "__main__":
    # Abstract sockets belong to a network namespace: in a new one no other service is seen.
    if ALONE not in os.environ and subprocess.run(["unshare", "--net", "true"], stderr=subprocess.DEVNULL).returncode == 0:
        os.environ[ALONE] = "1"
        os.execvp("unshare", ["unshare", "--net", sys.executable, *sys.argv])
    unittest.main()
