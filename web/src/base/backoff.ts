// How long to wait before the next attempt: twice as long each time, at most `mostMs`, and a little
// by chance, so that many pages do not come back at the same moment.
export class Backoff {
  private attempts = 0;

  constructor(
    private readonly firstMs = 500,
    private readonly mostMs = 15000,
    private readonly random: () => number = Math.random,
  ) {}

  next(): number {
    const plain = Math.min(this.firstMs * 2 ** this.attempts, this.mostMs);
    this.attempts = Math.min(this.attempts + 1, 16);
    return plain * (0.75 + 0.5 * this.random());
  }

  reset(): void {
    this.attempts = 0;
  }
}
