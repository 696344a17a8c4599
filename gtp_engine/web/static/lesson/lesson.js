// A lesson: what the page that leads it and those who watch see of it, and the guesses.

import { buttonById, byId, counted, text } from "../dom.js";
import { notationOf } from "../notation.js";
import { keep, read } from "../server/view.js";

const BUTTONS = { ask: "ask", show: "show", withdraw: "withdraw", lead: "lead", end: "end", begin: "lead" };

/** The guesses of a user in a lesson.
 *
 *  lesson  its id
 *  ticket  by which the server knows the user again
 *  asked   how many moves were asked for and shown before the eyes of the user
 *  right   how many of them the user had guessed
 *  number  of the last question that was open
 *  point   what the user has guessed there, null: nothing
 *  open    is its answer still to come?
 */
export const NO_SCORE = { lesson: null, ticket: "", asked: 0, right: 0, number: 0, point: null, open: false };

/** The score that a storage has kept, with a ticket. */
export function keptScore(storage) {
  const kept = { ...NO_SCORE, ...read(storage, "score") };
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  const ticket = kept.ticket || [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { ...kept, ticket };
}

/** The score after a message about a lesson. */
export function scored(score, { id, asked }) {
  const known = id === null || score.lesson === id ? score : { ...NO_SCORE, ticket: score.ticket, lesson: id };
  if (!asked) return known;
  const same = asked.number === known.number;
  if (asked.answer === null) return same ? known : { ...known, number: asked.number, point: null, open: true };
  if (!same || !known.open) return known;
  return { ...known, open: false, asked: known.asked + 1, right: known.right + (known.point === asked.answer ? 1 : 0) };
}

/** The score after the server has taken a guess. */
export const guessed = (score, { number, point }) => (number === score.number ? { ...score, point } : score);

/** What the lesson asks, or has asked last, about the position that is shown; null: nothing. */
function askedHere({ lesson, game }) {
  const asked = lesson?.asked ?? null;
  return asked && asked.game === game.id && asked.node === game.cursor ? asked : null;
}

/** May the user guess a move on the board that is shown? */
export const mayGuess = (state) => state.game.watching && askedHere(state)?.answer === null;

/** The point that the user has guessed in the position that is shown; null: none. */
export function guessHere(state) {
  const asked = askedHere(state);
  return asked && state.game.watching && asked.number === state.score.number ? state.score.point : null;
}

/** How often each move was guessed in the position that is shown, see board.js Scene; null: that is not known. */
export function heatOfGuesses(state) {
  const asked = askedHere(state);
  if (!asked || asked.answer === null) return null;
  const counts = new Map([[asked.answer, 0], ...asked.guesses]);
  return new Map([...counts].map(([place, count]) => [place, { text: String(count), best: place === asked.answer,
    tone: place === asked.answer ? "won" : "even",
    words: `${guesses(count)}${place === asked.answer ? ", the right move" : ""}` }]));
}

const guesses = (count) => `${count} ${count === 1 ? "guess" : "guesses"}`;

/** How many have guessed the move that is shown. */
const rightOf = ({ answer, guesses: made }) => made.find(([place]) => place === answer)?.[1] ?? 0;

/** What the lesson is about just now, in words for whoever leads. */
export function leadersText({ asked, leads, led }) {
  if (asked?.answer === null) return `Question ${asked.number}: which move comes next?`;
  if (!leads) return led ? "Another page leads the lesson." : "No page leads the lesson.";
  return asked ? `Question ${asked.number}: ${rightOf(asked)} of ${asked.count} guessed right.`
    : "Watchers see what this page shows.";
}

/** How many watch or have guessed, for whoever leads. */
export function leadersCount({ asked, watchers }) {
  if (watchers === null) return "Nobody can watch yet: start web --watch-only beside this server.";
  return asked?.answer === null ? `${asked.count} of ${watchers} have guessed.` : counted(watchers, "watcher");
}

/** What the lesson is about just now, in words for a watcher. */
export function watchersText({ lesson: { asked }, score, follows, layout, view }) {
  if (!follows) return "A lesson is going on.";
  if (!asked) return "You see what the teacher shows.";
  const nameOf = (place) => notationOf(layout, view.notation).names[place];
  const guess = asked.number === score.number ? score.point : null;
  if (asked.answer === null) {
    return guess === null ? `Question ${asked.number}: which move comes next?  Choose a point on the board.`
      : `Your guess: ${nameOf(guess)}.  You may change it until the move is shown.`;
  }
  if (guess === asked.answer) return `Right: ${nameOf(guess)}.`;
  return guess === null ? `The move was ${nameOf(asked.answer)}.`
    : `The move was ${nameOf(asked.answer)}; you guessed ${nameOf(guess)}.`;
}

/** How many have guessed right, for a watcher. */
export function watchersCount({ asked }) {
  return asked && asked.answer !== null ? `${rightOf(asked)} of ${asked.count} guessed right.` : "";
}

export class LessonPanel {
  /** `say` sends a message, `follow` lets the page follow the lesson, `goto` shows a node; `storage` keeps
   *  the score, and which lesson this page has led. */
  constructor({ say, storage, notices, follow, goto }) {
    this.say = say;
    this.storage = storage;
    this.notices = notices;
    this.follow = follow;
    this.id = null;
    this.follows = false;
    for (const [id, what] of Object.entries(BUTTONS)) {
      byId(`lesson-${id}`).addEventListener("click", () => say("lesson", { what }));
    }
    byId("lesson-follow").addEventListener("click", follow);
    byId("lesson-question").addEventListener("click", () => goto(this.asked.node));
  }

  /** Draw the state. */
  draw(state) {
    const { lesson, score, hello, game } = state;
    if (score !== this.score) keep(this.storage, "score", score);
    this.score = score;
    byId("lesson").hidden = !lesson?.id;
    buttonById("lesson-begin").disabled = Boolean(lesson?.id);
    if (!lesson) return;
    this.#remember(state);
    if (!lesson.id || !game || !state.layout) return;
    const { asked } = lesson, leader = !hello.watch_only, open = asked?.answer === null;
    this.asked = asked;
    text(byId("lesson-text"), leader ? leadersText(lesson) : watchersText(state));
    text(byId("lesson-count"), leader ? leadersCount(lesson) : watchersCount(lesson));
    text(byId("lesson-score"), leader || !score.asked ? "" : `Your score: ${score.right} of ${score.asked}.`);
    byId("lesson-ask").hidden = !leader || open;
    byId("lesson-show").hidden = byId("lesson-withdraw").hidden = !leader || !open;
    byId("lesson-question").hidden = !open || asked.game !== game.id || asked.node === game.cursor;
    byId("lesson-lead").hidden = !leader || lesson.leads;
    byId("lesson-end").hidden = !leader;
    byId("lesson-follow").hidden = leader || state.follows;
  }

  // A lesson has begun or ended; the page that led it before it was loaded again leads on.
  #remember({ lesson, hello, follows }) {
    if (lesson.leads) keep(this.storage, "leads", lesson.id);
    else if (lesson.id && !hello.watch_only && !lesson.led && lesson !== this.seen
      && read(this.storage, "leads") === lesson.id) this.say("lesson", { what: "lead" });
    this.seen = lesson;
    if (lesson.id === this.id && follows === this.follows) return;
    const { id } = this;
    this.id = lesson.id;
    this.follows = follows;
    if (!hello.watch_only) return;
    if (follows && lesson.id) this.notices.banner("");
    else if (id && !lesson.id) this.notices.banner("The lesson is over.", 6000);
    else if (lesson.id !== id) this.notices.banner("A lesson is going on.", 0, ["Follow the lesson", () => this.follow()]);
  }
}
