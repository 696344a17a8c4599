// The verdicts of a review: data, texts and lines.

import { capital } from "../dom.js";
import { colourWord, notationOf } from "../notation.js";
import { KINDS, REVIEW, filled, within } from "./reviewtexts.js";

/** A review after a message about it; null: no review. */
export function reviewAfter(before, message) {
  if (!message.status) return null;
  const rows = new Map(message.whole || !before ? [] : before.rows);
  for (const row of message.rows) rows.set(row.ply, row);
  return { ...message, rows, byNode: new Map([...rows.values()].map((row) => [row.node, row])) };
}

/** The current move: the one whose line is on the board, else the last one of the position. */
export function currentRow({ review, walk, game }) {
  return review?.rows.get(walk?.ply) ?? review?.byNode.get(game?.cursor) ?? null;
}

/** The nearest fault before (-1) or after (1) the current move, cyclically. */
export function nextFault(state, step) {
  const faults = faultsOf(state.review);
  const at = currentRow(state)?.ply ?? 0;
  return step > 0 ? faults.find((row) => row.ply > at) ?? faults[0]
    : faults.filter((row) => row.ply < at).at(-1) ?? faults.at(-1);
}

/** The faults of one colour or of both (0), in order. */
export function faultsOf(review, colour = 0) {
  return [...review?.rows.values() ?? []].filter((row) => row.is_fault && (!colour || row.colour === colour))
    .sort((a, b) => a.ply - b.ply);
}

/** The better line for a move, with its first node. */
export function betterLine(row, nodes) {
  return { ...row.line, what: "better", ply: row.ply, node: nodes.get(row.node).parent, plies: row.line.moves.length,
    crossed: row.point };
}

/** The refutation of a move, with its first node. */
export function refutation(row) {
  return { ...row.refutation, what: "refutation", ply: row.ply, node: row.node,
    plies: row.refutation.moves.length, crossed: null };
}

/** The best explanation of a verdict: the losing line, else the better move, else the refutation; or null. */
export function explanation(row, nodes) {
  const loses = row.refutation.moves.length > 0;
  if (loses && (row.kind === "allowed win" || row.better === null)) return refutation(row);
  return row.better === null ? null : betterLine(row, nodes);
}

/** A verdict in a sentence or two. */
export function sentence(row, { layout, view }) {
  const { names } = notationOf(layout, view.notation);
  const nameOf = (place) => (place === null ? "" : names[place] ?? "pass");
  const word = (colour) => capital(colourWord(layout, colour));
  const { plies } = row.after;
  const values = { ply: row.ply, side: word(row.colour), other: word(3 - row.colour), point: nameOf(row.point),
    kind: KINDS[row.kind].name, better: nameOf(row.better), points: Math.round(100 * row.loss),
    within: within(row.before.plies), after: within(plies === null ? null : plies - 1) };
  const texts = [REVIEW.move, KINDS[row.kind].text];
  if (row.better !== null && row.is_fault && row.kind !== "missed win") texts.push(REVIEW.better);
  if (row.better !== null && row.kind === "lost already") texts.push(REVIEW.longer);
  return texts.filter(Boolean).map((each) => filled(each, values)).join(" ");
}

/** Is a review running or paused? */
export const isAtWork = (review) => review?.status === "running" || review?.status === "paused";

/** The progress of a review in a line. */
export function progressText(review) {
  if (!review) return REVIEW.none;
  const { status, done, of } = review;
  const far = filled(review.is_deeper ? REVIEW.deeper : REVIEW.first, { done, of });
  if (status === "running") return far;
  if (status === "paused") return REVIEW.paused + far;
  if (status === "stopped") return filled(REVIEW.stopped, { text: review.text || far });
  return faultsOf(review).length ? REVIEW.finished : `${REVIEW.finished} ${REVIEW.faultless}`;
}

/** The CSS class of a kind of moves. */
export const classOf = (kind) => `kind-${kind.replaceAll(" ", "-")}`;
