#!/usr/bin/env python3
"""How well several people are followed through clips whose ground truth is known (../shared/media/synth): who is found, who keeps their id.

  tools/people_clips.py [--people N] [--media DIR] [CLIP ...]      default: all clips that have a truth

Takes the program from HOLOSTAT_BINARY (default build/release/holostat). For each clip one line of JSON. "visible" counts a person in a
frame when at least half of nose, shoulders, hips are seen; found is who lies within a third of the torso of the truth. A switch is
a person found under another id than when they were found last. "strangers" are people found where the truth has none.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = os.environ.get("HOLOSTAT_BINARY", str(ROOT / "build" / "release" / "holostat"))
JOINTS = {0: "nose", 11: "left_shoulder", 12: "right_shoulder", 23: "left_hip", 24: "right_hip"}
SEEN = len(JOINTS) / 2  # of them
NEAR = 1 / 3  # of the torso


def middle(points, *names):
    return [sum(points[name]["px"][i] for name in names) / len(names) for i in (0, 1)]


def torso(points):
    return math.dist(middle(points, "left_shoulder", "right_shoulder"), middle(points, "left_hip", "right_hip"))


def is_visible(points):
    return sum(points[name]["vis"] >= 0 for name in JOINTS.values()) > SEEN


def is_in_picture(points):
    return any(points[name]["vis"] != -2 for name in JOINTS.values())


def distance(person, points, image):
    """Mean over the joints, in torsos."""
    total = sum(math.dist((person["pose_landmarks"][i][0] * image["width"], person["pose_landmarks"][i][1] * image["height"]),
                          points[name]["px"]) for i, name in JOINTS.items())
    return total / len(JOINTS) / max(torso(points), 1)


def matches(frame, truth):
    """{name of a person of the truth: person found}, the nearest pairs first, and who is left over."""
    pairs = sorted((distance(person, one["points"], frame["image"]), one["person"], k)
                   for k, person in enumerate(frame["people"]) for one in truth if is_in_picture(one["points"]))
    found, used = {}, set()
    for apart, name, k in pairs:
        if apart < NEAR and name not in found and k not in used:
            found[name] = frame["people"][k]
            used.add(k)
    return found, [person for k, person in enumerate(frame["people"]) if k not in used]


def judge(frames, truth):
    last, report = {}, {"frames": len(frames), "visible": 0, "found": 0, "switches": [], "strangers": 0, "ids": set()}
    for i, (frame, data) in enumerate(zip(frames, truth["data"])):
        found, strangers = matches(frame, data["persons"])
        report["strangers"] += len(strangers)
        report["ids"].update(person["id"] for person in frame["people"])
        for one in data["persons"]:
            if is_visible(one["points"]):
                report["visible"] += 1
                report["found"] += one["person"] in found
        for name, person in found.items():
            if last.setdefault(name, person["id"]) != person["id"]:
                report["switches"].append([i, name, last[name], person["id"]])
            last[name] = person["id"]
    return report | {"ids": sorted(report["ids"])}


def track(clip, *options):
    done = subprocess.run([BINARY, "track", str(clip), "--quiet", *options], stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", nargs="*")
    parser.add_argument("--people", type=int, default=3)
    parser.add_argument("--media", type=pathlib.Path, default=ROOT.parent / "shared" / "media" / "synth")
    parser.add_argument("--save", type=pathlib.Path, help="folder for the frames found, a .jsonl a clip")
    args = parser.parse_args()
    for name in args.clips or sorted(file.name for file in args.media.glob("*.mp4")):
        truth = json.loads((args.media / "truth" / (name + ".json")).read_text())
        frames = track(args.media / name, "--people", str(args.people))
        if args.save:
            (args.save / (name + ".jsonl")).write_text("".join(json.dumps(frame) + "\n" for frame in frames))
        print(json.dumps({"clip": name, "people": args.people} | judge(frames, truth)), flush=True)


if __name__ == "__main__":
    main()
