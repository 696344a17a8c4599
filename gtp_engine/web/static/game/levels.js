// Opponents by level, and the adaptive level: up after two wins in a row, down after two losses.

import { COLOURS } from "../notation.js";
import { persons } from "../state.js";

const FIRST = 3, HIGHEST = 10, IN_A_ROW = 2;
export const SUITING = "suiting";

/** The seat of a level. */
export const levelSeat = (number) => ({ player: "alphabeta", settings: { level: String(number) } });

/** Does a seat play at full strength?
 *  @param {{ player: string, settings?: Record<string, string> }} seat */
export const isFullStrength = ({ player, settings = {} }) => player === "alphabeta"
  && Number(settings.level ?? HIGHEST) === HIGHEST;

/** The level of a seat without other settings, null for any other seat.
 *  @param {{ player: string, settings?: Record<string, string> }} seat */
export function levelOf({ player, settings = {} }) {
  return player === "alphabeta" && Object.keys(settings).join() === "level" ? Number(settings.level) : null;
}

/** The adaptive level of a game, from the saved record. */
const currentLevel = (suits, game) => suits?.[game]?.level ?? FIRST;

/** The opponents by level in a game, as [key, words, seat]; the first one is the adaptive level. */
export function levelOpponents(labels, suits, game) {
  if (!labels.length) return [];
  const level = currentLevel(suits, game);
  return [[SUITING, `Level that suits you (now ${labels[level - 1]})`, levelSeat(level)],
    ...labels.map((each, i) => [`level-${i + 1}`, `Level ${each}`, levelSeat(i + 1)])];
}

/** The record to save after a game, with a sentence for the user; null if the game does not count: it was
 *  not played at the adaptive level, or has counted before. */
export function levelAfterGame({ game, layout, view }) {
  const own = persons(game), record = view.suits?.[layout.game];
  const level = currentLevel(view.suits, layout.game);
  if (!view.newGame?.suiting || own.length !== 1 || record?.last === game.id
    || levelOf(game.seats[COLOURS[3 - own[0]]]) !== level) return null;
  const { winner } = game.over, before = record?.streak ?? 0;
  const sign = winner === 0 ? 0 : winner === own[0] ? 1 : -1;
  const streak = sign * before > 0 ? before + sign : sign;
  const step = Math.abs(streak) === IN_A_ROW ? sign : 0;
  const next = Math.min(HIGHEST, Math.max(1, level + step));
  const words = next === level ? `You stay at level ${level}.`
    : `Two ${step > 0 ? "wins" : "losses"} in a row: you move ${step > 0 ? "up" : "down"} to level ${next}.`;
  return { words, suits: { ...view.suits,
    [layout.game]: { level: next, streak: step ? 0 : streak, last: game.id } } };
}

/** The message of a rematch; after a game at the adaptive level with its new level. */
export function atCurrentLevel(rematch, { game, layout, view }) {
  if (!view.newGame?.suiting || view.suits?.[layout.game]?.last !== game.id) return rematch;
  const seat = levelSeat(currentLevel(view.suits, layout.game));
  return rematch.black.player === "person" ? { ...rematch, white: seat } : { ...rematch, black: seat };
}
