// The page: its parts, and what passes between them.

import { Actions } from "./actions.js";
import { Analysis } from "./study/analysis.js";
import { Connection, LOST, socketOf } from "./server/connection.js";
import { Dialogs } from "./server/dialogs.js";
import { byId, counted, element, fieldById, inWords, text } from "./dom.js";
import { Explorer } from "./study/explorer.js";
import { GameList } from "./server/gamelist.js";
import { THREAT_WORDS } from "./server/help.js";
import { languageOf, speak } from "./server/language.js";
import { LessonPanel, keptScore } from "./lesson/lesson.js";
import { adapted } from "./game/levels.js";
import { Marks } from "./game/marks.js";
import { Notices } from "./server/notices.js";
import { OpeningButtons, inNames } from "./game/opening.js";
import { Brushes, Comment, Panel, announcement } from "./game/panel.js";
import { SAYS } from "./study/reviewtexts.js";
import { Routes } from "./server/routes.js";
import { PracticePanel } from "./study/practice.js";
import { Proved } from "./study/proved.js";
import { PuzzlePage } from "./study/puzzlepage.js";
import { ReviewPanel } from "./study/review.js";
import { rulesPage } from "./game/rules.js";
import { Sounds, soundOf } from "./server/sound.js";
import { Stage } from "./game/stage.js";
import { START, Store, lookingBack } from "./state.js";
import { keep, kept, paint } from "./server/view.js";
import { TournamentPage } from "./lesson/watch.js";

const PAGES = ["game-page", "list-page", "puzzles-page", "tournament-page", "rules-page"];

await speak(languageOf(kept(localStorage).language, navigator.languages));
const store = new Store({ ...START, view: kept(localStorage), score: keptScore(sessionStorage) });
const notices = new Notices(), dialogs = new Dialogs(), sounds = new Sounds();
const connection = new Connection(socketOf(location.href), hear, (trouble) => {
  if (trouble !== lost) notices.banner(trouble);
  if (trouble) dialogs.lost();
  lost = trouble;
});
const actions = new Actions({ store, say, notices, dialogs, choose, focus: () => stage.focus(),
  puzzleKey: (key) => puzzles.act(key) });
const puzzles = new PuzzlePage({ store, say, notices, choose });
const stage = new Stage((place) => actions.press(place), (to) => actions.walk(to));
const panel = new Panel((node) => actions.goto(node), (what) => actions.end(what));
const tournament = new TournamentPage();
const parts = [stage, panel, puzzles, tournament, new Comment(say),
  new Brushes((colour) => actions.brush(colour), (side) => actions.turn(side), () => actions.setUp()),
  new Marks({ mark: (from, to) => actions.mark(from, to), pick: (kind) => actions.tool(kind),
    wipe: () => actions.wipe(), done: () => actions.marks() }),
  new OpeningButtons((action) => actions.open(action), () => actions.clear()),
  new Analysis((line) => actions.press(line[0]), (line) => actions.look(line), () => say("stop")),
  new ReviewPanel((row) => actions.explain(row)), new PracticePanel(),
  new LessonPanel({ say, storage: sessionStorage, notices, follow: followLesson, goto: (node) => actions.goto(node) }),
  new Proved((node) => say("proved", { node }), (place) => actions.press(place), () => actions.solve()),
  new Explorer((node) => say("explore", { node }), (places) => actions.follow(places)),
  new GameList((game) => actions.discard(game), (words) => actions.search(words))];
const routes = new Routes((asked) => {
  dialogs.close();
  follow(asked);
});
let lost = "", drawing = false, watching = false;

function say(what, fields) {
  const sent = connection.say(what, fields);
  if (!sent) notices.banner(LOST);
  return sent;
}

function choose(key, value) {
  keep(localStorage, key, value);
  if (key === "language") location.reload(); // texts that stand there already were English once
  store.set({ view: { ...store.state.view, [key]: value } });
  paint(store.state.view);
}

// The page shows what the lesson shows from now on.
function followLesson() {
  if (routes.asked().to === "lesson") follow({ to: "lesson" });
  else location.hash = "lesson";
}

// What the address asks for.
function follow(asked) {
  if (store.state.follows !== (asked.to === "lesson")) store.set({ follows: asked.to === "lesson" });
  if (watching && asked.to !== "watch") say("unwatch");
  watching = asked.to === "watch";
  if (asked.to === "watch" && asked.play !== null) {
    say("replay", { tournament: asked.tournament, game: asked.play });
  } else if (asked.to === "watch") {
    tournament.clear(asked.tournament);
    store.set({ page: "tournament-page", tournament: null });
    say("watch", { tournament: asked.tournament });
  } else if (asked.to === "lesson") {
    say("follow", { ticket: store.state.score.ticket });
  } else if (asked.to === "games") {
    say("games", { search: fieldById("search").value });
  } else if (asked.to === "puzzles") {
    puzzles.ask(false);
  } else if (asked.to === "rules") {
    byId("rules-page").replaceChildren(...rulesPage(asked.name, store.state.hello.games.map(({ name }) => name)));
    store.set({ page: "rules-page" });
  } else if (asked.to === "game") {
    const { game } = store.state; // after a connection that was lost, the page shows what it showed
    const node = asked.node ?? (game?.id === asked.id && lookingBack(game) ? game.cursor : null);
    say("open", { id: asked.id, ...(node === null ? {} : { node }) });
  } else {
    say("start");
  }
}

// What is done at a message, beside taking it in.
const EFFECTS = {
  hello(message) {
    document.body.classList.toggle("watch-only", message.watch_only);
    byId("new-game").hidden = message.watch_only;
    byId("show-tournament").hidden = message.tournaments.length === 0;
    const chosen = fieldById("analyst").value || "alphabeta";
    byId("analyst").replaceChildren(...Object.keys(message.players).filter((name) => name !== "random")
      .map((name) => element("option", { value: name, selected: name === chosen }, name)));
    if (message.watch_only && message.lesson && routes.asked().to === "start") history.replaceState(null, "", "#lesson");
    follow(routes.asked());
  },
  game(message) {
    if (store.state.page === "game-page") routes.shown(message);
  },
  refused({ text: words, place, field }) {
    routes.refused();
    const text = field === "opening" ? inNames(words, store.state.layout, (point) => actions.nameOf(point)) : words;
    const [board, names] = store.state.page === "puzzles-page" ? [puzzles.stage, puzzles] : [stage, actions];
    const box = place === null ? null : board.refuse(place);
    if (box) {
      notices.speak(text);
      notices.at(box, `${names.nameOf(place)}: ${text}`);
    } else {
      notices.banner(text, 5000);
    }
    if (place === null && !store.state.game && store.state.page === "game-page") say("start");
  },
  review({ whole, status }) {
    if (whole && !status) notices.banner(SAYS.dropped, 6000);
  },
  judge: () => actions.playOut(),
  puzzle: () => puzzles.announce(),
  attempt: () => puzzles.playOut(),
  notice: ({ text }) => notices.banner(text, 8000),
  hint: ({ hint }) => notices.speak(`Hint: ${actions.nameOf(hint)}`),
  threats({ shapes, rules }) {
    if (!shapes.length && !Object.keys(rules).length) notices.banner("No threats here.", 3000);
  },
  discarded() {
    if (store.state.game || store.state.page !== "game-page") return;
    notices.banner("This game was removed.", 4000);
    say("start");
  },
  removed({ count, token }) {
    notices.banner(`${counted(count, "position")} deleted.`, 15000, ["Undo", () => say("restore", { token })]);
  },
  saved: (message) => actions.saved(message),
  copied: (message) => actions.copied(message),
};

function hear(message) {
  if (dialogs.hear(message)) return;
  store.hear(message, performance.now());
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
    notices.speak(byId(state.page).getAttribute("aria-label"));
  }
  if (state.tab !== before.tab) panel.tab(state.tab);
  if (state.preparing !== before.preparing) prepare(state.preparing);
  if (state.game && before.game?.id === state.game.id && (state.game.cursor !== before.game.cursor
    || state.game.opening?.words !== before.game.opening?.words)) {
    notices.speak(announcement(state));
  }
  const sound = soundOf(state, before);
  if (sound) sounds.play(sound);
  const after = state.ended && !before.ended ? adapted(state) : null;
  if (after) {
    notices.banner(after.words, 8000);
    choose("suits", after.suits);
  }
});

function prepare(seconds) {
  const words = seconds === null ? ""
    : `Machine code is being made, once on this computer: ${Math.round(seconds)} s.  You can play already.`;
  byId("preparing").hidden = seconds === null;
  text(byId("preparing"), words);
}

paint(store.state.view);
panel.tab(store.state.tab);
text(byId("threat-legend"), THREAT_WORDS);
actions.listen();
