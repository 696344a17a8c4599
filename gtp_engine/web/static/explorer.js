// The opening explorer: what games have answered in the position that is shown.

import { byId, counted, element, tableById, text } from "./dom.js";
import { notationOf } from "./notation.js";
import { toneOf } from "./values.js";

const SHOWN = 20; // answers in the table and on the board
const ONE = 1; // percent: answers that are rarer have no colour on the board

const allOf = (answers) => answers.reduce((sum, { games }) => sum + games, 0);

/** Of how many games in a hundred it is the answer. */
const share = (answer, all) => Math.round((100 * answer.games) / all);

/** How good an answer was, as one of the words of toneOf: by its results, else by what is known. */
function toneOfAnswer({ score, remark }) {
  if (remark === "wins") return "won";
  if (remark === "loses") return "lost";
  return score === null ? "even" : toneOf((2 * score - 1) * 0.99);
}

/** Won, drawn and lost by the side that gave the answer; nothing if no result is known. */
export function resultWords({ won, drawn, lost, score }) {
  return score === null ? "" : `+${won} =${drawn} −${lost}`;
}

/** What is seen of the answers on the board, see board.js Scene. */
export function heatOfAnswers(answers) {
  const all = allOf(answers), heat = new Map();
  answers.slice(0, SHOWN).forEach((answer, index) => {
    const percent = all ? share(answer, all) : 0;
    if (percent < ONE && !answer.remark) return;
    for (const place of answer.points) {
      heat.set(place, { text: answer.games ? String(percent) : "", tone: toneOfAnswer(answer), best: index === 0,
        words: answer.games ? `${percent} % of ${counted(all, "game")}` : answer.remark });
    }
  });
  return heat;
}

export class Explorer {
  /** `ask` is called with the node whose answers are wanted, `choose` with the points of one. */
  constructor(ask, choose) {
    this.ask = ask;
    this.choose = choose;
  }

  /** Draw the state. */
  draw(state) {
    const { game, layout, view, tab, page, explored } = state;
    if (!game || tab !== "explorer" || page !== "game-page") {
      this.asked = null;
      return;
    }
    const wanted = `${game.id} ${game.cursor} ${game.cells}`;
    if (!explored && wanted !== this.asked && this.ask(game.cursor)) this.asked = wanted;
    const { names } = notationOf(layout, view.notation);
    if (!explored || explored !== this.explored || names !== this.names) this.#show(explored, names);
  }

  #show(explored, names) {
    this.explored = explored;
    this.names = names;
    const answers = explored?.answers.slice(0, SHOWN) ?? [], all = allOf(explored?.answers ?? []);
    let note = "Reading the games ...";
    if (explored) {
      const count = explored.games.toLocaleString("en");
      note = all ? `${counted(all, "game")} of ${count} have come here.` : `No game of ${count} has come here.`;
    }
    text(byId("explorer-note"), note);
    const table = tableById("answers");
    table.hidden = answers.length === 0;
    table.classList.toggle("without-values", answers.every(({ value }) => value === null));
    table.classList.toggle("without-remarks", answers.every(({ remark }) => !remark));
    table.tBodies[0].replaceChildren(...answers.map((answer) => this.#row(answer, all, names)));
  }

  #row(answer, all, names) {
    const { points, games, score, value, remark } = answer;
    const equal = points.length > 1 ? ` ×${points.length}` : "";
    const cell = (words, kind) => element("td", { class: kind }, words);
    return element("tr", {}, element("th", { scope: "row" }, element("button", { type: "button", class: "line",
      click: () => this.choose(points) }, element("b", {}, names[points[0]]), equal)),
    cell(remark, "remark"), cell(String(games), "number"), cell(games ? `${share(answer, all)} %` : "", "number"),
    cell(score === null ? "" : `${Math.round(100 * score)} %`, "number"), cell(resultWords(answer), "number"),
    cell(value === null ? "" : value.toFixed(2), "number value"));
  }
}
