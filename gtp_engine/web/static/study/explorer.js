// The opening explorer: the moves that games played in the displayed position.

import { Keyed, byId, counted, element, tableById, text } from "../dom.js";
import { notationOf } from "../notation.js";
import { toneOf } from "./values.js";

const SHOWN = 20; // moves in the table and on the board
const COLUMNS = ["remark", "number", "number", "number", "number", "number value"]; // beside the move
const ONE = 1; // percent: rarer moves have no colour on the board

const allOf = (answers) => answers.reduce((sum, { games }) => sum + games, 0);

/** The share of a move in percent. */
const share = (answer, all) => Math.round((100 * answer.games) / all);

/** The quality of a move as a word of toneOf: by its remark, else by its results. */
function toneOfAnswer({ score, remark }) {
  if (remark === "wins") return "won";
  if (remark === "loses") return "lost";
  return score === null ? "even" : toneOf((2 * score - 1) * 0.99);
}

/** Games won, drawn and lost by the side to move; empty without results. */
export function resultWords({ won, drawn, lost, score }) {
  return score === null ? "" : `+${won} =${drawn} −${lost}`;
}

/** The moves as the heat of a board, see Scene in board.js. */
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
  /** `ask` is called with a node to request its moves, `choose` with the points of a move. */
  constructor(ask, choose) {
    this.ask = ask;
    this.table = tableById("answers");
    this.rows = new Keyed(this.table.tBodies[0], () => newRow(choose), fill);
  }

  /** Draw the state; the moves of the previous position stay in grey until new ones arrive. */
  draw(state) {
    const { game, layout, view, tab, page, openings } = state;
    if (!game || tab !== "explorer" || page !== "game-page") {
      this.requested = null;
      return;
    }
    const key = `${state.clearings} ${game.id} ${game.cursor} ${game.cells}`;
    if (!openings && key !== this.requested && this.ask(game.cursor)) this.requested = key;
    this.table.classList.toggle("waiting", !openings);
    if (!openings) text(byId("explorer-note"), "Loading games ...");
    else this.#show(openings, notationOf(layout, view.notation).names);
  }

  #show(openings, names) {
    const { answers, games } = openings, rows = answers.slice(0, SHOWN), all = allOf(answers);
    const total = counted(games, "game");
    text(byId("explorer-note"), all ? `${all.toLocaleString("en")} of ${total} reached this position.`
      : `None of ${total} reached this position.`);
    this.table.hidden = answers.length === 0;
    this.table.classList.toggle("without-values", rows.every(({ value }) => value === null));
    this.table.classList.toggle("without-remarks", rows.every(({ remark }) => !remark));
    this.rows.show(rows.map((answer, i) => [i, { answer, all, names }]));
  }
}

// A row that stays in place during updates, and so keeps the focus.
function newRow(choose) {
  const point = element("b", {}), equal = element("span", {});
  const row = element("tr", {}, element("th", { scope: "row" }, element("button", { type: "button", class: "line",
    click: () => choose(row.points) }, point, equal)), ...COLUMNS.map((kind) => element("td", { class: kind })));
  return Object.assign(row, { point, equal });
}

function fill(row, { answer, all, names }) {
  const { points, games, score, value, remark } = answer;
  row.points = points;
  text(row.point, names[points[0]]);
  text(row.equal, points.length > 1 ? ` ×${points.length}` : "");
  const texts = [remark, String(games), games ? `${share(answer, all)} %` : "",
    score === null ? "" : `${Math.round(100 * score)} %`, resultWords(answer), value === null ? "" : value.toFixed(2)];
  texts.forEach((words, i) => text(row.children[i + 1], words));
}
