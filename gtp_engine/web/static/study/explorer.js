// The opening explorer: what games have answered in the position that is shown.

import { Keyed, byId, counted, element, tableById, text } from "../dom.js";
import { notationOf } from "../notation.js";
import { toneOf } from "./values.js";

const SHOWN = 20; // answers in the table and on the board
const COLUMNS = ["remark", "number", "number", "number", "number", "number value"]; // beside the answer
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
    this.table = tableById("answers");
    this.rows = new Keyed(this.table.tBodies[0], () => row(choose), fill);
  }

  /** Draw the state; until answers have come, those of the position before are seen in grey. */
  draw(state) {
    const { game, layout, view, tab, page, explored } = state;
    if (!game || tab !== "explorer" || page !== "game-page") {
      this.asked = null;
      return;
    }
    const wanted = `${game.id} ${game.cursor} ${game.cells}`;
    if (!explored && wanted !== this.asked && this.ask(game.cursor)) this.asked = wanted;
    this.table.classList.toggle("waiting", !explored);
    if (!explored) text(byId("explorer-note"), "Reading the games ...");
    else this.#show(explored, notationOf(layout, view.notation).names);
  }

  #show(explored, names) {
    const { answers, games } = explored, shown = answers.slice(0, SHOWN), all = allOf(answers);
    const count = games.toLocaleString("en");
    text(byId("explorer-note"), all ? `${counted(all, "game")} of ${count} have come here.`
      : `No game of ${count} has come here.`);
    this.table.hidden = answers.length === 0;
    this.table.classList.toggle("without-values", shown.every(({ value }) => value === null));
    this.table.classList.toggle("without-remarks", shown.every(({ remark }) => !remark));
    this.rows.show(shown.map((answer, i) => [i, { answer, all, names }]));
  }
}

// Rows stay where they are, so that the focus does.
function row(choose) {
  const point = element("b", {}), equal = element("span", {});
  const made = element("tr", {}, element("th", { scope: "row" }, element("button", { type: "button", class: "line",
    click: () => choose(made.points) }, point, equal)), ...COLUMNS.map((kind) => element("td", { class: kind })));
  return Object.assign(made, { point, equal });
}

function fill(made, { answer, all, names }) {
  const { points, games, score, value, remark } = answer;
  made.points = points;
  text(made.point, names[points[0]]);
  text(made.equal, points.length > 1 ? ` ×${points.length}` : "");
  const texts = [remark, String(games), games ? `${share(answer, all)} %` : "",
    score === null ? "" : `${Math.round(100 * score)} %`, resultWords(answer), value === null ? "" : value.toFixed(2)];
  texts.forEach((words, i) => text(made.children[i + 1], words));
}
