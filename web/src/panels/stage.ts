import type { Frame } from "../api/frame";
import { byId, sizedContext } from "../base/dom";
import { fitInside, type Box } from "../draw/fit";
import { tintOf } from "../draw/mask";
import { drawFrame } from "../draw/overlay";
import { personColor } from "../draw/palette";
import { shownLayers } from "./layers_form";

type Source = ImageBitmap | HTMLVideoElement;

// The canvas with the picture (or the camera) and what was found in it. It owns one picture and a mask
// a person, and closes them when the next ones come.
export class Stage {
  private readonly canvas = byId<HTMLCanvasElement>("picture");
  private source: Source | null = null;
  private frame: Frame | null = null;
  private masks: readonly ImageBitmap[] = [];
  private maskVersion = 0;
  private drawAsked = 0;

  constructor() {
    new ResizeObserver(() => this.redraw()).observe(this.canvas);
  }

  show(source: Source | null): void {
    if (this.source instanceof ImageBitmap && this.source !== source) this.source.close();
    this.source = source;
    this.setFrame(null);
  }

  setFrame(frame: Frame | null): void {
    this.frame = frame;
    void this.takeMasks(frame);
    this.canvas.setAttribute("aria-label", describe(frame));
    this.redraw();
  }

  redraw(): void {
    this.drawAsked ||= requestAnimationFrame(() => {
      this.drawAsked = 0;
      this.draw();
    });
  }

  // Where the picture lies in the canvas, in CSS pixels.
  get box(): Box {
    const room = { width: this.canvas.clientWidth, height: this.canvas.clientHeight };
    const { width, height } = this.size;
    return fitInside(width, height, room);
  }

  private get size(): { width: number; height: number } {
    if (this.source instanceof HTMLVideoElement) return { width: this.source.videoWidth, height: this.source.videoHeight };
    return this.source ?? this.frame?.image ?? { width: 0, height: 0 };
  }

  private async takeMasks(frame: Frame | null): Promise<void> {
    const version = ++this.maskVersion;
    const tints = await Promise.all(
      (frame?.people ?? []).flatMap(({ id, segmentation }) => (segmentation ? [tintOf(segmentation, personColor(id))] : [])),
    );
    if (version !== this.maskVersion) return tints.forEach((tint) => tint.close());
    this.masks.forEach((mask) => mask.close());
    this.masks = tints;
    if (tints.length) this.redraw();
  }

  private draw(): void {
    const { context, width } = sizedContext(this.canvas);
    const layers = shownLayers();
    const box = this.box;
    const camera = this.source instanceof HTMLVideoElement;
    if (camera && layers.mirror) {
      context.translate(width, 0);
      context.scale(-1, 1);
    }
    context.imageSmoothingQuality = "high";
    if (this.source && layers.picture) context.drawImage(this.source, box.x, box.y, box.width, box.height);
    for (const mask of layers.mask ? this.masks : []) context.drawImage(mask, box.x, box.y, box.width, box.height);
    if (this.frame) drawFrame(context, this.frame, layers, box);
  }
}

function describe(frame: Frame | null): string {
  if (!frame) return "The picture";
  const person = frame.people[0];
  if (!person) return "The picture; nobody was found in it";
  if (frame.people.length > 1) return `The picture, with the points of ${frame.people.length} people drawn over them`;
  const parts = [
    person.pose_landmarks && "body", person.face_landmarks && "face",
    person.left_hand_landmarks && "left hand", person.right_hand_landmarks && "right hand",
  ].filter(Boolean);
  return `The picture, with ${parts.join(", ")} drawn over a person`;
}
