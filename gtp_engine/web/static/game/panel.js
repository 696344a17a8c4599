// The panel beside the board: players, clocks, status and buttons.

import { attribute, buttonById, byId, capital, counted, element, fieldById, percent, text, titleOf } from "../dom.js";
import { drawValues } from "../study/graph.js";
import { classOf, sentence } from "../study/verdicts.js";
import { COLOURS, colourWord, notationOf } from "../notation.js";
import { openingText } from "./opening.js";
import { programName } from "./opponents.js";
import { lookingBack, persons } from "../state.js";
import { Moves, lineThrough, pathTo } from "./tree.js";

const TABS = ["moves", "analysis", "review", "explorer", "file"];

const NONE = new Map();
const MARKING = { mark: "Marks: click a point; click again to remove the mark.",
  arrow: "Arrows: click the first point, then the second." };

/** The remaining seconds of a colour, null without a limit. */
export function secondsLeft(game, colour, passed) {
  let left = game.left[colour - 1] ?? game.control.per_move;
  if (left === null) return null;
  if (game.running === colour) left -= passed;
  return Math.max(0, left);
}

/** Seconds in the format of a clock. */
export function clockText(seconds) {
  if (seconds === null) return "";
  if (seconds < 20) return (Math.floor(10 * seconds) / 10).toFixed(1);
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

/** The displayed name of a player. */
export function seatName({ game, layout }, colour) {
  const seat = game.seats[COLOURS[colour]];
  if (game.watching) return seat.name;
  if (seat.player !== "person") return programName(seat);
  const name = game.info.names?.[COLOURS[colour]];
  if (name) return name;
  return persons(game).length === 1 ? "you" : capital(colourWord(layout, colour));
}

/** The captures of a colour, in the units of its game. */
export function capturedText({ game, layout }, colour) {
  if (!layout.captures) return "";
  const taken = game.captured[colour - 1];
  if (layout.captures % 5 || layout.captures === 15) return `${taken} of ${counted(layout.captures, "stone")} captured`;
  return `${taken / 2} of ${counted(layout.captures / 2, "pair")} captured`;
}

/** The status of the game in a line. */
export function statusOf(state) {
  const { game, layout, view, aimed, hint, brush, nodes } = state;
  const nameOf = (place) => notationOf(layout, view.notation).names[place];
  if (aimed !== null) return `Tap again to play ${nameOf(aimed)}`;
  if (state.tool) return MARKING[state.tool.kind] ?? MARKING.mark;
  if (brush) return "Set up: choose a stone, then click points.";
  if (hint !== null) return `Hint: ${nameOf(hint)}`;
  if (game.over) return resultText(layout, game.over);
  const side = capital(colourWord(layout, game.side));
  if (lookingBack(game) && game.going_on) {
    return `Viewing move ${pathTo(nodes, game.cursor).length - 1}; the game goes on.`;
  }
  if (game.opening) return openingText(state);
  if (game.swap !== null) return `${side} to move; the stone on ${nameOf(game.swap)} may be taken over`;
  if (!lookingBack(game) && game.waiting === "you") return `${side} to move: your turn`;
  if (!lookingBack(game) && game.waiting) return `${side} is thinking ...`;
  return game.watching ? `${side} to move` : `Analysis: ${side} to move`;
}

/** The result of a game in words. */
export function resultText(layout, { winner, text: how }) {
  return winner ? `${capital(colourWord(layout, winner))} wins: ${how}` : `Draw: ${how}`;
}

/** The announcement for screen readers after a change of the position. */
export function announcement(state) {
  const { game, layout, view, nodes } = state;
  const move = nodes.get(game.cursor)?.move;
  const words = move && move[1] >= 0
    ? `${capital(colourWord(layout, move[0]))} ${notationOf(layout, view.notation).names[move[1]]}. ` : "";
  const row = state.practice ? null : state.review?.byNode.get(game.cursor);
  return words + (row ? sentence(row, state) : statusOf(state));
}

/** Information about a game: event, round, place, date, result and its Renju opening. */
export function infoText({ event, round, place, date, result, opening }) {
  return [event, round && `round ${round}`, place, date, result, opening && `opening ${opening}`].filter(Boolean).join(", ");
}

export class Panel {
  /** `go` is called with the number of a node, `end` with the name of a button at the end of a game. */
  constructor(go, end) {
    this.go = go;
    this.moves = new Moves(byId("moves"), go);
    this.boxes = [1, 2].map((colour) => {
      const parts = { dot: element("span", { class: `dot ${COLOURS[colour]}`, role: "img" }),
        name: element("span", { class: "name" }), captured: element("span", { class: "captured" }),
        clock: element("span", { class: "clock" }) };
      return { colour, ...parts, box: element("div", { class: "player" }, ...Object.values(parts)) };
    });
    this.ends = ["rematch", "exchange", "review", "look", "keep"].map((what) => byId(`end-${what}`));
    for (const button of this.ends) button.addEventListener("click", () => end(button.id.slice(4)));
    setInterval(() => this.#tick(), 100);
  }

  /** Draw the state. */
  draw(state) {
    this.state = state;
    const { game, layout, nodes, view } = state;
    if (!game) return;
    this.#players(state);
    this.#ending(state);
    text(byId("status"), statusOf(state));
    text(byId("depth"), state.thinking?.figures.depth ? `depth ${state.thinking.figures.depth}` : "");
    this.#buttons(state);
    this.moves.draw(nodes, notationOf(layout, view.notation).names, game.cursor, game.live,
      state.review?.byNode ?? NONE);
    this.#graph(state);
  }

  /** Show one of the tabs. */
  tab(name) {
    for (const each of TABS) {
      byId(`${each}-panel`).hidden = each !== name;
      attribute(byId(`tab-${each}`), "aria-selected", each === name ? "true" : "false");
      attribute(byId(`tab-${each}`), "tabindex", each === name ? 0 : -1);
    }
  }

  #players(state) {
    const { game, layout } = state;
    text(byId("title"), titleOf(layout));
    text(byId("info"), infoText(game.info));
    const order = layout.first === 1 ? this.boxes : [...this.boxes].reverse();
    order.forEach(({ colour, box, dot, name, captured }, i) => {
      const place = byId(i ? "second-player" : "first-player");
      if (place.firstChild !== box) place.replaceChildren(box);
      box.classList.toggle("turn", (game.opening?.colour ?? game.side) === colour && !game.over);
      attribute(dot, "aria-label", colourWord(layout, colour));
      text(name, seatName(state, colour));
      attribute(name, "title", game.seats[COLOURS[colour]].name);
      text(captured, capturedText(state, colour));
    });
    this.#tick();
  }

  #tick() {
    const { game, receivedAt, page } = this.state ?? {};
    if (!game || page !== "game-page") return;
    for (const { colour, clock } of this.boxes) {
      text(clock, clockText(secondsLeft(game, colour, game.elapsed + (performance.now() - receivedAt) / 1000)));
    }
  }

  #ending({ ended, game, layout }) {
    byId("ending").hidden = !ended;
    if (!ended) return;
    const own = persons(game);
    const { winner } = game.over;
    let head = winner ? `${capital(colourWord(layout, winner))} wins` : "Draw";
    if (own.length === 1 && winner) head = own[0] === winner ? "You win!" : "You lose.";
    text(byId("ending-head"), head);
    text(byId("ending-text"), resultText(layout, game.over));
  }

  #buttons({ game, brush, hello, nodes }) {
    const root = game.cursor === 0;
    const leaf = !nodes.get(game.cursor)?.children.length;
    const own = !game.watching;
    const looking = lookingBack(game);
    const clock = game.control.per_move !== null || game.control.per_game !== null;
    const count = persons(game).length;
    const finished = game.over && game.row.length > 0;
    buttonById("first").disabled = buttonById("previous").disabled = root;
    buttonById("next").disabled = buttonById("last").disabled = leaf;
    byId("live").hidden = !looking || !game.going_on;
    byId("continue").hidden = !own || (game.playing && !looking) || (looking && game.going_on) || finished;
    byId("continue-here").hidden = !looking || !game.going_on || finished;
    byId("pause").hidden = !own || looking || !game.playing || Boolean(game.over) || (count === 2 && !clock);
    byId("move-now").hidden = !own || looking || !game.waiting || game.waiting === "you";
    byId("take").hidden = !game.watching || hello.watch_only;
    buttonById("undo").disabled = root || looking || Boolean(game.opening);
    buttonById("resign").disabled = !game.going_on || count === 0;
    buttonById("hint").disabled = buttonById("solve").disabled = Boolean(game.over);
    buttonById("remove").disabled = buttonById("promote").disabled = root;
    attribute(byId("set-up"), "aria-pressed", brush ? "true" : "false");
    document.body.classList.toggle("watching", game.watching);
  }

  #graph({ game, layout, nodes, review }) {
    const line = lineThrough(nodes, game.cursor);
    const rows = line.map((number) => review?.byNode.get(number));
    const values = line.map((number, i) => rows[i]?.value ?? nodes.get(number).value ?? null);
    const classes = new Map(rows.flatMap((row, i) => (row ? [[i, classOf(row.kind)]] : [])));
    drawValues(byId("graph"), values, line.indexOf(game.cursor), (i) => this.go(line[i]), classes);
    const value = values[line.indexOf(game.cursor)] ?? null;
    text(byId("graph-text"), value === null ? `Value for ${capital(layout.colours.black)} over the game`
      : `${capital(layout.colours.black)}: ${percent(value)} %`);
  }
}

/** The comment on a position.  A text belongs to the game and the position of the box and is saved
 *  before these change. */
export class Comment {
  /** `send` sends a message; false without a connection. */
  constructor(send) {
    this.send = send;
    this.box = fieldById("comment");
    this.box.addEventListener("input", () => {
      this.typed = true;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.save(), 600);
    });
    this.box.addEventListener("blur", () => this.save());
  }

  /** Send the text of the box. */
  save() {
    clearTimeout(this.timer);
    if (this.typed && this.send("comment", { id: this.game, node: this.node, text: this.box.value })) this.typed = false;
  }

  /** Draw the state. */
  draw({ game, nodes }) {
    if (!game) return;
    if (this.game !== game.id || this.node !== game.cursor) {
      this.save();
      this.typed = false;
      this.game = game.id;
      this.node = game.cursor;
    } else if (this.typed || document.activeElement === this.box) {
      return;
    }
    const comment = nodes.get(game.cursor)?.comment ?? "";
    if (this.box.value !== comment) this.box.value = comment;
  }
}

/** The buttons for setting up a position. */
export class Brushes {
  /** `pick` is called with a colour, `turn` with the side to move, `done` at the end. */
  constructor(pick, turn, done) {
    const make = (act) => element("button", { type: "button", click: act });
    this.stones = [1, 2, 0].map((colour) => ({ colour, button: make(() => pick(colour)) }));
    this.turns = [1, 2].map((side) => ({ side, button: make(() => turn(side)) }));
    const end = make(done);
    text(end, "Done");
    byId("brushes").append(...[...this.stones, ...this.turns].map(({ button }) => button), end);
  }

  /** Draw the state. */
  draw({ game, layout, brush }) {
    byId("brushes").hidden = !brush;
    if (!brush || !game) return;
    for (const { colour, button } of this.stones) {
      text(button, colour ? capital(colourWord(layout, colour)) : "Empty");
      attribute(button, "aria-pressed", brush.colour === colour ? "true" : "false");
    }
    for (const { side, button } of this.turns) {
      text(button, `${capital(colourWord(layout, side))} to move`);
      attribute(button, "aria-pressed", game.side === side ? "true" : "false");
    }
  }
}
