// The proof of Gomoku for the displayed position.

import { byId, element } from "../dom.js";
import { notationOf } from "../notation.js";
import { persons } from "../state.js";

const LISTED = 5; // replies in the list
const KINDS = { // by kind of a reply: a letter, words for screen readers, and the label of their number
  entry: ["", "", "Replies covered by the proof"],
  pass: ["=", "changes nothing", "Replies that change nothing"],
  threats: ["T", "loses to threats", "Replies that lose to threats"],
  unknown: ["?", "not yet proved", "Replies not yet proved"],
};

/** Is there a proof for this game on this board? */
export const hasProof = ({ proofs }, { game, size }) => proofs.some(([name, side]) => name === game && side === size);

/** Does the page hide the plies to the proved end?  In the user's game against a program, until the user asks. */
export function hidesPlies({ hello, game, layout, gomokuProof, plies }) {
  return !plies && game.going_on && !game.watching && persons(game).length === 1 && hasProof(hello, layout)
    && !(gomokuProof && !gomokuProof.says);
}

/** The replies as [place, kind, plies], the longest defences first. */
function rankReplies({ answers }) {
  return Object.entries(answers).map(([place, [kind, plies]]) => [Number(place), kind, plies])
    .sort((a, b) => Number(b[2] === 0) - Number(a[2] === 0) || b[2] - a[2] || a[0] - b[0]);
}

const wordsOf = (kind, plies) => (kind === "entry" ? (plies ? `loses in ${plies}` : KINDS.unknown[1]) : KINDS[kind][1]);

/** The proof as the heat of a board, see Scene in board.js; without plies if `hides` is set. */
export function heatOfProof({ plies: win, move, answers }, hides) {
  if (move !== null) {
    const shown = win && !hides;
    return new Map([[move, { text: shown ? `+${win}` : "", words: shown ? `wins in ${win}` : "Proof move",
      tone: win ? "won" : "even", best: true }]]);
  }
  if (hides) return new Map();
  return new Map(rankReplies({ answers }).map(([place, kind, plies]) => [place, { text: kind === "entry" && plies ? `−${plies}`
    : KINDS[kind === "entry" ? "unknown" : kind][0], words: wordsOf(kind, plies), tone: plies ? "lost" : "even", best: false }]));
}

export class ProofPanel {
  /** `ask` is called with a node to request its proof, `choose` with the place of a move to play,
   *  `solve` to show the threats, `show` to show the plies. */
  constructor(ask, choose, solve, show) {
    this.ask = ask;
    this.choose = choose;
    this.solve = solve;
    this.show = show;
  }

  /** Draw the state. */
  draw(state) {
    const { game, layout, view, tab, page, gomokuProof } = state;
    if (!game || !layout || tab !== "analysis" || page !== "game-page" || !hasProof(state.hello, layout)) {
      this.requested = null;
      byId("proved").hidden = true;
      return;
    }
    const key = `${state.clearings} ${game.id} ${game.cursor} ${game.cells}`;
    if (!gomokuProof && key !== this.requested && this.ask(game.cursor)) this.requested = key;
    const { names } = notationOf(layout, view.notation);
    byId("proved").hidden = !gomokuProof || Boolean(game.over);
    const hides = hidesPlies(state);
    if (this.drawn === gomokuProof && this.names === names && this.hides === hides) return;
    this.drawn = gomokuProof;
    this.names = names;
    this.hides = hides;
    const says = gomokuProof?.says;
    byId("proved").replaceChildren(...(gomokuProof ? this.#parts(says, names, layout) : []),
      ...(hides && (says?.plies || says?.side === 2) ? [element("div", { class: "buttons" },
        element("button", { type: "button", click: () => this.#reveal() }, "Show the plies to the end"))] : []));
  }

  #reveal() {
    byId("analysis-panel").focus(); // the button vanishes
    this.show();
  }

  #parts(says, names, { game, size }) {
    if (!says) return [element("p", {}, `The proof of ${game} on ${size} × ${size} does not cover this position.`)];
    const { side, plies, move, last } = says;
    if (side !== 1) return this.#answers(says, names);
    const parts = last ? [element("p", {}, lastText(last, plies, names))] : [];
    if (move !== null) {
      const win = this.hides ? `Black has a proved win: ${names[move]}.`
        : `Black has a proved win: ${names[move]}, in at most ${plies} plies.`;
      parts.push(element("p", {}, plies ? win
        : `The proof continues with ${names[move]}, but some replies are not yet proved to lose.`));
      parts.push(this.#buttons("Proof move", [[move, `Play ${names[move]}`]]));
    } else if (plies) {
      parts.push(element("p", {}, this.hides ? "Black has a proved win by threats."
        : `Black has a proved win by threats, in at most ${plies} plies.`));
      parts.push(element("div", { class: "buttons" },
        element("button", { type: "button", click: () => this.solve() }, "Show the threats")));
    }
    return parts;
  }

  #answers(says, names) {
    const { plies } = says, answers = rankReplies(says);
    const longest = this.hides ? [] : answers.filter(([, kind]) => kind === "entry" || kind === "pass").slice(0, LISTED);
    const counts = Object.keys(KINDS).map((kind) => [kind, answers.filter(([, each]) => each === kind).length]);
    return [
      element("p", {}, plies ? (this.hides ? "White loses after every reply." : `White loses in at most ${plies} plies after every reply.`)
        : "Black has played the proof move, but some replies are not yet proved to lose."),
      element("ul", { class: "why" }, ...counts.filter(([, count]) => count).map(
        ([kind, count]) => element("li", {}, `${KINDS[kind][2]}: ${count}`))),
      ...(longest.length ? [element("p", {}, "Longest defences"), this.#buttons("Longest defences", longest.map(
        ([place, kind, bound]) => [place, `${names[place]}: ${wordsOf(kind, bound)}`]))] : []),
    ];
  }

  #buttons(label, moves) {
    return element("div", { class: "buttons", role: "group", "aria-label": label }, ...moves.map(
      ([place, words]) => element("button", { type: "button", click: () => this.choose(place) }, words)));
  }
}

// The reason why White's last reply loses, as far as the proof has one.
function lastText([place, kind], plies, names) {
  if (kind === "pass") return `${names[place]} changes nothing: Black continues as after a pass.`;
  if (kind === "threats") return `${names[place]} loses to threats.`;
  return plies ? `${names[place]} loses: the proof has a reply to it.` : `${names[place]} is not yet proved to lose.`;
}
