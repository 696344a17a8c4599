"""What may stand in data of others: the meaning of values, and one line for those that may not."""

import pytest

from gtp_engine.wire.declared import (
    Wrong,
    a_name,
    by_name,
    maybe,
    number,
    one_of,
    parsed,
    row,
    some,
    spelled,
    table,
    text,
    whole,
)

SEAT = table({"name": a_name(9), "nodes?": maybe(whole(9, 1))})
CONTEST = table({
    "size": spelled(int), "model?": one_of("a", True, None), "players?": some(SEAT, 2),
    "anchor?": by_name(number(0, 5), 2), "at?": row(text(3), one_of(0, 1))})


@pytest.mark.parametrize("value, meaning", [
    ({"size": "7"}, {"size": 7}), ({"size": 7, "model": True}, {"size": 7, "model": True}),
    ({"size": 7, "players": [{"name": "x", "nodes": None}, {"name": "y", "nodes": 9}],
      "anchor": {"x": 2.5, "any \n name": 0}, "at": ["abc", 1]},) * 2])
def test_values(value, meaning):
    found = CONTEST("", value)
    if "at" in found:
        assert found.pop("at") == ("abc", 1) and meaning.pop("at")
    assert found == meaning


@pytest.mark.parametrize("change, path, said", [
    ({"size": None}, "size", "size must be a number or a text, not None"),
    ({"size": "x"}, "size", "size: invalid literal for int() with base 10: 'x'"),
    ({"model": 1}, "model", "model must be one of: a True None, not 1"),
    ({"players": [{"name": "x"}, {"nodes": 1}]}, "players[2].name",
     "players[2].name is missing (the fields are: name nodes?)"),
    ({"players": [{"name": "x", "nodes": 0}]}, "players[1].nodes",
     "players[1].nodes must be a whole number of 1 to 9, not 0"),
    ({"players": [{"name": "x", "speed": 0}]}, "players[1].speed",
     "players[1].speed: there is no such field (the fields are: name nodes?)"),
    ({"players": [7]}, "players[1]",
     "players[1] must be an object (the fields are: name nodes?), not 7"),
    ({"players": 3 * [{"name": "x"}]}, "players", "players must be a list of at most 2, not ["),
    ({"anchor": {"x": True}}, "anchor.x", "anchor.x must be a number of 0 to 5, not True"),
    ({"anchor": {"\x1b[2J": 6}}, "anchor.'\\x1b[2J'", "anchor.'\\x1b[2J' must be a number of"),
    ({"anchor": {"a": 1, "b": 1, "c": 1}}, "anchor", "anchor must be an object of at most 2"),
    ({"at": ["abc"]}, "at", "at must be a list of 2, not ['abc']"),
    ({"at": ["abcd", 1]}, "at[1]", "at[1] must be a text of at most 3 characters, not 'abcd'"),
    ({"at": ["\ud800", 1]}, "at[1]", "at[1] must be a text of at most 3 characters, not '\\ud800'"),
    ({"at": ["a", True]}, "at[2]", "at[2] must be one of: 0 1, not True")])
def test_refusals(change, path, said):
    with pytest.raises(Wrong) as error:
        CONTEST("", {"size": 7, **change})
    assert error.value.path == path and str(error.value).startswith(said), str(error.value)
    assert str(error.value).isprintable()


def test_what_is_no_object_at_all():
    with pytest.raises(Wrong, match="it must be an object"):
        SEAT("", [])


@pytest.mark.parametrize("data", [b"NaN", "[" * 10**6, "[1,", b"\xff"])
def test_what_is_no_json(data):
    with pytest.raises(ValueError):
        parsed(data)
