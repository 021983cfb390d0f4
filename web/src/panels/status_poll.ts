import { asProblem, type Problem } from "../api/problem";
import { fetchStatus, type ServiceStatus } from "../api/status";

const everyMs = 1000;

// Asks for the status each second while the page is seen: one question at a time.
export class StatusPoll {
  private abort: AbortController | null = null;
  private timer = 0;

  constructor(
    private readonly listener: (status: ServiceStatus) => void,
    private readonly trouble: (problem: Problem) => void,
  ) {}

  start(): void {
    if (this.abort) return;
    this.abort = new AbortController();
    void this.ask(this.abort.signal);
  }

  stop(): void {
    this.abort?.abort();
    this.abort = null;
    clearTimeout(this.timer);
  }

  private async ask(signal: AbortSignal): Promise<void> {
    const start = performance.now();
    try {
      const status = await fetchStatus(signal);
      if (!signal.aborted) this.listener(status);
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (problem && !signal.aborted) this.trouble(problem);
    }
    if (signal.aborted) return;
    this.timer = window.setTimeout(() => void this.ask(signal), Math.max(250, everyMs - (performance.now() - start)));
  }
}
