"""A service in a control group of 256 MB, where a neighbour takes more and more of it, and then goes.

HOLOSTAT_SQUEEZE_SECONDS sets how long the service runs undisturbed first (default: few).
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
import unittest

import holostat

UNDISTURBED = float(os.environ.get("HOLOSTAT_SQUEEZE_SECONDS", "8"))
LIMIT = 256 << 20
LADDER = ["normal", "trim", "unload", "lighter", "recycle", "refuse", "restart"]
LEVEL = re.compile(r"memory level (\w+) -> (\w+): (.*)")

# Holds as many MB as the last line of its input says, and says when it does.
NEIGHBOUR = """
import mmap, sys
held = []
for line in sys.stdin:
    while len(held) > int(line):
        held.pop().close()
    while len(held) < int(line):
        held.append(mmap.mmap(-1, 1 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
        held[-1].write(bytes([1]) * (1 << 20))
    print(len(held), flush=True)
"""


class MemoryGroup:
    """A control group of ours, of either version."""

    def __init__(self):
        first = pathlib.Path("/sys/fs/cgroup/memory")
        self.is_v1 = (first / "memory.limit_in_bytes").exists()
        self.folder = (first if self.is_v1 else first.parent) / f"holostat-squeeze-{os.getpid()}"
        self.folder.mkdir()
        if not self.limit(LIMIT):
            self.folder.rmdir()
            raise OSError("a group without a limit")

    def file(self, v1, v2):
        return self.folder / (v1 if self.is_v1 else v2)

    def limit(self, limit):
        """False when the kernel does not take it: as it does when more than that is in use."""
        try:
            self.file("memory.limit_in_bytes", "memory.max").write_text(str(limit))
        except OSError:
            return False
        return True

    def enter(self):
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def used(self):
        """As docs/governor.md says: without page cache that the kernel drops at once."""
        stat = dict(line.split() for line in (self.folder / "memory.stat").read_text().splitlines())
        droppable = int(stat.get("total_inactive_file" if self.is_v1 else "inactive_file", 0))
        return int(self.file("memory.usage_in_bytes", "memory.current").read_text()) - droppable

    def oom_kills(self):
        lines = self.file("memory.oom_control", "memory.events").read_text().splitlines()
        return int(dict(line.split() for line in lines)["oom_kill"])

    def remove(self):
        def gone():
            try:
                self.folder.rmdir()
            except OSError:
                return False
            return True
        holostat.wait_until(gone)


class Neighbour:
    def __init__(self, group):
        self.process = subprocess.Popen([sys.executable, "-c", NEIGHBOUR], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, preexec_fn=group.enter)
        self.held_mb = 0

    def hold(self, megabytes):
        self.held_mb = max(0, megabytes)
        self.process.stdin.write(f"{self.held_mb}\n")
        self.process.stdin.flush()
        self.process.stdout.readline()

    def end(self):
        self.process.kill()
        self.process.communicate()


class Service:
    """A soak; its events are read as they come."""

    def __init__(self, *args, enter=None):
        command = [holostat.BINARY, "soak", "--workers", "2", "--json", *map(str, args)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        preexec_fn=enter,
                                        env={**os.environ, "HOLOSTAT_MODELS": str(holostat.MODELS)})
        self.lines = []
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stderr))
        self.reader.start()

    def said(self):
        return "".join(self.lines)

    def levels(self):
        """The changes of level so far: (from, to)."""
        found = [LEVEL.search(line) for line in list(self.lines)]
        return [match.group(1, 2) for match in found if match]

    def reached(self, level):
        assert self.process.poll() is None, self.said()[-3000:]
        return any(to == level for _, to in self.levels())

    def is_at_least(self, level):
        assert self.process.poll() is None, self.said()[-3000:]
        return any(LADDER.index(to) >= LADDER.index(level) for _, to in self.levels())

    def end(self):
        """The report."""
        self.process.send_signal(signal.SIGTERM)
        out = self.process.stdout.read()
        self.process.wait(60)
        self.reader.join()
        assert self.process.returncode == 0, self.said()[-3000:]
        return json.loads(out)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()


def is_up(change):
    return LADDER.index(change[1]) > LADDER.index(change[0])


class SqueezeTest(unittest.TestCase):
    def make_group(self):
        group = MemoryGroup()
        self.addCleanup(group.remove)
        return group

    def start(self, *args, enter=None):
        service = Service("--seconds", 3600, *args, enter=enter)
        self.addCleanup(service.kill)
        return service

    def assertNothingLost(self, service, report):
        self.assertEqual((report["lost"], report["wrong"]), (0, 0), service.said()[-3000:])
        self.assertGreater(report["ok"], 0)
        self.assertEqual(report["status"]["totals"]["failed"], 0, service.said()[-3000:])
        self.assertIn("0 leaked", service.said())

    def squeeze(self, group, neighbour, service, level, share):
        """Keeps the group that full until the service has noticed."""
        deadline = time.monotonic() + 60
        while not service.reached(level):
            self.assertLess(time.monotonic(), deadline, f"never at {level}:\n{service.said()[-3000:]}")
            missing = int(share * LIMIT) - group.used()
            neighbour.hold(neighbour.held_mb + missing // (1 << 20))
            time.sleep(0.05)

    def test_it_gives_up_quality_step_by_step_and_takes_it_back(self):
        group = self.make_group()
        service = self.start(enter=group.enter)
        time.sleep(UNDISTURBED)
        self.assertEqual(service.levels(), [], "256 MB are enough")
        neighbour = Neighbour(group)
        self.addCleanup(neighbour.end)
        for level, share in (("trim", 0.83), ("unload", 0.87), ("lighter", 0.90), ("recycle", 0.93), ("refuse", 0.96)):
            self.squeeze(group, neighbour, service, level, share)
        kills = group.oom_kills()
        up = service.levels()
        self.assertEqual([to for _, to in up[:3]], LADDER[1:4], service.said())
        neighbour.hold(0)
        holostat.wait_until(lambda: service.levels()[-1][1] == "normal")
        down = service.levels()[len(up):]
        time.sleep(2)
        report = service.end()
        self.assertFalse([change for change in down if is_up(change)], "no way up without pressure")
        self.assertEqual(service.levels()[-1][1], "normal", "and it stays there")
        self.assertNothingLost(service, report)
        self.assertGreater(report.get("lighter", 1), 0)
        totals = report["status"]["totals"]
        self.assertEqual(totals["zygote_restarts"], 0, service.said())
        self.assertGreater(totals["refused"], 0)
        self.assertGreater(totals["worker_exits"]["over_budget"], 0, "at least one was recycled")
        print(f"{service.said()}OOM kills: {kills}, requests: {report['requests']}, lighter: {report.get('lighter')}",
              file=sys.stderr)

    def test_the_kernel_takes_workers_and_no_request_is_lost(self):
        group = self.make_group()
        service = self.start("--no-govern", enter=group.enter)
        holostat.wait_until(lambda: service.said())
        time.sleep(2)
        # As little as it takes: the kernel chooses by size, and is not to choose the neighbour.
        self.assertTrue(group.limit(group.used() + (32 << 20)))
        neighbour = Neighbour(group)
        self.addCleanup(neighbour.end)
        for kills in range(1, 6):
            deadline = time.monotonic() + 60
            while group.oom_kills() < kills:
                self.assertLess(time.monotonic(), deadline, "the kernel killed nobody")
                neighbour.hold(neighbour.held_mb + 1)
            neighbour.hold(0)
            time.sleep(1)
        report = service.end()
        self.assertNothingLost(service, report)
        totals = report["status"]["totals"]
        self.assertGreater(totals["retried"], 0)
        self.assertEqual(totals["zygote_restarts"], 0, service.said())
        self.assertIn("killed by the kernel: out of memory", service.said())

    def test_a_budget_that_is_too_small_costs_no_request_that_was_accepted(self):
        ample = self.start("--budget-mb", 256)
        time.sleep(UNDISTURBED)
        report = ample.end()
        self.assertEqual(ample.levels(), [])
        self.assertNothingLost(ample, report)
        self.assertLess(report.get("peak_service_pss_bytes", report.get("peak_pss_bytes")), LIMIT)

        needed = report["status"]["memory"]["service_pss_bytes"]
        scarce = self.start("--budget-mb", round(needed / 0.93 / (1 << 20)))
        holostat.wait_until(lambda: scarce.is_at_least("lighter"))
        time.sleep(UNDISTURBED)
        report = scarce.end()
        self.assertNothingLost(scarce, report)
        self.assertGreater(report.get("lighter", 1), 0)


def need_control_groups():
    try:
        MemoryGroup().remove()
    except OSError as error:
        print(f"SKIPPED: no control group can be made here: {error}")
        sys.exit(77)


if __name__ == "__main__":
    holostat.need_models()
    need_control_groups()
    unittest.main(argv=sys.argv)
