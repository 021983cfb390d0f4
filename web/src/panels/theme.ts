import { byId } from "../base/dom";

type Theme = "auto" | "light" | "dark";
const order: readonly Theme[] = ["auto", "light", "dark"];
const key = "holostat.theme";

function apply(theme: Theme, button: HTMLButtonElement): void {
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  button.dataset["theme"] = theme;
  button.setAttribute("aria-label", `Colours: ${theme}. Change`);
  button.title = `Colours: ${theme}`;
}

// The button that goes through automatic, light and dark. `changed`: canvases must be drawn anew.
export function setUpTheme(changed: () => void): void {
  const button = byId<HTMLButtonElement>("theme");
  const saved = localStorage.getItem(key);
  let theme = order.find((known) => known === saved) ?? "auto";
  apply(theme, button);
  button.addEventListener("click", () => {
    theme = order[(order.indexOf(theme) + 1) % order.length]!;
    localStorage.setItem(key, theme);
    apply(theme, button);
    changed();
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}
