// Calls back for each new frame of a stream, at the time (ms) it came.
export class VideoFrames {
  readonly element = document.createElement("video");
  private stopped = false;

  constructor(stream: MediaStream, private readonly listener: (element: HTMLVideoElement, atMs: number) => void) {
    this.element.muted = true;
    this.element.playsInline = true;
    this.element.srcObject = stream;
    // Refused only when it is stopped before it begins.
    void this.element.play().catch(() => undefined);
    this.next();
  }

  stop(): void {
    this.stopped = true;
    this.element.pause();
    this.element.srcObject = null;
  }

  private next(): void {
    if (this.stopped) return;
    const arrived = (now: number): void => {
      if (this.stopped) return;
      if (this.element.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) this.listener(this.element, now);
      this.next();
    };
    if ("requestVideoFrameCallback" in this.element) this.element.requestVideoFrameCallback(arrived);
    else requestAnimationFrame(arrived);
  }
}
