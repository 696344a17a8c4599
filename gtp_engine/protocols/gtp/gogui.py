"""GoGui's extensions of GTP, for GoGui and its tools."""

import os

from ...games.lattice import BLACK, EMPTY, PASS, WHITE, size_text
from ...games.rules import FOUL, LINE, TOO_NEAR, Position
from ...wire.notation import COLOUR_NAMES, board_rows
from .dispatcher import Dispatcher, GtpError
from .session import Session

TINT, TINTED = "#805018", (1, 2)  # levels of a cube, to set them off from their neighbours


class GoguiCommands:
    """The gogui-* commands of a session."""

    def __init__(self, dispatcher: Dispatcher, session: Session):
        self.dispatcher, self.session = dispatcher, session
        dispatcher.add([
            self.game_id, self.board_size, self.board, self.captured_count, self.side_to_move,
            self.legal_moves, self.final_result, self.board_gfx, self.play_sequence, self.setup,
            self.setup_player, self.interrupt, self.sigint, self.title, self.version,
        ])

    # --- gogui-rules: the rules for GoGui -----------------------------------------------------

    def game_id(self) -> str:
        """gogui-rules_game_id

        The name of the game.
        """
        return self.session.position.rules.name

    def board_size(self) -> str:
        """gogui-rules_board_size

        The side length of the board; GoGui has no other rectangles than squares.
        """
        size = self.session.position.lattice.display_size
        if not isinstance(size, int):
            raise GtpError(f"the board is no square: {size_text(size)}")
        return str(size)

    def board(self) -> str:
        """gogui-rules_board

        The board from the top row down: X is Black, O is White, . is empty, ? is no point.
        """
        position = self.session.position
        return "\n".join(board_rows(position.lattice, position.cells, no_point="?"))

    def captured_count(self) -> str:
        """gogui-rules_captured_count

        The numbers of stones captured by Black and by White; with --course 2023 White first.
        """
        captured = self.session.position.captured
        order = (WHITE, BLACK) if self.session.course.white_captures_first else (BLACK, WHITE)
        return " ".join(str(captured[colour]) for colour in order)

    def side_to_move(self) -> str:
        """gogui-rules_side_to_move

        The side to move: black or white.
        """
        return COLOUR_NAMES[self.session.position.side]

    def legal_moves(self) -> str:
        """gogui-rules_legal_moves

        The points where the side to move may play, sorted as strings; none once the game is over.
        """
        return self.session.points.text(self.session.position.legal_moves())

    def final_result(self) -> str:
        """gogui-rules_final_result

        The result: black, white or draw; unknown before the end of the game.
        """
        return self.session.result()

    def board_gfx(self) -> str:
        """gogui-rules_board_gfx

        Marks for GoGui's board: squares on a winning row, crosses on captured stones and forbidden
        points, a circle on the point of a prescribed first stone.  A tint marks points that an
        opening forbids, and two levels of a cube; labels number the levels.  The text names the
        winner.
        """
        position, points = self.session.position, self.session.points
        lattice, legal, opens = position.lattice, position.legal_moves(), position.opening_plies
        centre = position.rules.centre_opening
        forbidden = [] if position.outcome else [*position.forbidden_points()]
        tinted = [point for point in lattice.points if lattice.coordinates(point)[2] in TINTED
                  or centre and opens == 2 and position.complaint(position.side, point) == TOO_NEAR]
        painted = {f"COLOR {TINT}": tinted, "SQUARE": position.winning_stones(),
                   "MARK": last_captures(position) + forbidden,
                   "CIRCLE": legal if centre and opens == 0 else []}
        lines = [f"{symbol} {points.text(where)}" for symbol, where in painted.items() if where]
        firsts = [lattice.point(0, 0, z) for z in range(lattice.depth if lattice.depth > 1 else 0)]
        lines += [f"LABEL {points.name[first]} {z}" for z, first in enumerate(firsts)
                  if position.cells[first] == EMPTY]
        if position.outcome:
            lines.append(f"TEXT {ending(position)}")
        return "\n".join(lines)

    # --- setting up ---------------------------------------------------------------------------

    def play_sequence(self, *moves: str) -> None:
        """gogui-play_sequence [COLOUR POINT]...

        Play all the moves, or none if one of them is illegal.
        """
        session = self.session
        before = len(session.position.history)
        try:
            for colour, point in pairs(moves):
                session.move(colour, point)
        except GtpError:
            while len(session.position.history) > before:
                session.position.undo()
            raise

    def setup(self, *stones: str) -> None:
        """gogui-setup [COLOUR POINT]...

        Put stones on the board, without captures and without a change of turn.
        """
        session = self.session
        placed = []
        for colour, text in pairs(stones):
            point = session.points.point_of(text)
            if not point:
                raise GtpError(f"invalid point: {text}")
            placed.append((session.colour(colour), point))
        session.position.setup(placed)

    def setup_player(self, colour: str) -> None:
        """gogui-setup_player COLOUR

        Set COLOUR to move.
        """
        self.session.position.set_side(self.session.colour(colour))

    # --- control ------------------------------------------------------------------------------

    def interrupt(self) -> None:
        """gogui-interrupt

        A line "# interrupt" stops the running command.
        """

    def sigint(self) -> str:
        """gogui-sigint

        The id of the process; SIGINT stops its running command.  From now on SIGINT does not end
        the engine while no command runs.
        """
        self.dispatcher.ignores_idle_sigint = True
        return str(os.getpid())

    def title(self) -> str:
        """gogui-title

        The game, the board and the player.
        """
        session = self.session
        lattice = session.position.lattice
        size = f"{lattice.display_columns}x{lattice.display_rows}"
        return f"{session.position.rules.name} {size} ({session.engine.player_name})"

    def version(self, version: str = "") -> None:
        """gogui-version [VERSION]

        Accepted and ignored.
        """


def pairs(words: tuple[str, ...]) -> list[tuple[str, str]]:
    """The words in pairs.  Raises GtpError if their number is odd."""
    if len(words) % 2:
        raise GtpError("a color without a point")
    return list(zip(words[::2], words[1::2]))


def ending(position: Position) -> str:
    """The result of a finished game, as in White wins: 5 in a row."""
    outcome = position.outcome
    assert outcome is not None
    if outcome.winner == EMPTY:
        return f"draw: {outcome.reason}"
    how = (f"{position.rules.in_a_row} in a row" if outcome.reason == LINE else
           "a forbidden move of Black" if outcome.reason == FOUL else
           f"{position.captured[outcome.winner]} stones captured")
    return f"{COLOUR_NAMES[outcome.winner].capitalize()} wins: {how}"


def last_captures(position: Position) -> list[int]:
    """The points that the last move captured."""
    last = position.history[-1] if position.history else None
    if last is None or last.point == PASS:
        return []
    return [cell for cell, _ in last.before[1:] if position.cells[cell] == EMPTY]
