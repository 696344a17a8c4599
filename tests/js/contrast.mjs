// The colours of the page and of the boards can be told apart, as WCAG 2.2 wants it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("../static/themes.css", import.meta.url), "utf8");

function colours(...selectors) {
  const found = {};
  for (const selector of selectors) {
    for (const [, body] of css.matchAll(new RegExp(`(?:^|\\n)${selector.replace(/[[\]"=]/g, "\\$&")} \\{([^}]*)\\}`, "g"))) {
      for (const [, name, colour] of body.matchAll(/--(\w[\w-]*): (#[0-9a-f]{6})\b/g)) found[name] = colour;
    }
  }
  return found;
}

function luminance(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const TEXT = 4.5, SHAPE = 3;
const PAGE = [["ink", "paper", TEXT], ["ink", "panel", TEXT], ["soft", "paper", TEXT], ["soft", "panel", TEXT],
  ["accent", "paper", TEXT], ["on-accent", "accent", TEXT], ["good", "paper", TEXT], ["bad", "paper", TEXT],
  ["ink", "alert", TEXT], ["rim", "paper", SHAPE], ["rim", "panel", SHAPE], ["accent", "panel", SHAPE]];
const BOARD = [["label", "wood", TEXT], ["grid", "wood", SHAPE], ["ring", "wood", SHAPE], ["black", "wood", SHAPE],
  ["won", "wood", SHAPE], ["forbidden", "wood", SHAPE]];

for (const [name, ...selectors] of [["light", ":root"], ["dark", ":root", ':root[data-theme="dark"]']]) {
  test(`the page, ${name}`, () => {
    const found = colours(...selectors);
    for (const [front, back, least] of PAGE) {
      assert.ok(contrast(found[front], found[back]) >= least, `${front} on ${back}: ${contrast(found[front], found[back])}`);
    }
  });
}

const BOARDS = ["wood", "slate", "paper"].flatMap((name) => [[name], [name, "[data-cube]"]]);
for (const [name, ...cube] of BOARDS) {
  test(`the board, ${name} ${cube}`, () => {
    const root = `:root[data-board="${name}"]`;
    const found = colours(":root", root, ...cube, ...cube.map((each) => `${root} ${each}`));
    for (const [front, back, least] of BOARD) {
      assert.ok(contrast(found[front], found[back]) >= least, `${front} on ${back}: ${contrast(found[front], found[back])}`);
    }
    const white = Math.max(contrast(found.white, found.wood), contrast(found.edge, found.wood));
    assert.ok(white >= SHAPE, `white stones: ${white}`);
  });
}

test("the system's wish for dark colours gives the same ones as the user's", () => {
  const [, system] = css.match(/prefers-color-scheme: dark\) \{\s*[^{]*\{([^}]*)\}/);
  const [, chosen] = css.match(/\n:root\[data-theme="dark"\] \{([^}]*)\}/);
  assert.equal(system.replace(/\s+/g, " "), chosen.replace(/\s+/g, " "));
});
