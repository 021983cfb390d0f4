import { Ring } from "../base/ring";

// When frames were sent that are not answered yet. Answers come in order, so one for a frame also
// settles all before it: those were dropped for it.
export class SentFrames {
  private readonly times: Ring<{ sequence: number; at: number }>;
  private waiting = 0;

  constructor(capacity: number) {
    this.times = new Ring(capacity);
  }

  get unanswered(): number {
    return this.waiting;
  }

  add(sequence: number, now: number): void {
    this.times.push({ sequence, at: now });
    this.waiting = Math.min(this.waiting + 1, this.times.capacity);
  }

  // How long the frame took; null when it is not known (any more).
  answer(sequence: number, now: number): number | null {
    for (let newer = 0; newer < this.waiting; ++newer) {
      const frame = this.times.at(-1 - newer);
      if (frame?.sequence !== sequence) continue;
      this.waiting = newer;
      return now - frame.at;
    }
    return null;
  }

  oldestAgeMs(now: number): number {
    const oldest = this.waiting > 0 ? this.times.at(-this.waiting) : undefined;
    return oldest ? now - oldest.at : 0;
  }

  clear(): void {
    this.times.clear();
    this.waiting = 0;
  }
}
