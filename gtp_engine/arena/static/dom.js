// Small helpers for elements.

const SVG = "http://www.w3.org/2000/svg";

const SPOKEN = new Set(["alt", "aria-label", "label", "placeholder", "title"]); // attributes that are texts
let said = (words) => words;

/** From now on texts and spoken attributes are translated so.  What stands in an element with
 *  translate="no", and texts that are given as nodes, stay as they are. */
export function translateBy(translate) {
  said = translate;
}

/** Words in the language of the page. */
export const inWords = (words) => said(words);

/** The element of the page with that id. */
export const byId = (id) => document.getElementById(id);

/** The same where it is a button. */
export const buttonById = (id) => /** @type {HTMLButtonElement} */ (byId(id));

/** The same where it has a value: an input, a choice or an area of text. */
export const fieldById = (id) => /** @type {HTMLInputElement} */ (byId(id));

/** The same where it is a table. */
export const tableById = (id) => /** @type {HTMLTableElement} */ (byId(id));

/** The element that an event is about. */
export const targetOf = (event) => /** @type {HTMLElement} */ (event.target);

/** A new element with these attributes and children; functions become listeners. */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** A new element of SVG. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, "");
    else attribute(made, key, value);
  }
  made.append(...children.filter((child) => child !== null).map(
    (child) => (typeof child === "string" && attributes.translate !== "no" ? said(child) : child)));
  return made;
}

/** Set an attribute only where it changes, or take it away. */
export function attribute(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else {
    const words = SPOKEN.has(name) ? said(String(value)) : String(value);
    if (node.getAttribute(name) !== words) node.setAttribute(name, words);
  }
}

/** Set a text only where it changes. */
export function text(node, value) {
  const words = node.translate === false ? value : said(value);
  if (node.textContent !== words) node.textContent = words;
}

/** Make these the children of a container.  Those that are there already stay where they are, so
 *  that neither the focus nor a click that has begun is lost. */
export function arrange(container, wanted) {
  const kept = new Set(wanted);
  let at = container.firstChild;
  for (const node of wanted) {
    while (at && !kept.has(at)) {
      const gone = at;
      at = at.nextSibling;
      gone.remove();
    }
    if (at === node) at = at.nextSibling;
    else container.insertBefore(node, at);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

/** Elements that are kept from one drawing to the next, by key. */
export class Keyed {
  /** `make` returns the element for a key, `update` brings it up to date with an item. */
  constructor(container, make, update) {
    this.container = container;
    this.make = make;
    this.update = update;
    this.known = new Map();
  }

  /** Show [key, item] pairs, in this order. */
  show(pairs) {
    const now = new Map(pairs.map(([key, item]) => {
      const node = this.known.get(key) ?? this.make(key);
      this.update(node, item);
      return [key, node];
    }));
    this.known = now;
    arrange(this.container, [...now.values()]);
  }
}

/** Words with a capital at the beginning. */
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** A number with its noun. */
export const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

/** A value of -1 to 1 as percent; 0 and 100 are for certain results. */
export function percent(value) {
  const number = Math.round(50 + 50 * value);
  return Math.abs(value) === 1 ? number : Math.min(Math.max(number, 1), 99);
}

/** A game with its size, as in Gomoku, 15 × 15. */
export function titleOf({ game, size, cube }) {
  return `${game}, ${(cube ? Array(3).fill(size / 2) : [size, size]).join(" × ")}`;
}
