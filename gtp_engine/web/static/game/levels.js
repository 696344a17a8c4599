// Opponents by level, and the level that suits a user: two wins in a row lead up, two losses down.

import { COLOURS } from "../notation.js";
import { persons } from "../state.js";

const FIRST = 3, HIGHEST = 10, IN_A_ROW = 2;
export const SUITING = "suiting";

/** Who plays at a level. */
export const levelSeat = (number) => ({ player: "alphabeta", settings: { level: String(number) } });

/** The level of a seat that has nothing else set, null for any other one.
 *  @param {{ player: string, settings?: Record<string, string> }} seat */
export function levelOf({ player, settings = {} }) {
  return player === "alphabeta" && Object.keys(settings).join() === "level" ? Number(settings.level) : null;
}

/** The level that suits in a game, by what is kept. */
export const suiting = (suits, game) => suits?.[game]?.level ?? FIRST;

/** The opponents by level in a game, as [key, words, seat]; the first one is the level that suits. */
export function levelOpponents(words, suits, game) {
  if (!words.length) return [];
  const level = suiting(suits, game);
  return [[SUITING, `a level that suits you, now ${words[level - 1]}`, levelSeat(level)],
    ...words.map((each, i) => [`level-${i + 1}`, `level ${each}`, levelSeat(i + 1)])];
}

/** What is to be kept after the game of this state has ended, and in words; null if it was not
 *  played at the level that suits, or has counted already. */
export function adapted({ game, layout, view }) {
  const own = persons(game), known = view.suits?.[layout.game];
  const level = suiting(view.suits, layout.game);
  if (!view.newGame?.suiting || own.length !== 1 || known?.last === game.id
    || levelOf(game.seats[COLOURS[3 - own[0]]]) !== level) return null;
  const { winner } = game.over, before = known?.streak ?? 0;
  const sign = winner === 0 ? 0 : winner === own[0] ? 1 : -1;
  const streak = sign * before > 0 ? before + sign : sign;
  const step = Math.abs(streak) === IN_A_ROW ? sign : 0;
  const next = Math.min(HIGHEST, Math.max(1, level + step));
  const words = next === level ? `You stay at level ${level}.`
    : `Two ${step > 0 ? "wins" : "losses"} in a row: you go ${step > 0 ? "up" : "down"} to level ${next}.`;
  return { words, suits: { ...view.suits,
    [layout.game]: { level: next, streak: step ? 0 : streak, last: game.id } } };
}

/** The fields of a game that is played again: one at the level that suits has what suits now. */
export function suited(again, { game, layout, view }) {
  if (!view.newGame?.suiting || view.suits?.[layout.game]?.last !== game.id) return again;
  const seat = levelSeat(suiting(view.suits, layout.game));
  return again.black.player === "person" ? { ...again, white: seat } : { ...again, black: seat };
}
