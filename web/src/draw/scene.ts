import type { Landmark, Person } from "../api/frame";
import { bodyStrokes, contourStrokes, handStrokes, type Stroke } from "./figure";
import type { Tone } from "./palette";
import type { Point3 } from "./projection";

export interface Segment {
  from: Point3;
  to: Point3;
  tone: Tone;
  weight: number; // of its line: 1 is a limb
}

export interface Scene {
  segments: Segment[];
  radius: number; // metres around the origin that hold it all
  floor: number; // y of its lowest point
}

const minus = (a: Landmark, b: Landmark): Point3 => [a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!];

// Points of a part that has its own origin, set down where `anchor` (one of them) is in the body.
function placed(points: readonly Landmark[] | null, anchor: number, at: Landmark | undefined, scale = 1): Landmark[] | null {
  const from = points?.[anchor];
  if (!points || !from || !at) return null;
  return points.map((point) => {
    const [x, y, z] = minus(point, from);
    return [at[0]! + x * scale, at[1]! + y * scale, at[2]! + z * scale];
  });
}

// The face has no world landmarks: its shape in the picture is scaled by the distance of the ears,
// which the body has in both, and put at the body's nose.
function placedFace(person: Person, image: { width: number; height: number }): Landmark[] | null {
  const [pose, world, face] = [person.pose_landmarks, person.pose_world_landmarks, person.face_landmarks];
  if (!pose?.[8] || !world?.[8] || !face) return null;
  const square = ([x, y, z]: Landmark): Landmark => [x!, (y! * image.height) / image.width, z!];
  const inPicture = Math.hypot(...minus(square(pose[7]!), square(pose[8])));
  if (!(inPicture > 1e-4)) return null;
  const scale = Math.hypot(...minus(world[7]!, world[8])) / inPicture;
  return placed(face.map(square), 1, world[0], scale);
}

function segmentsOf(strokes: readonly Stroke[], weight: number): Segment[] {
  const segments: Segment[] = [];
  for (const { tone, pairs } of strokes) {
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const [from, to] = [pairs[i] as unknown as Point3, pairs[i + 1] as unknown as Point3];
      segments.push({ from, to, tone, weight });
    }
  }
  return segments;
}

function centred(segments: readonly Segment[]): Scene {
  const ends = segments.flatMap(({ from, to }) => [from, to]);
  const low = [0, 1, 2].map((axis) => Math.min(...ends.map((p) => p[axis]!)));
  const high = [0, 1, 2].map((axis) => Math.max(...ends.map((p) => p[axis]!)));
  const middle = low.map((value, axis) => (value + high[axis]!) / 2);
  const move = (p: Point3): Point3 => [p[0] - middle[0]!, p[1] - middle[1]!, p[2] - middle[2]!];
  const moved = segments.map((s) => ({ ...s, from: move(s.from), to: move(s.to) }));
  const radius = Math.max(...moved.flatMap(({ from, to }) => [Math.hypot(...from), Math.hypot(...to)]));
  return { segments: moved, radius: Math.max(radius, 0.05), floor: high[1]! - middle[1]! };
}

// A person in metres around the middle of what is seen of them; null when the body was not found.
export function sceneOf(person: Person | undefined, image: { width: number; height: number }): Scene | null {
  const world = person?.pose_world_landmarks;
  if (!person || !world) return null;
  const left = placed(person.left_hand_world_landmarks, 0, world[15]);
  const right = placed(person.right_hand_world_landmarks, 0, world[16]);
  const face = placedFace(person, image);
  const has = { face: face !== null, leftHand: left !== null, rightHand: right !== null };
  const segments = [
    ...segmentsOf(bodyStrokes(world, has), 1),
    ...segmentsOf([...handStrokes(left, "left"), ...handStrokes(right, "right")], 0.6),
    ...segmentsOf(contourStrokes(face), 0.4),
  ];
  return segments.length > 0 ? centred(segments) : null;
}
