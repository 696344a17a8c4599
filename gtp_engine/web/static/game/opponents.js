// Opponents and clocks in plain words, with their settings.

export const PERSON = { player: "person", settings: {} };
const engine = (player, settings) => ({ player, settings });

/** Opponents in plain words: key, label in the form, seat, and displayed name. */
export const OPPONENTS = [
  ["person", "Person at this screen", PERSON, ""],
  ["random", "Random moves", engine("random", {}), "Random moves"],
  ["good", "Engine, 0.2 seconds per move", engine("alphabeta", { time: "0.2" }), "Engine, 0.2 s"],
  ["strong", "Engine, 1 second per move", engine("alphabeta", { time: "1" }), "Engine, 1 s"],
  ["stronger", "Engine, 5 seconds per move", engine("alphabeta", { time: "5" }), "Engine, 5 s"],
  ["strongest", "Engine, 30 seconds per move", engine("alphabeta", { time: "30" }), "Engine, 30 s"],
  ["playouts", "Engine by playouts, 1 second per move", engine("flat", { time: "1" }), "Playouts, 1 s"],
  ["more-playouts", "Engine by playouts, 5 seconds per move", engine("flat", { time: "5" }), "Playouts, 5 s"],
];

/** The opponents where alphabeta plays the game, or else those by playouts. */
export const opponentsOf = (searches) => OPPONENTS.filter(([, , seat]) => (
  /** @type {typeof PERSON} */ (seat).player !== (searches ? "flat" : "alphabeta")));

export const NO_CLOCK = { per_move: null, per_game: null, increment: 0 };

/** Clocks in plain words. */
export const CLOCKS = [
  ["none", "No clock", NO_CLOCK],
  ["move", "30 seconds per move", { ...NO_CLOCK, per_move: 30 }],
  ["blitz", "3 minutes + 2 seconds per move", { ...NO_CLOCK, per_game: 180, increment: 2 }],
  ["rapid", "10 minutes + 5 seconds per move", { ...NO_CLOCK, per_game: 600, increment: 5 }],
  ["hour", "30 minutes per game", { ...NO_CLOCK, per_game: 1800 }],
];

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const sameSeat = (a, b) => a.player === b.player && !a.command && !b.command
  && same(Object.entries(a.settings ?? {}).sort(), Object.entries(b.settings ?? {}).sort());

const opponentAt = (seat) => OPPONENTS.find(([, , each]) => sameSeat(each, seat));

/** The key of an opponent, "own" for custom settings. */
export const opponentOf = (seat) => opponentAt(seat)?.[0] ?? "own";

/** The displayed name of a program, in plain words where possible. */
export const programName = (seat) => opponentAt(seat)?.[3] ?? seat.name;

/** The key of a clock, "own" for custom settings. */
export const clockOf = (control) => CLOCKS.find(([, , each]) => Object.keys(NO_CLOCK).every(
  (key) => (each[key] || null) === (control[key] || null)))?.[0] ?? "own";

/** A game with its seats swapped. */
export const withSwappedColours = (game) => ({ ...game, black: game.white, white: game.black });

/** A seat in the format of messages. */
export const seatMessage = ({ player, settings = {}, command }) => (
  { player, settings, ...(player === "program" ? { command } : {}) });
