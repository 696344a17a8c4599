// Training of openings: the page asks for the moves of a repertoire, which is the variations after a position.

import { byId, text } from "../dom.js";
import { pathTo } from "../game/tree.js";
import { notationOf } from "../notation.js";
import { filled } from "./reviewtexts.js";

const TEXTS = {
  ask: "Your move?",
  right: "Correct. The repertoire answers {point}.",
  wrong: "{point} is not in the repertoire. Try again.",
  view: "The repertoire plays {line}.",
  ended: "End of this line.",
  over: "All lines are done.",
  count: "Correct at the first try: {right} of {count}",
};

/** A training of the lines after a node.
 *
 *  start     the node
 *  colour    the colour of the user
 *  side      the side to move at the node
 *  asked     the nodes of the questions so far
 *  solved    those that were solved at the first try
 *  finished  the ends of lines that were reached
 *  reply     the reply to the last move: a key of TEXTS and a point or null
 */
export function trainingOf(start, colour, side) {
  return { start, colour, side, asked: new Set(), solved: new Set(), finished: new Set(), reply: null };
}

const childrenOf = (nodes, number) => nodes.get(number)?.children ?? [];

// Has a subtree an end that was not reached?
function isOpen(nodes, number, finished) {
  const left = [number];
  while (left.length) {
    const each = left.pop(), children = childrenOf(nodes, each);
    if (!children.length && !finished.has(each)) return true;
    left.push(...children);
  }
  return false;
}

/** A child for the opponent's move, of an open line if there is one; undefined at the end of a line. */
export function replyNode(nodes, number, finished, random = Math.random) {
  const children = childrenOf(nodes, number), open = children.filter((child) => isOpen(nodes, child, finished));
  const from = open.length ? open : children;
  return from[Math.floor(random() * from.length)];
}

/** Does the page ask for a move on the displayed board? */
export function mayTrain({ training, game, nodes }) {
  return Boolean(training) && game.side === training.colour && childrenOf(nodes, game.cursor).length > 0
    && pathTo(nodes, game.cursor).includes(training.start);
}

/** The node of the first question, and of the next one after the end of a line. */
export function firstNode({ training, nodes }, random = Math.random) {
  const { start, colour, side, finished } = training;
  return side === colour ? start : replyNode(nodes, start, finished, random) ?? start;
}

/** The training after a move of the user, and the node to go to; undefined if the move is wrong. */
export function trainingAfter({ training, game, nodes }, place, random = Math.random) {
  const child = childrenOf(nodes, game.cursor).find((each) => nodes.get(each).move?.[1] === place);
  const asked = new Set([...training.asked, game.cursor]);
  if (child === undefined) return [{ ...training, asked, reply: { what: "wrong", place } }, undefined];
  const solved = training.asked.has(game.cursor) ? training.solved : new Set([...training.solved, game.cursor]);
  const answer = replyNode(nodes, child, training.finished, random), end = answer ?? child;
  const finished = childrenOf(nodes, end).length ? training.finished : new Set([...training.finished, end]);
  const reply = answer === undefined ? null : { what: "right", place: nodes.get(answer).move?.[1] ?? null };
  return [{ ...training, asked, solved, finished, reply }, end];
}

/** The training with the moves of the repertoire in view; the question counts as not solved. */
export function trainingWithView({ training, game }) {
  return { ...training, asked: new Set([...training.asked, game.cursor]), reply: { what: "view", place: null } };
}

/** Is a line left that was not reached? */
export const hasLines = ({ training, nodes }) => isOpen(nodes, training.start, training.finished);

export class TrainingPanel {
  /** Draw the state; during a training the tab has no answers of games. */
  draw(state) {
    const { training, game, nodes, layout, view } = state;
    if (!game || !layout) return;
    byId("explorer-panel").classList.toggle("in-training", Boolean(training));
    byId("training-setup").hidden = Boolean(training) || childrenOf(nodes, game.cursor).length === 0;
    byId("training").hidden = !training;
    if (!training) return;
    const asks = mayTrain(state), { reply } = training;
    const nameOf = (place) => notationOf(layout, view.notation).names[place] ?? "pass";
    const line = childrenOf(nodes, game.cursor).map((child) => nameOf(nodes.get(child).move?.[1])).join(" ");
    text(byId("training-text"), asks ? TEXTS.ask : hasLines(state) ? TEXTS.ended : TEXTS.over);
    text(byId("training-reply"), reply ? filled(TEXTS[reply.what], { point: nameOf(reply.place), line }) : "");
    text(byId("training-count"), filled(TEXTS.count, { right: training.solved.size, count: training.asked.size }));
    byId("training-view").hidden = !asks;
    byId("training-next").hidden = asks || !hasLines(state);
  }
}
