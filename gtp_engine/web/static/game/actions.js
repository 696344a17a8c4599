// Actions of a game: moves, navigation, new games, set-up positions and marks.

import { counted, element } from "../dom.js";
import { mayGuess } from "../lesson/lesson.js";
import { notationOf } from "../notation.js";
import { loadView, tapsTwice } from "../server/view.js";
import { mayTry } from "../study/practice.js";
import { mayTrain } from "../study/training.js";
import { atCurrentLevel } from "./levels.js";
import { firstTool, markOf } from "./marks.js";
import { NewGame, Seats } from "./newgame.js";
import { openingTask, pick } from "./opening.js";
import { seatMessage, withSwappedColours } from "./opponents.js";
import { below, lineThrough, step } from "./tree.js";

export class GameActions {
  /** `send` sends a message, `choose` saves a view setting; `study` and `lesson` are the other groups of actions. */
  constructor({ store, send, notices, dialogs, choose }, { study, lesson }) {
    this.store = store;
    this.send = send;
    this.notices = notices;
    this.dialogs = dialogs;
    this.choose = choose;
    this.study = study;
    this.lesson = lesson;
  }

  get state() {
    return this.store.state;
  }

  nameOf(place) {
    const { layout, view } = this.state;
    return notationOf(layout, view.notation).names[place];
  }

  // --- moves ------------------------------------------------------------------------------------

  /** Handle a press on a point. */
  press(place) {
    const { game, brush, aimed, layout, view } = this.state;
    if (!game || (game.watching && !mayGuess(this.state))) return;
    if (this.state.tool) {
      this.#draw(place);
    } else if (brush) {
      this.send("setup", { stones: [[brush.colour, place]], side: null, node: game.cursor });
    } else if (tapsTwice(view, layout) && aimed !== place && !game.forbidden.some(([point]) => point === place)) {
      this.store.set({ aimed: place });
      this.notices.announce(`Tap again to play ${this.nameOf(place)}`);
    } else if (mayGuess(this.state)) {
      this.lesson.guess(place);
    } else if (mayTry(this.state)) {
      this.study.tryMove(place);
    } else if (mayTrain(this.state)) {
      this.study.trainMove(place);
    } else if (openingTask(this.state)) {
      this.#pick(place);
    } else {
      this.send("play", { point: place, node: game.cursor });
    }
  }

  /** Go to the move on one of these points, or play it if the game does not have it. */
  follow(places) {
    const { game, nodes } = this.state;
    const node = nodes.get(game.cursor)?.children.find((child) => places.includes(nodes.get(child).move?.[1]));
    if (node === undefined) this.press(places[0]);
    else this.goto(node);
  }

  // Handle a press on a point during an opening.
  #pick(place) {
    const { game } = this.state;
    if (!game.opening.stones) {
      this.notices.banner(`Please ${game.opening.words}.`, 4000);
      return;
    }
    const { selection, action } = pick(this.state, place);
    this.store.set({ selection, aimed: null });
    if (action) this.open(action);
  }

  /** Send a step of an opening rule. */
  open(action) {
    this.clear();
    this.send("opening", { action, node: this.state.game.cursor });
  }

  /** Clear the selected points. */
  clear() {
    this.store.set({ selection: [] });
  }

  /** Show the first, previous, next or last position of the displayed line. */
  walk(to) {
    const { nodes, game } = this.state;
    const node = game ? step(nodes, game.cursor, to) : undefined;
    if (node !== undefined) this.goto(node);
  }

  goto(node) {
    this.send("goto", { node });
  }

  live() {
    this.goto(this.state.game.live);
  }

  undo() {
    this.send("undo");
  }

  now() {
    this.send("now");
  }

  goOn(playing) {
    this.send("continue", { playing, node: this.state.game.cursor });
  }

  async resign() {
    const sure = await this.dialogs.ask("Resign?", element("p", {}, "Your opponent wins the game."),
      { read: () => true, ok: "Resign" });
    if (sure) this.send("resign");
  }

  take() {
    this.send("take", { node: this.state.game.cursor });
  }

  promote() {
    this.send("promote", { node: this.state.game.cursor });
  }

  async remove() {
    const { nodes, game } = this.state;
    const node = game.cursor, count = below(nodes, node);
    const sure = await this.dialogs.ask("Delete from here?", element("p", {},
      `${counted(count, "position")}: this one and all that follow.`), { read: () => true, ok: "Delete" });
    if (sure) this.send("remove", { node });
  }

  // --- games ------------------------------------------------------------------------------------

  async newGame() {
    const { newGame, suits } = loadView(localStorage);
    const form = new NewGame(this.state.hello, newGame, suits);
    let last = null;
    const done = await this.dialogs.ask("New game", form.element, { ok: "Start", until: "layout",
      read: () => {
        const answer = form.read();
        last = answer.last;
        return answer.message;
      },
      send: (message) => this.send("new", message) });
    if (done) this.choose("newGame", last);
  }

  async players() {
    const { game, layout } = this.state;
    const seats = new Seats(this.state.hello, { ...game.seats, control: game.control });
    seats.name(layout.cube);
    await this.dialogs.ask("Players and clock", seats.element, { read: () => seats.read(), until: "game",
      send: (message) => this.send("seats", message) });
  }

  /** Handle a button at the end of a game: rematch, exchange (colours), review, look (analyse) or keep (save). */
  end(what) {
    const { game, layout, nodes } = this.state;
    if (what === "keep") {
      this.send("save");
      return;
    }
    this.store.set({ ended: false });
    if (what === "review") {
      this.study.review();
      return;
    }
    if (what === "look") {
      this.store.set({ tab: "moves" });
      this.goto(lineThrough(nodes, game.cursor)[0]);
      return;
    }
    const rematch = atCurrentLevel({ game: layout.game, size: layout.size, control: game.control, opening: game.rule,
      black: seatMessage(game.seats.black), white: seatMessage(game.seats.white) }, this.state);
    this.send("new", what === "exchange" ? withSwappedColours(rematch) : rematch);
  }

  // --- setting up -------------------------------------------------------------------------------

  setUp() {
    this.store.set({ brush: this.state.brush ? null : { colour: 1 }, tool: null, aimed: null });
  }

  brush(colour) {
    this.store.set({ brush: { colour } });
  }

  turn(side) {
    this.send("setup", { stones: [], side, node: this.state.game.cursor });
  }

  // --- marks ------------------------------------------------------------------------------------

  /** Show or hide the tools. */
  marks() {
    this.store.set({ tool: this.state.tool ? null : firstTool(), brush: null, aimed: null });
  }

  tool(kind) {
    this.store.set({ tool: { kind, from: null } });
  }

  wipe() {
    const { game } = this.state;
    this.send("wipe", { id: game.id, node: game.cursor });
  }

  /** Draw an arrow between two points; on a single point, the mark of the current tool or a circle. */
  mark(from, to) {
    const { game, nodes, tool } = this.state;
    if (!game || game.watching) return;
    const where = { id: game.id, node: game.cursor };
    const kind = tool && tool.kind !== "arrow" ? tool.kind : firstTool().kind;
    if (from !== to) this.send("arrow", { ...where, point: from, to });
    else this.send("mark", { ...where, ...markOf(kind, to, nodes.get(game.cursor)?.marks ?? []) });
  }

  // Handle a press on a point while a tool is active; an arrow needs two.
  #draw(place) {
    const { kind, from } = this.state.tool;
    if (kind !== "arrow") this.mark(place, place);
    else if (from === null) this.store.set({ tool: { kind, from: place } });
    else {
      if (from !== place) this.mark(from, place);
      this.store.set({ tool: { kind, from: null } });
    }
  }
}
