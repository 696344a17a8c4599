// The page: its parts, and the messages between them.

import { Actions } from "./actions.js";
import { Analysis } from "./study/analysis.js";
import { CollectionList } from "./study/collection.js";
import { Connection, LOST, socketOf } from "./server/connection.js";
import { Dialogs } from "./server/dialogs.js";
import { byId, counted, element, fieldById, inWords, text } from "./dom.js";
import { Explorer } from "./study/explorer.js";
import { GameList } from "./server/gamelist.js";
import { THREAT_WORDS } from "./server/help.js";
import { languageOf, setLanguage } from "./server/language.js";
import { LessonPanel, loadScore } from "./lesson/lesson.js";
import { levelAfterGame } from "./game/levels.js";
import { Marks } from "./game/marks.js";
import { Notices } from "./server/notices.js";
import { OpeningButtons, inNames } from "./game/opening.js";
import { Brushes, Comment, Panel, announcement } from "./game/panel.js";
import { ProofPanel } from "./study/proofpanel.js";
import { REVIEW } from "./study/reviewtexts.js";
import { Routes } from "./server/routes.js";
import { PracticePanel } from "./study/practice.js";
import { PuzzlePage } from "./study/puzzlepage.js";
import { ReviewPanel } from "./study/review.js";
import { rulesPage } from "./game/rules.js";
import { Sounds, soundOf } from "./server/sound.js";
import { Stage } from "./game/stage.js";
import { START, Store, lookingBack } from "./state.js";
import { loadView, paint, saveChoice } from "./server/view.js";
import { TrainingPanel } from "./study/training.js";
import { TournamentPage } from "./lesson/watch.js";

const PAGES = ["game-page", "list-page", "puzzles-page", "tournament-page", "rules-page"];

await setLanguage(languageOf(loadView(localStorage).language, navigator.languages));
const store = new Store({ ...START, view: loadView(localStorage), score: loadScore(sessionStorage) });
const notices = new Notices(), dialogs = new Dialogs(), sounds = new Sounds();
const connection = new Connection(socketOf(location.href), onMessage, (trouble) => {
  if (trouble !== lost) notices.banner(trouble);
  if (trouble) dialogs.onConnectionLost();
  lost = trouble;
});
const actions = new Actions({ store, send, notices, dialogs, choose, focus: () => stage.focus(),
  puzzleKey: (key) => puzzles.actionOf(key) });
const { game: play, study, page } = actions;
const puzzles = new PuzzlePage({ store, send, notices, choose });
const stage = new Stage((place) => play.press(place), (to) => play.walk(to));
const panel = new Panel((node) => play.goto(node), (what) => play.end(what));
const tournament = new TournamentPage();
const parts = [stage, panel, puzzles, tournament, new Comment(send),
  new Brushes((colour) => play.brush(colour), (side) => play.turn(side), () => play.setUp()),
  new Marks({ mark: (from, to) => play.mark(from, to), pick: (kind) => play.tool(kind),
    wipe: () => play.wipe(), done: () => play.marks() }),
  new OpeningButtons((action) => play.open(action), () => play.clear()),
  new Analysis((line) => play.press(line[0]), (line) => study.look(line), () => send("stop")),
  new ReviewPanel((row) => study.explain(row)), new PracticePanel(), new TrainingPanel(),
  new LessonPanel({ send, storage: sessionStorage, notices, follow: followLesson, goto: (node) => play.goto(node) }),
  new ProofPanel((node) => send("proved", { node }), (place) => play.press(place), () => study.solve(),
    () => store.set({ plies: true })),
  new Explorer((node) => send("explore", { node }), (places) => play.follow(places)),
  new CollectionList((node, words, skip) => send("collected", { node, words, skip }),
    ({ collection, id }) => send("open_collected", { collection, id })),
  new GameList((game) => page.discard(game), (words) => page.search(words))];
const routes = new Routes((target) => {
  dialogs.close();
  follow(target);
});
let lost = "", drawing = false, watching = false;

function send(what, fields) {
  const sent = connection.send(what, fields);
  if (!sent) notices.banner(LOST);
  return sent;
}

function choose(key, value) {
  saveChoice(localStorage, key, value);
  if (key === "language") location.reload(); // the English texts are gone from a translated page
  store.set({ view: { ...store.state.view, [key]: value } });
  paint(store.state.view);
}

// Let the page follow the lesson.
function followLesson() {
  if (routes.target().to === "lesson") follow({ to: "lesson" });
  else location.hash = "lesson";
}

// Go to the target of an address.
function follow(target) {
  if (store.state.follows !== (target.to === "lesson")) store.set({ follows: target.to === "lesson" });
  if (watching && target.to !== "watch") send("unwatch");
  watching = target.to === "watch";
  if (target.to === "watch" && target.play !== null) {
    send("replay", { tournament: target.tournament, game: target.play });
  } else if (target.to === "watch") {
    tournament.clear(target.tournament);
    store.set({ page: "tournament-page", tournament: null });
    send("watch", { tournament: target.tournament });
  } else if (target.to === "lesson") {
    send("follow", { ticket: store.state.score.ticket });
  } else if (target.to === "games") {
    send("games", { search: fieldById("search").value });
  } else if (target.to === "puzzles") {
    puzzles.ask(false);
  } else if (target.to === "rules") {
    byId("rules-page").replaceChildren(...rulesPage(target.name, store.state.hello.games.map(({ name }) => name)));
    store.set({ page: "rules-page" });
  } else if (target.to === "game") {
    const { game } = store.state; // after a reconnection the page stays at its position
    const node = target.node ?? (game?.id === target.id && lookingBack(game) ? game.cursor : null);
    send("open", { id: target.id, ...(node === null ? {} : { node }) });
  } else {
    send("start");
  }
}

// The effects of messages beside their change of the state.
const EFFECTS = {
  hello(message) {
    document.body.classList.toggle("watch-only", message.watch_only);
    byId("new-game").hidden = message.watch_only;
    byId("show-tournament").hidden = message.tournaments.length === 0;
    const chosen = fieldById("analyst").value || "alphabeta";
    byId("analyst").replaceChildren(...Object.keys(message.players).filter((name) => name !== "random")
      .map((name) => element("option", { value: name, selected: name === chosen }, name)));
    if (message.watch_only && message.lesson && routes.target().to === "start") history.replaceState(null, "", "#lesson");
    follow(routes.target());
  },
  game(message) {
    if (store.state.page === "game-page") routes.onGame(message);
  },
  refused({ text: words, place, field }) {
    routes.onRefusal();
    const text = field === "opening" ? inNames(words, store.state.layout, (point) => play.nameOf(point)) : words;
    const [board, names] = store.state.page === "puzzles-page" ? [puzzles.stage, puzzles] : [stage, play];
    const box = place === null ? null : board.refuse(place);
    if (box) {
      notices.announce(text);
      notices.at(box, `${names.nameOf(place)}: ${text}`);
    } else {
      notices.banner(text, 5000);
    }
    if (place === null && !store.state.game && store.state.page === "game-page") send("start");
  },
  review({ whole, status }) {
    if (whole && !status) notices.banner(REVIEW.dropped, 6000);
  },
  judge: () => study.playOut(),
  puzzle: () => puzzles.announce(),
  attempt: () => puzzles.playOut(),
  notice: ({ text }) => notices.banner(text, 8000),
  hint: ({ hint }) => notices.announce(`Hint: ${play.nameOf(hint)}`),
  threats({ shapes, rules }) {
    if (!shapes.length && !Object.keys(rules).length) notices.banner("No threats here.", 3000);
  },
  discarded() {
    if (store.state.game || store.state.page !== "game-page") return;
    notices.banner("This game was deleted.", 4000);
    send("start");
  },
  removed({ count, token }) {
    notices.banner(`${counted(count, "position")} deleted.`, 15000, ["Undo", () => send("restore", { token })]);
  },
  saved: (message) => page.download(message),
  copied: (message) => page.copyText(message),
};

function onMessage(message) {
  if (dialogs.onMessage(message)) return;
  store.receive(message, performance.now());
  EFFECTS[message.do]?.(message);
}

function draw() {
  drawing = false;
  for (const part of parts) part.draw(store.state);
  const heading = byId(store.state.page).querySelector("h2").textContent.trim();
  const name = store.state.page === "game-page" ? store.state.game?.title : heading;
  document.title = name ? `${inWords(name)} – gtp_engine` : "gtp_engine";
}

store.watch((state, before) => {
  if (!drawing) requestAnimationFrame(draw);
  drawing = true;
  if (state.page !== before.page) {
    for (const each of PAGES) byId(each).hidden = each !== state.page;
    notices.announce(byId(state.page).getAttribute("aria-label"));
  }
  if (state.tab !== before.tab) panel.tab(state.tab);
  if (state.preparing !== before.preparing) prepare(state.preparing);
  if (state.game && before.game?.id === state.game.id && (state.game.cursor !== before.game.cursor
    || state.game.opening?.words !== before.game.opening?.words)) {
    notices.announce(announcement(state));
  }
  const sound = soundOf(state, before);
  if (sound) sounds.play(sound);
  const after = state.ended && !before.ended ? levelAfterGame(state) : null;
  if (after) {
    notices.banner(after.words, 8000);
    choose("suits", after.suits);
  }
});

function prepare(seconds) {
  const words = seconds === null ? ""
    : `Compiling the engine, only once on this computer: ${Math.round(seconds)} s.  You can already play.`;
  byId("preparing").hidden = seconds === null;
  text(byId("preparing"), words);
}

paint(store.state.view);
panel.tab(store.state.tab);
text(byId("threat-legend"), THREAT_WORDS);
actions.listen();
