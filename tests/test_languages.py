"""The tables of texts: each language has all of them, with the same holes; every one is used."""

import html
import json
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "gtp_engine"
TEXTS = PACKAGE / "web" / "static" / "texts"
TABLES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in TEXTS.glob("*.json")}
KEYS = [*TABLES["cs"]]
# Keys that scripts put together from smaller pieces: a plural, or what is said only at times.
COMPOSED = {
    *(f"a {kind} drawn on the point" for kind in (
        "circle", "square", "triangle", "cross", "letter")),
    "{share} percent of {games}", "{count} position deleted.", "{count} positions deleted.",
    "{count} position: this one and all that follow.",
    "{count} positions: this one and all that follow.", "Proved: {side} wins, because:",
    "Proved: {side} wins against every reply.", "offer {count} fifth move of Black",
    "place a stone in the centre", "place a stone in the central {size}",
    "Two wins in a row: you move up to level {number}.",
    "Two losses in a row: you move down to level {number}.", "{count} game matches “{search}”.",
    "{count} games match “{search}”.",
    "Five stones in an unbroken line win, unless opposing stones block both ends."
    " Six or more always win.",
    "Exactly five stones in an unbroken line win, unless opposing stones block both ends."}
HOLES = re.compile(r"\{\w+\}")


def forms(value):
    return value.values() if isinstance(value, dict) else [value]


def test_the_languages_are_those_of_the_page():
    script = (TEXTS.parent / "server" / "language.js").read_text(encoding="utf-8")
    listed = re.search(r"LANGUAGES = \{(.*?)\}", script)[1]
    assert {*TABLES} | {"en"} == {*re.findall(r"(\w+):", listed)} and len(TABLES) > 3


@pytest.mark.parametrize("code", TABLES)
def test_a_table(code):
    table = TABLES[code]
    assert [*table] == KEYS
    for key, value in table.items():
        for text in forms(value):
            assert sorted(HOLES.findall(text)) == sorted(HOLES.findall(key)), key
            assert text.strip() == text and text, key
            assert "  " not in text, key


def sources():
    """What stands in the page, in its scripts and in the server, without what joins texts there."""
    paths = [*PACKAGE.glob("*/static/**/*.js"), TEXTS.parent / "index.html", *PACKAGE.rglob("*.py")]
    text = " ".join(html.unescape(path.read_text(encoding="utf-8")) for path in paths)
    text = re.sub(r"[\"'`]\s*\+?\s*f?[\"'`]", "", text)  # "one text " + "that goes on"
    return re.sub(r"\s+", " ", text)


def test_every_key_is_used():
    """All that stands between the holes of a key is written somewhere, in one piece or by words."""
    text = sources().lower()

    def is_written(key):
        parts = [part.strip() for part in HOLES.split(key.lower())]
        return all(part in text for part in (
            key.lower().split() if key in COMPOSED else parts) if "{" not in part)

    unused = [key for key in KEYS if not is_written(key)]
    assert unused == [], "\n".join(unused)
