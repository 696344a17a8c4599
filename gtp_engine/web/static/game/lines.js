// Boards that show a line of moves up to some ply.

const PACE = 600; // milliseconds between two moves of a line that plays by itself

/** The stones by point, without those that the line captures. */
export function cellsOf(game, walk) {
  const cells = [...game.cells].map(Number);
  for (const place of walk?.taken.slice(0, walk.plies).flat() ?? []) cells[place] = 0;
  return cells;
}

/** The forbidden points with their reasons; none if the user hides them. */
export function forbiddenIn({ forbidden }, view) {
  return new Map(view.forbidden ? forbidden.map(([place, kind, stones]) => [place, { kind, stones }]) : []);
}

/** The displayed moves of a line as numbered stones, without captured ones. */
export function lineGhosts({ side, moves, taken, plies }) {
  const ghosts = new Map();
  moves.slice(0, plies).forEach((place, i) => {
    ghosts.set(place, { number: i + 1, colour: i % 2 ? 3 - side : side });
    for (const captured of taken[i]) ghosts.delete(captured);
  });
  return ghosts;
}

/** The line with `step` more moves, or fewer where it is negative. */
export function stepWalk(walk, step) {
  return { ...walk, plies: Math.min(Math.max(walk.plies + step, 0), walk.moves.length), plays: false };
}

/** Play out a line move by move while `get` returns it; `set` replaces it. */
export function playOut(get, set) {
  const walk = get();
  if (!walk?.plays) return;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    set(stepWalk(walk, walk.moves.length));
  } else if (walk.plies < walk.moves.length) {
    setTimeout(() => {
      if (get() !== walk) return;
      set({ ...walk, plies: walk.plies + 1 });
      playOut(get, set);
    }, PACE);
  }
}
