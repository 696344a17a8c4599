// The report: the list of games, and a game on a board.

import { FlatBoards, PLAIN } from "./board.js";
import { Cube } from "./cube.js";
import { attribute, buttonById, byId, element, fieldById, svg, targetOf } from "./dom.js";
import { COLOURS, colourWord } from "./notation.js";

const AT_ONCE = 200; // rows of the list of games that are added at a time
const { players, openings, games, endings, layout, notation, hues } = JSON.parse(byId("data").textContent);
const numbers = new Map(games.map((each, index) => [each.game, index]));
const boards = [...(layout.cube ? [new Cube(layout, press)] : []), new FlatBoards(layout, press, "shows the move")];
let listed = games; // the games that pass the filters
let added = 0; // rows in the list
let game = null, ply = 0; // the displayed game and ply

// --- the data ---

const plies = ({ moves }) => (moves ?? []).length;
const mover = ({ first, second }, number) => players[number % 2 ? second : first];
const colour = (number) => (number % 2 ? 3 - layout.first : layout.first);
const nameOf = (move) => (typeof move === "number" ? notation.names[move] : move);
const minus = (value) => String(value).replace("-", "−");
const counted = (list) => list.length.toLocaleString("en");
const hue = (player) => `var(--${player < hues ? `player-${player}` : "soft"})`;

/** The value of a key in a game's search info for a move, or null. */
function infoOf(of, key, number) {
  return of[key]?.[number - (openings[of.opening] ?? []).length] ?? null;
}

function winnerOf({ winner, ending }) {
  if (winner !== undefined) return players[winner];
  return ending === "INTERRUPTED" ? "–" : "draw";
}

/** The stones on the board after `count` moves: the number of the move, from 0, by point. */
function stones(of, count) {
  const numbersByPoint = new Map();
  for (let number = 0; number < count; number += 1) {
    if (typeof of.moves[number] === "number") numbersByPoint.set(of.moves[number], number);
    for (const point of of.removed?.[number] ?? []) numbersByPoint.delete(point);
  }
  return numbersByPoint;
}

function openingText(index) {
  const names = (openings[index] ?? []).map(nameOf).join(" ");
  return `${index + 1}: ${names || "empty board"}`;
}

// --- the board ---

function drawBoard() {
  const placed = stones(game, ply), last = game.moves?.[ply - 1];
  const scene = {
    ...PLAIN, cells: layout.points.map((_, place) => (placed.has(place) ? colour(placed.get(place)) : 0)),
    last: typeof last === "number" ? last : null,
    row: new Set(ply === plies(game) ? game.row : []), taken: new Set(game.removed?.[ply - 1]),
    numbers: Object.fromEntries([...placed].map(([place, number]) => [place, number + 1])),
    notation, names: notation.names, words: layout.colours, node: `${game.game} ${ply}`,
  };
  boards.forEach((board) => board.update(scene));
}

/** Show the position after the move of the stone on a point. */
function press(place) {
  const number = stones(game, ply).get(place);
  if (number !== undefined) go(game, number + 1);
}

// --- values ---

function scale(values) {
  const low = Math.min(...values), high = Math.max(...values);
  return { low, high, y: (value) => (high > low ? 92 - 84 * (value - low) / (high - low) : 50) };
}

function drawLine(side, across) {
  const player = side ? game.second : game.first;
  const values = [];
  for (let number = side; number < plies(game); number += 2) {
    const value = infoOf(game, "value", number);
    if (value !== null) values.push([number + 1, value]);
  }
  if (!values.length) return;
  const { low, high, y } = scale(values.map(([, value]) => value));
  const points = values.map(([number, value]) => `${across(number)},${y(value).toFixed(1)}`);
  byId("graph").append(svg("polyline", { points: points.join(" "), style: `stroke: ${hue(player)}`,
    "stroke-linecap": "round" }));
  byId("scales").append(element("span", {}, element("i", { class: "swatch", style: `background: ${hue(player)}` }),
    `${players[player]}: ${minus(low)} to ${minus(high)}`));
}

function drawValues() {
  byId("graph").replaceChildren();
  byId("scales").replaceChildren();
  byId("values").hidden = !game.value;
  if (!game.value) return;
  const across = (number) => (600 * number / plies(game)).toFixed(1);
  for (const side of [0, 1]) drawLine(side, across);
  byId("graph").append(svg("line", { id: "now", y1: 0, y2: 100 }));
  attribute(byId("graph"), "aria-label", `Values: ${byId("scales").textContent}`);
}

// --- a game and a position in it ---

function moveRow(move, number) {
  const spent = infoOf(game, "ms", number), nodes = infoOf(game, "nodes", number);
  return element("tr", { "data-ply": number + 1 }, element("td", {}, number + 1),
    element("td", { class: "text" }, element("i", { class: `dot ${COLOURS[colour(number)]}` }), nameOf(move),
      typeof move === "number" ? null : " (not played)"),
    element("td", {}, spent === null ? "opening" : (spent / 1000).toFixed(3)),
    element("td", {}, infoOf(game, "depth", number)),
    element("td", {}, nodes === null ? null : nodes.toLocaleString("en")),
    element("td", {}, minus(infoOf(game, "value", number) ?? "")));
}

function plyText() {
  const rest = `of ${plies(game)}`;
  if (!ply) return `Before move 1 ${rest}`;
  const number = ply - 1;
  return `Move ${ply} ${rest}: ${mover(game, number)} (${colourWord(layout, colour(number))}), `
    + nameOf(game.moves[number]);
}

/** Scroll a box until a row of its table is visible. */
function reveal(box, row) {
  const frame = box.getBoundingClientRect(), inner = row.getBoundingClientRect();
  const head = box.querySelector("thead").offsetHeight;
  if (inner.top < frame.top + head) box.scrollTop -= frame.top + head - inner.top;
  if (inner.bottom > frame.bottom) box.scrollTop += inner.bottom - frame.bottom;
}

function mark(body, row) {
  for (const marked of body.querySelectorAll("[aria-current]")) marked.removeAttribute("aria-current");
  if (row) attribute(row, "aria-current", true);
}

function showPly(number) {
  ply = Math.max(0, Math.min(number, plies(game)));
  drawBoard();
  byId("place").textContent = plyText();
  for (const id of ["first", "back"]) buttonById(id).disabled = ply === 0;
  for (const id of ["forward", "last"]) buttonById(id).disabled = ply === plies(game);
  const row = byId("move-rows").children[ply - 1];
  mark(byId("move-rows"), row);
  if (row) reveal(byId("moves"), row);
  else byId("moves").scrollTop = 0;
  const now = byId("now");
  if (now) for (const key of ["x1", "x2"]) attribute(now, key, 600 * ply / plies(game));
  attribute(byId("link"), "href", `#game=${game.game}&ply=${ply}`);
}

function showGame(next, number) {
  if (next !== game) {
    game = next;
    byId("heading").textContent = `Game ${game.game}: ${players[game.first]} – ${players[game.second]}`;
    byId("verdict").textContent = game.verdict;
    byId("move-rows").replaceChildren(...(game.moves ?? []).map(moveRow));
    drawValues();
    markListed();
  }
  showPly(number ?? plies(game));
}

function go(next, number) {
  showGame(next, number);
  history.replaceState(null, "", byId("link").getAttribute("href"));
}

function neighbour(step) {
  const at = listed.indexOf(game);
  const next = listed[at < 0 ? 0 : at + step];
  if (next) go(next);
}

// --- the list of games ---

function gameRow(of) {
  return element("tr", { "data-game": of.game, tabindex: -1 },
    element("td", { class: "text" }, element("a", { href: `#game=${of.game}`, tabindex: -1 }, of.game)),
    element("td", {}, of.round),
    ...[of.first, of.second].map((player) =>
      element("td", { class: of.winner === player ? "name winner" : "name" }, players[player])),
    element("td", { class: "name" }, winnerOf(of)), element("td", { class: "name" }, endings[of.ending]),
    element("td", {}, plies(of)), element("td", {}, of.opening + 1));
}

function addRows(upTo) {
  const more = listed.slice(added, upTo).map(gameRow);
  byId("rows").append(...more);
  added += more.length;
}

function markListed() {
  const at = listed.indexOf(game);
  if (at >= added) addRows(at + AT_ONCE);
  const row = byId("rows").children[at];
  mark(byId("rows"), row);
  enter(row ?? byId("rows").firstElementChild);
  if (row) reveal(byId("list"), row);
}

/** Make this row the only one that the Tab key reaches. */
function enter(row) {
  /** @type {NodeListOf<HTMLElement>} */
  const others = byId("rows").querySelectorAll('tr[tabindex="0"]');
  for (const other of others) other.tabIndex = -1;
  if (row) row.tabIndex = 0;
}

function filter() {
  const [player, opening, ending] = ["by-player", "by-opening", "by-ending"].map((id) => fieldById(id).value);
  listed = games.filter((of) =>
    (player === "" || of.first === Number(player) || of.second === Number(player))
    && (opening === "" || of.opening === Number(opening)) && (ending === "" || of.ending === ending));
  byId("rows").replaceChildren();
  added = 0;
  addRows(AT_ONCE);
  byId("list").scrollTop = 0;
  byId("count").textContent = `${counted(listed)} of ${counted(games)} games`;
  if (game) markListed();
}

function offer(id, choices) {
  byId(id).append(...choices.map(([value, words]) => element("option", { value }, words)));
  byId(id).addEventListener("change", filter);
}

// --- the user ---

/** The table row of an event's target, with a data attribute of this name, or null. */
const rowOf = (event, number) => /** @type {HTMLElement} */ (targetOf(event).closest(`tr[data-${number}]`));

function choose(row) {
  go(games[numbers.get(Number(row.dataset.game))]);
  const { top, bottom } = byId("viewer").getBoundingClientRect();
  if (top > innerHeight - 200 || bottom < 200) byId("viewer").scrollIntoView();
}

/** Handle a key in the list of games; return true if the list uses the key. */
function listKey(event) {
  const row = rowOf(event, "game");
  if (!row) return false;
  if (event.key === "Enter") {
    choose(row);
    return true;
  }
  if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return false;
  if (event.key === "ArrowDown" && !row.nextElementSibling) addRows(added + AT_ONCE);
  const next = /** @type {HTMLElement} */ (
    event.key === "ArrowUp" ? row.previousElementSibling : row.nextElementSibling);
  if (next) {
    enter(next);
    next.focus({ preventScroll: true });
    reveal(byId("list"), next);
  }
  return true;
}

const KEYS = {
  ArrowLeft: () => go(game, ply - 1), ArrowRight: () => go(game, ply + 1),
  Home: () => go(game, 0), End: () => go(game, plies(game)),
  n: () => neighbour(1), p: () => neighbour(-1),
};
const BUTTONS = {
  first: KEYS.Home, back: KEYS.ArrowLeft, forward: KEYS.ArrowRight, last: KEYS.End,
  "previous-game": KEYS.p, "next-game": KEYS.n,
};

function gamesAreVisible() {
  const { top, bottom } = byId("games").getBoundingClientRect();
  return top < innerHeight && bottom > 0;
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || targetOf(event).closest("select")) return;
  const action = KEYS[event.key];
  if (listKey(event)) {
    event.preventDefault();
  } else if (action && gamesAreVisible()) {
    event.preventDefault();
    action();
  }
}

/** Show the game and the ply in the address; return false if it names no game. */
function followAddress() {
  const match = /^#game=(\d+)(?:&ply=(\d+))?$/.exec(location.hash);
  const index = match ? numbers.get(Number(match[1])) : undefined;
  if (index === undefined) return false;
  showGame(games[index], match[2] === undefined ? undefined : Number(match[2]));
  return true;
}

function listen() {
  for (const [id, action] of Object.entries(BUTTONS)) byId(id).addEventListener("click", action);
  document.addEventListener("keydown", onKey);
  byId("rows").addEventListener("click", (event) => {
    const row = rowOf(event, "game");
    if (!row || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(row);
  });
  byId("move-rows").addEventListener("click", (event) => {
    const row = rowOf(event, "ply");
    if (row) go(game, Number(row.dataset.ply));
  });
  byId("graph").addEventListener("click", (event) => {
    const { left, width } = byId("graph").getBoundingClientRect();
    go(game, Math.round(plies(game) * (event.clientX - left) / width));
  });
  byId("list").addEventListener("scroll", () => {
    const box = byId("list");
    if (box.scrollTop + 2 * box.clientHeight > box.scrollHeight) addRows(added + AT_ONCE);
  }, { passive: true });
  addEventListener("beforeprint", () => addRows(listed.length));
  addEventListener("hashchange", followAddress);
}

attribute(document.body, "data-cube", layout.cube);
byId("boards").append(...boards.map((board) => board.element));
offer("by-player", players.map((name, index) => [index, name]));
offer("by-opening", openings.map((_, index) => [index, openingText(index)]));
offer("by-ending", Object.entries(endings));
filter();
listen();
if (followAddress()) byId("viewer").scrollIntoView();
else showGame(games[0]);
