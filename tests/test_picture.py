"""Pictures of boards: what is drawn where, in notebooks, pages and addresses."""

import xml.etree.ElementTree as ElementTree

import pytest

from gtp_engine import Game
from gtp_engine.arena.picture import THEMES, colours_of
from gtp_engine.games import catalogue
from gtp_engine.web.server.pictures import picture_of

SVG = "{http://www.w3.org/2000/svg}"


def played(name, size, moves):
    """A game after these moves."""
    game = Game(name, size)
    for move in moves.split():
        game.play(move)
    return game


def drawn(svg):
    """By place, in steps from the upper left point: the shapes and texts of a picture's points."""
    root, found = ElementTree.fromstring(svg), {}
    for group in root.findall(f"{SVG}g"):
        x, y = map(float, group.get("transform")[10:-1].split())
        shapes = [f"{each.tag.removeprefix(SVG)} {each.get('fill')}" if each.text is None
                  else each.text for each in group]
        found.setdefault((x, y), []).extend(shapes)
    return found


def test_stones_marks_values_and_labels():
    svg = played("Gomoku", 9, "E5 D5").svg(
        marks={"A1": "cross", 40: "square"}, values={"C3": 0.4, (3, 3): -1.0},
        labels={"J9": "x<y"}, arrows=[("E5", "A1")])
    points, colours = drawn(svg), colours_of("wood", False)
    points.pop((1.2, 1.2))  # the board, and J9 is another place
    assert points == {
        (5.2, 5.2): [f"circle {colours['black']}", "path none"],
        (4.2, 5.2): [f"circle {colours['white']}", "circle none"],  # the last move
        (1.2, 9.2): ["path none"], (9.2, 1.2): ["x<y"],
        (3.2, 7.2): ["rect #bfdd9c", "70"], (4.2, 6.2): ["rect #eba69c", "0"]}
    assert svg.count("stroke-linejoin") == 1
    assert 'aria-label="Gomoku, black: E5, white: D5, last move: D5"' in svg


def test_numbers_of_moves_and_the_winning_row():
    game = played("Tic-tac-toe", 3, "A1 A2 B1 B2 C1")
    won = colours_of("paper", False)["won"]
    svg = game.svg(labels="moves", theme="paper", coordinates=False)
    stones = [shapes for shapes in drawn(svg).values() if shapes[0].startswith("circle")]
    assert [label for _, label in stones] == [*"13524"]
    assert svg.count(f'stroke="{won}"') == 3
    assert game._repr_svg_() == game.svg() != svg


def test_a_cube_has_its_levels_in_rows_of_two():
    points = drawn(played("Qubic", 8, "A1 H8").svg(coordinates=False))
    red, blue = (colours_of("wood", True)[name] for name in ("black", "white"))
    assert points[8.7, 8.7] == [f"circle {blue}", "circle none"]
    assert f"circle {red}" in points[0.7, 0.7] and red != colours_of("wood", False)["black"]


def test_a_rectangle():
    points = drawn(played("Gomoku", (12, 10), "A1 M10").svg())
    assert {(1.2, 10.2), (12.2, 1.2)} <= {*points}


@pytest.mark.parametrize("theme", THEMES)
def test_themes_come_from_the_style_sheet(theme):
    assert {"wood", "grid", "label", "black", "white", "edge", "won", "forbidden", "ring"} <= {
        *colours_of(theme, False)} & {*colours_of(theme, True)}
    assert colours_of(theme, False)["wood"] in Game().svg(theme=theme)


@pytest.mark.parametrize("wrong, text", [
    ({"theme": "glass"}, "no such theme: glass"), ({"marks": {"A1": "star"}}, "no such mark: star"),
    ({"values": {"Z1": 0}}, "no such point: Z1"), ({"labels": "all"}, "labels must be a mapping")])
def test_what_is_refused(wrong, text):
    with pytest.raises(ValueError, match=text):
        Game().svg(**wrong)


def test_the_picture_of_an_address():
    game = played("Renju", 15, "H8 J9")
    cells = "".join(map(str, game.array().reshape(-1)))
    query = {"game": "renju", "cells": cells, "last": str(game.to_index("J9")),
             "notation": "GTP", "crosses": "0,224", "labels": "3:7"}
    assert drawn(picture_of(query)) == drawn(
        game.svg(marks={"A1": "cross", "P15": "cross"}, labels={"D1": "7"}))
    for changes, text in (({"game": "Go"}, "no such game"), ({"cells": "0"}, "cells must be 225"),
                          ({"cells": "3" * 225}, "cells must be 225"),
                          ({"size": "x"}, "not a board"),
                          ({"last": "225"}, "no such point"), ({"row": "a"}, "invalid literal"),
                          ({"notation": "runes"}, "no such notation")):
        with pytest.raises(ValueError, match=text):
            picture_of({**query, **changes})
    every = [catalogue.start(rules, rules.default_size) for rules in catalogue.GAMES.values()]
    for position in every:
        empty = "0" * len(position.lattice.points)
        assert picture_of({"game": position.rules.name, "cells": empty}).startswith("<svg")
