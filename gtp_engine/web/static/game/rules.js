// The rules of the games in words, with a position that shows what matters.

import { element } from "../dom.js";
import { address, picture } from "../server/picture.js";

const END = "A full board without a winner is a draw.";
const FIVE = ["Black and White put stones on free points in turn.  Black begins.",
  "Whoever has five or more stones in an unbroken line, across, upright or aslant, wins."];
const TAKES = "A stone that encloses exactly two stones of the opponent in a line, between itself and another "
  + "stone of its own colour, takes both off the board.  Moving in between two such stones is safe.";
const CAPTURES = "Five pairs taken win, too.";

const TAKEN = "A black stone to the right of the white pair takes both.";

const ROW = { size: 9, cells: position(9, "3 2b 4 3b 5 4b 6 5b 7 6b", "4 2w 3 4w 6 3w 5 6w"),
  row: pointsAt(9, "3 2 4 3 5 4 6 5 7 6") };
const LONG = { size: 9, cells: position(9, "1 4b 2 4b 3 4b 4 4b 5 4b 6 4b", "2 5w 3 5w 4 5w 6 5w") };
const PAIR = { size: 7, cells: position(7, "1 3b 2 1w 4 5w 3 1b", "2 3w 3 3w") };
const CLOSED = { size: 9, cells: position(9, "2 4b 3 4b 4 4b 5 4b 6 4b", "1 4w 7 4w") };
const CENTRE = { size: 9, cells: position(9, "4 4b"), last: 40 };
const FORBIDDEN = { size: 11, crosses: [14, 31, 92],
  cells: position(11, "2 8b 3 8b 4 7b 4 6b 6 2b 7 2b 8 2b 9 3b 9 4b 9 5b", "9 6w 5 2w",
    "0 1b 1 1b 2 1b 4 1b 5 1b", "3 3w 6 9w 7 7w") };
const CUBE = { size: 8, cube: true, row: [0, 21, 42, 63],
  cells: placed(64, { 1: [0, 21, 42, 63], 2: [1, 17, 33, 6] }) };
const CUBE_3 = { size: 6, cube: true, cells: placed(27, { 1: [0, 13, 26], 2: [4, 9] }), row: [0, 13, 26] };
const THREE = { size: 3, cells: placed(9, { 1: [0, 4, 8], 2: [1, 6] }), row: [0, 4, 8] };

// A position of [column row colour] words, counted from the lower left.
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
  for (const [colour, held] of Object.entries(stones)) for (const place of held) cells[place] = colour;
  return cells.join("");
}

const CUBES = "Red and Blue put stones on free points of a cube in turn.  Red begins.";
const OPEN_ENDS = "unless stones of the opponent stand at both ends.";
const GOES_ON = "Closed at both ends: the game goes on.";

// By game: a few words, the rules, and a position with its caption.
const RULES = {
  Gomoku: ["five or more in a row", [...FIVE, END], ROW, "Five in a row: Black has won."],
  "Gomoku-exact": ["exactly five in a row",
    [FIVE[0], "Exactly five stones in an unbroken line win; six or more do not.", END],
    LONG, "Six in a row: the game goes on."],
  "Gomoku-centre": ["the first stone in the centre",
    [...FIVE, "The first stone stands in the centre of the board.", END], CENTRE, "The first stone."],
  Pente: ["five in a row, or five pairs taken",
    [...FIVE, TAKES, CAPTURES, "Black’s first stone stands in the centre, the second one outside the "
      + "square of five by five points around it.", END], PAIR, TAKEN],
  "Pente-free": ["Pente without a rule for the opening", [...FIVE, TAKES, CAPTURES, END], PAIR, TAKEN],
  "Keryo-Pente": ["three in a row are taken as well",
    [...FIVE, TAKES, "Three stones that are enclosed so are taken, too.  Fifteen stones taken win.", END],
    PAIR, TAKEN],
  Ninuki: ["Pente as the course of 2023 plays it", [...FIVE, TAKES, CAPTURES, END], PAIR, TAKEN],
  Caro: ["five in a row that are not closed at both ends",
    [FIVE[0], `Five stones in an unbroken line win, ${OPEN_ENDS}  Six or more always win.`, END],
    CLOSED, GOES_ON],
  "Caro-exact": ["exactly five that are not closed",
    [FIVE[0], `Exactly five stones in an unbroken line win, ${OPEN_ENDS}`, END], CLOSED, GOES_ON],
  Renju: ["forbidden points for Black",
    [FIVE[0], "Black wins with exactly five stones in an unbroken line, White with five or more.",
      "A black stone that makes no five may not make six or more in a row (an overline), two fours or two "
        + "threes.  A four needs one more stone to become five; a three becomes a four with both ends open by one "
        + "more stone that is not forbidden itself.",
      "White may play anywhere, and wins by a four that Black could stop on a forbidden point only.",
      "A full board is a draw, and so is one where Black has only forbidden points left."],
    FORBIDDEN, "Forbidden to Black, from the top: two threes, two fours, six in a row."],
  "Gomoku-swap": ["the first stone may be taken",
    ["White begins.  Black’s first stone may take the place of White’s, which turns black; then it is "
      + "White’s turn again.", FIVE[1], END], CENTRE, "The first stone, taken over."],
  Qubic: ["four in a row in a cube of 4 × 4 × 4",
    [CUBES, "Four in a row win: in one of the levels, straight up, or aslant through the levels.  There "
      + "are 76 such rows.", END],
    CUBE, "The four levels: from corner to corner through all of them, Red has won."],
  "Qubic-3": ["three in a row in a cube of 3 × 3 × 3",
    [CUBES, "Three in a row win, in whatever direction.", END], CUBE_3, "The three levels: Red has won."],
  "Tic-tac-toe": ["three in a row",
    ["Black and White put stones on the nine points in turn.  Black begins.", "Three in a row win.", END],
    THREE, "Three in a row: Black has won."],
};
const UNKNOWN = ["", ["Its rules are in the manual."], null, ""];

/** The rules of a game: a few words, sentences, and a position with its caption. */
export function rulesOf(name) {
  const [short, sentences, position, caption] = RULES[name] ?? UNKNOWN;
  return { short, sentences, position, caption };
}

/** The page about the rules of a game; `names` are all games. */
export function rulesPage(name, names) {
  const { sentences, position, caption } = rulesOf(name);
  const links = names.map((each) => element("a",
    { href: `#rules=${each}`, "aria-current": each === name ? "page" : null }, each));
  const figure = position && element("figure", {},
    element("img", { src: address(picture(position)), alt: caption }), element("figcaption", {}, caption));
  return [element("h2", {}, `The rules of ${name}`),
    element("nav", { class: "links", "aria-label": "Games" }, ...links),
    element("div", { class: "rules" }, figure,
      element("ul", {}, ...sentences.map((words) => element("li", {}, words))))];
}
