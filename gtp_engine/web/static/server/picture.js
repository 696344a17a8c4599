// Pictures of positions, which the server draws: for lists, rules and files.

/** The address of a picture of a position.
 *
 *  game, size, cells  the board; a digit for each point: 0 empty, 1 black, 2 white
 *  last     the point of the last move
 *  row      the points of a winning row
 *  crosses  the forbidden points
 *  labels   texts by point
 *  theme    the colours of the board
 *  notation of the coordinates, empty to hide them
 */
export function pictureAddress({ game, size, cells, last = null, row = [], crosses = [], labels = {}, theme = "",
  notation = "" }) {
  const fields = { game, size, cells, last: last ?? "", row, crosses, theme, notation,
    labels: Object.entries(labels).map((each) => each.join(":")) };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (String(value ?? "")) query.set(name, String(value));
  return `picture.svg?${query}`;
}
