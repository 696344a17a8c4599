"""The proof that Black wins Gomoku on 15x15 from the centre, as far as it goes: a move for each
position.

`python -m gtp_engine solve-gomoku` writes it, `verify-gomoku` checks it.  The file is HEADER and a
stream of bytes, packed as xz does: one entry, of the empty board.  An entry is Black's move, the
plies to the end of the game if White holds out as long as the tree lets it, and the answers that
need an entry of their own, each followed by that or by SEEN, where the position, or what a symmetry
shows as it, has an entry elsewhere.  Then END says that all other answers lose to threats, OPEN
that nothing is said of them; after OPEN the plies are 0.  Where there is an entry for NO_STONE, a
pass, before END, it wins after all other answers, as if they were passes, and answers that lose to
threats are followed by THREATS.  Below NO_STONE nothing is SEEN.  Points are numbered from A1 along
the rows.
"""

import lzma
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Iterator, NamedTuple, Optional, Sequence, Union

import numpy as np

from ...games import catalogue
from ...games.lattice import BLACK, EMPTY, PASS, WHITE, Lattice
from ...games.rules import Position
from ...kernels import Call
from ...kernels.plane.proof_file import CUT, find_entries
from .. import DATA
from ..adapters import symmetries

SIZE = 15
POINTS = NO_STONE = SIZE * SIZE
HEADER = b"gtp_engine: Black wins Gomoku on 15x15, version 3\n"
DEEPEST = 256  # entries that stand in each other
LARGEST = 1 << 26  # bytes of a stream
FILE = DATA / "gomoku.proof"

Hashes = tuple[int, ...]  # of a position, one for each symmetry


def stream_of(data: bytes) -> bytes:
    """The stream of a file.  Raises ValueError if it is damaged or something else."""
    if not data.startswith(HEADER):
        raise ValueError("it does not begin as a proof of Gomoku does")
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ)
    try:
        stream = unpacker.decompress(data[len(HEADER):], LARGEST)
    except lzma.LZMAError:
        raise ValueError("it is damaged") from None
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("it is damaged or too large")
    return stream


def packed(stream: Sequence[int]) -> bytes:
    """The bytes of a file with this stream."""
    return HEADER + lzma.compress(bytes(stream), preset=9 | lzma.PRESET_EXTREME)


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


class _After(NamedTuple):
    # After a move of a game: the hashes of what the proof has of it; what the proof says of that
    # with Black to move or, after a move of Black, of the position before; whether that move was
    # the move of the proof; and the stones of White that were taken for passes.
    hashes: Hashes
    advice: Optional[Advice]
    follows: bool
    left_out: tuple[int, ...]


class Keys:
    """Which entry has a key; of two with the same key the last one."""

    def __init__(self, keys: np.ndarray, entries: np.ndarray):
        order = np.argsort(keys, kind="stable")
        self._keys, self._entries = keys[order], entries[order]

    def find(self, hashes: np.ndarray) -> np.ndarray:
        """The entry of each of these keys, uint64 in any shape; -1 where there is none."""
        places = np.searchsorted(self._keys, hashes, side="right") - 1
        return np.where(self._keys[places] == hashes, self._entries[places], -1)


class GomokuProof:
    """What is proved, by position.  Raises ValueError if the file is damaged."""

    def __init__(self, data: bytes):
        lattice = catalogue.start(catalogue.GOMOKU, SIZE).lattice
        self._board = Symmetric(lattice)
        self._points = [*lattice.points, PASS]
        # An entry stands as the file shows it; it is looked for as all symmetries show a position.
        plain = self._board.images.index([*range(lattice.cells)])
        words = np.array([[*(self._board.words[point, colour][plain] for point in lattice.points),
                           0] for colour in (BLACK, WHITE)], np.uint64)
        self._white = np.zeros((lattice.cells, len(self._board.images)), np.uint64)
        for point in lattice.points:
            self._white[point] = self._board.words[point, WHITE]
        stream = np.frombuffer(stream_of(data), np.uint8)
        begins, below, keys, answers = _room(stream.size)
        found, told = find_entries(stream, words, np.zeros(DEEPEST, np.int64), begins, below, keys,
                                   answers)
        if found < 0:
            raise ValueError("it ends in the middle of an entry" if found == CUT else
                             "it is damaged, or something follows its end")
        begins, keys, answers = begins[:found], keys[:found], answers[:told]
        self._moves, self._plies = stream[begins], stream[begins + 1]
        with_pass = answers[answers[:, 1] == NO_STONE, 0]
        self._answers = {entry: set[int]() for entry in with_pass.tolist()}
        for entry, answer in answers[np.isin(answers[:, 0], with_pass)].tolist():
            self._answers[entry].add(self._points[answer])
        self._before = Keys(keys, np.arange(found))
        # After a move, the entries whose plies are known come last, so that these are found.
        above = np.flatnonzero(below[:found] == 0)
        above = above[np.argsort(self._plies[above] > 0, kind="stable")]
        self._after = Keys(keys[above] ^ words[0, self._moves[above]], above)

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
        return self._answers_to(place.hashes, place.advice, position.legal_moves())

    def last_answer(self, position: Position) -> Optional[Answer]:
        """What the proof says of White's last move, if it answers a move of the proof."""
        if position.side != BLACK or not position.history or position.history[-1].point == PASS:
            return None
        before = position.copy()
        before.undo()
        return self.answers(before).get(position.history[-1].point)

    def threat(self, position: Position) -> Optional[Threat]:
        """The win by threats that a game is in, with Black to move; None if it is in none."""
        way, moves, later = [*self._way(position)], position.history, list[int]()
        begin = len(moves) + 1 - len(way)
        n = len(moves) if position.side == BLACK else 0
        while n > max(begin, 1) and moves[n - 1].colour == WHITE:
            answer = moves[n - 1].point
            hashes, advice, left_out = self._seen(way[n - 1 - begin], WHITE)
            if advice:
                if self._answers_to(hashes, advice, [answer])[answer].kind != BY_THREATS:
                    return None
                game, image = position.copy(), advice.image
                for _ in moves[n - 1:]:
                    game.undo()
                before = catalogue.start(catalogue.GOMOKU, SIZE)
                before.setup([(game.cells[point], image[point]) for point in game.lattice.points
                              if game.cells[point] != EMPTY and point not in left_out])
                before.set_side(BLACK)
                return Threat(before, image[answer], advice.answers is None,
                              tuple(image[move] for move in reversed(later)), image)
            later += [answer, moves[n - 2].point]
            n = n - 2 if moves[n - 2].colour == BLACK else 0
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
        *_, last = self._way(position)
        return self._seen(last, position.side)

    def _seen(self, after: _After, side: int) -> _Place:
        advice = after.advice
        if side == WHITE and not after.follows:
            advice = self._shown(after.hashes, self._after)
        return _Place(after.hashes, advice, after.left_out)

    def _way(self, position: Position) -> Iterator[_After]:
        # At the start of the game and after each of its moves; from the last change on that was not
        # a move, if there is one: no stone is taken for a pass then.
        moves = [(record.colour, record.point) for record in position.history]
        begin = max((n for n, (_, point) in enumerate(moves, 1) if point == PASS), default=0)
        hashes, follows = self._board.nothing, False
        left_out: tuple[int, ...] = ()
        if begin:
            hashes = self._hashes(position)
            for colour, point in moves[begin:]:
                hashes = self._board.play(hashes, colour, point)
        advice = self._shown(hashes, self._before)
        yield _After(hashes, advice, follows, left_out)
        for colour, point in moves[begin:]:
            if colour == WHITE and follows and advice and _passes(advice, point):
                left_out = *left_out, point
            else:
                hashes = self._board.play(hashes, colour, point)
            follows = (colour == BLACK and not begin and advice is not None
                       and advice.move == point)
            if colour == WHITE:
                advice = self._shown(hashes, self._before)
            yield _After(hashes, advice, follows, left_out)

    def _answers_to(self, hashes: Hashes, advice: Advice, points: list[int]) -> dict[int, Answer]:
        # What the proof says of White's answers to a move that it advises.
        passes = [_passes(advice, point) for point in points]
        shown = np.where(np.array(passes)[:, None], np.uint64(0), self._white[points])
        entries = self._before.find(shown ^ np.array(hashes, np.uint64)).max(axis=1).tolist()
        rest = Answer(BY_THREATS, advice.plies - 2) if advice.plies else Answer(UNKNOWN, 0)
        return {point: rest if entry < 0 else
                Answer(PASSES if is_pass else ENTRY, int(self._plies[entry]))
                for point, entry, is_pass in zip(points, entries, passes)}

    def _shown(self, hashes: Hashes, known: Keys) -> Optional[Advice]:
        entries = known.find(np.array(hashes, np.uint64))
        symmetry = int(np.argmax(entries >= 0))
        entry, image = int(entries[symmetry]), self._board.images[symmetry]
        if entry < 0:
            return None
        answers = self._answers.get(entry)
        return Advice(image.index(self._points[self._moves[entry]]), int(self._plies[entry]),
                      frozenset(point if point == PASS else image.index(point)
                                for point in answers) if answers else None, image)

    def _hashes(self, position: Position) -> Hashes:
        found = self._board.nothing
        for point in position.lattice.points:
            if position.cells[point] != EMPTY:
                found = self._board.play(found, position.cells[point], point)
        return found


def _room(size: int) -> tuple[np.ndarray, ...]:
    # For what `find_entries` finds in so many bytes.
    return (np.zeros(size, np.int64), np.zeros(size, np.uint8), np.zeros(size, np.uint64),
            np.zeros((size, 2), np.int64))


def calls() -> list[Call]:
    """What the reading of a file calls, to be loaded."""
    words, above = np.zeros((2, POINTS + 1), np.uint64), np.zeros(1, np.int64)
    return [Call(find_entries, (np.frombuffer(b"\0", np.uint8), words, above, *_room(1)))]


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
