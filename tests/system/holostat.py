"""Shared by the system tests: the program under test, its models, and a run with a limit on memory and time."""
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = os.environ["HOLOSTAT_BINARY"]
SANITIZED = bool(os.environ.get("HOLOSTAT_SANITIZE"))
MODELS = ROOT / "build/models"
DEMO = ROOT / "assets/demo/upper-hands-up.jpg"


def need_models():
    if not (MODELS / "pose_detection.tflite").exists():
        print("SKIPPED: no models in build/models; run ./dev setup")
        sys.exit(77)


def run(*args, stdin=None, env=None, cwd=None, timeout=120):
    """Runs the program; its `peak_rss_bytes` are of all children so far, at most."""
    environment = {**os.environ, "HOLOSTAT_MODELS": str(MODELS), **(env or {})}
    done = subprocess.run([BINARY, *map(str, args)], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=environment, cwd=cwd, timeout=timeout)
    done.peak_rss_bytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    return done


def track(*args, **kwargs):
    """The frame documents that `track` prints."""
    done = run("track", *args, **kwargs)
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr.decode(errors='replace')}"
    return [json.loads(line) for line in done.stdout.splitlines()]


def is_blocked_in_read(pid):
    """Whether the process waits in a read of its standard input."""
    try:
        call = pathlib.Path(f"/proc/{pid}/syscall").read_text().split()
    except OSError:
        return False
    return call[:2] == ["0", "0x0"] and pathlib.Path(f"/proc/{pid}/stat").read_text().split()[2] == "S"


def is_asleep(pid, seconds=0.3):
    """Whether the process does nothing for so long."""
    def used():
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return fields[0], fields[11], fields[12]  # state, user and system time
    before = used()
    time.sleep(seconds)
    return before[0] == "S" and used() == before


def wait_until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("what was waited for did not happen")
        time.sleep(0.02)
