import { ticks } from "./ticks";

export interface Series {
  color: string;
  width: number;
  points: { t: number; value: number }[]; // seconds, bytes
}

export interface ChartColors {
  line: string;
  text: string;
  budget: string;
}

const margin = { left: 46, right: 10, top: 10, bottom: 22 };

interface Scales {
  x: (t: number) => number;
  y: (bytes: number) => number;
  right: number;
  bottom: number;
}

function drawAxes(context: CanvasRenderingContext2D, scales: Scales, marks: number[], window: { from: number; to: number }, colors: ChartColors): void {
  context.font = "11px system-ui, sans-serif";
  context.fillStyle = colors.text;
  context.strokeStyle = colors.line;
  context.lineWidth = 1;
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const mark of marks) {
    const y = Math.round(scales.y(mark)) + 0.5;
    context.beginPath();
    context.moveTo(margin.left, y);
    context.lineTo(scales.right, y);
    context.stroke();
    context.fillText(`${+(mark / 1e6).toFixed(1)} MB`, margin.left - 6, y);
  }
  context.textBaseline = "alphabetic";
  const seconds = window.to - window.from;
  context.textAlign = "left";
  context.fillText(`${seconds >= 120 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds)} s`} ago`, margin.left, scales.bottom + 16);
  context.textAlign = "right";
  context.fillText("now", scales.right, scales.bottom + 16);
}

function drawSeries(context: CanvasRenderingContext2D, series: Series, scales: Scales): void {
  context.strokeStyle = series.color;
  context.fillStyle = series.color;
  context.lineWidth = series.width;
  context.beginPath();
  series.points.forEach(({ t, value }, i) => (i ? context.lineTo(scales.x(t), scales.y(value)) : context.moveTo(scales.x(t), scales.y(value))));
  context.stroke();
  const last = series.points.at(-1);
  if (!last) return;
  context.beginPath();
  context.arc(scales.x(last.t), scales.y(last.value), series.width * 1.3, 0, 2 * Math.PI);
  context.fill();
}

// Memory over time, from zero: what is flat looks flat.
export function drawMemoryChart(
  context: CanvasRenderingContext2D,
  size: { width: number; height: number },
  data: { series: Series[]; window: { from: number; to: number }; budget: number },
  colors: ChartColors,
): void {
  const most = Math.max(1e6, ...data.series.flatMap((series) => series.points.map((point) => point.value)));
  const marks = ticks(most * 1.05, size.height > 200 ? 5 : 3);
  const [right, bottom, top] = [size.width - margin.right, size.height - margin.bottom, marks.at(-1)!];
  const { from, to } = data.window;
  const scales: Scales = {
    x: (t) => margin.left + ((right - margin.left) * (t - from)) / Math.max(1e-9, to - from),
    y: (bytes) => bottom - ((bottom - margin.top) * bytes) / top,
    right,
    bottom,
  };
  drawAxes(context, scales, marks, data.window, colors);
  context.lineJoin = "round";
  if (data.budget > 0 && data.budget <= top) {
    context.setLineDash([5, 4]);
    drawSeries(context, { color: colors.budget, width: 1, points: [{ t: from, value: data.budget }, { t: to, value: data.budget }] }, scales);
    context.setLineDash([]);
  }
  for (const series of data.series) drawSeries(context, series, scales);
}
