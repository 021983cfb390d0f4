import type { Frame, Landmark, Person } from "../api/frame";
import { figureOf, type Layers, type Part, type Stroke } from "./figure";
import type { Box } from "./fit";
import { haloColor, palette, personColor } from "./palette";

// Line widths as a share of the picture's diagonal; of face and hands at most of the part's own size.
const widths: Record<Part, { ofPicture: number; ofPart: number; joints: boolean }> = {
  body: { ofPicture: 0.0042, ofPart: 0.02, joints: true },
  hand: { ofPicture: 0.0026, ofPart: 0.022, joints: true },
  face: { ofPicture: 0.0016, ofPart: 0.012, joints: false },
  mesh: { ofPicture: 0.0006, ofPart: 0.004, joints: false },
};

function sizeOf(pairs: readonly Landmark[], box: Box): number {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of pairs as [number, number][]) {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  return Math.hypot((right - left) * box.width, (bottom - top) * box.height);
}

function pathOf(stroke: Stroke, box: Box): Path2D {
  const path = new Path2D();
  for (let i = 0; i + 1 < stroke.pairs.length; i += 2) {
    const [a, b] = [stroke.pairs[i]!, stroke.pairs[i + 1]!];
    path.moveTo(box.x + a[0]! * box.width, box.y + a[1]! * box.height);
    path.lineTo(box.x + b[0]! * box.width, box.y + b[1]! * box.height);
  }
  return path;
}

function jointsOf(stroke: Stroke, box: Box, radius: number): Path2D {
  const path = new Path2D();
  for (const point of new Set(stroke.pairs)) {
    const [x, y] = [box.x + point[0]! * box.width, box.y + point[1]! * box.height];
    path.moveTo(x + radius, y);
    path.arc(x, y, radius, 0, 2 * Math.PI);
  }
  return path;
}

function drawPart(context: CanvasRenderingContext2D, part: Part, strokes: readonly Stroke[], box: Box): void {
  if (strokes.length === 0) return;
  const { ofPicture, ofPart, joints } = widths[part];
  const size = sizeOf(strokes.flatMap((stroke) => stroke.pairs), box);
  const width = Math.max(0.5, Math.min(ofPicture * Math.hypot(box.width, box.height), ofPart * size));
  const paths = strokes.map((stroke) => ({ stroke, path: pathOf(stroke, box) }));
  if (part !== "mesh") {
    context.strokeStyle = haloColor;
    context.lineWidth = width * 1.9;
    for (const { path } of paths) context.stroke(path);
  }
  context.lineWidth = width;
  for (const { stroke, path } of paths) {
    context.strokeStyle = palette[stroke.tone];
    context.stroke(path);
  }
  if (!joints) return;
  for (const { stroke } of paths) {
    context.fillStyle = palette[stroke.tone];
    context.fill(jointsOf(stroke, box, width * 1.25));
    context.fillStyle = "#fff";
    context.fill(jointsOf(stroke, box, width * 0.5));
  }
}

function drawPerson(context: CanvasRenderingContext2D, person: Person, layers: Layers, box: Box): void {
  const strokes = figureOf(person, layers);
  for (const part of ["body", "mesh", "face"] as const) {
    drawPart(context, part, strokes.filter((stroke) => stroke.part === part), box);
  }
  for (const side of ["left", "right"]) {
    drawPart(context, "hand", strokes.filter((s) => s.part === "hand" && s.tone.startsWith(side)), box);
  }
}

// The id above the head, upright in a mirrored picture too.
function drawLabel(context: CanvasRenderingContext2D, person: Person, box: Box): void {
  const head = person.pose_landmarks?.slice(0, 11);
  if (!head?.length) return;
  const size = Math.max(12, 0.03 * Math.min(box.width, box.height));
  const x = box.x + (head.reduce((sum, point) => sum + point[0]!, 0) / head.length) * box.width;
  const y = box.y + Math.min(...head.map((point) => point[1]!)) * box.height - 1.5 * size;
  context.save();
  context.translate(x, Math.max(box.y + size, y));
  if (context.getTransform().a < 0) context.scale(-1, 1);
  context.font = `600 ${size}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.strokeStyle = haloColor;
  context.lineWidth = size / 3;
  context.strokeText(String(person.id), 0, 0);
  context.fillStyle = `rgb(${personColor(person.id).join(", ")})`;
  context.fillText(String(person.id), 0, 0);
  context.restore();
}

// Draws every person of `frame` over the picture that lies in `box`; several get their ids.
export function drawFrame(context: CanvasRenderingContext2D, frame: Frame, layers: Layers, box: Box): void {
  context.save();
  context.lineCap = "round";
  context.lineJoin = "round";
  for (const person of frame.people) drawPerson(context, person, layers, box);
  if (frame.people.length > 1) for (const person of frame.people) drawLabel(context, person, box);
  context.restore();
}
