// Clicks on a cube: each point answers to its own place on the screen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { FIRST_VIEW, extent, nearest, project, turned } from "../static/projection.js";

const cube = (size) => {
  const range = [...Array(size).keys()];
  return range.flatMap((level) => range.flatMap((row) => range.map((column) => [level, column, row])));
};
const seen = (size, view) => cube(size).map((where) => project(size, view, where));

// Numbers that look like chance and are the same each time.
function* chance(seed) {
  for (let state = seed; ; state = (1103515245 * state + 12345) % 2147483648) yield state / 2147483648;
}

test("the centre of every dot answers with itself, however the cube is turned", () => {
  const numbers = chance(7);
  for (let round = 0; round < 200; round += 1) {
    const view = turned({ yaw: 0, pitch: 0 }, 7 * numbers.next().value, 3 * numbers.next().value - 1.5);
    const dots = seen(4, view);
    dots.forEach(({ x, y }, place) => assert.equal(nearest(dots, x, y), place));
  }
});

test("of two dots on the same place the nearer one answers", () => {
  const dots = [{ x: 1, y: 1, near: 0 }, { x: 1, y: 1, near: 2 }, { x: 1, y: 1, near: 1 }];
  assert.equal(nearest(dots, 1.1, 1), 1);
});

test("nothing answers far from all dots", () => {
  assert.equal(nearest([{ x: 0, y: 0, near: 0 }], 3, 4, 4.9), null);
  assert.equal(nearest([{ x: 0, y: 0, near: 0 }], 3, 4, 5.1), 0);
});

for (const size of [3, 4]) {
  test(`at the first view of ${size} levels none crosses another, and dots are apart`, () => {
    const dots = seen(size, FIRST_VIEW);
    const levels = [...Array(size).keys()].map((level) => dots.slice(size * size * level, size * size * (level + 1)));
    for (let level = 1; level < size; level += 1) {
      const lowest = Math.max(...levels[level].map(({ y }) => y));
      assert.ok(lowest < Math.min(...levels[level - 1].map(({ y }) => y)) - 0.2);
    }
    dots.forEach((a, i) => dots.slice(i + 1).forEach((b) => assert.ok(Math.hypot(a.x - b.x, a.y - b.y) > 0.45)));
  });

  test(`${size} levels stay on the picture, however they are turned`, () => {
    const { across, up } = extent(size);
    for (let yaw = 0; yaw < 6.3; yaw += 0.2) {
      for (let pitch = -1.4; pitch <= 1.4; pitch += 0.2) {
        for (const { x, y } of seen(size, { yaw, pitch })) {
          assert.ok(Math.abs(x) < across && Math.abs(y) < up, `${yaw} ${pitch}`);
        }
      }
    }
  });
}
