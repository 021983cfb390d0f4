#!/usr/bin/env python3
"""Time and memory of `holostat bench` and of PyPI mediapipe on one picture, in turn, in one run.

  build/golden-venv/bin/python tools/golden/compare_speed.py build/release/holostat assets/demo/upper-hands-up.jpg

mediapipe: legacy holistic solution, full model, face refinement, static_image_mode, as its users call it; one graph for all frames.
Prints the smallest and the median time a frame of each side over all rounds, CPU time a frame (mediapipe uses several threads),
private memory after the last frame, and the ratios.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

ROUNDS, FRAMES = 3, 20


def uss_mb():
    lines = pathlib.Path("/proc/self/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) * 1024 / 1e6


def peer(picture):
    """Child: FRAMES frames, result as JSON on the last line."""
    import mediapipe
    import numpy
    from PIL import Image
    rgb = numpy.ascontiguousarray(numpy.asarray(Image.open(picture).convert("RGB")))
    with mediapipe.solutions.holistic.Holistic(static_image_mode=True, model_complexity=1, refine_face_landmarks=True) as graph:
        found = graph.process(rgb)
        assert found.pose_landmarks and found.left_hand_landmarks and found.right_hand_landmarks
        times, cpu = [], time.process_time()
        for _ in range(FRAMES):
            start = time.perf_counter()
            graph.process(rgb)
            times.append(1000 * (time.perf_counter() - start))
        cpu = 1000 * (time.process_time() - cpu) / FRAMES
        return {"min": min(times), "p50": statistics.median(times), "cpu": cpu, "uss": uss_mb()}


def ours(binary, picture):
    done = subprocess.run([binary, "bench", "--json", "--picture", picture, "--frames", str(FRAMES)], stdout=subprocess.PIPE, check=True)
    report = json.loads(done.stdout)
    # One thread, so the time of a frame is its CPU time.
    return {"min": report["frame_ms"]["min"], "p50": report["frame_ms"]["p50"], "cpu": report["frame_ms"]["p50"], "uss": report["uss_bytes"] / 1e6}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("picture", type=pathlib.Path)
    parser.add_argument("--peer", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peer:
        print(json.dumps(peer(args.picture)))
        return 0
    rounds = {"holostat": [], "mediapipe": []}
    for _ in range(ROUNDS):
        rounds["holostat"].append(ours(args.binary, args.picture))
        child = subprocess.run([sys.executable, __file__, args.binary, args.picture, "--peer"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        rounds["mediapipe"].append(json.loads(child.stdout.splitlines()[-1]))
    best = {side: {k: min(r[k] for r in results) for k in results[0]} for side, results in rounds.items()}
    print(f"{'':12}{'min ms':>9}{'median ms':>11}{'CPU ms':>9}{'USS MB':>9}")
    for side, b in best.items():
        print(f"{side:12}{b['min']:>9.1f}{b['p50']:>11.1f}{b['cpu']:>9.1f}{b['uss']:>9.1f}")
    ratio = {k: best["mediapipe"][k] / best["holostat"][k] for k in best["holostat"]}
    print(f"{'ratio':12}{ratio['min']:>9.2f}{ratio['p50']:>11.2f}{ratio['cpu']:>9.2f}{ratio['uss']:>9.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
