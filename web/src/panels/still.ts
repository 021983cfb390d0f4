import { asProblem } from "../api/problem";
import type { Frame } from "../api/frame";
import type { TrackOptions } from "../api/options";
import { track } from "../api/track";
import type { Downloadable } from "./downloads";
import type { Chosen } from "./intake";
import { clearProblem, setBusy, showProblem } from "./notice";
import { announceResult, showTiming } from "./results";
import type { Stage } from "./stage";

const mostPixelsAcross = 2560; // of what is kept to be shown; the service gets the picture as it is

async function bitmapOf(picture: Blob): Promise<ImageBitmap | null> {
  let whole: ImageBitmap;
  try {
    whole = await createImageBitmap(picture);
  } catch {
    return null; // of a kind the browser does not know; the service may
  }
  const across = Math.max(whole.width, whole.height);
  if (across <= mostPixelsAcross) return whole;
  const scale = mostPixelsAcross / across;
  const [resizeWidth, resizeHeight] = [Math.round(whole.width * scale), Math.round(whole.height * scale)];
  const small = await createImageBitmap(whole, { resizeWidth, resizeHeight, resizeQuality: "high" });
  whole.close();
  return small;
}

// One picture at a time: shown at once, sent, drawn over when the answer comes. A newer one makes the
// older one's answer void.
export class Still {
  private chosen: Chosen | null = null;
  private answer: Downloadable | null = null;
  private abort = new AbortController();

  constructor(
    private readonly stage: Stage,
    private readonly changed: (frame: Frame | null) => void,
  ) {}

  get current(): Downloadable | null {
    return this.answer;
  }

  async show(chosen: Chosen, options: TrackOptions): Promise<void> {
    const signal = this.begin();
    this.chosen = chosen;
    this.settle(null, null);
    const bitmap = await bitmapOf(chosen.picture);
    if (signal.aborted) return bitmap?.close();
    this.stage.show(bitmap);
    await this.track(chosen, options, signal);
  }

  // The same picture with other options: what was found stays until the new answer comes.
  async again(options: TrackOptions): Promise<void> {
    if (this.chosen) await this.track(this.chosen, options, this.begin());
  }

  leave(): void {
    this.abort.abort();
    this.chosen = null;
    this.settle(null, null);
    setBusy(false);
  }

  private begin(): AbortSignal {
    this.abort.abort();
    this.abort = new AbortController();
    clearProblem();
    setBusy(true);
    return this.abort.signal;
  }

  private settle(answer: Downloadable | null, frame: Frame | null): void {
    this.answer = answer;
    this.changed(frame);
  }

  private async track(chosen: Chosen, options: TrackOptions, signal: AbortSignal): Promise<void> {
    try {
      const { frame, json, stagesMs, totalMs } = await track(chosen.picture, options, signal);
      if (signal.aborted) return;
      this.settle({ ...chosen, json, options }, frame);
      showTiming(stagesMs, totalMs);
      announceResult(frame);
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (!problem || signal.aborted) return;
      this.settle(null, null);
      showProblem(problem);
    } finally {
      if (!signal.aborted) setBusy(false);
    }
  }
}
