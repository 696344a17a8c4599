// The scene of the board.

import assert from "node:assert/strict";
import { test } from "node:test";

import { described } from "../static/board.js";
import { sceneOf } from "../static/game/scene.js";
import { START } from "../static/state.js";
import { USUAL } from "../static/server/view.js";

const PERSON = { player: "person" };
const layout = { colours: { black: "black", white: "white" }, lettering: "GTP",
  notations: { GTP: { names: ["A1", "B1", "C1"] } } };
const game = { id: "a", cursor: 1, live: 1, going_on: true, over: null, waiting: "you", cells: "100", side: 1,
  last: 0, row: [], taken: [], swap: null, forbidden: [[2, "double three", [0]]], numbers: {},
  seats: { black: PERSON, white: PERSON } };
const scene = (view) => sceneOf({ ...START, layout, game, view: { ...USUAL, ...view } });

test("forbidden points have their reasons on the board and in labels", () => {
  assert.deepEqual([...scene({}).forbidden], [[2, { kind: "double three", stones: [0] }]]);
  assert.equal(described(scene({}), 2), "C1, empty, forbidden: double three, because of A1");
  assert.equal(described(scene({}), 1), "B1, empty");
});

test("forbidden points are not shown to those who look for them themselves", () => {
  const hidden = scene({ forbidden: false });
  assert.equal(hidden.forbidden.size, 0);
  assert.equal(described(hidden, 2), "C1, empty");
});
