import { Backoff } from "../base/backoff";
import { writeLiveHeader } from "./live_header";
import { closeReason, type LiveMessage, parseLiveMessage } from "./live_message";
import { queryOf, type TrackOptions } from "./options";
import { SentFrames } from "./sent_frames";
import { webSocketProtocols } from "./token";

export type LiveState = "connecting" | "open" | "waiting" | "closed";

export interface LiveListener {
  state(state: LiveState, text: string): void;
  message(message: LiveMessage, delayMs: number | null): void;
}

const mostUnanswered = 3; // one with the worker, one that waits, one on its way
const mostBufferedBytes = 512 * 1024;
const stalledMs = 8000;

// One WS /v1/live, opened again with growing pauses when it is lost. Frames that would only wait are
// not sent: the caller asks `ready` first.
export class LiveSession {
  private socket: WebSocket | null = null;
  private readonly backoff = new Backoff();
  private readonly sent = new SentFrames(64);
  private timer = 0;
  private sequence = 0;
  private ended = false;

  constructor(private options: TrackOptions, private readonly listener: LiveListener) {
    this.open();
  }

  get ready(): boolean {
    const socket = this.socket;
    if (socket?.readyState !== WebSocket.OPEN || socket.bufferedAmount > mostBufferedBytes) return false;
    if (this.sent.oldestAgeMs(performance.now()) > stalledMs) socket.close(4000, "stalled");
    return this.sent.unanswered < mostUnanswered;
  }

  send(picture: Blob, timestampUs: number): void {
    if (!this.ready || !this.socket) return;
    const sequence = this.sequence++ % 2 ** 32;
    this.sent.add(sequence, performance.now());
    this.socket.send(new Blob([writeLiveHeader({ kind: 1, sequence, width: 0, height: 0, timestampUs }), picture]));
  }

  setOptions(options: TrackOptions): void {
    this.options = options;
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify({ type: "options", ...options }));
    }
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket?.close(1000);
    this.socket = null;
  }

  private open(): void {
    this.listener.state("connecting", "Connecting…");
    const url = new URL(`/v1/live?${queryOf(this.options)}`, window.location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url, webSocketProtocols());
    socket.binaryType = "arraybuffer";
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = (event) => this.lost(event.code, event.reason);
    this.socket = socket;
    this.sent.clear();
  }

  private receive(data: unknown): void {
    const message = typeof data === "string" ? parseLiveMessage(data) : null;
    if (!message || this.ended) return;
    if (message.type === "ready") {
      this.backoff.reset();
      this.listener.state("open", "");
    }
    const answered = message.type === "frame" || message.type === "error" ? message.sequence : undefined;
    const delay = answered === undefined ? null : this.sent.answer(answered, performance.now());
    this.listener.message(message, delay);
  }

  private lost(code: number, reason: string): void {
    if (this.ended) return;
    this.socket = null;
    const { text, retry } = closeReason(code, reason);
    if (!retry) {
      this.ended = true;
      this.listener.state("closed", text);
      return;
    }
    const pause = this.backoff.next();
    this.listener.state("waiting", `${text} Trying again…`);
    this.timer = window.setTimeout(() => this.open(), pause);
  }
}
