// The stage: the boards of a game.

import { FlatBoards } from "../board.js";
import { Cube } from "../cube.js";
import { attribute, byId, targetOf } from "../dom.js";
import { sceneOf } from "./scene.js";

const SWIPE = 40; // pixels of a sideways swipe

export class Stage {
  /** `press` is called with the number of a point, `walk` with previous or next; `box` holds the boards,
   *  and `scene` makes their scene from a state. */
  constructor(press, walk, box = byId("boards"), scene = sceneOf) {
    this.press = press;
    this.box = box;
    this.scene = scene;
    this.boards = [];
    this.#swipes(walk);
  }

  /** Draw the state. */
  draw(state) {
    const { layout, game, view } = state;
    if (!layout) return;
    if (layout !== this.layout || view.cube !== this.cube) this.#make(layout, view);
    if (!game) return;
    const scene = this.scene(state);
    this.boards.forEach((board) => board.update(scene));
  }

  #make(layout, view) {
    this.layout = layout;
    this.cube = view.cube;
    const kind = layout.cube ? view.cube : "flat";
    this.boards = [];
    if (kind !== "flat") this.boards.push(new Cube(layout, this.press));
    if (kind !== "cube") this.boards.push(new FlatBoards(layout, this.press));
    this.box.replaceChildren(...this.boards.map((board) => board.element));
    this.box.dataset.kind = kind;
    attribute(this.box.closest("main"), "data-cube", layout.cube);
  }

  #swipes(walk) {
    const { box } = this;
    let from = null, swiped = false;
    box.addEventListener("pointerdown", (event) => {
      swiped = false;
      from = event.pointerType === "touch" && !targetOf(event).closest(".cube") ? event : null;
    });
    box.addEventListener("pointerup", (event) => {
      if (!from || event.pointerId !== from.pointerId) return;
      const [dx, dy] = [event.clientX - from.clientX, event.clientY - from.clientY];
      from = null;
      swiped = Math.abs(dx) > SWIPE && Math.abs(dx) > 2 * Math.abs(dy);
      if (swiped) walk(dx < 0 ? "next" : "previous");
    });
    box.addEventListener("click", (event) => {
      if (swiped) event.stopPropagation();
      swiped = false;
    }, true);
  }

  /** Move the focus to the board. */
  focus() {
    this.boards[0]?.points.focus(this.boards[0].points.current);
  }

  /** Mark a point whose move was refused; returns its place on the screen. */
  refuse(place) {
    this.boards.forEach((board) => board.refuse(place));
    return this.boards.at(-1)?.points.buttons[place]?.getBoundingClientRect();
  }
}
