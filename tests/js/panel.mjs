// What stands beside the board: clocks, names, captures and how the game stands.

import assert from "node:assert/strict";
import { test } from "node:test";

import { announcement, capturedText, clockText, infoText, seatName, secondsLeft, statusOf } from "../static/game/panel.js";
import { START } from "../static/state.js";

const PERSON = { player: "person", name: "person" }, ENGINE = { player: "alphabeta", settings: { time: "1" }, name: "alphabeta (time 1)" };
const layout = { captures: 0, colours: { black: "black", white: "white" }, lettering: "GTP",
  notations: { GTP: { names: ["A1", "B1"] } } };
const game = { id: "a", cursor: 3, live: 3, going_on: true, watching: false, over: null, side: 1, swap: null, waiting: "you",
  seats: { black: PERSON, white: ENGINE }, info: {}, captured: [4, 0], left: [60, 60], running: 1,
  control: { per_move: null, per_game: 60, increment: 0 } };
const nodes = new Map([[0, {}], [3, { parent: 0, move: [2, 1] }]]);
const state = (changes = {}) => ({ ...START, layout, nodes, view: {}, game: { ...game, ...changes } });

test("a flag that fell shows nothing left", () => {
  assert.equal(clockText(secondsLeft({ ...game, left: [0.4, 60] }, 1, 0.7)), "0.0");
  assert.equal(clockText(secondsLeft({ ...game, left: [0, 60], running: null }, 1, 0)), "0.0");
});

test("a clock runs for whoever is to move, and stands for the other one", () => {
  assert.equal(clockText(secondsLeft(game, 1, 50.05)), "9.9");
  assert.equal(clockText(secondsLeft(game, 2, 50)), "1:00");
  assert.equal(clockText(secondsLeft({ ...game, left: [null, null] }, 1, 5)), "");
});

test("players have their names from the file, if it has them", () => {
  assert.deepEqual([1, 2].map((colour) => seatName(state(), colour)), ["you", "Engine, 1 s"]);
  assert.deepEqual([1, 2].map((colour) => seatName(state({ seats: { black: PERSON, white: PERSON } }), colour)), ["Black", "White"]);
  assert.equal(seatName(state({ info: { names: { black: "Lin" } } }), 1), "Lin");
  const seats = { black: PERSON, white: { ...ENGINE, settings: { time: "7" } } };
  assert.equal(seatName(state({ seats }), 2), "alphabeta (time 1)", "as the server calls it");
  assert.equal(seatName(state({ watching: true }), 1), "person", "who watches is not meant");
});

test("captures are counted in pairs where pairs are taken", () => {
  const counted = (captures) => capturedText({ game, layout: { ...layout, captures } }, 1);
  assert.deepEqual([0, 10, 15].map(counted), ["", "2 of 5 pairs captured", "4 of 15 stones captured"]);
});

test("how the game stands", () => {
  assert.equal(statusOf(state()), "Black to move: your turn");
  assert.equal(statusOf(state({ waiting: "black" })), "Black is thinking ...");
  assert.equal(statusOf(state({ live: 5 })), "Viewing move 1; the game goes on.");
  assert.equal(statusOf(state({ going_on: false, waiting: null })), "Analysis: Black to move");
  assert.equal(statusOf(state({ over: { winner: 2, text: "5 in a row" } })), "White wins: 5 in a row");
  assert.equal(announcement(state()), "White B1. Black to move: your turn");
});

test("what the file of a game says of it", () => {
  assert.equal(infoText({ opening: "D4 Kagetsu" }), "opening D4 Kagetsu");
  assert.equal(infoText({ event: "Open", round: "3", date: "2026-05-01", rules: "x" }), "Open, round 3, 2026-05-01");
});
