// Opponents by level, and the level that suits.

import assert from "node:assert/strict";
import { test } from "node:test";

import { atCurrentLevel, levelAfterGame, levelOf, levelOpponents, levelSeat } from "../static/game/levels.js";

const WORDS = Array.from({ length: 10 }, (_, i) => `${i + 1} – name`);
const PERSON = { player: "person", settings: {} };

/** The state after a game that the person, with that colour, has played at the level that suits. */
function ended({ suits, winner, id, own = 1, rival = levelSeat(suits?.Gomoku?.level ?? 3), suiting = true }) {
  const [black, white] = own === 1 ? [PERSON, rival] : [rival, PERSON];
  return { layout: { game: "Gomoku" }, view: { suits, newGame: { suiting } },
    game: { id, seats: { black, white }, over: { winner, text: "" } } };
}

/** The levels after games with these results (1 won, -1 lost, 0 drawn), from a saved record. */
function levels(results, record, own = 1) {
  let suits = record;
  return results.map((result, i) => {
    const winner = result === 0 ? 0 : result > 0 ? own : 3 - own;
    ({ suits } = levelAfterGame(ended({ suits, winner, id: `${i}`, own })));
    return suits.Gomoku.level;
  });
}

test("two wins in a row lead up, two losses down, and nothing else does", () => {
  for (const own of [1, 2]) {
    assert.deepEqual(levels([1, 1, 1, 1, -1, 1, -1, -1, -1, -1], null, own), [3, 4, 4, 5, 5, 5, 5, 4, 4, 3]);
    assert.deepEqual(levels([1, 0, 1, 1], null, own), [3, 3, 3, 4]);
  }
  assert.deepEqual(levels([-1, -1], { Gomoku: { level: 1, streak: 0, last: "" } }), [1, 1]);
  assert.deepEqual(levels([1, 1], { Gomoku: { level: 10, streak: 0, last: "" } }), [10, 10]);
});

test("a game counts once, and only at the level that suits", () => {
  const first = ended({ suits: null, winner: 1, id: "a" });
  const { suits, words } = levelAfterGame(first);
  assert.equal(words, "You stay at level 3.");
  assert.match(levelAfterGame(ended({ suits, winner: 1, id: "b" })).words, /up to level 4/);
  assert.equal(levelAfterGame({ ...first, view: { ...first.view, suits } }), null);
  assert.equal(levelAfterGame(ended({ suits: null, winner: 1, id: "a", suiting: false })), null);
  assert.equal(levelAfterGame(ended({ suits: null, winner: 1, id: "a", rival: levelSeat(5) })), null);
  assert.equal(levelAfterGame(ended({ suits: null, winner: 1, id: "a", rival: PERSON })), null);
});

test("a game that is played again is at the level that suits now", () => {
  const suits = { Gomoku: { level: 4, streak: 0, last: "a" } };
  const state = ended({ suits, winner: 1, id: "a", rival: levelSeat(3) });
  const again = { game: "Gomoku", black: PERSON, white: levelSeat(3) };
  assert.deepEqual(atCurrentLevel(again, state).white, levelSeat(4));
  assert.equal(atCurrentLevel(again, { ...state, game: { ...state.game, id: "b" } }), again);
});

test("the levels of a game are opponents; the first is the one that suits", () => {
  assert.deepEqual(levelOpponents([], null, "Tic-tac-toe"), []);
  const [first, , second] = levelOpponents(WORDS, { Pente: { level: 7 } }, "Pente");
  assert.deepEqual(first, ["suiting", "Level that suits you (now 7 – name)", levelSeat(7)]);
  assert.deepEqual(second, ["level-2", "Level 2 – name", levelSeat(2)]);
  assert.equal(levelOf(levelSeat(7)), 7);
  assert.equal(levelOf({ player: "alphabeta", settings: { level: "7", time: "1" } }), null);
});
