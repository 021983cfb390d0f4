import { Problem, problemOf } from "./problem";
import { token } from "./token";

// Asks the person for a token; false: they would not give one. Set by the page.
let askForToken: () => Promise<boolean> = async () => false;

export function onTokenNeeded(ask: () => Promise<boolean>): void {
  askForToken = ask;
}

function send(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token()) headers.set("Authorization", `Bearer ${token()}`);
  return fetch(path, { ...init, headers, cache: "no-store" });
}

// A good answer of the service; a Problem otherwise. Where a token is needed it is asked for, and the
// request is sent again.
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  let response = await send(path, init);
  while (response.status === 401) {
    await response.body?.cancel();
    if (!(await askForToken())) throw new Problem(401, "A token is needed", "This service answers only with its token.");
    response = await send(path, init);
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}
