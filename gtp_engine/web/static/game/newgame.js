// The forms of a new game, and of those who play it.

import { element, text } from "../dom.js";
import { Fault, choice, field } from "../server/dialogs.js";
import { SUITING, levelOf, levelOpponents } from "./levels.js";
import { CLOCKS, NO_CLOCK, OPPONENTS, PERSON, clockOf, exchanged, opponentOf } from "./opponents.js";
import { rulesOf } from "./rules.js";

const OWN = "own"; // what is set in detail

/** The fields of a seat, made from the options that the server knows. */
class SeatFields {
  constructor(colour, hello, seat, changed) {
    this.colour = colour;
    this.hello = hello;
    this.changed = changed;
    const players = [["person", "a person"], ...Object.keys(hello.players)];
    if (hello.programs) players.push(["program", "a program"]);
    this.player = choice(`${colour}-player`, players, seat.player, { name: `${colour}.player` });
    this.settings = element("div", { class: "settings" });
    this.player.addEventListener("change", () => this.#options({}));
    this.legend = element("legend", {});
    this.element = element("fieldset", { input: changed, change: changed }, this.legend,
      field("Player", this.player), this.settings);
    this.show(seat);
  }

  /** Put this seat into the fields. */
  show(seat) {
    this.player.value = seat.player;
    this.#options(seat.settings ?? {}, seat.command ?? "");
  }

  #options(chosen, command = "") {
    const player = this.player.value;
    const named = (name) => ({ id: `${this.colour}-${name}`, name: `${this.colour}.${name}`, "data-option": name });
    if (player === "program") {
      this.settings.replaceChildren(field("Command", element("input", { ...named("command"), value: command,
        size: 40, placeholder: "gtp:COMMAND, gomocup:COMMAND or pipe:COMMAND" })));
      return;
    }
    this.settings.replaceChildren(...(this.hello.players[player] ?? []).map((name) => {
      const option = this.hello.options.find((each) => each.name === name);
      const value = chosen[name] ?? "";
      const input = option.values.length
        ? choice(`${this.colour}-${name}`, option.values, value || option.default, named(name))
        : element("input", { ...named(name), value, inputmode: "decimal", size: 8,
          placeholder: option.default || "none" });
      return field(`${name}${option.unit ? ` (${option.unit})` : ""}`, input, option.help);
    }));
  }

  /** The seat as the server takes it. */
  read() {
    const seat = { player: this.player.value, settings: {} };
    for (const input of this.settings.querySelectorAll("input, select")) {
      const value = input.value.trim(), name = input.dataset.option;
      const usual = this.hello.options.find((each) => each.name === name)?.default;
      if (seat.player === "program") seat.command = value;
      else if (value && !(input.tagName === "SELECT" && value === usual)) seat.settings[name] = value;
    }
    return seat;
  }
}

/** The fields of two seats and the clock. */
export class Seats {
  /** `changed` is called when the user changes one. */
  constructor(hello, { black, white, control }, changed = () => {}) {
    this.seats = { black: new SeatFields("black", hello, black, changed),
      white: new SeatFields("white", hello, white, changed) };
    this.inputs = Object.fromEntries(["per_move", "per_game", "increment"].map((key) => [key, element("input",
      { id: key.replace("_", "-"), name: `control.${key}`, inputmode: "decimal", size: 8, placeholder: "none" })]));
    const clock = element("fieldset", { input: changed }, element("legend", {}, "Clock, for both sides"),
      field("Seconds for a move", this.inputs.per_move), field("Seconds for the game", this.inputs.per_game),
      field("More after each move", this.inputs.increment));
    this.element = element("div", { class: "seats" }, this.seats.black.element, this.seats.white.element, clock);
    this.showControl(control);
  }

  /** Put this clock into the fields. */
  showControl(control) {
    for (const [key, input] of Object.entries(this.inputs)) input.value = control[key] || "";
  }

  /** Say which colours they have. */
  name(cube) {
    text(this.seats.black.legend, cube ? "Red" : "Black");
    text(this.seats.white.legend, cube ? "Blue" : "White");
  }

  /** The fields of a message; throws a Fault. */
  read() {
    const control = {};
    for (const [key, input] of Object.entries(this.inputs)) {
      const words = input.value.trim();
      const value = words === "" ? (key === "increment" ? 0 : null) : Number(words);
      if (Number.isNaN(value)) throw new Fault(`not a time in seconds: ${words}`, `control.${key}`);
      control[key] = value;
    }
    return { black: this.seats.black.read(), white: this.seats.white.read(), control };
  }
}

/** The form of a new game: a few plain questions, and all the rest under "more". */
export class NewGame {
  constructor(hello, last, suits) {
    this.hello = hello;
    this.suits = suits;
    const first = last ?? { game: "Gomoku", size: 15, black: PERSON, control: NO_CLOCK,
      white: OPPONENTS.find(([key]) => key === "strong")[2] };
    this.seats = new Seats(hello, first, () => this.#plain());
    this.game = choice("game", hello.games.map(({ name }) => [name, `${name}: ${rulesOf(name).short}`]),
      first.game, { name: "game" });
    this.size = element("input", { id: "size", name: "size", type: "number", value: first.size });
    this.opening = choice("opening-rule", hello.openings, first.opening ?? hello.openings[0], { name: "opening" });
    this.openingField = field("Opening", this.opening, "the first stones, and who has which colour");
    this.range = element("small", { id: "size-range" });
    this.size.setAttribute("aria-describedby", "size-range");
    this.opponent = choice("opponent", [], "");
    this.clock = choice("clock", CLOCKS.map(([key, words]) => [key, words]), "");
    this.clock.append(element("option", { value: OWN, hidden: true }, "as set under “More”"));
    this.colours = ["black", "white", "lot"].map((value) => element("input",
      { type: "radio", name: "colour", value, id: `colour-${value}` }));
    this.words = this.colours.map(() => element("span", {}));
    const colour = element("fieldset", { class: "colours" }, element("legend", {}, "You play"),
      ...this.colours.map((input, i) => element("label", { class: "box" }, input, " ", this.words[i])));
    const size = element("div", { class: "field" }, element("label", { for: "size" }, "Size"), this.size, this.range);
    this.sizeField = size;
    this.rules = element("a", { class: "rules-link" }, "Its rules");
    this.element = [
      element("div", { class: "plain" }, field("Game", this.game), field("Opponent", this.opponent),
        colour, field("Clock", this.clock)),
      this.rules,
      element("details", {}, element("summary", {}, "More: size, players and clocks in detail"),
        element("fieldset", {}, element("legend", {}, "Board"), size, this.openingField), this.seats.element)];
    this.game.addEventListener("change", () => this.#fit(true));
    this.opponent.addEventListener("change", () => this.#detailed());
    this.clock.addEventListener("change", () => this.seats.showControl(
      CLOCKS.find(([key]) => key === this.clock.value)[2]));
    this.colours.forEach((input) => input.addEventListener("change", () => this.#detailed()));
    this.#fit(false);
    this.#plain();
    if (last?.suiting) this.#suit();
    if (last?.lot) this.colours[2].checked = true;
  }

  // The game was chosen: the sizes and colours are its own.
  #fit(reset) {
    const { size } = this;
    const chosen = this.hello.games.find(({ name }) => name === this.game.value);
    Object.assign(size, { min: chosen.smallest, max: chosen.largest, step: chosen.cube ? 2 : 1 });
    if (reset || size.value < chosen.smallest || size.value > chosen.largest) {
      size.value = chosen.name === "Gomoku" ? 15 : chosen.default;
    }
    this.sizeField.hidden = chosen.smallest === chosen.largest;
    this.seats.name(chosen.cube);
    const first = chosen.name === "Gomoku-swap" ? 1 : 0;
    this.openingField.hidden = chosen.cube || first === 1;
    if (this.openingField.hidden) [this.opening.value] = this.hello.openings;
    (chosen.cube ? ["Red", "Blue", "by lot"] : ["Black", "White", "by lot"]).forEach(
      (words, i) => text(this.words[i], i < 2 ? `${words}${i === first ? ", first" : ""}` : words));
    text(this.range, `${chosen.smallest} to ${chosen.largest}`);
    this.rules.href = `#rules=${chosen.name}`;
    text(this.rules, `The rules of ${chosen.name}`);
    this.#oppose();
  }

  // The opponents are those of the game.
  #oppose() {
    const { value } = this.opponent, words = this.hello.levels[this.game.value];
    const [person, ...others] = OPPONENTS;
    this.opponents = [person, ...levelOpponents(words, this.suits, this.game.value), ...others];
    this.opponent.replaceChildren(
      ...this.opponents.map(([key, each]) => element("option", { value: key }, each)),
      ...words.length ? [] : [element("option", { disabled: true }, "(levels mean nothing in this game)")],
      element("option", { value: OWN, hidden: true }, "as set under “More”"));
    this.opponent.value = this.opponents.some(([key]) => key === value) ? value : OWN;
    if (value === SUITING) this.#suit();
  }

  // The level that suits in the game that is chosen.
  #suit() {
    if (!this.opponents.some(([key]) => key === SUITING)) return;
    this.opponent.value = SUITING;
    this.#detailed();
  }

  // The plain questions show what is set in detail.
  #plain() {
    const { black, white } = this.seats.seats;
    const [first, second] = [black.read(), white.read()];
    const own = first.player === "person" ? 0 : 1;
    const lot = this.colours[2].checked;
    if (!lot) this.colours[own].checked = true;
    const other = own === 0 ? second : first;
    const level = levelOf(other);
    const key = level !== null && this.hello.levels[this.game.value].length ? `level-${level}` : opponentOf(other);
    this.opponent.value = [first, second].some(({ player }) => player === "person") ? key : OWN;
    try {
      this.clock.value = clockOf(this.seats.read().control);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      this.clock.value = OWN;
    }
  }

  // What is set in detail follows the plain questions.
  #detailed() {
    const { black, white } = this.seats.seats;
    const seat = this.opponents.find(([key]) => key === this.opponent.value)?.[2];
    const wantsWhite = this.colours[1].checked;
    const [first, second] = [black.read(), white.read()];
    const other = seat ?? (first.player === "person" ? second : first);
    black.show(wantsWhite ? other : PERSON);
    white.show(wantsWhite ? PERSON : other);
  }

  /** The fields of the message; throws a Fault.  `chance` decides by lot. */
  read(chance = Math.random) {
    const size = Number(this.size.value);
    if (!Number.isInteger(size)) throw new Fault("a whole number, please", "size");
    const lot = this.colours[2].checked;
    const game = { game: this.game.value, size, opening: this.opening.value, ...this.seats.read() };
    return { message: lot && chance() < 0.5 ? exchanged(game) : game, last: { ...game, lot, suiting: this.opponent.value === SUITING } };
  }
}

