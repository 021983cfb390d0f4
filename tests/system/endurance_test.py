"""A service under fire: its processes are killed, its workers leak, hang and crash, and no request is lost.

HOLOSTAT_KILLS sets how many times each kind of process is killed (default: few; 100 for the figures in the docs).
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time
import unittest

import holostat

CHAOS = os.environ["HOLOSTAT_CHAOS_BINARY"]
KILLS = int(os.environ.get("HOLOSTAT_KILLS", "2" if holostat.SANITIZED else "4"))


def soak(*args, program=CHAOS):
    command = [program, "soak", "--complexity", "lite", "--workers", "2", "--json", *map(str, args)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "HOLOSTAT_MODELS": str(holostat.MODELS)})


def finish(process, timeout=240):
    """The report, and what was said on stderr."""
    out, err = process.communicate(timeout=timeout)
    assert process.returncode == 0, f"exit {process.returncode}: {err[-3000:]}"
    return json.loads(out), err


def comm(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def family(supervisor):
    """Pids of the zygotes and workers of a supervisor: they have its number on the command line they were exec'd with."""
    mark = f"--supervisor\0{supervisor}\0".encode()
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if mark in (entry / "cmdline").read_bytes():
                found[int(entry.name)] = comm(entry.name)
        except OSError:
            pass  # it has just ended
    return found


def kill(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def is_under_way(process):
    """Whether it takes requests: from then on it takes SIGTERM for an order to finish."""
    try:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return True  # it has ended; whoever asks finds out
    blocked = next(line for line in status.splitlines() if line.startswith("SigBlk:")).split()[1]
    return bool(int(blocked, 16) & 1 << (signal.SIGTERM - 1))


def kill_under_load(process, choose, times, pause=(0.1, 0.4)):
    """Kills what `choose` picks of the family, again and again, while the service works, with a pause of so many seconds."""
    holostat.wait_until(lambda: is_under_way(process))
    done = 0
    while done < times:
        assert process.poll() is None, process.stderr.read()[-3000:]
        victims = choose(family(process.pid))
        if victims:
            kill(victims)
            done += 1
        time.sleep(random.uniform(*pause))


class EnduranceTest(unittest.TestCase):
    def assertNothingLost(self, report, err):
        self.assertEqual((report["lost"], report["wrong"]), (0, 0), err[-3000:])
        self.assertEqual(report["ok"], report["requests"])
        self.assertGreater(report["requests"], 0)
        self.assertIn("0 leaked", err)

    def survive(self, choose, **how):
        process = soak("--seconds", 3600, "--job-timeout", 20, "--queue-timeout", 60)  # on a machine that others use as well
        kill_under_load(process, choose, KILLS, **how)
        process.send_signal(signal.SIGTERM)
        report, err = finish(process)
        self.assertNothingLost(report, err)
        self.assertEqual(family(process.pid), {})
        return report

    def test_a_killed_zygote_is_replaced(self):
        report = self.survive(lambda all: [pid for pid, name in all.items() if name == "holo-zygote"])
        self.assertGreaterEqual(report["status"]["totals"]["zygote_restarts"], KILLS)

    def test_a_killed_worker_is_replaced(self):
        self.survive(lambda all: [pid for pid, name in all.items() if name.startswith("holo-worker")][:1])

    def test_all_workers_killed_at_once_are_replaced(self):
        self.survive(lambda all: [pid for pid, name in all.items() if name.startswith("holo-worker")])

    def test_everything_killed_at_once_is_replaced(self):
        # Faster than it can load and answer, a service serves nobody.
        is_up = lambda all: any(name.startswith("holo-worker") for name in all.values())
        self.survive(lambda all: list(all) if is_up(all) else [], pause=(0.5, 1.5))

    def test_a_killed_supervisor_leaves_nothing_behind(self):
        for _ in range(KILLS):
            process = soak("--seconds", 3600)
            holostat.wait_until(lambda: len(family(process.pid)) >= 3)
            time.sleep(random.uniform(0, 0.5))
            process.kill()
            process.communicate()
            holostat.wait_until(lambda: not family(process.pid), seconds=10)

    def test_no_request_is_lost_to_any_fault(self):
        chaos = ",".join(f"{fault}=0.02" for fault in ("crash", "abort", "exit:3", "hang", "spin", "garbage", "nonsense",
                                                       "die-answering", "die-answered", "fdleak:3", "leak:1MB")
                         ).replace(":3=0.02", "=0.02:3").replace(":1MB=0.02", "=0.02:1MB")
        timeout = 6 if holostat.SANITIZED else 2  # under the 10 s that a request may wait in the queue
        report, err = finish(soak("--requests", 300, "--chaos", chaos, "--job-timeout", timeout))
        self.assertNothingLost(report, err)
        self.assertGreater(report["status"]["totals"]["retried"], 0)

    def test_a_reload_loses_nothing(self):
        process = soak("--seconds", 3600)
        holostat.wait_until(lambda: is_under_way(process))
        before = set(family(process.pid))
        process.send_signal(signal.SIGHUP)
        holostat.wait_until(lambda: not before & set(family(process.pid)))
        process.send_signal(signal.SIGTERM)
        report, err = finish(process)
        self.assertNothingLost(report, err)
        self.assertEqual(report["status"]["totals"]["retried"], 0)

    @unittest.skipIf(holostat.SANITIZED, "a sanitizer's heap has no profiler, and its memory is no measure")
    def test_a_leak_is_flagged_and_named_and_without_one_there_is_no_alarm(self):
        leaking, err = finish(soak("--requests", 500, "--no-govern", "--chaos", "leak=0.2:1MB"))
        self.assertGreater(leaking["status"]["totals"]["leak_alarms"], 0, err[-3000:])
        self.assertIn("LeakMemory", err)
        clean, err = finish(soak("--requests", 500, "--no-govern"))
        self.assertEqual(clean["status"]["totals"]["leak_alarms"], 0, err[-3000:])

    def test_the_release_program_has_no_faults_in_it(self):
        process = soak("--requests", 1, "--chaos", "crash=1", program=holostat.BINARY)
        self.assertEqual(process.wait(60), 2)
        self.assertIn("holostat-chaos", process.communicate()[1])


if __name__ == "__main__":
    holostat.need_models()
    random.seed(1)
    unittest.main(argv=sys.argv)
