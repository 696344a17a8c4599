// The training of openings.

import assert from "node:assert/strict";
import { test } from "node:test";

import { firstNode, hasLines, mayTrain, trainingAfter, trainingOf, trainingWithView } from "../static/study/training.js";

// 0 - 1 (Black 10) - 2 (White 20) - 3 (Black 30) and 4 (Black 40) - 5 (White 50); 1 - 6 (White 60) - 7 (Black 70)
const ROWS = [[0, null, null, [1]], [1, 0, [1, 10], [2, 6]], [2, 1, [2, 20], [3, 4]], [3, 2, [1, 30], []],
  [4, 2, [1, 40], [5]], [5, 4, [2, 50], []], [6, 1, [2, 60], [7]], [7, 6, [1, 70], []]];
const NODES = new Map(ROWS.map(([number, parent, move, children]) => [number, { number, parent, move, children }]));
const first = () => 0;
const at = (cursor, side, training) => ({ nodes: NODES, game: { cursor, side }, training });

test("the page asks the chosen side, and answers for the other one", () => {
  let training = trainingOf(0, 1, 1);
  assert.equal(firstNode(at(0, 1, training), first), 0);
  assert.ok(mayTrain(at(0, 1, training)) && !mayTrain(at(0, 2, training)) && !mayTrain(at(3, 2, training)));
  let node;
  [training, node] = trainingAfter(at(0, 1, training), 11, first);
  assert.deepEqual([node, training.reply], [undefined, { what: "wrong", place: 11 }]);
  [training, node] = trainingAfter(at(0, 1, training), 10, first);
  assert.deepEqual([node, training.reply, training.asked.size, training.solved.size], [2, { what: "right", place: 20 }, 1, 0]);
  [training, node] = trainingAfter(at(2, 1, training), 30, first);
  assert.deepEqual([node, training.reply, [...training.finished], training.solved.size], [3, null, [3], 1]);
});

test("lines that were not reached come first, until all are done", () => {
  let training = { ...trainingOf(1, 1, 2), finished: new Set([3, 5]) };
  assert.equal(firstNode(at(1, 2, training), first), 6);
  assert.ok(hasLines(at(1, 2, training)));
  [training] = trainingAfter(at(6, 1, training), 70, first);
  assert.ok(!hasLines(at(7, 2, training)));
});

test("a question whose solution was viewed is not solved", () => {
  const training = trainingWithView(at(0, 1, trainingOf(0, 1, 1)));
  const [after] = trainingAfter(at(0, 1, training), 10, first);
  assert.deepEqual([after.asked.size, after.solved.size], [1, 0]);
});

test("a position outside the variations is no question", () => {
  assert.ok(!mayTrain(at(0, 1, trainingOf(2, 1, 1))));
});
