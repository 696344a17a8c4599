// Actions of the page itself: lists of games, files, the clipboard, pictures and dialogs.

import { byId, counted, element, fieldById, targetOf } from "../dom.js";
import { choice, field } from "./dialogs.js";
import { help } from "./help.js";
import { pictureAddress } from "./picture.js";
import { viewFields } from "./view.js";

const LARGEST = 1 << 20; // bytes of a file
const A_RECORD = /^\s*(\(\s*;|Piskvorky )/i;

export class PageActions {
  /** `send` sends a message, `choose` saves a view setting. */
  constructor({ store, send, notices, dialogs, choose }) {
    this.store = store;
    this.send = send;
    this.notices = notices;
    this.dialogs = dialogs;
    this.choose = choose;
  }

  get state() {
    return this.store.state;
  }

  // --- pages and dialogs ------------------------------------------------------------------------

  home() {
    const { game } = this.state;
    location.hash = game && !game.watching ? `game=${game.id}` : "";
  }

  view() {
    this.dialogs.ask("View", viewFields(this.state, (key, value) => this.choose(key, value)));
  }

  help() {
    this.dialogs.ask("Help", help(this.state.hello?.version ?? ""));
  }

  rules() {
    location.hash = `rules=${this.state.layout?.game ?? "Gomoku"}`;
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

  // --- the list of games ------------------------------------------------------------------------

  async discard(game) {
    const sure = await this.dialogs.ask("Delete this game?", element("p", {},
      `${game.title}, ${counted(game.plies, "move")}.  This cannot be undone.`), { read: () => true, ok: "Delete" });
    if (sure) this.send("discard", { id: game.id });
  }

  search(words) {
    this.send("games", { search: words });
  }

  // --- files and the clipboard ------------------------------------------------------------------

  save() {
    this.send("save");
  }

  /** Download a game that the server sent as a file. */
  download({ name, data }) {
    download(name, `data:application/x-go-sgf;base64,${data}`);
  }

  copy(what) {
    this.copying = what;
    this.send("copy", { node: this.state.game.cursor });
  }

  /** Copy the position or the moves that the server sent as text. */
  copyText({ rows, moves }) {
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
      () => this.notices.banner("Copy the text from the field.", 4000));
  }

  paste() {
    this.#read(fieldById("text").value);
  }

  /** Start from a text: a game, moves, or a diagram of a position. */
  #read(words) {
    if (A_RECORD.test(words)) this.#load(new TextEncoder().encode(words));
    else if (words.trim()) this.send("paste", { text: words.slice(0, 10000) });
  }

  #load(bytes) {
    let binary = "";
    for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
    this.send("load", { data: btoa(binary) });
  }

  async #loadFile(file) {
    if (file.size > LARGEST) this.notices.banner("The file is too large: at most 1 MB.", 4000);
    else this.#load(new Uint8Array(await file.arrayBuffer()));
  }

  /** Load files that the user selects or drops, and text that the user pastes. */
  listen() {
    byId("file").addEventListener("change", () => {
      const input = fieldById("file");
      if (input.files[0]) this.#loadFile(input.files[0]);
      input.value = "";
    });
    for (const kind of ["dragover", "drop"]) {
      addEventListener(kind, (/** @type {DragEvent} */ event) => {
        event.preventDefault();
        const file = event.dataTransfer?.files[0];
        if (kind === "drop" && file && !this.state.hello?.watch_only) this.#loadFile(file);
      });
    }
    addEventListener("paste", (event) => {
      if (targetOf(event).closest?.("textarea, input") || this.state.hello?.watch_only) return;
      this.#read(event.clipboardData.getData("text"));
    });
  }

  // --- pictures ---------------------------------------------------------------------------------

  async image(kind) {
    const { layout, game, view } = this.state;
    const name = `${layout.game}-${game.id.slice(0, 6)}`;
    const notation = view.notation in layout.notations ? view.notation : layout.lettering;
    const address = pictureAddress({ ...game, game: layout.game, size: layout.size, theme: view.board,
      notation: view.coordinates ? notation : "", labels: view.numbers ? game.numbers : {},
      crosses: view.forbidden ? game.forbidden.map(([place]) => place) : [] });
    if (kind === "svg") {
      download(`${name}.svg`, address);
      return;
    }
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = element("canvas", { width: 2 * image.width, height: 2 * image.height });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    download(`${name}.png`, canvas.toDataURL("image/png"));
  }
}

function download(name, href) {
  const link = element("a", { download: name, href });
  document.body.append(link);
  link.click();
  link.remove();
}
