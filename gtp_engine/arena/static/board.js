// The board: flat boards in SVG, one for each level, and the parts that they share with the cube.

import { attribute, byId, element, svg, text } from "./dom.js";
import { COLOURS } from "./notation.js";

const STARS = { 13: [3, 6, 9], 15: [3, 7, 11], 17: [3, 8, 13], 19: [3, 9, 15] };
const EDGE = 1.2; // of the wood around the points, with the coordinates

/** What a board shows.
 *
 *  @typedef {object} Scene
 *  @property {number[]} cells by point 0 empty, 1 black, 2 white
 *  @property {number | null} last the point of the last move
 *  @property {Set<number>} row the points of winning rows
 *  @property {Set<number>} taken the points that the last move has emptied
 *  @property {Map<number, {kind: string, stones: number[]}>} forbidden the points that are forbidden, why, and
 *    the stones that make them so
 *  @property {number | null} swap the point of a stone that may be taken
 *  @property {number | null} hint the point that the engine would play
 *  @property {number | null} aimed the point that a finger has tapped once
 *  @property {Map<number, {text: string, words: string, tone: string, best: boolean}>} heat values of moves
 *  @property {Map<number, {number: number, colour: number, words?: string}>} ghosts expected moves
 *  @property {Map<number, {text: string, kind: string, words: string}>} marks threats
 *  @property {Map<number, {text: string, kind: string}>} signs the marks of files
 *  @property {number[][]} rows the points of rows that are threatened
 *  @property {number[][]} arrows from one point to another
 *  @property {Object<number, number> | null} numbers what stands on stones
 *  @property {{names: string[], levels: string[][][]}} notation
 *  @property {string[]} names of the points
 *  @property {boolean} coordinates are they to be seen?
 *  @property {Object<string, string>} words how black and white stones are called
 *  @property {string} node the position; a stone that is new in another one appears slowly
 *  @property {string} open the colour that may be played, "": none
 */

/** A scene of which nothing is known.
 *
 *  @type {Scene}
 */
export const PLAIN = { cells: [], last: null, row: new Set(), taken: new Set(), forbidden: new Map(),
  swap: null, hint: null, aimed: null, heat: new Map(), ghosts: new Map(), marks: new Map(), signs: new Map(), rows: [], arrows: [], numbers: null,
  notation: null, names: [], coordinates: true, words: {}, node: "", open: "" };

/** The points of a game as buttons that are reached by arrows, by name, and pressed by Enter.
 *
 *  `buttons` are the elements by number of the point; `press` is called with that number.
 */
export class Points {
  constructor(layout, press) {
    this.layout = layout;
    this.press = press;
    this.current = middle(layout);
    this.titles = layout.points.map(() => svg("title"));
    this.buttons = this.titles.map((title, place) => svg("rect", { class: "hit", x: -0.5, y: -0.5, width: 1,
      height: 1, role: "button", tabindex: place === this.current ? 0 : -1, "data-place": place,
      focus: () => this.settle(place) }, title));
    this.place = new Map(layout.points.map((where, place) => [where.join(), place]));
    this.typed = "";
    this.names = layout.points.map(() => "");
  }

  /** Handle a key on a point; true if it was one of the board's keys. */
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
    this.buttons[place].focus({ preventScroll: true });
  }

  settle(place) {
    attribute(this.buttons[this.current], "tabindex", -1);
    this.current = place;
    attribute(this.buttons[place], "tabindex", 0);
  }

  /** The labels of the points for a scene. */
  label(scene) {
    this.names = scene.names;
    this.buttons.forEach((button, place) => attribute(button, "aria-label", described(scene, place)));
    this.titles.forEach((title, place) => text(title, forbiddenWords(scene, place)));
  }
}

function plain(name, cube) {
  const bare = name.toLowerCase().replaceAll(" ", "");
  return cube ? bare.replaceAll(",", "") : bare;
}

function middle(layout) {
  const last = levelSize(layout) - 1;
  const centre = Math.floor(last / 2);
  return layout.points.findIndex(([level, column, row]) => level === 0 && column === centre
    && row === Math.floor(last / 2 + 0.5));
}

/** Why a point is forbidden, in words; empty if it is not, or if that is not shown.
 *
 *  @param {Scene} scene
 *  @param {number} place
 */
export function forbiddenWords(scene, place) {
  const why = scene.forbidden.get(place);
  return why ? `forbidden: ${why.kind}` : "";
}

/** A point in words, for those who cannot see it.
 *
 *  @param {Scene} scene
 *  @param {number} place
 */
export function described(scene, place) {
  const held = COLOURS[scene.cells[place]];
  const heat = scene.heat.get(place), ghost = scene.ghosts.get(place), sign = scene.signs.get(place);
  return [scene.names[place], held ? scene.words[held] : "empty",
    place === scene.last ? "last move" : "", scene.row.has(place) ? "winning row" : "",
    scene.taken.has(place) ? "captured here" : "", scene.rows.some((row) => row.includes(place)) ? "threatened row" : "",
    place === scene.swap ? "may be taken over" : "",
    forbiddenWords(scene, place), because(scene, place), place === scene.hint ? "hint" : "", heat ? heat.words.replace("%", "percent") : "",
    scene.marks.get(place)?.words, ghost && !held ? ghost.words ?? `expected move ${ghost.number}` : "",
    sign ? sign.text || `marked with a ${sign.kind}` : "",
    ...scene.arrows.filter(([from]) => from === place).map(([, to]) => `arrow to ${scene.names[to]}`)].filter(Boolean).join(", ");
}

/** The stones that make a point forbidden, in words. */
function because(scene, place) {
  const names = scene.forbidden.get(place)?.stones.map((stone) => scene.names[stone]) ?? [];
  return names.length ? `because of ${names.join(" ")}` : "";
}

/** What flat boards and the cube do alike: `marks` and `points` stand on `element`. */
export class Boards {
  constructor(layout, press) {
    provideGloss();
    /** @type {Mark[]} */
    this.marks = [];
    this.layout = layout;
    this.points = new Points(layout, press);
    this.pointed = null;
  }

  /** Show a scene.
   *
   *  @param {Scene} scene
   */
  update(scene) {
    this.scene = scene;
    this.marks.forEach((mark, place) => mark.update(scene, place));
    this.points.label(scene);
    this.#light(true);
  }

  /** Show a stone where a press would put it, or the stones that make the point forbidden; null: nowhere. */
  preview(place) {
    if (place === this.pointed) return;
    this.#light(false);
    for (const [index, on] of [[this.pointed, false], [place, true]]) {
      if (index !== null) this.marks[index].element.classList.toggle("pointed", on);
    }
    this.pointed = place;
    this.#light(true);
  }

  #light(on) {
    for (const stone of this.scene?.forbidden.get(this.pointed)?.stones ?? []) {
      this.marks[stone].element.classList.toggle("reason", on);
    }
  }

  /** Show that a move was refused. */
  refuse(place) {
    if (this.scene.forbidden.has(place)) this.preview(place);
    const node = this.points.buttons[place];
    node.classList.add("refused");
    setTimeout(() => node.classList.remove("refused"), 700);
  }
}

/** Put the gloss of stones into the page, once: all of them refer to it by its name. */
function provideGloss() {
  if (byId("gloss")) return;
  const stop = (offset, colour, opacity) => svg("stop", { offset, "stop-color": colour, "stop-opacity": opacity });
  document.body.append(svg("svg", { class: "definitions", width: 0, height: 0, "aria-hidden": "true" },
    svg("radialGradient", { id: "gloss", cx: 0.36, cy: 0.3, r: 0.8 },
      stop(0, "#fff", 0.5), stop(0.45, "#fff", 0.06), stop(1, "#000", 0.28))));
}

/** Flat boards, one for each level. */
export class FlatBoards extends Boards {
  /** `does` says what a press on a point does. */
  constructor(layout, press, does = "plays") {
    super(layout, press);
    this.does = does;
    this.marks = layout.points.map(([, column, row]) => new Mark(column, row));
    this.element = element("div", { class: "flat", "data-levels": layout.captions.length });
    this.levels = layout.captions.map((caption, level) => this.#level(caption, level));
    this.element.append(...this.levels.map((level) => level.figure));
    this.element.addEventListener("mousedown", leaveKeys);
    this.element.addEventListener("click", (event) => {
      const place = placeOf(event);
      if (place !== null) press(place);
    });
    this.element.addEventListener("pointermove", (event) => {
      this.preview(event.pointerType === "mouse" ? placeOf(event) : null);
    });
    this.element.addEventListener("pointerleave", () => this.preview(null));
    this.element.addEventListener("keydown", (event) => {
      if (placeOf(event) !== null && this.points.key(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
  }

  #level(caption, level) {
    const size = levelSize(this.layout), side = size - 1 + 2 * EDGE;
    const root = svg("svg", { viewBox: `${-EDGE} ${-EDGE} ${side} ${side}`, role: "application",
      "aria-label": `${caption || "Board"}: arrow keys move, Enter ${this.does}` });
    const columns = [], rows = [], lines = svg("g"), arrows = svg("g");
    for (let i = 0; i < size; i += 1) {
      columns.push(svg("text", { x: i, y: -0.84 }), svg("text", { x: i, y: size - 0.16 }));
      rows.push(svg("text", { x: -0.84, y: i }), svg("text", { x: size - 0.16, y: i }));
    }
    const places = this.layout.points.flatMap(([where], place) => (where === level ? [place] : []));
    places.forEach((place) => attribute(this.points.buttons[place], "transform",
      `translate(${this.layout.points[place][1]} ${this.layout.points[place][2]})`));
    root.append(svg("g", { "aria-hidden": "true" },
      svg("rect", { class: "wood", x: -EDGE, y: -EDGE, width: side, height: side, rx: 0.2 }),
      gridOf(size, this.layout.in_a_row === size), svg("g", { class: "labels" }, ...columns, ...rows),
      lines, ...places.map((place) => this.marks[place].element), arrows),
    svg("g", {}, ...places.map((place) => this.points.buttons[place])));
    const figure = element("figure", { class: "level" }, root);
    if (caption) figure.append(element("figcaption", {}, caption));
    return { figure, columns, rows, lines, arrows };
  }

  update(scene) {
    this.levels.forEach(({ columns, rows }, level) => {
      const [across, down] = scene.notation.levels[level];
      columns.forEach((node, i) => text(node, scene.coordinates ? across[i >> 1] : ""));
      rows.forEach((node, i) => text(node, scene.coordinates ? down[i >> 1] : ""));
    });
    this.#lines(scene);
    super.update(scene);
  }

  // Rows and arrows, on the levels on which they lie as a whole.
  #lines({ rows, arrows }) {
    if (rows === this.rows && arrows === this.arrows) return;
    this.rows = rows;
    this.arrows = arrows;
    this.levels.forEach((drawn, level) => {
      const at = (place) => this.layout.points[place];
      const paths = (ends, draw) => ends.filter(([from, to]) => at(from)[0] === level && at(to)[0] === level)
        .map(([from, to]) => draw(at(from).slice(1), at(to).slice(1)));
      drawn.lines.replaceChildren(...paths(rows.map((row) => [row[0], row.at(-1)]),
        ([x, y], [u, v]) => svg("path", { class: "threatened", d: `M${x} ${y}L${u} ${v}` })));
      drawn.arrows.replaceChildren(...paths(arrows, (from, to) => svg("path", { class: "arrow", d: arrowOf(from, to) })));
    });
  }
}

/** An arrow as a path, from the rim of one stone to the middle of another point. */
export function arrowOf([x, y], [u, v]) {
  const length = Math.hypot(u - x, v - y) || 1;
  const [dx, dy] = [(u - x) / length, (v - y) / length];
  const tip = (side) => `${(u - 0.4 * dx - side * 0.22 * dy).toFixed(2)} ${(v - 0.4 * dy + side * 0.22 * dx).toFixed(2)}`;
  return `M${(x + 0.3 * dx).toFixed(2)} ${(y + 0.3 * dy).toFixed(2)}L${u} ${v}M${tip(1)}L${u} ${v}L${tip(-1)}`;
}

/** The lines of a board of that size; stones stand on their crossings, or in `cells` between them. */
function gridOf(size, cells) {
  const grid = svg("g", { class: "grid" });
  const shift = cells ? 0.5 : 0;
  for (let i = 0; i < size + 2 * shift; i += 1) {
    const at = i - shift, low = -shift, high = size - 1 + shift;
    grid.append(svg("path", { d: `M${at} ${low}V${high}M${low} ${at}H${high}` }));
  }
  for (const x of cells ? [] : STARS[size] ?? []) {
    for (const y of STARS[size]) grid.append(svg("circle", { class: "star", cx: x, cy: y, r: 0.1 }));
  }
  return grid;
}

/** The marks of files. */
export const SIGNS = {
  circle: () => svg("circle", { r: 0.27 }),
  square: () => svg("path", { d: "M-.24-.24h.48v.48h-.48z" }),
  triangle: () => svg("path", { d: "M0-.3L.28.2H-.28z" }),
  cross: () => svg("path", { d: "M-.2-.2L.2.2M.2-.2L-.2.2" }),
};

/** What stands on one point. */
export class Mark {
  constructor(x, y, scale = 1) {
    this.heat = svg("rect", { class: "heat", x: -0.47, y: -0.47, width: 0.94, height: 0.94, rx: 0.2 });
    this.label = svg("text", { class: "label" });
    this.sign = svg("g", { class: "sign" });
    this.body = svg("g", { class: "body", transform: `scale(${scale})` }, this.heat,
      svg("circle", { class: "shadow", cx: 0.04, cy: 0.07, r: 0.47 }),
      svg("circle", { class: "stone", r: 0.45 }),
      svg("circle", { class: "gloss", r: 0.45, fill: "url(#gloss)" }),
      svg("circle", { class: "ring", r: 0.2 }), this.sign, this.label);
    this.element = svg("g", { class: "point", transform: `translate(${x} ${y})` }, this.body);
  }

  /** Show what a scene has there.
   *
   *  @param {Scene} scene
   *  @param {number} place
   */
  update(scene, place) {
    const held = scene.cells[place];
    const heat = held ? null : scene.heat.get(place);
    const ghost = scene.ghosts.get(place);
    const mark = scene.marks.get(place);
    const sign = scene.signs.get(place);
    const forbidden = scene.forbidden.has(place);
    const colour = COLOURS[held] ?? (ghost ? COLOURS[ghost.colour] : null);
    const fresh = held && place === scene.last && this.held === 0 && this.node !== scene.node;
    this.held = held;
    this.node = scene.node;
    const classes = ["point", colour && !held ? "ghost" : "", colour ?? "empty",
      scene.row.has(place) ? "won" : "", place === scene.last ? "last" : "",
      scene.taken.has(place) ? "taken" : "", scene.rows.some((row) => row.includes(place)) ? "threat" : "", heat ? `hot tone-${heat.tone}` : "", heat?.best ? "best" : "",
      mark ? `marked mark-${mark.kind}` : "", place === scene.hint ? "hint" : "",
      place === scene.aimed ? "aimed" : "", place === scene.swap ? "swap" : "",
      forbidden ? "forbidden" : "", scene.open && !held && !forbidden ? `open-${scene.open}` : "", sign ? "signed" : "",
      fresh || (this.fresh && place === scene.last) ? "fresh" : "",
      this.element.classList.contains("pointed") ? "pointed" : ""].filter(Boolean).join(" ");
    this.fresh = fresh || (this.fresh && place === scene.last && held);
    attribute(this.element, "class", classes);
    attribute(this.element, "data-point", place);
    const words = String(held ? (scene.numbers?.[place] ?? sign?.text ?? "")
      : ghost ? ghost.number : mark?.text ?? heat?.text ?? sign?.text ?? "");
    text(this.label, words);
    attribute(this.label, "data-long", words.length > 2 ? "" : null);
    const kind = sign && sign.kind !== "label" ? sign.kind : forbidden && !words ? "cross" : "";
    if (kind !== (this.kind ?? "")) {
      this.kind = kind;
      this.sign.replaceChildren(...(kind ? [SIGNS[kind]()] : []));
    }
  }
}

/** How many points a level has in a row. */
export function levelSize(layout) {
  return 1 + Math.max(...layout.points.map(([, column]) => column));
}

/** The number of the point that an event is about, or null. */
export function placeOf(event) {
  const place = event.target.closest?.("[data-place]")?.dataset.place;
  return place === undefined ? null : Number(place);
}

/** With a mouse in use, arrow keys walk through the moves, not over the board. */
export function leaveKeys(event) {
  event.preventDefault();
  /** @type {HTMLElement | SVGElement} */ (document.activeElement)?.blur();
}
