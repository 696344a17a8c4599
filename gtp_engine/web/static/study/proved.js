// What the proof of Gomoku says of the position that is shown.

import { byId, element } from "../dom.js";
import { notationOf } from "../notation.js";

const SHOWN = 5; // answers in the list
const KINDS = { // by kind of an answer: a letter, words for those who listen, and what is counted
  entry: ["", "", "Answers to which the proof has a move"],
  pass: ["=", "changes nothing", "Answers that change nothing"],
  threats: ["T", "loses to threats", "Answers that lose to threats"],
  unknown: ["?", "is not proved yet", "Answers that are not proved yet"],
};

/** Is there a proof for games like this one? */
const hasProof = ({ game, size }) => game === "Gomoku" && size === 15;

/** The answers, those that hold longest first: [place, kind, plies]. */
function ranked({ answers }) {
  return Object.entries(answers).map(([place, [kind, plies]]) => [Number(place), kind, plies])
    .sort((a, b) => Number(b[2] === 0) - Number(a[2] === 0) || b[2] - a[2] || a[0] - b[0]);
}

const wordsOf = (kind, plies) => (kind === "entry" ? (plies ? `loses in ${plies}` : KINDS.unknown[1]) : KINDS[kind][1]);

/** What is seen of the proof on the board, see board.js Scene. */
export function heatOfProof({ plies: win, move, answers }) {
  if (move !== null) {
    return new Map([[move, { text: win ? `+${win}` : "", words: win ? `wins in ${win}` : "The move of the proof",
      tone: win ? "won" : "even", best: true }]]);
  }
  return new Map(ranked({ answers }).map(([place, kind, plies]) => [place, { text: kind === "entry" && plies ? `−${plies}`
    : KINDS[kind === "entry" ? "unknown" : kind][0], words: wordsOf(kind, plies), tone: plies ? "lost" : "even", best: false }]));
}

export class Proved {
  /** `ask` is called with the node of which the proof is asked, `choose` with the place of a move that is to be
   *  played, `solve` when the threats are to be seen. */
  constructor(ask, choose, solve) {
    this.ask = ask;
    this.choose = choose;
    this.solve = solve;
  }

  /** Draw the state. */
  draw(state) {
    const { game, layout, view, tab, page, proved } = state;
    if (!game || !layout || tab !== "analysis" || page !== "game-page" || !hasProof(layout)) {
      this.asked = null;
      byId("proved").hidden = true;
      return;
    }
    const wanted = `${game.id} ${game.cursor} ${game.cells}`;
    if (!proved && wanted !== this.asked && this.ask(game.cursor)) this.asked = wanted;
    const { names } = notationOf(layout, view.notation);
    byId("proved").hidden = !proved || Boolean(game.over);
    if (this.drawn === proved && this.names === names) return;
    this.drawn = proved;
    this.names = names;
    byId("proved").replaceChildren(...(proved ? this.#parts(proved.says, names) : []));
  }

  #parts(says, names) {
    if (!says) return [element("p", {}, "The proof of Gomoku says nothing of this position.")];
    const { side, plies, move, last } = says;
    if (side !== 1) return this.#answers(says, names);
    const parts = last ? [element("p", {}, lastText(last, plies, names))] : [];
    if (move !== null) {
      parts.push(element("p", {}, plies ? `Black has a proved win from here: ${names[move]}, in at most ${plies} plies.`
        : `The proof goes on with ${names[move]}, but not all answers to it are proved to lose yet.`));
      parts.push(this.#buttons("The move of the proof", [[move, `Play ${names[move]}`]]));
    } else if (plies) {
      parts.push(element("p", {}, `Black has a proved win from here by threats, in at most ${plies} plies.`));
      parts.push(element("div", { class: "buttons" },
        element("button", { type: "button", click: () => this.solve() }, "Show the threats")));
    }
    return parts;
  }

  #answers(says, names) {
    const { plies } = says, answers = ranked(says);
    const longest = answers.filter(([, kind]) => kind === "entry" || kind === "pass").slice(0, SHOWN);
    const counts = Object.keys(KINDS).map((kind) => [kind, answers.filter(([, each]) => each === kind).length]);
    return [
      element("p", {}, plies ? `White has lost, in at most ${plies} plies, whatever the answer.`
        : "Black has made the move of the proof, but not all answers to it are proved to lose yet."),
      element("ul", { class: "why" }, ...counts.filter(([, count]) => count).map(
        ([kind, count]) => element("li", {}, `${KINDS[kind][2]}: ${count}`))),
      ...(longest.length ? [element("p", {}, "What holds longest"), this.#buttons("What holds longest", longest.map(
        ([place, kind, bound]) => [place, `${names[place]}: ${wordsOf(kind, bound)}`]))] : []),
    ];
  }

  #buttons(label, moves) {
    return element("div", { class: "buttons", role: "group", "aria-label": label }, ...moves.map(
      ([place, words]) => element("button", { type: "button", click: () => this.choose(place) }, words)));
  }
}

// Why White's last answer loses, as far as that is proved.
function lastText([place, kind], plies, names) {
  if (kind === "pass") return `${names[place]} changes nothing: Black goes on as after a pass.`;
  if (kind === "threats") return `${names[place]} loses to threats.`;
  return plies ? `${names[place]} loses: the proof has a move against it.` : `${names[place]} is not proved to lose yet.`;
}
