// The games of the server's collections that reached the displayed position.

import { Keyed, attribute, byId, element, fieldById, tableById, text } from "../dom.js";
import { noteOn } from "../server/gamelist.js";

const PAUSE = 200; // milliseconds after the last key of a search

/** The list after a message with more games; a message with the first games replaces the list. */
export function collectedAfter(before, message) {
  if (message.skip === 0) return message;
  if (before?.search !== message.search || before.games.length !== message.skip) return before;
  return { ...message, games: [...before.games, ...message.games] };
}

export class CollectionList {
  /** `ask` is called with a node, the words of a search and the number of games to skip, `open` with a game. */
  constructor(ask, open) {
    this.ask = ask;
    this.rows = new Keyed(tableById("collected").tBodies[0], () => newRow(open), fill);
    byId("collection-search").addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.draw(this.state), PAUSE);
    });
    byId("collection-more").addEventListener("click", () => {
      const { game, collected } = this.state;
      if (collected) ask(game.cursor, collected.search, collected.games.length);
    });
  }

  /** Draw the state; the games of the previous position stay in grey until new ones arrive. */
  draw(state) {
    this.state = state;
    const { game, hello, tab, page, collected } = state;
    if (!game || tab !== "explorer" || page !== "game-page" || !hello.collections) {
      this.requested = null;
      return;
    }
    byId("collection").hidden = false;
    const words = fieldById("collection-search").value.trim();
    const key = `${state.clearings} ${game.id} ${game.cursor} ${game.cells} ${words}`;
    const missing = collected?.search !== words;
    if (missing && key !== this.requested && this.ask(game.cursor, words, 0)) this.requested = key;
    const table = tableById("collected");
    table.classList.toggle("waiting", missing);
    if (!collected) return;
    text(byId("collection-note"), noteOn(collected));
    table.hidden = collected.games.length === 0;
    byId("collection-more").hidden = collected.games.length >= collected.count;
    this.rows.show(collected.games.map((each) => [`${each.collection} ${each.id}`, { ...each, fixed: hello.watch_only }]));
  }
}

function newRow(open) {
  const button = element("button", { type: "button", class: "line", translate: "no" });
  const row = element("tr", {}, element("th", { scope: "row" }, button),
    ...Array.from({ length: 3 }, () => element("td", { translate: "no" })));
  button.addEventListener("click", () => open(row.game));
  return Object.assign(row, { button });
}

function fill(row, game) {
  row.game = game;
  attribute(row.button, "disabled", game.fixed ? "" : null);
  text(row.button, `${game.black || "?"} – ${game.white || "?"}`);
  [game.result, game.date, game.event].forEach((words, i) => text(row.children[i + 1], words));
}
