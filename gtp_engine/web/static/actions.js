// What the user does: buttons, keys, files and the clipboard.

import { choice, field } from "./server/dialogs.js";
import { buttonById, byId, capital, counted, element, fieldById, targetOf } from "./dom.js";
import { help } from "./server/help.js";
import { suited } from "./game/levels.js";
import { firstTool, markOf } from "./game/marks.js";
import { NewGame, Seats } from "./game/newgame.js";
import { notationOf } from "./notation.js";
import { asked, pick } from "./game/opening.js";
import { exchanged, seatSent } from "./game/opponents.js";
import { betterLine, currentRow, explanation, isAtWork, nextFault, refutation } from "./study/judged.js";
import { address, picture } from "./server/picture.js";
import { mayGuess } from "./lesson/lesson.js";
import { mayTry, onwards, practiceOf, questionOf, solution } from "./study/practice.js";
import { lookingBack } from "./state.js";
import { playOut, stepped } from "./game/lines.js";
import { below, lineThrough, step } from "./game/tree.js";
import { kept, tapsTwice, viewFields } from "./server/view.js";

const LARGEST = 1 << 20; // bytes of a file
const A_RECORD = /^\s*(\(\s*;|Piskvorky )/i;

export class Actions {
  /** `say` sends a message, `choose` keeps a choice of the view, `focus` leads to the board; `puzzleKey`
   *  says what a key does where puzzles are shown. */
  constructor({ store, say, notices, dialogs, choose, focus, puzzleKey }) {
    this.store = store;
    this.say = say;
    this.notices = notices;
    this.dialogs = dialogs;
    this.choose = choose;
    this.focus = focus;
    this.puzzleKey = puzzleKey;
  }

  get state() {
    return this.store.state;
  }

  nameOf(place) {
    const { layout, view } = this.state;
    return notationOf(layout, view.notation).names[place];
  }

  // --- moves ------------------------------------------------------------------------------------

  /** A point was pressed. */
  press(place) {
    const { game, brush, aimed, layout, view } = this.state;
    if (!game || (game.watching && !mayGuess(this.state))) return;
    if (this.state.tool) {
      this.#draw(place);
    } else if (brush) {
      this.say("setup", { stones: [[brush.colour, place]], side: null, node: game.cursor });
    } else if (tapsTwice(view, layout) && aimed !== place && !game.forbidden.some(([point]) => point === place)) {
      this.store.set({ aimed: place });
      this.notices.speak(`Tap again to play ${this.nameOf(place)}`);
    } else if (mayGuess(this.state)) {
      this.store.set({ aimed: null });
      this.say("guess", { number: this.state.lesson.asked.number, point: place });
    } else if (mayTry(this.state)) {
      this.#try(place);
    } else if (asked(this.state)) {
      this.#pick(place);
    } else {
      this.say("play", { point: place, node: game.cursor });
    }
  }

  /** Go to the move on one of these points, and play it if it is not there yet. */
  follow(places) {
    const { game, nodes } = this.state;
    const known = nodes.get(game.cursor)?.children.find((child) => places.includes(nodes.get(child).move?.[1]));
    if (known === undefined) this.press(places[0]);
    else this.goto(known);
  }

  // A point was pressed where an opening rule asks for something.
  #pick(place) {
    const { game } = this.state;
    if (!game.opening.stones) {
      this.notices.banner(`${capital(game.opening.words)}, please.`, 4000);
      return;
    }
    const { picked, action } = pick(this.state, place);
    this.store.set({ picked, aimed: null });
    if (action) this.open(action);
  }

  /** Do what an opening rule asks for. */
  open(action) {
    this.clear();
    this.say("opening", { action, node: this.state.game.cursor });
  }

  /** Nothing is picked any more. */
  clear() {
    this.store.set({ picked: [] });
  }

  /** Show the first, previous, next or last position of the line that is shown. */
  walk(to) {
    const { nodes, game } = this.state;
    const node = game ? step(nodes, game.cursor, to) : undefined;
    if (node !== undefined) this.goto(node);
  }

  goto(node) {
    this.say("goto", { node });
  }

  live() {
    this.goto(this.state.game.live);
  }

  undo() {
    this.say("undo");
  }

  now() {
    this.say("now");
  }

  goOn(playing) {
    this.say("continue", { playing, node: this.state.game.cursor });
  }

  async resign() {
    const sure = await this.dialogs.ask("Resign?", element("p", {}, "The opponent wins then."),
      { read: () => true, ok: "Resign" });
    if (sure) this.say("resign");
  }

  take() {
    this.say("take", { node: this.state.game.cursor });
  }

  promote() {
    this.say("promote", { node: this.state.game.cursor });
  }

  async remove() {
    const { nodes, game } = this.state;
    const node = game.cursor, count = below(nodes, node);
    const sure = await this.dialogs.ask("Delete from here?", element("p", {},
      `${counted(count, "position")}: this one and all that follow it.`), { read: () => true, ok: "Delete" });
    if (sure) this.say("remove", { node });
  }

  // --- games ------------------------------------------------------------------------------------

  async newGame() {
    const { newGame, suits } = kept(localStorage);
    const form = new NewGame(this.state.hello, newGame, suits);
    let last = null;
    const done = await this.dialogs.ask("New game", form.element, { ok: "Start", until: "layout",
      read: () => {
        const answer = form.read();
        last = answer.last;
        return answer.message;
      },
      send: (message) => this.say("new", message) });
    if (done) this.choose("newGame", last);
  }

  async players() {
    const { game, layout } = this.state;
    const seats = new Seats(this.state.hello, { ...game.seats, control: game.control });
    seats.name(layout.cube);
    await this.dialogs.ask("Players and clock", seats.element, { read: () => seats.read(), until: "game",
      send: (message) => this.say("seats", message) });
  }

  /** After the end of a game: rematch, exchange (the colours), look (at the game) or keep (it). */
  end(what) {
    const { game, layout, nodes } = this.state;
    if (what === "keep") {
      this.say("save");
      return;
    }
    this.store.set({ ended: false });
    if (what === "review") {
      this.review();
      return;
    }
    if (what === "look") {
      this.tab("moves");
      this.goto(lineThrough(nodes, game.cursor)[0]);
      return;
    }
    const again = suited({ game: layout.game, size: layout.size, control: game.control, opening: game.rule,
      black: seatSent(game.seats.black), white: seatSent(game.seats.white) }, this.state);
    this.say("new", what === "exchange" ? exchanged(again) : again);
  }

  async discard(game) {
    const sure = await this.dialogs.ask("Remove this game?", element("p", {},
      `${game.title}, ${counted(game.plies, "move")}.  It cannot be had back.`), { read: () => true, ok: "Remove" });
    if (sure) this.say("discard", { id: game.id });
  }

  search(words) {
    this.say("games", { search: words });
  }

  async tournament() {
    const { tournaments } = this.state.hello;
    let number = 0;
    if (tournaments.length > 1) {
      const names = choice("tournament", tournaments.map((name, i) => [String(i), name]), "0");
      number = await this.dialogs.ask("Tournament", field("File", names), { read: () => Number(names.value) });
      if (number === null) return;
    }
    location.hash = `watch=${number}`;
  }

  home() {
    const { game } = this.state;
    location.hash = game && !game.watching ? `game=${game.id}` : "";
  }

  // --- setting up -------------------------------------------------------------------------------

  setUp() {
    this.store.set({ brush: this.state.brush ? null : { colour: 1 }, tool: null, aimed: null });
  }

  brush(colour) {
    this.store.set({ brush: { colour } });
  }

  turn(side) {
    this.say("setup", { stones: [], side, node: this.state.game.cursor });
  }

  // --- marks ------------------------------------------------------------------------------------

  /** The tools appear or go away. */
  marks() {
    this.store.set({ tool: this.state.tool ? null : firstTool(), brush: null, aimed: null });
  }

  tool(kind) {
    this.store.set({ tool: { kind, from: null } });
  }

  wipe() {
    const { game } = this.state;
    this.say("wipe", { id: game.id, node: game.cursor });
  }

  /** A mark of the tool that is chosen, or a circle; from one point to another an arrow. */
  mark(from, to) {
    const { game, nodes, tool } = this.state;
    if (!game || game.watching) return;
    const where = { id: game.id, node: game.cursor };
    const kind = tool && tool.kind !== "arrow" ? tool.kind : firstTool().kind;
    if (from !== to) this.say("arrow", { ...where, point: from, to });
    else this.say("mark", { ...where, ...markOf(kind, to, nodes.get(game.cursor)?.marks ?? []) });
  }

  // A point was pressed while a tool is chosen; an arrow needs two.
  #draw(place) {
    const { kind, from } = this.state.tool;
    if (kind !== "arrow") this.mark(place, place);
    else if (from === null) this.store.set({ tool: { kind, from: place } });
    else {
      if (from !== place) this.mark(from, place);
      this.store.set({ tool: { kind, from: null } });
    }
  }

  // --- analysis ---------------------------------------------------------------------------------

  tab(name) {
    this.store.set({ tab: name });
  }

  analyse() {
    this.tab("analysis");
    if (this.state.game.analysing) this.say("analyse", { player: null, settings: {} });
    else this.startAnalysis();
  }

  // What is only watched becomes a game of one's own before it is analysed.
  #own() {
    if (this.state.game.watching) this.take();
  }

  startAnalysis() {
    this.#own();
    const { cores } = this.state.hello;
    const player = fieldById("analyst").value;
    const settings = player === "alphabeta" && cores > 2 ? { threads: String(Math.floor(cores / 2)) } : {};
    this.say("analyse", { player, settings });
  }

  ask(what) {
    this.#own();
    this.say("ask", { what, node: this.state.game.cursor });
  }

  threats() {
    this.tab("analysis");
    if (this.state.threats) this.store.set({ threats: null });
    else this.ask("threats");
  }

  solve() {
    this.tab("analysis");
    this.store.set({ proof: null });
    this.ask("solve");
  }

  look(line) {
    this.store.set({ line });
  }

  // --- review -----------------------------------------------------------------------------------

  /** Review the line that is shown. */
  review() {
    this.tab("review");
    if (isAtWork(this.state.review)) return;
    this.#own();
    this.store.set({ walk: null, practice: null });
    this.say("review", { node: this.state.game.cursor, effort: fieldById("review-effort").value });
  }

  pauseReview(paused) {
    this.say("pause_review", { paused });
  }

  /** Show a line of the review on the board, from its beginning on. */
  show(walk) {
    this.store.set({ walk });
    this.#look(walk.node);
  }

  // Show a position; where the page is narrow, the board may have been scrolled away.
  #look(node) {
    if (node !== this.state.game.cursor) this.goto(node);
    byId("boards").scrollIntoView({ block: "nearest" });
  }

  /** Show why a move was judged so: what was better, or what refutes it. */
  explain(row) {
    const walk = explanation(row, this.state.nodes);
    if (walk) this.show(walk);
    else this.#look(row.node);
  }

  /** The mistake after the position that is shown (1), or before it (-1). */
  mistake(step) {
    this.tab("review");
    const row = nextFault(this.state, step);
    if (row) this.explain(row);
  }

  /** What was better than the move that is shown, or what refutes it; or nothing of that any more. */
  instead(what) {
    const { walk, nodes, review } = this.state, row = currentRow(this.state);
    if (!row || !review) return;
    if (walk?.what === what) this.closeLine();
    else if (what === "better" && row.better !== null) this.show(betterLine(row, nodes));
    else if (what === "refutation" && row.refutation.moves.length) this.show(refutation(row));
  }

  /** The line on the board is one move longer (1) or shorter (-1). */
  walkLine(step) {
    this.store.set({ walk: stepped(this.state.walk, step) });
  }

  /** No line of the review is on the board any more; the move that it was about is shown. */
  closeLine() {
    const row = currentRow(this.state);
    this.store.set({ walk: null });
    if (row && !this.state.practice) this.goto(row.node);
  }

  // --- learning from mistakes -------------------------------------------------------------------

  practise() {
    this.store.set({ walk: null, practice: practiceOf(this.state.review, Number(fieldById("practice-side").value)) });
    this.#question();
  }

  // Show the position that is asked about.
  #question() {
    const row = questionOf(this.state);
    if (row) this.#look(this.state.nodes.get(row.node).parent);
  }

  // A move is tried where another one was a mistake.
  #try(place) {
    const { practice } = this.state;
    if (practice.tried !== null) return;
    const { ply } = questionOf(this.state);
    this.store.set({ aimed: null, walk: null, practice: { ...practice, tried: place, answer: null, hint: false } });
    this.say("judge", { ply, point: place });
  }

  /** What refutes a move is played out on the board. */
  playOut() {
    playOut(() => this.state.walk, (walk) => this.store.set({ walk }));
  }

  practiceHint() {
    this.store.set({ practice: { ...this.state.practice, hint: true, answer: null } });
  }

  practiceView() {
    this.store.set(solution(this.state));
  }

  practiceNext() {
    this.store.set({ walk: null, practice: onwards(this.state.practice) });
    this.#question();
  }

  practiceEnd() {
    this.store.set({ walk: null, practice: null });
  }

  // --- lessons ----------------------------------------------------------------------------------

  /** In a lesson: ask for the next move or, if that is done, show it. */
  question() {
    const { hello, lesson } = this.state;
    if (!lesson?.id || hello.watch_only) return;
    this.say("lesson", { what: lesson.asked?.answer === null ? "show" : "ask" });
  }

  // --- files and the clipboard ------------------------------------------------------------------

  save() {
    this.say("save");
  }

  copy(what) {
    this.copying = what;
    this.say("copy", { node: this.state.game.cursor });
  }

  /** The position has come as text. */
  copied({ rows, moves }) {
    this.#copy(this.copying === "moves" ? moves : rows.map((row) => [...row].join(" ")).join("\n"));
  }

  share() {
    const { game } = this.state;
    const link = new URL(location.href);
    link.hash = game.watching ? link.hash : `game=${game.id}&node=${game.cursor}`;
    this.#copy(link.href);
  }

  #copy(words) {
    fieldById("text").value = words;
    navigator.clipboard?.writeText(words).then(() => this.notices.banner("Copied.", 2500),
      () => this.notices.banner("Copy it from the field.", 4000));
  }

  paste() {
    this.#read(fieldById("text").value);
  }

  /** Begin with what a text holds: a game, moves, or a picture of a position. */
  #read(words) {
    if (A_RECORD.test(words)) this.#load(new TextEncoder().encode(words));
    else if (words.trim()) this.say("paste", { text: words.slice(0, 10000) });
  }

  #load(bytes) {
    let binary = "";
    for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
    this.say("load", { data: btoa(binary) });
  }

  async loadFile(file) {
    if (file.size > LARGEST) this.notices.banner("A file has at most a megabyte.", 4000);
    else this.#load(new Uint8Array(await file.arrayBuffer()));
  }

  /** The position as the text of an SVG, with the colours of the board. */
  #drawing() {
    const { layout, game, view } = this.state;
    const [across, down] = notationOf(layout, view.notation).levels[0];
    const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    return picture({ ...layout, ...game, ...(view.coordinates ? { across, down } : {}),
      crosses: view.forbidden ? game.forbidden.map(([place]) => place) : [], numbers: view.numbers ? game.numbers : {} },
    { wood: colour("wood"), grid: colour("grid"), label: colour("label"), mark: colour("mark"), edge: colour("edge"),
      forbidden: colour("forbidden"), black: colour("black"), white: colour("white"), red: "#c93030", blue: "#2f62c9" });
  }

  async image(kind) {
    const name = `${this.state.layout.game}-${this.state.game.id.slice(0, 6)}`;
    const drawn = this.#drawing();
    if (kind === "svg") {
      download(`${name}.svg`, address(drawn));
      return;
    }
    const image = new Image();
    image.src = address(drawn);
    await image.decode();
    const canvas = element("canvas", { width: 2 * image.width, height: 2 * image.height });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    download(`${name}.png`, canvas.toDataURL("image/png"));
  }

  /** A game has come as a file. */
  saved({ name, data }) {
    download(name, `data:application/x-go-sgf;base64,${data}`);
  }

  // --- the page ---------------------------------------------------------------------------------

  view() {
    this.dialogs.ask("View", viewFields(this.state, (key, value) => this.choose(key, value)));
  }

  help() {
    this.dialogs.ask("Help", help(this.state.hello?.version ?? ""));
  }

  rules() {
    location.hash = `rules=${this.state.layout?.game ?? "Gomoku"}`;
  }

  /** Connect the buttons, keys, files and the clipboard. */
  listen() {
    const clicks = {
      "new-game": () => this.newGame(), "show-games": () => { location.hash = "games"; },
      "show-puzzles": () => { location.hash = "puzzles"; },
      "show-tournament": () => this.tournament(), "show-rules": () => this.rules(), "show-view": () => this.view(),
      "show-help": () => this.help(), first: () => this.walk("first"), previous: () => this.walk("previous"),
      next: () => this.walk("next"), last: () => this.walk("last"),
      undo: () => this.undo(), resign: () => this.resign(),
      hint: () => this.ask("hint"), players: () => this.players(), "set-up": () => this.setUp(), marks: () => this.marks(),
      continue: () => this.goOn(true), "continue-here": () => this.goOn(true), pause: () => this.goOn(false),
      live: () => this.live(), "move-now": () => this.now(),
      take: () => this.take(), analyse: () => this.analyse(), threats: () => this.threats(), solve: () => this.solve(),
      save: () => this.save(), load: () => byId("file").click(), "copy-position": () => this.copy("position"),
      "copy-moves": () => this.copy("moves"), share: () => this.share(), "save-svg": () => this.image("svg"),
      "save-png": () => this.image("png"), print: () => window.print(), paste: () => this.paste(),
      review: () => this.review(), "tab-review": () => this.tab("review"),
      "review-again": () => this.review(),
      "review-pause": () => this.pauseReview(true), "review-resume": () => this.pauseReview(false),
      "review-save": () => this.say("save_review"), better: () => this.instead("better"),
      refutation: () => this.instead("refutation"), "walk-back": () => this.walkLine(-1),
      "walk-on": () => this.walkLine(1), "walk-end": () => this.closeLine(), practise: () => this.practise(),
      "previous-mistake": () => this.mistake(-1), "next-mistake": () => this.mistake(1),
      "practice-hint": () => this.practiceHint(), "practice-view": () => this.practiceView(),
      "practice-skip": () => this.practiceNext(), "practice-next": () => this.practiceNext(),
      "practice-end": () => this.practiceEnd(),
      promote: () => this.promote(), remove: () => this.remove(), "tab-moves": () => this.tab("moves"),
      "tab-analysis": () => this.tab("analysis"), "tab-explorer": () => this.tab("explorer"),
      "tab-file": () => this.tab("file"),
    };
    for (const [id, act] of Object.entries(clicks)) byId(id).addEventListener("click", act);
    byId("home").addEventListener("click", (event) => {
      event.preventDefault();
      this.home();
    });
    byId("analyst").addEventListener("change", () => { if (this.state.game?.analysing) this.startAnalysis(); });
    byId("lines").addEventListener("input", () => this.store.set({}));
    byId("file").addEventListener("change", () => {
      const input = fieldById("file");
      if (input.files[0]) this.loadFile(input.files[0]);
      input.value = "";
    });
    for (const kind of ["dragover", "drop"]) {
      addEventListener(kind, (/** @type {DragEvent} */ event) => {
        event.preventDefault();
        const file = event.dataTransfer?.files[0];
        if (kind === "drop" && file && !this.state.hello?.watch_only) this.loadFile(file);
      });
    }
    addEventListener("paste", (event) => {
      if (targetOf(event).closest?.("textarea, input") || this.state.hello?.watch_only) return;
      this.#read(event.clipboardData.getData("text"));
    });
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
    const act = this.#act(event.key);
    if (!act || (event.repeat && !event.key.startsWith("Arrow"))) return;
    act();
    event.preventDefault();
  }

  // What keys do for the review: in a line that is on the board, in practice, and beside.
  #reviewKeys() {
    const { game, walk, practice, review } = this.state;
    const keys = game.watching || !review ? {} : { m: () => this.mistake(1), M: () => this.mistake(-1),
      w: () => this.instead("better"), f: () => this.instead("refutation") };
    const row = questionOf(this.state);
    return { r: this.state.hello.watch_only ? undefined : () => this.review(), ...keys,
      ...(practice ? { Escape: () => this.practiceEnd(), m: undefined, M: undefined, w: undefined, f: undefined } : {}),
      ...(row ? { s: () => this.practiceNext() } : {}),
      ...(row && practice.open ? { i: () => this.practiceHint(), v: () => this.practiceView() } : {}),
      ...(walk ? { ArrowLeft: () => this.walkLine(-1), ArrowRight: () => this.walkLine(1) } : {}),
      ...(walk && !practice ? { Escape: () => this.closeLine() } : {}) };
  }

  // What the key does now, if anything.
  #act(key) {
    const { hello, page, game } = this.state;
    if (!hello || (hello.watch_only && key === "n")) return undefined;
    const anywhere = { n: () => this.newGame(), g: () => { location.hash = "games"; }, "?": () => this.help() };
    if (key in anywhere) return anywhere[key];
    if (page === "puzzles-page") return this.puzzleKey(key);
    if (page !== "game-page" || !game) return undefined;
    if ((hello.watch_only && "atp".includes(key)) || (game.watching && "uic".includes(key))) return undefined;
    if (buttonById({ u: "undo", i: "hint", p: "solve" }[key] ?? "analyse").disabled) return undefined;
    if (this.#reviewKeys()[key]) return this.#reviewKeys()[key];
    return { ArrowLeft: () => this.walk("previous"), ArrowRight: () => this.walk("next"),
      ArrowUp: () => this.walk("first"), ArrowDown: () => this.walk("last"), u: () => this.undo(),
      i: () => this.ask("hint"), a: () => this.analyse(), t: () => this.threats(), p: () => this.solve(),
      d: game.watching ? undefined : () => this.marks(), q: () => this.question(),
      l: lookingBack(game) ? () => this.live() : undefined, b: () => this.focus(),
      c: () => this.goOn(!game.playing || lookingBack(game)) }[key];
  }
}

function download(name, href) {
  const link = element("a", { download: name, href });
  document.body.append(link);
  link.click();
  link.remove();
}
