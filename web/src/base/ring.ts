// The last `capacity` values: the oldest leaves when one comes in. Never grows.
export class Ring<T> {
  private readonly values: T[] = [];
  private next = 0;

  constructor(readonly capacity: number) {
    if (!(capacity >= 1)) throw new RangeError("a ring holds at least one value");
  }

  get length(): number {
    return this.values.length;
  }

  push(value: T): void {
    this.values[this.next] = value;
    this.next = (this.next + 1) % this.capacity;
  }

  // 0 is the oldest, -1 the newest.
  at(index: number): T | undefined {
    const from = index < 0 ? index + this.length : index;
    if (from < 0 || from >= this.length) return undefined;
    const start = this.length < this.capacity ? 0 : this.next;
    return this.values[(start + from) % this.capacity];
  }

  *[Symbol.iterator](): IterableIterator<T> {
    for (let i = 0; i < this.length; ++i) yield this.at(i) as T;
  }

  clear(): void {
    this.values.length = 0;
    this.next = 0;
  }
}
