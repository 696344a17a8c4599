// Marks, letters and arrows on the board: the tools, the right mouse button and long presses.

import { SIGNS, placeOf } from "../board.js";
import { attribute, byId, svg, targetOf } from "../dom.js";

const LONG = 500; // milliseconds of a long press
const STILL = 10; // pixels that a finger may move during a long press
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const USUAL = "circle"; // the mark without a tool

/** The first unused letter. */
export function nextLetter(marks) {
  const taken = new Set(marks.map(([, , text]) => text));
  return [...LETTERS].find((letter) => !taken.has(letter)) ?? "x";
}

/** The message that marks a point: kind, point and text; a second letter on a point removes the first. */
export function markOf(kind, point, marks) {
  if (kind !== "label") return { kind, point };
  const letter = marks.find(([each, place]) => each === "label" && place === point);
  return { kind, point, text: letter ? letter[2] : nextLetter(marks) };
}

export class Marks {
  /** `mark` is called with two points, the same one twice for a mark; `pick` with the name of a tool,
   *  `wipe` to remove all marks, `done` at the end. */
  constructor({ mark, pick, wipe, done }) {
    this.mark = mark;
    for (const button of byId("tools").querySelectorAll("[data-tool]")) {
      const { tool } = /** @type {HTMLElement} */ (button).dataset;
      button.addEventListener("click", () => pick(tool));
      if (SIGNS[tool]) button.prepend(sample(SIGNS[tool]()));
    }
    byId("wipe").addEventListener("click", wipe);
    byId("tools-done").addEventListener("click", done);
    this.#listen(byId("boards"));
  }

  #listen(box) {
    let from = null, timer = 0, press = null, marked = false;
    const cancel = () => clearTimeout(timer);
    const flat = (event) => (targetOf(event).closest(".flat") ? placeOf(event) : null); // a drag on a cube turns it
    box.addEventListener("contextmenu", (event) => { if (flat(event) !== null) event.preventDefault(); });
    box.addEventListener("pointerdown", (event) => {
      const place = flat(event);
      from = event.pointerType === "mouse" && event.button === 2 ? place : null;
      press = event;
      marked = false;
      cancel();
      if (event.pointerType === "touch" && place !== null) {
        timer = setTimeout(() => {
          marked = true;
          this.mark(place, place);
        }, LONG);
      }
    });
    box.addEventListener("pointermove", (event) => {
      if (press && Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) > STILL) cancel();
    });
    for (const kind of ["pointerup", "pointercancel", "pointerleave"]) box.addEventListener(kind, cancel);
    box.addEventListener("pointerup", (event) => {
      const to = placeOf({ target: document.elementFromPoint(event.clientX, event.clientY) ?? targetOf(event) });
      if (from !== null && to !== null) this.mark(from, to);
      from = null;
    });
    box.addEventListener("click", (event) => {
      if (marked) event.stopPropagation();
      marked = false;
    }, true);
  }

  /** Draw the state. */
  draw({ tool }) {
    byId("tools").hidden = !tool;
    attribute(byId("marks"), "aria-pressed", tool ? "true" : "false");
    for (const button of byId("tools").querySelectorAll("[data-tool]")) {
      const chosen = /** @type {HTMLElement} */ (button).dataset.tool === tool?.kind;
      attribute(button, "aria-pressed", chosen ? "true" : "false");
    }
  }
}

/** The initial tool; `from` is the first point of an arrow. */
export const firstTool = () => ({ kind: USUAL, from: null });

function sample(sign) {
  return svg("svg", { class: "tool", viewBox: "-.4 -.4 .8 .8", width: 16, height: 16, "aria-hidden": "true" }, sign);
}
