// What is to be seen on the board, from what is known.

import { percent, preferences } from "./dom.js";

const GHOSTS = 7; // moves of the expected line that are shown
const WORSE = 0.3; // moves that are so much worse than the best have no colour
const SHAPES = { five: ["5", "#e04040"], captures: ["C", "#e04040"], "open four": ["4+", "#e08020"],
  four: ["4", "#c8a800"], "open three": ["3", "#3f9a50"] };
const RULES = { Win: "W", BlockWin: "BW", OpenFour: "O", BlockOpenFour: "BO", Capture: "C",
  Fork: "F", BlockFork: "BF" };

/** All that the boards draw. */
export function sceneOf({ layout, game, notation, analysis, thinking, threats, shownLine, hint, brush, aimed }) {
  const looking = game.cursor !== game.live;
  const mine = game.playing && !looking ? game.waiting === "you" : !game.over;
  const expected = preferences.ghosts === false ? [] : (analysis?.report ?? thinking)?.line ?? [];
  return {
    cells: [...game.cells].map(Number), last: game.last, row: new Set(game.row),
    taken: new Set(game.taken), swap: game.swap, hint, aimed, heat: heatOf(analysis),
    ghosts: ghostsOf(shownLine ?? expected.slice(0, GHOSTS), game.side),
    marks: threats ?? new Map(), numbers: preferences.numbers ? game.numbers : null, notation,
    names: notation.names, coordinates: preferences.coordinates !== false, words: layout.colours,
    open: mine && !game.watching && !brush ? `open-${game.side === 1 ? "black" : "white"}` : "",
  };
}

// The moves of a line as numbered stones; of two on one point the first is shown.
function ghostsOf(line, side) {
  const ghosts = new Map();
  line.forEach((place, i) => {
    if (!ghosts.has(place)) {
      ghosts.set(place, { place, number: i + 1, colour: i % 2 ? 3 - side : side });
    }
  });
  return [...ghosts.values()];
}

// What moves are worth, as a text and a share of 100 for the best.
function heatOf(analysis) {
  const found = new Map();
  if (!analysis || preferences.heat === false) return found;
  const values = Object.entries(analysis.report.values);
  const best = Math.max(...values.map(([, value]) => value));
  for (const [place, value] of values) {
    const share = Math.round(100 * (1 - (best - value) / WORSE));
    if (share > 0) found.set(Number(place), { text: String(percent(value)), share });
  }
  return found;
}

/** Threats and rules of the policy by point: a text, a colour, and words for those who listen. */
export function marksOf(message, colourWord) {
  const marks = new Map();
  const add = (place, letters, tint, words) => {
    const before = marks.get(place);
    marks.set(place, { text: (before?.text ?? "") + letters, colour: before?.colour ?? tint,
      words: before ? `${before.words}, ${words}` : words });
  };
  for (const [shape, colour, places] of message.shapes) {
    const [letter, tint] = SHAPES[shape];
    for (const place of places) {
      add(place, (colour === 1 ? "●" : "○") + letter, tint, `${colourWord(colour)} makes ${shape}`);
    }
  }
  for (const [place, rule] of Object.entries(message.rules)) {
    const known = marks.has(Number(place));
    add(Number(place), known ? "" : RULES[rule], "#5577cc", `rule ${rule}`);
  }
  return marks;
}
