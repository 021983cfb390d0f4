#!/usr/bin/env python3
"""Print how far two sides are from each other, part by part: golden folders or a holostat binary.

  compare.py build/release/holostat build/golden/pypi --media ../shared/media --sampling opencv --check
  compare.py build/golden/pypi ../shared/media/golden [--run cpu_c0_refine] [--medians] [--markdown]

A folder holds NAME.json in the layout of ../shared/media/golden (and NAME.mask.png). A binary is run on the pictures of --media.
Distance of a part = mean over its points of the distance between the sides, in % of the longer side of the
box around the second side's part; body points count when the second side's visibility is over 0.5 (as in ../shared/tools/parity.py).
(…) = several people, a side may follow another one: not counted. * = spots where the models are unsure.
Masks: intersection over union of the pixels at or over one half, and their mean difference in grey levels.

--check: exit 1 when a median or a picture is over the tolerances below, or a part is found by one side only.
Standard library; masks are left out where numpy and Pillow are missing.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

MEDIAN_TOLERANCE = 0.15   # % of the part's size: same models and formulas, other rounding
PICTURE_TOLERANCE = 0.5   # %: a picture over this has a cause worth naming
MASK_IOU_TOLERANCE = 0.97
VISIBLE = 0.5
MASK_RUN = "cpu_c1_refine"
PARTS = {"pose": "pose_landmarks", "face": "face_landmarks", "leftHand": "left_hand_landmarks", "rightHand": "right_hand_landmarks"}
PICTURES = {".jpg", ".jpeg", ".png"}
RUN_FLAGS = {
    "cpu_c1_refine": ["--complexity", "full", "--refine-face"],
    "cpu_c1_norefine": ["--complexity", "full", "--no-refine-face"],
    "cpu_c0_refine": ["--complexity", "lite", "--refine-face"],
    "cpu_c2_refine": ["--complexity", "heavy", "--refine-face"],
}
CLIP_RUNS = ["cpu_c1_refine_smooth", "cpu_c1_refine_nosmooth"]
# Several people: a side may follow another one than the other does. Shown, not counted.
AMBIGUOUS = {"multi-three-people.jpg", "two-people.jpg"}
# Spots where the models themselves are unsure (the list of parity.py). Left out of the medians that are held to a tolerance.
UNSURE = {("upper-astronaut.png", "pose"), ("upper-mona-lisa.jpg", "pose"), ("face-hand-cgi.jpg", "pose"), ("face-hand-cgi.jpg", "rightHand"),
          ("body-stairs-cgi.jpg", "leftHand"), ("upper-business-glasses.png", "leftHand"), ("upper-mona-lisa.jpg", "leftHand")}


def distance(part, a, b, width, height):
    """Mean distance in % of the box of `b`, or None when no point counts."""
    use = [i for i, p in enumerate(b) if part != "pose" or p[3] > VISIBLE]
    if not use or len(a) < len(b):
        return None
    xs, ys = [b[i][0] * width for i in use], [b[i][1] * height for i in use]
    size = max(max(xs) - min(xs), max(ys) - min(ys)) or 1.0
    off = [(((a[i][0] - b[i][0]) * width) ** 2 + ((a[i][1] - b[i][1]) * height) ** 2) ** 0.5 for i in use]
    return 100.0 * statistics.fmean(off) / size


class Folder:
    """A folder of golden files."""

    def __init__(self, path):
        self.path = path
        self.docs = {p.name[:-5]: json.loads(p.read_text()) for p in sorted(path.glob("*.json"))}
        self.docs = {name: doc for name, doc in self.docs.items() if pathlib.Path(name).suffix in PICTURES}

    def run(self, run):
        return {name: doc["runs"][run] for name, doc in self.docs.items() if run in doc["runs"]}

    def mask(self, name):
        return self.path / (name + ".mask.png")


class Binary:
    """A holostat binary, run on the pictures of a media folder."""

    def __init__(self, path, media, sampling):
        self.path, self.sampling, self.docs = path, sampling, {}
        self.pictures = sorted(p for p in media.iterdir() if p.suffix in PICTURES)
        self.scratch = tempfile.TemporaryDirectory()

    def run(self, run):
        masks = ["-o", f"{self.scratch.name}/{{index}}.mask.png"] if run == MASK_RUN else []
        command = [str(self.path), "track", *map(str, self.pictures), "--json", "--quiet", "--sampling", self.sampling,
                   *RUN_FLAGS[run], *masks]
        out = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=1200)
        lines = [json.loads(line) for line in out.stdout.decode().splitlines()]
        found = {}
        for picture, frame in zip(self.pictures, lines, strict=True):
            person = (frame["people"] or [{}])[0]
            self.docs[picture.name] = frame["image"]
            found[picture.name] = {part: person.get(key) for part, key in PARTS.items()}
        return found

    def mask(self, name):
        index = [p.name for p in self.pictures].index(name)
        return pathlib.Path(self.scratch.name) / f"{index}.mask.png"


def open_side(path, args):
    return Folder(path) if path.is_dir() else Binary(path.resolve(strict=True), args.media, args.sampling)


def compare_masks(a, b):
    """(IoU, mean difference in grey levels), or None when a side has no mask or Pillow is missing."""
    try:
        import numpy
        from PIL import Image
    except ImportError:
        return None
    if not (a.exists() and b.exists()):
        return None
    a, b = (numpy.asarray(Image.open(p).convert("L")).astype(int) for p in (a, b))
    either = ((a > 127) | (b > 127)).sum()
    return float(((a > 127) & (b > 127)).sum() / either) if either else 1.0, float(abs(a - b).mean())


class Table:
    def __init__(self, markdown):
        self.markdown = markdown

    def row(self, cells):
        if self.markdown:
            print("| " + " | ".join(cells) + " |")
        else:
            print(f"{cells[0]:28}" + "".join(f" {c:>15}" for c in cells[1:]))

    def head(self, cells):
        self.row(cells)
        if self.markdown:
            self.row(["---"] * len(cells))


class Comparison:
    """One run of two sides: the cells of a table, the distances behind its last rows, and what is over a tolerance."""

    def __init__(self, run, a, b):
        self.run = run
        self.rows, self.over, self.ious = [], [], []
        self.all, self.sure = {p: [] for p in PARTS}, {p: [] for p in PARTS}
        left, right = a.run(run), b.run(run)
        docs = {**a.docs, **b.docs}
        for name in sorted(set(left) & set(right)):
            cells = [self.part(name, part, left[name].get(part), right[name].get(part), docs[name]) for part in PARTS]
            if run == MASK_RUN:
                cells.append(self.mask(name, compare_masks(a.mask(name), b.mask(name))))
            self.rows.append([name, *cells])
        if not self.rows:
            self.over.append(f"{run}: no picture in common, so nothing was compared")
        for part, values in self.sure.items():
            if values and statistics.median(values) > MEDIAN_TOLERANCE:
                self.over.append(f"{run} {part}: median {statistics.median(values):.2f} % over {MEDIAN_TOLERANCE}")

    def part(self, name, part, x, y, doc):
        if not (x and y):
            if bool(x) != bool(y) and name not in AMBIGUOUS:
                self.over.append(f"{self.run} {name} {part}: found by the {'first' if x else 'second'} side only")
            return "only first" if x else "only second" if y else "-"
        d = distance(part, x, y, doc["width"], doc["height"])
        if d is None:
            self.over.append(f"{self.run} {name} {part}: {len(x)} points against {len(y)}, or none visible")
            return "?"
        if name in AMBIGUOUS:
            return f"({d:.2f})"
        self.all[part].append(d)
        if d > PICTURE_TOLERANCE:
            self.over.append(f"{self.run} {name} {part}: {d:.2f} % over {PICTURE_TOLERANCE}")
        if (name, part) in UNSURE:
            return f"{d:.2f}*"
        self.sure[part].append(d)
        return f"{d:.2f}"

    def mask(self, name, found):
        if not found:
            return "-"
        iou, difference = found
        if name in AMBIGUOUS:
            return f"({iou:.4f})"
        self.ious.append(iou)
        if iou < MASK_IOU_TOLERANCE:
            self.over.append(f"{self.run} {name} mask: IoU {iou:.4f} under {MASK_IOU_TOLERANCE}")
        return f"{iou:.4f}, {difference:.2f}"

    def print_pictures(self, table):
        masks = self.run == MASK_RUN
        table.head([self.run, *PARTS] + (["mask IoU, diff"] if masks else []))
        for row in self.rows:
            table.row(row)
        least = [f"least {min(self.ious):.4f}" if self.ious else "-"] if masks else []
        table.row(["median", *(middle(v) for v in self.all.values())] + [""] * masks)
        table.row(["median without *", *(middle(v) for v in self.sure.values())] + [""] * masks)
        table.row(["largest", *(f"{max(v):.2f}" if v else "-" for v in self.all.values())] + least)
        print()

    def print_medians(self, table):
        cells = [f"{middle(self.all[p])} / {middle(self.sure[p])} / {max(self.all[p], default=0):.2f}" for p in PARTS]
        table.row([self.run, *cells])


def print_clips(a, b, table):
    """A row a clip and run: share of frames where both sides agree on presence, median distance where both found the part."""
    table.head(["agree, median %", *PARTS])
    for golden in sorted(a.glob("*.mp4.json")):
        if not (b / golden.name).exists():
            continue
        left, right = (json.loads((side / golden.name).read_text()) for side in (a, b))
        for run in CLIP_RUNS:
            pairs = list(zip(left["runs"][run]["frames"], right["runs"][run]["frames"], strict=True))
            cells = []
            for part in PARTS:
                agree = sum(bool(x[part]) == bool(y[part]) for x, y in pairs) / len(pairs)
                ds = [distance(part, x[part], y[part], left["width"], left["height"]) for x, y in pairs if x[part] and y[part]]
                cells.append(f"{agree:.0%}, {middle([d for d in ds if d is not None])}")
            table.row([f"{golden.name[:-9]} {run.split('_')[-1]}", *cells])


def middle(values):
    return f"{statistics.median(values):.2f}" if values else "-"


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("first", type=pathlib.Path)
    ap.add_argument("second", type=pathlib.Path)
    ap.add_argument("--media", type=pathlib.Path, default=pathlib.Path("../shared/media"), help="pictures for a binary")
    ap.add_argument("--sampling", default="centres", help="of a binary: centres (as the web peer) or opencv (as PyPI)")
    ap.add_argument("--run", choices=RUN_FLAGS, help="one run only")
    ap.add_argument("--medians", action="store_true", help="a line a run: median / median without the unsure spots / largest")
    ap.add_argument("--clips", action="store_true", help="the clips of two golden folders")
    ap.add_argument("--markdown", action="store_true")
    ap.add_argument("--check", action="store_true")
    args = ap.parse_args()
    if args.clips:
        print_clips(args.first, args.second, Table(args.markdown))
        return 0
    a, b = (open_side(p, args) for p in (args.first, args.second))
    table, over = Table(args.markdown), []
    if args.medians:
        table.head(["median / sure / largest, %", *PARTS])
    for run in [args.run] if args.run else RUN_FLAGS:
        found = Comparison(run, a, b)
        found.print_medians(table) if args.medians else found.print_pictures(table)
        over += found.over
    if not args.check:
        return 0
    for line in over:
        print("over tolerance:", line)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
