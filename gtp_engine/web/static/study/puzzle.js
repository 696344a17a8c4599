// A puzzle: its state, texts and scene.

import { PLAIN } from "../board.js";
import { capital } from "../dom.js";
import { cellsOf, forbiddenIn, lineGhosts } from "../game/lines.js";
import { COLOURS, colourWord, notationOf } from "../notation.js";
import { PRACTICE, filled } from "./reviewtexts.js";

/** By theme of puzzles: its name, and its task. */
export const KINDS = {
  fours: { name: "Wins by fours",
    task: "{side} to play: find the only move that wins in {count} moves by fours alone." },
  threats: { name: "Wins by fours and threes",
    task: "{side} to play: find the only move that wins in {count} moves by fours and threes." },
  captures: { name: "Wins with captures",
    task: "{side} to play: find the only move that wins in {count} moves with captures." },
  rows: { name: "Wins by threats",
    task: "{side} to play: find the only move that wins in {count} moves by threats alone." },
  defence: { name: "Defences", task: "{side} to play: find the only move that does not lose." },
};

const REPLIES = {
  solved: "Solved.",
  right: "Correct. The reply is {point}.",
  slower: "This wins, too, but takes longer. Try again.",
  wrong: "Incorrect. Try again.",
};

/** The puzzle of a message: its fields, and
 *
 *  side      the colour that has to find the move
 *  reply     the last message of the server about the puzzle, or null
 *  pending   the point that the server is judging, or null
 *  walk      the line on the board, or null
 *  aimed     the point that a finger tapped once, or null
 *  is_over   is the puzzle finished?
 *
 *  An equal layout of the previous puzzle is used again, so that the boards stay.
 */
export function newPuzzle(before, message) {
  const same = before?.layout.game === message.layout.game && before.layout.size === message.layout.size;
  return { ...message, layout: same ? before.layout : message.layout, side: message.game.side, reply: null, pending: null,
    walk: null, aimed: null, is_over: false, gain: null };
}

/** The puzzle after a reply of the server; a line plays out from its first move. */
export function puzzleAfter(puzzle, message) {
  if (puzzle?.number !== message.number) return puzzle;
  const { game, score, gain, line } = message;
  return { ...puzzle, game, reply: message, pending: null, is_over: message.is_over, score: score ?? puzzle.score,
    gain: gain ?? puzzle.gain, walk: line && { ...line, plies: 1, plays: true } };
}

/** The task in words. */
export function taskText({ kind, moves, side, layout }) {
  return filled(KINDS[kind].task, { count: moves, side: capital(colourWord(layout, side)) });
}

/** The reply to the last move or request, in words. */
export function replyText({ reply, pending, layout }, view) {
  const notation = notationOf(layout, view.notation);
  if (pending !== null) return filled(PRACTICE.checking, { point: notation.names[pending] });
  if (reply === null) return "";
  if (reply.what === "hint") {
    const [level, , row] = layout.points[reply.hint];
    return filled(PRACTICE.hint, { row: notation.levels[level][1][row] });
  }
  if (reply.what === "view") return filled(PRACTICE.view, { line: reply.line.moves.map((each) => notation.names[each]).join(" ") });
  if (reply.is_solved) return REPLIES.solved;
  if (reply.is_right) return filled(REPLIES.right, { point: notation.names[reply.moves[1]] });
  if (reply.wins) return REPLIES.slower;
  return reply.line ? filled(PRACTICE.wrong, { point: notation.names[reply.point] }) : REPLIES.wrong;
}

/** The scene of the boards.
 *
 *  @returns {import("../board.js").Scene}
 */
export function sceneOfPuzzle({ puzzle, view }) {
  const { layout, game, walk, aimed } = puzzle, notation = notationOf(layout, view.notation);
  return { ...PLAIN, cells: cellsOf(game, walk), last: game.last, row: new Set(game.row), taken: new Set(game.taken),
    forbidden: forbiddenIn(game, view), aimed, ghosts: walk ? lineGhosts(walk) : PLAIN.ghosts,
    rows: walk?.rows ?? PLAIN.rows, notation,
    names: notation.names, coordinates: view.coordinates, words: layout.colours, node: `${puzzle.number} ${game.cursor}`,
    open: puzzle.is_over || puzzle.pending !== null ? "" : COLOURS[game.side] };
}
