// The view settings of the user, stored in the browser.

import { attribute, element, sidesOf } from "../dom.js";
import { choice, field } from "./dialogs.js";
import { LANGUAGES } from "./language.js";

/** The default settings. */
export const USUAL = { coordinates: true, numbers: false, forbidden: true, twice: true, heat: true, ghosts: true,
  plan: false, sound: false, notation: "", theme: "auto", board: "wood", cube: "both", language: "", newGame: null,
  suits: null, puzzles: { game: "Gomoku", kind: "" } };
export const BOARDS = ["wood", "slate", "paper"];
const PREFIX = "gtp_engine.";
const SMALL = 13; // from this size on, points are smaller than a finger

/** The settings in a storage; the default where it has none. */
export function loadView(storage) {
  return Object.fromEntries(Object.entries(USUAL).map(([key, usual]) => [key, loadChoice(storage, key) ?? usual]));
}

/** A setting in a storage; null if it has none. */
export function loadChoice(storage, key) {
  try {
    return JSON.parse(storage.getItem(PREFIX + key));
  } catch {
    return null;
  }
}

/** Save a setting; without a storage it lasts until the page closes. */
export function saveChoice(storage, key, value) {
  try {
    storage.setItem(PREFIX + key, JSON.stringify(value));
  } catch { /* a full or forbidden storage */ }
}

/** Apply the colours of the settings. */
export function paint({ theme, board }) {
  attribute(document.documentElement, "data-theme", theme === "auto" ? null : theme);
  attribute(document.documentElement, "data-board", board);
}

/** Does a move need two taps on this board? */
export function tapsTwice({ twice }, { size }) {
  return twice && Math.max(...sidesOf(size)) >= SMALL && matchMedia("(pointer: coarse)").matches;
}

/** The fields of the settings; `choose` is called with a name and a value. */
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
    element("fieldset", {}, element("legend", {}, "Appearance"),
      select("language", "Language", [["", "same as the browser"], ...Object.entries(LANGUAGES)]),
      select("theme", "Colours of the page", [["auto", "same as the system"], "light", "dark"]),
      select("board", "Board", BOARDS),
      select("notation", "Point names", [["", "default of the game"], ...notations]),
      layout?.cube ? select("cube", "Levels", [["both", "cube and levels"], ["cube", "cube"],
        ["flat", "levels side by side"]]) : null),
    element("fieldset", { class: "boxes" }, element("legend", {}, "On the board"),
      box("coordinates", "Coordinates"), box("numbers", "Move numbers on the stones"),
      box("forbidden", "Crosses on forbidden points in Renju"),
      box("heat", "Move values as colours"), box("ghosts", "Expected line as stones"),
      box("plan", "Opponent’s expected line in my own games")),
    element("fieldset", { class: "boxes" }, element("legend", {}, "Playing"),
      box("twice", "Tap twice to play on large boards"), box("sound", "Sounds")),
  ];
}
