// A puzzle that is being solved.

import assert from "node:assert/strict";
import { test } from "node:test";

import { newPuzzle, puzzleAfter, replyText, sceneOfPuzzle, taskText } from "../static/study/puzzle.js";
import { START, stateAfter } from "../static/state.js";
import { USUAL } from "../static/server/view.js";

const layout = { game: "Gomoku", size: 9, colours: { black: "black", white: "white" }, lettering: "GTP",
  points: [[0, 0, 1], [0, 1, 0], [0, 1, 1]], notations: { GTP: { names: ["A1", "B2", "B1"],
    levels: [[["A", "B"], ["2", "1"]]] } } };
const game = { cursor: 1, cells: "100", side: 2, last: 0, row: [], taken: [], forbidden: [] };
const message = { number: 1, kind: "fours", moves: 3, layout, game, score: { rating: 900 } };
const shown = (kind = "fours") => newPuzzle(null, { ...message, kind });
const answer = (fields) => ({ number: 1, what: "play", point: 1, moves: [], line: null, is_over: false,
  is_solved: false, is_right: false, wins: false, game, ...fields });
const line = { side: 2, moves: [1, 2], taken: [[0], []], rows: [[1, 2]] };

test("the task names the side", () => {
  assert.equal(taskText(shown()), "White to play: find the only move that wins in 3 moves by fours alone.");
  assert.equal(taskText(shown("defence")), "White to play: find the only move that does not lose.");
});

test("the boards stay where the next puzzle has the same", () => {
  const other = { ...layout, id: "b" };
  assert.equal(newPuzzle(shown(), { ...message, layout: other }).layout, layout);
  assert.notEqual(newPuzzle(shown(), { ...message, layout: { ...other, size: 15 } }).layout, layout);
});

for (const [name, fields, words] of [
  ["right", { is_right: true, moves: [1, 2] }, "Correct. The reply is B1."],
  ["solved", { is_right: true, moves: [1], is_over: true, is_solved: true }, "Solved."],
  ["slower", { wins: true }, "This wins, too, but takes longer. Try again."],
  ["refuted", { line }, "B2 is refuted on the board. Try again."],
  ["wrong", {}, "Incorrect. Try again."],
  ["hint", { what: "hint", hint: 1 }, "The best move is in row 2."],
  ["solution", { what: "view", line, is_over: true }, "Best line: B2 B1."],
]) {
  test(`the reply to what is ${name}`, () => {
    assert.equal(replyText(puzzleAfter(shown(), answer(fields)), USUAL), words);
  });
}

test("a move is looked at until there is an answer, or it is refused", () => {
  const puzzle = { ...shown(), pending: 1 };
  assert.equal(replyText(puzzle, USUAL), "Checking B2 ...");
  assert.equal(stateAfter({ ...START, puzzle }, { do: "refused", text: "occupied" }, 0).puzzle.pending, null);
  assert.equal(stateAfter({ ...START, puzzle }, { do: "attempt", ...answer({}) }, 0).puzzle.pending, null);
  assert.equal(puzzleAfter(puzzle, { ...answer({}), number: 2 }), puzzle);
});

test("the score stays until it changes", () => {
  const after = puzzleAfter(shown(), answer({ score: { rating: 916 }, gain: 16 }));
  assert.deepEqual([after.score, after.gain], [{ rating: 916 }, 16]);
  assert.equal(puzzleAfter(after, answer({})).gain, 16);
});

test("a line is shown move by move; what it captures is gone", () => {
  const puzzle = puzzleAfter(shown(), answer({ line })), scene = sceneOfPuzzle({ puzzle, view: USUAL });
  assert.deepEqual([...scene.ghosts], [[1, { number: 1, colour: 2 }]]);
  assert.deepEqual([scene.cells, scene.rows, scene.open], [[0, 0, 0], [[1, 2]], "white"]);
  assert.equal(sceneOfPuzzle({ puzzle: { ...puzzle, is_over: true }, view: USUAL }).open, "");
});
