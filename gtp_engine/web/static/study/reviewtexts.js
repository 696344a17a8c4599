// What the page says about reviewed moves: the only place of these texts.

/** By class of moves: its sign in the list of moves, its name, and what it means; {other} is the
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
  "slower loss": { sign: "L", name: "slower loss", text: "{side} had lost already; nothing holds out longer." },
  "lost already": { sign: "L", name: "lost already", text: "{side} had lost already, or as good as." },
};

export const WITHIN = { none: "", one: " in 1 ply", many: " in {plies} plies" };

export const SAYS = {
  move: "{ply}. {side} {point}: {kind}.",
  better: "{better} was better.",
  longer: "{better} holds out longer.",
  unreviewed: "This position is not reviewed, or not yet.",
  dropped: "The game has changed: review it again.",
  none: "Every move is judged: what was better, and what refutes the mistakes.",
  first: "{done} of {of} positions looked at",
  deeper: "a deeper look at what matters: {done} of {of}",
  paused: "Paused: ",
  stopped: "Stopped: {text}.",
  finished: "Reviewed.",
  faultless: "No mistake was found.",
};

export const PRACTICE = {
  none: "There is no mistake to learn from.",
  question: "Position {number} of {count}: {side} is to move; {point} was played, which is crossed out: {kind}. What is better?",
  looking: "Looking at {point} ...",
  right: "Right: {point}{wins}.",
  wins: " wins{within}",
  wrong: "{point} is refuted, see the board. Try again.",
  wrongPlain: "{point} is no better. Try again.",
  same: "{point} is what was played. Try again.",
  win: "There is a win{within}.",
  hint: "The best move is in row {row}.",
  view: "Best is {line}.",
  solved: "Solved {solved} of {count}.",
  over: "That was the last one. Solved {solved} of {count}.",
};

/** A text with the values of its {names}. */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** How long something takes, as in: in 5 plies. */
export function within(plies) {
  return filled(WITHIN[plies === null ? "none" : plies === 1 ? "one" : "many"], { plies });
}
