// A lesson: the panels of the leader and the spectators, and the guesses.

import { buttonById, byId, counted, text } from "../dom.js";
import { notationOf } from "../notation.js";
import { loadChoice, saveChoice } from "../server/view.js";

const BUTTONS = { ask: "ask", show: "show", withdraw: "withdraw", lead: "lead", end: "end", begin: "lead" };

/** The guesses of a user in a lesson.
 *
 *  lesson  its id
 *  ticket  identifies the user to the server
 *  asked   number of questions that opened and closed on this page
 *  right   number of correct guesses
 *  number  of the last open question
 *  point   the user's guess for it, null: none
 *  open    is that question still open?
 */
export const NO_SCORE = { lesson: null, ticket: "", asked: 0, right: 0, number: 0, point: null, open: false };

/** The score in a storage, with a ticket. */
export function loadScore(storage) {
  const score = { ...NO_SCORE, ...loadChoice(storage, "score") };
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  const ticket = score.ticket || [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { ...score, ticket };
}

/** The score after a message about a lesson. */
export function scoreAfter(score, { id, asked: question }) {
  const current = id === null || score.lesson === id ? score : { ...NO_SCORE, ticket: score.ticket, lesson: id };
  if (!question) return current;
  const same = question.number === current.number;
  if (question.answer === null) return same ? current : { ...current, number: question.number, point: null, open: true };
  if (!same || !current.open) return current;
  return { ...current, open: false, asked: current.asked + 1,
    right: current.right + (current.point === question.answer ? 1 : 0) };
}

/** The score after the server accepted a guess. */
export const scoreAfterGuess = (score, { number, point }) => (number === score.number ? { ...score, point } : score);

/** The last question of the lesson if it is about the displayed position, else null. */
function questionHere({ lesson, game }) {
  const question = lesson?.asked ?? null;
  return question && question.game === game.id && question.node === game.cursor ? question : null;
}

/** May the user guess a move on the displayed board? */
export const mayGuess = (state) => state.game.watching && questionHere(state)?.answer === null;

/** The user's guess in the displayed position; null: none. */
export function guessHere(state) {
  const question = questionHere(state);
  return question && state.game.watching && question.number === state.score.number ? state.score.point : null;
}

/** The number of guesses by move in the displayed position, see Scene in board.js; null: not public. */
export function heatOfGuesses(state) {
  const question = questionHere(state);
  if (!question || question.answer === null) return null;
  const counts = new Map([[question.answer, 0], ...question.guesses]);
  return new Map([...counts].map(([place, count]) => [place, { text: String(count), best: place === question.answer,
    tone: place === question.answer ? "won" : "even",
    words: `${guesses(count)}${place === question.answer ? ", the correct move" : ""}` }]));
}

const guesses = (count) => `${count} ${count === 1 ? "guess" : "guesses"}`;

/** The number of correct guesses. */
const rightOf = ({ answer, guesses: all }) => all.find(([place]) => place === answer)?.[1] ?? 0;

/** The state of the lesson in words for the leader. */
export function leadersText({ asked: question, leads, led }) {
  if (question?.answer === null) return `Question ${question.number}: which move comes next?`;
  if (!leads) return led ? "Another page leads the lesson." : "No page leads the lesson.";
  return question ? `Question ${question.number}: ${rightOf(question)} of ${question.count} guessed correctly.`
    : "Spectators see what this page shows.";
}

/** The number of spectators or guesses, for the leader. */
export function leadersCount({ asked: question, watchers }) {
  if (watchers === null) return "No spectators yet: start web --watch-only beside this server.";
  return question?.answer === null ? `${question.count} of ${watchers} have guessed.` : counted(watchers, "spectator");
}

/** The state of the lesson in words for a spectator. */
export function spectatorsText({ lesson: { asked: question }, score, follows, layout, view }) {
  if (!follows) return "A lesson is in progress.";
  if (!question) return "You see what the teacher shows.";
  const nameOf = (place) => notationOf(layout, view.notation).names[place];
  const guess = question.number === score.number ? score.point : null;
  if (question.answer === null) {
    return guess === null ? `Question ${question.number}: which move comes next?  Choose a point on the board.`
      : `Your guess: ${nameOf(guess)}.  You may change it until the move is shown.`;
  }
  if (guess === question.answer) return `Correct: ${nameOf(guess)}.`;
  return guess === null ? `The move was ${nameOf(question.answer)}.`
    : `The move was ${nameOf(question.answer)}; you guessed ${nameOf(guess)}.`;
}

/** The number of correct guesses, for a spectator. */
export function spectatorsCount({ asked: question }) {
  return question && question.answer !== null ? `${rightOf(question)} of ${question.count} guessed correctly.` : "";
}

export class LessonPanel {
  /** `send` sends a message, `follow` lets the page follow the lesson, `goto` shows a node; `storage` holds
   *  the score and the id of the lesson that this page leads. */
  constructor({ send, storage, notices, follow, goto }) {
    this.send = send;
    this.storage = storage;
    this.notices = notices;
    this.follow = follow;
    this.id = null;
    this.follows = false;
    for (const [id, what] of Object.entries(BUTTONS)) {
      byId(`lesson-${id}`).addEventListener("click", () => send("lesson", { what }));
    }
    byId("lesson-follow").addEventListener("click", follow);
    byId("lesson-question").addEventListener("click", () => goto(this.question.node));
  }

  /** Draw the state. */
  draw(state) {
    const { lesson, score, hello, game } = state;
    if (score !== this.score) saveChoice(this.storage, "score", score);
    this.score = score;
    byId("lesson").hidden = !lesson?.id;
    buttonById("lesson-begin").disabled = Boolean(lesson?.id);
    if (!lesson) return;
    this.#remember(state);
    if (!lesson.id || !game || !state.layout) return;
    const { asked: question } = lesson, leader = !hello.watch_only, open = question?.answer === null;
    this.question = question;
    text(byId("lesson-text"), leader ? leadersText(lesson) : spectatorsText(state));
    text(byId("lesson-count"), leader ? leadersCount(lesson) : spectatorsCount(lesson));
    text(byId("lesson-score"), leader || !score.asked ? "" : `Your score: ${score.right} of ${score.asked}.`);
    byId("lesson-ask").hidden = !leader || open;
    byId("lesson-show").hidden = byId("lesson-withdraw").hidden = !leader || !open;
    byId("lesson-question").hidden = !open || question.game !== game.id || question.node === game.cursor;
    byId("lesson-lead").hidden = !leader || lesson.leads;
    byId("lesson-end").hidden = !leader;
    byId("lesson-follow").hidden = leader || state.follows;
  }

  // Handle the start and end of a lesson; a page that led it leads on after a reload.
  #remember({ lesson, hello, follows }) {
    if (lesson.leads) saveChoice(this.storage, "leads", lesson.id);
    else if (lesson.id && !hello.watch_only && !lesson.led && lesson !== this.previous
      && loadChoice(this.storage, "leads") === lesson.id) this.send("lesson", { what: "lead" });
    this.previous = lesson;
    if (lesson.id === this.id && follows === this.follows) return;
    const { id } = this;
    this.id = lesson.id;
    this.follows = follows;
    if (!hello.watch_only) return;
    if (follows && lesson.id) this.notices.banner("");
    else if (id && !lesson.id) this.notices.banner("The lesson is over.", 6000);
    else if (lesson.id !== id) this.notices.banner("A lesson is in progress.", 0, ["Follow the lesson", () => this.follow()]);
  }
}
