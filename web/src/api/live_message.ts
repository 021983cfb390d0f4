import type { Frame } from "./frame";

// What the service says in a live session (docs/live.md), with output=json.
export type LiveMessage =
  | { type: "ready"; session: string }
  | { type: "frame"; sequence: number; dropped: number; timing_ms: Record<string, number>; frame: Frame }
  | { type: "notice"; reason: string; detail: string }
  | { type: "error"; status: number; title: string; detail: string; sequence?: number };

export function parseLiveMessage(text: string): LiveMessage | null {
  try {
    const parsed = JSON.parse(text) as LiveMessage | null;
    return parsed && typeof parsed.type === "string" ? parsed : null;
  } catch {
    return null;
  }
}

// Why a session ended, and whether it is worth to begin another.
export function closeReason(code: number, reason: string): { text: string; retry: boolean } {
  switch (code) {
    case 1000: return { text: "The live session has ended.", retry: false };
    case 1001: return { text: "The service is stopping.", retry: true };
    case 1008: return { text: reason || "The service refused what this page sent.", retry: false };
    case 1009: return { text: "A frame was too large for the service.", retry: false };
    case 1013: return { text: "The service has no room for another live session.", retry: true };
    case 4408: return { text: "The session was idle.", retry: true };
    default: return { text: "The connection was lost.", retry: true };
  }
}
