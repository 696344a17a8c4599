// The state of the page: the messages of the server and the choices of the user, in one record.

import { collectedAfter } from "./study/collection.js";
import { reviewAfter } from "./study/verdicts.js";
import { NO_SCORE, scoreAfter, scoreAfterGuess } from "./lesson/lesson.js";
import { COLOURS } from "./notation.js";
import { practiceAfter } from "./study/practice.js";
import { newPuzzle, puzzleAfter } from "./study/puzzle.js";
import { treeAfter } from "./game/tree.js";

// The fields that belong to one position and are cleared when the page shows another one.
const OF_A_POSITION = { thinking: null, threats: null, hint: null, proof: null, gomokuProof: null, openings: null, collected: null,
  line: null, aimed: null, selection: [] };

/** The state when the page loads.
 *
 *  hello, layout, game  the last messages of these names
 *  preparing            seconds since the compilation of kernels started, null: none is running
 *  clearings            number of times that the fields of a position were cleared
 *  nodes                the positions of the game by number
 *  receivedAt           time of the last message about the game, in milliseconds
 *  thinking, analysis, threats, hint, proof, gomokuProof, openings, collected  data about the displayed position
 *  line                 the line under the pointer
 *  review               the verdicts on the moves of the game, see verdicts.js; null: no review
 *  walk                 the line of the review on the board, with its first `plies` moves
 *  practice             mistakes to try again, see practice.js; null: no practice
 *  training             the training of openings, see training.js; null: none
 *  puzzle               the current puzzle, see puzzle.js; null: none yet
 *  lesson               the last message of that name; null: none yet
 *  score                of the user's guesses, see lesson.js
 *  follows              does the page follow the lesson?
 *  aimed                the point that a finger tapped once
 *  selection               selected points for an opening rule that needs more of them
 *  brush                the colour for setting up a position, null: none
 *  tool                 the active drawing tool: its kind and, for an arrow, its first point; null: none
 *  plies                has the user asked for the plies to the end of a proof, in this game?
 *  ended                did the game end while the page showed it?
 *  page, tab            the displayed page and tab
 *  games, tournament    the last messages of these names; a tournament with all its `results`, and
 *                       the number of its `restarts`
 *  view                 the view settings of the user, see view.js
 */
export const START = {
  hello: null, preparing: null, layout: null, game: null, nodes: new Map(), receivedAt: 0,
  analysis: null, review: null, walk: null, practice: null, training: null, puzzle: null, ...OF_A_POSITION, clearings: 0, brush: null, tool: null, plies: false, ended: false,
  page: "game-page", tab: "moves",
  games: null, tournament: null, lesson: null, score: NO_SCORE, follows: false, view: {},
};

const REDUCERS = {
  hello: (state, message) => ({ hello: message, preparing: message.preparing ? 0 : null }),
  preparing: (state, { seconds, done }) => ({ preparing: done ? null : seconds }),
  layout: (state, message) => ({ layout: message, game: null, nodes: new Map(), analysis: null,
    review: null, walk: null, practice: null, training: null, brush: null, tool: null, plies: false, ended: false, page: "game-page", ...cleared(state) }),
  tree: (state, message) => ({ nodes: treeAfter(message.whole ? new Map() : state.nodes, message) }),
  game(state, game, now) {
    const before = state.game;
    const same = before?.id === game.id && before.cursor === game.cursor && before.cells === game.cells;
    const { analysis, walk } = state;
    const moved = before?.cursor !== game.cursor;
    return {
      game, receivedAt: now, ...(same ? {} : cleared(state)),
      walk: moved && walk?.node !== game.cursor ? null : walk,
      analysis: analysis?.node === game.cursor && game.analysing ? analysis : null,
      ended: game.over && game.cursor === game.live
        ? state.ended || Boolean(before && before.id === game.id && before.going_on) : false,
    };
  },
  thinking: (state, message) => ofPosition(state, message, { thinking: message.report }),
  analyse: (state, message) => ofPosition(state, message, { analysis: message }),
  threats: (state, message) => ofPosition(state, message, { threats: message }),
  hint: (state, message) => ofPosition(state, message, { hint: message.hint }),
  review(state, message) {
    const review = reviewAfter(state.review, message);
    return { review, ...(review ? {} : { walk: null, practice: null }) };
  },
  judge: (state, message) => practiceAfter(state, message),
  refused: ({ practice, puzzle }) => ({ practice: practice && { ...practice, pending: null },
    puzzle: puzzle && { ...puzzle, pending: null } }),
  puzzle: (state, message) => ({ puzzle: newPuzzle(state.puzzle, message), page: "puzzles-page" }),
  attempt: ({ puzzle }, message) => ({ puzzle: puzzleAfter(puzzle, message) }),
  lesson: ({ score }, message) => ({ lesson: message, score: scoreAfter(score, message) }),
  guessed: ({ score }, message) => ({ score: scoreAfterGuess(score, message) }),
  solve: (state, message) => ofPosition(state, message, { proof: message.solved }),
  proved: (state, message) => ofPosition(state, message, { gomokuProof: message }),
  explored: (state, message) => ofPosition(state, message, { openings: message }),
  collected: (state, message) => ofPosition(state, message, { collected: collectedAfter(state.collected, message) }),
  value(state, { node, value }) {
    if (!state.nodes.has(node)) return {};
    return { nodes: new Map(state.nodes).set(node, { ...state.nodes.get(node), value }) };
  },
  games: (state, message) => ({ games: message, page: "list-page" }),
  discarded: (state, { id }) => (state.game?.id === id ? { game: null } : {}),
  tournament({ tournament: before }, message) {
    const restart = !before?.results || message.known === 0;
    const results = [...(restart ? [] : before.results), ...message.games ?? []];
    return { tournament: { ...message, results, restarts: (before?.restarts ?? 0) + (restart ? 1 : 0) } };
  },
};

/** Clears the fields that belong to a position; their data are then requested again. */
function cleared({ clearings }) {
  return { ...OF_A_POSITION, clearings: clearings + 1 };
}

function ofPosition(state, message, changes) {
  return message.node === state.game?.cursor ? changes : {};
}

/** The state after a message that arrived at `now` milliseconds; the argument stays unchanged. */
export function stateAfter(state, message, now) {
  const reduce = REDUCERS[message.do];
  return reduce ? { ...state, ...reduce(state, message, now) } : state;
}

/** The state of a page, with listeners for its changes. */
export class Store {
  constructor(state) {
    this.state = state;
    this.listeners = [];
  }

  /** Call a listener with the new and the previous state after each change. */
  watch(listener) {
    this.listeners.push(listener);
  }

  /** Replace these fields. */
  set(changes) {
    this.#become({ ...this.state, ...changes });
  }

  /** Update the state with a message. */
  receive(message, now) {
    this.#become(stateAfter(this.state, message, now));
  }

  #become(state) {
    const before = this.state;
    this.state = state;
    for (const listener of this.listeners) listener(state, before);
  }
}

/** Does the page show a position other than that of the running game? */
export const lookingBack = ({ cursor, live }) => cursor !== live;

/** The colours (1 and 2) of human players. */
export function persons(game) {
  return [1, 2].filter((colour) => game.seats[COLOURS[colour]].player === "person");
}
