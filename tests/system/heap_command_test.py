#!/usr/bin/env python3
"""`holostat heap` from outside: names what leaks, and nothing when nothing does."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import holostat

LEAKER = os.environ["HOLOSTAT_HEAP_LEAKER"]
SOURCE = holostat.ROOT / "tests/children/heap_leaker.cc"
LEAK_LINE = next(n for n, line in enumerate(SOURCE.read_text().splitlines(), 1) if "// the leak" in line)


class Leaker:
    """A process that leaks, or does not."""

    def __init__(self, mode):
        self.process = subprocess.Popen([LEAKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdout.readline() == b"ready\n"
        self.process.stdin.write(mode.encode() + b"\n")
        self.process.stdin.flush()
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def kill(self):
        self.process.kill()
        self.process.wait()

    def __exit__(self, *_):
        self.kill()
        self.process.stdin.close()
        self.process.stdout.close()


def heap(*args, **kwargs):
    return holostat.run("heap", *args, **kwargs)


def report(*args):
    done = heap(*args, "--json")
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


class WrongCalls(unittest.TestCase):
    def test_a_process_that_is_none_is_an_error(self):
        done = heap("top", "--pid", 2**22 + 1)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"holostat: ", done.stderr)

    def test_a_file_that_is_no_snapshot_is_an_error(self):
        self.assertEqual(heap("show", SOURCE).returncode, 3)
        self.assertIn(b"heap_leaker.cc", heap("diff", SOURCE, SOURCE).stderr)
        self.assertEqual(heap("show", "/nonexistent").returncode, 3)

    def test_usage_errors(self):
        self.assertEqual(heap().returncode, 2)
        self.assertEqual(heap("diff", "one").returncode, 2)
        self.assertEqual(heap("top", "--worker", "1", "--zygote").returncode, 2)
        self.assertEqual(heap("snapshot").returncode, 2)

    def test_a_worker_of_a_process_without_any_is_an_error(self):
        with Leaker("give") as leaker:
            done = heap("top", "--pid", leaker.pid, "--worker", 1)
            self.assertEqual(done.returncode, 2)
            self.assertIn(b"no workers", done.stderr)

    @unittest.skipUnless(holostat.SANITIZED, "of sanitizer builds")
    def test_without_a_profiler_it_says_so(self):
        with Leaker("leak") as leaker:
            done = heap("top", "--pid", leaker.pid, "--seconds", "0.1")
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"allocator", done.stderr)


@unittest.skipIf(holostat.SANITIZED, "a sanitizer's allocator has no profiler")
class Reports(unittest.TestCase):
    def assert_names_the_leak(self, found):
        site = found["sites"][0]
        self.assertTrue(site["function"].endswith("LeakHere"), site)
        self.assertTrue(site["file"].endswith("tests/children/heap_leaker.cc"), site)
        self.assertEqual(site["line"], LEAK_LINE)
        self.assertGreater(site["bytes"] / found["bytes"], 0.9)

    def test_top_names_what_leaks_with_its_rate(self):
        with Leaker("leak") as leaker:
            found = report("top", "--pid", leaker.pid, "--seconds", 1)
        self.assert_names_the_leak(found)
        self.assertEqual(found["process"], "leaker")
        self.assertGreater(found["sites"][0]["bytes_per_minute"], 0)

    def test_top_is_silent_about_what_gives_back(self):
        with Leaker("give") as leaker:
            done = heap("top", "--pid", leaker.pid, "--seconds", 1)
        self.assertEqual(done.returncode, 0)
        self.assertNotIn(b"GiveBackHere", done.stdout)
        self.assertNotIn(b"LeakHere", done.stdout)

    def test_snapshots_are_compared_after_the_process_was_killed(self):
        with tempfile.TemporaryDirectory() as folder:
            first, second = (pathlib.Path(folder) / name for name in ("a.heap", "b.heap"))
            with Leaker("leak") as leaker:
                done = heap("snapshot", "--pid", leaker.pid, "-o", first)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(b"sampling begins", done.stderr)
                holostat.wait_until(lambda: heap("snapshot", "--pid", leaker.pid, "-o", second).returncode == 0
                                    and report("show", second)["sites"])
                leaker.kill()
            self.assert_names_the_leak(report("show", second))
            self.assert_names_the_leak(report("diff", first, second))
            text = heap("diff", first, second).stdout.decode()
            self.assertRegex(text, rf"LeakHere \(tests/children/heap_leaker.cc:{LEAK_LINE}\)")

    def test_a_command_that_works_can_be_looked_at(self):
        holostat.need_models()
        environment = {**os.environ, "HOLOSTAT_MODELS": str(holostat.MODELS)}
        track = subprocess.Popen([holostat.BINARY, "track", "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, env=environment)
        try:
            holostat.wait_until(lambda: holostat.is_blocked_in_read(track.pid))
            found = report("top", "--pid", track.pid, "--seconds", "0.2")
            self.assertEqual(found["process"], "track")
            self.assertEqual(heap("stop", "--pid", track.pid).returncode, 0)
        finally:
            track.kill()
            track.wait()
            track.stdin.close()


if __name__ == "__main__":
    unittest.main(verbosity=2)
