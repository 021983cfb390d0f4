import { asProblem } from "../api/problem";
import type { Frame } from "../api/frame";
import type { LiveMessage } from "../api/live_message";
import { LiveSession, type LiveState } from "../api/live_session";
import type { TrackOptions } from "../api/options";
import { byId, setText } from "../base/dom";
import { milliseconds } from "../base/format";
import { announce } from "./announcer";
import { clearProblem, showProblem } from "./notice";
import { showTiming } from "./results";
import type { Stage } from "./stage";
import { VideoFrames } from "./video_frames";

const mostPixelsAcross = 640; // of a frame that is sent
const quality = 0.8;

// The camera: its frames are shown as they come and sent as fast as the service answers; the newest
// answer is drawn over the newest frame.
export class Camera {
  private stream: MediaStream | null = null;
  private session: LiveSession | null = null;
  private frames: VideoFrames | null = null;
  private readonly shrunk = new OffscreenCanvas(1, 1);
  private starting = false; // the browser asks whether it may
  private encoding = false;
  private skipped = 0; // frames that this page did not send

  constructor(
    private readonly stage: Stage,
    private readonly changed: (frame: Frame | null) => void,
    private readonly ended: () => void,
  ) {}

  get running(): boolean {
    return this.stream !== null;
  }

  // False if there is none, or one is being started already.
  async start(options: TrackOptions): Promise<boolean> {
    if (this.starting) return false;
    this.starting = true;
    clearProblem();
    try {
      const video = { width: { ideal: 640 }, height: { ideal: 480 }, frameRate: { ideal: 30 } };
      this.stream = await navigator.mediaDevices.getUserMedia({ video });
    } catch (thrown) {
      showProblem({ title: "The camera cannot be used", detail: cameraTrouble(thrown) });
      return false;
    } finally {
      this.starting = false;
    }
    this.skipped = 0;
    this.frames = new VideoFrames(this.stream, (element, atMs) => this.frame(element, atMs));
    this.stage.show(this.frames.element);
    for (const track of this.stream.getTracks()) track.addEventListener("ended", () => this.ended());
    this.session = new LiveSession(options, {
      state: (state, text) => this.state(state, text),
      message: (message, delayMs) => this.message(message, delayMs),
    });
    byId("live").hidden = false;
    announce("The camera is on.");
    return true;
  }

  setOptions(options: TrackOptions): void {
    this.session?.setOptions(options);
  }

  stop(): void {
    if (!this.stream) return;
    this.session?.close();
    this.frames?.stop();
    for (const track of this.stream.getTracks()) track.stop();
    this.session = this.frames = this.stream = null;
    this.stage.show(null);
    byId("live").hidden = true;
    announce("The camera is off.");
  }

  private frame(element: HTMLVideoElement, atMs: number): void {
    this.stage.redraw();
    if (this.encoding || !this.session?.ready) {
      ++this.skipped;
      return;
    }
    this.encoding = true;
    void this.send(element, atMs).catch((thrown: unknown) => {
      const problem = asProblem(thrown);
      if (problem) showProblem(problem);
    }).finally(() => (this.encoding = false));
  }

  private async send(element: HTMLVideoElement, atMs: number): Promise<void> {
    const scale = Math.min(1, mostPixelsAcross / Math.max(element.videoWidth, element.videoHeight, 1));
    const [width, height] = [Math.round(element.videoWidth * scale), Math.round(element.videoHeight * scale)];
    if (width < 1 || height < 1) return;
    if (this.shrunk.width !== width) this.shrunk.width = width;
    if (this.shrunk.height !== height) this.shrunk.height = height;
    this.shrunk.getContext("2d")?.drawImage(element, 0, 0, width, height);
    const picture = await this.shrunk.convertToBlob({ type: "image/jpeg", quality });
    this.session?.send(picture, atMs * 1000);
  }

  private state(state: LiveState, text: string): void {
    byId("live").dataset["state"] = state;
    setText(byId("live-text"), state === "open" ? "Live" : text);
    if (state === "closed") showProblem({ title: "The live session has ended", detail: text });
  }

  private message(message: LiveMessage, delayMs: number | null): void {
    if (message.type === "frame") {
      this.stage.setFrame(message.frame);
      this.changed(message.frame);
      const delay = delayMs ?? 0;
      setText(byId("live-delay"), `delay ${milliseconds(delay)}`);
      setText(byId("live-drops"), `${message.dropped + this.skipped} dropped`);
      showTiming(new Map(Object.entries(message.timing_ms)), delay);
    } else if (message.type === "notice") {
      announce(message.detail);
    } else if (message.type === "error") {
      showProblem(message);
    }
  }
}

function cameraTrouble(thrown: unknown): string {
  if (!navigator.mediaDevices) return "Browsers give it only to pages from this machine or by https.";
  const name = thrown instanceof DOMException ? thrown.name : "";
  if (name === "NotAllowedError") return "It was not allowed. The browser's settings of this page can change that.";
  if (name === "NotFoundError") return "No camera was found.";
  if (name === "NotReadableError") return "Another program uses it.";
  return String(thrown).slice(0, 300);
}
