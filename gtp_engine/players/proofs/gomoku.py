"""Proofs, as far as they are complete, that Black wins Gomoku and its variants from the centre.

`python -m gtp_engine solve-gomoku` writes them, `verify-gomoku` checks them.  The folder DATA has
one file for each game and size, see `path_of`.  A file is the line HEADER and a stream in the xz
format.  The stream consists of 16-bit numbers, the low byte first.  It is one entry, the entry of
the empty board.  Points are numbered from A1 along the rows.  NO_STONE is the number of points.

An entry is:

1. Black's move
2. the plies to the end of the game against the longest defence; 0 before OPEN
3. the answers that need an entry of their own, each followed by this entry or by ELSEWHERE
4. END if all other answers lose to threats, or OPEN if the proof does not cover them

ELSEWHERE marks a position that has an entry elsewhere, up to symmetry.  An answer NO_STONE is a
pass.  Its entry, before END, wins after all other answers, as if they were passes; THREATS then
follows each answer that loses to threats.  Below NO_STONE there is no ELSEWHERE.
"""

import lzma
import re
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Iterator, NamedTuple, Optional, Sequence, Union

import numpy as np

from ...games import catalogue
from ...games.lattice import BLACK, EMPTY, PASS, WHITE, Lattice
from ...games.rules import Position, Rules
from ...games.symmetry import symmetries
from ...kernels import Call
from ...kernels.plane.proof_file import CUT, find_entries
from .. import DATA

HEADER = "gtp_engine: Black wins {name} on {size}x{size}, version 4\n"
A_HEADER = re.compile(rb"gtp_engine: Black wins ([A-Za-z-]+) on ([1-9][0-9]?)x\2, version 4\n")
DEEPEST = 256  # nested entries, at most
LARGEST = 1 << 27  # bytes of a stream
SYMBOL = np.dtype("<u2")  # of a stream

Hashes = tuple[int, ...]  # of a position, one for each symmetry


def stream_of(data: bytes) -> tuple[np.ndarray, Rules, int]:
    """The stream of a file, uint16[n], its game and its board size.

    Raises ValueError if the file is damaged or no proof.
    """
    header = A_HEADER.match(data)
    rules = catalogue.GAMES.get(header[1].decode()) if header else None
    if not header or not rules:
        raise ValueError("it does not start with the header of a proof")
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ)
    try:
        stream = unpacker.decompress(data[header.end():], LARGEST)
    except lzma.LZMAError:
        raise ValueError("it is damaged") from None
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("it is damaged or too large")
    if len(stream) % SYMBOL.itemsize:
        raise ValueError("it ends in the middle of a number")
    return np.frombuffer(stream, SYMBOL).astype(np.uint16, copy=False), rules, int(header[2])


def packed(stream: Sequence[int], name: str, size: int) -> bytes:
    """The content of a file with this stream, for the game of this name on size x size."""
    return HEADER.format(name=name, size=size).encode() + lzma.compress(
        np.array(stream, SYMBOL).tobytes(), preset=9 | lzma.PRESET_EXTREME)


class Symmetric:
    """The hashes of positions, one for each symmetry of the board."""

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
        """The hashes after a stone is added or removed."""
        return tuple(a ^ b for a, b in zip(hashes, self.words[point, colour]))


class Advice(NamedTuple):
    """The proof's advice for a position with Black to move.

    move     Black's move
    plies    most plies to the end of the game; 0 if the proof does not cover all answers
    answers  White's answers that do not count as passes; None if no answer counts as one
    image    maps the points to those of the file
    """

    move: int
    plies: int
    answers: Optional[frozenset[int]]
    image: Sequence[int] = ()


ENTRY, PASSES, BY_THREATS, UNKNOWN = "entry", "pass", "threats", "unknown"


class Answer(NamedTuple):
    """The proof's reply to an answer of White.

    kind   ENTRY: the position after it has an entry; PASSES: Black goes on as after a pass;
           BY_THREATS: Black wins by threats; UNKNOWN: the proof does not cover it
    plies  most plies to the end of the game from there; 0 if no loss is proved
    """

    kind: str
    plies: int


class Threat(NamedTuple):
    """A position that Black wins by threats, with the points of the file.

    before  the position before White's answer, Black to move, without stones that count as passes
    answer  White's answer
    plies   most plies to the end of the game after the answer; 0 if unknown
    zone    may the win after a pass refute the answer, if it is outside the zone of this win?
    later   the moves since then, of the two colours in turn
    image   maps the points to those of the file
    """

    before: Position
    answer: int
    plies: int
    zone: bool
    later: tuple[int, ...]
    image: Sequence[int]


class _Place(NamedTuple):
    # A position in the proof: its hashes, the advice, and White's stones that count as passes.
    # With White to move, it is the advice before Black's move, if Black followed it.
    hashes: Hashes
    advice: Optional[Advice]
    left_out: tuple[int, ...] = ()


class _After(NamedTuple):
    # The state after a move of a game: the hashes, the advice, whether the move followed the proof,
    # and White's stones that count as passes.  After a move of Black, the advice is that for the
    # position before it.
    hashes: Hashes
    advice: Optional[Advice]
    follows: bool
    left_out: tuple[int, ...]


class Keys:
    """An index of entries by key; of two entries with one key, it has the last."""

    def __init__(self, keys: np.ndarray, entries: np.ndarray):
        order = np.argsort(keys, kind="stable")
        self._keys, self._entries = keys[order], entries[order]

    def find(self, hashes: np.ndarray) -> np.ndarray:
        """The entry of each of these keys, uint64 in any shape; -1 where there is none."""
        places = np.searchsorted(self._keys, hashes, side="right") - 1
        return np.where(self._keys[places] == hashes, self._entries[places], -1)


class GomokuProof:
    """The proof of a file, by position.  Raises ValueError if the file is damaged.

    rules  the game that Black wins
    size   of the board
    """

    def __init__(self, data: bytes):
        stream, self.rules, self.size = stream_of(data)
        lattice = catalogue.start(self.rules, self.size).lattice
        self._board = Symmetric(lattice)
        self._points = [*lattice.points, PASS]
        # Entries have the points of the file; lookups try all symmetries of a position.
        plain = self._board.images.index([*range(lattice.cells)])
        words = np.array([[*(self._board.words[point, colour][plain] for point in lattice.points),
                           0] for colour in (BLACK, WHITE)], np.uint64)
        self._white = np.zeros((lattice.cells, len(self._board.images)), np.uint64)
        for point in lattice.points:
            self._white[point] = self._board.words[point, WHITE]
        begins, below, keys, answers = _room(stream.size)
        count, n_answers = find_entries(stream, words, np.zeros(DEEPEST, np.int64), begins, below,
                                        keys, answers)
        if count < 0:
            raise ValueError("it ends in the middle of an entry" if count == CUT else
                             "it is damaged, or something follows its end")
        begins, keys, answers = begins[:count], keys[:count], answers[:n_answers]
        self._moves, self._plies = stream[begins], stream[begins + 1]
        with_pass = np.zeros(count, np.bool_)
        with_pass[answers[answers[:, 1] == len(lattice.points), 0]] = True
        answers = answers[with_pass[answers[:, 0]]]
        answers = answers[np.argsort(answers[:, 0], kind="stable")]
        self._with_pass, self._answers = answers[:, 0].copy(), answers[:, 1].copy()
        self._before = Keys(keys, np.arange(count))
        # Complete entries, with plies above 0, come last, so that Keys prefers them.
        above = np.flatnonzero(below[:count] == 0)
        above = above[np.argsort(self._plies[above] > 0, kind="stable")]
        self._after = Keys(keys[above] ^ words[0, self._moves[above]], above)

    def advice(self, position: Position) -> Optional[Advice]:
        """The advice for this position, if any; None if White is to move.

        Leaves out White's stones that counted as passes in this game.
        """
        return self._place(position).advice if position.side == BLACK else None

    def loss(self, position: Position) -> int:
        """The plies after which White, to move, loses; 0 if no loss is proved."""
        advice = self._place(position).advice if position.side == WHITE else None
        return advice.plies - 1 if advice and advice.plies else 0

    def answers(self, position: Position) -> dict[int, Answer]:
        """The proof's reply to each answer of White, after a move of the proof; else empty."""
        place = self._place(position)
        if place.advice is None or position.side != WHITE:
            return {}
        return self._answers_to(place.hashes, place.advice, position.legal_moves())

    def last_answer(self, position: Position) -> Optional[Answer]:
        """The proof's reply to White's last move, if this answers a move of the proof."""
        if position.side != BLACK or not position.history or position.history[-1].point == PASS:
            return None
        before = position.copy()
        before.undo()
        return self.answers(before).get(position.history[-1].point)

    def threat(self, position: Position) -> Optional[Threat]:
        """The win by threats that the game has reached, with Black to move; None if it has not."""
        way, moves, later = [*self._way(position)], position.history, list[int]()
        begin = len(moves) + 1 - len(way)
        n = len(moves) if position.side == BLACK else 0
        while n > max(begin, 1) and moves[n - 1].colour == WHITE:
            answer = moves[n - 1].point
            hashes, advice, left_out = self._place_after(way[n - 1 - begin], WHITE)
            if advice:
                reply = self._answers_to(hashes, advice, [answer])[answer]
                if reply.kind != BY_THREATS:
                    return None
                game, image = position.copy(), advice.image
                for _ in moves[n - 1:]:
                    game.undo()
                before = catalogue.start(self.rules, self.size)
                before.setup([(game.cells[point], image[point]) for point in game.lattice.points
                              if game.cells[point] != EMPTY and point not in left_out])
                before.set_side(BLACK)
                return Threat(before, image[answer], reply.plies, advice.answers is None,
                              tuple(image[move] for move in reversed(later)), image)
            later += [answer, moves[n - 2].point]
            n = n - 2 if moves[n - 2].colour == BLACK else 0
        return None

    def line(self, position: Position) -> tuple[int, ...]:
        """The moves of the proof from a position with Black to move, with the longest defence.

        The line ends where Black wins by threats or the proof ends.
        """
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
        *_, last = self._way(position)
        return self._place_after(last, position.side)

    def _place_after(self, after: _After, side: int) -> _Place:
        advice = after.advice
        if side == WHITE and not after.follows:
            advice = self._find(after.hashes, self._after)
        return _Place(after.hashes, advice, after.left_out)

    def _way(self, position: Position) -> Iterator[_After]:
        # The state at the start of the game and after each of its moves.  If a change of the board
        # was no move, the way begins after the last such change, and no stone counts as a pass.
        moves = [(record.colour, record.point) for record in position.history]
        begin = max((n for n, (_, point) in enumerate(moves, 1) if point == PASS), default=0)
        hashes, follows = self._board.nothing, False
        left_out: tuple[int, ...] = ()
        if begin:
            hashes = self._hashes(position)
            for colour, point in moves[begin:]:
                hashes = self._board.play(hashes, colour, point)
        advice = self._find(hashes, self._before)
        yield _After(hashes, advice, follows, left_out)
        for colour, point in moves[begin:]:
            if colour == WHITE and follows and advice and _passes(advice, point):
                left_out = *left_out, point
            else:
                if colour == BLACK and advice and advice.move != point:
                    # In a symmetric position, the move may be an image of the proof's move.
                    advice = self._find(hashes, self._before, point)
                hashes = self._board.play(hashes, colour, point)
            follows = (colour == BLACK and not begin and advice is not None
                       and advice.move == point)
            if colour == WHITE:
                advice = self._find(hashes, self._before)
            yield _After(hashes, advice, follows, left_out)

    def _answers_to(self, hashes: Hashes, advice: Advice, points: list[int]) -> dict[int, Answer]:
        # The proof's replies to White's answers to a move that it advises.
        passes = [_passes(advice, point) for point in points]
        stones = np.where(np.array(passes)[:, None], np.uint64(0), self._white[points])
        entries = self._before.find(stones ^ np.array(hashes, np.uint64)).max(axis=1).tolist()
        rest = Answer(BY_THREATS, advice.plies - 2) if advice.plies else Answer(UNKNOWN, 0)
        return {point: rest if entry < 0 else
                Answer(PASSES if is_pass else ENTRY, int(self._plies[entry]))
                for point, entry, is_pass in zip(points, entries, passes)}

    def _find(self, hashes: Hashes, keys: Keys, move: int = PASS) -> Optional[Advice]:
        # The advice for a position; of those for a symmetric position, one with this move if any.
        found = [(entry, image) for entry, image in zip(
            keys.find(np.array(hashes, np.uint64)).tolist(), self._board.images) if entry >= 0]
        if not found:
            return None
        entry, image = next(((entry, image) for entry, image in found
                             if image[move] == self._points[self._moves[entry]]), found[0])
        first, end = np.searchsorted(self._with_pass, (entry, entry + 1))
        answers = [self._points[answer] for answer in self._answers[first:end].tolist()]
        return Advice(image.index(self._points[self._moves[entry]]), int(self._plies[entry]),
                      frozenset(point if point == PASS else image.index(point)
                                for point in answers) if answers else None, image)

    def _hashes(self, position: Position) -> Hashes:
        hashes = self._board.nothing
        for point in position.lattice.points:
            if position.cells[point] != EMPTY:
                hashes = self._board.play(hashes, position.cells[point], point)
        return hashes


def _room(size: int) -> tuple[np.ndarray, ...]:
    # The output arrays of `find_entries` for a stream of `size` numbers.
    return (np.zeros(size, np.int64), np.zeros(size, np.uint8), np.zeros(size, np.uint64),
            np.zeros((size, 2), np.int64))


def calls() -> list[Call]:
    """The kernel calls of reading a file, for `load`."""
    words, above = np.zeros((2, 2), np.uint64), np.zeros(1, np.int64)
    return [Call(find_entries, (np.frombuffer(b"\0\0", np.uint16), words, above, *_room(1)))]


def _passes(advice: Advice, point: int) -> bool:
    # Does this answer of White count as a pass?
    return bool(advice.answers) and point not in (advice.answers or ())


def of(position: Position) -> Optional[GomokuProof]:
    """The proof of the position's game and size, if it may cover the position."""
    rules, size = position.rules, position.lattice.display_size
    if not isinstance(size, int) or rules != catalogue.GAMES.get(rules.name):
        return None
    is_empty = position.vacant == len(position.lattice.points)
    if not is_empty and all(position.cells[point] != BLACK for point in position.lattice.middle()):
        return None
    return load(rules.name, size)


def path_of(name: str, size: int) -> Path:
    """The path of the proof of the game of this name on size x size; there may be no file."""
    return DATA / f"{name.lower()}-{size}.proof"


def games() -> list[tuple[str, int]]:
    """The names and board sizes of the games with a proof in the package, in their order."""
    names = {name.lower(): name for name in catalogue.GAMES}
    stems = [path.stem.rpartition("-") for path in DATA.glob("*-*.proof")]
    return sorted((names[name], int(size)) for name, _, size in stems
                  if name in names and size.isdecimal())


def read(path: Union[str, Path]) -> GomokuProof:
    """Read the proof of a file.  Raises OSError or ValueError."""
    try:
        return GomokuProof(Path(path).read_bytes())
    except ValueError as error:
        raise ValueError(f"not a proof that Black wins: {path}: {error}") from None


def load(name: str, size: int) -> Optional[GomokuProof]:
    """The proof of the package for this game and size, or None.

    Reads the file at the first call.
    """
    return _load(path_of(name, size))


@lru_cache(maxsize=None)
def _load(path: Path) -> Optional[GomokuProof]:
    if not path.exists():
        return None
    proof = read(path)
    if path_of(proof.rules.name, proof.size) != path:
        raise ValueError(f"the file {path} has the proof of {proof.rules.name} on "
                         f"{proof.size}x{proof.size}")
    return proof
