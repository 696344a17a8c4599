// What stands on a board on which a line of moves is walked, as far as it is shown.

const PACE = 600; // milliseconds between two moves of a line that is played out

/** What stands on the points; what the moves of a line have captured is gone. */
export function cellsOf(game, walk) {
  const cells = [...game.cells].map(Number);
  for (const place of walk?.taken.slice(0, walk.shown).flat() ?? []) cells[place] = 0;
  return cells;
}

/** The forbidden points with their reasons, if they are to be seen. */
export function forbiddenIn({ forbidden }, view) {
  return new Map(view.forbidden ? forbidden.map(([place, kind, stones]) => [place, { kind, stones }]) : []);
}

/** The moves of a line as far as they are shown, as numbered stones; what was captured is gone. */
export function walkedGhosts({ side, moves, taken, shown }) {
  const ghosts = new Map();
  moves.slice(0, shown).forEach((place, i) => {
    ghosts.set(place, { number: i + 1, colour: i % 2 ? 3 - side : side });
    for (const gone of taken[i]) ghosts.delete(gone);
  });
  return ghosts;
}

/** The line with so many moves more, or less where that is negative. */
export function stepped(walk, step) {
  return { ...walk, shown: Math.min(Math.max(walk.shown + step, 0), walk.moves.length), plays: false };
}

/** Let a line be played out move by move, as long as it is the one that `get` returns; `set` puts
 *  another one in its place. */
export function playOut(get, set) {
  const walk = get();
  if (!walk?.plays) return;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    set(stepped(walk, walk.moves.length));
  } else if (walk.shown < walk.moves.length) {
    setTimeout(() => {
      if (get() !== walk) return;
      set({ ...walk, shown: walk.shown + 1 });
      playOut(get, set);
    }, PACE);
  }
}
