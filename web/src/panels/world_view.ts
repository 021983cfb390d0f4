import type { Frame } from "../api/frame";
import { byId, sizedContext, themeColor } from "../base/dom";
import { firstView, turned, zoomed } from "../draw/projection";
import { type Scene, sceneOf } from "../draw/scene";
import { drawScene } from "../draw/scene_view";

const keyTurns: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0.15, 0], ArrowRight: [-0.15, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1],
};

// The person in metres, turned by mouse, touch and keys.
export class WorldView {
  private readonly canvas = byId<HTMLCanvasElement>("world");
  private readonly pointers = new Map<number, { x: number; y: number }>(); // fingers that are down
  private scene: Scene | null = null;
  private view = firstView;
  private drawAsked = 0;

  constructor() {
    new ResizeObserver(() => this.redraw()).observe(this.canvas);
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    });
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      this.canvas.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
    }
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    byId("world-reset").addEventListener("click", () => this.look(firstView));
  }

  show(frame: Frame | null): void {
    this.scene = frame ? sceneOf(frame.people[0], frame.image) : null;
    byId("world-empty").hidden = this.scene !== null;
    this.redraw();
  }

  redraw(): void {
    this.drawAsked ||= requestAnimationFrame(() => {
      this.drawAsked = 0;
      const { context, ...size } = sizedContext(this.canvas);
      if (this.scene) drawScene(context, this.scene, this.view, size, themeColor("--stage-line"));
    });
  }

  private look(view: typeof firstView): void {
    this.view = view;
    this.redraw();
  }

  private key(event: KeyboardEvent): void {
    const turn = keyTurns[event.key];
    if (turn) this.look(turned(this.view, turn[0], turn[1]));
    else if (event.key === "+" || event.key === "=") this.look(zoomed(this.view, 1.15));
    else if (event.key === "-") this.look(zoomed(this.view, 1 / 1.15));
    else if (event.key === "0" || event.key === "Home") this.look(firstView);
    else return;
    event.preventDefault();
  }

  // One finger turns, two zoom.
  private move(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.offsetX, y: event.offsetY };
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const apart = (p: { x: number; y: number }): number => Math.max(8, Math.hypot(p.x - other.x, p.y - other.y));
      this.look(zoomed(this.view, apart(now) / apart(before)));
    } else {
      this.look(turned(this.view, (before.x - now.x) * 0.01, (now.y - before.y) * 0.008));
    }
    this.pointers.set(event.pointerId, now);
  }

  // Only once the view was clicked or reached by Tab: else the page would stop scrolling over it.
  private wheel(event: WheelEvent): void {
    if (document.activeElement !== this.canvas) return;
    event.preventDefault();
    this.look(zoomed(this.view, Math.exp(-event.deltaY * 0.001)));
  }
}
