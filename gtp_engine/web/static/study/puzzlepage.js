// The page of puzzles: board, task, replies, score and filter.

import { attribute, byId, element, fieldById, text, titleOf } from "../dom.js";
import { playOut, stepWalk } from "../game/lines.js";
import { notationOf } from "../notation.js";
import { KINDS, replyText, sceneOfPuzzle, taskText } from "./puzzle.js";
import { Stage } from "../game/stage.js";
import { tapsTwice } from "../server/view.js";

const SIGNED = new Intl.NumberFormat("en", { signDisplay: "exceptZero" });

export class PuzzlePage {
  /** `send` sends a message, `choose` saves a view setting. */
  constructor({ store, send, notices, choose }) {
    this.store = store;
    this.send = send;
    this.notices = notices;
    this.choose = choose;
    this.stage = new Stage((place) => this.press(place), (to) => this.walk(to === "next" ? 1 : -1),
      byId("puzzle-boards"), sceneOfPuzzle);
    const clicks = { "puzzle-hint": () => this.do("hint"), "puzzle-view": () => this.do("view"),
      "puzzle-next": () => this.ask(true), "puzzle-back": () => this.walk(-1), "puzzle-on": () => this.walk(1),
      "puzzle-close": () => this.close() };
    for (const [id, act] of Object.entries(clicks)) byId(id).addEventListener("click", act);
    for (const key of ["game", "kind"]) {
      byId(`puzzle-${key}`).addEventListener("change", () => this.#onFilter(key));
    }
  }

  get puzzle() {
    return this.store.state.puzzle;
  }

  #set(changes) {
    this.store.set({ puzzle: { ...this.puzzle, ...changes } });
  }

  /** Request a puzzle: the open one, or another one to skip it. */
  ask(skip) {
    this.send("puzzle", { ...this.store.state.view.puzzles, skip });
  }

  #onFilter(key) {
    const filter = { ...this.store.state.view.puzzles, [key]: fieldById(`puzzle-${key}`).value };
    if (filter.game && !this.puzzle.choices[filter.game].includes(filter.kind)) filter.kind = "";
    this.choose("puzzles", filter);
    this.ask(false);
  }

  /** Handle a press on a point. */
  press(place) {
    const { puzzle } = this, { view } = this.store.state;
    if (!puzzle || puzzle.is_over || puzzle.pending !== null) return;
    if (tapsTwice(view, puzzle.layout) && puzzle.aimed !== place
      && !puzzle.game.forbidden.some(([point]) => point === place)) {
      this.#set({ aimed: place });
      this.notices.announce(`Tap again to play ${this.nameOf(place)}`);
      return;
    }
    this.#set({ aimed: null, walk: null, pending: place });
    this.send("attempt", { number: puzzle.number, what: "play", point: place });
  }

  /** Ask for a hint, or view the solution. */
  do(what) {
    if (this.puzzle && !this.puzzle.is_over) this.send("attempt", { number: this.puzzle.number, what });
  }

  /** Add a move to the line on the board (1), or remove one (-1). */
  walk(step) {
    if (this.puzzle?.walk) this.#set({ walk: stepWalk(this.puzzle.walk, step) });
  }

  /** Close the line on the board. */
  close() {
    if (this.puzzle?.walk) this.#set({ walk: null });
  }

  /** Play out the line on the board. */
  playOut() {
    playOut(() => this.puzzle?.walk, (walk) => this.#set({ walk }));
  }

  nameOf(place) {
    return notationOf(this.puzzle.layout, this.store.state.view.notation).names[place];
  }

  /** Announce the task to screen readers. */
  announce() {
    this.notices.announce(taskText(this.puzzle));
  }

  /** The action of a key, undefined if it has none. */
  actionOf(key) {
    return { i: () => this.do("hint"), v: () => this.do("view"), s: () => this.ask(true),
      ArrowLeft: () => this.walk(-1), ArrowRight: () => this.walk(1), Escape: () => this.close(),
      b: () => this.stage.focus() }[key];
  }

  /** Draw the state. */
  draw(state) {
    const { puzzle, view } = state;
    byId("puzzle").hidden = !puzzle;
    if (!puzzle || state.page !== "puzzles-page") return;
    this.#drawBoards(state);
    if (puzzle.number !== this.number) this.#offer(puzzle.choices, view.puzzles);
    this.number = puzzle.number;
    text(byId("puzzle-title"), titleOf(puzzle.layout));
    text(byId("puzzle-grade"), `Grade ${puzzle.grade}, rating ${puzzle.rating}`);
    text(byId("puzzle-task"), taskText(puzzle));
    text(byId("puzzle-reply"), replyText(puzzle, view));
    byId("puzzle-hint").hidden = byId("puzzle-view").hidden = puzzle.is_over;
    text(byId("puzzle-next"), puzzle.is_over ? "Next puzzle" : "Skip");
    attribute(byId("puzzle-next"), "class", puzzle.is_over ? "main" : null);
    const { walk, score, gain } = puzzle;
    byId("puzzle-line").hidden = !walk;
    text(byId("puzzle-walked"), walk ? `${walk.plies} of ${walk.moves.length}` : "");
    text(byId("puzzle-rating"), `${score.rating}${gain ? ` (${SIGNED.format(gain).replace("-", "−")})` : ""}`);
    text(byId("puzzle-streak"), String(score.streak));
    text(byId("puzzle-best"), String(score.best));
    text(byId("puzzle-solved"), `${score.solved} of ${score.tried}`);
  }

  // Draw the boards; new ones for another size take over the focus.
  #drawBoards(state) {
    const { layout, game } = state.puzzle, box = byId("puzzle-boards");
    const focused = box.contains(document.activeElement);
    this.stage.draw({ ...state, layout, game });
    if (focused && !box.contains(document.activeElement)) this.stage.focus();
  }

  // Fill the filter; only with themes that the game has.
  #offer(choices, { game, kind }) {
    const kinds = Object.keys(KINDS).filter((each) => !game || choices[game].includes(each));
    const fill = (id, rows, chosen) => byId(id).replaceChildren(...rows.map(([value, words]) => element("option",
      { value, selected: value === chosen }, words)));
    fill("puzzle-game", [["", "all"], ...Object.keys(choices).map((name) => [name, name])], game);
    fill("puzzle-kind", [["", "all"], ...kinds.map((each) => [each, KINDS[each].name])], kind);
  }
}
