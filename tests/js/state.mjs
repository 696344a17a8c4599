// What the page makes of the messages of the server.

import assert from "node:assert/strict";
import { test } from "node:test";

import { START, stateAfter } from "../static/state.js";
import { below, treeAfter, lineThrough, pathTo, step } from "../static/game/tree.js";

const GAME = { do: "game", id: "a", cursor: 1, live: 1, going_on: true, cells: "100", over: null,
  analysing: true, asked: [] };
const after = (...messages) => messages.reduce((state, message) => stateAfter(state, message, 0), START);

test("the data of a position are cleared at the next one", () => {
  const before = after(GAME, { do: "threats", node: 1, shapes: [], rules: {} }, { do: "hint", node: 1, hint: 2 },
    { do: "solve", node: 1, solved: { winner: 1 } }, { do: "analyse", node: 1, report: {}, seconds: 1 });
  assert.ok(before.threats && before.hint === 2 && before.proof && before.analysis);
  const next = stateAfter(before, { ...GAME, cursor: 2, live: 2, cells: "120" }, 0);
  assert.deepEqual([next.threats, next.hint, next.proof, next.analysis], [null, null, null, null]);
});

test("answers about the displayed position stay while the game goes on", () => {
  const looking = after(GAME, { ...GAME, cursor: 0, cells: "000" }, { do: "analyse", node: 0, report: {}, seconds: 1 },
    { do: "threats", node: 0, shapes: [], rules: {} });
  const later = stateAfter(looking, { ...GAME, cursor: 0, cells: "000", live: 5 }, 0);
  assert.ok(later.analysis && later.threats);
});

test("answers about another position are left out", () => {
  const state = after(GAME, { do: "analyse", node: 7, report: {}, seconds: 1 }, { do: "hint", node: 7, hint: 2 });
  assert.equal(state.analysis, null);
  assert.equal(state.hint, null);
});

test("the end of a game is an event only for those who saw it going on", () => {
  const over = { ...GAME, cursor: 2, live: 2, going_on: false, over: { winner: 1, text: "5 in a row" } };
  assert.equal(after(over).ended, false);
  assert.equal(after(GAME, over).ended, true);
  assert.equal(after(GAME, over, { ...over, cursor: 1 }).ended, false);
});

test("the tree grows by its changes", () => {
  const first = treeAfter(new Map(), { nodes: [{ number: 0, children: [1] }, { number: 1, parent: 0, move: [1, 4] }] });
  const second = treeAfter(first, { nodes: [{ number: 1, parent: 0, move: [1, 4], children: [2, 3] },
    { number: 2, parent: 1, move: [2, 5] }, { number: 3, parent: 1, move: [2, 6] }] });
  assert.equal(first.size, 2, "the one before stays");
  assert.deepEqual(lineThrough(second, 0), [0, 1, 2]);
  assert.deepEqual(lineThrough(second, 3), [0, 1, 3]);
  assert.deepEqual(pathTo(second, 3), [0, 1, 3]);
  assert.equal(below(second, 1), 3);
  assert.deepEqual(["first", "previous", "next", "last"].map((to) => step(second, 1, to)), [0, 0, 2, 2]);
  assert.equal(step(second, 3, "next"), undefined);
  assert.equal(treeAfter(second, { nodes: [], removed: [3] }).has(3), false);
});

test("a whole tree takes the place of the one before", () => {
  const tree = { do: "tree", whole: true, removed: [], nodes: [{ number: 0 }] };
  assert.equal(after({ ...tree, nodes: [{ number: 0 }, { number: 1 }] }, tree).nodes.size, 1);
});

test("games of a tournament are added, until it restarts", () => {
  const message = (known, ...games) => ({ do: "tournament", known, games, summary: {}, running: [] });
  const state = after(message(0, "a"), message(1, "b", "c"));
  assert.deepEqual(state.tournament.results, ["a", "b", "c"]);
  const restart = stateAfter(state, message(0, "d"), 0).tournament;
  assert.deepEqual(restart.results, ["d"]);
  assert.notEqual(restart.restarts, state.tournament.restarts);
});

test("further games of a collection are added, unless the search has changed", () => {
  const message = (search, skip, ...games) => ({ do: "collected", node: GAME.cursor, search, skip, games, count: 9 });
  const games = (...messages) => after(GAME, ...messages).collected.games;
  assert.deepEqual(games(message("a", 0, 1, 2), message("a", 2, 3)), [1, 2, 3]);
  assert.deepEqual(games(message("a", 0, 1, 2), message("b", 0, 4), message("a", 2, 3)), [4]);
  assert.deepEqual(games(message("a", 0, 1), message("a", 1, 2), message("a", 1, 2)), [1, 2], "asked for twice");
});

test("what a layout or another position clears is requested again", () => {
  const game = { do: "game", id: "a", cursor: 1, cells: "1" };
  const first = after({ do: "layout" }, game);
  const again = after({ do: "layout" }, game, { do: "collected", node: 1, skip: 0, search: "", games: [] }, { do: "layout" }, game);
  assert.equal(again.collected, null);
  assert.notEqual(again.clearings, first.clearings);
  assert.equal(stateAfter(again, game, 0).clearings, again.clearings);
});
