import type { Frame, Person } from "../api/frame";
import { poseNames } from "../api/frame";
import { byId, make, setText } from "../base/dom";
import { milliseconds } from "../base/format";
import { announce } from "./announcer";

const parts: readonly { id: string; name: string; of: (person: Person) => number }[] = [
  { id: "part-body", name: "body", of: (p) => p.pose_landmarks?.length ?? 0 },
  { id: "part-face", name: "face", of: (p) => p.face_landmarks?.length ?? 0 },
  { id: "part-left", name: "left hand", of: (p) => p.left_hand_landmarks?.length ?? 0 },
  { id: "part-right", name: "right hand", of: (p) => p.right_hand_landmarks?.length ?? 0 },
];

const stages: readonly (readonly [string, string])[] = [
  ["queue", "waiting"], ["decode", "decode"], ["infer", "models"], ["encode", "encode"],
];

// How many there are, and of whom the points below are.
export function summaryOf(frame: Frame): string {
  const person = frame.people[0];
  if (!person) return "nobody found";
  const score = `score ${person.score.toFixed(2)}`;
  return frame.people.length === 1 ? `one person, ${score}` : `${frame.people.length} people; of person ${person.id}, ${score}`;
}

// How many points of each part were found.
export function showParts(frame: Frame | null): void {
  const person = frame?.people[0];
  for (const { id, of } of parts) {
    const points = person ? of(person) : 0;
    setText(byId(`${id}-points`), points ? String(points) : "–");
    byId(id).classList.toggle("found", points > 0);
  }
  setText(byId("result-summary"), frame ? summaryOf(frame) : "");
}

export function announceResult(frame: Frame): void {
  const person = frame.people[0];
  if (!person) return announce("Nobody was found in the picture.");
  if (frame.people.length > 1) return announce(`Found ${frame.people.length} people.`);
  const found = parts.filter(({ of }) => of(person) > 0).map(({ name }) => name);
  announce(`Found one person: ${found.join(", ")}.`);
}

// A bar of what took how long. `totalMs`: as this page saw it; the rest is network and browser.
export function showTiming(stagesMs: ReadonlyMap<string, number>, totalMs: number): void {
  const known = stages.map(([name, label]) => ({ name, label, ms: stagesMs.get(name) ?? 0 }));
  const rest = Math.max(0, totalMs - known.reduce((sum, { ms }) => sum + ms, 0));
  const all = [...known, { name: "rest", label: "network", ms: rest }];
  const whole = all.reduce((sum, { ms }) => sum + ms, 0) || 1;
  for (const { name, ms } of all) {
    byId(`time-${name}`).style.flexGrow = String(ms / whole);
    setText(byId(`time-${name}-ms`), stagesMs.size || name === "rest" ? milliseconds(ms) : "–");
  }
  setText(byId("time-total"), milliseconds(totalMs));
}

// The body's points as numbers, for who wants to read them.
export function showNumbers(frame: Frame | null): void {
  const body = byId<HTMLTableSectionElement>("numbers-body");
  if (!byId<HTMLDetailsElement>("numbers").open) return;
  const points = frame?.people[0]?.pose_landmarks ?? [];
  body.replaceChildren(...points.map((point, i) => {
    const row = make("tr");
    const name = make("th", "", poseNames[i] ?? String(i));
    name.scope = "row";
    row.append(name, ...point.slice(0, 4).map((value) => make("td", "", value.toFixed(4))));
    return row;
  }));
}
