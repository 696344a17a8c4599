// What is shown of an analysis.

import assert from "node:assert/strict";
import { test } from "node:test";

import { heatOfProof, hidesPlies } from "../static/study/proofpanel.js";
import { colouredMoves, valueWords, rankMoves, valueLabel, toneOf } from "../static/study/values.js";

const places = (report) => rankMoves(report).map(({ place }) => place);

test("a lost position is not green, and what holds longest comes first", () => {
  const report = { values: { 0: -1, 1: -1, 2: -1, 3: -1 }, plies: { 0: 2, 1: 8, 2: 4 }, line: [1, 5] };
  assert.deepEqual(places(report), [1, 2, 0, 3]);
  assert.deepEqual(colouredMoves(report).map(({ value }) => toneOf(value)), ["lost", "lost", "lost", "lost"]);
  assert.deepEqual(rankMoves(report)[0].line, [1, 5]);
});

test("of wins the quickest comes first, then what is open, then losses", () => {
  assert.deepEqual(places({ values: { 0: 0.2, 1: 1, 2: 1, 3: -1, 4: 0.6 }, plies: { 1: 9, 2: 5, 3: 4 } }), [2, 1, 4, 0, 3]);
});

test("of moves tried by playouts the one tried most comes first", () => {
  assert.deepEqual(places({ values: { 0: 0.5, 1: 0.4 }, playouts: { 0: 10, 1: 90 } }), [1, 0]);
});

test("colours follow the value", () => {
  assert.deepEqual([1, 0.6, 0.1, -0.1, -0.6, -1].map(toneOf), ["won", "good", "even", "even", "bad", "lost"]);
});

test("proved values show their plies", () => {
  assert.deepEqual([[1, 5], [-1, 8], [-1, null], [0.5, null]].map(([value, plies]) => valueLabel({ value, plies })),
    ["+5", "−8", "0", "75"]);
  assert.deepEqual([valueWords({ value: 1, plies: 5 }), valueWords({ value: -1, plies: 8 }), valueWords({ value: 0, plies: null })],
    ["wins in 5", "loses in 8", "50 %"]);
});

test("moves that are much worse than the best have no colour", () => {
  assert.deepEqual(colouredMoves({ values: { 0: 0.5, 1: 0.3, 2: 0.1 } }).map(({ place }) => place), [0, 1]);
});

test("the plies to a proved end are hidden in a game against a program, until the user asks", () => {
  const state = (black, white, more = {}) => ({ hello: { proofs: [["Gomoku", 15]] }, layout: { game: "Gomoku", size: 15 },
    game: { going_on: true, watching: false, seats: { black: { player: black }, white: { player: white } } },
    gomokuProof: null, plies: false, ...more });
  assert.equal(hidesPlies(state("alphabeta", "person")), true);
  assert.equal(hidesPlies(state("person", "person")), false);
  for (const more of [{ plies: true }, { gomokuProof: { says: null } }, { layout: { game: "Gomoku", size: 19 } },
    { game: { ...state("alphabeta", "person").game, going_on: false } }]) {
    assert.equal(hidesPlies(state("alphabeta", "person", more)), false);
  }
  assert.equal(heatOfProof({ plies: 41, move: 7, answers: {} }, true).get(7).text, "");
  assert.equal(heatOfProof({ plies: 41, move: 7, answers: {} }, false).get(7).text, "+41");
  assert.equal(heatOfProof({ plies: 40, move: null, answers: { 3: ["entry", 38] } }, true).size, 0);
});
