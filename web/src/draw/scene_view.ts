import { palette } from "./palette";
import { type Point3, project, type View } from "./projection";
import type { Scene } from "./scene";

interface Screen {
  width: number;
  height: number;
  radius: number;
}

function drawLine(context: CanvasRenderingContext2D, from: Point3, to: Point3, view: View, screen: Screen): void {
  const [a, b] = [project(from, view, screen), project(to, view, screen)];
  context.beginPath();
  context.moveTo(a.x, a.y);
  context.lineTo(b.x, b.y);
  context.stroke();
}

// Circles and a cross below the person: they tell which way is up when it is turned.
function drawFloor(context: CanvasRenderingContext2D, scene: Scene, view: View, screen: Screen, color: string): void {
  context.strokeStyle = color;
  context.lineWidth = 1;
  const steps = 48;
  for (const share of [0.35, 0.7]) {
    const r = scene.radius * share;
    const at = (i: number): Point3 => [r * Math.cos((2 * Math.PI * i) / steps), scene.floor, r * Math.sin((2 * Math.PI * i) / steps)];
    for (let i = 0; i < steps; ++i) drawLine(context, at(i), at(i + 1), view, screen);
  }
  const r = scene.radius * 0.7;
  drawLine(context, [-r, scene.floor, 0], [r, scene.floor, 0], view, screen);
  drawLine(context, [0, scene.floor, -r], [0, scene.floor, r], view, screen);
}

export function drawScene(
  context: CanvasRenderingContext2D,
  scene: Scene,
  view: View,
  size: { width: number; height: number },
  floorColor: string,
): void {
  const screen = { ...size, radius: scene.radius * 1.08 };
  context.lineCap = "round";
  drawFloor(context, scene, view, screen, floorColor);
  const lines = scene.segments.map((segment) => {
    const [a, b] = [project(segment.from, view, screen), project(segment.to, view, screen)];
    return { segment, a, b, depth: (a.depth + b.depth) / 2 };
  });
  lines.sort((one, other) => other.depth - one.depth); // far ones first
  const width = Math.max(1.5, Math.min(size.width, size.height) / 90);
  for (const { segment, a, b, depth } of lines) {
    context.globalAlpha = Math.max(0.35, Math.min(1, 0.8 - 0.5 * depth));
    context.strokeStyle = palette[segment.tone];
    context.lineWidth = Math.max(0.8, width * segment.weight * (1 - 0.25 * depth));
    context.beginPath();
    context.moveTo(a.x, a.y);
    context.lineTo(b.x, b.y);
    context.stroke();
  }
  context.globalAlpha = 1;
}
