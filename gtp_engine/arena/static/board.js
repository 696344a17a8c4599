// The board: flat boards in SVG, one for each level, and the parts that they share with the cube.

import { attribute, byId, element, svg, text } from "./dom.js";
import { COLOURS } from "./notation.js";

const STARS = { 13: [3, 6, 9], 15: [3, 7, 11], 17: [3, 8, 13], 19: [3, 9, 15] };
const EDGE = 1.2; // width of the wood around the points, with the coordinates

/** The state of a board.
 *
 *  @typedef {object} Scene
 *  @property {number[]} cells by point: 0 empty, 1 black, 2 white
 *  @property {number | null} last the point of the last move
 *  @property {Set<number>} row the points of winning rows
 *  @property {Set<number>} taken the points of stones that the last move has captured
 *  @property {Map<number, {kind: string, stones: number[]}>} forbidden forbidden points, each with
 *    the kind and the stones of its shape
 *  @property {number | null} swap the point of the stone that a swap takes over
 *  @property {number | null} hint the engine's move
 *  @property {number | null} aimed the point of a first tap with a finger
 *  @property {Map<number, {text: string, words: string, tone: string, best: boolean}>} heat values of moves
 *  @property {Map<number, {number: number, colour: number, words?: string}>} ghosts expected moves
 *  @property {Map<number, {text: string, kind: string, words: string}>} marks threats
 *  @property {Map<number, {text: string, kind: string}>} signs the marks of files
 *  @property {number[][]} rows the points of threatened rows
 *  @property {number[][]} arrows pairs of points, from and to
 *  @property {Object<number, number> | null} numbers the numbers on stones
 *  @property {{names: string[], levels: string[][][]}} notation
 *  @property {string[]} names the names of the points
 *  @property {boolean} coordinates are the coordinates visible?
 *  @property {Object<string, string>} words the names of black and white stones
 *  @property {string} node the position; a new stone fades in when it changes
 *  @property {string} open the colour that may play, "": none
 */

/** The scene of an empty board.
 *
 *  @type {Scene}
 */
export const PLAIN = { cells: [], last: null, row: new Set(), taken: new Set(), forbidden: new Map(),
  swap: null, hint: null, aimed: null, heat: new Map(), ghosts: new Map(), marks: new Map(), signs: new Map(), rows: [], arrows: [], numbers: null,
  notation: null, names: [], coordinates: true, words: {}, node: "", open: "" };

/** The points of a game as buttons.  Arrow keys or a typed name select a point, Enter presses it.
 *
 *  `buttons` has the element of each point; `press` is called with the number of the point.
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

  /** Handle a key on a point; return true if the board uses the key. */
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
    const place = names.indexOf(this.typed);
    if (place >= 0) this.focus(place);
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

  /** Set the labels of the points for a scene. */
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
  const [columns, rows] = levelSides(layout);
  return layout.points.findIndex(([level, column, row]) => level === 0
    && column === Math.floor((columns - 1) / 2) && row === Math.floor(rows / 2));
}

/** The reason why a point is forbidden, or "" if the scene has none.
 *
 *  @param {Scene} scene
 *  @param {number} place
 */
export function forbiddenWords(scene, place) {
  const why = scene.forbidden.get(place);
  return why ? `forbidden: ${why.kind}` : "";
}

/** The description of a point for screen readers.
 *
 *  @param {Scene} scene
 *  @param {number} place
 */
export function described(scene, place) {
  const stone = COLOURS[scene.cells[place]];
  const heat = scene.heat.get(place), ghost = scene.ghosts.get(place), sign = scene.signs.get(place);
  return [scene.names[place], stone ? scene.words[stone] : "empty",
    place === scene.last ? "last move" : "", scene.row.has(place) ? "winning row" : "",
    scene.taken.has(place) ? "captured here" : "", scene.rows.some((row) => row.includes(place)) ? "threatened row" : "",
    place === scene.swap ? "may be taken over" : "",
    forbiddenWords(scene, place), because(scene, place), place === scene.hint ? "hint" : "", heat ? heat.words.replace("%", "percent") : "",
    scene.marks.get(place)?.words, ghost && !stone ? ghost.words ?? `expected move ${ghost.number}` : "",
    sign ? sign.text || `marked with a ${sign.kind}` : "",
    ...scene.arrows.filter(([from]) => from === place).map(([, to]) => `arrow to ${scene.names[to]}`)].filter(Boolean).join(", ");
}

/** The text of the stones that make a point forbidden. */
function because(scene, place) {
  const names = scene.forbidden.get(place)?.stones.map((stone) => scene.names[stone]) ?? [];
  return names.length ? `because of ${names.join(" ")}` : "";
}

/** The base class of flat boards and the cube: `marks` and `points` on an `element`. */
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

  /** Preview a press on a point: the new stone, or the stones that make the point forbidden; null: none. */
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

  /** Show that the game has refused a move. */
  refuse(place) {
    if (this.scene.forbidden.has(place)) this.preview(place);
    const node = this.points.buttons[place];
    node.classList.add("refused");
    setTimeout(() => node.classList.remove("refused"), 700);
  }
}

/** Add the gloss of stones to the page, once; all stones refer to its id. */
function provideGloss() {
  if (byId("gloss")) return;
  const stop = (offset, colour, opacity) => svg("stop", { offset, "stop-color": colour, "stop-opacity": opacity });
  document.body.append(svg("svg", { class: "definitions", width: 0, height: 0, "aria-hidden": "true" },
    svg("radialGradient", { id: "gloss", cx: 0.36, cy: 0.3, r: 0.8 },
      stop(0, "#fff", 0.5), stop(0.45, "#fff", 0.06), stop(1, "#000", 0.28))));
}

/** Flat boards, one for each level. */
export class FlatBoards extends Boards {
  /** `does` is the verb phrase for a press on a point. */
  constructor(layout, press, does = "plays") {
    super(layout, press);
    this.does = does;
    this.marks = layout.points.map(([, column, row]) => new Mark(column, row));
    this.element = element("div", { class: "flat", "data-levels": layout.captions.length });
    const [wide, high] = levelSides(layout).map((side) => side - 1 + 2 * EDGE);
    this.element.style.setProperty("--shape", String(wide / high)); // width by height
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
    const [across, down] = levelSides(this.layout), wide = across - 1 + 2 * EDGE, high = down - 1 + 2 * EDGE;
    const root = svg("svg", { viewBox: `${-EDGE} ${-EDGE} ${wide} ${high}`, role: "application",
      "aria-label": `${caption || "Board"}: arrow keys move, Enter ${this.does}` });
    const columns = [], rows = [], lines = svg("g"), arrows = svg("g");
    for (let i = 0; i < across; i += 1) columns.push(svg("text", { x: i, y: -0.84 }), svg("text", { x: i, y: down - 0.16 }));
    for (let i = 0; i < down; i += 1) rows.push(svg("text", { x: -0.84, y: i }), svg("text", { x: across - 0.16, y: i }));
    const places = this.layout.points.flatMap(([where], place) => (where === level ? [place] : []));
    places.forEach((place) => attribute(this.points.buttons[place], "transform",
      `translate(${this.layout.points[place][1]} ${this.layout.points[place][2]})`));
    root.append(svg("g", { "aria-hidden": "true" },
      svg("rect", { class: "wood", x: -EDGE, y: -EDGE, width: wide, height: high, rx: 0.2 }),
      gridOf(across, down, this.layout.in_a_row === across && across === down), svg("g", { class: "labels" }, ...columns, ...rows),
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

  // Draw rows and arrows on the levels that contain them completely.
  #lines({ rows, arrows }) {
    if (rows === this.rows && arrows === this.arrows) return;
    this.rows = rows;
    this.arrows = arrows;
    this.levels.forEach((board, level) => {
      const at = (place) => this.layout.points[place];
      const paths = (ends, draw) => ends.filter(([from, to]) => at(from)[0] === level && at(to)[0] === level)
        .map(([from, to]) => draw(at(from).slice(1), at(to).slice(1)));
      board.lines.replaceChildren(...paths(rows.map((row) => [row[0], row.at(-1)]),
        ([x, y], [u, v]) => svg("path", { class: "threatened", d: `M${x} ${y}L${u} ${v}` })));
      board.arrows.replaceChildren(...paths(arrows, (from, to) => svg("path", { class: "arrow", d: arrowOf(from, to) })));
    });
  }
}

/** The path of an arrow, from the rim of one stone to the middle of another point. */
export function arrowOf([x, y], [u, v]) {
  const length = Math.hypot(u - x, v - y) || 1;
  const [dx, dy] = [(u - x) / length, (v - y) / length];
  const tip = (side) => `${(u - 0.4 * dx - side * 0.22 * dy).toFixed(2)} ${(v - 0.4 * dy + side * 0.22 * dx).toFixed(2)}`;
  return `M${(x + 0.3 * dx).toFixed(2)} ${(y + 0.3 * dy).toFixed(2)}L${u} ${v}M${tip(1)}L${u} ${v}L${tip(-1)}`;
}

/** The lines of a board of this size; stones are on their crossings, or in `cells` between them. */
function gridOf(columns, rows, cells) {
  const grid = svg("g", { class: "grid" });
  const shift = cells ? 0.5 : 0;
  const low = -shift, right = columns - 1 + shift, bottom = rows - 1 + shift;
  for (let at = low; at <= right; at += 1) grid.append(svg("path", { d: `M${at} ${low}V${bottom}` }));
  for (let at = low; at <= bottom; at += 1) grid.append(svg("path", { d: `M${low} ${at}H${right}` }));
  for (const x of cells ? [] : STARS[columns] ?? []) {
    for (const y of STARS[rows] ?? []) grid.append(svg("circle", { class: "star", cx: x, cy: y, r: 0.1 }));
  }
  return grid;
}

/** The marks of game records. */
export const SIGNS = {
  circle: () => svg("circle", { r: 0.27 }),
  square: () => svg("path", { d: "M-.24-.24h.48v.48h-.48z" }),
  triangle: () => svg("path", { d: "M0-.3L.28.2H-.28z" }),
  cross: () => svg("path", { d: "M-.2-.2L.2.2M.2-.2L-.2.2" }),
};

/** The stone, marks and label of one point. */
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

  /** Show the scene on this point.
   *
   *  @param {Scene} scene
   *  @param {number} place
   */
  update(scene, place) {
    const stone = scene.cells[place];
    const heat = stone ? null : scene.heat.get(place);
    const ghost = scene.ghosts.get(place);
    const mark = scene.marks.get(place);
    const sign = scene.signs.get(place);
    const forbidden = scene.forbidden.has(place);
    const colour = COLOURS[stone] ?? (ghost ? COLOURS[ghost.colour] : null);
    const fresh = stone && place === scene.last && this.stone === 0 && this.node !== scene.node;
    this.stone = stone;
    this.node = scene.node;
    const classes = ["point", colour && !stone ? "ghost" : "", colour ?? "empty",
      scene.row.has(place) ? "won" : "", place === scene.last ? "last" : "",
      scene.taken.has(place) ? "taken" : "", scene.rows.some((row) => row.includes(place)) ? "threat" : "", heat ? `hot tone-${heat.tone}` : "", heat?.best ? "best" : "",
      mark ? `marked mark-${mark.kind}` : "", place === scene.hint ? "hint" : "",
      place === scene.aimed ? "aimed" : "", place === scene.swap ? "swap" : "",
      forbidden ? "forbidden" : "", scene.open && !stone && !forbidden ? `open-${scene.open}` : "", sign ? "signed" : "",
      fresh || (this.fresh && place === scene.last) ? "fresh" : "",
      this.element.classList.contains("pointed") ? "pointed" : ""].filter(Boolean).join(" ");
    this.fresh = fresh || (this.fresh && place === scene.last && stone);
    attribute(this.element, "class", classes);
    attribute(this.element, "data-point", place);
    const words = String(stone ? (scene.numbers?.[place] ?? sign?.text ?? "")
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

/** The numbers of columns and rows of a level. */
export function levelSides(layout) {
  return [1, 2].map((axis) => 1 + Math.max(...layout.points.map((where) => where[axis])));
}

/** The number of the point of an event's target, or null. */
export function placeOf(event) {
  const place = event.target.closest?.("[data-place]")?.dataset.place;
  return place === undefined ? null : Number(place);
}

/** Remove the focus after a mouse press: arrow keys then step through the moves, not over the board. */
export function leaveKeys(event) {
  event.preventDefault();
  /** @type {HTMLElement | SVGElement} */ (document.activeElement)?.blur();
}
