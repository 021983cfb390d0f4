import assert from "node:assert/strict";
import { test } from "node:test";
import { SentFrames } from "../src/api/sent_frames";
import { Backoff } from "../src/base/backoff";
import { EventHistory } from "../src/base/event_history";
import { MemoryHistory } from "../src/base/memory_history";
import { Rate } from "../src/base/rate";
import { Ring } from "../src/base/ring";

test("a full ring lets the oldest go", () => {
  const ring = new Ring<number>(3);
  for (let i = 0; i < 1000; ++i) ring.push(i);
  assert.deepEqual([...ring], [997, 998, 999]);
  assert.equal(ring.at(-1), 999);
  assert.equal(ring.at(3), undefined);
});

test("an answer settles the frames before it", () => {
  const sent = new SentFrames(8);
  for (let i = 0; i < 4; ++i) sent.add(i, 100 * i);
  assert.equal(sent.answer(2, 250), 50);
  assert.equal(sent.unanswered, 1);
  assert.equal(sent.oldestAgeMs(500), 200);
  assert.equal(sent.answer(2, 260), null);
});

test("pauses double up to their bound and begin anew", () => {
  const backoff = new Backoff(100, 1000, () => 0.5);
  assert.deepEqual([1, 2, 3, 4, 5, 6].map(() => backoff.next()), [100, 200, 400, 800, 1000, 1000]);
  backoff.reset();
  assert.equal(backoff.next(), 100);
});

test("a rate begins anew with the service", () => {
  const rate = new Rate(5);
  rate.add(10, 100);
  assert.equal(rate.add(12, 120), 10);
  assert.equal(rate.add(1, 4), 0);
});

test("an event that comes twice is one, and the newest stay", () => {
  const history = new EventHistory(2);
  assert.ok(history.add([{ uptime_s: 1, text: "a" }, { uptime_s: 2, text: "b" }]));
  assert.ok(!history.add([{ uptime_s: 2.0004, text: "b" }]));
  history.add([{ uptime_s: 3, text: "c" }]);
  assert.deepEqual(history.newestFirst.map(({ text }) => text), ["c", "b"]);
});

test("what a page that is open for a day remembers is bounded", () => {
  const history = new MemoryHistory(10);
  const totals = { requests: 0, ok: 0, client_errors: 0, retried: 0, failed: 0, worker_exits: {}, leak_alarms: 0 };
  for (let t = 0; t < 86400; t += 10) {
    const process = {
      role: "worker", id: t, pid: t, state: "idle", generation: 1, age_s: 1, requests: 1,
      uss_bytes: t, pss_bytes: t, rss_bytes: t, fds: 1,
    };
    const memory = { service_pss_bytes: t, budget_bytes: 0, level: "normal" };
    history.add({ uptime_s: t, processes: [process], totals, memory });
  }
  assert.equal(history.lines("uss_bytes").length, 10);
  assert.equal(history.lines("uss_bytes").filter(({ alive }) => alive).length, 1);
});
