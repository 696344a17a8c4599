// What the user has chosen to see; this browser keeps it.

import { attribute, element } from "../dom.js";
import { choice, field } from "./dialogs.js";
import { LANGUAGES } from "./language.js";

/** The usual choices. */
export const USUAL = { coordinates: true, numbers: false, forbidden: true, twice: true, heat: true, ghosts: true,
  plan: false, sound: false, notation: "", theme: "auto", board: "wood", cube: "both", language: "", newGame: null,
  suits: null, puzzles: { game: "Gomoku", kind: "" } };
export const BOARDS = ["wood", "slate", "paper"];
const PREFIX = "gtp_engine.";
const SMALL = 13; // boards from this size on have points that are smaller than a finger

/** The choices that are kept in a storage, and the usual ones where nothing is kept. */
export function kept(storage) {
  return Object.fromEntries(Object.entries(USUAL).map(([key, usual]) => [key, read(storage, key) ?? usual]));
}

/** A choice that is kept in a storage; null: none is. */
export function read(storage, key) {
  try {
    return JSON.parse(storage.getItem(PREFIX + key));
  } catch {
    return null;
  }
}

/** Keep a choice; where nothing can be kept, it holds until the page is left. */
export function keep(storage, key, value) {
  try {
    storage.setItem(PREFIX + key, JSON.stringify(value));
  } catch { /* a full or forbidden storage */ }
}

/** Give the page the colours that are chosen. */
export function paint({ theme, board }) {
  attribute(document.documentElement, "data-theme", theme === "auto" ? null : theme);
  attribute(document.documentElement, "data-board", board);
}

/** Is a point of the board tapped twice before a stone is put there? */
export function tapsTwice({ twice }, { size }) {
  return twice && size >= SMALL && matchMedia("(pointer: coarse)").matches;
}

/** The fields of the choices; `choose` is called with a name and a value. */
export function viewFields({ view, layout }, choose) {
  const box = (key, words) => {
    const input = element("input", { type: "checkbox", id: `view-${key}`, checked: view[key],
      change: () => choose(key, input.checked) });
    return element("label", { class: "box" }, input, ` ${words}`);
  };
  const select = (key, words, values) => {
    const input = choice(`view-${key}`, values, view[key]);
    input.addEventListener("change", () => choose(key, input.value));
    return field(words, input);
  };
  const notations = Object.keys(layout?.notations ?? {});
  return [
    element("fieldset", {}, element("legend", {}, "Look"),
      select("language", "Language", [["", "as the browser has it"], ...Object.entries(LANGUAGES)]),
      select("theme", "Page", [["auto", "as the system has it"], "light", "dark"]),
      select("board", "Board", BOARDS),
      select("notation", "Names of points", [["", "as usual in the game"], ...notations]),
      layout?.cube ? select("cube", "Levels", [["both", "cube and levels"], ["cube", "cube"],
        ["flat", "levels side by side"]]) : null),
    element("fieldset", { class: "boxes" }, element("legend", {}, "On the board"),
      box("coordinates", "Coordinates"), box("numbers", "Numbers of moves on the stones"),
      box("forbidden", "Forbidden points of Renju as crosses"),
      box("heat", "Values of moves as colours"), box("ghosts", "The expected line as stones"),
      box("plan", "In my own games, what the opponent expects")),
    element("fieldset", { class: "boxes" }, element("legend", {}, "Playing"),
      box("twice", "With a finger, tap twice on large boards"), box("sound", "Sounds")),
  ];
}
