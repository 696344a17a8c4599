// What is shown of an analysis.

import assert from "node:assert/strict";
import { test } from "node:test";

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
