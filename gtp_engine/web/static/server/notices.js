// What the page says by itself: notices, why a move was refused, and what is read aloud.

import { byId, text } from "../dom.js";

export class Notices {
  constructor() {
    this.timers = {};
    byId("banner-close").addEventListener("click", () => this.banner(""));
  }

  /** Show words, for some milliseconds or until others come.  `action` is a pair of the words on a
   *  button and what it does. */
  banner(words, milliseconds = 0, action = null) {
    clearTimeout(this.timers.banner);
    const button = byId("banner-action");
    text(byId("banner-text"), words);
    byId("banner").hidden = !words;
    button.hidden = !action;
    if (action) text(button, action[0]);
    button.onclick = () => {
      this.banner("");
      action[1]();
    };
    if (words && milliseconds) this.timers.banner = setTimeout(() => this.banner(""), milliseconds);
  }

  /** Show words above a box of the screen, for a while. */
  at(box, words) {
    const note = byId("refusal");
    text(note, words);
    note.hidden = false;
    const left = box.left + box.width / 2 + scrollX - note.offsetWidth / 2;
    note.style.left = `${Math.max(4, Math.min(left, innerWidth - note.offsetWidth - 4))}px`;
    note.style.top = `${Math.max(4, box.top + scrollY - note.offsetHeight - 4)}px`;
    clearTimeout(this.timers.refusal);
    this.timers.refusal = setTimeout(() => { note.hidden = true; }, 2500);
  }

  /** Let words be read aloud. */
  speak(words) {
    text(byId("announce"), words);
  }
}
