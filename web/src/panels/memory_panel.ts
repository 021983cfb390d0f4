import type { ServiceStatus } from "../api/status";
import { byId, make, setText, sizedContext, themeColor } from "../base/dom";
import { megabytes } from "../base/format";
import { type Measure, MemoryHistory, type ProcessLine } from "../base/memory_history";
import { drawMemoryChart, type Series } from "../draw/memory_chart";

const historySamples = 600; // ten minutes
const workerColors = 6;

// The chart of memory over time, and its legend.
export class MemoryPanel {
  private readonly canvas = byId<HTMLCanvasElement>("memory-chart");
  private readonly history = new MemoryHistory(historySamples);
  private readonly colors = new Map<string, number>(); // place of a living process' colour
  private budget = 0;

  constructor() {
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    byId("measure").addEventListener("change", () => this.draw());
  }

  show(status: ServiceStatus): void {
    this.history.add(status);
    this.budget = status.memory.budget_bytes;
    const { bytes, seconds } = this.history.change;
    const sign = bytes < 0 ? "−" : "+";
    const over = seconds >= 90 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds)} s`;
    setText(byId("memory-change"), seconds >= 1 ? `${sign}${megabytes(Math.abs(bytes))} in ${over}` : "");
    this.draw();
  }

  draw(): void {
    const lines = this.history.lines(this.measure);
    const shown = lines.map((line) => ({ line, color: this.colorOf(line) }));
    const live = new Set(lines.map(({ key }) => key));
    for (const key of this.colors.keys()) if (!live.has(key)) this.colors.delete(key);
    const series: Series[] = shown.map(({ line, color }) => ({ color, width: line.alive ? 2 : 1.2, points: line.points }));
    const { context, ...size } = sizedContext(this.canvas);
    const colors = { line: themeColor("--line"), text: themeColor("--muted"), budget: themeColor("--bad") };
    drawMemoryChart(context, size, { series, window: this.history.window, budget: this.budget }, colors);
    this.drawLegend(shown.filter(({ line }) => line.alive));
  }

  private get measure(): Measure {
    return new FormData(byId<HTMLFormElement>("measure")).get("measure") === "pss_bytes" ? "pss_bytes" : "uss_bytes";
  }

  private colorOf(line: ProcessLine): string {
    if (line.role === "supervisor" || line.role === "zygote") return themeColor(`--${line.role}`);
    let place = this.colors.get(line.key);
    if (place === undefined) {
      const taken = new Set(this.colors.values());
      place = 0;
      while (taken.has(place) && place < 1000) ++place;
      this.colors.set(line.key, place);
    }
    return themeColor(`--worker-${place % workerColors}`);
  }

  private drawLegend(shown: readonly { line: ProcessLine; color: string }[]): void {
    const list = byId("memory-legend");
    while (list.children.length > shown.length) list.lastChild?.remove();
    shown.forEach(({ line, color }, i) => {
      const item = list.children[i] ?? list.appendChild(legendItem());
      const [swatch, name, value] = [...item.children] as [HTMLElement, HTMLElement, HTMLElement];
      swatch.style.backgroundColor = color;
      setText(name, line.key);
      setText(value, megabytes(line.points.at(-1)?.value ?? 0));
    });
  }
}

function legendItem(): HTMLLIElement {
  const item = make("li");
  item.append(make("span", "swatch"), make("span", "name"), make("span", "value"));
  return item;
}
