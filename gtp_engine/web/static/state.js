// What the page knows: the messages of the server, and what its user has chosen, in one record.

import { reviewed } from "./study/judged.js";
import { NO_SCORE, guessed, scored } from "./lesson/lesson.js";
import { COLOURS } from "./notation.js";
import { answered } from "./study/practice.js";
import { puzzleAfter, puzzleShown } from "./study/puzzle.js";
import { grown } from "./game/tree.js";

// What belongs to one position, and is forgotten when another one is shown.
const OF_A_POSITION = { thinking: null, threats: null, hint: null, proof: null, proved: null, explored: null, line: null,
  aimed: null, picked: [] };

/** What a page knows in the beginning.
 *
 *  hello, layout, game  the last messages of these names
 *  preparing            seconds for which machine code is being compiled, null: it is not
 *  nodes                the positions of the game by number
 *  heard                when the game was last heard of, in milliseconds
 *  thinking, analysis, threats, hint, proof, proved, explored  what is known of the position that is shown
 *  line                 the line that the user points at
 *  review               the judged moves of the game, see judged.js; null: nothing is reviewed
 *  walk                 a line of the review that is shown on the board, as far as it is `shown`
 *  practice             mistakes that are tried again, see practice.js; null: none are
 *  puzzle               the puzzle that is being solved, see puzzle.js; null: none was yet
 *  lesson               the last message of that name; null: nothing has been heard
 *  score                of the user's guesses, see lesson.js
 *  follows              does the page show what the lesson shows?
 *  aimed                the point that a finger has tapped once
 *  picked               points for what an opening rule asks for, as long as they are too few
 *  brush                the colour that is set up, null: nothing is being set up
 *  tool                 the mark that is put on points: its kind and, of an arrow, the point that it leads
 *                       from; null: none is
 *  ended                the game has come to its end before the eyes of the user
 *  page, tab            what is to be seen
 *  games, tournament    the last messages of these names; a tournament with all games `played`, and
 *                       how often it has `begun` anew
 *  view                 what the user has chosen to see, see view.js
 */
export const START = {
  hello: null, preparing: null, layout: null, game: null, nodes: new Map(), heard: 0,
  analysis: null, review: null, walk: null, practice: null, puzzle: null, ...OF_A_POSITION, brush: null, tool: null, ended: false,
  page: "game-page", tab: "moves",
  games: null, tournament: null, lesson: null, score: NO_SCORE, follows: false, view: {},
};

const REDUCERS = {
  hello: (state, message) => ({ hello: message, preparing: message.preparing ? 0 : null }),
  preparing: (state, { seconds, done }) => ({ preparing: done ? null : seconds }),
  layout: (state, message) => ({ layout: message, game: null, nodes: new Map(), analysis: null,
    review: null, walk: null, practice: null, brush: null, tool: null, ended: false, page: "game-page", ...OF_A_POSITION }),
  tree: (state, message) => ({ nodes: grown(message.whole ? new Map() : state.nodes, message) }),
  game(state, game, now) {
    const before = state.game;
    const same = before?.id === game.id && before.cursor === game.cursor && before.cells === game.cells;
    const { analysis, walk } = state;
    const moved = before?.cursor !== game.cursor;
    return {
      game, heard: now, ...(same ? {} : OF_A_POSITION),
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
    const review = reviewed(state.review, message);
    return { review, ...(review ? {} : { walk: null, practice: null }) };
  },
  judge: (state, message) => answered(state, message),
  refused: ({ practice, puzzle }) => ({ practice: practice && { ...practice, tried: null },
    puzzle: puzzle && { ...puzzle, tried: null } }),
  puzzle: (state, message) => ({ puzzle: puzzleShown(state.puzzle, message), page: "puzzles-page" }),
  attempt: ({ puzzle }, message) => ({ puzzle: puzzleAfter(puzzle, message) }),
  lesson: ({ score }, message) => ({ lesson: message, score: scored(score, message) }),
  guessed: ({ score }, message) => ({ score: guessed(score, message) }),
  solve: (state, message) => ofPosition(state, message, { proof: message.solved }),
  proved: (state, message) => ofPosition(state, message, { proved: message }),
  explored: (state, message) => ofPosition(state, message, { explored: message }),
  value(state, { node, value }) {
    if (!state.nodes.has(node)) return {};
    return { nodes: new Map(state.nodes).set(node, { ...state.nodes.get(node), value }) };
  },
  games: (state, message) => ({ games: message, page: "list-page" }),
  discarded: (state, { id }) => (state.game?.id === id ? { game: null } : {}),
  tournament({ tournament: before }, message) {
    const anew = !before?.played || message.known === 0;
    const played = [...(anew ? [] : before.played), ...message.games ?? []];
    return { tournament: { ...message, played, begun: (before?.begun ?? 0) + (anew ? 1 : 0) } };
  },
};

function ofPosition(state, message, changes) {
  return message.node === state.game?.cursor ? changes : {};
}

/** The state after a message that came at `now` milliseconds; the one before stays as it is. */
export function heard(state, message, now) {
  const reduce = REDUCERS[message.do];
  return reduce ? { ...state, ...reduce(state, message, now) } : state;
}

/** The state of a page, and those who want to know when it changes. */
export class Store {
  constructor(state) {
    this.state = state;
    this.listeners = [];
  }

  /** Call a listener with the state and the one before, after each change. */
  watch(listener) {
    this.listeners.push(listener);
  }

  /** Put these in place of what was known. */
  set(changes) {
    this.#become({ ...this.state, ...changes });
  }

  /** Take in a message. */
  hear(message, now) {
    this.#become(heard(this.state, message, now));
  }

  #become(state) {
    const before = this.state;
    this.state = state;
    for (const listener of this.listeners) listener(state, before);
  }
}

/** Does the page show another position than that of the game? */
export const lookingBack = ({ cursor, live }) => cursor !== live;

/** The colours (1 and 2) that persons play. */
export function persons(game) {
  return [1, 2].filter((colour) => game.seats[COLOURS[colour]].player === "person");
}
