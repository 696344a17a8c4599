// Opponents and clocks in plain words, addresses, rules, pictures, sounds and notices.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LOST, whyClosed } from "../static/server/connection.js";
import { noteOn } from "../static/server/gamelist.js";
import { sidesOf, titleOf } from "../static/dom.js";
import { CLOCKS, OPPONENTS, clockOf, withSwappedColours, opponentOf, opponentsOf } from "../static/game/opponents.js";
import { pictureAddress } from "../static/server/picture.js";
import { parseAddress } from "../static/server/routes.js";
import { marksOf, showsPlan } from "../static/game/scene.js";
import { soundOf } from "../static/server/sound.js";
import { loadView } from "../static/server/view.js";
import { interval, signed } from "../static/lesson/watch.js";

test("settings have plain words where possible", () => {
  for (const [key, , seat] of OPPONENTS) assert.equal(opponentOf({ ...seat, settings: { ...seat.settings } }), key);
  assert.equal(opponentOf({ player: "alphabeta", settings: { time: "7" } }), "own");
  for (const [key, , control] of CLOCKS) assert.equal(clockOf(control), key);
  assert.equal(clockOf({ per_move: 7, per_game: null, increment: 0 }), "own");
  assert.deepEqual(withSwappedColours({ black: 1, white: 2, size: 9 }), { black: 2, white: 1, size: 9 });
});

test("rectangles", () => {
  assert.deepEqual([15, "15", "12x10", "12 × 10", 9].map(sidesOf), [[15, 15], [15, 15], [12, 10], [12, 10], [9, 9]]);
  assert.equal(titleOf({ game: "4-in-a-row", size: "12x10", cube: false }), "4-in-a-row, 12 × 10");
  assert.equal(titleOf({ game: "Qubic", size: 8, cube: true }), "Qubic, 4 × 4 × 4");
  assert.ok(opponentsOf(true).every(([, , { player }]) => player !== "flat"));
  assert.ok(opponentsOf(false).every(([, , { player }]) => player !== "alphabeta"));
});

test("addresses", () => {
  const table = { "": { to: "start" }, "#games": { to: "games" }, "#game=ab": { to: "game", id: "ab", node: null },
    "#game=ab&node=7": { to: "game", id: "ab", node: 7 }, "#watch=0": { to: "watch", tournament: 0, play: null },
    "#watch=0&play=12": { to: "watch", tournament: 0, play: 12 }, "#rules=Pente": { to: "rules", name: "Pente" },
    "#game=ab&node=x": { to: "game", id: "ab", node: null } };
  for (const [hash, target] of Object.entries(table)) assert.deepEqual(parseAddress(hash), target);
});

test("a server that is full says so", () => {
  assert.equal(whyClosed({ code: 4001, reason: "there are 64 pages." }), "there are 64 pages. Reconnecting ...");
  assert.equal(whyClosed({ code: 1006, reason: "" }), LOST);
});

test("the address of a picture has what is drawn", () => {
  assert.equal(pictureAddress({ size: 3, cells: "120000001", last: 0, row: [], crosses: [4, 5], labels: { 8: "x&" } }),
    "picture.svg?size=3&cells=120000001&last=0&crosses=4%2C5&labels=8%3Ax%26");
});

test("threats on one point are written together", () => {
  const marks = marksOf({ shapes: [["four", 1, [7]], ["open three", 2, [7, 8]]], rules: { 7: "Fork", 9: "Win" } }, (colour) => `c${colour}`);
  assert.deepEqual(marks.get(7), { text: "●4○3", kind: "four", words: "c1 makes four, c2 makes open three, rule Fork" });
  assert.equal(marks.get(9).text, "W");
});

test("what the opponent expects is hidden in games of one's own", () => {
  const seats = (...players) => ({ black: { player: players[0] }, white: { player: players[1] } });
  const shown = (players, plan, playing = true) => showsPlan({ game: { playing, seats: seats(...players) }, view: { plan } });
  assert.equal(shown(["person", "alphabeta"], false), false);
  assert.equal(shown(["person", "alphabeta"], true), true);
  assert.equal(shown(["flat", "alphabeta"], false), true);
});

test("sounds follow the game that is played, if they are wanted", () => {
  const state = (game, more = {}) => ({ view: { sound: true }, ended: false, ...more, game: { id: "a", cursor: 1, live: 1, last: 3, taken: [], ...game } });
  const before = state({ cells: "0" });
  assert.equal(soundOf(state({ cells: "1" }), before), "stone");
  assert.equal(soundOf(state({ cells: "1", taken: [4] }), before), "capture");
  assert.equal(soundOf(state({ cells: "1" }, { ended: true }), before), "end");
  assert.equal(soundOf(state({ cells: "1", live: 5 }), before), null);
  assert.equal(soundOf(state({ cells: "1" }, { view: { sound: false } }), before), null);
});

test("settings are stored; damaged ones fall back to the default", () => {
  const storage = { "gtp_engine.board": '"slate"', "gtp_engine.cube": "{" };
  const view = loadView({ getItem: (key) => storage[key] ?? null });
  assert.deepEqual([view.board, view.cube, view.sound], ["slate", "both", false]);
});

test("ratings and lists in words", () => {
  assert.deepEqual([3.4, -0.6, null].map(signed), ["+3", "−1", "–"]);
  assert.equal(interval({ low: 0, high: 0 }), "too few games");
  assert.equal(interval({ low: null, high: 12 }), "open to +12");
  assert.equal(noteOn({ games: [], count: 2, search: "lin" }), "2 games match “lin”.");
});
