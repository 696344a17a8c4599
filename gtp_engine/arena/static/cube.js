// A rotatable cube for boards of several levels.

import { Boards, Mark, leaveKeys, levelSides } from "./board.js";
import { attribute, element, svg } from "./dom.js";
import { FIRST_VIEW, extent, nearest, project, turned } from "./projection.js";

const TURN = Math.PI / 24;
const REACH = 0.7; // largest distance of the pointer from its point, in steps of a level
const STONE = 0.66; // size of a stone, relative to flat boards

export class Cube extends Boards {
  constructor(layout, press) {
    super(layout, press);
    this.size = levelSides(layout)[0];
    this.view = FIRST_VIEW;
    const { across, up } = extent(this.size);
    this.root = svg("svg", { viewBox: `${-across} ${-up} ${2 * across} ${2 * up}`, role: "application",
      "aria-label": "Cube: arrow keys, Page Up and Page Down move, Shift and arrow keys turn it" });
    this.plates = svg("g", { class: "plates", "aria-hidden": "true" });
    this.stones = svg("g", { "aria-hidden": "true" });
    this.marks = layout.points.map(() => new Mark(0, 0, STONE));
    this.root.append(this.plates, this.stones, svg("g", {}, ...this.points.buttons));
    this.element = element("div", { class: "cube" }, this.root, this.#buttons());
    this.#listen(press);
    this.#draw();
  }

  #buttons() {
    const button = (words, label, ...turn) => element("button", {
      type: "button", "aria-label": label, title: `${label} (Shift and arrow keys)`,
      click: () => this.turn(...turn) }, words);
    return element("div", { class: "buttons", role: "group", "aria-label": "Turn the cube" },
      button("◀", "Turn left", -4 * TURN, 0), button("▶", "Turn right", 4 * TURN, 0),
      button("▲", "Tilt up", 0, -2 * TURN), button("▼", "Tilt down", 0, 2 * TURN));
  }

  /** The number of the point at the pointer, or null. */
  at(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(
      this.root.getScreenCTM().inverse());
    return nearest(this.projections, x, y, REACH);
  }

  #listen(press) {
    let from = null, moved = false;
    this.root.addEventListener("mousedown", leaveKeys);
    this.root.addEventListener("pointerdown", (event) => {
      from = [event.clientX, event.clientY];
      moved = false;
    });
    this.root.addEventListener("pointermove", (event) => {
      if (event.buttons === 0) {
        this.preview(event.pointerType === "mouse" ? this.at(event) : null);
        return;
      }
      if (!from) return;
      const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
      if (!moved && Math.hypot(dx, dy) < 6) return;
      if (!moved) this.root.setPointerCapture(event.pointerId);
      moved = true;
      from = [event.clientX, event.clientY];
      this.preview(null);
      this.turn(dx / 120, dy / 120);
    });
    this.root.addEventListener("pointerleave", () => this.preview(null));
    this.root.addEventListener("pointerup", () => { from = null; });
    this.root.addEventListener("click", (event) => {
      if (moved) return;
      // A click without a place on the screen comes from a screen reader.
      const place = event.detail === 0 ? Number(event.target.dataset.place ?? NaN) : this.at(event);
      if (place !== null && !Number.isNaN(place)) press(place);
    });
    this.element.addEventListener("keydown", (event) => {
      const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      if (event.shiftKey && event.key in turns) {
        const [yaw, pitch] = turns[event.key];
        this.turn(yaw * TURN, pitch * TURN);
      } else if (event.target.dataset.place === undefined || !this.points.key(event)) {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** Turn the cube around the vertical axis (yaw) and the horizontal axis (pitch), in radians. */
  turn(yaw, pitch) {
    this.view = turned(this.view, yaw, pitch);
    this.#draw();
  }

  #draw() {
    const last = this.size - 1;
    const projected = (...where) => project(this.size, this.view, where);
    this.plates.replaceChildren(...this.layout.captions.flatMap((caption, level) => {
      const path = [];
      for (let i = 0; i <= last; i += 1) {
        for (const [a, b] of [[[i, 0], [i, last]], [[0, i], [last, i]]]) {
          const [p, q] = [projected(level, ...a), projected(level, ...b)];
          path.push(`M${p.x.toFixed(3)} ${p.y.toFixed(3)}L${q.x.toFixed(3)} ${q.y.toFixed(3)}`);
        }
      }
      const corners = [[0, 0], [0, last], [last, last], [last, 0]].map((corner) => projected(level, ...corner));
      const plate = corners.map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`).join("L");
      const { x, y } = projected(level, -0.55, -0.55);
      return [svg("path", { class: "plate", d: `M${plate}Z` }), svg("path", { d: path.join("") }),
        svg("text", { x, y }, caption)];
    }));
    this.projections = this.layout.points.map((where) => projected(...where));
    this.projections.forEach(({ x, y, scale }, place) => {
      const where = `translate(${x.toFixed(3)} ${y.toFixed(3)}) scale(${scale.toFixed(3)})`;
      attribute(this.marks[place].element, "transform", where);
      attribute(this.points.buttons[place], "transform", `${where} scale(.5)`);
    });
    const order = [...this.projections.keys()].sort(
      (a, b) => this.projections[a].near - this.projections[b].near);
    this.stones.append(...order.map((place) => this.marks[place].element));
    attribute(this.root, "data-yaw", this.view.yaw.toFixed(3));
    attribute(this.root, "data-pitch", this.view.pitch.toFixed(3));
  }
}
