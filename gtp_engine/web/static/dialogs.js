// The questions that are asked before something is done.

import { byId, element, text } from "./dom.js";

/** Ask with this title and content; `read` makes the answer from it, or throws what is wrong.
 *  Resolves to the answer, or null. */
export function ask(title, content, read, ok = "OK") {
  const dialog = byId("dialog");
  text(byId("dialog-title"), title);
  text(byId("dialog-ok"), ok);
  text(byId("dialog-fault"), "");
  byId("dialog-body").replaceChildren(...[content].flat());
  byId("dialog-cancel").hidden = !read;
  return new Promise((resolve) => {
    let answer = null;
    byId("dialog-ok").onclick = (event) => {
      try {
        answer = read ? read() : true;
      } catch (fault) {
        event.preventDefault();
        text(byId("dialog-fault"), fault.message);
      }
    };
    dialog.onclose = () => resolve(dialog.returnValue === "ok" ? answer : null);
    dialog.returnValue = "";
    dialog.showModal();
  });
}

/** A labelled field. */
export function field(label, input, help = "") {
  return element("label", { class: "field" }, element("span", {}, label), input,
    help ? element("small", {}, help) : null);
}

/** A choice; `values` are texts, or pairs of a value and its text. */
export function choice(id, values, chosen) {
  const pairs = values.map((value) => (Array.isArray(value) ? value : [value, value]));
  return element("select", { id }, ...pairs.map(([value, words]) => element("option",
    { value, selected: value === chosen }, words)));
}

/** The fields of a seat, made from the options that the server knows. */
class SeatFields {
  constructor(colour, hello, seat) {
    this.hello = hello;
    this.colour = colour;
    const players = [["person", "you, or a person here"], ...Object.keys(hello.players)];
    if (hello.programs) players.push(["program", "a program"]);
    this.player = choice(`${colour}-player`, players, seat.player);
    this.settings = element("div", { class: "settings" });
    this.player.addEventListener("change", () => this.#options({}));
    this.legend = element("legend", {});
    this.element = element("fieldset", {}, this.legend,
      field("Player", this.player), this.settings);
    this.#options(seat.settings ?? {}, seat.command ?? "");
  }

  #options(chosen, command = "") {
    const player = this.player.value;
    const id = (name) => `${this.colour}-${name}`;
    if (player === "program") {
      this.settings.replaceChildren(field("Command", element("input", {
        id: id("command"), value: command, size: 40,
        placeholder: "gtp:COMMAND, gomocup:COMMAND or pipe:COMMAND" })));
      return;
    }
    this.settings.replaceChildren(...(this.hello.players[player] ?? []).map((name) => {
      const option = this.hello.options.find((each) => each.name === name);
      const value = chosen[name] ?? "";
      const input = option.values.length
        ? choice(id(name), option.values, value || option.default)
        : element("input", { id: id(name), value, inputmode: "decimal", size: 8,
          placeholder: option.default || "none" });
      return field(`${name}${option.unit ? ` (${option.unit})` : ""}`, input, option.help);
    }));
  }

  /** The seat as the server takes it. */
  read() {
    const seat = { player: this.player.value, settings: {} };
    for (const input of this.settings.querySelectorAll("input, select")) {
      const name = input.id.slice(this.colour.length + 1);
      const value = input.value.trim();
      if (seat.player === "program") seat.command = value;
      else if (value) seat.settings[name] = value;
    }
    return seat;
  }
}

/** The fields of two seats and the clock, for a game that is given or null. */
export class Seats {
  constructor(hello, seats, control) {
    this.black = new SeatFields("black", hello, seats.black);
    this.white = new SeatFields("white", hello, seats.white);
    const seconds = (id, value) => element("input", { id, value: value ?? "", inputmode: "decimal",
      size: 8, placeholder: "none" });
    this.inputs = {
      per_move: seconds("per-move", control.per_move),
      per_game: seconds("per-game", control.per_game),
      increment: seconds("increment", control.increment || ""),
    };
    const clock = element("fieldset", {}, element("legend", {}, "Clock, for both sides"),
      field("Seconds for a move", this.inputs.per_move),
      field("Seconds for the game", this.inputs.per_game),
      field("More after each move", this.inputs.increment));
    this.element = element("div", { class: "seats" }, this.black.element, this.white.element, clock);
  }

  /** Say which colours they have. */
  name(cube) {
    text(this.black.legend, cube ? "Red" : "Black");
    text(this.white.legend, cube ? "Blue" : "White");
  }

  /** The fields of a message; throws what is wrong. */
  read() {
    const control = {};
    for (const [key, input] of Object.entries(this.inputs)) {
      const words = input.value.trim();
      const value = words === "" ? (key === "increment" ? 0 : null) : Number(words);
      if (Number.isNaN(value)) throw new Error(`not a time in seconds: ${words}`);
      control[key] = value;
    }
    return { black: this.black.read(), white: this.white.read(), control };
  }
}
