export interface SseMessage {
  event: string;
  data: string;
}

// Makes messages of the text of an event stream, however it is cut. A message that grows over
// `mostChars` is dropped.
export class SseParser {
  private rest = "";
  private event = "";
  private data: string[] = [];
  private chars = 0;

  constructor(private readonly mostChars = 64 * 1024) {}

  feed(text: string): SseMessage[] {
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? "";
    if (this.rest.length > this.mostChars) this.rest = "";
    return lines.map((line) => this.line(line)).filter((message) => message !== null);
  }

  private line(line: string): SseMessage | null {
    if (line === "") return this.finish();
    const colon = line.indexOf(":");
    if (colon === 0) return null; // a comment keeps the connection open
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.event = value;
    if (field === "data" && (this.chars += value.length) <= this.mostChars) this.data.push(value);
    return null;
  }

  private finish(): SseMessage | null {
    const message = { event: this.event || "message", data: this.data.join("\n") };
    const whole = this.data.length > 0 && this.chars <= this.mostChars;
    this.event = "";
    this.data = [];
    this.chars = 0;
    return whole ? message : null;
  }
}
