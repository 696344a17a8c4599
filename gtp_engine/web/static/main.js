// The page: what the server says goes to the parts, what the user does goes to the server.

import { FlatBoards } from "./board.js";
import { Connection } from "./connection.js";
import { Cube } from "./cube.js";
import { Seats, ask, choice, field } from "./dialogs.js";
import { attribute, byId, element, percent, preferences, text, titleOf } from "./dom.js";
import { drawValues } from "./graph.js";
import { marksOf, sceneOf } from "./scene.js";
import { Lines, Moves, lineThrough, treeOf } from "./tree.js";
import { TournamentPage } from "./watch.js";

const COLOURS = [null, "black", "white"];
const SMALL = 13; // boards from this size on have points that are smaller than a finger
let hello = null, layout = null, game = null, nodes = new Map();
let boards = [], analysis = null, thinking = null, threats = null, proof = null;
let shownLine = null, hint = null, brush = null, aimed = null, clockFrom = 0, page = "game-page", watching = null;

const lines = new Lines(byId("best"), (line) => press(line[0]), (line) => {
  shownLine = line;
  drawBoard();
});
const moves = new Moves(byId("moves"), (node) => say("goto", { node }));
const tournament = new TournamentPage((number) => { location.hash = `watch=${watching}&play=${number}`; });
const connection = new Connection(hear, (connected) => {
  banner(connected ? "" : "The connection is lost; trying again ...");
});

function say(what, fields) {
  const sent = connection.say(what, fields);
  if (!sent) banner("The connection is lost; trying again ...");
  return sent;
}

// --- what the server says -----------------------------------------------------------------------

const HEARD = {
  hello(message) {
    hello = message;
    document.body.classList.toggle("watch-only", hello.watch_only);
    byId("new-game").hidden = hello.watch_only;
    byId("show-tournament").hidden = hello.tournaments.length === 0;
    byId("analyst").replaceChildren(...Object.keys(hello.players).filter((name) => name !== "random")
      .map((name) => element("option", { value: name, selected: name === "alphabeta" }, name)));
    route();
  },
  layout(message) {
    layout = message;
    game = null;
    analysis = thinking = threats = proof = shownLine = hint = brush = aimed = null;
    makeBoards();
    open("game-page");
  },
  game(message) {
    const before = game;
    game = message;
    if (message.nodes) nodes = treeOf(message.nodes);
    if (before?.cursor !== game.cursor || before?.cells !== game.cells) {
      thinking = threats = proof = shownLine = hint = aimed = null;
      if (before) announce(before);
    }
    if (analysis && (analysis.node !== game.cursor || !game.analysing)) analysis = null;
    clockFrom = performance.now() - 1000 * game.elapsed;
    if (page !== "game-page") return;
    if (!game.watching && location.hash !== `#game=${game.id}`) {
      history.replaceState(null, "", `#game=${game.id}`);
    }
    draw(message.nodes !== undefined);
  },
  thinking(message) {
    if (message.node !== game?.cursor) return;
    thinking = message.report;
    drawBoard();
    drawStatus();
  },
  analyse(message) {
    if (message.node !== game?.cursor) return;
    analysis = message;
    drawBoard();
    drawAnalysis();
  },
  analysed() {},
  value(message) {
    const node = nodes.get(message.node);
    if (node) node.value = message.value;
    drawGraph();
  },
  threats(message) {
    if (message.node !== game?.cursor) return;
    threats = marksOf(message, colourWord);
    if (!threats.size) speak("No threats here.");
    drawBoard();
    drawAnalysis();
  },
  hint(message) {
    if (message.node !== game?.cursor) return;
    hint = message.hint;
    speak(`Hint: ${nameOf(hint)}`);
    drawBoard();
    drawStatus();
  },
  solve(message) {
    if (message.node !== game?.cursor) return;
    proof = message.solved;
    drawProof();
  },
  refused(message) {
    speak(message.text);
    if (message.place === null || !boards.length) banner(message.text, 4000);
    else refuse(message);
    if (message.place === null && !game && page === "game-page") say("start", {});
  },
  notice(message) { banner(message.text, 8000); },
  games(message) { drawGames(message); },
  discarded(message) {
    if (game?.id !== message.id) return;
    game = null;
    if (page === "game-page") {
      banner("This game was removed.", 4000);
      say("start", {});
    }
  },
  saved(message) {
    const link = element("a", { download: message.name,
      href: `data:application/x-go-sgf;base64,${message.data}` });
    document.body.append(link);
    link.click();
    link.remove();
  },
  copied(message) {
    const rows = message.rows.map((row) => [...row].join(" ")).join("\n");
    byId("text").value = rows;
    navigator.clipboard?.writeText(rows).then(
      () => banner("The position is copied.", 2500), () => banner("Copy it from the field.", 4000));
  },
  tournament(message) {
    if (page === "tournament-page") {
      tournament.show(message, hello.games.filter((each) => each.cube).map((each) => each.name));
    }
  },
};

function hear(message) {
  HEARD[message.do]?.(message);
}

// --- pages --------------------------------------------------------------------------------------

function route() {
  const told = new URLSearchParams(location.hash.slice(1));
  if (watching !== null && !told.has("watch")) {
    watching = null;
    say("unwatch", {});
  }
  if (told.has("watch")) {
    watching = Number(told.get("watch"));
    if (told.has("play")) {
      say("replay", { tournament: watching, game: Number(told.get("play")) });
    } else {
      open("tournament-page");
      tournament.clear();
      say("watch", { tournament: watching });
    }
  } else if (told.has("games")) {
    say("games", {});
  } else if (told.has("game")) {
    if (game?.id === told.get("game") && page === "game-page" && boards.length && !reconnected()) return;
    say("open", { id: told.get("game") });
  } else {
    say("start", {});
  }
}

let routed = null;
function reconnected() {
  const same = routed === connection.socket;
  routed = connection.socket;
  return !same;
}

function open(id) {
  page = id;
  for (const each of ["game-page", "list-page", "tournament-page"]) byId(each).hidden = each !== id;
}

let bannerTimer = 0;
function banner(words, milliseconds = 0) {
  clearTimeout(bannerTimer);
  text(byId("banner"), words);
  byId("banner").hidden = !words;
  if (words && milliseconds) bannerTimer = setTimeout(() => banner(""), milliseconds);
}

// Say at the point itself why a move was refused.
let refusalTimer = 0;
function refuse({ place, text: words }) {
  boards.forEach((board) => board.refuse(place));
  const box = boards.at(-1).points.buttons[place].getBoundingClientRect();
  const note = byId("refusal");
  text(note, `${nameOf(place)}: ${words}`);
  note.hidden = false;
  const left = box.left + box.width / 2 + scrollX - note.offsetWidth / 2;
  note.style.left = `${Math.max(4, Math.min(left, innerWidth - note.offsetWidth - 4))}px`;
  note.style.top = `${Math.max(4, box.top + scrollY - note.offsetHeight - 4)}px`;
  clearTimeout(refusalTimer);
  refusalTimer = setTimeout(() => { note.hidden = true; }, 2500);
}

function speak(words) {
  text(byId("announce"), words);
}

// --- the board ----------------------------------------------------------------------------------

function makeBoards() {
  const kind = layout.cube ? preferences.cube ?? "both" : "flat";
  boards = [];
  if (kind !== "flat") boards.push(new Cube(layout, press));
  if (kind !== "cube") boards.push(new FlatBoards(layout, press));
  byId("boards").replaceChildren(...boards.map((board) => board.element));
  byId("boards").dataset.kind = kind;
  attribute(document.body, "data-cube", layout.cube);
}

function press(place) {
  if (!game || game.watching) return;
  if (brush) {
    if (brush.colour !== null) say("setup", { stones: [[brush.colour, place]], side: null });
    return;
  }
  if (layout.size >= SMALL && matchMedia("(pointer: coarse)").matches && aimed !== place
    && preferences.twice !== false) {
    aimed = place;
    speak(`Tap again to play ${nameOf(place)}`);
    drawBoard();
    drawStatus();
    return;
  }
  say("play", { point: place });
}

function notation() {
  const known = Object.keys(layout.notations);
  const wanted = preferences.notation;
  return layout.notations[known.includes(wanted) ? wanted : known[0]];
}

const nameOf = (place) => notation().names[place];
const colourWord = (colour) => layout.colours[COLOURS[colour]];

// --- drawing ------------------------------------------------------------------------------------

function draw(treeChanged) {
  if (!game) return;
  drawBoard();
  drawPlayers();
  drawStatus();
  if (treeChanged) moves.draw(nodes, notation().names);
  moves.mark(game.cursor);
  drawComment();
  drawGraph();
  drawAnalysis();
  drawProof();
  brushes();
}

let drawing = false;
function drawBoard() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    if (!game || !layout) return;
    const shown = sceneOf({ layout, game, notation: notation(), analysis, thinking, threats, shownLine,
      hint, brush, aimed });
    boards.forEach((board) => board.update(shown));
  });
}

function drawPlayers() {
  text(byId("title"), titleOf(layout));
  document.title = `${game.title} – gtp_engine`;
  const order = layout.first === 1 ? ["black", "white"] : ["white", "black"];
  order.forEach((colour, i) => {
    const seat = game.seats[colour];
    const number = COLOURS.indexOf(colour);
    const box = byId(i ? "player-second" : "player-first");
    const captured = layout.captures ? `${game.captured[number - 1]} of ${layout.captures} captured` : "";
    const turn = game.side === number && !game.over;
    box.className = `player ${turn ? "turn" : ""}`;
    box.replaceChildren(element("span", { class: `dot ${colour}`, role: "img",
      "aria-label": layout.colours[colour] }),
    element("span", { class: "name" }, seat.player === "person" ? "you" : seat.name),
    element("span", { class: "captured" }, captured),
    element("span", { class: "clock", "data-colour": number }, clockText(number)));
  });
}

function clockText(colour) {
  let left = game.left[colour - 1] ?? null;
  if (left === null && game.control.per_move !== null) left = game.control.per_move;
  if (left === null) return "";
  if (game.running === colour) left -= (performance.now() - clockFrom) / 1000;
  left = Math.max(0, left);
  const minutes = Math.floor(left / 60), seconds = left - 60 * minutes;
  return left < 20 ? left.toFixed(1) : `${minutes}:${String(Math.floor(seconds)).padStart(2, "0")}`;
}

setInterval(() => {
  if (!game || page !== "game-page") return;
  for (const clock of document.querySelectorAll(".clock[data-colour]")) {
    text(clock, clockText(Number(clock.dataset.colour)));
  }
}, 100);

function drawStatus() {
  text(byId("status"), statusText());
  text(byId("depth"), thinking?.figures.depth ? `depth ${thinking.figures.depth}` : "");
  const root = game.cursor === 0;
  const leaf = nodes.get(game.cursor)?.children.length === 0;
  byId("first").disabled = byId("previous").disabled = root;
  byId("next").disabled = byId("last").disabled = leaf;
  const persons = Object.values(game.seats).filter((seat) => seat.player === "person").length;
  const own = !game.watching;
  const looking = game.cursor !== game.live;
  const clock = game.control.per_move !== null || game.control.per_game !== null;
  byId("live").hidden = !looking;
  byId("continue").hidden = !own || (game.playing && !looking) || (game.over && game.row.length > 0);
  byId("pause").hidden = !own || looking || !game.playing || Boolean(game.over)
    || (persons === 2 && !clock);
  byId("move-now").hidden = !own || !game.waiting || game.waiting === "you";
  byId("undo").disabled = root;
  byId("resign").disabled = !game.playing || Boolean(game.over) || persons === 0;
  byId("hint").disabled = byId("solve").disabled = Boolean(game.over);
  attribute(byId("set-up"), "aria-pressed", brush ? "true" : "false");
  document.body.classList.toggle("watching", Boolean(game.watching));
  byId("remove").disabled = byId("promote").disabled = root;
}

function statusText() {
  if (aimed !== null) return `Tap again to play ${nameOf(aimed)}`;
  if (game.cursor !== game.live) return "Looking back; the game goes on.";
  if (game.over) {
    const { winner, text: how } = game.over;
    return winner ? `${capital(colourWord(winner))} wins: ${how}` : `A draw: ${how}`;
  }
  if (brush) return "Set up: choose a stone, then click on points.";
  const side = capital(colourWord(game.side));
  if (hint !== null) return `Hint: ${nameOf(hint)}`;
  if (game.swap !== null) return `${side} to move; the stone on ${nameOf(game.swap)} may be taken`;
  if (game.waiting === "you") return `${side} to move: your turn`;
  if (game.waiting) {
    return `${side} is thinking ...`;
  }
  return game.watching ? `${side} to move` : `${side} to move; nobody answers: analysis`;
}

const capital = (words) => words[0].toUpperCase() + words.slice(1);

function announce(before) {
  if (before.cursor === game.cursor) return;
  const move = nodes.get(game.cursor)?.move;
  const words = move && move[1] >= 0 ? `${colourWord(move[0])} ${nameOf(move[1])}. ` : "";
  speak(words + statusText());
}

function drawGraph() {
  if (!game) return;
  const line = lineThrough(nodes, game.cursor);
  const values = line.map((number) => nodes.get(number).value ?? null);
  drawValues(byId("graph"), values, line.indexOf(game.cursor), (i) => say("goto", { node: line[i] }));
  const value = nodes.get(game.cursor)?.value ?? null;
  text(byId("graph-text"), value === null ? `Value for ${layout.colours.black} over the game`
    : `${capital(layout.colours.black)}: ${percent(value)} %`);
}

function drawAnalysis() {
  attribute(byId("analyse"), "aria-pressed", game.analysing ? "true" : "false");
  attribute(byId("threats"), "aria-pressed", threats ? "true" : "false");
  if (!analysis) {
    text(byId("figures"), game.analysing && !game.over ? "looking at the position ..." : " ");
    lines.show([], []);
    return;
  }
  const { report, seconds } = analysis;
  const { depth, nodes: count, ...rest } = report.figures;
  const figures = [depth ? `depth ${depth}` : "", count ? `${count.toLocaleString("en")} moves` : "",
    count && seconds > 0.05 ? `${Math.round(count / seconds / 1000).toLocaleString("en")} k/s` : "",
    `${seconds.toFixed(1)} s`, rest.plies_to_win ? `wins in ${rest.plies_to_win} plies` : "",
    rest.plies_to_loss ? `loses in ${rest.plies_to_loss} plies` : ""];
  text(byId("figures"), figures.filter(Boolean).join(", "));
  lines.show(Object.entries(report.values).map(([place, value]) => [Number(place), value])
    .sort((a, b) => (report.playouts[b[0]] ?? 0) - (report.playouts[a[0]] ?? 0) || b[1] - a[1]
      || (b[0] === report.line[0]) - (a[0] === report.line[0]) || a[0] - b[0])
    .slice(0, Number(byId("lines").value) || 5)
    .map(([place, value]) => ({ value: `${percent(value)} %`,
      line: place === report.line[0] ? report.line : report.lines[place] ?? [place] })),
  notation().names);
}

function drawProof() {
  const parts = [];
  if (game.asked.includes("solve")) {
    if (byId("proof").querySelector("progress")) return;
    parts.push(element("p", {}, "Looking for a proof, up to 20 seconds ... "),
      element("progress", { "aria-label": "Looking for a proof" }),
      element("button", { click: () => say("stop", {}) }, "Stop"));
  } else if (proof) {
    const { winner, move, line, threats: made } = proof;
    let words = "No proof was found.";
    if (winner === 0) words = "Proved: with best play it is a draw.";
    else if (winner) {
      words = `Proved: ${colourWord(winner)} wins${move !== null ? ` with ${nameOf(move)}` : ""}`;
      words += line.length > 1 ? ", because:" : ", whatever the answer.";
    }
    parts.push(element("p", {}, words));
    if (line.length > 1) {
      parts.push(element("ol", { class: "why" }, ...line.map((place, i) => {
        const goals = made[i].map(nameOf).join(" and ");
        const side = i % 2 ? 3 - game.side : game.side;
        let reason = goals ? `threatens ${goals}` : "";
        if (i === line.length - 1) reason = "wins";
        else if (made[i].length > 1) reason = `threatens ${goals}: only one can be stopped`;
        return element("li", {}, `${colourWord(side)} ${nameOf(place)} ${reason}`);
      })));
      parts.push(element("button", { click: () => { shownLine = line; drawBoard(); } },
        "Show it on the board"));
    }
  }
  byId("proof").replaceChildren(...parts);
}

function drawGames(message) {
  open("list-page");
  document.title = "Games – gtp_engine";
  text(byId("list-note"), message.count > message.games.length
    ? `The last ${message.games.length} of ${message.count} games` : `${message.count} games`);
  byId("games").tBodies[0].replaceChildren(...message.games.map((each) => {
    const remove = hello.watch_only ? "" : element("button", { "aria-label": `Remove ${each.title}`,
      click: () => discard(each) }, "✕");
    return element("tr", {}, element("th", { scope: "row" },
      element("a", { href: `#game=${each.id}` }, each.title)),
    ...[titleOf(each), each.plies, each.result, new Date(1000 * each.begun).toLocaleString()]
      .map((words) => element("td", {}, String(words))), element("td", {}, remove));
  }));
}

// --- what the user does -------------------------------------------------------------------------

function walk(to) {
  const line = lineThrough(nodes, game.cursor);
  const at = line.indexOf(game.cursor);
  const index = { first: 0, previous: at - 1, next: at + 1, last: line.length - 1 }[to];
  if (index >= 0 && index < line.length && index !== at) say("goto", { node: line[index] });
}

async function discard(each) {
  const sure = await ask("Remove this game?", element("p", {},
    `${each.title}, ${each.plies} moves.  It cannot be had back.`), () => true, "Remove");
  if (sure) say("discard", { id: each.id });
}

async function newGame() {
  const last = preferences.newGame ?? {};
  const games = choice("game", hello.games.map((each) => each.name), last.game ?? layout?.game ?? "Gomoku");
  const size = element("input", { id: "size", type: "number", value: last.size ?? 15 });
  const range = element("small", {});
  const fit = (reset) => {
    const chosen = hello.games.find((each) => each.name === games.value);
    Object.assign(size, { min: chosen.smallest, max: chosen.largest, step: chosen.cube ? 2 : 1 });
    if (reset || size.value < chosen.smallest || size.value > chosen.largest) {
      size.value = chosen.name === "Gomoku" ? 15 : chosen.default;
    }
    size.disabled = chosen.smallest === chosen.largest;
    seats.name(chosen.cube);
    text(range, `${chosen.smallest} to ${chosen.largest}`);
    size.closest("label").hidden = size.disabled;
  };
  const person = { player: "person", settings: {} };
  const program = { player: "alphabeta", settings: { time: "1" } };
  const seats = new Seats(hello, { black: last.black ?? person, white: last.white ?? program },
    last.control ?? { per_move: null, per_game: null, increment: 0 });
  games.addEventListener("change", () => fit(true));
  const board = element("fieldset", {}, element("legend", {}, "Board"), field("Game", games),
    element("label", { class: "field" }, element("span", {}, "Size"), size, range));
  fit(false);
  const answer = await ask("New game", [board, seats.element], () => ({
    game: games.value, size: Number(size.value), ...seats.read() }), "Start");
  if (answer) {
    preferences.newGame = answer;
    say("new", answer);
  }
}

async function resign() {
  const sure = await ask("Resign?", element("p", {}, "The opponent wins then."), () => true, "Resign");
  if (sure) say("resign", {});
}

async function changePlayers() {
  const seats = new Seats(hello, game.seats, game.control);
  seats.name(layout.cube);
  const answer = await ask("Players and clock", seats.element, () => seats.read());
  if (answer) say("seats", answer);
}

async function viewOptions() {
  const known = layout ? Object.keys(layout.notations) : [];
  const box = (key, words, usual = true) => {
    const input = element("input", { type: "checkbox", id: `view-${key}`, checked: preferences[key] ?? usual,
      change: () => {
        preferences[key] = input.checked;
        drawBoard();
      } });
    return element("label", { class: "box" }, input, ` ${words}`);
  };
  const select = (key, words, values, usual, then) => {
    const input = choice(`view-${key}`, values, preferences[key] ?? usual);
    input.addEventListener("change", () => {
      preferences[key] = input.value;
      then();
    });
    return field(words, input);
  };
  const parts = [
    box("coordinates", "Coordinates"), box("numbers", "Numbers of moves on the stones", false),
    box("twice", "With a finger, tap twice on large boards"),
    box("heat", "Values of moves as colours"), box("ghosts", "The expected line as stones"),
    known.length ? select("notation", "Notation", known, known[0], () => draw(true)) : null,
    select("theme", "Colours", [["auto", "as the system has it"], "light", "dark"], "auto", theme),
  ];
  if (layout?.cube) {
    parts.push(select("cube", "Levels", [["both", "cube and levels"], ["cube", "cube"],
      ["flat", "levels side by side"]], "both", () => {
      makeBoards();
      drawBoard();
    }));
  }
  await ask("View", parts.filter(Boolean), null);
}

function theme() {
  const wanted = preferences.theme ?? "auto";
  attribute(document.documentElement, "data-theme", wanted === "auto" ? null : wanted);
}

function showHelp() {
  const keys = [["← → ↑ ↓", "on the board: to the next point; elsewhere: through the moves"],
    ["Enter", "play on that point"], ["H 8", "on the board: to the point of that name"],
    ["Page up, Page down", "to the next level of a cube"],
    ["Shift and arrows", "turn the cube"], ["B", "to the board"], ["N", "new game"], ["U", "undo"],
    ["I", "hint"], ["A", "analyse"], ["T", "threats"], ["P", "prove"], ["C", "continue or pause"],
    ["G", "games"], ["?", "this help"]];
  const table = element("table", { class: "keys" }, ...keys.map(([key, words]) => element("tr", {},
    element("th", { scope: "row" }, key), element("td", {}, words))));
  ask("Keys", [table, element("p", {}, `gtp_engine ${hello?.version ?? ""}`)], null);
}

function brushes() {
  if (!brush && byId("brushes").hidden) return;
  const kinds = [[1, colourWord(1)], [2, colourWord(2)], [0, "empty"]];
  const make = (label, chosen, pick) => element("button", { "aria-pressed": chosen ? "true" : "false",
    click: pick }, label);
  byId("brushes").replaceChildren(
    ...kinds.map(([colour, word]) => make(capital(word), brush?.colour === colour, () => {
      brush = { colour };
      brushes();
    })),
    ...[1, 2].map((side) => make(`${capital(colourWord(side))} to move`, game.side === side,
      () => say("setup", { stones: [], side }))),
    make("Done", false, toggleSetUp));
  byId("brushes").hidden = !brush;
  drawStatus();
  drawBoard();
}

function toggleSetUp() {
  brush = brush ? null : { colour: 1 };
  brushes();
}

function toggleAnalysis() {
  showTab("analysis");
  if (game.analysing) say("analyse", { player: null, settings: {} });
  else startAnalysis();
}

function startAnalysis() {
  const player = byId("analyst").value;
  const settings = player === "alphabeta" && hello.cores > 2
    ? { threads: String(Math.floor(hello.cores / 2)) } : {};
  say("analyse", { player, settings });
}

function toggleThreats() {
  showTab("analysis");
  if (threats) {
    threats = null;
    drawBoard();
    drawAnalysis();
  } else {
    say("ask", { what: "threats" });
  }
}

function prove() {
  showTab("analysis");
  proof = null;
  say("ask", { what: "solve" });
}

function showTab(name) {
  for (const each of ["moves", "analysis", "file"]) {
    byId(`${each}-panel`).hidden = each !== name;
    attribute(byId(`tab-${each}`), "aria-selected", each === name ? "true" : "false");
    attribute(byId(`tab-${each}`), "tabindex", each === name ? 0 : -1);
  }
}

async function loadFile(file) {
  if (file.size > 1 << 20) {
    banner("A file has at most a megabyte.", 4000);
    return;
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  say("load", { data: btoa(binary) });
}

// What is typed belongs to the game and the position of the box; it is kept before these change.
let commentTimer = 0;
function keepComment() {
  clearTimeout(commentTimer);
  const box = byId("comment");
  if (box.dataset.typed && say("comment", { id: box.dataset.game, node: Number(box.dataset.node),
    text: box.value })) delete box.dataset.typed;
}

function drawComment() {
  const box = byId("comment");
  if (box.dataset.game !== game.id || box.dataset.node !== String(game.cursor)) {
    keepComment();
    delete box.dataset.typed;
    Object.assign(box.dataset, { game: game.id, node: game.cursor });
  } else if (box.dataset.typed || document.activeElement === box) {
    return;
  }
  box.value = nodes.get(game.cursor)?.comment ?? "";
}

const CLICKS = {
  "new-game": newGame, "show-games": () => { location.hash = "games"; },
  "show-tournament": chooseTournament, "show-view": viewOptions, "show-help": showHelp,
  first: () => walk("first"), previous: () => walk("previous"), next: () => walk("next"),
  last: () => walk("last"), undo: () => say("undo", {}), resign,
  hint: () => say("ask", { what: "hint" }), players: changePlayers, "set-up": toggleSetUp,
  continue: () => say("continue", { playing: true }), pause: () => say("continue", { playing: false }),
  live: () => say("goto", { node: game.live }), "move-now": () => say("now", {}), analyse: toggleAnalysis, threats: toggleThreats, solve: prove,
  save: () => say("save", {}), load: () => byId("file").click(), copy: () => say("copy", {}),
  paste: () => say("paste", { text: byId("text").value }),
  promote: () => say("promote", { node: game.cursor }),
  remove: () => say("remove", { node: game.cursor }),
  "tab-moves": () => showTab("moves"), "tab-analysis": () => showTab("analysis"),
  "tab-file": () => showTab("file"),
};
for (const [id, act] of Object.entries(CLICKS)) byId(id).addEventListener("click", act);

async function chooseTournament() {
  let number = 0;
  if (hello.tournaments.length > 1) {
    const names = choice("tournament", hello.tournaments.map((name, i) => [String(i), name]), "0");
    number = await ask("Tournament", field("File", names), () => Number(names.value));
    if (number === null) return;
  }
  location.hash = `watch=${number}`;
}

byId("comment").addEventListener("input", () => {
  byId("comment").dataset.typed = "yes";
  clearTimeout(commentTimer);
  commentTimer = setTimeout(keepComment, 600);
});
byId("comment").addEventListener("blur", keepComment);
byId("analyst").addEventListener("change", () => { if (game?.analysing) startAnalysis(); });
byId("lines").addEventListener("input", () => drawAnalysis());
byId("file").addEventListener("change", (event) => {
  if (event.target.files[0]) loadFile(event.target.files[0]);
  event.target.value = "";
});
byId("home").addEventListener("click", (event) => {
  event.preventDefault();
  if (game && !game.watching) {
    location.hash = `game=${game.id}`;
  } else {
    history.replaceState(null, "", "#");
    route();
  }
});
for (const kind of ["dragover", "drop"]) {
  addEventListener(kind, (event) => {
    event.preventDefault();
    if (kind === "drop" && event.dataTransfer.files[0] && !hello?.watch_only) {
      loadFile(event.dataTransfer.files[0]);
    }
  });
}
const A_RECORD = /^\s*(\(\s*;|Piskvorky |[a-z]\d+([\s,]*[a-z]\d+)+\s*$)/i;
addEventListener("paste", (event) => {
  if (event.target.closest?.("textarea, input") || hello?.watch_only) return;
  const words = event.clipboardData.getData("text");
  if (A_RECORD.test(words)) say("load", { data: btoa(unescape(encodeURIComponent(words))) });
  else if (words.trim()) say("paste", { text: words.slice(0, 10000) });
});
addEventListener("hashchange", route);

const KEYS = { n: newGame, g: CLICKS["show-games"], "?": showHelp };
const GAME_KEYS = {
  ArrowLeft: () => walk("previous"), ArrowRight: () => walk("next"), ArrowUp: () => walk("first"),
  ArrowDown: () => walk("last"), u: CLICKS.undo, i: CLICKS.hint, a: toggleAnalysis,
  t: toggleThreats, p: prove,
  b: () => boards[0]?.points.focus(boards[0].points.current),
  c: () => (game.playing ? CLICKS.pause() : CLICKS.continue()),
};

/** What the key does now, if anything. */
function actOf(key) {
  if (!hello || (hello.watch_only && key === "n")) return undefined;
  if (key in KEYS) return KEYS[key];
  if (page !== "game-page" || !game) return undefined;
  return (hello.watch_only || game.watching) && "uiatpc".includes(key) ? undefined : GAME_KEYS[key];
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("dialog").open
    || event.target.closest("input, textarea, select")) return;
  if (event.target.closest("[role=tab]") && /Arrow(Left|Right)/.test(event.key)) {
    const tabs = [...document.querySelectorAll("[role=tab]")];
    const at = tabs.indexOf(event.target) + (event.key === "ArrowRight" ? 1 : tabs.length - 1);
    tabs[at % tabs.length].focus();
    tabs[at % tabs.length].click();
    event.preventDefault();
    return;
  }
  const act = actOf(event.key);
  if (!act || (event.repeat && !event.key.startsWith("Arrow"))) return;
  act();
  event.preventDefault();
});

theme();
showTab("moves");
