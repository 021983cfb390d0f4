// Numbers for people.

export function megabytes(bytes: number): string {
  const mb = bytes / 1e6;
  return `${mb >= 99.5 ? mb.toFixed(0) : mb.toFixed(1)} MB`;
}

export function milliseconds(ms: number): string {
  if (ms >= 9995) return `${(ms / 1000).toFixed(0)} s`;
  if (ms >= 999.5) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms >= 9.95 ? ms.toFixed(0) : ms.toFixed(1)} ms`;
}

export function duration(seconds: number): string {
  const s = Math.floor(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${Math.floor(s / 86400)} d ${Math.floor((s % 86400) / 3600)} h`;
}

// 1234567 -> "1 234 567", with thin spaces.
export function count(value: number): string {
  return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, "\u2009");
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
