// The element of index.html with this id. A page without it is a bug, so it throws.
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no #${id}`);
  return found as T;
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  text = "",
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

// Writes only what changed: a text node that is replaced each second is read aloud each second.
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

// A 2-D canvas at the resolution of the screen, and its size in CSS pixels.
export function sizedContext(canvas: HTMLCanvasElement): { context: CanvasRenderingContext2D; width: number; height: number } {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = Math.min(window.devicePixelRatio || 1, 3);
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser has no 2-D canvas");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

// The value of a CSS custom property as a colour that a canvas understands, light-dark() resolved.
export function themeColor(name: string): string {
  const probe = byId("color-probe");
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}
