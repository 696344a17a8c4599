// Curves: the value of a game, ratings, and a sequential test.

import { attribute, svg } from "../dom.js";

const WIDTH = 300, HEIGHT = 80;

/** Draw Black's values by ply, from -1 to 1, null where there is none.  `classes` has the classes of
 *  the dots by index.  `go` is called with the index of a click. */
export function drawValues(root, values, current, go, classes = new Map()) {
  attribute(root, "viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  const step = WIDTH / Math.max(values.length - 1, 20);
  const y = (value) => (HEIGHT / 2) * (1 - value * 0.94);
  const dots = values.map((value, i) => [i * step, value]).filter(([, value]) => value !== null);
  const points = dots.map(([x, value]) => `${x.toFixed(1)} ${y(value).toFixed(1)}`);
  const parts = [svg("path", { class: "zero", d: `M0 ${HEIGHT / 2}H${WIDTH}` })];
  if (dots.length) {
    const [first, last] = [dots[0][0], dots.at(-1)[0]];
    parts.push(
      svg("path", { class: "area", d: `M${first} ${HEIGHT}L${points.join("L")}L${last} ${HEIGHT}Z` }),
      svg("path", { class: "curve", d: `M${points.join("L")}` }),
      svg("path", { class: "dot", d: points.map((point) => `M${point}h.01`).join("") }));
    for (const [index, kind] of classes) {
      const value = values[index];
      if (value !== null) {
        parts.push(svg("path", { class: `dot ${kind}`, d: `M${(index * step).toFixed(1)} ${y(value).toFixed(1)}h.01` }));
      }
    }
  }
  parts.push(svg("path", { class: "now", d: `M${(current * step).toFixed(1)} 0V${HEIGHT}` }));
  root.replaceChildren(...parts);
  root.onclick = (event) => {
    const box = root.getBoundingClientRect();
    const index = Math.round(((event.clientX - box.left) / box.width) * WIDTH / step);
    if (index < values.length) go(index);
  };
}

/** Draw curves over the same places, with horizontal lines at the levels `rules` and at `base`. */
export function drawCurves(root, places, curves, rules = [], base = 0) {
  const width = 420, height = 190, left = 52, bottom = 22;
  attribute(root, "viewBox", `0 0 ${width} ${height}`);
  const pointsOf = (values) => values.map((value, i) => [places[i], value]).filter(([, value]) => value !== null);
  const all = [...curves.flatMap((curve) => pointsOf(curve.values)).map(([, value]) => value), ...rules, base];
  const low = Math.min(...all), high = Math.max(...all, low + 1);
  const last = Math.max(places.at(-1) ?? 1, 1);
  const x = (place) => left + (place / last) * (width - left - 8);
  const y = (value) => 12 + ((high - value) / (high - low)) * (height - bottom - 20);
  const parts = [];
  for (const level of [...new Set([low, base, high, ...rules])]) {
    parts.push(svg("path", { class: rules.includes(level) ? "bound" : "zero",
      d: `M${left} ${y(level)}H${width - 8}` }),
    svg("text", { class: "tick", x: left - 5, y: y(level), "text-anchor": "end" },
      String(Math.abs(level) < 10 ? Math.round(level * 100) / 100 : Math.round(level))));
  }
  parts.push(svg("text", { class: "tick", x: width - 8, y: height - 6, "text-anchor": "end" },
    `${last} games`));
  curves.forEach((curve, number) => {
    const points = pointsOf(curve.values).map(([place, value]) => `${x(place).toFixed(1)} ${y(value).toFixed(1)}`);
    if (points.length) parts.push(svg("path", { class: `curve series-${number % 6}`, d: `M${points.join("L")}` }));
    if (points.length === 1) {
      parts.push(svg("path", { class: `dot series-${number % 6}`, d: `M${points[0]}h.01` }));
    }
  });
  root.replaceChildren(...parts);
}
