// Builds the board's scene from the state of the page.

import { COLOURS, colourWord, notationOf } from "../notation.js";
import { heatOfAnswers } from "../study/explorer.js";
import { guessHere, heatOfGuesses, mayGuess } from "../lesson/lesson.js";
import { cellsOf, forbiddenIn, lineGhosts } from "./lines.js";
import { nextColour, openingGhosts } from "./opening.js";
import { mayTry, questionOf } from "../study/practice.js";
import { heatOfProof, hidesPlies } from "../study/proofpanel.js";
import { lookingBack, persons } from "../state.js";
import { colouredMoves, valueWords, valueLabel, toneOf, withoutPlies } from "../study/values.js";

const GHOSTS = 7; // displayed moves of the expected line
const NO_LINES = [];
const SHAPES = { five: ["5", "five"], captures: ["C", "five"], "open four": ["4+", "four-open"],
  four: ["4", "four"], "open three": ["3", "three"] };
const RULES = { Win: "W", BlockWin: "BW", OpenFour: "O", BlockOpenFour: "BO", Capture: "C",
  Fork: "F", BlockFork: "BF" };

/** May the user play on the displayed board? */
export function mayPlay(state) {
  const { game, brush, tool } = state;
  if (brush || tool) return false;
  if (mayTry(state) || mayGuess(state)) return true;
  if (game.watching) return false;
  if (lookingBack(game) || !game.going_on) return !game.over;
  return game.waiting === "you";
}

/** Does the page show the line that the thinking player expects?  In the user's own games only on request. */
export function showsPlan({ game, view }) {
  return view.plan || !game.playing || persons(game).length === 0;
}

/** The scene of the boards.
 *
 *  @returns {import("../board.js").Scene}
 */
export function sceneOf(state) {
  const { view, layout, game, analysis, thinking, line, threats, hint, nodes } = state;
  const notation = notationOf(layout, view.notation);
  const plan = showsPlan(state) ? thinking?.line : null;
  const expected = view.ghosts ? analysis?.report.line ?? plan ?? [] : [];
  const walk = currentWalk(state);
  const ghosts = walk && !line ? lineGhosts(walk) : ghostsOf(line ?? expected.slice(0, GHOSTS), game.side);
  return {
    cells: cellsOf(game, walk), last: game.last, row: new Set(game.row),
    taken: new Set(game.taken), swap: game.swap, hint,
    forbidden: forbiddenIn(game, view),
    aimed: state.aimed ?? state.tool?.from ?? null,
    heat: heatOnBoard(state),
    ghosts: openingGhosts(state) ?? guessGhosts(state) ?? ghosts,
    rows: walk?.rows ?? NO_LINES, arrows: nodes.get(game.cursor)?.arrows ?? NO_LINES,
    marks: threats ? marksOf(threats, (colour) => colourWord(layout, colour)) : new Map(),
    signs: new Map([...(nodes.get(game.cursor)?.marks ?? []).map(([kind, place, text]) => [place, { kind, text }]),
      ...crossedOut(state, walk), ...guessSigns(state)]),
    numbers: view.numbers ? game.numbers : null, notation, names: notation.names,
    coordinates: view.coordinates, words: layout.colours, node: `${game.id} ${game.cursor}`,
    open: mayPlay(state) ? COLOURS[nextColour(state)] : "",
  };
}

// The line of the review on the displayed board.
function currentWalk({ walk, game }) {
  return walk?.node === game.cursor ? walk : null;
}

// The mistake as a cross, while the page asks for a better move or shows one.
function crossedOut(state, walk) {
  const place = walk ? walk.crossed : mayTry(state) ? questionOf(state).point : null;
  return place === null || place < 0 ? [] : [[place, { kind: "cross", text: "" }]];
}

// The user's guess as a stone, while it may change.
function guessGhosts(state) {
  const place = mayGuess(state) ? guessHere(state) : null;
  return place === null ? null : new Map([[place, { number: "?", colour: state.game.side, words: "your guess" }]]);
}

// The user's guess as a circle, once the move is public.
function guessSigns(state) {
  const place = mayGuess(state) ? null : guessHere(state);
  return place === null ? [] : [[place, { kind: "circle", text: "your guess" }]];
}

// The moves of a line as numbered stones; of two on one point the first one.
function ghostsOf(line, side) {
  const ghosts = new Map();
  line.forEach((place, i) => {
    if (!ghosts.has(place)) ghosts.set(place, { number: i + 1, colour: i % 2 ? 3 - side : side });
  });
  return ghosts;
}

// The first that applies: the guesses of a lesson, the moves of the opening explorer, the values of an analysis,
// the Gomoku proof.
function heatOnBoard(state) {
  const { tab, openings, view, analysis, gomokuProof, game, training } = state;
  const guesses = heatOfGuesses(state);
  if (guesses) return guesses;
  if (training) return new Map();
  if (tab === "explorer" && openings) return heatOfAnswers(openings.answers);
  if (!view.heat) return new Map();
  if (analysis) return heatOf(hidesPlies(state) ? withoutPlies(analysis.report) : analysis.report);
  return tab === "analysis" && gomokuProof?.says && !game.analysing
    ? heatOfProof(gomokuProof.says, hidesPlies(state)) : new Map();
}

function heatOf(report) {
  return new Map(colouredMoves(report).map((move) => [move.place,
    { text: valueLabel(move), words: valueWords(move), tone: toneOf(move.value), best: move.best }]));
}

/** Threats and policy rules by point: a text, a kind, and words for screen readers. */
export function marksOf(message, wordOf) {
  const marks = new Map();
  const add = (place, letters, kind, words) => {
    const before = marks.get(place);
    marks.set(place, { text: (before?.text ?? "") + letters, kind: before?.kind ?? kind,
      words: before ? `${before.words}, ${words}` : words });
  };
  for (const [shape, colour, places] of message.shapes) {
    const [letter, kind] = SHAPES[shape];
    for (const place of places) {
      add(place, (colour === 1 ? "●" : "○") + letter, kind, `${wordOf(colour)} makes ${shape}`);
    }
  }
  for (const [place, rule] of Object.entries(message.rules)) {
    const hasThreat = marks.has(Number(place));
    add(Number(place), hasThreat ? "" : RULES[rule], "rule", `rule ${rule}`);
  }
  return marks;
}
