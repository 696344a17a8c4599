// Notices, reasons of refused moves, and announcements for screen readers.

import { byId, text } from "../dom.js";

export class Notices {
  constructor() {
    this.timers = {};
    byId("banner-close").addEventListener("click", () => this.banner(""));
  }

  /** Show a notice until the next one, or for some milliseconds.  `action` is a pair of a button's label
   *  and its function. */
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

  /** Show words above a box of the screen for a short time. */
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

  /** Announce words to screen readers. */
  announce(words) {
    text(byId("announce"), words);
  }
}
