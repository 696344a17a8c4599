// The proof of Gomoku for the displayed position.

import { byId, element } from "../dom.js";
import { notationOf } from "../notation.js";

const LISTED = 5; // replies in the list
const KINDS = { // by kind of a reply: a letter, words for screen readers, and the label of their number
  entry: ["", "", "Replies covered by the proof"],
  pass: ["=", "changes nothing", "Replies that change nothing"],
  threats: ["T", "loses to threats", "Replies that lose to threats"],
  unknown: ["?", "not yet proved", "Replies not yet proved"],
};

/** Is there a proof for games like this one? */
const hasProof = ({ game, size }) => game === "Gomoku" && size === 15;

/** The replies as [place, kind, plies], the longest defences first. */
function rankReplies({ answers }) {
  return Object.entries(answers).map(([place, [kind, plies]]) => [Number(place), kind, plies])
    .sort((a, b) => Number(b[2] === 0) - Number(a[2] === 0) || b[2] - a[2] || a[0] - b[0]);
}

const wordsOf = (kind, plies) => (kind === "entry" ? (plies ? `loses in ${plies}` : KINDS.unknown[1]) : KINDS[kind][1]);

/** The proof as the heat of a board, see Scene in board.js. */
export function heatOfProof({ plies: win, move, answers }) {
  if (move !== null) {
    return new Map([[move, { text: win ? `+${win}` : "", words: win ? `wins in ${win}` : "Proof move",
      tone: win ? "won" : "even", best: true }]]);
  }
  return new Map(rankReplies({ answers }).map(([place, kind, plies]) => [place, { text: kind === "entry" && plies ? `−${plies}`
    : KINDS[kind === "entry" ? "unknown" : kind][0], words: wordsOf(kind, plies), tone: plies ? "lost" : "even", best: false }]));
}

export class ProofPanel {
  /** `ask` is called with a node to request its proof, `choose` with the place of a move to play,
   *  `solve` to show the threats. */
  constructor(ask, choose, solve) {
    this.ask = ask;
    this.choose = choose;
    this.solve = solve;
  }

  /** Draw the state. */
  draw(state) {
    const { game, layout, view, tab, page, gomokuProof } = state;
    if (!game || !layout || tab !== "analysis" || page !== "game-page" || !hasProof(layout)) {
      this.requested = null;
      byId("proved").hidden = true;
      return;
    }
    const key = `${state.clearings} ${game.id} ${game.cursor} ${game.cells}`;
    if (!gomokuProof && key !== this.requested && this.ask(game.cursor)) this.requested = key;
    const { names } = notationOf(layout, view.notation);
    byId("proved").hidden = !gomokuProof || Boolean(game.over);
    if (this.drawn === gomokuProof && this.names === names) return;
    this.drawn = gomokuProof;
    this.names = names;
    byId("proved").replaceChildren(...(gomokuProof ? this.#parts(gomokuProof.says, names) : []));
  }

  #parts(says, names) {
    if (!says) return [element("p", {}, "The proof of Gomoku does not cover this position.")];
    const { side, plies, move, last } = says;
    if (side !== 1) return this.#answers(says, names);
    const parts = last ? [element("p", {}, lastText(last, plies, names))] : [];
    if (move !== null) {
      parts.push(element("p", {}, plies ? `Black has a proved win: ${names[move]}, in at most ${plies} plies.`
        : `The proof continues with ${names[move]}, but some replies are not yet proved to lose.`));
      parts.push(this.#buttons("Proof move", [[move, `Play ${names[move]}`]]));
    } else if (plies) {
      parts.push(element("p", {}, `Black has a proved win by threats, in at most ${plies} plies.`));
      parts.push(element("div", { class: "buttons" },
        element("button", { type: "button", click: () => this.solve() }, "Show the threats")));
    }
    return parts;
  }

  #answers(says, names) {
    const { plies } = says, answers = rankReplies(says);
    const longest = answers.filter(([, kind]) => kind === "entry" || kind === "pass").slice(0, LISTED);
    const counts = Object.keys(KINDS).map((kind) => [kind, answers.filter(([, each]) => each === kind).length]);
    return [
      element("p", {}, plies ? `White loses in at most ${plies} plies after every reply.`
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
