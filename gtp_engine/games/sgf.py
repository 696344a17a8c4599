"""Games as SGF."""

from typing import Mapping, Optional

from . import catalogue
from .lattice import BLACK, EMPTY, PASS, WHITE
from .rules import IllegalMove, Position, Rules

LETTERS = {BLACK: "b", WHITE: "w"}


def sgf_of(position: Position, properties: Optional[Mapping[str, str]] = None) -> bytes:
    """The game so far as an SGF file, with these properties (PB, PW, RE, ...) in its root.

    There is no GM, since GoGui refuses any but Go's.  Needs the package sgfmill.
    """
    from sgfmill import sgf
    game = sgf.Sgf_game(position.lattice.shown_size)
    root = game.get_root()
    root.unset("GM")
    root.set("GN", position.rules.name)
    for name, value in (properties or {}).items():
        root.set(name, value)

    def place(point: int) -> tuple[int, int]:
        column, row = position.lattice.shown_at(point)
        return row, column

    replay, nodes = position.copy(), []
    while replay.history:
        record = replay.history[-1]
        if record.point != PASS:
            nodes.append(lambda node, r=record: node.set_move(LETTERS[r.colour], place(r.point)))
        elif record.before:
            held = {cell: replay.cells[cell] for cell, _ in record.before}
            nodes.append(lambda node, held=held: node.set_setup_stones(*(
                [place(cell) for cell, value in held.items() if value == wanted]
                for wanted in (BLACK, WHITE, EMPTY))))
        elif replay.side == record.colour:
            nodes.append(lambda node, r=record: node.set("PL", LETTERS[r.colour]))
        else:
            nodes.append(lambda node, r=record: node.set_move(LETTERS[r.colour], None))
        replay.undo()
    for fill in reversed(nodes):
        fill(game.extend_main_sequence())
    return game.serialise()


def position_of(data: bytes, rules: Rules, before_move: Optional[int] = None) -> Position:
    """The position at the end of an SGF file's main line, or before its move of that number.

    Moves are counted from 1; set-up stones, whose turn it is and the size are taken from the file,
    whatever game it says it is of.  Raises ValueError.  Needs the package sgfmill.
    """
    from sgfmill import sgf
    # No text is read, so that its encoding does not matter.
    game = sgf.Sgf_game.from_bytes(data, override_encoding="UTF-8")
    position = catalogue.start(rules, game.get_size())
    points = {position.lattice.shown_at(point)[::-1]: point for point in position.lattice.points}
    colours = {letter: colour for colour, letter in LETTERS.items()}
    moves = 0
    for number, node in enumerate(game.get_main_sequence()):
        try:
            if node.has_setup_stones():
                black, white, empty = node.get_setup_stones()
                position.setup([(colour, points[place]) for colour, places in
                                ((BLACK, black), (WHITE, white), (EMPTY, empty))
                                for place in sorted(places)])
            if node.has_property("PL"):
                position.set_side(colours[node.get("PL")])
            letter, place = node.get_move()
            if letter is not None:
                moves += 1
                if before_move is not None and moves >= before_move:
                    return position
                position.play(colours[letter], PASS if place is None else points[place])
        except IllegalMove as complaint:
            raise ValueError(f"move {moves} is illegal: {complaint}") from None
        except (KeyError, ValueError):
            raise ValueError(f"node {number} is not of this game") from None
    return position
