// A tournament that is running or over.

import { byId, element, text, titleOf } from "./dom.js";
import { drawCurves } from "./graph.js";

const COLUMNS = [["Rank", "rank"], ["Player", "name"], ["Elo", "elo"], ["95 %", null],
  ["Points", "points"], ["Games", "games"], ["Won", "won"], ["Drawn", "drawn"], ["Lost", "lost"]];

export class TournamentPage {
  /** `replay` is called with the number of a game. */
  constructor(replay) {
    this.replay = replay;
    this.clear();
    for (const id of ["played", "running"]) {
      byId(id).addEventListener("click", (event) => {
        const game = event.target.closest("[data-game]")?.dataset.game;
        if (game !== undefined) replay(Number(game));
      });
    }
  }

  clear() {
    byId("played").tBodies[0].replaceChildren();
    byId("running").replaceChildren();
    byId("standings").replaceChildren();
    text(byId("tournament-note"), "Reading the games ...");
  }

  /** Show what the server says of it; `cubes` are the games on cubes. */
  show(message, cubes) {
    if (!message.summary) {
      text(byId("tournament-note"), message.fault || "There are no games yet.");
      return;
    }
    if (message.known === 0) this.clear();
    const { summary } = message;
    const contest = summary.contest;
    const cube = cubes.includes(contest.game);
    text(byId("tournament-title"), `${titleOf({ ...contest, cube })}, ${contest.format}`);
    text(byId("tournament-note"), [`${summary.games} of ${summary.scheduled} games`,
      message.running.length ? `now being played: ${message.running.length}` : "", message.fault]
      .filter(Boolean).join("; "));
    this.#standings(summary.players);
    this.#running(message.running);
    this.#curves(summary);
    byId("played").tBodies[0].prepend(...message.games.map(gameRow).reverse());
  }

  #standings(players) {
    const head = element("thead", {}, element("tr", {},
      ...COLUMNS.map(([title]) => element("th", { scope: "col" }, title))));
    const rows = players.map((player) => element("tr", {}, ...COLUMNS.map(([title, key]) => {
      if (key === "name") return element("th", { scope: "row" }, player.name);
      if (key === null) return element("td", {}, interval(player));
      return element("td", {}, key === "elo" ? signed(player.elo) : String(player[key]));
    })));
    byId("standings").replaceChildren(head, element("tbody", {}, ...rows));
  }

  #running(games) {
    byId("running").replaceChildren(...games.map((game) => element("button",
      { "data-game": game.game, class: "live" },
      `${game.first} – ${game.second}, game ${game.game}, ${game.plies} moves`)));
  }

  #curves(summary) {
    const { progress, test } = summary;
    const names = Object.keys(progress.elo);
    drawCurves(byId("ratings"), progress.games, names.map((name) => (
      { values: progress.elo[name] })), [], summary.mean);
    byId("ratings-text").replaceChildren("Ratings over the games: ", ...names.flatMap(
      (name, number) => [element("span", { class: `key series-${number % 6}` }, name), " "]));
    byId("test-figure").hidden = !test;
    if (test) {
      drawCurves(byId("test"), progress.games, [{ values: progress.llr }],
        [test.lower, test.upper]);
      text(byId("test-text"), `Log-likelihood ratio ${test.llr.toFixed(2)}, bounds `
        + `${test.lower.toFixed(2)} and ${test.upper.toFixed(2)}`
        + `${test.decision ? `: ${test.decision} is accepted` : ""}`);
    }
  }
}

function gameRow(game) {
  return element("tr", {}, element("th", { scope: "row" },
    element("button", { "data-game": game.game, title: game.verdict }, String(game.game))),
  ...[game.first, game.second, game.winner ?? "–", game.ending, game.plies].map(
    (words) => element("td", {}, String(words))));
}

const signed = (number) => {
  const whole = Math.round(number);
  return `${whole < 0 ? "−" : "+"}${Math.abs(whole)}`;
};

function interval({ low, high }) {
  if (low === null && high === null) return "too few games";
  const [from, to] = [low, high].map((end) => (end === null ? "open" : signed(end)));
  return `${from} to ${to}`;
}
