// The list of games.

import { Keyed, attribute, byId, counted, element, fieldById, tableById, text, titleOf } from "../dom.js";
import { pictureAddress } from "./picture.js";

export class GameList {
  /** `discard` is called with a game to delete, `search` with the words of a search. */
  constructor(discard, search) {
    this.rows = new Keyed(tableById("games").tBodies[0], () => newRow(discard), show);
    // A delayed search would replace the selected game with the list.
    byId("games").addEventListener("click", () => clearTimeout(this.timer));
    byId("search").addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => search(fieldById("search").value), 200);
    });
  }

  /** Draw the state. */
  draw({ games, hello, page }) {
    if (!games || page !== "list-page" || games === this.drawn) return;
    this.drawn = games;
    text(byId("list-note"), noteOn(games));
    this.rows.show(games.games.map((each) => [each.id, { ...each, fixed: hello.watch_only }]));
  }
}

/** The number of games, and of those in the list. */
export function noteOn({ games, count, search }) {
  if (search) return `${counted(count, "game")} ${count === 1 ? "matches" : "match"} “${search}”.`;
  return count > games.length ? `The last ${games.length} of ${count} games` : counted(count, "game");
}

/** A game in one line. */
const titleOfGame = ({ players, title }) => (players ? `${players.black} – ${players.white}` : title);

function newRow(discard) {
  const parts = { picture: element("img", { alt: "", width: 56, height: 56 }),
    link: element("a", { translate: "no" }), game: element("td"),
    plies: element("td"), result: element("td"), date: element("td"),
    remove: element("button", { type: "button" }, "✕") };
  const row = element("tr", {}, element("td", { class: "small-picture" }, parts.picture),
    element("th", { scope: "row" }, parts.link),
    parts.game, parts.plies, parts.result, parts.date, element("td", {}, parts.remove));
  parts.remove.addEventListener("click", () => discard(row.game));
  return Object.assign(row, { parts });
}

function show(row, game) {
  const { parts } = row;
  if (row.game?.cells !== game.cells || !row.game) parts.picture.src = pictureAddress(game);
  row.game = game;
  text(parts.link, titleOfGame(game));
  parts.link.href = `#game=${game.id}`;
  text(parts.game, titleOf(game));
  text(parts.plies, String(game.plies));
  text(parts.result, game.result);
  text(parts.date, new Date(1000 * game.begun).toLocaleString(document.documentElement.lang,
    { dateStyle: "medium", timeStyle: "short" }));
  parts.remove.hidden = game.fixed;
  attribute(parts.remove, "aria-label", `Delete ${titleOfGame(game)}`);
}
