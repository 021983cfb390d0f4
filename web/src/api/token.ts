import { base64url } from "../base/base64url";

// The service's token: in this tab only, gone when it is closed. Never in a URL.
const key = "holostat.token";

export function token(): string {
  return sessionStorage.getItem(key) ?? "";
}

export function setToken(value: string): void {
  if (value) sessionStorage.setItem(key, value);
  else sessionStorage.removeItem(key);
}

// A browser cannot set headers of a WebSocket, so the token goes as a subprotocol (docs/live.md).
export function webSocketProtocols(): string[] {
  const held = token();
  return held ? ["holostat.v1", `holostat.bearer.${base64url(held)}`] : ["holostat.v1"];
}
