import type { ServiceStatus } from "../api/status";
import { Ring } from "./ring";

export type Measure = "uss_bytes" | "pss_bytes";

interface Sample {
  t: number; // seconds the service has been up
  total: number;
  processes: Map<string, { role: string; uss_bytes: number; pss_bytes: number }>;
}

export interface ProcessLine {
  key: string; // "worker 3"
  role: string;
  points: { t: number; value: number }[];
  alive: boolean;
}

const mostProcesses = 64; // of a sample; a pool is smaller

// What the memory chart shows: the last `capacity` answers of /v1/status, and no more.
export class MemoryHistory {
  private readonly samples: Ring<Sample>;

  constructor(capacity: number) {
    this.samples = new Ring(capacity);
  }

  add(status: ServiceStatus): void {
    const last = this.samples.at(-1);
    if (last && status.uptime_s < last.t) this.samples.clear(); // another run of the service
    const processes = status.processes.slice(0, mostProcesses);
    this.samples.push({
      t: status.uptime_s,
      total: status.memory.service_pss_bytes,
      processes: new Map(processes.map(({ role, id, uss_bytes, pss_bytes }) => {
        const alone = role === "supervisor" || role === "zygote";
        return [alone ? role : `${role} ${id}`, { role, uss_bytes, pss_bytes }];
      })),
    });
  }

  get window(): { from: number; to: number } {
    const to = this.samples.at(-1)?.t ?? 0;
    return { from: Math.min(this.samples.at(0)?.t ?? 0, to - 30), to };
  }

  // In order of appearance. A process that is gone keeps its line until that has left the window.
  lines(measure: Measure): ProcessLine[] {
    const lines = new Map<string, ProcessLine>();
    for (const { t, processes } of this.samples) {
      for (const [key, process] of processes) {
        let line = lines.get(key);
        if (!line) lines.set(key, (line = { key, role: process.role, points: [], alive: false }));
        line.points.push({ t, value: process[measure] });
      }
    }
    const now = this.samples.at(-1)?.processes;
    for (const line of lines.values()) line.alive = now?.has(line.key) ?? false;
    return [...lines.values()];
  }

  // Of the whole service, over the window: bytes now less bytes then.
  get change(): { bytes: number; seconds: number } {
    const [first, last] = [this.samples.at(0), this.samples.at(-1)];
    if (!first || !last) return { bytes: 0, seconds: 0 };
    return { bytes: last.total - first.total, seconds: last.t - first.t };
  }
}
