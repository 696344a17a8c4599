"""Games of self-play in compact files, and their positions as arrays.

A file has games of one kind on boards of one size, four bytes for a ply, in the format of
numpy.savez:

    game, size  the name of the game, the size of the board
    moves       uint16[n], the entries of all games, one after the other: the number of a point, and
                the flags PLAYED, QUIET and ASIDE
    scores      int16[n], for the side to move, of the search that chose the move; 0 for other moves
    lengths     int32[games], the number of entries of each game
    winners     uint8[games], 1 for Black, 2 for White, 0 after a draw

A position is quiet without a win by fours for the side to move and without a threat of the other
side to win at once.  Others are not used for training.
"""

from pathlib import Path
from typing import Iterable, Iterator, NamedTuple, Sequence

import numpy as np

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, opponent
from gtp_engine.games.rules import Position, Rules
from gtp_engine.players.arrays import arrays_in, packed

SUFFIX = ".games"
POINT = (1 << 13) - 1  # the bits of a point
PLAYED = 1 << 13  # the move is played
QUIET = 1 << 14  # a search has chosen the move in a quiet position
ASIDE = 1 << 15  # the move before, which was played at random, is taken back after this entry
KINDS = {"size": (np.int64, ()), "moves": (np.uint16, (None,)), "scores": (np.int16, (None,)),
         "lengths": (np.int32, (None,)), "winners": (np.uint8, (None,))}

Entry = tuple[int, int]  # a move with its flags, a score


class Games(NamedTuple):
    """The games of a file: their rules and size, and for each game its entries and its winner."""

    rules: Rules
    size: int
    games: Sequence[tuple[Sequence[Entry], int]]


class Positions(NamedTuple):
    """The quiet positions of some games.

    rules, size  of all games
    side      uint8[n], the colour to move, 1 for Black and 2 for White
    cells     uint8[n, points], 0 empty, 1 the side to move, 2 the other side
    captured  uint8[n, 2], stones captured by the side to move and by the other
    result    float32[n], 1 a win of the side to move, 0.5 a draw, 0 a loss, nan off the game
    score     int64[n], of the search
    move      int64[n], of the search: the number of a point
    """

    rules: Rules
    size: int
    side: np.ndarray
    cells: np.ndarray
    captured: np.ndarray
    result: np.ndarray
    score: np.ndarray
    move: np.ndarray


def content(rules: Rules, size: int, games: Iterable[tuple[Sequence[Entry], int]]) -> bytes:
    """The content of a file with these games."""
    entries, winners = zip(*games)
    moves, scores = zip(*(entry for each in entries for entry in each))
    return packed(
        game=np.array(rules.name), size=np.array(size), moves=np.array(moves, np.uint16),
        scores=np.array(scores, np.int16), lengths=np.array([*map(len, entries)], np.int32),
        winners=np.array(winners, np.uint8))


def files_in(folders: Iterable[Path]) -> list[Path]:
    """The files of games in these folders, in order."""
    return sorted(path for folder in folders for path in folder.glob(f"*{SUFFIX}"))


def _arrays(path: Path) -> dict[str, np.ndarray]:
    # The arrays of a file.  Raises OSError and ValueError.
    try:
        data = arrays_in(path, KINDS)
        moves, lengths = data["moves"], data["lengths"]
        if not len(moves) == len(data["scores"]) == lengths.sum():
            raise ValueError("moves, scores and lengths do not fit together")
        if len(lengths) != len(data["winners"]) or (lengths < 1).any():
            raise ValueError("lengths and winners do not fit together")
        if "game" not in data or (moves & POINT >= int(data["size"]) ** 2).any():
            raise ValueError("no game, or a move off the board")
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return data


def read(path: Path) -> Games:
    """Read a file.  Raises OSError, and ValueError if it is damaged."""
    data = _arrays(path)
    entries = [*zip(data["moves"].tolist(), data["scores"].tolist())]
    ends = np.cumsum(data["lengths"]).tolist()
    return Games(catalogue.find(str(data["game"])), int(data["size"]), [
        (entries[first:end], winner)
        for first, end, winner in zip([0, *ends], ends, data["winners"].tolist())])


def count_of(path: Path) -> tuple[int, int]:
    """The size of the boards of a file, and its number of quiet positions.

    Raises OSError, and ValueError if it is damaged.
    """
    data = _arrays(path)
    return int(data["size"]), int(np.count_nonzero(data["moves"] & QUIET))


def replay(games: Games) -> Iterator[tuple[int, Position, Entry]]:
    """Yield the number of the game, the position before each entry, and the entry.

    The position is changed by the entry afterwards.
    """
    empty = catalogue.start(games.rules, games.size)
    points = empty.lattice.points
    for number, (entries, _) in enumerate(games.games):
        position = empty.copy()
        for entry in entries:
            yield number, position, entry
            if entry[0] & PLAYED:
                position.play(position.side, points[entry[0] & POINT])
            elif entry[0] & ASIDE:
                position.undo()


def positions_of(path: Path) -> Positions:
    """The quiet positions of a file.  Raises OSError, and ValueError if it is damaged."""
    games = read(path)
    empty = catalogue.start(games.rules, games.size)
    rows = []
    for number, position, (move, score) in replay(games):
        if move & QUIET:
            side, captured, winner = position.side, position.captured, games.games[number][1]
            result = (np.nan if move & ASIDE else
                      0.5 if winner == EMPTY else float(winner == side))
            rows.append((side, bytes(position.cells), (captured[side], captured[opponent(side)]),
                         result, score, move & POINT))
    side, boards, captured, result, score, move = zip(*rows) if rows else [()] * 6
    sides = np.array(side, np.uint8)
    cells = np.frombuffer(b"".join(boards), np.uint8).reshape(len(rows), len(empty.cells))
    cells = cells[:, [*empty.lattice.points]]
    cells = np.where((sides != BLACK)[:, None], (3 - cells) * (cells > 0), cells)
    return Positions(games.rules, games.size, sides, cells.astype(np.uint8),
                     np.array(captured, np.uint8).reshape(-1, 2), np.array(result, np.float32),
                     np.array(score, np.int64), np.array(move, np.int64))
