// Pictures of positions as separate SVG images: for lists, rules and files.

const WOOD = { wood: "#e6c88f", grid: "#6f5426", label: "#4f3f20", black: "#1c1b1a", white: "#fdfcfa",
  edge: "#4a443c", forbidden: "#ab1f14", red: "#c93030", blue: "#2f62c9", mark: "#e8502c" };
const STEP = 24; // pixels from point to point

/** The geometry of a board: its points as [column, row from the top] in steps, and its levels.
 *  The levels of a cube lie in rows of two. */
export function places(size, cube) {
  if (!cube) {
    const points = Array.from({ length: size * size },
      (_, place) => [place % size, size - 1 - Math.floor(place / size)]);
    return { points, corners: [[0, 0]], side: size, across: size, down: size };
  }
  const side = size / 2;
  const corners = Array.from({ length: side },
    (_, level) => [(level % 2) * (side + 0.6), Math.floor(level / 2) * (side + 0.6)]);
  const points = corners.flatMap(([x, y]) => Array.from({ length: side * side },
    (_, place) => [x + (place % side), y + Math.floor(place / side)]));
  return { points, corners, side, across: 2 * side + 0.6, down: Math.ceil(side / 2) * (side + 0.6) - 0.6 };
}

/** A picture of a position as the text of an SVG.
 *
 *  cells    a digit for each point: 0 empty, 1 black, 2 white
 *  last     the point of the last move
 *  row      the points of a winning row
 *  crosses  the forbidden points
 *  across, down  the names of columns and rows, empty to hide them
 *  numbers  the labels of stones by point
 */
export function picture({ size, cube, cells, last = null, row = [], crosses = [], across = [], down = [], numbers = {} },
  colours = WOOD) {
  const shape = places(size, cube);
  const margin = across.length && !cube ? 0.9 : 0.1;
  const at = (step) => Number((step * STEP).toFixed(1));
  const parts = [];
  for (const [x, y] of shape.corners) {
    for (let i = 0; i < shape.side; i += 1) {
      parts.push(`M${at(x)} ${at(y + i)}h${at(shape.side - 1)}M${at(x + i)} ${at(y)}v${at(shape.side - 1)}`);
    }
  }
  const shapes = [`<path d="${parts.join("")}" stroke="${colours.grid}" fill="none"/>`];
  const text = (x, y, size, fill, words) => `<text x="${at(x)}" y="${at(y)}" font-size="${size}" fill="${fill}" `
    + `text-anchor="middle" dominant-baseline="central" font-family="sans-serif">${escaped(words)}</text>`;
  if (!cube) {
    across.forEach((name, i) => shapes.push(text(i, shape.side - 0.1, 11, colours.label, name)));
    down.forEach((name, i) => shapes.push(text(-0.9, i, 11, colours.label, name)));
  }
  [...cells].forEach((stone, place) => {
    if (stone === "0") return;
    const [x, y] = shape.points[place];
    const [fill, ink] = stone === "1" ? [cube ? colours.red : colours.black, "#fff"]
      : [cube ? colours.blue : colours.white, cube ? "#fff" : "#222"];
    const rim = row.includes(place) ? colours.mark : colours.edge;
    shapes.push(`<circle cx="${at(x)}" cy="${at(y)}" r="${STEP * 0.44}" fill="${fill}" stroke="${rim}" `
      + `stroke-width="${row.includes(place) ? 3 : 1}"/>`);
    if (numbers[place]) shapes.push(text(x, y, 10, ink, String(numbers[place])));
    else if (place === last) shapes.push(`<circle cx="${at(x)}" cy="${at(y)}" r="4" fill="${colours.mark}"/>`);
  });
  for (const place of crosses) {
    const [x, y] = shape.points[place];
    shapes.push(`<path d="M${at(x) - 3} ${at(y) - 3}l6 6m-6 0l6-6" stroke="${colours.forbidden}" stroke-width="2"/>`);
  }
  const left = -0.6 - margin, width = shape.across + 0.2 + 2 * margin, height = shape.down + 0.2 + 2 * margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${at(width)}" height="${at(height)}" `
    + `viewBox="${at(left)} ${at(left)} ${at(width)} ${at(height)}">`
    + `<rect x="${at(left)}" y="${at(left)}" width="100%" height="100%" rx="6" fill="${colours.wood}"/>`
    + `${shapes.join("")}</svg>`;
}

const escaped = (words) => words.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** A data URL of an SVG text, for an image or a link. */
export const address = (svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`;
