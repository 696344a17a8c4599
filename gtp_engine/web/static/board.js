// The board: flat ones in SVG, one for each level, and what they share with the cube.

import { attribute, element, svg, text } from "./dom.js";

export const COLOURS = [null, "black", "white"];
const STARS = { 13: [3, 6, 9], 15: [3, 7, 11], 17: [3, 8, 13], 19: [3, 9, 15] };

/** The points of a game as buttons that are reached by arrows, by name, and pressed by Enter.
 *
 *  `buttons` are the elements by number of the point; `press` is called with that number.
 */
export class Points {
  constructor(layout, press) {
    this.layout = layout;
    this.press = press;
    this.buttons = layout.points.map(() => null);
    this.place = new Map(layout.points.map((where, place) => [where.join(), place]));
    this.current = middle(layout);
    this.typed = "";
    this.names = layout.points.map(() => "");
  }

  /** An element stands for a point from now on. */
  add(place, button) {
    this.buttons[place] = button;
    attribute(button, "role", "button");
    attribute(button, "tabindex", place === this.current ? 0 : -1);
    button.dataset.place = place;
    button.addEventListener("focus", () => this.settle(place));
  }

  /** What is pressed or typed on a point; true if it was meant for the board. */
  key(event) {
    const key = event.key;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const steps = { ArrowLeft: [0, -1, 0], ArrowRight: [0, 1, 0], ArrowUp: [0, 0, -1],
      ArrowDown: [0, 0, 1], PageUp: [1, 0, 0], PageDown: [-1, 0, 0] };
    if (key in steps && !event.shiftKey) this.step(steps[key]);
    else if (key === "Enter" || key === " ") this.press(this.current);
    else if (key === "Escape") this.typed = "";
    else if (/^[a-z0-9,]$/i.test(key)) return this.type(key.toLowerCase());
    else return false;
    return true;
  }

  step([level, column, row]) {
    const from = this.layout.points[this.current];
    const to = this.place.get([from[0] + level, from[1] + column, from[2] + row].join());
    if (to !== undefined) this.focus(to);
  }

  type(letter) {
    const names = this.names.map((name) => plain(name, this.layout.cube));
    const begins = (words) => words !== "" && names.some((name) => name.startsWith(words));
    const whole = plain(this.typed + letter, this.layout.cube);
    this.typed = begins(whole) ? whole : begins(letter) ? letter : "";
    const found = names.indexOf(this.typed);
    if (found >= 0) this.focus(found);
    return this.typed !== "";
  }

  focus(place) {
    this.settle(place);
    this.buttons[place]?.focus({ preventScroll: true });
  }

  settle(place) {
    if (this.buttons[this.current]) attribute(this.buttons[this.current], "tabindex", -1);
    this.current = place;
    if (this.buttons[place]) attribute(this.buttons[place], "tabindex", 0);
  }

  /** The labels of the points for a scene. */
  label(scene) {
    this.names = scene.names;
    this.buttons.forEach((button, place) => {
      if (button) attribute(button, "aria-label", described(scene, place));
    });
  }
}

function plain(name, cube) {
  const bare = name.toLowerCase().replaceAll(" ", "");
  return cube ? bare.replaceAll(",", "") : bare;
}

function middle(layout) {
  const size = Math.max(...layout.points.map(([, column]) => column));
  const centre = Math.floor(size / 2);
  return layout.points.findIndex(([level, column, row]) => level === 0 && column === centre
    && row === Math.floor(size / 2 + 0.5));
}

/** A point in words, for those who cannot see it. */
export function described(scene, place) {
  const words = [scene.names[place]];
  const held = COLOURS[scene.cells[place]];
  words.push(held ? scene.words[held] : "empty");
  if (place === scene.last) words.push("last move");
  if (scene.row.has(place)) words.push("winning row");
  const heat = scene.heat.get(place);
  if (heat) words.push(`${percentText(heat)} percent`);
  if (scene.marks.has(place)) words.push(scene.marks.get(place).words);
  const ghost = scene.ghosts.find((each) => each.place === place);
  if (ghost) words.push(`expected as move ${ghost.number}`);
  return words.join(", ");
}

const percentText = (heat) => heat.text;

/** Flat boards, one for each level. */
export class FlatBoards {
  constructor(layout, press) {
    this.layout = layout;
    this.points = new Points(layout, press);
    this.cells = layout.in_a_row === levelSize(layout);
    this.element = element("div", { class: "flat", "data-levels": layout.captions.length });
    this.levels = layout.captions.map((caption, level) => this.#level(caption, level));
    this.element.append(...this.levels.map((level) => level.figure));
    this.element.addEventListener("mousedown", leaveKeys);
    this.element.addEventListener("click", (event) => {
      const place = event.target.closest?.("[data-place]")?.dataset.place;
      if (place !== undefined) press(Number(place));
    });
    this.element.addEventListener("keydown", (event) => {
      if (event.target.closest("[data-place]") && this.points.key(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
  }

  #level(caption, level) {
    const size = levelSize(this.layout);
    const root = svg("svg", { viewBox: `-1.2 -1.2 ${size + 0.9} ${size + 0.9}`, role: "application",
      "aria-label": `${caption || "Board"}: arrows move, Enter plays` });
    root.append(svg("rect", { class: "wood", x: -1.2, y: -1.2, width: size + 0.9,
      height: size + 0.9, rx: 0.15 }));
    root.append(this.#grid(size));
    const labels = svg("g", { class: "labels", "aria-hidden": "true" });
    const columns = [], rows = [];
    for (let i = 0; i < size; i += 1) {
      columns.push(svg("text", { x: i, y: -0.86 }));
      rows.push(svg("text", { x: -0.86, y: i }));
    }
    labels.append(...columns, ...rows);
    root.append(labels);
    const marks = [];
    this.layout.points.forEach(([where, column, row], place) => {
      if (where !== level) return;
      const mark = new Mark(column, row);
      marks.push([place, mark]);
      root.append(mark.element);
      this.points.add(place, mark.element);
    });
    const figure = element("figure", { class: "level" }, root);
    if (caption) figure.append(element("figcaption", {}, caption));
    return { figure, columns, rows, marks };
  }

  #grid(size) {
    const grid = svg("g", { class: "grid" });
    const shift = this.cells ? 0.5 : 0;
    for (let i = 0; i < size + 2 * shift; i += 1) {
      const at = i - shift, low = -shift, high = size - 1 + shift;
      grid.append(svg("path", { d: `M${at} ${low}V${high}M${low} ${at}H${high}` }));
    }
    for (const x of this.cells ? [] : STARS[size] ?? []) {
      for (const y of STARS[size]) grid.append(svg("circle", { class: "star", cx: x, cy: y, r: 0.1 }));
    }
    return grid;
  }

  /** Show a scene. */
  update(scene) {
    const labels = scene.notation.levels;
    this.levels.forEach(({ columns, rows, marks }, level) => {
      const [across, down] = labels[level];
      columns.forEach((node, i) => text(node, scene.coordinates ? across[i] : ""));
      rows.forEach((node, i) => text(node, scene.coordinates ? down[i] : ""));
      for (const [place, mark] of marks) mark.update(scene, place);
    });
    this.points.label(scene);
  }

  /** Show or take away why a move was refused. */
  refuse(place) {
    flash(this.points.buttons[place]);
  }
}

/** What stands on one point. */
export class Mark {
  constructor(x, y, radius = 0.46) {
    this.radius = radius;
    this.heat = svg("rect", { class: "heat", x: -0.48, y: -0.48, width: 0.96, height: 0.96, rx: 0.2 });
    this.stone = svg("circle", { class: "stone", r: radius });
    this.ring = svg("circle", { class: "ring", r: radius * 0.45 });
    this.label = svg("text", { class: "label" });
    this.hit = svg("rect", { class: "hit", x: -0.5, y: -0.5, width: 1, height: 1 });
    this.element = svg("g", { class: "point", transform: `translate(${x} ${y})` },
      this.heat, this.stone, this.ring, this.label, this.hit);
  }

  update(scene, place) {
    const held = scene.cells[place];
    const heat = scene.heat.get(place);
    const ghost = scene.ghosts.find((each) => each.place === place);
    const mark = scene.marks.get(place);
    const colour = COLOURS[held] ?? (ghost && !held ? COLOURS[ghost.colour] : null);
    const classes = ["point", colour && !held ? "ghost" : "", colour ?? "empty",
      scene.row.has(place) ? "won" : "", place === scene.last ? "last" : "",
      scene.taken.has(place) ? "taken" : "", heat && !held ? "hot" : "", mark ? "marked" : "",
      place === scene.hint ? "hint" : "", place === scene.aimed ? "aimed" : "", place === scene.swap ? "swap" : "",
      scene.open && !held ? scene.open : ""].filter(Boolean).join(" ");
    attribute(this.element, "class", classes);
    if (heat && !held) attribute(this.heat, "style", `--share:${heat.share}`);
    else if (mark) attribute(this.heat, "style", `--mark:${mark.colour}`);
    else attribute(this.heat, "style", null);
    let words = "";
    if (held) words = scene.numbers?.[place] ?? "";
    else if (ghost) words = ghost.number;
    else if (mark) words = mark.text;
    else if (heat) words = heat.text;
    text(this.label, String(words));
    attribute(this.label, "data-long", String(words).length > 2 ? "" : null);
  }
}

/** How many points a level has in a row. */
export function levelSize(layout) {
  return 1 + Math.max(...layout.points.map(([, column]) => column));
}

/** Whoever uses a mouse goes through the moves by arrows, not over the board. */
export function leaveKeys(event) {
  event.preventDefault();
  document.activeElement?.blur();
}

/** Make an element flash. */
export function flash(node) {
  node?.classList.add("refused");
  setTimeout(() => node?.classList.remove("refused"), 700);
}
