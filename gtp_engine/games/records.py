"""Games as SGF."""

from typing import Mapping, Optional

from .lattice import BLACK, EMPTY, PASS, WHITE
from .rules import Position

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
