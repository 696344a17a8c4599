// The list of games.

import { Keyed, attribute, byId, element, fieldById, tableById, text, titleOf } from "../dom.js";
import { address, picture } from "./picture.js";

export class GameList {
  /** `discard` is called with a game that is to be removed, `search` with the words of a search. */
  constructor(discard, search) {
    this.rows = new Keyed(tableById("games").tBodies[0], () => row(discard), show);
    // A search that is still to be sent would bring the list back in place of the chosen game.
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

/** How many games there are, and are shown. */
export function noteOn({ games, count, search }) {
  if (search) return `${count} of the games have “${search}”.`;
  return count > games.length ? `The last ${games.length} of ${count} games` : `${count} games`;
}

/** A game in one line, for those who cannot see the list. */
const titled = ({ players, title }) => (players ? `${players.black} – ${players.white}` : title);

function row(discard) {
  const parts = { picture: element("img", { alt: "", width: 56, height: 56 }), link: element("a", { translate: "no" }), game: element("td"),
    plies: element("td"), result: element("td"), date: element("td"),
    remove: element("button", { type: "button" }, "✕") };
  const made = element("tr", {}, element("td", { class: "small-picture" }, parts.picture),
    element("th", { scope: "row" }, parts.link),
    parts.game, parts.plies, parts.result, parts.date, element("td", {}, parts.remove));
  parts.remove.addEventListener("click", () => discard(made.shown));
  return Object.assign(made, { parts });
}

function show(made, game) {
  const { parts } = made;
  if (made.shown?.cells !== game.cells || !made.shown) parts.picture.src = address(picture(game));
  made.shown = game;
  text(parts.link, titled(game));
  parts.link.href = `#game=${game.id}`;
  text(parts.game, titleOf(game));
  text(parts.plies, String(game.plies));
  text(parts.result, game.result);
  text(parts.date, new Date(1000 * game.begun).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" }));
  parts.remove.hidden = game.fixed;
  attribute(parts.remove, "aria-label", `Remove ${titled(game)}`);
}
