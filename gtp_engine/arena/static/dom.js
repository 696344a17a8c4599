// Helper functions for elements.

const SVG = "http://www.w3.org/2000/svg";

const SPOKEN = new Set(["alt", "aria-label", "label", "placeholder", "title"]); // attributes that are texts
let translation = (words) => words;

/** Set the translation of texts and spoken attributes.  It does not apply to elements with
 *  translate="no", nor to text nodes. */
export function translateBy(translate) {
  translation = translate;
}

/** Words in the language of the page. */
export const inWords = (words) => translation(words);

/** The element with this id. */
export const byId = (id) => document.getElementById(id);

/** The button with this id. */
export const buttonById = (id) => /** @type {HTMLButtonElement} */ (byId(id));

/** The input, select or textarea with this id. */
export const fieldById = (id) => /** @type {HTMLInputElement} */ (byId(id));

/** The table with this id. */
export const tableById = (id) => /** @type {HTMLTableElement} */ (byId(id));

/** The target element of an event. */
export const targetOf = (event) => /** @type {HTMLElement} */ (event.target);

/** Create an element with attributes and children; functions become event listeners. */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Create an SVG element, as `element` does for HTML. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (value === true) node.setAttribute(key, "");
    else attribute(node, key, value);
  }
  node.append(...children.filter((child) => child !== null).map(
    (child) => (typeof child === "string" && attributes.translate !== "no" ? translation(child) : child)));
  return node;
}

/** Set an attribute if it changes; null, undefined and false remove it. */
export function attribute(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else {
    const words = SPOKEN.has(name) ? translation(String(value)) : String(value);
    if (node.getAttribute(name) !== words) node.setAttribute(name, words);
  }
}

/** Set the text of a node if it changes. */
export function text(node, value) {
  const words = node.translate === false ? value : translation(value);
  if (node.textContent !== words) node.textContent = words;
}

/** Make these nodes the children of a container.  Old children keep their place in the document, so
 *  that neither the focus nor a click in progress is lost. */
export function arrange(container, nodes) {
  const staying = new Set(nodes);
  let at = container.firstChild;
  for (const node of nodes) {
    while (at && !staying.has(at)) {
      const old = at;
      at = at.nextSibling;
      old.remove();
    }
    if (at === node) at = at.nextSibling;
    else container.insertBefore(node, at);
  }
  while (at) {
    const old = at;
    at = at.nextSibling;
    old.remove();
  }
}

/** A list of elements that persist from one drawing to the next, by key. */
export class Keyed {
  /** `make` creates the element for a key, `update` updates it for an item. */
  constructor(container, make, update) {
    this.container = container;
    this.make = make;
    this.update = update;
    this.nodes = new Map();
  }

  /** Show [key, item] pairs, in this order. */
  show(pairs) {
    const nodes = new Map(pairs.map(([key, item]) => {
      const node = this.nodes.get(key) ?? this.make(key);
      this.update(node, item);
      return [key, node];
    }));
    this.nodes = nodes;
    arrange(this.container, [...nodes.values()]);
  }
}

/** Words with a capital first letter. */
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** A number with its noun. */
export const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

/** A value of -1 to 1 in percent; 0 and 100 are only for certain results. */
export function percent(value) {
  const number = Math.round(50 + 50 * value);
  return Math.abs(value) === 1 ? number : Math.min(Math.max(number, 1), 99);
}

/** The title of a game with its size, such as Gomoku, 15 × 15. */
export function titleOf({ game, size, cube }) {
  return `${game}, ${(cube ? Array(3).fill(size / 2) : sidesOf(size)).join(" × ")}`;
}

/** The columns and rows of a size: 15 for a square, or a text such as 12x10. */
export function sidesOf(size) {
  const sides = String(size).split(/ *[x×] */i).map(Number);
  return sides.length === 1 ? [sides[0], sides[0]] : sides;
}
