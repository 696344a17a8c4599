// The forms for a new game and for its players.

import { attribute, element, sidesOf, text } from "../dom.js";
import { hasProof } from "../study/proofpanel.js";
import { Fault, choice, field } from "../server/dialogs.js";
import { SUITING, isFullStrength, levelOf, levelOpponents } from "./levels.js";
import { CLOCKS, NO_CLOCK, OPPONENTS, PERSON, clockOf, opponentOf, opponentsOf, withSwappedColours } from "./opponents.js";
import { FAMILY, rulesOf } from "./rules.js";

const OWN = "own"; // custom settings
const LEVELS = "Strength levels", LEVELS_ELO = "Levels, with Elo above a random player";
const EVEN = [ // opening rules to offer where Black has a proved win: name, label, words after the choice
  ["swap2", "Swap2", "The engine places three stones; you choose a colour or place two more."],
  ["swap", "Three balanced stones", "The engine places three balanced stones; you choose a colour."],
  ["free", "Play White anyway", ""],
];
const CUSTOM = "Custom (see “Advanced”)";

/** The fields of a seat, built from the options that the server lists. */
class SeatFields {
  constructor(colour, hello, seat, onChange) {
    this.colour = colour;
    this.hello = hello;
    const players = [["person", "person"], ...Object.keys(hello.players)];
    if (hello.programs || hello.own.length) players.push(["program", "external program"]);
    this.player = choice(`${colour}-player`, players, seat.player, { name: `${colour}.player` });
    this.settings = element("div", { class: "settings" });
    this.player.addEventListener("change", () => this.#options({}));
    this.legend = element("legend", {});
    this.element = element("fieldset", { input: onChange, change: onChange }, this.legend,
      field("Player", this.player), this.settings);
    this.show(seat);
  }

  /** Fill the fields from this seat. */
  show(seat) {
    this.player.value = seat.player;
    this.#options(seat.settings ?? {}, seat.command ?? "");
  }

  #options(chosen, command = "") {
    const player = this.player.value;
    const attributes = (name) => ({ id: `${this.colour}-${name}`, name: `${this.colour}.${name}`, "data-option": name });
    if (player === "program") {
      this.settings.replaceChildren(field("Command", element("input", { ...attributes("command"), value: command,
        size: 40, placeholder: "gtp:COMMAND, gomocup:COMMAND or pipe:COMMAND" })));
      return;
    }
    this.settings.replaceChildren(...(this.hello.players[player] ?? []).map((name) => {
      const option = this.hello.options.find((each) => each.name === name);
      const value = chosen[name] ?? "";
      const input = option.values.length
        ? choice(`${this.colour}-${name}`, option.values, value || option.default, attributes(name))
        : element("input", { ...attributes(name), value, inputmode: "decimal", size: 8,
          placeholder: option.default || "none" });
      return field(`${name}${option.unit ? ` (${option.unit})` : ""}`, input, option.help);
    }));
  }

  /** The seat in the format of messages. */
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
  /** `onChange` is called after each change by the user. */
  constructor(hello, { black, white, control }, onChange = () => {}) {
    this.seats = { black: new SeatFields("black", hello, black, onChange),
      white: new SeatFields("white", hello, white, onChange) };
    this.inputs = Object.fromEntries(["per_move", "per_game", "increment"].map((key) => [key, element("input",
      { id: key.replace("_", "-"), name: `control.${key}`, inputmode: "decimal", size: 8, placeholder: "none" })]));
    const clock = element("fieldset", { input: onChange }, element("legend", {}, "Clock for both sides"),
      field("Seconds per move", this.inputs.per_move), field("Seconds per game", this.inputs.per_game),
      field("Increment in seconds", this.inputs.increment));
    this.element = element("div", { class: "seats" }, this.seats.black.element, this.seats.white.element, clock);
    this.showControl(control);
  }

  /** Fill the fields from this clock. */
  showControl(control) {
    for (const [key, input] of Object.entries(this.inputs)) input.value = control[key] || "";
  }

  /** Name the colours of the game. */
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
      if (Number.isNaN(value)) throw new Fault(`not a number of seconds: ${words}`, `control.${key}`);
      control[key] = value;
    }
    return { black: this.seats.black.read(), white: this.seats.white.read(), control };
  }
}

/** The form for a new game: a few plain questions, and all details under "Advanced". */
export class NewGame {
  constructor(hello, last, suits) {
    this.hello = hello;
    this.suits = suits;
    this.own = hello.own.map(({ command, name }) => [command, name, { player: "program", settings: {}, command }]);
    const first = last ?? { game: "Gomoku", size: 15, black: PERSON, control: NO_CLOCK,
      white: (this.own[0] ?? OPPONENTS.find(([key]) => key === "strong"))[2] };
    this.seats = new Seats(hello, first, () => this.#plain());
    const length = /^(\d+)-in-a-row$/.exec(first.game)?.[1];
    this.game = choice("game", hello.games.map(({ name }) => [name, `${name}: ${rulesOf(name).short}`]),
      length ? FAMILY : first.game, { name: "game" });
    this.length = element("input", { id: "length", name: "length", type: "number", value: length ?? 4 });
    this.lengthField = field("K: stones in a row", this.length);
    this.size = element("input", { id: "size", name: "size", size: 8, value: first.size });
    this.opening = choice("opening-rule", hello.openings, first.opening ?? hello.openings[0], { name: "opening" });
    this.openingField = field("Opening", this.opening, "rule for the first stones and the choice of colours");
    this.range = element("small", { id: "size-range" });
    this.size.setAttribute("aria-describedby", "size-range");
    this.opponent = choice("opponent", [], "");
    this.clock = choice("clock", CLOCKS.map(([key, words]) => [key, words]), "");
    this.clock.append(element("option", { value: OWN, hidden: true }, CUSTOM));
    this.colours = ["black", "white", "lot"].map((value) => element("input",
      { type: "radio", name: "colour", value, id: `colour-${value}` }));
    this.words = this.colours.map(() => element("span", {}));
    const colour = element("fieldset", { class: "colours" }, element("legend", {}, "You play"),
      ...this.colours.map((input, i) => element("label", { class: "box" }, input, " ", this.words[i])));
    const size = element("div", { class: "field" }, element("label", { for: "size" }, "Size"), this.size, this.range);
    this.sizeField = size;
    this.rules = element("a", { class: "rules-link" });
    this.offer = element("p", { role: "status" });
    this.choices = EVEN.map(([rule, words]) => [rule, element("button", { type: "button",
      click: () => this.#choose(rule) }, words)]);
    this.after = element("small", { role: "status" });
    this.even = element("div", { class: "buttons", role: "group", "aria-label": "Even opening" },
      ...this.choices.map(([, button]) => button));
    this.element = [
      element("div", { class: "plain" }, field("Game", this.game), this.lengthField, field("Opponent", this.opponent),
        colour, element("div", { class: "even" }, this.offer, this.even, this.after), field("Clock", this.clock)),
      this.rules,
      element("details", {}, element("summary", {}, "Advanced: size, opening, players and clock"),
        element("fieldset", {}, element("legend", {}, "Board"), size, this.openingField), this.seats.element)];
    this.game.addEventListener("change", () => this.#fit(true));
    this.length.addEventListener("change", () => this.#fit(true));
    this.size.addEventListener("change", () => this.#oppose());
    this.opponent.addEventListener("change", () => this.#detailed());
    this.clock.addEventListener("change", () => this.seats.showControl(
      CLOCKS.find(([key]) => key === this.clock.value)[2]));
    this.colours.forEach((input) => input.addEventListener("change", () => this.#detailed()));
    this.opening.addEventListener("change", () => this.#offer());
    this.chosen = null; // the choice among EVEN
    this.#fit(false);
    this.#plain();
    if (last?.suiting) this.#suit();
    if (last?.lot) this.colours[2].checked = true;
    if (last?.even) this.chosen = this.opening.value;
    this.#offer();
  }

  // Offer an even opening to a person with White against full strength, where Black has a proved win.
  #offer() {
    const { black, white } = this.seats.seats, [columns, rows] = sidesOf(this.size.value.trim());
    const offers = columns === rows && hasProof(this.hello, { game: this.name, size: columns })
      && this.colours[1].checked && isFullStrength(black.read()) && white.read().player === "person"
      && EVEN.some(([rule]) => rule === this.opening.value);
    if (this.chosen && !offers) {
      if (this.chosen === this.opening.value) [this.opening.value] = this.hello.openings;
      this.chosen = null;
    }
    const pressed = this.opening.value === EVEN[2][0] ? this.chosen : this.opening.value;
    text(this.offer, offers ? `On ${columns} × ${columns} Black has a proved win. Play an even opening?` : "");
    text(this.after, offers ? EVEN.find(([rule]) => rule === pressed)?.[2] ?? "" : "");
    this.even.hidden = !offers;
    for (const [rule, button] of this.choices) attribute(button, "aria-pressed", rule === pressed ? "true" : "false");
  }

  #choose(rule) {
    this.opening.value = this.chosen = rule;
    this.#offer();
  }

  // Update the sizes, colours and opponents to the selected game.
  #fit(reset) {
    const { size } = this;
    const chosen = this.hello.games.find(({ name }) => name === this.game.value);
    const [least, most] = chosen.lengths ?? [];
    this.lengthField.hidden = !chosen.lengths;
    Object.assign(this.length, { min: least ?? "", max: most ?? "" });
    if (reset || sidesOf(size.value).some((side) => side < chosen.smallest || side > chosen.largest)) {
      size.value = chosen.name === "Gomoku" ? 15 : Math.max(chosen.default, chosen.lengths ? Number(this.length.value) : 0);
    }
    this.sizeField.hidden = chosen.smallest === chosen.largest;
    this.seats.name(chosen.cube);
    const first = chosen.name === "Gomoku-swap" ? 1 : 0;
    this.openingField.hidden = chosen.cube || first === 1;
    if (this.openingField.hidden) [this.opening.value] = this.hello.openings;
    (chosen.cube ? ["Red", "Blue", "Random"] : ["Black", "White", "Random"]).forEach(
      (words, i) => text(this.words[i], i < 2 ? `${words}${i === first ? ", first" : ""}` : words));
    text(this.range, `${chosen.smallest} to ${chosen.largest}${chosen.cube ? "" : ", or columns and rows such as 12x10"}`);
    this.rules.href = `#rules=${chosen.name}`;
    text(this.rules, `Rules of ${chosen.name}`);
    this.#oppose();
  }

  /** The name of the game: of the family it has the number of stones. */
  get name() {
    return this.game.value === FAMILY ? FAMILY.replace("K", String(Number(this.length.value))) : this.game.value;
  }

  /** Does alphabeta play the game?  Only on squares, and not the family. */
  get #searches() {
    const [columns, rows] = sidesOf(this.size.value);
    return this.game.value !== FAMILY && columns === rows;
  }

  // List the opponents of the game: the levels first, time limits under "More".
  #oppose() {
    const { value } = this.opponent, searches = this.#searches;
    const labels = searches ? this.hello.levels[this.game.value] : [];
    const [person, random, ...others] = opponentsOf(searches);
    const levels = levelOpponents(labels, this.suits, this.game.value);
    this.opponents = [...levels, ...this.own, person, random, ...others];
    const options = (rows) => rows.map(([key, words]) => element("option", { value: key }, words));
    this.opponent.replaceChildren(
      levels.length ? element("optgroup", { label: /Elo/.test(labels[0]) ? LEVELS_ELO : LEVELS }, ...options(levels))
        : element("option", { disabled: true }, "Levels make no difference in this game"),
      ...(this.own.length ? [element("optgroup", { label: "Your players" }, ...options(this.own))] : []),
      ...options([person, random]), element("optgroup", { label: "More: engine with a time limit" }, ...options(others)),
      element("option", { value: OWN, hidden: true }, CUSTOM));
    this.opponent.value = this.opponents.some(([key]) => key === value) ? value : OWN;
    if (value === SUITING) this.#suit();
    this.#offer();
    // An engine that does not play the game gives way to one that does.
    const { black, white } = this.seats.seats, wrong = searches ? "flat" : "alphabeta";
    if (value && this.opponent.value === OWN && (!searches || OPPONENTS.some(([key]) => key === value))
      && [black, white].some((seat) => seat.read().player === wrong)) {
      this.opponent.value = searches ? "strong" : others[0][0];
      this.#detailed();
    }
  }

  // Select the adaptive level of the current game.
  #suit() {
    if (!this.opponents.some(([key]) => key === SUITING)) return;
    this.opponent.value = SUITING;
    this.#detailed();
  }

  // Update the plain questions from the details.
  #plain() {
    const { black, white } = this.seats.seats;
    const [first, second] = [black.read(), white.read()];
    const own = first.player === "person" ? 0 : 1;
    const lot = this.colours[2].checked;
    if (!lot) this.colours[own].checked = true;
    const other = own === 0 ? second : first;
    const level = levelOf(other);
    const key = level !== null && this.hello.levels[this.game.value].length ? `level-${level}`
      : other.command ?? opponentOf(other);
    this.opponent.value = [first, second].some(({ player }) => player === "person")
      && this.opponents.some(([each]) => each === key) ? key : OWN;
    try {
      this.clock.value = clockOf(this.seats.read().control);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      this.clock.value = OWN;
    }
    this.#offer();
  }

  // Update the details from the plain questions.
  #detailed() {
    const { black, white } = this.seats.seats;
    const seat = this.opponents.find(([key]) => key === this.opponent.value)?.[2];
    const wantsWhite = this.colours[1].checked;
    const [first, second] = [black.read(), white.read()];
    const other = seat ?? (first.player === "person" ? second : first);
    black.show(wantsWhite ? other : PERSON);
    white.show(wantsWhite ? PERSON : other);
    this.#offer();
  }

  /** The fields of the message; throws a Fault.  `chance` draws the colour for "Random". */
  read(chance = Math.random) {
    const [columns, rows, ...more] = sidesOf(this.size.value.trim());
    if (!Number.isInteger(columns) || !Number.isInteger(rows) || more.length) {
      throw new Fault("enter a whole number, or columns and rows such as 12x10", "size");
    }
    const size = columns === rows ? columns : `${columns}x${rows}`;
    const lot = this.colours[2].checked;
    const game = { game: this.name, size, opening: this.opening.value, ...this.seats.read() };
    return { message: lot && chance() < 0.5 ? withSwappedColours(game) : game,
      last: { ...game, lot, even: this.chosen !== null, suiting: this.opponent.value === SUITING } };
  }
}
