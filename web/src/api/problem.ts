// An answer that is none, as RFC 9457 problem JSON says it; or the nearest to it when it is not that.
export class Problem extends Error {
  constructor(
    readonly status: number, // 0: the service was not reached
    readonly title: string,
    readonly detail: string,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(detail || title);
    this.name = "Problem";
  }
}

const unreached = new Problem(0, "The service is not reached", "It may have stopped, or the network may be down.");

function textOf(value: unknown, otherwise: string): string {
  return typeof value === "string" && value ? value.slice(0, 500) : otherwise;
}

export function problemFrom(status: number, body: string, retryAfter: string | null): Problem {
  let fields: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(body);
    if (parsed && typeof parsed === "object") fields = parsed as Record<string, unknown>;
  } catch {
    // Not JSON: a proxy's page, say. The status alone tells.
  }
  const seconds = Number.parseInt(retryAfter ?? "", 10);
  return new Problem(
    status,
    textOf(fields["title"], `The service answered ${status}`),
    textOf(fields["detail"], ""),
    Number.isFinite(seconds) ? seconds : null,
  );
}

export async function problemOf(response: Response): Promise<Problem> {
  return problemFrom(response.status, await response.text(), response.headers.get("Retry-After"));
}

// Whatever was thrown, as a problem; null for what was given up on purpose.
export function asProblem(thrown: unknown): Problem | null {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof DOMException && thrown.name === "AbortError") return null;
  if (thrown instanceof TypeError) return unreached; // what fetch throws
  return new Problem(0, "Something went wrong in this page", String(thrown).slice(0, 500));
}
