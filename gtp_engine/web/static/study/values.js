// The moves of an analysis: order, colour and words.

import { percent } from "../dom.js";

const EVEN = 0.2; // values nearer to 0 than this are even
const WORSE = 0.3; // moves worse than the best by this have no colour
const MOST = 20; // coloured moves

/** The tone of a value from -1 to 1, one of five words; won and lost are proved. */
export function toneOf(value) {
  if (value >= 1) return "won";
  if (value <= -1) return "lost";
  if (Math.abs(value) < EVEN) return "even";
  return value > 0 ? "good" : "bad";
}

/** The moves of a report, the best first: quick wins, then open moves, then long losses. */
export function rankMoves(report) {
  const { values, playouts = {}, plies = {}, lines = {}, line = [] } = report;
  const moves = Object.entries(values).map(([key, value]) => {
    const place = Number(key);
    return { place, value, plies: plies[key] ?? null, playouts: playouts[key] ?? 0,
      line: place === line[0] ? line : lines[key] ?? [place] };
  });
  const certain = ({ value }) => (Math.abs(value) === 1 ? value : 0);
  const lasts = (move) => certain(move) * -(move.plies ?? (certain(move) > 0 ? Infinity : 0));
  return moves.sort((a, b) => certain(b) - certain(a) || descending(lasts(a), lasts(b))
    || b.playouts - a.playouts || b.value - a.value
    || Number(b.place === line[0]) - Number(a.place === line[0]) || a.place - b.place);
}

const descending = (a, b) => (a === b ? 0 : b - a);

/** A move's value as the label of a point: percent, or the plies to the proved end. */
export function valueLabel({ value, plies }) {
  if (Math.abs(value) < 1 || !plies) return String(percent(value));
  return `${value > 0 ? "+" : "−"}${plies}`;
}

/** A move's value in words. */
export function valueWords({ value, plies }) {
  if (Math.abs(value) < 1 || !plies) return `${percent(value)} %`;
  return `${value > 0 ? "wins" : "loses"} in ${plies}`;
}

/** The moves with a colour on the board: those near the best. */
export function colouredMoves(report) {
  const moves = rankMoves(report);
  return moves.filter(({ value }) => value > moves[0].value - WORSE).slice(0, MOST)
    .map((move, index) => ({ ...move, best: index === 0 }));
}

/** A report without the plies to a proved end. */
export const withoutPlies = (report) => ({ ...report, plies: {},
  figures: { ...report.figures, plies_to_win: null, plies_to_loss: null } });

/** The figures of an analysis in one line. */
export function figuresText({ report, seconds }) {
  const { depth, nodes, plies_to_win: win, plies_to_loss: loss } = report.figures;
  return [win ? `wins in ${win} plies` : "", loss ? `loses in ${loss} plies` : "",
    depth ? `depth ${depth}` : "", nodes ? `${nodes.toLocaleString("en")} nodes` : "",
    nodes && seconds > 0.05 ? `${Math.round(nodes / seconds / 1000).toLocaleString("en")} k/s` : "",
    `${seconds.toFixed(1)} s`].filter(Boolean).join(", ");
}
