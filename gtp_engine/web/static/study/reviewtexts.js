// All texts about reviewed moves.

/** By kind of moves: its sign in the list of moves, its name, and its explanation; {other} is the
 *  other side, {within} one of WITHIN. */
export const KINDS = {
  best: { sign: "✓", name: "best", text: "" },
  good: { sign: "·", name: "good", text: "" },
  inaccuracy: { sign: "?!", name: "inaccuracy", text: "This costs {points} points of winning chance." },
  mistake: { sign: "?", name: "mistake", text: "This costs {points} points of winning chance." },
  blunder: { sign: "??", name: "blunder", text: "This costs {points} points of winning chance." },
  "missed win": { sign: "W?", name: "missed win", text: "{better} would have won{within}." },
  "allowed win": { sign: "L?", name: "allowed win", text: "{other} now wins{after}." },
  "slower win": { sign: "W", name: "slower win", text: "{better} would have won{within}." },
  "slower loss": { sign: "L", name: "slower loss", text: "{side} was already lost; no move holds out longer." },
  "lost already": { sign: "L", name: "lost already", text: "{side} was already lost, or nearly so." },
};

export const WITHIN = { none: "", one: " in 1 ply", many: " in {plies} plies" };

export const REVIEW = {
  move: "{ply}. {side} {point}: {kind}.",
  better: "{better} was better.",
  longer: "{better} holds out longer.",
  unreviewed: "This position has no review yet.",
  dropped: "The game has changed: review it again.",
  none: "A review judges every move, shows better moves and refutes mistakes.",
  first: "{done} of {of} positions analysed",
  deeper: "deeper analysis of key positions: {done} of {of}",
  paused: "Paused: ",
  stopped: "Stopped: {text}.",
  finished: "Review complete.",
  faultless: "No mistakes found.",
};

export const PRACTICE = {
  none: "There are no mistakes to learn from.",
  question: "Position {number} of {count}: {side} to move. The game move {point} is crossed out ({kind}). Find a better move.",
  checking: "Checking {point} ...",
  right: "Correct: {point}{wins}.",
  wins: " wins{within}",
  wrong: "{point} is refuted on the board. Try again.",
  wrongPlain: "{point} is no better. Try again.",
  same: "{point} is the game move. Try again.",
  win: "There is a win{within}.",
  hint: "The best move is in row {row}.",
  view: "Best line: {line}.",
  solved: "Solved {solved} of {count}.",
  over: "That was the last position. Solved {solved} of {count}.",
};

/** A text with the values of its {names}. */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** A number of plies as in "in 5 plies". */
export function within(plies) {
  return filled(WITHIN[plies === null ? "none" : plies === 1 ? "one" : "many"], { plies });
}
