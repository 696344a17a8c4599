"""Why a position is won: the moves of a proof."""

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE
from gtp_engine.players.base import Limits, Settings
from gtp_engine.solvers.reasons import reasons
from gtp_engine.solvers.solve import Value, solve
from gtp_engine.wire.notation import GtpPoints
from tests.engine import PATIENCE

POSITIONS = {  # game, size, Black's stones, White's, whose turn it is, and who wins
    "a win by fours and threes": (
        catalogue.GOMOKU, 15, "J10 J9 H8 J8 K7 F6", "D12 J11 G9 G8 L6 E5", BLACK, BLACK),
    "an open three": (catalogue.GOMOKU, 9, "D5 E5 F5", "A1 A9", BLACK, BLACK),
    "five at once": (catalogue.GOMOKU, 9, "D5 E5 F5 G5", "A1 A9", BLACK, BLACK),
    "captures": (catalogue.PENTE_FREE._replace(captures_to_win=2), 9, "E5 H8", "F5 G5 A1",
                 BLACK, BLACK),
    "two threes against one": (catalogue.GOMOKU, 15, "H8 J8 K8 H7 H6", "A1 C5 O15", WHITE, BLACK),
    "a four and no way out": (catalogue.GOMOKU, 9, "D5 E5 F5 G5", "A1 A9", WHITE, BLACK),
    "a small board": (catalogue.TIC_TAC_TOE, 3, "A1 C3", "B2 A3 B1", BLACK, WHITE),
}


def position_of(rules, size, black, white, side):
    position = catalogue.start(rules, size)
    points = GtpPoints(position.lattice)
    position.setup([(colour, points.point_of(text)) for colour, stones in
                    ((BLACK, black), (WHITE, white)) for text in stones.split()])
    position.set_side(side)
    return position


@pytest.mark.parametrize("name", POSITIONS)
def test_reasons(name):
    """Each line goes on to the end of the game, and the winner wins there; the position is
    unchanged."""
    *given, winner = POSITIONS[name]
    position = position_of(*given)
    before = bytes(position.cells)
    value = solve(position, Settings(), Limits(bytearray(2), PATIENCE))
    assert value.winner == winner
    found = reasons(position, value, Settings(), Limits(bytearray(2), PATIENCE))
    assert bytes(position.cells) == before
    if winner == position.side:
        assert len(found) == 1
    else:
        assert len(found) > 1 and len({reason.line[0] for reason in found}) == len(found)
        plies = [len(reason.line) for reason in found]
        assert plies == sorted(plies, reverse=True), "the answer that holds longest comes first"
    for line, text in found:
        game = position.copy()
        for move in line:
            game.play(game.side, move)
        assert game.outcome.winner == winner
        assert text.endswith(f" after {len(line)} {'ply' if len(line) == 1 else 'plies'}")


def test_a_move_that_no_search_finds():
    """Without time, the line is the move that was proved."""
    position = position_of(*POSITIONS["an open three"][:-1])
    move = GtpPoints(position.lattice).point_of("G5")
    found = reasons(position, Value(BLACK, move), Settings(), Limits(bytearray(2), 0))
    assert found == [((move,), "the search did not reach the end of the line")]


@pytest.mark.parametrize("value", [Value(EMPTY, 1), Value(None)])
def test_without_a_winner_there_are_none(value):
    position = catalogue.start(catalogue.GOMOKU, 9)
    assert reasons(position, value, Settings(), Limits(bytearray(2), PATIENCE)) == []
