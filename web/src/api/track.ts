import type { Frame } from "./frame";
import { type Format, queryOf, type TrackOptions } from "./options";
import { request } from "./request";
import { parseServerTiming } from "./server_timing";

export interface Tracked {
  frame: Frame;
  json: string; // the document as it came
  stagesMs: Map<string, number>; // queue, decode, infer, encode
  totalMs: number; // as this page saw it
}

function post(picture: Blob, options: TrackOptions, format: Format, signal?: AbortSignal): Promise<Response> {
  const headers = { "Content-Type": picture.type || "application/octet-stream" };
  const init: RequestInit = { method: "POST", body: picture, headers };
  if (signal) init.signal = signal;
  return request(`/v1/track?${queryOf(options, format)}`, init);
}

export async function track(picture: Blob, options: TrackOptions, signal: AbortSignal): Promise<Tracked> {
  const start = performance.now();
  const response = await post(picture, options, "json", signal);
  const json = await response.text();
  const totalMs = performance.now() - start;
  const stagesMs = parseServerTiming(response.headers.get("Server-Timing"));
  return { frame: JSON.parse(json) as Frame, json, stagesMs, totalMs };
}

export async function drawn(picture: Blob, options: TrackOptions, format: "svg" | "jpeg"): Promise<Blob> {
  return (await post(picture, options, format)).blob();
}
