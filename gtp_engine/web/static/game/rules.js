// The rules of the games in words, each with a diagram.

import { element } from "../dom.js";
import { pictureAddress } from "../server/picture.js";

const END = "A full board without a winner is a draw.";
const FIVE = ["Black and White take turns placing stones on empty points.  Black plays first.",
  "Five or more stones in an unbroken line win: horizontally, vertically or diagonally."];
const TAKES = "A stone that encloses exactly two opposing stones in a line, between itself and another stone of "
  + "its own colour, captures both.  Moving in between two opposing stones is safe.";
const CAPTURES = "Capturing five pairs wins, too.";

const TAKEN = "A black stone to the right of the white pair captures both.";

const ROW = { size: 9, cells: position(9, "3 2b 4 3b 5 4b 6 5b 7 6b", "4 2w 3 4w 6 3w 5 6w"),
  row: pointsAt(9, "3 2 4 3 5 4 6 5 7 6") };
const LONG = { size: 9, cells: position(9, "1 4b 2 4b 3 4b 4 4b 5 4b 6 4b", "2 5w 3 5w 4 5w 6 5w") };
const PAIR = { size: 7, cells: position(7, "1 3b 2 1w 4 5w 3 1b", "2 3w 3 3w") };
const CLOSED = { size: 9, cells: position(9, "2 4b 3 4b 4 4b 5 4b 6 4b", "1 4w 7 4w") };
const CENTRE = { size: 9, cells: position(9, "4 4b"), last: 40 };
const FORBIDDEN = { size: 11, crosses: [14, 31, 92],
  cells: position(11, "2 8b 3 8b 4 7b 4 6b 6 2b 7 2b 8 2b 9 3b 9 4b 9 5b", "9 6w 5 2w",
    "0 1b 1 1b 2 1b 4 1b 5 1b", "3 3w 6 9w 7 7w") };
const CUBE = { game: "Qubic", size: 8, row: [0, 21, 42, 63],
  cells: placed(64, { 1: [0, 21, 42, 63], 2: [1, 17, 33, 6] }) };
const CUBE_3 = { game: "Qubic-3", size: 6, cells: placed(27, { 1: [0, 13, 26], 2: [4, 9] }), row: [0, 13, 26] };
const THREE = { game: "Tic-tac-toe", size: 3, cells: placed(9, { 1: [0, 4, 8], 2: [1, 6] }), row: [0, 4, 8] };

// A position from [column row colour] words, counted from the lower left.
function position(size, ...parts) {
  const cells = Array(size * size).fill("0");
  const words = parts.join(" ").split(" ");
  for (let i = 0; i < words.length; i += 2) {
    const row = parseInt(words[i + 1], 10);
    cells[size * row + Number(words[i])] = words[i + 1].endsWith("w") ? "2" : "1";
  }
  return cells.join("");
}

function pointsAt(size, words) {
  const numbers = words.split(" ").map(Number);
  return numbers.flatMap((column, i) => (i % 2 ? [] : [size * numbers[i + 1] + column]));
}

function placed(count, stones) {
  const cells = Array(count).fill("0");
  for (const [colour, points] of Object.entries(stones)) for (const place of points) cells[place] = colour;
  return cells.join("");
}

const CUBES = "Red and Blue take turns placing stones on empty points of a cube.  Red plays first.";
const OPEN_ENDS = "unless opposing stones block both ends.";
const GOES_ON = "Blocked at both ends: the game goes on.";

// By game: a few words, the rules, and a diagram with its caption.
const RULES = {
  Gomoku: ["five or more in a row", [...FIVE, END], ROW, "Five in a row: Black has won."],
  "Gomoku-exact": ["exactly five in a row",
    [FIVE[0], "Exactly five stones in an unbroken line win; six or more do not.", END],
    LONG, "Six in a row: the game goes on."],
  "Gomoku-centre": ["the first stone in the centre",
    [...FIVE, "The first stone must be in the centre of the board.", END], CENTRE, "The first stone."],
  Pente: ["five in a row, or five pairs captured",
    [...FIVE, TAKES, CAPTURES, "Black’s first stone must be in the centre, the second one outside "
      + "the square of five by five points around it.", END], PAIR, TAKEN],
  "Pente-free": ["Pente without an opening rule", [...FIVE, TAKES, CAPTURES, END], PAIR, TAKEN],
  "Keryo-Pente": ["three in a row are captured as well",
    [...FIVE, TAKES, "Three enclosed stones are captured, too.  Capturing fifteen stones wins.", END],
    PAIR, TAKEN],
  Ninuki: ["Pente by the rules of the 2023 course", [...FIVE, TAKES, CAPTURES, END], PAIR, TAKEN],
  Caro: ["five in a row, not blocked at both ends",
    [FIVE[0], `Five stones in an unbroken line win, ${OPEN_ENDS}  Six or more always win.`, END],
    CLOSED, GOES_ON],
  "Caro-exact": ["exactly five, not blocked at both ends",
    [FIVE[0], `Exactly five stones in an unbroken line win, ${OPEN_ENDS}`, END], CLOSED, GOES_ON],
  Renju: ["forbidden points for Black",
    [FIVE[0], "Black wins with exactly five stones in an unbroken line, White with five or more.",
      "Unless it makes five, a black stone may not make six or more in a row (an overline), two fours or two "
        + "threes.  A four is one stone short of five.  A three is one stone short of a four with both ends open; "
        + "that stone must not be forbidden itself.",
      "White may play anywhere, and also wins with a four that Black could only stop on a forbidden point.",
      "The game is a draw if the board is full, or if Black has only forbidden points left."],
    FORBIDDEN, "Forbidden for Black, from the top: two threes, two fours, six in a row."],
  "Gomoku-swap": ["the first stone may be taken over",
    ["White plays first.  Black may replace White’s first stone with a black one; then it is White’s turn "
      + "again.", FIVE[1], END], CENTRE, "The first stone, taken over."],
  Qubic: ["four in a row in a cube of 4 × 4 × 4",
    [CUBES, "Four in a row win: within a level, vertically, or diagonally through the levels.  There are "
      + "76 such rows.", END],
    CUBE, "The four levels: from corner to corner through all of them, Red has won."],
  "Qubic-3": ["three in a row in a cube of 3 × 3 × 3",
    [CUBES, "Three in a row win, in any direction.", END], CUBE_3, "The three levels: Red has won."],
  "Tic-tac-toe": ["three in a row",
    ["Black and White take turns placing stones on the nine points.  Black plays first.", "Three in a row win.", END],
    THREE, "Three in a row: Black has won."],
  "K-in-a-row": ["a row of K stones",
    [FIVE[0], "K or more stones in an unbroken line win: horizontally, vertically or diagonally.", END], null, ""],
};
const UNKNOWN = ["", ["See the manual for its rules."], null, ""];
export const FAMILY = "K-in-a-row"; // the games with other numbers of stones

/** The rules of a game: a few words, sentences, and a diagram with its caption. */
export function rulesOf(name) {
  const [short, sentences, position, caption] = RULES[name.replace(/^\d+(?=-in-a-row$)/, "K")] ?? UNKNOWN;
  return { short, sentences, position, caption };
}

/** The page about the rules of a game; `names` are all games. */
export function rulesPage(name, names) {
  const { sentences, position, caption } = rulesOf(name);
  const links = names.map((each) => element("a",
    { href: `#rules=${each}`, "aria-current": each === name ? "page" : null }, each));
  const figure = position && element("figure", {},
    element("img", { src: pictureAddress(position), alt: caption }), element("figcaption", {}, caption));
  return [element("h2", {}, `Rules of ${name}`),
    element("nav", { class: "links", "aria-label": "Games" }, ...links),
    element("div", { class: "rules" }, figure,
      element("ul", {}, ...sentences.map((words) => element("li", {}, words))))];
}
