// A lesson: the score of a spectator, and the texts.

import assert from "node:assert/strict";
import { test } from "node:test";

import { NO_SCORE, guessHere, heatOfGuesses, leadersCount, leadersText, mayGuess, scoreAfter, scoreAfterGuess } from "../static/lesson/lesson.js";

const question = (number, answer = null, guesses = []) => ({ number, game: "g", node: 4, answer, guesses,
  count: guesses.reduce((sum, [, count]) => sum + count, 0) });
const lesson = (current, id = "l") => ({ id, asked: current, leads: true, led: true, watchers: 9 });
const after = (...steps) => steps.reduce((score, step) => (step.do === "guessed" ? scoreAfterGuess(score, step)
  : scoreAfter(score, step)), { ...NO_SCORE, ticket: "t" });
const guess = (number, point) => ({ do: "guessed", number, point });
const outcome = ({ right, asked: all, point }) => [right, all, point];

test("a question counts once, on pages that saw it open", () => {
  const open = lesson(question(1)), shown = lesson(question(1, 7));
  assert.deepEqual(outcome(after(open, guess(1, 7), shown, shown)), [1, 1, 7]);
  assert.deepEqual(outcome(after(open, guess(1, 7), guess(1, 8), shown)), [0, 1, 8]);
  assert.deepEqual(outcome(after(open, shown)), [0, 1, null]);
  assert.deepEqual(outcome(after(shown)), [0, 0, null]);
  assert.deepEqual(outcome(after(open, guess(1, 7), lesson(null), lesson(question(2)), lesson(question(2, 7)))), [0, 1, null]);
  assert.deepEqual(outcome(after(open, guess(9, 7), shown)), [0, 1, null]);
});

test("another lesson starts at zero with the same ticket; the end of a lesson changes nothing", () => {
  const first = after(lesson(question(1)), guess(1, 7), lesson(question(1, 7)), lesson(null, null));
  assert.deepEqual(outcome(first), [1, 1, 7]);
  const next = scoreAfter(first, lesson(null, "m"));
  assert.deepEqual([...outcome(next), next.ticket], [0, 0, null, "t"]);
});

test("only a spectator guesses, at the question's position and while it is open", () => {
  const state = (current, game) => ({ lesson: lesson(current), score: { ...NO_SCORE, number: 1, point: 3 },
    game: { id: "g", cursor: 4, watching: true, ...game } });
  assert.equal(mayGuess(state(question(1))), true);
  assert.equal(guessHere(state(question(1))), 3);
  assert.equal(guessHere(state(question(2))), null);
  for (const other of [{ watching: false }, { id: "h" }, { cursor: 3 }]) {
    assert.equal(mayGuess(state(question(1), other)), false);
    assert.equal(guessHere(state(question(1), other)), null);
  }
  assert.equal(mayGuess(state(question(1, 7))), false);
  assert.equal(mayGuess(state(null)), false);
});

test("the board shows the guesses with the answer, also an answer without guesses", () => {
  const heat = (current) => heatOfGuesses({ lesson: lesson(current), game: { id: "g", cursor: 4 } });
  assert.equal(heat(question(1)), null);
  const heats = heat(question(1, 7, [[3, 2], [5, 1]]));
  assert.deepEqual([...heats].map(([place, { text, best, words }]) => [place, text, best, words]), [
    [7, "0", true, "0 guesses, the correct move"], [3, "2", false, "2 guesses"], [5, "1", false, "1 guess"]]);
});

test("the texts for the leader", () => {
  assert.equal(leadersText(lesson(question(3))), "Question 3: which move comes next?");
  assert.equal(leadersText(lesson(question(3, 7, [[7, 2], [1, 3]]))), "Question 3: 2 of 5 guessed correctly.");
  assert.equal(leadersText({ ...lesson(null), leads: false }), "Another page leads the lesson.");
  assert.equal(leadersCount(lesson(question(3))), "0 of 9 have guessed.");
  assert.match(leadersCount({ ...lesson(null), watchers: null }), /^No spectators yet/);
});
