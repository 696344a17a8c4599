"""The tree of tic-tac-toe: values as by trying everything, cut-offs that change nothing."""

from random import Random

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.solvers.explain import count, g, prune, tree
from tests.positions import endgame, picture, value

HOMEWORK = "..O XOO ..X"


def test_the_position_of_the_homework():
    position = picture(catalogue.TIC_TAC_TOE, HOMEWORK)
    order = position.legal_moves()
    root = tree(position, 9, order)
    assert root.value == 10 and count(root)[0] == 44
    # X on A1 forks, every other move lets O win there.
    assert [child.value for child in root.children] == [10, -10, -10, -10]
    # Worked out by hand: a win in sight for O in three of four, else g of two plies.
    assert [child.value for child in tree(position, 2, order).children] == [-1, -10, -10, -10]


def test_static_value():
    for rows, expected in (("... ... ...", 0), ("... .X. ...", 4), ("..O XOO ..X", -2),
                           ("X.. .X. O..", 2 + 1 + 1 + 1 - 1), ("XX. ... ...", 2 + 2 + 1 - 0)):
        assert g(picture(catalogue.TIC_TAC_TOE, rows)) == expected, rows


def test_values_and_pruning():
    """Minimax is exhaustive search; alpha-beta finds the same and leaves out something."""
    rng, spared = Random(1), 0
    for _ in range(200):
        position = endgame(catalogue.TIC_TAC_TOE, 3, 3, rng.randint(2, 6), rng)
        before = bytes(position.cells), position.side
        root = tree(position, 9, position.legal_moves())
        assert (bytes(position.cells), position.side) == before
        exact = value(position, {}) * (1 if position.side == BLACK else -1)
        assert root.value == 10 * exact
        assert prune(root, -99, 99) == root.value
        every, searched = count(root)
        spared += every - searched
        for depth in range(1, 4):
            shallow = tree(position, depth, position.legal_moves())
            assert prune(shallow, -99, 99) == shallow.value
    assert spared > 100
    assert {position.side for position in (endgame(catalogue.TIC_TAC_TOE, 3, 3, 4, rng)
                                           for _ in range(20))} == {BLACK, WHITE}


def test_the_command(ours):
    status, shown, _ = ours("explain", "..O/XOO/..X", "X", "--depth", "2", "--alpha-beta")
    assert status == 0
    assert shown.splitlines()[-4:] == [
        "      X B1: <= -2 min",
        "          O A3: -2 (g)",
        "          cut off: alpha -1 >= beta -2; skipped: B3 A1",
        "16 positions below the root, 13 of them searched by alpha-beta"]
    _, drawn, _ = ours("explain", "..O/XOO/..X", "X", "--depth", "1", "--boards")
    assert drawn.splitlines()[:8] == [
        "  the position: 2 max", "      . . O", "      X O O", "      . . X", "      X A3: 0 (g)",
        "          X . O", "          X O O", "          . . X"]
    for rows, side, reason in (("XXX/OOO/...", "X", "both sides have three in a row"),
                               ("XX./.../...", "O", "O cannot be to move with 0 stones against 2"),
                               ("X../.../...", "X", "X cannot be to move with 1 stones against 0"),
                               ("XXX/OO./...", "X", "cannot be to move"),
                               ("XXX/OO./O..", "X", "X is to move and has already won")):
        status, _, errors = ours("explain", rows, side)
        assert status == 2 and reason in errors.splitlines()[-1]
    for words in (("..O/XOO/..", "X"), ("..O/XOO/..Z", "X"), ("..O/XOO/..X", "Y"), ("..O",)):
        status, output, errors = ours("explain", *words)
        assert status == 2 and not output
        assert errors.splitlines()[-1].startswith("python -m gtp_engine")
