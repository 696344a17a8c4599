// Opponents and clocks in plain words, and what they are in detail.

export const PERSON = { player: "person", settings: {} };
const engine = (player, settings) => ({ player, settings });

/** Opponents in plain words: a key, the words of the form, who they are, and their names. */
export const OPPONENTS = [
  ["person", "a person at this screen", PERSON, ""],
  ["random", "the engine: any move, at random", engine("random", {}), "Engine, at random"],
  ["good", "the engine, good: a fifth of a second", engine("alphabeta", { time: "0.2" }), "Engine, good"],
  ["strong", "the engine, strong: a second for a move", engine("alphabeta", { time: "1" }), "Engine, strong"],
  ["stronger", "the engine, very strong: five seconds", engine("alphabeta", { time: "5" }), "Engine, very strong"],
  ["strongest", "the engine at its best: thirty seconds", engine("alphabeta", { time: "30" }), "Engine at its best"],
];

export const NO_CLOCK = { per_move: null, per_game: null, increment: 0 };

/** Clocks in plain words. */
export const CLOCKS = [
  ["none", "no clock", NO_CLOCK],
  ["move", "30 seconds for a move", { ...NO_CLOCK, per_move: 30 }],
  ["blitz", "3 minutes, and 2 seconds more a move", { ...NO_CLOCK, per_game: 180, increment: 2 }],
  ["rapid", "10 minutes, and 5 seconds more a move", { ...NO_CLOCK, per_game: 600, increment: 5 }],
  ["hour", "half an hour", { ...NO_CLOCK, per_game: 1800 }],
];

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const sameSeat = (a, b) => a.player === b.player && !a.command && !b.command
  && same(Object.entries(a.settings ?? {}).sort(), Object.entries(b.settings ?? {}).sort());

const known = (seat) => OPPONENTS.find(([, , each]) => sameSeat(each, seat));

/** The key of an opponent, "own" for one that is set in detail. */
export const opponentOf = (seat) => known(seat)?.[0] ?? "own";

/** The name of a program that plays: in plain words where there are some. */
export const programName = (seat) => known(seat)?.[3] ?? seat.name;

/** The key of a clock, "own" for one that is set in detail. */
export const clockOf = (control) => CLOCKS.find(([, , each]) => Object.keys(NO_CLOCK).every(
  (key) => (each[key] || null) === (control[key] || null)))?.[0] ?? "own";

/** Seats with the colours changed. */
export const exchanged = (game) => ({ ...game, black: game.white, white: game.black });

/** What a seat is on the wire. */
export const seatSent = ({ player, settings = {}, command }) => (
  { player, settings, ...(player === "program" ? { command } : {}) });
