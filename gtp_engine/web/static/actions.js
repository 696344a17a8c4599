// The table of buttons and keys, and the listeners that connect them to the groups of actions.

import { buttonById, byId, targetOf } from "./dom.js";
import { GameActions } from "./game/actions.js";
import { LessonActions } from "./lesson/actions.js";
import { PageActions } from "./server/actions.js";
import { lookingBack } from "./state.js";
import { StudyActions } from "./study/actions.js";

const clicks = ({ game, study, page, send }) => ({ // by the id of a button
  "new-game": () => game.newGame(), "show-games": () => { location.hash = "games"; },
  "show-puzzles": () => { location.hash = "puzzles"; }, "show-tournament": () => page.tournament(),
  "show-rules": () => page.rules(), "show-view": () => page.view(), "show-help": () => page.help(),
  first: () => game.walk("first"), previous: () => game.walk("previous"), next: () => game.walk("next"),
  last: () => game.walk("last"), undo: () => game.undo(), resign: () => game.resign(), players: () => game.players(),
  "set-up": () => game.setUp(), marks: () => game.marks(), continue: () => game.goOn(true),
  "continue-here": () => game.goOn(true), pause: () => game.goOn(false), live: () => game.live(),
  "move-now": () => game.now(), take: () => game.take(), promote: () => game.promote(), remove: () => game.remove(),
  "tab-moves": () => study.tab("moves"), "tab-analysis": () => study.tab("analysis"),
  "tab-review": () => study.tab("review"), "tab-explorer": () => study.tab("explorer"),
  "tab-file": () => study.tab("file"),
  hint: () => study.ask("hint"), analyse: () => study.analyse(), threats: () => study.threats(),
  solve: () => study.solve(), review: () => study.review(), "review-again": () => study.review(),
  "review-pause": () => study.pauseReview(true), "review-resume": () => study.pauseReview(false),
  "review-save": () => send("save_review"), better: () => study.instead("better"),
  refutation: () => study.instead("refutation"), "walk-back": () => study.walkLine(-1),
  "walk-on": () => study.walkLine(1), "walk-end": () => study.closeLine(), practise: () => study.practise(),
  "previous-mistake": () => study.mistake(-1), "next-mistake": () => study.mistake(1),
  "practice-hint": () => study.practiceHint(), "practice-view": () => study.practiceView(),
  "practice-skip": () => study.practiceNext(), "practice-next": () => study.practiceNext(),
  "practice-end": () => study.practiceEnd(), "training-start": () => study.train(),
  "training-view": () => study.trainingView(), "training-next": () => study.trainingNext(),
  "training-end": () => study.trainingEnd(),
  save: () => page.save(), load: () => byId("file").click(), "copy-position": () => page.copy("position"),
  "copy-moves": () => page.copy("moves"), share: () => page.share(), "save-svg": () => page.image("svg"),
  "save-png": () => page.image("png"), print: () => window.print(), paste: () => page.paste(),
});

const pageKeys = ({ game, page }) => ({ // on every page
  n: () => game.newGame(), g: () => { location.hash = "games"; }, "?": () => page.help(),
});

const gameKeys = ({ game, study, lesson, focus }, state) => ({ // on the page of a game
  ArrowLeft: () => game.walk("previous"), ArrowRight: () => game.walk("next"),
  ArrowUp: () => game.walk("first"), ArrowDown: () => game.walk("last"), u: () => game.undo(),
  i: () => study.ask("hint"), a: () => study.analyse(), t: () => study.threats(), p: () => study.solve(),
  d: state.game.watching ? undefined : () => game.marks(), q: () => lesson.question(),
  l: lookingBack(state.game) ? () => game.live() : undefined, b: focus,
  c: () => game.goOn(!state.game.playing || lookingBack(state.game)),
});

export class Actions {
  /** `send` sends a message, `choose` saves a view setting, `focus` moves the focus to the board; `puzzleKey`
   *  returns the action of a key on the page of puzzles. */
  constructor({ store, send, notices, dialogs, choose, focus, puzzleKey }) {
    const page = { store, send, notices, dialogs, choose };
    this.store = store;
    this.dialogs = dialogs;
    this.send = send;
    this.focus = focus;
    this.puzzleKey = puzzleKey;
    this.study = new StudyActions(page);
    this.lesson = new LessonActions(page);
    this.game = new GameActions(page, this);
    this.page = new PageActions(page);
  }

  /** Connect the buttons, keys, files and the clipboard. */
  listen() {
    for (const [id, act] of Object.entries(clicks(this))) byId(id).addEventListener("click", act);
    byId("home").addEventListener("click", (event) => {
      event.preventDefault();
      this.page.home();
    });
    byId("analyst").addEventListener("change", () => {
      if (this.store.state.game?.analysing) this.study.startAnalysis();
    });
    byId("lines").addEventListener("input", () => this.store.set({}));
    this.page.listen();
    addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.dialogs.open
      || targetOf(event).closest("input, textarea, select")) return;
    if (targetOf(event).closest("[role=tab]") && /Arrow(Left|Right)/.test(event.key)) {
      const tabs = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[role=tab]"))];
      const at = tabs.indexOf(event.target) + (event.key === "ArrowRight" ? 1 : tabs.length - 1);
      tabs[at % tabs.length].focus();
      tabs[at % tabs.length].click();
      event.preventDefault();
      return;
    }
    const act = this.#action(event.key);
    if (!act || (event.repeat && !event.key.startsWith("Arrow"))) return;
    act();
    event.preventDefault();
  }

  // The action of a key in the current state, undefined if it has none.
  #action(key) {
    const { hello, page, game } = this.store.state;
    if (!hello || (hello.watch_only && key === "n")) return undefined;
    const keys = pageKeys(this);
    if (key in keys) return keys[key];
    if (page === "puzzles-page") return this.puzzleKey(key);
    if (page !== "game-page" || !game) return undefined;
    if ((hello.watch_only && "atp".includes(key)) || (game.watching && "uic".includes(key))) return undefined;
    if (buttonById({ u: "undo", i: "hint", p: "solve" }[key] ?? "analyse").disabled) return undefined;
    return this.study.keys()[key] ?? gameKeys(this, this.store.state)[key];
  }
}
