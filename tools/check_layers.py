#!/usr/bin/env python3
"""Check that includes only go downward (HACKING.md, "Map"): exit 1 and a line for each that does not.

  tools/check_layers.py [--root DIR]

Each module names what it may include. A public header belongs to the module that implements it. System and library
headers are free, but for those that only one module, or one folder of it, may see.
"""
import argparse
import pathlib
import re
import sys

ALLOWED = {  # module: modules of ours it may include (itself always)
    "base": set(),
    "media": {"base"},
    "engine": {"base"},
    "vision": {"base", "media", "engine"},
    "render": {"base", "media", "vision"},
    "exporter": {"base", "vision"},
    "pipeline": {"base", "media", "engine", "vision", "render", "exporter"},
    "ipc": {"base"},
    "runtime": {"base", "ipc"},
    "server": {"base", "ipc", "runtime"},
    "app": {"base", "media", "engine", "vision", "render", "exporter", "pipeline", "ipc", "runtime", "server"},
}
PUBLIC = {  # include/holostat/<name>: the module whose contract it is
    "api.h": "base", "result.h": "base", "image.h": "base", "picture.h": "media",
    "frame_result.h": "vision", "holistic_tracker.h": "vision",
}
ONLY_IN = {"xnnpack.h": {"engine"}, "pthreadpool.h": {"engine"}, "flatbuffers/": {"engine"}, "CLI/": {"app"},
           "boost/": {"server"}, "toml++/": {"app"}, "prometheus/": {"server"}, "jemalloc/": {"base"}, "seccomp.h": {"runtime"}, "elfutils/": {"runtime"},
           "jpeglib.h": {"media"}, "png.h": {"media"}, "gif_lib.h": {"media"}, "webp/": {"media"},
           "libav": {"media/av"}, "libsw": {"media/av"}}
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')


def module_of(path, root):
    parts = path.relative_to(root).parts
    if parts[0] == "src":
        return parts[1] if len(parts) > 2 else None
    return PUBLIC.get(parts[-1])


def fault_of(name, quoted, module, folder, test, root):
    """What is wrong with including `name` from `module`, where `folder` of src/ lies in it, or None."""
    for prefix, owners in ONLY_IN.items():
        if name.startswith(prefix) and not owners & {module, folder} and not test:
            return f"only {', '.join(sorted(owners))} may include it"
    if name.startswith("holostat/"):
        target = PUBLIC.get(name.split("/", 1)[1])
        if target is None:
            return "unknown public header; name it in tools/check_layers.py"
    elif quoted and name.split("/")[0] in ALLOWED:
        target = name.split("/")[0]
    elif quoted and "/" not in name and (root / "src" / module / name).exists():
        return "write it relative to src/"
    else:
        return None
    if target != module and target not in ALLOWED[module]:
        return f"{module} may not include {target}"
    return None


def faults_in(path, root):
    module = module_of(path, root)
    if module not in ALLOWED:
        yield f"{path.relative_to(root)}: not in a known module; name it in tools/check_layers.py"
        return
    folder = path.parent.relative_to(root).as_posix().removeprefix("src/")
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        fault = match and fault_of(match.group(2), match.group(1) == '"', module, folder, path.stem.endswith("_test"), root)
        if fault:
            yield f"{path.relative_to(root)}:{number}: {match.group(2)}: {fault}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root.resolve()
    files = sorted(p for folder in ("src", "include") for p in (root / folder).rglob("*") if p.suffix in (".h", ".cc"))
    faults = [fault for path in files for fault in faults_in(path, root)]
    for fault in faults:
        print(fault)
    print(f"check_layers: {len(files)} files, {len(faults)} faults")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
