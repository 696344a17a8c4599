// The page of a tournament.

import { Keyed, byId, element, inWords, tableById, text, titleOf } from "../dom.js";
import { drawCurves } from "../study/graph.js";

const COLUMNS = [["Rank", "rank"], ["Player", "name"], ["Elo", "elo"], ["95 %", null],
  ["Points", "points"], ["Games", "games"], ["Won", "won"], ["Drawn", "drawn"], ["Lost", "lost"]];

export class TournamentPage {
  constructor() {
    this.running = new Keyed(byId("running"),
      (game) => element("a", { class: "button live", href: `#watch=${this.number}&play=${game}` }),
      (node, game) => text(node, `${game.first} – ${game.second}, game ${game.game}, ${game.plies} moves`));
    this.standings = new Keyed(tableById("standings").tBodies[0],
      (name) => element("tr", {}, ...COLUMNS.map(([, key]) => element(
        key === "name" ? "th" : "td", key === "name" ? { scope: "row" } : {}, key === "name" ? name : ""))),
      (row, player) => COLUMNS.forEach(([, key], i) => text(row.children[i], cell(player, key))));
    tableById("standings").tHead.rows[0].append(...COLUMNS.map(([title]) => element("th", { scope: "col" }, title)));
  }

  /** Clear the page for the tournament of that number. */
  clear(number) {
    this.number = number;
    tableById("played").tBodies[0].replaceChildren();
    this.running.show([]);
    this.standings.show([]);
    text(byId("tournament-note"), "Loading games ...");
  }

  /** Draw the state. */
  draw({ tournament: message, hello, page }) {
    if (page !== "tournament-page" || !message || message === this.drawn) return;
    this.drawn = message;
    if (!message.summary) {
      text(byId("tournament-note"), message.fault || "No games yet.");
      return;
    }
    const { summary } = message;
    const { contest } = summary;
    const cube = hello.games.some(({ name, cube: is }) => is && name === contest.game);
    text(byId("tournament-title"), `${titleOf({ ...contest, cube })}, ${contest.format}`);
    text(byId("tournament-note"), [`${summary.games} of ${summary.scheduled} games`,
      message.running.length ? `in progress: ${message.running.length}` : "", message.fault]
      .filter(Boolean).join("; "));
    this.standings.show(summary.players.map((player) => [player.name, player]));
    this.running.show(message.running.map((game) => [game.game, game]));
    this.#curves(summary);
    this.#results(message);
  }

  #curves({ progress, test, mean, games }) {
    const names = Object.keys(progress.elo);
    byId("ratings-figure").hidden = !games;
    byId("test-figure").hidden = !test || !games;
    if (!games) return;
    drawCurves(byId("ratings"), progress.games, names.map((name) => ({ values: progress.elo[name] })), [], mean);
    byId("ratings-text").replaceChildren(inWords("Ratings during the tournament: "), ...names.flatMap(
      (name, number) => [element("span", { class: `key series-${number % 6}` }, name), " "]));
    if (test) {
      drawCurves(byId("test"), progress.games, [{ values: progress.llr }], [test.lower, test.upper]);
      text(byId("test-text"), `Log-likelihood ratio ${test.llr.toFixed(2)}, bounds `
        + `${test.lower.toFixed(2)} and ${test.upper.toFixed(2)}`
        + `${test.decision ? `: ${test.decision} is accepted` : ""}`);
    }
  }

  #results({ results, restarts }) {
    const [table] = tableById("played").tBodies;
    if (restarts !== this.restarts) table.replaceChildren();
    this.restarts = restarts;
    table.prepend(...results.slice(table.rows.length).map((game) => this.#row(game)).reverse());
  }

  #row(game) {
    return element("tr", {}, element("th", { scope: "row" },
      element("a", { href: `#watch=${this.number}&play=${game.game}`, title: game.verdict }, String(game.game))),
    ...[game.first, game.second, game.winner ?? "–", game.ending, game.plies].map(
      (words) => element("td", {}, String(words))));
  }
}

function cell(player, key) {
  if (key === null) return interval(player);
  return key === "elo" ? signed(player.elo) : String(player[key]);
}

/** A rating with its sign. */
export function signed(number) {
  if (number === null) return "–";
  const whole = Math.round(number);
  return `${whole < 0 ? "−" : "+"}${Math.abs(whole)}`;
}

/** A confidence interval of a rating. */
export function interval({ low, high }) {
  if (low === high) return "too few games";
  const [from, to] = [low, high].map((end) => (end === null ? "open" : signed(end)));
  return `${from} to ${to}`;
}
