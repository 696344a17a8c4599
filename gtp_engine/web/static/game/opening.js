// Openings by a rule: what is asked for, and how it is answered.

import { byId, capital, element } from "../dom.js";
import { colourWord } from "../notation.js";

/** What the user is to do by an opening rule, null if that is nothing. */
export const asked = ({ game }) => (game.waiting === "you" ? game.opening : null);

/** Who is to do what, in words. */
export function openingText({ game, layout, picked }) {
  const { colour, words, stones } = game.opening;
  const who = capital(colourWord(layout, colour));
  if (game.waiting !== "you") return `${who} is thinking ...`;
  return `${game.rule}, ${who}: ${words}${picked.length ? ` (${picked.length} of ${stones[1]})` : ""}`;
}

/** The points that are picked after one was pressed, and, once they are enough, what is sent. */
export function pick({ game, layout, picked }, place) {
  const [word, count] = game.opening.stones;
  const points = picked.includes(place) ? picked.filter((each) => each !== place) : [...picked, place];
  if (points.length < count) return { picked: points, action: null };
  return { picked: [], action: [word, ...points.map((each) => layout.notations.GTP.names[each])].join(" ") };
}

const placing = ({ game }) => game.opening?.stones?.[0] === "place";

/** The colour of the stone that would be put next. */
export const nextColour = (state) => (placing(state) && state.picked.length % 2 ? 3 - state.game.side : state.game.side);

/** What is picked or offered, as stones by point; null if there is nothing of that. */
export function openingGhosts(state) {
  const { game, picked } = state;
  const shown = picked.length ? picked : game.opening?.offered ?? [];
  if (!shown.length) return null;
  return new Map(shown.map((place, i) => [place, { number: i + 1, words: picked.length ? "picked" : "offered",
    colour: placing(state) && i % 2 ? 3 - game.side : game.side }]));
}

/** Words with names of points as GTP has them, in the names that the user sees. */
export function inNames(words, layout, nameOf) {
  const known = layout.notations.GTP.names;
  return words.replace(/\b[A-Z]\d+\b/g, (name) => (known.includes(name) ? nameOf(known.indexOf(name)) : name));
}

/** The buttons for what is not done on the board. */
export class OpeningButtons {
  /** `act` is called with what is done, as words; `clear` when nothing is to be picked any more. */
  constructor(act, clear) {
    this.act = act;
    this.clear = clear;
    this.drawn = "";
  }

  /** Draw the state. */
  draw(state) {
    const { game, layout, picked } = state;
    const due = game && asked(state);
    byId("opening").hidden = !due;
    const wanted = due ? `${due.swap && due.colour} ${due.most} ${picked.length > 0}` : "";
    if (wanted === this.drawn) return;
    this.drawn = wanted;
    const button = (words, act) => element("button", { type: "button", click: act }, words);
    byId("opening").replaceChildren(...(due ? [
      ...(due.swap ? [1, 2].map((colour) => button(`Play ${capital(colourWord(layout, colour))}`,
        () => this.act(`swap ${colour === due.colour ? "no" : "yes"}`))) : []),
      ...Array.from({ length: due.most }, (_, i) => button(String(i + 1), () => this.act(`declare ${i + 1}`))),
      ...(picked.length ? [button("Clear", this.clear)] : [])] : []));
  }
}
