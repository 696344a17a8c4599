"""docs/how-it-works.md: each step names a function that exists and leads to the next one."""

import ast
import re
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
PAGE = (TOP / "docs" / "how-it-works.md").read_text(encoding="utf-8")
STEP = re.compile(r"^\d+\. `([\w/.]+)` `([\w.]+)`", re.MULTILINE)
# Where a message, a queue, a table or a callback leads on: the word in this step, and that in the
# file of the next one.
HANDED_OVER = {
    "serve": ("_Server", "_Server"), "split_lines": ("lines", "lines"),
    "_Server.work": ("answer", "answer"), "Dispatcher.call": ("handlers", "dispatcher.add"),
    "Stage": ("press", "press"), "press": ("send", "send"), "send": ("socket", "WebSocket"),
    "answer": ("COMMANDS", "COMMANDS"), "Referee.play": ('do="play"', '"play"'),
    "_play": (".ask(", "def ask")}


def source(path, name):
    """The source of a function or class of a file; of a script, from the name on."""
    text = (TOP / "gtp_engine" / path).read_text(encoding="utf-8")
    if path.endswith(".js"):
        return text[re.search(rf"\b{name}\b", text).start():]
    tree = ast.parse(text)
    for part in name.split("."):
        tree = next(node for node in tree.body if getattr(node, "name", None) == part)
    return ast.get_source_segment(text, tree)


def tours():
    for section in PAGE.split("\n## ")[1:]:
        if steps := STEP.findall(section):
            yield pytest.param(steps, id=section.partition("\n")[0])


@pytest.mark.parametrize("steps", [*tours()])
def test_each_step_leads_to_the_next(steps):
    assert len(steps) > 4
    for (path, name), (next_path, next_name) in zip(steps, steps[1:]):
        here = source(path, name)
        if word := HANDED_OVER.get(name):
            assert word[0] in here, name
            assert word[1] in (TOP / "gtp_engine" / next_path).read_text(encoding="utf-8"), name
        else:
            assert re.search(rf"\b{next_name.split('.')[-1]}\b", here), (name, next_name)
    assert source(*steps[-1])


def test_functions_between_the_tours_exist():
    named = re.findall(r"`([\w/]+\.(?:py))` `([\w.]+)`", PAGE)
    assert len(named) > 45
    for path, name in named:
        assert source(path, name)


def test_the_players_are_those_of_the_sources():
    section = PAGE[PAGE.index("## The three players of the course"):]
    excerpts = re.findall(r"`(players/\w+\.py)`[^`]*```python\n(.*?)```", section, re.DOTALL)
    assert len(excerpts) == 3
    for path, lines in excerpts:
        assert lines in (TOP / "gtp_engine" / path).read_text(encoding="utf-8")
