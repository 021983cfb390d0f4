#!/usr/bin/env python3
"""Builds the web page of web/ with Vite into a folder, if its sources changed since the last time.

    tools/build_page.py [--to build/web]

The npm client fetches what package-lock.json names (once; into web/node_modules). All presets share the built page, so
one build at a time goes on; the others wait and find it done. Standard library only.
"""
import argparse
import fcntl
import hashlib
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
NOT_SOURCES = {"node_modules", "test"}
HOW_TO_GET_NODE = "the web page needs Node.js 18 or newer with npm (Debian: apt-get install nodejs npm; or ./dev setup)"


def sources():
    """What the page is made of."""
    own = [p for p in WEB.rglob("*") if p.is_file() and NOT_SOURCES.isdisjoint(p.relative_to(WEB).parts)]
    return sorted(own) + [ROOT / "assets/demo/upper-hands-up.jpg"]


def digest(files):
    total = hashlib.sha256()
    for path in files:
        total.update(f"{path.relative_to(ROOT)}\n{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


def run(*command):
    done = subprocess.run(command, cwd=WEB, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"build_page: '{' '.join(command)}' failed\n{done.stdout.strip()}")


def install_tools(packages=WEB):
    """node_modules as the lock file has it; `npm ci` only when that is not so yet."""
    stamp = packages / "node_modules/.holostat-stamp"
    wanted = digest([packages / "package-lock.json"])
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    run("npm", "ci", "--prefix", str(packages), "--no-audit", "--no-fund", "--fetch-retries=3")
    stamp.write_text(wanted)


def build(to):
    stamp = to.with_name(to.name + ".stamp")
    wanted = digest(sources())
    if stamp.is_file() and stamp.read_text() == wanted and (to / "index.html").is_file():
        return
    if shutil.which("npm") is None:
        sys.exit(f"build_page: {HOW_TO_GET_NODE}")
    stamp.unlink(missing_ok=True)
    install_tools()
    run("npm", "run", "--silent", "build", "--", "--outDir", str(to), "--emptyOutDir")
    stamp.write_text(wanted)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--to", type=pathlib.Path, default=ROOT / "build/web")
    to = parser.parse_args().to.resolve()
    to.parent.mkdir(parents=True, exist_ok=True)
    with open(to.with_name(to.name + ".lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        build(to)


if __name__ == "__main__":
    main()
