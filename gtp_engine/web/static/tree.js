// The moves of a game with their variations, and the best lines of an analysis, as text.

import { attribute, element, text } from "./dom.js";

/** The nodes of a game by number, with their children. */
export function treeOf(rows) {
  const nodes = new Map();
  for (const row of rows) {
    nodes.set(row.number, { comment: "", value: null, ...row, children: [] });
    if (row.number !== 0) nodes.get(row.parent).children.push(row.number);
  }
  return nodes;
}

/** The numbers of the nodes from the root through that one to the end of its main line. */
export function lineThrough(nodes, number) {
  const line = [];
  for (let at = number; at !== undefined; at = nodes.get(at).parent) line.unshift(at);
  while (nodes.get(line.at(-1)).children.length) line.push(nodes.get(line.at(-1)).children[0]);
  return line;
}

/** The list of moves; `go` is called with the number of a node. */
export class Moves {
  constructor(container, go) {
    this.container = container;
    this.buttons = new Map();
    container.addEventListener("click", (event) => {
      const node = event.target.closest("button")?.dataset.node;
      if (node !== undefined) go(Number(node));
    });
  }

  /** Write all moves anew. */
  draw(nodes, names) {
    this.nodes = nodes;
    this.names = names;
    this.buttons.clear();
    this.container.replaceChildren(...this.#line(0, 0));
    if (!nodes.get(0).children.length) this.container.append("No moves yet.");
  }

  // What follows a node: the main line, and the other moves as lines of their own.
  #line(start, start_ply) {
    const parts = [];
    let number = start, ply = start_ply;
    for (;;) {
      const [main, ...others] = this.nodes.get(number).children;
      if (main === undefined) return parts;
      parts.push(...this.#move(main, ply));
      for (const other of others) {
        parts.push(element("div", { class: "variation" }, ...this.#move(other, ply),
          ...this.#line(other, this.#counted(other, ply))));
      }
      ply = this.#counted(main, ply);
      number = main;
    }
  }

  #counted(number, ply) {
    return ply + (this.nodes.get(number).move ? 1 : 0);
  }

  #move(number, ply) {
    const node = this.nodes.get(number);
    let words = "set up";
    if (node.move) words = `${ply + 1}. ${node.move[1] < 0 ? "pass" : this.names[node.move[1]]}`;
    const colour = node.move ? (node.move[0] === 1 ? "black" : "white") : "";
    const button = element("button", { class: `move ${colour}`, "data-node": number }, words);
    this.buttons.set(number, button);
    const parts = [button, " "];
    if (node.comment) parts.push(element("span", { class: "remark" }, node.comment), " ");
    return parts;
  }

  /** Show which position is on the board. */
  mark(number) {
    for (const [other, button] of this.buttons) {
      attribute(button, "aria-current", other === number ? "true" : null);
    }
    const current = this.buttons.get(number);
    const box = this.container;
    if (!current) {
      box.scrollTop = 0;
      return;
    }
    const top = current.offsetTop - box.offsetTop;
    if (top < box.scrollTop || top + current.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = top - box.clientHeight / 2;
    }
  }
}

/** The best moves with their lines.  Rows stay where they are, so that they can be clicked while
 *  they change.  `choose` is called with a line, `look` with one that is pointed at, or null. */
export class Lines {
  constructor(list, choose, look) {
    this.list = list;
    this.rows = [];
    this.choose = choose;
    this.look = look;
  }

  #row() {
    const row = { line: [], value: element("b", {}), words: element("span", {}) };
    const look = () => this.look(row.line), away = () => this.look(null);
    row.item = element("li", {}, element("button", { class: "line", mouseenter: look,
      mouseleave: away, focus: look, blur: away, click: () => this.choose(row.line) },
    row.value, " ", row.words));
    return row;
  }

  /** Show these: a value and a line each. */
  show(best, names) {
    while (this.rows.length < best.length) this.rows.push(this.#row());
    best.forEach(({ value, line }, i) => {
      const row = this.rows[i];
      row.line = line;
      text(row.value, value);
      text(row.words, line.map((place) => names[place]).join(" "));
      if (this.list.children[i] !== row.item) this.list.append(row.item);
    });
    while (this.list.children.length > best.length) this.list.lastChild.remove();
  }
}
