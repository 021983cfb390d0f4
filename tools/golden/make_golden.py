#!/usr/bin/env python3
"""Write what PyPI mediapipe finds in the pictures of a media folder, in the layout of that folder's golden/*.json.

  make_golden.py --media ../shared/media --models build/models --out build/golden-pypi

Runs the legacy solution `holistic` (CPU graph, static_image_mode) once a run and picture, each time with a fresh graph, because the
hand and face regions of the picture before would otherwise leak into the next one. `regions` of a run, not in that layout, are the
crops of the models: x centre, y centre, width, height in fractions, turn in radians.

Default: every model comes from --models, so the result shows what the peer's *code* does with the models Holostat uses.
--stock: the wheel's own models, with only the two it does not carry (pose lite and heavy) taken from --models.
--pixel-centres: samples crops as the web package does (pixel_centres.py); no masks then.
--as-installed: leaves a bug of the Python API in (peer.keep_heatmap_options).
--clips: the .mp4 files instead, followed frame by frame at their own times, with and without smoothing.
--noise SEED: adds -1, 0 or 1 grey level to every sample first, to see how far the models themselves move.

The golden files of the media folder, where there are any, say which RGB pixels were used; decoding to others is an error.
"""
import argparse
import fractions
import hashlib
import importlib.metadata
import json
import pathlib
import sys
import tempfile

import cv2
import numpy as np
from PIL import Image

import peer
import pixel_centres

RUNS = {
    "cpu_c1_refine": {"model_complexity": 1, "refine_face_landmarks": True, "enable_segmentation": True},
    "cpu_c1_norefine": {"model_complexity": 1, "refine_face_landmarks": False},
    "cpu_c0_refine": {"model_complexity": 0, "refine_face_landmarks": True},
    "cpu_c2_refine": {"model_complexity": 2, "refine_face_landmarks": True},
}
CLIP_RUNS = {
    "cpu_c1_refine_smooth": {"model_complexity": 1, "refine_face_landmarks": True, "smooth_landmarks": True},
    "cpu_c1_refine_nosmooth": {"model_complexity": 1, "refine_face_landmarks": True, "smooth_landmarks": False},
}
MASK_RUN = "cpu_c1_refine"
PICTURES = {".jpg", ".jpeg", ".png"}


def read_rgb(path, golden):
    with Image.open(path) as picture:
        rgb = np.ascontiguousarray(np.asarray(picture.convert("RGB")))
    digest = hashlib.sha256(rgb.tobytes()).hexdigest()
    if golden.exists() and digest != json.loads(golden.read_text())["rgb24Sha256"]:
        raise SystemExit(f"{path.name}: decodes to other pixels than the golden file was made from ({digest})")
    return rgb, digest


def with_noise(rgb, seed):
    noise = np.random.default_rng(seed).integers(-1, 2, rgb.shape)
    return np.clip(rgb.astype(int) + noise, 0, 255).astype(np.uint8)


def describe(args):
    how = ["own models" if args.stock else "given models"]
    how += ["as installed"] if args.as_installed else []
    how += ["pixel-centre sampling"] if args.pixel_centres else []
    how += [f"noise {args.noise}"] if args.noise is not None else []
    return f"PyPI mediapipe {importlib.metadata.version('mediapipe')}, {', '.join(how)}"


def write_golden(path, args, models):
    rgb, digest = read_rgb(path, args.media / "golden" / (path.name + ".json"))
    if args.noise is not None:
        rgb = with_noise(rgb, args.noise)
    doc = {"image": path.name, "sha256": peer.sha256_of(path), "width": rgb.shape[1], "height": rgb.shape[0],
           "rgb24Sha256": digest, "peer": describe(args), "models": models, "runs": {}}
    for name, options in RUNS.items():
        found, mask = (pixel_centres if args.pixel_centres else peer).track(rgb, options)
        doc["runs"][name] = {"options": options, **found}
        if name == MASK_RUN and mask is not None:
            doc["runs"][name]["maskFile"] = path.name + ".mask.png"
            Image.fromarray(np.rint(mask * 255).astype(np.uint8)).save(args.out / (path.name + ".mask.png"))
    (args.out / (path.name + ".json")).write_text(json.dumps(doc, separators=(",", ":")))
    return [part for part in ("pose", "face", "leftHand", "rightHand") if doc["runs"][MASK_RUN][part]]


def read_frames(path, golden):
    """(frame rate, [(rgb, timestamp in us)]) of a clip; clips are short."""
    sums = golden.with_name(path.name + ".framemd5")
    expected = [line.split()[-1] for line in sums.read_text().splitlines() if line[0] != "#"] if sums.exists() else None
    video, frames = cv2.VideoCapture(str(path)), []
    rate = fractions.Fraction(json.loads(golden.read_text())["fps"] if golden.exists() else video.get(cv2.CAP_PROP_FPS))
    while (read := video.read())[0]:
        rgb = np.ascontiguousarray(read[1][:, :, ::-1])
        if expected and hashlib.md5(rgb.tobytes()).hexdigest() != expected[len(frames)]:
            raise SystemExit(f"{path.name}: frame {len(frames)} decodes to other pixels than the golden file was made from")
        frames.append((rgb, round(len(frames) * 1_000_000 / rate)))
    return rate, frames


def write_clip(path, args, models):
    rate, frames = read_frames(path, args.media / "golden" / (path.name + ".json"))
    doc = {"clip": path.name, "sha256": peer.sha256_of(path), "width": frames[0][0].shape[1], "height": frames[0][0].shape[0],
           "fps": str(rate), "frames": len(frames), "peer": describe(args), "models": models, "runs": {}}
    for name, options in CLIP_RUNS.items():
        doc["runs"][name] = {"options": options, "frames": list(peer.track_clip(frames, options))}
    (args.out / (path.name + ".json")).write_text(json.dumps(doc, separators=(",", ":")))
    return [f"{len(frames)} frames"]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--media", type=pathlib.Path, required=True)
    ap.add_argument("--models", type=pathlib.Path, default=pathlib.Path("build/models"))
    ap.add_argument("--out", type=pathlib.Path, required=True)
    ap.add_argument("--only", default="", help="pictures whose name holds this")
    ap.add_argument("--stock", action="store_true")
    ap.add_argument("--as-installed", action="store_true")
    ap.add_argument("--pixel-centres", action="store_true")
    ap.add_argument("--clips", action="store_true")
    ap.add_argument("--noise", type=int, metavar="SEED")
    args = ap.parse_args()
    if args.clips and (args.pixel_centres or args.noise is not None):
        ap.error("--clips goes with neither --pixel-centres nor --noise")
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as overlay:
        models = peer.make_overlay(pathlib.Path(overlay), args.models, args.stock)
        peer.use_overlay(overlay)
        if not args.as_installed:
            peer.keep_heatmap_options()
        endings, write = ({".mp4"}, write_clip) if args.clips else (PICTURES, write_golden)
        for path in sorted(p for p in args.media.iterdir() if p.suffix in endings and args.only in p.name):
            print(path.name, ", ".join(write(path, args, models)) or "nobody", file=sys.stderr)


if __name__ == "__main__":
    main()
