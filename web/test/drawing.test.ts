import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyStrokes, handStrokes } from "../src/draw/figure";
import { fitInside } from "../src/draw/fit";
import { firstView, project, rotate, turned, zoomed } from "../src/draw/projection";
import { ticks } from "../src/draw/ticks";
import * as topology from "../src/draw/topology";

const near = (a: readonly number[], b: readonly number[]): void =>
  a.forEach((value, i) => assert.ok(Math.abs(value - b[i]!) < 1e-9, `${a} is not ${b}`));

test("a picture fits its room in the middle, undistorted", () => {
  assert.deepEqual(fitInside(200, 100, { width: 100, height: 100 }), { x: 0, y: 25, width: 100, height: 50 });
  assert.deepEqual(fitInside(0, 0, { width: 10, height: 20 }), { x: 0, y: 0, width: 10, height: 20 });
});

test("turning keeps lengths", () => {
  const turn = rotate([1, 2, 3], { yaw: 0.7, pitch: -0.3, zoom: 1 });
  near([Math.hypot(...turn)], [Math.hypot(1, 2, 3)]);
  near(rotate([1, 0, 0], { yaw: Math.PI / 2, pitch: 0, zoom: 1 }), [0, 0, -1]);
});

test("the middle stays in the middle, and near things are larger", () => {
  const screen = { width: 300, height: 200, radius: 1 };
  const middle = project([0, 0, 0], firstView, screen);
  near([middle.x, middle.y], [150, 100]);
  const straight = { yaw: 0, pitch: 0, zoom: 1 };
  assert.ok(project([0.5, 0, -1], straight, screen).x > project([0.5, 0, 1], straight, screen).x);
});

test("a view turns round and round, but not over its head; zoom has bounds", () => {
  let view = firstView;
  for (let i = 0; i < 1000; ++i) view = zoomed(turned(view, 0.5, 0.5), 2);
  assert.ok(Math.abs(view.yaw) <= Math.PI && view.pitch < Math.PI / 2);
  assert.equal(view.zoom, 5);
});

test("marks of an axis are round and reach over the most", () => {
  assert.deepEqual(ticks(37, 4), [0, 10, 20, 30, 40]);
  assert.deepEqual(ticks(0), [0, 1]);
});

test("guessed points are not drawn, nor rough ones where the hand was found", () => {
  const points = Array.from({ length: 33 }, () => [0, 0, 0, 1, 1]);
  const edges = (leftHand: boolean): number =>
    bodyStrokes(points, { face: false, leftHand, rightHand: false }).reduce((n, s) => n + s.pairs.length / 2, 0);
  assert.equal(edges(false), topology.poseEdges.length / 2);
  assert.equal(edges(true), topology.poseEdges.length / 2 - 4);
  points[11]![3] = 0.1;
  assert.equal(edges(false), topology.poseEdges.length / 2 - 3);
});

test("a hand has a colour a finger", () => {
  const tones = handStrokes(Array.from({ length: 21 }, () => [0, 0, 0]), "left").map(({ tone }) => tone);
  assert.deepEqual(tones.sort(), ["left-index", "left-middle", "left-palm", "left-pinky", "left-ring", "left-thumb"]);
});
