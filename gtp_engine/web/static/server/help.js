// Keys, and what all the marks on a board mean.

import { SIGNS } from "../board.js";
import { element, svg } from "../dom.js";

const KEYS = [["← →", "through the moves; on the board: to the next point"],
  ["↑ ↓", "to the first and the last position; on the board: to the next point"],
  ["Enter", "play on that point"], ["H 8", "on the board: to the point of that name"],
  ["Page up, Page down", "to the next level of a cube"], ["Shift and arrows", "turn the cube"],
  ["B", "to the board"], ["N", "new game"], ["U", "undo"], ["I", "hint"], ["A", "analyse"],
  ["T", "threats"], ["P", "prove"], ["C", "continue or pause"], ["L", "back to the game"],
  ["D", "marks, letters and arrows; the other button of the mouse or a long press puts a circle, drawn aside an arrow"],
  ["R", "review"], ["M, Shift+M", "next and previous mistake"], ["W", "what was better"], ["F", "what refutes a move"],
  ["I V S", "puzzles and learning from mistakes: hint, view the solution, skip"], ["Esc", "close the line on the board; end learning"],
  ["Q", "in a lesson: ask for the next move, show it"], ["G", "games"], ["?", "this help"]];

// By mark: the classes of the point, what stands on it, and what it means.
const LEGEND = [
  ["black last", "", "the last move"], ["black won", "", "a stone of the winning row"],
  ["empty taken", "", "a stone was taken here"], ["white swap", "", "a stone that may be taken over"],
  ["black", "7", "the number of a move"], ["ghost white", "1", "the first move of the expected line"],
  ["empty forbidden", "", "a point that Renju forbids to Black; the mouse or a tap says why", "cross"],
  ["black reason", "", "a stone that makes the point under the mouse forbidden"],
  ["empty hint", "", "the hint"],
  ["black threat", "", "a row that was overlooked"],
  ["empty aimed", "", "tap again to play here"],
  ["empty hot tone-won best", "+5", "the best move: it wins in 5 plies"],
  ["empty hot tone-good", "75", "a good move: 75 percent"], ["empty hot tone-even", "50", "it is level"],
  ["empty hot tone-bad", "25", "a bad move"], ["empty hot tone-lost", "−8", "it loses in 8 plies"],
  ["empty marked mark-five", "●5", "Black makes five there"],
  ["empty marked mark-five", "○C", "White captures there"],
  ["empty marked mark-four-open", "●4+", "an open four"], ["empty marked mark-four", "●4", "a four"],
  ["empty marked mark-three", "●3", "an open three"],
  ["empty marked mark-rule", "W",
    "a rule of the policy: W win, BW block a win, O and BO open four, C capture, F and BF fork"],
  ["empty hot tone-won best", "12", "in a lesson: how many have guessed the move that was played"],
  ...Object.keys(SIGNS).map((kind) => ["empty signed", "", `a ${kind} that somebody has put there`, kind]),
  ["empty signed", "x", "a letter that somebody has put there"],
];

/** The threats that are marked, in a line. */
export const THREAT_WORDS = "● Black, ○ White: 5 makes five, 4+ an open four, 4 a four, "
  + "3 an open three, C captures.";

/** The help, for a dialog. */
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
