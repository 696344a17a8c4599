// The page in other languages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { LANGUAGES, languageOf, translator } from "../static/server/language.js";

const translate = translator({ Black: "Černý", empty: "prázdné", "{side} to move": "{side} na tahu", "Ab (cd)": "C",
  "{side} to move: your turn": "{side} na tahu: hrajete vy", "{count} games": { one: "{count} hra", few: "{count} hry",
    other: "{count} her" }, "of {games}": "z: {games}", "a or b in a row": "řada", "{one} or {other}": "{one} nebo {other}" }, "cs");

for (const [words, expected] of [
  ["Black", "Černý"], [" Black\n", " Černý\n"], ["Black to move: your turn", "Černý na tahu: hrajete vy"],
  ["Ann to move", "Ann na tahu"], ["1 games", "1 hra"], ["3 games", "3 hry"], ["1,003 games", "1,003 her"],
  ["of 5 games", "z: 5 her"], ["H8, empty", "H8, prázdné"], ["Caro: a or b in a row", "Caro: řada"],
  ["Ab (cd)", "C"], ["Black (empty)", "Černý (prázdné)"], ["Ann (empty)", "Ann (prázdné)"], ["an unknown text", "an unknown text"], ["H8", "H8"], ["", ""],
  ["Black to\n move", "Černý na tahu"], ["constructor", "constructor"]]) {
  test(`${JSON.stringify(words)} is ${expected}`, () => assert.equal(translate(words), expected));
}

test("the browser's first language that there is, unless another one is chosen", () => {
  assert.equal(languageOf("", ["de-AT", "cs-CZ", "ja"]), "cs");
  assert.equal(languageOf("", ["en-GB", "cs"]), "en");
  assert.equal(languageOf("zh", ["cs"]), "zh");
  assert.equal(languageOf("constructor", ["fr"]), "en");
});

test("each table has plurals that its language asks for, and patterns that are read", () => {
  for (const code of Object.keys(LANGUAGES).filter((each) => each !== "en")) {
    const table = JSON.parse(readFileSync(new URL(`../static/texts/${code}.json`, import.meta.url), "utf-8"));
    const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions();
    for (const [key, value] of Object.entries(table)) {
      if (typeof value !== "string") assert.deepEqual(Object.keys(value).filter((each) => !pluralCategories.includes(each)), [], key);
    }
    assert.notEqual(translator(table, code)("Black to move: your turn"), "Black to move: your turn");
  }
});
