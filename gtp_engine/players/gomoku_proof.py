"""The proof that Black wins Gomoku on 15x15 from the centre, as far as it goes: a move for each
position.

`python -m gtp_engine solve-gomoku` writes it, `verify-gomoku` checks it.  The file is HEADER and a
zlib stream of bytes: one entry, of the empty board.  An entry is Black's move, the plies to the end
of the game if White holds out as long as the tree lets it, and the answers that need an entry of
their own, each followed by that or by SEEN, where the position, or what a symmetry shows as it, has
an entry elsewhere.  Then END says that all other answers lose to threats, OPEN that nothing is said
of them; after OPEN the plies are 0.  Where there is an entry for NO_STONE, a pass, before END, it
wins after all other answers, as if they were passes, and answers that lose to threats are followed
by THREATS.  Below NO_STONE nothing is SEEN.  Points are numbered from A1 along the rows.
"""

import zlib
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Mapping, NamedTuple, Optional, Sequence, Union

from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, PASS, WHITE, Lattice
from ..games.rules import Position
from .adapters import symmetries

SIZE = 15
POINTS = NO_STONE = SIZE * SIZE
HEADER = b"gtp_engine: Black wins Gomoku on 15x15, version 2\n"
THREATS, OPEN, SEEN, END = 252, 253, 254, 255
LARGEST = 1 << 26  # bytes of a stream
FILE = Path(__file__).parent / "data" / "gomoku.proof"

Hashes = tuple[int, ...]  # of a position, one for each symmetry


class Entry(NamedTuple):
    """A position with Black to move.

    moves    the moves that lead there, those of the two colours in turns, NO_STONE among them
    move     Black's move
    plies    to the end of the game, at most; 0 if not all answers are known to lose
    answers  those that stand there, each with True if its entry follows, SEEN or THREATS
    """

    moves: tuple[int, ...]
    move: int
    plies: int
    answers: dict[int, int]


def entries(data: bytes) -> list[Entry]:
    """The entries of a file, each before those after its answers, points by number.

    Raises ValueError if it is damaged or something else.
    """
    if not data.startswith(HEADER):
        raise ValueError("it does not begin as a proof of Gomoku does")
    unpacker = zlib.decompressobj()
    try:
        stream = unpacker.decompress(data[len(HEADER):], LARGEST)
    except zlib.error:
        raise ValueError("it is damaged") from None
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("it is damaged or too large")
    try:
        found, end = _read(stream)
    except IndexError:
        raise ValueError("it ends in the middle of an entry") from None
    if end != len(stream):
        raise ValueError("something follows its end")
    return found


def _read(stream: bytes) -> tuple[list[Entry], int]:
    # The first entry and those below it, and where it ends.
    found, above, at, moves = list[Entry](), list[Entry](), 0, tuple[int, ...]()
    while not found or above:
        entry = Entry(moves, stream[at], stream[at + 1], {})
        at += 2
        found.append(entry)
        above.append(entry)
        while above:
            _, move, plies, answers = entry = above[-1]
            answer, mark = stream[at], stream[at:at + 2][-1]
            if answer > NO_STONE:
                if (answer not in (OPEN, END) or (answer == END) != (plies > 0) or move >= POINTS
                        or answers.get(NO_STONE, True) is not True):
                    raise ValueError("it is damaged")
                above.pop()
                at += 1
            elif mark in (SEEN, THREATS):
                answers[answer] = mark
                at += 2
            else:
                answers[answer] = True
                at += 1
                moves = (*entry.moves, move, answer)
                break
    return found, at


def packed(stream: Sequence[int]) -> bytes:
    """The bytes of a file with this stream."""
    return HEADER + zlib.compress(bytes(stream), 9)


class Symmetric:
    """Positions by hashes, one for each symmetry of the board."""

    def __init__(self, lattice: Lattice):
        random, images = Random(15), symmetries(lattice, 5)
        word = {point: (random.getrandbits(64), random.getrandbits(64))
                for point in lattice.points}
        self.words = {(point, colour): [word[int(image[point])][colour - BLACK]
                                        for image in images]
                      for point in lattice.points for colour in (BLACK, WHITE)}
        self.images = [image.tolist() for image in images]
        self.nothing: Hashes = (0,) * len(images)

    def play(self, hashes: Hashes, colour: int, point: int) -> Hashes:
        """The hashes with one more stone, or without this one."""
        return tuple(a ^ b for a, b in zip(hashes, self.words[point, colour]))


class Advice(NamedTuple):
    """What the proof says of a position with Black to move.

    move     Black's move
    plies    to the end of the game, at most; 0 if not all answers are known to lose
    answers  those after which the proof does not take White's stone for a pass; None if no stone is
             taken for one
    image    where the file shows each point
    """

    move: int
    plies: int
    answers: Optional[frozenset[int]]
    image: Sequence[int] = ()


ENTRY, PASSES, BY_THREATS, UNKNOWN = "entry", "pass", "threats", "unknown"


class Answer(NamedTuple):
    """What the proof says of an answer of White.

    kind   ENTRY: the position after it stands in the proof; PASSES: it changes nothing, Black goes
           on as after a pass; BY_THREATS: Black wins by threats; UNKNOWN: nothing is said of it
    plies  to the end of the game from there, at most; 0 if it is not known to lose
    """

    kind: str
    plies: int


class Threat(NamedTuple):
    """A position that Black wins by threats, points as the file shows them.

    before  that before White's answer, Black to move, without the stones that were taken for passes
    answer  of White
    zone    may the answer lose to what wins after a pass, if it is outside the zone of that?
    later   the moves since, of the two colours in turns
    image   where the file shows each point
    """

    before: Position
    answer: int
    zone: bool
    later: tuple[int, ...]
    image: Sequence[int]


class _Place(NamedTuple):
    # A position as the proof has it: its hashes; what the proof says of it or, where White is to
    # move, of the position before Black's move if that is the move of the proof; and the stones of
    # White that were taken for passes.
    hashes: Hashes
    advice: Optional[Advice]
    left_out: tuple[int, ...] = ()


class GomokuProof:
    """What is proved, by position.  Raises ValueError if the file is damaged."""

    def __init__(self, data: bytes):
        lattice = catalogue.start(catalogue.GOMOKU, SIZE).lattice
        self._board = Symmetric(lattice)
        points = [*lattice.points, PASS]
        # An entry stands as the file shows it; it is looked for as all symmetries show a position.
        plain = self._board.images.index([*range(lattice.cells)])
        black, white = ([*(self._board.words[point, colour][plain] for point in lattice.points), 0]
                        for colour in (BLACK, WHITE))
        self._advice: dict[int, Advice] = {}
        self._moved: dict[int, Advice] = {}  # by the position after the move
        known: dict[tuple[int, ...], int] = {(): 0}
        for moves, move, plies, answers in entries(data):
            here = known.pop(moves)
            after = here ^ black[move]
            advice = self._advice[here] = Advice(
                points[move], plies,
                frozenset(map(points.__getitem__, answers)) if NO_STONE in answers else None)
            if NO_STONE not in moves and (plies or after not in self._moved):
                self._moved[after] = advice
            for answer, mark in answers.items():
                if mark is True:
                    known[(*moves, move, answer)] = after ^ white[answer]

    def advice(self, position: Position) -> Optional[Advice]:
        """What the proof says of this position, if anything; None if White is to move.

        White's stones that it has taken for passes, on the way that the game has come, are left
        out.
        """
        return self._place(position).advice if position.side == BLACK else None

    def loss(self, position: Position) -> int:
        """The plies after which White, to move, has lost; 0 if nothing is known of that."""
        advice = self._place(position).advice if position.side == WHITE else None
        return advice.plies - 1 if advice and advice.plies else 0

    def answers(self, position: Position) -> dict[int, Answer]:
        """What the proof says of each answer of White, to move after a move of the proof; nothing
        elsewhere."""
        place = self._place(position)
        if place.advice is None or position.side != WHITE:
            return {}
        return {point: self._answer(place.hashes, place.advice, point)
                for point in position.legal_moves()}

    def last_answer(self, position: Position) -> Optional[Answer]:
        """What the proof says of White's last move, if it answers a move of the proof."""
        if position.side != BLACK or not position.history or position.history[-1].point == PASS:
            return None
        before = position.copy()
        before.undo()
        return self.answers(before).get(position.history[-1].point)

    def threat(self, position: Position) -> Optional[Threat]:
        """The win by threats that a game is in, with Black to move; None if it is in none."""
        game, later = position.copy(), list[int]()
        while game.side == BLACK and len(game.history) > 1 and game.history[-1].point != PASS:
            answer = game.history[-1].point
            game.undo()
            hashes, advice, left_out = self._place(game)
            if advice:
                if self._answer(hashes, advice, answer).kind != BY_THREATS:
                    return None
                image = advice.image
                before = catalogue.start(catalogue.GOMOKU, SIZE)
                before.setup([(game.cells[point], image[point]) for point in game.lattice.points
                              if game.cells[point] != EMPTY and point not in left_out])
                before.set_side(BLACK)
                return Threat(before, image[answer], advice.answers is None,
                              tuple(image[move] for move in reversed(later)), image)
            later += [answer, game.history[-1].point]
            game.undo()
        return None

    def line(self, position: Position) -> tuple[int, ...]:
        """The moves of the proof from a position with Black to move, White holding out as long as
        it can, up to where Black wins by threats or nothing is known."""
        game, line = position.copy(), list[int]()
        while advice := self.advice(game):
            game.play(BLACK, advice.move)
            line.append(advice.move)
            if game.outcome:
                break
            answers = {point: answer.plies for point, answer in self.answers(game).items()
                       if answer.kind in (ENTRY, PASSES) and answer.plies}
            if not answers:
                break
            line.append(max(answers, key=lambda point: answers[point]))
            game.play(WHITE, line[-1])
        return tuple(line)

    def _place(self, position: Position) -> _Place:
        hashes, follows, left_out = self._board.nothing, False, list[int]()
        advice = self._shown(hashes, self._advice)
        for record in position.history:
            if record.point == PASS:  # not only moves were made
                hashes = self._hashes(position)
                return _Place(hashes, self._shown(
                    hashes, self._advice if position.side == BLACK else self._moved))
            if record.colour == BLACK:
                follows = advice is not None and advice.move == record.point
                hashes = self._board.play(hashes, BLACK, record.point)
                continue
            if follows and advice and _passes(advice, record.point):
                left_out.append(record.point)
            else:
                hashes = self._board.play(hashes, WHITE, record.point)
            advice = self._shown(hashes, self._advice)
        if position.side == WHITE and not follows:
            advice = self._shown(hashes, self._moved)
        return _Place(hashes, advice, tuple(left_out))

    def _answer(self, hashes: Hashes, advice: Advice, point: int) -> Answer:
        # What the proof says of White's answer to a move that it advises.
        passes = _passes(advice, point)
        after = self._shown(hashes if passes else self._board.play(hashes, WHITE, point),
                            self._advice)
        if after:
            return Answer(PASSES if passes else ENTRY, after.plies)
        return Answer(BY_THREATS, advice.plies - 2) if advice.plies else Answer(UNKNOWN, 0)

    def _shown(self, hashes: Hashes, known: Mapping[int, Advice]) -> Optional[Advice]:
        for shown, image in zip(hashes, self._board.images):
            found = known.get(shown)
            if found:
                return Advice(image.index(found.move), found.plies, found.answers and frozenset(
                    point if point == PASS else image.index(point) for point in found.answers),
                    image)
        return None

    def _hashes(self, position: Position) -> Hashes:
        found = self._board.nothing
        for point in position.lattice.points:
            if position.cells[point] != EMPTY:
                found = self._board.play(found, position.cells[point], point)
        return found


def _passes(advice: Advice, point: int) -> bool:
    # Does the proof take that answer of White for a pass?
    return bool(advice.answers) and point not in (advice.answers or ())


def of(position: Position) -> Optional[GomokuProof]:
    """The proof that comes with the package, if it may say something of the position."""
    return load() if (position.rules == catalogue.GOMOKU and position.lattice.width == SIZE
                      and (position.vacant == POINTS or any(
                          position.cells[point] == BLACK for point in position.lattice.middle()))
                      ) else None


def read(path: Union[str, Path]) -> GomokuProof:
    """The proof of a file.  Raises OSError or ValueError if there is none."""
    try:
        return GomokuProof(Path(path).read_bytes())
    except ValueError as error:
        raise ValueError(f"not a proof of Gomoku: {path}: {error}") from None


@lru_cache(maxsize=None)
def load() -> GomokuProof:
    """The proof that comes with the package."""
    return read(FILE)
