import assert from "node:assert/strict";
import { test } from "node:test";
import { writeLiveHeader } from "../src/api/live_header";
import { closeReason, parseLiveMessage } from "../src/api/live_message";
import { problemFrom } from "../src/api/problem";
import { parseServerTiming } from "../src/api/server_timing";
import { SseParser } from "../src/api/sse_parser";
import { base64url } from "../src/base/base64url";

test("the header of a live frame is that of docs/live.md", () => {
  const header = writeLiveHeader({ kind: 1, sequence: 0x01020304, width: 5, height: 6, timestampUs: 2 ** 33 + 0.4 });
  assert.equal(Buffer.from(header).toString("hex"), "010100000403020105000000060000000000000002000000");
});

test("an event stream may be cut anywhere", () => {
  const text = ': hello\n\nevent: alarm\r\ndata: {"text":"a"}\r\n\r\ndata: one\ndata: two\n\nevent: empty\n\n';
  for (let cut = 1; cut < 9; ++cut) {
    const parser = new SseParser();
    const messages = [];
    for (let at = 0; at < text.length; at += cut) messages.push(...parser.feed(text.slice(at, at + cut)));
    assert.deepEqual(messages, [{ event: "alarm", data: '{"text":"a"}' }, { event: "message", data: "one\ntwo" }]);
  }
});

test("an event without an end is not kept for ever", () => {
  const parser = new SseParser(100);
  for (let i = 0; i < 1000; ++i) parser.feed("data: 0123456789\n");
  assert.deepEqual(parser.feed("\n"), []);
  assert.deepEqual(parser.feed("data: next\n\n"), [{ event: "message", data: "next" }]);
});

test("stage times are read, and what is none is left out", () => {
  const times = parseServerTiming('queue;dur=0.2, infer;desc="models";dur=41.5, odd, bad;dur=x');
  assert.deepEqual([...times], [["queue", 0.2], ["infer", 41.5]]);
  assert.equal(parseServerTiming(null).size, 0);
});

test("a problem says what the service said, or the status when it said nothing", () => {
  const problem = problemFrom(503, '{"title":"Busy","detail":"64 wait"}', "2");
  assert.deepEqual([problem.title, problem.detail, problem.retryAfterSeconds], ["Busy", "64 wait", 2]);
  assert.equal(problemFrom(502, "<html>", null).title, "The service answered 502");
});

test("live messages that are none are left out", () => {
  assert.equal(parseLiveMessage("{"), null);
  assert.equal(parseLiveMessage("null"), null);
  assert.equal(parseLiveMessage('{"type":"ready","session":"a"}')?.type, "ready");
});

test("a refused session is not tried again, a lost one is", () => {
  assert.equal(closeReason(1008, "").retry, false);
  assert.equal(closeReason(1006, "").retry, true);
});

test("a token becomes letters, digits, - and _", () => {
  assert.equal(base64url("a?>~é"), Buffer.from("a?>~é").toString("base64url"));
});
