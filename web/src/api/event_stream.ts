import { Backoff } from "../base/backoff";
import { request } from "./request";
import { SseParser } from "./sse_parser";
import type { ServiceEvent } from "./status";

function eventOf(data: string): ServiceEvent | null {
  try {
    const parsed = JSON.parse(data) as Partial<ServiceEvent> | null;
    if (typeof parsed?.text === "string") return { uptime_s: Number(parsed.uptime_s) || 0, text: parsed.text };
  } catch {
    // Not an event of ours.
  }
  return null;
}

// Listens to GET /v1/events and comes back when the stream ends. By fetch, because an EventSource
// cannot send the token.
export class EventStream {
  private abort: AbortController | null = null;
  private readonly backoff = new Backoff(1000, 30000);
  private timer = 0;

  constructor(private readonly listener: (event: ServiceEvent) => void) {}

  start(): void {
    if (this.abort) return;
    this.abort = new AbortController();
    void this.run(this.abort.signal);
  }

  stop(): void {
    this.abort?.abort();
    this.abort = null;
    clearTimeout(this.timer);
  }

  private async run(signal: AbortSignal): Promise<void> {
    try {
      const response = await request("/v1/events", { signal, headers: { Accept: "text/event-stream" } });
      await this.read(response);
    } catch {
      // The status, which is asked each second, shows that the service is away.
    }
    if (!signal.aborted) this.timer = window.setTimeout(() => void this.run(signal), this.backoff.next());
  }

  private async read(response: Response): Promise<void> {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const parser = new SseParser();
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return;
      this.backoff.reset();
      for (const message of parser.feed(chunk.value)) {
        const event = eventOf(message.data);
        if (event) this.listener(event);
      }
    }
  }
}
