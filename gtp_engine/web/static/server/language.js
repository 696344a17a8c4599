// The languages of the page.  Its texts are English; a table in texts/ has them in another language,
// by the English words; {names} in braces stand for what changes: {count}, {number}, {least} and {most}
// for a number, {point} for a point.  Every text goes through dom.js, which asks here; what a table
// lacks stays English.

import { attribute, translateBy } from "../dom.js";

/** By code the languages, as they call themselves. */
export const LANGUAGES = { en: "English", cs: "Čeština", ja: "日本語", ru: "Русский", zh: "中文" };
const REMEMBERED = 5000; // texts
const WORD = /\p{L}{2}/u; // what has none is no text: 34 %, H8
const MARKS = [". ", "; ", ", ", ": "]; // between parts of a text
const NUMBER = "[\\d.,+−-]+";
const KINDS = { count: NUMBER, number: NUMBER, least: NUMBER, most: NUMBER, point: "[A-Z\\d][\\w ,]*" }; // of holes
const IN_BRACKETS = /^(.+) \(([^()]+)\)$/;
const HOLE = /\{(\w+)\}/g;

/** The code of the language that was chosen, else of the first of the wanted ones that there is. */
export function languageOf(chosen, wanted) {
  const codes = [chosen, ...wanted.map((tag) => tag.toLowerCase().split("-")[0])];
  return codes.find((code) => Object.hasOwn(LANGUAGES, code)) ?? "en";
}

/** What translates words by a table into the language of that code.
 *
 *  A value of the table is a text, or texts by the plural of the first number: one, few, many, other.
 *  Words that have no entry are taken apart at brackets, full stops, semicolons, commas and colons. */
export function translator(table, code) {
  const plurals = new Intl.PluralRules(code), known = new Map();
  /** @type {[string, RegExp][]} */
  const patterns = Object.keys(table).filter((key) => key.search(HOLE) >= 0)
    .sort((a, b) => literal(b) - literal(a)).map((key) => [key, patternOf(key)]);
  const written = (value, holes) => (typeof value === "string" ? value
    : value[plurals.select(Number(Object.values(holes)[0].replace(/\D/g, "")))] ?? value.other)
    .replace(HOLE, (_, name) => said(holes[name]));
  const found = (words) => {
    if (Object.hasOwn(table, words)) return written(table[words], {});
    const [, head, inside] = IN_BRACKETS.exec(words) ?? [];
    if (Object.hasOwn(table, head ?? "")) return `${said(head)} (${said(inside)})`;
    for (const mark of MARKS) {
      const at = words.indexOf(mark), rest = words.slice(at + mark.length);
      if (at >= 0 && Object.hasOwn(table, rest)) return said(words.slice(0, at)) + mark + said(rest);
    }
    for (const [key, pattern] of patterns) {
      const match = pattern.exec(words);
      if (match) return written(table[key], match.groups);
    }
    if (head) return `${said(head)} (${said(inside)})`;
    const mark = MARKS.find((each) => words.includes(each));
    return mark ? words.split(mark).map(said).join(mark) : words;
  };
  function said(words) {
    if (!WORD.test(words)) return words;
    if (!known.has(words)) {
      if (known.size === REMEMBERED) known.clear();
      const [, before, middle, after] = /^(\s*)(.*?)(\s*)$/s.exec(words);
      known.set(words, `${before}${found(middle.replace(/\s+/g, " "))}${after}`);
    }
    return known.get(words);
  }
  return said;
}

const literal = (key) => key.replace(HOLE, "").length;

function patternOf(key) {
  const plain = key.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${plain.replace(HOLE, (_, name) => `(?<${name}>${KINDS[name] ?? ".+?"})`)}$`);
}

/** Let the page speak that language; without its table, which the console says, it stays English. */
export async function speak(code) {
  const table = code === "en" ? null : await fetch(`static/texts/${code}.json`).then((found) => found.json(), () => null);
  attribute(document.documentElement, "lang", table ? code : "en");
  if (!table) return;
  const said = translator(table, code);
  translateBy(said);
  translate(document.body, said);
}

// What stands in the page from the beginning.
function translate(root, said) {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.nodeValue = said(texts.currentNode.nodeValue);
  for (const node of root.querySelectorAll("[aria-label], [title], [placeholder]")) {
    for (const name of ["aria-label", "title", "placeholder"]) attribute(node, name, node.getAttribute(name));
  }
}
