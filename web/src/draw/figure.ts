import type { Landmark, Person } from "../api/frame";
import type { Tone } from "./palette";
import * as topology from "./topology";

export interface Layers {
  body: boolean;
  face: boolean;
  mesh: boolean;
  hands: boolean;
}

export type Part = "body" | "hand" | "face" | "mesh";

// Lines of one colour: a list of pairs of points.
export interface Stroke {
  part: Part;
  tone: Tone;
  pairs: Landmark[]; // from, to, from, to, ...
}

const visible = 0.5; // below it a point of the pose is a guess

// The hand's wrist and where its fingers begin in topology.handEdges.
const fingers: readonly (readonly [string, number, number])[] = [
  ["thumb", 1, 4], ["index", 5, 8], ["middle", 9, 12], ["ring", 13, 16], ["pinky", 17, 20],
];

// Points 1..3 and 4..6 are the left and right eye; from 7 on, odd ones are left.
function sideOfPoint(point: number): Tone {
  if (point === 0) return "middle";
  return (point < 7 ? point <= 3 : point % 2 === 1) ? "left" : "right";
}

function sideOf(from: number, to: number): Tone {
  const [a, b] = [sideOfPoint(from), sideOfPoint(to)];
  if (from === 0 || to === 0) return from === 0 ? b : a;
  return a === b ? a : "middle";
}

// The pose has rough points of face (0..10) and hands (17..22): drawn only where the real part is missing.
function isReplaced(point: number, person: { face: boolean; leftHand: boolean; rightHand: boolean }): boolean {
  if (point <= 10) return person.face;
  if (point >= 17 && point <= 22) return point % 2 === 1 ? person.leftHand : person.rightHand;
  return false;
}

export function bodyStrokes(points: readonly Landmark[] | null, has: { face: boolean; leftHand: boolean; rightHand: boolean }): Stroke[] {
  const strokes = new Map<Tone, Landmark[]>();
  for (let i = 0; points && i < topology.poseEdges.length; i += 2) {
    const [from, to] = [topology.poseEdges[i]!, topology.poseEdges[i + 1]!];
    const [a, b] = [points[from], points[to]];
    if (!a || !b || (a[3] ?? 1) < visible || (b[3] ?? 1) < visible) continue;
    if (isReplaced(from, has) || isReplaced(to, has)) continue;
    const tone = sideOf(from, to);
    strokes.set(tone, [...(strokes.get(tone) ?? []), a, b]);
  }
  return [...strokes].map(([tone, pairs]) => ({ part: "body", tone, pairs }));
}

export function handStrokes(points: readonly Landmark[] | null, side: "left" | "right"): Stroke[] {
  if (!points) return [];
  const strokes = new Map<Tone, Landmark[]>();
  for (let i = 0; i < topology.handEdges.length; i += 2) {
    const [from, to] = [topology.handEdges[i]!, topology.handEdges[i + 1]!];
    const finger = fingers.find(([, first, last]) => from >= first && to <= last);
    const tone = `${side}-${finger?.[0] ?? "palm"}` as Tone;
    const [a, b] = [points[from], points[to]];
    if (a && b) strokes.set(tone, [...(strokes.get(tone) ?? []), a, b]);
  }
  return [...strokes].map(([tone, pairs]) => ({ part: "hand", tone, pairs }));
}

function faceStroke(points: readonly Landmark[], tone: Tone, edges: topology.Edges, part: Part = "face"): Stroke {
  const pairs: Landmark[] = [];
  for (let i = 0; i < edges.length; i += 2) {
    const [a, b] = [points[edges[i]!], points[edges[i + 1]!]];
    if (a && b) pairs.push(a, b);
  }
  return { part, tone, pairs };
}

export function contourStrokes(points: readonly Landmark[] | null): Stroke[] {
  if (!points) return [];
  return [
    faceStroke(points, "oval", topology.faceOvalEdges),
    faceStroke(points, "lips", topology.faceLipsEdges),
    faceStroke(points, "left-eye", [...topology.faceLeftEyeEdges, ...topology.faceLeftEyebrowEdges]),
    faceStroke(points, "right-eye", [...topology.faceRightEyeEdges, ...topology.faceRightEyebrowEdges]),
    faceStroke(points, "left-iris", topology.faceLeftIrisEdges),
    faceStroke(points, "right-iris", topology.faceRightIrisEdges),
  ].filter((stroke) => stroke.pairs.length > 0);
}

export function figureOf(person: Person, layers: Layers): Stroke[] {
  const { face_landmarks: face, left_hand_landmarks: left, right_hand_landmarks: right } = person;
  const has = { face: face !== null, leftHand: left !== null, rightHand: right !== null };
  return [
    ...(layers.body ? bodyStrokes(person.pose_landmarks, has) : []),
    ...(layers.mesh && face ? [faceStroke(face, "mesh", topology.faceTessellationEdges, "mesh")] : []),
    ...(layers.face ? contourStrokes(face) : []),
    ...(layers.hands ? [...handStrokes(left, "left"), ...handStrokes(right, "right")] : []),
  ];
}
