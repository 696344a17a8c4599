// A board of several levels as a cube that can be turned.

import { Mark, Points, flash, leaveKeys, levelSize } from "./board.js";
import { attribute, element, svg } from "./dom.js";

const GAP = 1.45; // between levels, in steps of a level
const DISTANCE = 11;
const TURN = Math.PI / 24;

export class Cube {
  constructor(layout, press) {
    this.layout = layout;
    this.size = levelSize(layout);
    this.yaw = 0.6;
    this.pitch = 0.45;
    this.points = new Points(layout, press);
    const half = this.size * 0.72 + 0.35;
    this.root = svg("svg", { viewBox: `${-half} ${-half} ${2 * half} ${2 * half}`, role: "application",
      "aria-label": "Cube: arrows, page up and page down move, shift and arrows turn it" });
    this.plates = svg("g", { class: "plates" });
    this.stones = svg("g");
    this.root.append(this.plates, this.stones);
    this.marks = layout.points.map((where, place) => {
      const mark = new Mark(0, 0, 0.3);
      this.points.add(place, mark.element);
      return mark;
    });
    this.stones.append(...this.marks.map((mark) => mark.element));
    this.element = element("div", { class: "cube" }, this.root, this.#buttons());
    this.#listen(press);
    this.#draw();
  }

  #buttons() {
    const button = (words, label, ...turn) => element("button", {
      "aria-label": label, click: () => this.turn(...turn) }, words);
    return element("div", { class: "buttons", role: "group", "aria-label": "Turn the cube" },
      button("◀", "Turn left", -4 * TURN, 0), button("▶", "Turn right", 4 * TURN, 0),
      button("▲", "Tilt up", 0, -2 * TURN), button("▼", "Tilt down", 0, 2 * TURN));
  }

  #listen(press) {
    let from = null, moved = false;
    this.root.addEventListener("mousedown", leaveKeys);
    this.root.addEventListener("pointerdown", (event) => {
      from = [event.clientX, event.clientY];
      moved = false;
    });
    this.root.addEventListener("pointermove", (event) => {
      if (!from || event.buttons === 0) return;
      const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
      if (!moved && Math.hypot(dx, dy) < 6) return;
      if (!moved) this.root.setPointerCapture(event.pointerId);
      moved = true;
      from = [event.clientX, event.clientY];
      this.turn(dx / 120, dy / 120);
    });
    this.root.addEventListener("pointerup", () => { from = null; });
    this.root.addEventListener("click", (event) => {
      const place = event.target.closest?.("[data-place]")?.dataset.place;
      if (place !== undefined && !moved) press(Number(place));
    });
    this.element.addEventListener("keydown", (event) => {
      const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      if (event.shiftKey && event.key in turns) {
        const [yaw, pitch] = turns[event.key];
        this.turn(yaw * TURN, pitch * TURN);
      } else if (!this.points.key(event)) {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** Turn it by so much around the upright axis and around the one across. */
  turn(yaw, pitch) {
    this.yaw += yaw;
    this.pitch = Math.min(Math.max(this.pitch + pitch, -1.4), 1.4);
    this.#draw();
  }

  #project(level, column, row) {
    const centre = (this.size - 1) / 2;
    const [x, y, z] = [column - centre, (level - centre) * GAP, row - centre];
    const [cosine, sine] = [Math.cos(this.yaw), Math.sin(this.yaw)];
    const [across, ahead] = [x * cosine + z * sine, z * cosine - x * sine];
    const [c, s] = [Math.cos(this.pitch), Math.sin(this.pitch)];
    const near = ahead * c + y * s;
    const scale = DISTANCE / (DISTANCE - near);
    return { x: across * scale, y: (ahead * s - y * c) * scale, near, scale };
  }

  #draw() {
    const last = this.size - 1;
    this.plates.replaceChildren(...this.layout.captions.flatMap((caption, level) => {
      const path = [];
      for (let i = 0; i <= last; i += 1) {
        for (const [a, b] of [[[i, 0], [i, last]], [[0, i], [last, i]]]) {
          const [p, q] = [this.#project(level, ...a), this.#project(level, ...b)];
          path.push(`M${p.x.toFixed(3)} ${p.y.toFixed(3)}L${q.x.toFixed(3)} ${q.y.toFixed(3)}`);
        }
      }
      const { x, y } = this.#project(level, -0.55, -0.55);
      return [svg("path", { d: path.join("") }), svg("text", { x, y }, caption)];
    }));
    const placed = this.layout.points.map((where, place) => [place, this.#project(...where)]);
    for (const [place, { x, y, scale }] of placed) {
      attribute(this.marks[place].element, "transform",
        `translate(${x.toFixed(3)} ${y.toFixed(3)}) scale(${scale.toFixed(3)})`);
    }
    const order = placed.sort((a, b) => a[1].near - b[1].near).map(([place]) => place);
    const focused = document.activeElement;
    order.forEach((place, i) => {
      const node = this.marks[place].element;
      if (this.stones.children[i] !== node) this.stones.insertBefore(node, this.stones.children[i]);
    });
    if (focused !== document.activeElement) focused.focus({ preventScroll: true });
    attribute(this.root, "data-yaw", this.yaw.toFixed(3));
    attribute(this.root, "data-pitch", this.pitch.toFixed(3));
  }

  /** Show a scene. */
  update(scene) {
    this.marks.forEach((mark, place) => mark.update(scene, place));
    this.points.label(scene);
  }

  /** Show that a move was refused. */
  refuse(place) {
    flash(this.points.buttons[place]);
  }
}
