import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { colorsAt, demo, freeUrl, launch, lockedUrl, parts, scratch, token, tracked, withPage } from "./page.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

async function answer() {
  const response = await fetch(`${freeUrl}/v1/track`, { method: "POST", body: await readFile(demo), headers: { "Content-Type": "image/jpeg" } });
  assert.equal(response.status, 200);
  return response.json();
}

test("the sample is tracked at once, and drawn where the API says", () => withPage(browser, {}, async (page) => {
  await tracked(page);
  assert.deepEqual(await parts(page), ["33", "478", "21", "21"]);
  const [person] = (await answer()).people;
  const joints = [11, 12, 13, 14].map((i) => person.pose_landmarks[i]);
  await page.waitForFunction(() => document.getElementById("time-total").textContent !== "–");
  const drawn = await colorsAt(page, joints);
  for (const [r, g, b] of drawn) assert.ok(Math.min(r, g, b) > 200, `no joint at ${drawn}`);
  await page.uncheck("[name=body]", { force: true });
  await page.waitForTimeout(100);
  const bare = await colorsAt(page, joints);
  assert.notDeepEqual(bare, drawn);
}));

test("the numbers are those of the API", () => withPage(browser, {}, async (page) => {
  await tracked(page);
  await page.click("#numbers summary");
  await page.waitForSelector("#numbers-body tr:nth-child(33)");
  const shown = await page.$$eval("#numbers-body tr", (rows) => rows.map((row) => [...row.querySelectorAll("td")].map((cell) => Number(cell.textContent))));
  const [person] = (await answer()).people;
  shown.forEach((row, i) => row.forEach((value, k) => assert.ok(Math.abs(value - person.pose_landmarks[i][k]) < 2e-3, `point ${i}: ${row}`)));
}));

test("what is no picture is refused with a reason, and the next picture is tracked", () =>
  withPage(browser, { allowed: /status of 4(15|22)/ }, async (page) => {
    await tracked(page);
    const bad = path.join(scratch, "bad.jpg");
    await writeFile(bad, "not a picture");
    await page.setInputFiles("#file", bad);
    await page.waitForSelector("#notice:not([hidden])");
    assert.ok((await page.textContent("#notice")).trim().length > 10);
    await page.setInputFiles("#file", demo);
    await tracked(page);
    assert.ok(await page.isHidden("#notice"));
  }));

test("every format can be saved", () => withPage(browser, { acceptDownloads: true }, async (page) => {
  await tracked(page);
  const starts = { json: '{"schema":"holostat.frame/1"', svg: "<", jpeg: "\xff\xd8" };
  for (const [kind, start] of Object.entries(starts)) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(`#download-${kind}`)]);
    const bytes = await readFile(await download.path());
    assert.ok(bytes.toString("latin1").startsWith(start), kind);
  }
}));

test("the panel moves", () => withPage(browser, {}, async (page) => {
  await tracked(page);
  const requests = () => page.textContent("#rate-note");
  const first = await requests();
  await page.click("#sample");
  await page.waitForFunction((old) => document.getElementById("rate-note").textContent !== old, first, { timeout: 10000 });
  assert.match(await page.textContent("#memory-legend"), /supervisor.*MB.*zygote.*MB.*worker \d+.*MB/s);
  assert.match(await page.textContent("#memory-now"), /MB/);
  const uptime = await page.textContent("#uptime");
  await page.waitForFunction((old) => document.getElementById("uptime").textContent !== old, uptime, { timeout: 10000 });
}));

test("it fits a phone, in light and dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await withPage(browser, { viewport: { width: 360, height: 740 }, colorScheme }, async (page) => {
      await tracked(page);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const [r] = ground.match(/\d+/g).map(Number);
      assert.ok(colorScheme === "light" ? r > 200 : r < 60, ground);
    });
  }
});

test("it can be used with the keyboard alone", () => withPage(browser, {}, async (page) => {
  await tracked(page);
  const reached = new Set();
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => document.activeElement.id || document.activeElement.getAttribute("name") || "");
    reached.add(at);
    if (at !== "world") continue;
    const picture = () => page.evaluate(() => document.getElementById("world").toDataURL());
    const before = await picture();
    await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(100);
    assert.notEqual(await picture(), before, "the arrow key did not turn the view");
  }
  for (const id of ["open", "camera", "sample", "body", "download-json", "complexity", "refine_face", "world", "theme"]) {
    assert.ok(reached.has(id), `${id} is not reached by Tab`);
  }
}));

test("a token is asked for, sent, and used for all that follows", () =>
  withPage(browser, { url: lockedUrl, allowed: /status of 401/ }, async (page) => {
    await page.waitForSelector("#token-dialog[open]");
    await page.fill("#token-input", "wrong");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#token-wrong:not([hidden])");
    await page.fill("#token-input", token);
    await page.keyboard.press("Enter");
    await tracked(page);
    await page.waitForSelector("#service[data-state=ok]");
    assert.equal(await page.evaluate(() => localStorage.length), 0);
  }));

test("the camera is tracked live, and let go", () => withPage(browser, {}, async (page) => {
  await tracked(page);
  await page.click("#camera");
  await page.waitForSelector("#live[data-state=open]", { timeout: 10000 });
  await page.waitForFunction(() => /delay \d/.test(document.getElementById("live-delay").textContent), null, { timeout: 20000 });
  await tracked(page);
  assert.deepEqual(await parts(page), ["33", "478", "21", "21"]);
  await page.click("#camera");
  assert.ok(await page.isHidden("#live"));
  await tracked(page);
}));

const pictures = Number(process.env.HOLOSTAT_UPLOADS ?? 40);

test("many pictures leave nothing behind in the page", { timeout: 240000 }, () => withPage(browser, {}, async (page) => {
  await tracked(page);
  const heap = () => page.evaluate(async () => {
    for (let i = 0; i < 3; ++i) gc();
    return performance.memory.usedJSHeapSize;
  });
  const upload = async (times) => {
    for (let i = 0; i < times; ++i) {
      const done = page.waitForResponse(/v1\/track/);
      await page.setInputFiles("#file", demo);
      await (await done).finished();
    }
  };
  await upload(20);
  const first = await heap();
  await upload(pictures);
  const grown = (await heap()) - first;
  console.log(`the page's heap grew by ${(grown / 1024).toFixed(0)} KiB over ${pictures} pictures`);
  assert.ok(grown < 2 * 1024 * 1024, `${grown} bytes`);
}));
