// What the user does: buttons, keys, files and the clipboard.

import { choice, field } from "./dialogs.js";
import { buttonById, byId, capital, counted, element, fieldById, targetOf } from "./dom.js";
import { help } from "./help.js";
import { suited } from "./levels.js";
import { NewGame, Seats } from "./newgame.js";
import { notationOf } from "./notation.js";
import { asked, pick } from "./opening.js";
import { exchanged, seatSent } from "./opponents.js";
import { address, picture } from "./picture.js";
import { lookingBack } from "./state.js";
import { below, lineThrough, step } from "./tree.js";
import { kept, viewFields } from "./view.js";

const SMALL = 13; // boards from this size on have points that are smaller than a finger
const LARGEST = 1 << 20; // bytes of a file
const A_RECORD = /^\s*(\(\s*;|Piskvorky )/i;

export class Actions {
  /** `say` sends a message, `choose` keeps a choice of the view, `focus` leads to the board. */
  constructor({ store, say, notices, dialogs, choose, focus }) {
    this.store = store;
    this.say = say;
    this.notices = notices;
    this.dialogs = dialogs;
    this.choose = choose;
    this.focus = focus;
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
    if (!game || game.watching) return;
    if (brush) {
      this.say("setup", { stones: [[brush.colour, place]], side: null, node: game.cursor });
    } else if (view.twice && layout.size >= SMALL && aimed !== place
      && !game.forbidden.some(([point]) => point === place) && matchMedia("(pointer: coarse)").matches) {
      this.store.set({ aimed: place });
      this.notices.speak(`Tap again to play ${this.nameOf(place)}`);
    } else if (asked(this.state)) {
      this.#pick(place);
    } else {
      this.say("play", { point: place, node: game.cursor });
    }
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
    this.store.set({ brush: this.state.brush ? null : { colour: 1 }, aimed: null });
  }

  brush(colour) {
    this.store.set({ brush: { colour } });
  }

  turn(side) {
    this.say("setup", { stones: [], side, node: this.state.game.cursor });
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
      "show-tournament": () => this.tournament(), "show-rules": () => this.rules(), "show-view": () => this.view(),
      "show-help": () => this.help(), first: () => this.walk("first"), previous: () => this.walk("previous"),
      next: () => this.walk("next"), last: () => this.walk("last"),
      undo: () => this.undo(), resign: () => this.resign(),
      hint: () => this.ask("hint"), players: () => this.players(), "set-up": () => this.setUp(),
      continue: () => this.goOn(true), "continue-here": () => this.goOn(true), pause: () => this.goOn(false),
      live: () => this.live(), "move-now": () => this.now(),
      take: () => this.take(), analyse: () => this.analyse(), threats: () => this.threats(), solve: () => this.solve(),
      save: () => this.save(), load: () => byId("file").click(), "copy-position": () => this.copy("position"),
      "copy-moves": () => this.copy("moves"), share: () => this.share(), "save-svg": () => this.image("svg"),
      "save-png": () => this.image("png"), print: () => window.print(), paste: () => this.paste(),
      promote: () => this.promote(), remove: () => this.remove(), "tab-moves": () => this.tab("moves"),
      "tab-analysis": () => this.tab("analysis"), "tab-file": () => this.tab("file"),
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

  // What the key does now, if anything.
  #act(key) {
    const { hello, page, game } = this.state;
    if (!hello || (hello.watch_only && key === "n")) return undefined;
    const anywhere = { n: () => this.newGame(), g: () => { location.hash = "games"; }, "?": () => this.help() };
    if (key in anywhere) return anywhere[key];
    if (page !== "game-page" || !game) return undefined;
    if ((hello.watch_only && "atp".includes(key)) || (game.watching && "uic".includes(key))) return undefined;
    if (buttonById({ u: "undo", i: "hint", p: "solve" }[key] ?? "analyse").disabled) return undefined;
    return { ArrowLeft: () => this.walk("previous"), ArrowRight: () => this.walk("next"),
      ArrowUp: () => this.walk("first"), ArrowDown: () => this.walk("last"), u: () => this.undo(),
      i: () => this.ask("hint"), a: () => this.analyse(), t: () => this.threats(), p: () => this.solve(),
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
