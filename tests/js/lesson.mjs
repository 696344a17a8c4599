// A lesson: the score of a watcher, and what the page says.

import assert from "node:assert/strict";
import { test } from "node:test";

import { NO_SCORE, guessHere, guessed, heatOfGuesses, leadersCount, leadersText, mayGuess, scored } from "../static/lesson/lesson.js";

const asked = (number, answer = null, guesses = []) => ({ number, game: "g", node: 4, answer, guesses,
  count: guesses.reduce((sum, [, count]) => sum + count, 0) });
const lesson = (question, id = "l") => ({ id, asked: question, leads: true, led: true, watchers: 9 });
const after = (...steps) => steps.reduce((score, step) => (step.do === "guessed" ? guessed(score, step)
  : scored(score, step)), { ...NO_SCORE, ticket: "t" });
const guess = (number, point) => ({ do: "guessed", number, point });
const outcome = ({ right, asked: all, point }) => [right, all, point];

test("a question counts once, for those who saw it open", () => {
  const open = lesson(asked(1)), shown = lesson(asked(1, 7));
  assert.deepEqual(outcome(after(open, guess(1, 7), shown, shown)), [1, 1, 7]);
  assert.deepEqual(outcome(after(open, guess(1, 7), guess(1, 8), shown)), [0, 1, 8]);
  assert.deepEqual(outcome(after(open, shown)), [0, 1, null]);
  assert.deepEqual(outcome(after(shown)), [0, 0, null]);
  assert.deepEqual(outcome(after(open, guess(1, 7), lesson(null), lesson(asked(2)), lesson(asked(2, 7)))), [0, 1, null]);
  assert.deepEqual(outcome(after(open, guess(9, 7), shown)), [0, 1, null]);
});

test("another lesson begins at nothing, with the same ticket; the end of one changes nothing", () => {
  const first = after(lesson(asked(1)), guess(1, 7), lesson(asked(1, 7)), lesson(null, null));
  assert.deepEqual(outcome(first), [1, 1, 7]);
  const next = scored(first, lesson(null, "m"));
  assert.deepEqual([...outcome(next), next.ticket], [0, 0, null, "t"]);
});

test("only a watcher guesses, where it is asked and while it is open", () => {
  const state = (question, game) => ({ lesson: lesson(question), score: { ...NO_SCORE, number: 1, point: 3 },
    game: { id: "g", cursor: 4, watching: true, ...game } });
  assert.equal(mayGuess(state(asked(1))), true);
  assert.equal(guessHere(state(asked(1))), 3);
  assert.equal(guessHere(state(asked(2))), null);
  for (const other of [{ watching: false }, { id: "h" }, { cursor: 3 }]) {
    assert.equal(mayGuess(state(asked(1), other)), false);
    assert.equal(guessHere(state(asked(1), other)), null);
  }
  assert.equal(mayGuess(state(asked(1, 7))), false);
  assert.equal(mayGuess(state(null)), false);
});

test("the board has the guesses once the move is shown, and the move even if nobody has guessed it", () => {
  const heat = (question) => heatOfGuesses({ lesson: lesson(question), game: { id: "g", cursor: 4 } });
  assert.equal(heat(asked(1)), null);
  const found = heat(asked(1, 7, [[3, 2], [5, 1]]));
  assert.deepEqual([...found].map(([place, { text, best, words }]) => [place, text, best, words]), [
    [7, "0", true, "0 guesses, the right move"], [3, "2", false, "2 guesses"], [5, "1", false, "1 guess"]]);
});

test("what the page says to whoever leads", () => {
  assert.equal(leadersText(lesson(asked(3))), "Question 3: which move comes next?");
  assert.equal(leadersText(lesson(asked(3, 7, [[7, 2], [1, 3]]))), "Question 3: 2 of 5 guessed right.");
  assert.equal(leadersText({ ...lesson(null), leads: false }), "Another page leads the lesson.");
  assert.equal(leadersCount(lesson(asked(3))), "0 of 9 have guessed.");
  assert.match(leadersCount({ ...lesson(null), watchers: null }), /^Nobody can watch yet/);
});
