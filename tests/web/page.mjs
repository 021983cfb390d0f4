// A page of the service in Chromium, and what every test asks of it at the end.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

export const { URL: freeUrl, LOCKED_URL: lockedUrl, TOKEN: token, DEMO: demo, SCRATCH: scratch } = process.env;

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
      `--use-file-for-fake-video-capture=${process.env.CAMERA}`, "--js-flags=--expose-gc", "--enable-precise-memory-info"],
  });
}

// Runs `body(page)`; fails on any console error but those `allowed`, and on any request elsewhere.
export async function withPage(browser, options, body) {
  const { url = freeUrl, allowed = /^$/, ...context } = options;
  const page = await browser.newPage({ viewport: { width: 1360, height: 900 }, ...context });
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !allowed.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const asked = new URL(request.url());
    if (asked.protocol !== "blob:" && asked.origin !== new URL(url).origin) complaints.push(`asked ${asked}`);
  });
  try {
    await page.goto(url);
    await body(page);
    assert.deepEqual(complaints, []);
  } finally {
    await page.close();
  }
}

export const tracked = (page) => page.waitForSelector("#part-body.found", { timeout: 20000 });

export async function parts(page) {
  return Promise.all(["body", "face", "left", "right"].map((part) => page.textContent(`#part-${part}-points`)));
}

// The colours of the canvas at fractions of the picture.
export function colorsAt(page, points) {
  return page.evaluate((at) => {
    const canvas = document.getElementById("picture");
    const context = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    return at.map(([x, y]) => [...context.getImageData(Math.round(x * canvas.width), Math.round(y * canvas.height), 1, 1).data]);
  }, points);
}
