// The positions of a game with their variations: a map by number, and the list of moves.

import { arrange, attribute, element, inWords, targetOf, text } from "../dom.js";
import { classOf } from "../study/verdicts.js";
import { KINDS } from "../study/reviewtexts.js";

/** The nodes after a message about the tree; the argument stays unchanged. */
export function treeAfter(nodes, { nodes: rows, removed = [] }) {
  const now = new Map(nodes);
  for (const number of removed) now.delete(number);
  for (const row of rows) now.set(row.number, { comment: "", value: null, marks: [], arrows: [], children: [], ...row });
  return now;
}

/** The numbers of the nodes from the root to `number`. */
export function pathTo(nodes, number) {
  const path = [];
  for (let at = number; nodes.has(at); at = nodes.get(at).parent) path.unshift(at);
  return path;
}

/** The numbers of the nodes from the root through `number` to the end of its main line. */
export function lineThrough(nodes, number) {
  const line = pathTo(nodes, number);
  while (nodes.get(line.at(-1))?.children.length) line.push(nodes.get(line.at(-1)).children[0]);
  return line;
}

/** The number of positions in a subtree, its root included. */
export function below(nodes, number) {
  let count = 0;
  const left = [number];
  while (left.length) {
    count += 1;
    left.push(...nodes.get(left.pop())?.children ?? []);
  }
  return count;
}

/** The first, previous, next or last node of the line through `number`; undefined if it is `number`. */
export function step(nodes, number, to) {
  const line = lineThrough(nodes, number);
  const at = line.indexOf(number);
  const index = { first: 0, previous: at - 1, next: at + 1, last: line.length - 1 }[to];
  return index === at ? undefined : line[index];
}

/** The list of moves; `go` is called with the number of a node. */
export class Moves {
  constructor(container, go) {
    this.container = container;
    this.parts = new Map(); // the elements of a node
    this.drawn = [];
    this.empty = document.createTextNode(inWords("No moves yet."));
    container.addEventListener("click", (event) => {
      const node = targetOf(event).closest("button")?.dataset.node;
      if (node !== undefined) go(Number(node));
    });
  }

  /** Show the nodes with these names of points, the current and the live position, and the verdicts of
   *  a review by node. */
  draw(nodes, names, current, live, verdicts) {
    if (nodes !== this.nodes || names !== this.names || verdicts !== this.verdicts) {
      this.nodes = nodes;
      this.names = names;
      this.verdicts = verdicts;
      for (const number of this.parts.keys()) if (!nodes.has(number)) this.parts.delete(number);
      const root = nodes.get(0);
      arrange(this.container, root?.children.length ? this.#line(0, 0) : [this.empty]);
      this.current = undefined;
    }
    if (this.current === current && this.live === live) return;
    for (const number of [this.current, this.live]) this.#show(number, null, false);
    this.current = current;
    this.live = live;
    this.#show(live, null, live !== current);
    this.#show(current, "true", false);
    this.#scroll(this.parts.get(current)?.button);
  }

  #show(number, current, live) {
    const button = this.parts.get(number)?.button;
    if (!button) return;
    attribute(button, "aria-current", current);
    button.classList.toggle("live-move", live);
  }

  // The elements after a node: its main line, and each variation as a line of its own.
  #line(start, start_ply) {
    const parts = [];
    let number = start, ply = start_ply;
    for (;;) {
      const [main, ...others] = this.nodes.get(number)?.children ?? [];
      if (main === undefined) return parts;
      parts.push(...this.#move(main, ply));
      for (const other of others) {
        const part = this.#part(other);
        arrange(part.variation, [...this.#move(other, ply), ...this.#line(other, this.#counted(other, ply))]);
        parts.push(part.variation);
      }
      ply = this.#counted(main, ply);
      number = main;
    }
  }

  #counted(number, ply) {
    return ply + (this.nodes.get(number).move ? 1 : 0);
  }

  #part(number) {
    if (!this.parts.has(number)) {
      const words = element("span", {}), sign = element("span", { "aria-hidden": "true" });
      const kind = element("span", { class: "hidden" });
      this.parts.set(number, { button: element("button", { "data-node": number }, words, sign, kind), words, sign, kind, space: document.createTextNode(" "),
        variation: element("div", { class: "variation" }),
        remark: element("span", { class: "remark", translate: "no" }), gap: document.createTextNode(" ") });
    }
    return this.parts.get(number);
  }

  #move(number, ply) {
    const node = this.nodes.get(number);
    const part = this.#part(number);
    const { button, space, remark, gap } = part;
    const parts = node.comment ? [button, space, remark, gap] : [button, space];
    const verdict = this.verdicts.get(number)?.kind;
    if (part.node === node && part.ply === ply && part.names === this.names && part.verdict === verdict) return parts;
    Object.assign(part, { node, ply, names: this.names, verdict });
    let words = "set up";
    if (node.move) words = `${ply + 1}. ${node.move[1] < 0 ? "pass" : this.names[node.move[1]]}`;
    const colour = node.move ? (node.move[0] === 1 ? "black" : "white") : "";
    text(part.words, words);
    text(part.sign, verdict ? KINDS[verdict].sign : "");
    attribute(part.sign, "class", verdict ? `verdict ${classOf(verdict)}` : null);
    text(part.kind, verdict ? `, ${KINDS[verdict].name}` : "");
    button.classList.add("move");
    if (colour) button.classList.add(colour);
    text(remark, node.comment);
    return parts;
  }

  #scroll(current) {
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
