import { byId } from "../base/dom";

// Tells people who listen rather than look.
export function announce(text: string): void {
  byId("announcer").textContent = text;
}
