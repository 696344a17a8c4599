// Opening rules: the steps for the user, and their answers.

import { byId, capital, element } from "../dom.js";
import { colourWord } from "../notation.js";

/** The step of an opening rule that the user has to take, null if there is none. */
export const openingTask = ({ game }) => (game.waiting === "you" ? game.opening : null);

/** The current step of an opening rule in words. */
export function openingText({ game, layout, selection }) {
  const { colour, words, stones } = game.opening;
  const who = capital(colourWord(layout, colour));
  if (game.waiting !== "you") return `${who} is thinking ...`;
  return `${game.rule}, ${who}: ${words}${selection.length ? ` (${selection.length} of ${stones[1]})` : ""}`;
}

/** The selected points after a press on one and, when they are complete, the message to send. */
export function pick({ game, layout, selection }, place) {
  const [word, count] = game.opening.stones;
  const points = selection.includes(place) ? selection.filter((each) => each !== place) : [...selection, place];
  if (points.length < count) return { selection: points, action: null };
  return { selection: [], action: [word, ...points.map((each) => layout.notations.GTP.names[each])].join(" ") };
}

const placing = ({ game }) => game.opening?.stones?.[0] === "place";

/** The colour of the next stone. */
export const nextColour = (state) => (placing(state) && state.selection.length % 2 ? 3 - state.game.side : state.game.side);

/** The selected or offered points as stones by point; null if there are none. */
export function openingGhosts(state) {
  const { game, selection } = state;
  const places = selection.length ? selection : game.opening?.offered ?? [];
  if (!places.length) return null;
  return new Map(places.map((place, i) => [place, { number: i + 1, words: selection.length ? "selected" : "offered",
    colour: placing(state) && i % 2 ? 3 - game.side : game.side }]));
}

/** Words with GTP's names of points replaced by the displayed names. */
export function inNames(words, layout, nameOf) {
  const names = layout.notations.GTP.names;
  return words.replace(/\b[A-Z]\d+\b/g, (name) => (names.includes(name) ? nameOf(names.indexOf(name)) : name));
}

/** The buttons for the steps that need no point. */
export class OpeningButtons {
  /** `act` is called with the text of a step, `clear` to clear the selected points. */
  constructor(act, clear) {
    this.act = act;
    this.clear = clear;
    this.drawn = "";
  }

  /** Draw the state. */
  draw(state) {
    const { game, layout, selection } = state;
    const due = game && openingTask(state);
    byId("opening").hidden = !due;
    const key = due ? `${due.swap && due.colour} ${due.most} ${selection.length > 0}` : "";
    if (key === this.drawn) return;
    this.drawn = key;
    const button = (words, act) => element("button", { type: "button", click: act }, words);
    byId("opening").replaceChildren(...(due ? [
      ...(due.swap ? [1, 2].map((colour) => button(`Play ${capital(colourWord(layout, colour))}`,
        () => this.act(`swap ${colour === due.colour ? "no" : "yes"}`))) : []),
      ...Array.from({ length: due.most }, (_, i) => button(String(i + 1), () => this.act(`declare ${i + 1}`))),
      ...(selection.length ? [button("Clear", this.clear)] : [])] : []));
  }
}
