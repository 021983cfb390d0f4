import { Ring } from "./ring";

// How fast a counter rises, over the last `samples` looks at it.
export class Rate {
  private readonly seen: Ring<{ t: number; count: number }>;

  constructor(samples: number) {
    this.seen = new Ring(samples);
  }

  add(t: number, count: number): number {
    const last = this.seen.at(-1);
    if (last && (t < last.t || count < last.count)) this.seen.clear(); // the service began anew
    this.seen.push({ t, count });
    const first = this.seen.at(0)!;
    return t > first.t ? (count - first.count) / (t - first.t) : 0;
  }
}
