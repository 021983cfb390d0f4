import type { ServiceEvent } from "../api/status";

// The newest `capacity` events, each once, newest first: they come by the event stream and again
// with each status.
export class EventHistory {
  private events: ServiceEvent[] = [];

  constructor(private readonly capacity: number) {}

  // True if any was new.
  add(come: readonly ServiceEvent[]): boolean {
    const key = (event: ServiceEvent): string => `${event.uptime_s.toFixed(2)} ${event.text}`;
    const known = new Set(this.events.map(key));
    const fresh = come.filter((event) => !known.has(key(event)));
    if (fresh.length === 0) return false;
    const all = [...this.events, ...fresh].sort((a, b) => b.uptime_s - a.uptime_s);
    this.events = all.slice(0, this.capacity);
    return true;
  }

  get newestFirst(): readonly ServiceEvent[] {
    return this.events;
  }

  clear(): void {
    this.events = [];
  }
}
