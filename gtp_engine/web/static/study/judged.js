// The judged moves of a game: what is known, and what can be said and shown of them.

import { capital } from "../dom.js";
import { colourWord, notationOf } from "../notation.js";
import { KINDS, SAYS, filled, within } from "./reviewtexts.js";

/** A review after a message about it; null if nothing is reviewed. */
export function reviewed(before, message) {
  if (!message.status) return null;
  const rows = new Map(message.whole || !before ? [] : before.rows);
  for (const row of message.rows) rows.set(row.ply, row);
  return { ...message, rows, byNode: new Map([...rows.values()].map((row) => [row.node, row])) };
}

/** The move that the page tells about: the one whose line is on the board, or the one shown last. */
export function currentRow({ review, walk, game }) {
  return review?.rows.get(walk?.ply) ?? review?.byNode.get(game?.cursor) ?? null;
}

/** The nearest fault before (-1) or after (1) the move that the page tells about; beyond the last one
 *  comes the first one. */
export function nextFault(state, step) {
  const faults = faultsOf(state.review);
  const at = currentRow(state)?.ply ?? 0;
  return step > 0 ? faults.find((row) => row.ply > at) ?? faults[0]
    : faults.filter((row) => row.ply < at).at(-1) ?? faults.at(-1);
}

/** The moves that cost something, of one colour or of both (0), in their order. */
export function faultsOf(review, colour = 0) {
  return [...review?.rows.values() ?? []].filter((row) => row.is_fault && (!colour || row.colour === colour))
    .sort((a, b) => a.ply - b.ply);
}

/** The line that shows what would have been better than a move, and where it begins. */
export function betterLine(row, nodes) {
  return { ...row.line, what: "better", ply: row.ply, node: nodes.get(row.node).parent, shown: row.line.moves.length,
    crossed: row.point };
}

/** The line that shows what refutes a move, and where it begins. */
export function refutation(row) {
  return { ...row.refutation, what: "refutation", ply: row.ply, node: row.node,
    shown: row.refutation.moves.length, crossed: null };
}

/** What explains a move best: how it loses, else what was better, else what refutes it; or null. */
export function explanation(row, nodes) {
  const loses = row.refutation.moves.length > 0;
  if (loses && (row.kind === "allowed win" || row.better === null)) return refutation(row);
  return row.better === null ? null : betterLine(row, nodes);
}

/** A reviewed move in a sentence or two. */
export function sentence(row, { layout, view }) {
  const { names } = notationOf(layout, view.notation);
  const nameOf = (place) => (place === null ? "" : names[place] ?? "pass");
  const word = (colour) => capital(colourWord(layout, colour));
  const { plies } = row.after;
  const values = { ply: row.ply, side: word(row.colour), other: word(3 - row.colour), point: nameOf(row.point),
    kind: KINDS[row.kind].name, better: nameOf(row.better), points: Math.round(100 * row.loss),
    within: within(row.before.plies), after: within(plies === null ? null : plies - 1) };
  const texts = [SAYS.move, KINDS[row.kind].text];
  if (row.better !== null && row.is_fault && row.kind !== "missed win") texts.push(SAYS.better);
  if (row.better !== null && row.kind === "lost already") texts.push(SAYS.longer);
  return texts.filter(Boolean).map((each) => filled(each, values)).join(" ");
}

/** Is a review being made, or paused? */
export const isAtWork = (review) => review?.status === "running" || review?.status === "paused";

/** How far a review is, in a line. */
export function progressText(review) {
  if (!review) return SAYS.none;
  const { status, done, of } = review;
  const far = filled(review.is_deeper ? SAYS.deeper : SAYS.first, { done, of });
  if (status === "running") return far;
  if (status === "paused") return SAYS.paused + far;
  if (status === "stopped") return filled(SAYS.stopped, { text: review.text || far });
  return faultsOf(review).length ? SAYS.finished : `${SAYS.finished} ${SAYS.faultless}`;
}

/** The class of elements that belong to a class of moves. */
export const classOf = (kind) => `kind-${kind.replaceAll(" ", "-")}`;
