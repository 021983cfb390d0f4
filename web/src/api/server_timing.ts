// Milliseconds by name of a Server-Timing header: "queue;dur=0.2, infer;dur=41.5".
export function parseServerTiming(header: string | null): Map<string, number> {
  const times = new Map<string, number>();
  for (const entry of (header ?? "").split(",").slice(0, 32)) {
    const [name, ...parameters] = entry.split(";").map((part) => part.trim());
    const duration = parameters.find((p) => p.startsWith("dur="));
    const ms = duration ? Number.parseFloat(duration.slice(4).replace(/^"/, "")) : Number.NaN;
    if (name && Number.isFinite(ms)) times.set(name, ms);
  }
  return times;
}
