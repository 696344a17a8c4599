"""The rules of a game as a row of data, and a position under these rules."""

from typing import Iterable, NamedTuple, Optional

from . import renju
from .lattice import BLACK, EMPTY, PASS, WHITE, Lattice, opponent

# Reasons of an Outcome.
LINE, CAPTURES, BOARD_FULL, FOUL = "line", "captures", "board full", "foul"
TOO_NEAR = "too close to the center"  # a complaint
FORBIDDEN = "forbidden"  # the first word of a complaint
CONTENTS = ("EMPTY", "BLACK", "WHITE")  # names of the contents of a point
COLOURS = (BLACK, WHITE)


class Rules(NamedTuple):
    """The rules of one k-in-a-row game."""

    name: str
    smallest: int  # least and greatest side of a board as displayed; only cubes must be square
    largest: int
    default_size: int
    in_a_row: int = 5
    overline_wins: bool = True  # does a longer row win too?
    caro: bool = False  # a row of exactly `in_a_row` between two opposing stones does not win
    capture_lengths: tuple[int, ...] = ()  # lengths of flanked rows that a move captures
    captures_to_win: int = 0  # number of captured stones that wins; 0: captures do not win
    centre_opening: int = 0  # 1: Black begins in the centre; 2: then plays outside its 5x5
    cube: bool = False  # boards are cubes, displayed as a square of levels
    first: int = BLACK  # the colour that moves first
    swap: bool = False  # the second player's first stone may replace the first player's
    block_open_four: bool = True  # is BlockOpenFour a rule of the rule-based policy?
    renju: bool = False  # are overlines, double fours and double threes forbidden to Black?

    def exact(self, colour: int) -> bool:
        """Return whether only rows of exactly `in_a_row` win for a colour."""
        return not self.overline_wins or self.renju and colour == BLACK

    def row_wins(self, colour: int, length: int) -> bool:
        """Return whether a row of `length` stones wins for a colour."""
        return length == self.in_a_row or length > self.in_a_row and not self.exact(colour)

    def row_fills_board(self) -> bool:
        """Return whether all boards of the game are as long as a winning row."""
        return self.smallest == self.largest == self.in_a_row * (2 if self.cube else 1)


class Outcome(NamedTuple):
    """The end of a game: the winner (EMPTY for a draw) and LINE, CAPTURES, BOARD_FULL or FOUL.

    The board also counts as full if the side to move has no legal move.
    """

    winner: int
    reason: str


class IllegalMove(ValueError):
    """A move against the rules; the text is the complaint."""


class Record(NamedTuple):
    """One change of a position, with the data to undo it."""

    colour: int
    point: int  # PASS for a pass and for every other change that is no stone played
    before: tuple[tuple[int, int], ...]  # (cell, earlier content) for each changed cell
    captured: tuple[int, int, int]
    side: int
    outcome: Optional[Outcome]
    opening_plies: int


class Position:
    """Stones on a lattice, the side to move, and the history.

    Read the attributes; change them only by `play`, `setup`, `set_side` and `undo`.

    cells          bytearray over the lattice's cells: EMPTY, BLACK, WHITE or BORDER
    side           the colour to move
    captured       number of stones that each colour has captured, indexed by colour
    vacant         number of empty points
    outcome        an Outcome once the game is over, else None
    history        the Records of all changes since the board was empty
    opening_plies  number of moves while the sides alternate from Rules.first on; otherwise -1
    """

    def __init__(self, rules: Rules, lattice: Lattice):
        self.rules = rules
        self.lattice = lattice
        self.cells = lattice.blank()
        self.side = rules.first
        self.captured = [0, 0, 0]
        self.vacant = len(lattice.points)
        self.outcome: Optional[Outcome] = None
        self.history: list[Record] = []
        self.opening_plies = 0

    def copy(self) -> "Position":
        """Return an independent position, equal in every attribute."""
        other = Position.__new__(Position)
        other.__dict__.update(self.__dict__)
        other.cells = self.cells[:]
        other.captured = self.captured[:]
        other.history = self.history[:]
        return other

    # --- questions ----------------------------------------------------------------------------

    def complaint(self, colour: int, point: int) -> Optional[str]:
        """Return why `colour` may not play on `point`, or None.

        The first true complaint of: occupied, not in the center, too close to the center,
        forbidden (with its kind), game over.  A pass has no complaint.  Raises ValueError if there
        is no such colour or point.
        """
        if colour not in COLOURS:
            raise no_such_colour(colour)
        if point == PASS:
            return None
        if point not in self.lattice.on_board:
            raise no_such_point(point)
        if self.cells[point] != EMPTY and (point, colour) != self.swap:
            return "occupied"
        if self.rules.centre_opening and colour == BLACK:
            if self.opening_plies == 0 and point not in self.lattice.middle():
                return "not in the center"
            if (self.opening_plies == 2 and self.rules.centre_opening == 2
                    and self._steps_from_first_stone(point) < 3):
                return TOO_NEAR
        kind = self.forbidden(colour, point)
        if kind:
            return f"{FORBIDDEN}: {kind}"
        if self.outcome:
            return "game over"
        return None

    def forbidden(self, colour: int, point: int) -> Optional[str]:
        """Return the kind of Renju foul of `colour` on `point`, or None; see `games.renju`."""
        if not self.rules.renju or colour != BLACK or self.cells[point] != EMPTY:
            return None
        kind = renju.verdict(self.cells, self.lattice.axes, point)
        return None if kind == renju.FIVE else kind

    def forbidden_points(self) -> dict[int, str]:
        """Return the forbidden points of the side to move, in point order, with their kinds."""
        if not self.rules.renju or self.side != BLACK:
            return {}
        return dict(sorted(renju.fouls(self.cells, self.lattice.axes, self.lattice.slices).items()))

    def legal_moves(self) -> list[int]:
        """Return the legal moves of the side to move, in point order; none after the end."""
        if self.outcome:
            return []
        empty = [point for point in self.lattice.points if self.cells[point] == EMPTY]
        if self.rules.centre_opening and self.opening_plies in (0, 2):
            return [point for point in empty if not self.complaint(self.side, point)]
        if self.rules.renju and self.side == BLACK:
            forbidden = renju.fouls(self.cells, self.lattice.axes, self.lattice.slices)
            return [point for point in empty if point not in forbidden] if forbidden else empty
        if self.may_swap is not None:
            return sorted([*empty, self.may_swap])
        return empty

    @property
    def swap(self) -> Optional[tuple[int, int]]:
        """The point of the first stone and its new colour, if a swap is legal now, or None."""
        if not self.rules.swap or self.opening_plies != 1:
            return None
        return self._first_point(), opponent(self.rules.first)

    @property
    def may_swap(self) -> Optional[int]:
        """The point of the stone that the side to move may swap, or None."""
        swap = self.swap
        return swap[0] if swap and swap[1] == self.side else None

    @property
    def moves(self) -> list[Record]:
        """The records of all stones played, without passes and set-up stones."""
        return [record for record in self.history if record.point != PASS]

    def captures(self, colour: int, point: int) -> list[int]:
        """Return the stones that a stone of `colour` on the empty `point` would capture."""
        cells, other = self.cells, opponent(colour)
        taken: list[int] = []
        for length in self.rules.capture_lengths:
            for step in self.lattice.steps:
                if cells[point + step] == other:
                    flanked = range(point + step, point + step * (length + 1), step)
                    if (all(cells[cell] == other for cell in flanked)
                            and cells[point + step * (length + 1)] == colour):
                        taken.extend(flanked)
        return taken

    def run(self, colour: int, point: int, axis: int) -> tuple[int, int]:
        """Return the cells before and after the row of `colour` through `point` along `axis`.

        `point` counts as a stone of the row.
        """
        cells, before, after = self.cells, point - axis, point + axis
        while cells[before] == colour:
            before -= axis
        while cells[after] == colour:
            after += axis
        return before, after

    def makes_row(self, colour: int, point: int) -> bool:
        """Return whether a stone of `colour` on `point` would be part of a winning row."""
        cells = self.cells
        for axis in self.lattice.axes:  # a single stone is no row
            if (cells[point + axis] == colour or cells[point - axis] == colour) and (
                    self.wins_along(colour, point, axis)):
                return True
        return False

    def wins_along(self, colour: int, point: int, axis: int) -> bool:
        """Return whether a stone of `colour` on `point` would win along an axis."""
        before, after = self.run(colour, point, axis)
        length = (after - before) // axis - 1
        blocked = self.cells[before] == self.cells[after] == opponent(colour)
        return self.rules.row_wins(colour, length) and not (
            self.rules.caro and blocked and length == self.rules.in_a_row)

    def winning_stones(self) -> list[int]:
        """Return the stones of all winning rows of the winner, in point order."""
        winner = self.outcome.winner if self.outcome else EMPTY
        if winner == EMPTY:
            return []
        return [point for point in self.lattice.points
                if self.cells[point] == winner and self.makes_row(winner, point)]

    def wins(self, colour: int, point: int) -> bool:
        """Return whether `colour` would win on the empty `point`, by a row or by captures."""
        return self.makes_row(colour, point) or self._captured_enough(
            colour, len(self.captures(colour, point)))

    # --- changes ------------------------------------------------------------------------------

    def play(self, colour: int, point: int, foul_loses: bool = False) -> None:
        """Play a stone of `colour`, or pass; remove captured stones and change the side to move.

        Turns need not alternate.  With `foul_loses`, a forbidden move of Renju is played and loses
        the game.  Raises IllegalMove if there is a `complaint`, and ValueError if there is no such
        colour or point; the position is then unchanged.
        """
        reason = self.complaint(colour, point)
        foul = bool(foul_loses and reason and reason.startswith(FORBIDDEN) and not self.outcome)
        if reason and not foul:
            raise IllegalMove(reason)
        if point == PASS:
            self._change(colour, PASS, ())
            self.opening_plies = -1
        else:
            taken = self.captures(colour, point) if self.rules.capture_lengths else []
            self._change(colour, point, [(point, colour), *((cell, EMPTY) for cell in taken)])
            self.captured[colour] += len(taken)
            plies = self.opening_plies
            expected = opponent(self.rules.first) if plies % 2 else self.rules.first
            alternates = plies >= 0 and colour == expected
            self.opening_plies = plies + 1 if alternates else -1
            self.outcome = (Outcome(opponent(colour), FOUL) if foul
                            else self._outcome_of(colour, point))
        self.side = opponent(colour)

    def setup(self, stones: Iterable[tuple[int, int]]) -> None:
        """Set points to (colour, point) stones, or to EMPTY, whatever they contain.

        Captures nothing and keeps the side to move; one `undo` takes all stones back.  A row on the
        board wins; if both colours have one, Black's counts.  Raises ValueError if there is no such
        colour or point; the position is then unchanged.
        """
        changes = [(point, colour) for colour, point in stones]
        for point, colour in changes:
            if colour not in (EMPTY, *COLOURS):
                raise no_such_colour(colour, (EMPTY, *COLOURS))
            if point not in self.lattice.on_board:
                raise no_such_point(point)
        self._change(self.side, PASS, changes)
        self.opening_plies = -1
        self.outcome = self._outcome_on_board()

    def set_side(self, colour: int) -> None:
        """Give `colour` the turn; a board may be full for one colour only, see Outcome.

        Raises ValueError if there is no such colour.
        """
        if colour not in COLOURS:
            raise no_such_colour(colour)
        self._change(colour, PASS, ())
        self.side = colour
        if self.rules.renju and (self.outcome is None or self.outcome.reason == BOARD_FULL):
            self.outcome = Outcome(EMPTY, BOARD_FULL) if self._is_full_for(colour) else None

    def undo(self) -> None:
        """Restore the position before the last change.  Raises IndexError if there is none."""
        record = self.history.pop()
        for cell, content in reversed(record.before):
            self.vacant += (content == EMPTY) - (self.cells[cell] == EMPTY)
            self.cells[cell] = content
        self.captured = list(record.captured)
        self.side, self.outcome, self.opening_plies = (
            record.side, record.outcome, record.opening_plies)

    def _change(self, colour: int, point: int, cells: Iterable[tuple[int, int]]) -> None:
        before = []
        for cell, content in cells:
            earlier = self.cells[cell]
            before.append((cell, earlier))
            self.cells[cell] = content
            self.vacant += (content == EMPTY) - (earlier == EMPTY)
        black, white = self.captured[BLACK], self.captured[WHITE]
        self.history.append(Record(colour, point, tuple(before), (0, black, white),
                                   self.side, self.outcome, self.opening_plies))

    def _captured_enough(self, colour: int, more: int = 0) -> bool:
        target = self.rules.captures_to_win
        return target > 0 and self.captured[colour] + more >= target

    def _outcome_of(self, colour: int, point: int) -> Optional[Outcome]:
        if self.makes_row(colour, point):
            return Outcome(colour, LINE)
        if self._captured_enough(colour):
            return Outcome(colour, CAPTURES)
        return Outcome(EMPTY, BOARD_FULL) if self._is_full_for(opponent(colour)) else None

    def _outcome_on_board(self) -> Optional[Outcome]:
        for colour in (BLACK, WHITE):
            for point in self.lattice.points:
                if self.cells[point] == colour and self.makes_row(colour, point):
                    return Outcome(colour, LINE)
        for colour in (BLACK, WHITE):
            if self._captured_enough(colour):
                return Outcome(colour, CAPTURES)
        return Outcome(EMPTY, BOARD_FULL) if self._is_full_for(self.side) else None

    def _is_full_for(self, colour: int) -> bool:
        # Has the colour no point to play on?
        if not self.vacant or not self.rules.renju:
            return not self.vacant
        return all(self.cells[point] != EMPTY or self.forbidden(colour, point)
                   for point in self.lattice.points)

    def _steps_from_first_stone(self, point: int) -> int:
        first = self._first_point()
        return max(abs(a - b) for a, b in zip(self.lattice.coordinates(first),
                                              self.lattice.coordinates(point)))

    def _first_point(self) -> int:
        return next(record.point for record in self.history if record.point != PASS)


def no_such_colour(colour: object, colours: Iterable[int] = COLOURS) -> ValueError:
    """Return the error for a colour that is not among `colours`."""
    allowed = ", ".join(f"{CONTENTS[each]} is {each}" for each in colours)
    return ValueError(f"no such colour: {colour!r} ({allowed})")


def no_such_point(point: object) -> ValueError:
    """Return the error for a point that is not on the board."""
    return ValueError(f"no such point: {point!r} (allowed: those of lattice.points)")
