// The analysis of the displayed position: lines, figures, threats and proofs.

import { attribute, byId, capital, element, fieldById, text } from "../dom.js";
import { colourWord, notationOf } from "../notation.js";
import { hidesPlies } from "./proofpanel.js";
import { figuresText, valueWords, rankMoves, toneOf, withoutPlies } from "./values.js";

/** The best moves with their lines.  Rows keep their elements, so that a click works during updates.
 *  `choose` is called with a line, `look` with the line under the pointer, or null. */
class Lines {
  constructor(list, choose, look) {
    this.list = list;
    this.choose = choose;
    this.look = look;
    this.rows = [];
  }

  #row() {
    const row = { line: [], value: element("b", {}), words: element("span", {}) };
    const look = () => this.look(row.line), away = () => this.look(null);
    row.item = element("li", {}, element("button", { class: "line", type: "button", mouseenter: look,
      mouseleave: away, focus: look, blur: away, click: () => this.choose(row.line) },
    row.value, " ", row.words));
    return row;
  }

  /** Show these moves, see values.ranked. */
  show(best, names) {
    while (this.rows.length < best.length) this.rows.push(this.#row());
    best.forEach((move, i) => {
      const row = this.rows[i];
      row.line = move.line;
      text(row.value, valueWords(move));
      attribute(row.value, "class", `tone-${toneOf(move.value)}`);
      text(row.words, move.line.map((place) => names[place]).join(" "));
      if (this.list.children[i] !== row.item) this.list.append(row.item);
    });
    while (this.list.children.length > best.length) this.list.lastChild.remove();
  }
}

export class Analysis {
  /** `choose` is called with a line to play its first move, `look` with a line to display or null,
   *  `stop` to stop a proof. */
  constructor(choose, look, stop) {
    this.look = look;
    this.stop = stop;
    this.lines = new Lines(byId("best"), choose, look);
  }

  /** Draw the state. */
  draw(state) {
    const { game, layout, view, threats } = state;
    if (!game) return;
    const analysis = state.analysis && hidesPlies(state)
      ? { ...state.analysis, report: withoutPlies(state.analysis.report) } : state.analysis;
    const { names } = notationOf(layout, view.notation);
    attribute(byId("analyse"), "aria-pressed", game.analysing ? "true" : "false");
    attribute(byId("threats"), "aria-pressed", threats ? "true" : "false");
    byId("threat-legend").hidden = !threats;
    let words = analysis ? figuresText(analysis) : "\u00a0";
    if (!analysis && game.analysing && !game.over) words = "analysing ...";
    text(byId("figures"), words);
    this.lines.show(analysis ? rankMoves(analysis.report).slice(0, Number(fieldById("lines").value) || 5) : [], names);
    this.#proof(state, names);
  }

  #proof({ game, layout, proof }, names) {
    const isSolving = game.asked.some((each) => each.what === "solve" && each.node === game.cursor);
    if (this.drawn?.every((part, i) => part === [isSolving, proof, names][i])) return;
    this.drawn = [isSolving, proof, names];
    const parts = [];
    if (isSolving) {
      parts.push(element("p", {}, "Searching for a proof, up to 20 seconds ... "),
        element("progress", { "aria-label": "Searching for a proof" }),
        element("button", { type: "button", click: () => this.stop() }, "Stop"));
    } else if (proof) {
      parts.push(...proofParts(proof, game.side, (colour) => capital(colourWord(layout, colour)), names,
        (line, words) => element("button", { type: "button", click: () => this.look(line) }, words)));
    }
    byId("proof").replaceChildren(...parts);
  }
}

function proofParts({ winner, move, line, threats, reasons = [] }, side, wordOf, names, button) {
  if (winner === null) return [element("p", {}, "No proof found.")];
  if (winner === 0) return [element("p", {}, "Proved: a draw with best play.")];
  const claim = `Proved: ${wordOf(winner)} wins${move === null ? "" : ` with ${names[move]}`}`;
  if (winner === side && line.length > 1) {
    return [element("p", {}, `${claim}, because:`), element("ol", { class: "why" }, ...line.map((place, i) => {
      const colour = i % 2 ? 3 - side : side;
      return element("li", {}, `${wordOf(colour)} ${names[place]} ${reason(threats[i], i === line.length - 1, names)}`);
    })), button(line, "Show on the board")];
  }
  if (!reasons.length) return [element("p", {}, `${claim}${winner === side ? "." : " against every reply."}`)];
  return [element("p", {}, `${claim}, because:`), element("ul", { class: "why" }, ...reasons.map(
    (each) => element("li", {}, button(each.line, `${wordOf(side)} ${names[each.move]}`), ` ${each.text}`)))];
}

function reason(threats, last, names) {
  if (last) return "wins";
  const goals = threats.map((place) => names[place]).join(" and ");
  if (threats.length > 1) return `threatens ${goals}: only one can be stopped`;
  return goals ? `threatens ${goals}` : "";
}
