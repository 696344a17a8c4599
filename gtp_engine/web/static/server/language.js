// The languages of the page.  Its texts are English; each table in texts/ maps them to another language.
// {Names} in braces stand for variable parts: {count}, {number}, {least} and {most} for a number,
// {point} for a point.  All texts pass through dom.js, which translates them with the function from here.
// Texts without an entry stay English.

import { attribute, translateBy } from "../dom.js";

/** The languages by code, in their own names. */
export const LANGUAGES = { en: "English", cs: "Čeština", ja: "日本語", ru: "Русский", zh: "中文" };
const CACHE_SIZE = 5000; // texts
const WORD = /\p{L}{2}/u; // words without a match are no text: 34 %, H8
const MARKS = [". ", "; ", ", ", ": "]; // between parts of a text
const NUMBER = "[\\d.,+−-]+";
const KINDS = { count: NUMBER, number: NUMBER, least: NUMBER, most: NUMBER, point: "[A-Z\\d][\\w ,]*" }; // of holes
const IN_BRACKETS = /^(.+) \(([^()]+)\)$/;
const HOLE = /\{(\w+)\}/g;

/** The code of the chosen language, else of the first supported one in `wanted`. */
export function languageOf(chosen, wanted) {
  const codes = [chosen, ...wanted.map((tag) => tag.toLowerCase().split("-")[0])];
  return codes.find((code) => Object.hasOwn(LANGUAGES, code)) ?? "en";
}

/** A function that translates words by a table into the language of that code.
 *
 *  A value of the table is a text, or texts by the plural form of {count}, or of the first hole: one, few,
 *  many, other.  Words without an entry are split at brackets, full stops, semicolons, commas and colons. */
export function translator(table, code) {
  const plurals = new Intl.PluralRules(code), cache = new Map();
  /** @type {[string, RegExp][]} */
  const patterns = Object.keys(table).filter((key) => key.search(HOLE) >= 0)
    .sort((a, b) => literal(b) - literal(a)).map((key) => [key, patternOf(key)]);
  const fill = (value, holes) => (typeof value === "string" ? value
    : value[plurals.select(Number((holes.count ?? Object.values(holes)[0]).replace(/\D/g, "")))] ?? value.other)
    .replace(HOLE, (_, name) => translate(holes[name]));
  const lookUp = (words) => {
    if (Object.hasOwn(table, words)) return fill(table[words], {});
    const [, head, inside] = IN_BRACKETS.exec(words) ?? [];
    if (Object.hasOwn(table, head ?? "")) return `${translate(head)} (${translate(inside)})`;
    for (const mark of MARKS) {
      const at = words.indexOf(mark), rest = words.slice(at + mark.length);
      if (at >= 0 && Object.hasOwn(table, rest)) return translate(words.slice(0, at)) + mark + translate(rest);
    }
    for (const [key, pattern] of patterns) {
      const match = pattern.exec(words);
      if (match) return fill(table[key], match.groups);
    }
    if (head) return `${translate(head)} (${translate(inside)})`;
    const mark = MARKS.find((each) => words.includes(each));
    return mark ? words.split(mark).map(translate).join(mark) : words;
  };
  function translate(words) {
    if (!WORD.test(words)) return words;
    if (!cache.has(words)) {
      if (cache.size === CACHE_SIZE) cache.clear();
      const [, before, middle, after] = /^(\s*)(.*?)(\s*)$/s.exec(words);
      cache.set(words, `${before}${lookUp(middle.replace(/\s+/g, " "))}${after}`);
    }
    return cache.get(words);
  }
  return translate;
}

const literal = (key) => key.replace(HOLE, "").length;

function patternOf(key) {
  const plain = key.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${plain.replace(HOLE, (_, name) => `(?<${name}>${KINDS[name] ?? ".+?"})`)}$`);
}

/** Set the language of the page; it stays English if the table cannot be loaded. */
export async function setLanguage(code) {
  const table = code === "en" ? null : await fetch(`static/texts/${code}.json`).then((response) => response.json(), () => null);
  attribute(document.documentElement, "lang", table ? code : "en");
  if (!table) return;
  const translate = translator(table, code);
  translateBy(translate);
  translateElement(document.body, translate);
}

// Translate the texts of index.html.
function translateElement(root, translate) {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.nodeValue = translate(texts.currentNode.nodeValue);
  for (const node of root.querySelectorAll("[aria-label], [title], [placeholder]")) {
    for (const name of ["aria-label", "title", "placeholder"]) attribute(node, name, node.getAttribute(name));
  }
}
