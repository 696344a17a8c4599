// The help: keys, and the marks on a board.

import { SIGNS } from "../board.js";
import { element, svg } from "../dom.js";

const KEYS = [["← →", "previous or next move; on the board: next point"],
  ["↑ ↓", "first or last position; on the board: next point"],
  ["Enter", "play on the selected point"], ["H 8", "on the board: go to the point with that name"],
  ["Page Up, Page Down", "next level of a cube"], ["Shift and arrow keys", "turn the cube"],
  ["B", "go to the board"], ["N", "new game"], ["U", "undo"], ["I", "hint"], ["A", "analyse"],
  ["T", "threats"], ["P", "prove"], ["C", "continue or pause"], ["L", "back to the game"],
  ["D", "marks, letters and arrows; right-click or long press: circle; right-drag: arrow"],
  ["R", "review"], ["M, Shift+M", "next and previous mistake"], ["W", "better move"], ["F", "refutation of a move"],
  ["I V S", "puzzles and learning from mistakes: hint, view the solution, skip"], ["Esc", "close the line on the board; stop learning"],
  ["Q", "in a lesson: ask for the next move, show it"], ["G", "games"], ["?", "this help"]];

// By mark: the classes of the point, its text, and its meaning.
const LEGEND = [
  ["black last", "", "the last move"], ["black won", "", "a stone of the winning row"],
  ["empty taken", "", "a stone was captured here"], ["white swap", "", "a stone that may be taken over"],
  ["black", "7", "the number of a move"], ["ghost white", "1", "the first move of the expected line"],
  ["empty forbidden", "", "a point forbidden to Black in Renju; point at it or tap it to see why", "cross"],
  ["black reason", "", "a stone that makes the point under the mouse forbidden"],
  ["empty hint", "", "the hint"],
  ["black threat", "", "a row that a player overlooked"],
  ["empty aimed", "", "tap again to play here"],
  ["empty hot tone-won best", "+5", "the best move: it wins in 5 plies"],
  ["empty hot tone-good", "75", "a good move: 75 percent"], ["empty hot tone-even", "50", "an even move"],
  ["empty hot tone-bad", "25", "a bad move"], ["empty hot tone-lost", "−8", "a losing move: it loses in 8 plies"],
  ["empty marked mark-five", "●5", "Black makes five here"],
  ["empty marked mark-five", "○C", "White captures here"],
  ["empty marked mark-four-open", "●4+", "an open four"], ["empty marked mark-four", "●4", "a four"],
  ["empty marked mark-three", "●3", "an open three"],
  ["empty marked mark-rule", "W",
    "a rule of the playout policy: W win, BW block a win, O and BO open four, C capture, F and BF fork"],
  ["empty hot tone-won best", "12", "in a lesson: number of guesses for the move played"],
  ...Object.keys(SIGNS).map((kind) => ["empty signed", "", `a ${kind} drawn on the point`, kind]),
  ["empty signed", "x", "a letter drawn on the point"],
];

/** The legend of threat marks, in a line. */
export const THREAT_WORDS = "● Black, ○ White: 5 makes five, 4+ an open four, 4 a four, "
  + "3 an open three, C captures.";

/** The content of the help dialog. */
export function help(version) {
  const row = (mark, words) => element("tr", {}, element("td", {}, mark), element("th", { scope: "row" }, words));
  const table = (rows) => element("table", { class: "keys" }, element("tbody", {}, ...rows));
  return [element("details", { open: true }, element("summary", {}, "Keys"),
    table(KEYS.map(([key, words]) => row(element("kbd", {}, key), words)))),
  element("details", { open: true }, element("summary", {}, "Marks on the board"),
    table(LEGEND.map(([classes, words, meaning, sign]) => row(sample(classes, words, sign), meaning)))),
  element("p", {}, `gtp_engine ${version}`)];
}

function sample(classes, words, sign) {
  return svg("svg", { class: "sample", viewBox: "-.6 -.6 1.2 1.2", width: 34, height: 34, "aria-hidden": "true" },
    svg("rect", { class: "wood", x: -0.6, y: -0.6, width: 1.2, height: 1.2 }),
    svg("g", { class: "grid" }, svg("path", { d: "M-.6 0H.6M0-.6V.6" })),
    svg("g", { class: `point ${classes}` },
      svg("rect", { class: "heat", x: -0.47, y: -0.47, width: 0.94, height: 0.94, rx: 0.2 }),
      svg("circle", { class: "stone", r: 0.45 }), svg("circle", { class: "ring", r: 0.2 }),
      svg("g", { class: "sign" }, ...(sign ? [SIGNS[sign]()] : [])),
      svg("text", { class: "label", "data-long": words.length > 2 }, words)));
}
