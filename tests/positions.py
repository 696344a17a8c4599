"""Random positions of every kind, and positions drawn as pictures."""

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE, Lattice
from gtp_engine.games.rules import Position
from gtp_engine.players.playout_policy import policy_moves
from gtp_engine.wire.notation import GtpPoints

FIVES = [rules for rules in catalogue.GAMES.values() if rules.in_a_row == 5]
COLOURS = {"X": BLACK, "O": WHITE, ".": EMPTY}


def picture(rules, text, side=BLACK):
    """The position with these rows from the top, X black, O white, set up without moves.

    Points with other signs are empty; `marked` finds them.
    """
    rows = text.split()
    position = Position(rules, Lattice(len(rows[0]), len(rows)))
    position.setup([(colour, point) for sign, colour in (("X", BLACK), ("O", WHITE))
                    for point in marked(position, text, sign)])
    position.set_side(side)
    return position


def marked(position, text, sign="*"):
    """The points of a picture of the position that have that sign."""
    return [position.lattice.point(x, y) for y, row in enumerate(text.split()[::-1])
            for x, each in enumerate(row) if each == sign]


def drawing(position, points=()):
    """The board as rows from the top, with * on the points."""
    lattice = position.lattice
    symbols = {value: symbol for symbol, value in COLOURS.items()}
    return "\n".join(
        "".join("*" if point in points else symbols[position.cells[point]]
                for point in (lattice.point(x, y) for x in range(lattice.width)))
        for y in reversed(range(lattice.height)))


def after(moves, rules, size):
    """The position after moves in turn, as in E5 E6."""
    position = catalogue.start(rules, size)
    points = GtpPoints(position.lattice)
    for move in moves.split():
        position.play(position.side, points.point_of(move))
    return position


def random_game(rules, size, rng, alternate=True, by_policy=0.5):
    """Yield a position before each ply of a game, until it is over.

    Moves are uniformly random or, with probability `by_policy`, rule-based, so that threats come
    up and are answered.  Unless they alternate, the colours are random too.
    """
    position = catalogue.start(rules, fitting(rules, size))
    while True:
        if not alternate:
            position.set_side(rng.choice((BLACK, WHITE)))
        yield position
        if position.outcome:
            return
        policy = "rule_based" if rng.random() < by_policy else "random"
        rule, points = policy_moves(position, policy)
        if rule == "Win" and rng.random() < 0.9:  # let games grow long
            points = position.legal_moves()
        position.play(position.side, rng.choice(points))


def fitting(rules, size):
    """The size next to `size` on which the game is played; rectangles stay as they are."""
    if not isinstance(size, int):
        return size
    return max(rules.smallest, min(size, rules.largest))


def value(position, known):
    """1, 0 or -1 for the side to move, by trying everything."""
    if position.outcome:
        winner = position.outcome.winner
        return 0 if winner == EMPTY else 1 if winner == position.side else -1
    key = bytes(position.cells), position.side, tuple(position.captured)
    if key not in known:
        best = -1
        for point in position.legal_moves():
            position.play(position.side, point)
            best = max(best, -value(position, known))
            position.undo()
            if best == 1:
                break
        known[key] = best
    return known[key]


def endgame(rules, width, height, empty, rng):
    """A position that is not over, with so many empty points and any stones elsewhere."""
    lattice = Lattice(width, height)
    while True:
        position = Position(rules, lattice)
        points = rng.sample(lattice.points, len(lattice.points) - empty)
        position.setup([(rng.choice((BLACK, WHITE)), point) for point in points])
        if not position.outcome:
            position.set_side(rng.choice((BLACK, WHITE)))
            return position
