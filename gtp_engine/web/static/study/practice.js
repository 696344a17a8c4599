// Learning from mistakes: the user tries again in the positions before them.

import { byId, capital, text } from "../dom.js";
import { betterLine, faultsOf } from "./verdicts.js";
import { colourWord, notationOf } from "../notation.js";
import { KINDS, PRACTICE, filled, within } from "./reviewtexts.js";

/** The practice of the mistakes of a colour, or of both (0).
 *
 *  plies   the numbers of the moves
 *  at      the index of the current question; past the end when all are done
 *  solved  the moves with a solution by the user
 *  pending the point that the server is judging, or null
 *  answer  the server's verdict on the last point, or null
 *  hint    is the hint visible?
 *  open    may the user try more moves?
 */
export function practiceOf(review, colour) {
  return { plies: faultsOf(review, colour).map((row) => row.ply), at: 0, solved: new Set(), ...FRESH };
}

const FRESH = { pending: null, answer: null, hint: false, open: true };

/** The practice at the next mistake. */
export const nextQuestion = (practice) => ({ ...practice, at: practice.at + 1, ...FRESH });

/** The mistake of the current question, or null. */
export const questionOf = ({ practice, review }) => review?.rows.get(practice?.plies[practice.at]) ?? null;

/** May the user try a move on the displayed board? */
export function mayTry(state) {
  const row = questionOf(state);
  return row !== null && state.practice.open && state.game.cursor === state.nodes.get(row.node)?.parent;
}

/** The changes after a verdict on a move; a refutation plays out from its first move. */
export function practiceAfter(state, message) {
  const { practice } = state;
  if (questionOf(state)?.ply !== message.ply || practice.pending !== message.point) return {};
  const { refutation } = message;
  const solved = message.is_right ? new Set([...practice.solved, message.ply]) : practice.solved;
  return { practice: { ...practice, pending: null, answer: message, solved, open: !message.is_right },
    walk: refutation && { ...refutation, what: "refutation", ply: message.ply, node: message.node, plies: 1,
      crossed: null, plays: true } };
}

/** The changes that show the solution. */
export function solution(state) {
  const row = questionOf(state);
  return { walk: betterLine(row, state.nodes), practice: { ...state.practice, open: false, answer: null } };
}

/** The question in words. */
function questionText(state, row) {
  const { practice, layout, view } = state;
  return filled(PRACTICE.question, { number: practice.at + 1, count: practice.plies.length,
    side: capital(colourWord(layout, row.colour)), point: notationOf(layout, view.notation).names[row.point] ?? "pass",
    kind: KINDS[row.kind].name });
}

/** The reply to the last move, or to a request for help. */
export function replyText(state, row) {
  const { practice, layout, view } = state;
  const notation = notationOf(layout, view.notation);
  const nameOf = (place) => notation.names[place] ?? "pass";
  const { answer, pending } = practice;
  if (pending !== null) return filled(PRACTICE.checking, { point: nameOf(pending) });
  if (answer?.is_right) {
    const wins = answer.wins_in === null ? "" : filled(PRACTICE.wins, { within: within(answer.wins_in) });
    return filled(PRACTICE.right, { point: nameOf(answer.point), wins });
  }
  if (!practice.open) return filled(PRACTICE.view, { line: row.line.moves.map(nameOf).join(" ") });
  if (practice.hint) return hintText(row, layout, notation);
  if (!answer) return "";
  if (answer.point === row.point) return filled(PRACTICE.same, { point: nameOf(answer.point) });
  return filled(answer.refutation.moves.length > 1 ? PRACTICE.wrong : PRACTICE.wrongPlain, { point: nameOf(answer.point) });
}

function hintText({ before, better }, layout, notation) {
  if (before.value === 1) return filled(PRACTICE.win, { within: within(before.plies) });
  const [level, , row] = layout.points[better ?? before.line[0]];
  return filled(PRACTICE.hint, { row: notation.levels[level][1][row] });
}

export class PracticePanel {
  /** Draw the state. */
  draw(state) {
    const { practice, review } = state;
    byId("practice").hidden = !practice || !review;
    if (!practice || !review) return;
    const row = questionOf(state), count = practice.plies.length, solved = practice.solved.size;
    const over = filled(count ? PRACTICE.over : PRACTICE.none, { solved, count });
    text(byId("practice-text"), row ? questionText(state, row) : over);
    text(byId("practice-reply"), row ? replyText(state, row) : "");
    text(byId("practice-solved"), row ? filled(PRACTICE.solved, { solved, count }) : "");
    byId("practice-hint").hidden = byId("practice-view").hidden = byId("practice-skip").hidden = !row || !practice.open;
    byId("practice-next").hidden = !row || practice.open;
  }
}
