// Openings by a rule: what a press on the board means, and what is shown meanwhile.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openingTask, inNames, nextColour, openingGhosts, openingText, pick } from "../static/game/opening.js";

const layout = { colours: { black: "black", white: "white" },
  notations: { GTP: { names: ["H1", "J1", "K1"] } } };
const due = { colour: 2, words: "choose a colour or place 2 stones in alternating colours", swap: true, most: 0,
  stones: ["place", 2], offered: [] };
const game = (opening) => ({ side: 2, waiting: "you", rule: "swap2", opening });
const state = (opening, selection = []) => ({ game: game({ ...due, ...opening }), layout, selection });

test("points are selected until they are complete", () => {
  assert.deepEqual(pick(state(), 1), { selection: [1], action: null });
  assert.deepEqual(pick(state({}, [1]), 1), { selection: [], action: null }, "pressed again: not meant");
  assert.deepEqual(pick(state({}, [1]), 2), { selection: [], action: "place J1 K1" });
  assert.deepEqual(pick(state({ stones: ["choose", 1] }), 0), { selection: [], action: "choose H1" });
});

test("stones that are put in turn have the colours in turn, those that are offered one", () => {
  const colours = (...args) => [...openingGhosts(state(...args)).values()].map(({ colour }) => colour);
  assert.deepEqual(colours({}, [0, 1]), [2, 1]);
  assert.deepEqual(colours({ stones: ["offer", 3] }, [0, 1]), [2, 2]);
  assert.deepEqual([[], [0]].map((selection) => nextColour(state({}, selection))), [2, 1]);
  assert.equal(nextColour(state({ stones: ["offer", 3] }, [0])), 2);
});

test("what is offered is shown until something is chosen", () => {
  const shown = openingGhosts(state({ stones: ["choose", 1], offered: [2, 0] }));
  assert.deepEqual([...shown.keys()], [2, 0]);
  assert.equal(shown.get(2).words, "offered");
  assert.equal(openingGhosts({ game: game(null), selection: [] }), null);
});

test("who is to do what", () => {
  assert.equal(openingText(state({}, [1])), "swap2, White: choose a colour or place 2 stones in alternating colours (1 of 2)");
  assert.equal(openingText({ ...state(), game: { ...state().game, waiting: "white" } }), "White is thinking ...");
  assert.equal(openingTask({ game: { ...game(due), waiting: "white" } }), null);
});

test("points are called as the user sees them", () => {
  assert.equal(inNames("J1 and K1 are symmetrical; D4", layout, (place) => `P${place}`), "P1 and P2 are symmetrical; D4");
});
