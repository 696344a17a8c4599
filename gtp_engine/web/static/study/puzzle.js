// A puzzle that is being solved: what is known of it, what can be said, and what is seen on the board.

import { PLAIN } from "../board.js";
import { capital } from "../dom.js";
import { cellsOf, forbiddenIn, walkedGhosts } from "../game/lines.js";
import { COLOURS, colourWord, notationOf } from "../notation.js";
import { PRACTICE, filled } from "./reviewtexts.js";

/** By class of puzzles: its name, and what is asked for. */
export const KINDS = {
  fours: { name: "Wins by fours", task: "A win in {count} moves by fours alone: only one first move of {side} does it." },
  threats: { name: "Wins by fours and threes",
    task: "A win in {count} moves by fours and threes: only one first move of {side} does it." },
  captures: { name: "Wins with captures",
    task: "A win in {count} moves with captures: only one first move of {side} does it." },
  rows: { name: "Wins by threats", task: "A win in {count} moves by threats alone: only one first move of {side} does it." },
  defence: { name: "Defences", task: "Only one move of {side} does not lose." },
};

const SAYS = {
  solved: "Solved.",
  right: "Right. The answer is {point}.",
  slower: "No: that wins, too, but it takes longer. Try again.",
  wrong: "No. Try again.",
};

/** The puzzle of a message: its fields, and
 *
 *  side      the colour that is to find the move
 *  said      the last answer to what was done, or null
 *  tried     the point that is being looked at, or null
 *  walk      the line that is walked on the board, or null
 *  aimed     the point that a finger has tapped once, or null
 *  is_over   is there nothing more to find?
 *
 *  The layout of the puzzle before stays where it is the same, and so do the boards.
 */
export function puzzleShown(before, message) {
  const same = before?.layout.game === message.layout.game && before.layout.size === message.layout.size;
  return { ...message, layout: same ? before.layout : message.layout, side: message.game.side, said: null, tried: null,
    walk: null, aimed: null, is_over: false, gain: null };
}

/** The puzzle after an answer to what was done; a line is played out from its first move. */
export function puzzleAfter(puzzle, message) {
  if (puzzle?.number !== message.number) return puzzle;
  const { game, score, gain, line } = message;
  return { ...puzzle, game, said: message, tried: null, is_over: message.is_over, score: score ?? puzzle.score,
    gain: gain ?? puzzle.gain, walk: line && { ...line, shown: 1, plays: true } };
}

/** What is asked for. */
export function taskText({ kind, moves, side, layout }) {
  return filled(KINDS[kind].task, { count: moves, side: capital(colourWord(layout, side)) });
}

/** What there is to say to what was done last. */
export function replyText({ said, tried, layout }, view) {
  const notation = notationOf(layout, view.notation);
  if (tried !== null) return filled(PRACTICE.looking, { point: notation.names[tried] });
  if (said === null) return "";
  if (said.what === "hint") {
    const [level, , row] = layout.points[said.hint];
    return filled(PRACTICE.hint, { row: notation.levels[level][1][row] });
  }
  if (said.what === "view") return filled(PRACTICE.view, { line: said.line.moves.map((each) => notation.names[each]).join(" ") });
  if (said.is_solved) return SAYS.solved;
  if (said.is_right) return filled(SAYS.right, { point: notation.names[said.moves[1]] });
  if (said.wins) return SAYS.slower;
  return said.line ? filled(PRACTICE.wrong, { point: notation.names[said.point] }) : SAYS.wrong;
}

/** What the boards draw.
 *
 *  @returns {import("../board.js").Scene}
 */
export function sceneOfPuzzle({ puzzle, view }) {
  const { layout, game, walk, aimed } = puzzle, notation = notationOf(layout, view.notation);
  return { ...PLAIN, cells: cellsOf(game, walk), last: game.last, row: new Set(game.row), taken: new Set(game.taken),
    forbidden: forbiddenIn(game, view), aimed, ghosts: walk ? walkedGhosts(walk) : PLAIN.ghosts, rows: walk?.rows ?? PLAIN.rows, notation,
    names: notation.names, coordinates: view.coordinates, words: layout.colours, node: `${puzzle.number} ${game.cursor}`,
    open: puzzle.is_over || puzzle.tried !== null ? "" : COLOURS[game.side] };
}
