"""The review of a game: each move with its class, what was better, and what it allowed."""

from collections import Counter
from typing import Any, Callable, Iterable, Iterator, NamedTuple, Optional

from ..games.lattice import BLACK, EMPTY, PASS, opponent
from ..games.rules import COLOURS, Position
from ..games.tree import ROOT, GameTree
from ..wire.notation import COLOUR_NAMES, GtpPoints
from .analysis import Analysis, Effort, Task
from .classes import (
    ALLOWED_WIN,
    BEST,
    BLUNDER,
    CLASSES,
    FAULTS,
    LOST_ALREADY,
    MISSED_WIN,
    MISTAKE,
    SLOWER_LOSS,
    SLOWER_WIN,
    Thresholds,
    class_of,
    loss_of,
)

DEEPER = 4  # times the effort for each further search of a position
HALF = 0.15  # of winning chance: whoever loses as much with a move has played it half accurately
MOMENTS = 3  # moves that decided a game
NO_MOVE = "there is no move to review"

Search = Callable[[list[Task]], Iterable[Analysis]]  # in their order; it may end before the tasks


class PlayedMove(NamedTuple):
    """A move of a game, with the node of the tree that it leads to and the positions around it."""

    node: int
    colour: int
    point: int
    before: Position
    after: Position


class JudgedMove(NamedTuple):
    """A move with what the review says.

    ply     its number, from 1
    kind    one of CLASSES
    before  what the position was worth to the side that made it, with the best line
    after   what it is worth to that side afterwards; the line begins with the move itself
    loss    what it has cost in winning chance, from 0 to 1
    """

    ply: int
    node: int
    colour: int
    point: int
    kind: str
    before: Analysis
    after: Analysis
    loss: float

    @property
    def better(self) -> Optional[int]:
        """The move that would have been better, if the move was not a best one."""
        best = self.before.line[:1]
        if self.kind in (BEST, SLOWER_LOSS) or best in ((), (self.point,)):
            return None
        return best[0]

    @property
    def refutation(self) -> tuple[int, ...]:
        """What the other side could do after a move that cost something."""
        return self.after.line[1:] if self.kind in FAULTS else ()

    @property
    def plies(self) -> Optional[int]:
        """How long the proof was that was there before the move; if there was none, the one that is
        there after it, for the side that is to move then."""
        if self.before.plies is not None or self.after.plies is None:
            return self.before.plies
        return self.after.plies - 1


class Review(NamedTuple):
    """The judged moves of a game's main line, as far as it was reviewed."""

    tree: GameTree
    moves: list[JudgedMove]

    def accuracy(self, colour: int) -> Optional[float]:
        """From 0 to 100, the mean over the moves of that side in positions that were not lost; None
        if there are none.

        A move counts 100 if it lost no winning chance, half of that for each HALF that it lost.
        """
        counted = [100 * 0.5 ** (move.loss / HALF) for move in self.moves
                   if move.colour == colour and not move.before.lost]
        return sum(counted) / len(counted) if counted else None

    def counts(self, colour: int) -> dict[str, int]:
        """How many moves of that side are in each class, all classes in their order."""
        found = Counter(move.kind for move in self.moves if move.colour == colour)
        return {kind: found[kind] for kind in CLASSES}

    def moments(self) -> list[JudgedMove]:
        """The moves that decided, MOMENTS at most: first the one after which the result, as far as
        it was certain, never changed again, then those that cost most.
        """
        largest = sorted((move for move in self.moves if move.kind in FAULTS),
                         key=lambda move: (-move.loss, move.ply))
        deciding = self._deciding()
        first = [deciding] if deciding else []
        return [*first, *(move for move in largest if move != deciding)][:MOMENTS]

    def _deciding(self) -> Optional[JudgedMove]:
        # The move after which the result never changed again, if that move was a fault.
        for move in reversed(self.moves):
            before, after = (certain_winner(move.colour, value)
                             for value in (move.before.value, move.after.value))
            if before != after:
                return move if move.kind in FAULTS else None
        return None

    def names(self) -> GtpPoints:
        """The names of the points."""
        return GtpPoints(self.tree.position(ROOT).lattice)

    def data(self) -> dict[str, Any]:
        """The review in the types of JSON, points by their names, sides by theirs."""
        names = {**self.names().name, PASS: "pass"}
        sides = {COLOUR_NAMES[colour]: colour for colour in COLOURS}
        return {
            "game": self.tree.rules.name, "size": self.tree.size, "info": self.tree.info,
            "moves": [move_data(move, names) for move in self.moves],
            "accuracy": {side: self.accuracy(colour) for side, colour in sides.items()},
            "counts": {side: self.counts(colour) for side, colour in sides.items()},
            "moments": [move.ply for move in self.moments()]}


def review(tree: GameTree, effort: Effort, search: Search,
           thresholds: Thresholds = Thresholds()) -> Review:
    """The review of the main line of a game by searches of that effort for each position.

    A proof that is missing on one side of a move, and a loss of at least a mistake, are searched
    for again with more effort.  If the search ends before its tasks, so does the review.  The
    tree is unchanged.  Raises ValueError if there is no move.
    """
    *_, last = reviewing(tree, effort, search, thresholds)
    return last


def reviewing(tree: GameTree, effort: Effort, search: Search,
              thresholds: Thresholds = Thresholds()) -> Iterator[Review]:
    """The review as far as it has come, after each search; the last one is that of `review`.

    Raises ValueError as `review` does.
    """
    played = played_moves(tree)
    if not played:
        raise ValueError(NO_MOVE)
    tasks: list[Task] = []
    places: list[tuple[int, int]] = []  # of the tasks before and after each move
    for move in played:
        if tasks and same(tasks[-1].position, move.before):
            place = len(tasks) - 1
        else:
            place = len(tasks)
            tasks.append(Task(move.before, effort))
        places.append((place, len(tasks)))
        tasks.append(Task(move.after, effort))
    found: list[Analysis] = []
    for analysis in search(tasks):
        found.append(analysis)
        yield judgement(tree, found, seen_moves(found, played, places), thresholds)
    seen = seen_moves(found, played, places)
    fill(found, seen)
    asked: Counter[tuple[int, Optional[int]]] = Counter()
    while doubtful := {place: without for place, without, most in doubts(found, seen, thresholds)
                       if asked[place, without] < most}:
        asked.update(doubtful.items())
        deeper = [Task(tasks[place].position, effort.times(DEEPER ** asked[place, without]),
                       without) for place, without in doubtful.items()]
        for (place, without), analysis in zip(doubtful.items(), search(deeper)):
            found[place] = merged(found, seen, place, without, analysis)
            yield judgement(tree, found, seen, thresholds)
        fill(found, seen)
    yield judgement(tree, found, seen, thresholds)


def seen_moves(found: list[Analysis], played: list[PlayedMove], places: list[tuple[int, int]]
               ) -> "Seen":
    """The moves of which the positions before and after are searched."""
    return [(move, place) for move, place in zip(played, places) if place[1] < len(found)]


def judgement(tree: GameTree, found: list[Analysis], seen: "Seen", thresholds: Thresholds
              ) -> Review:
    """The moves by what is known now; what is known is unchanged."""
    known = found[:]
    fill(known, seen)
    return Review(tree, [judged(ply, move, known[before], known[after], thresholds)
                         for ply, (move, (before, after)) in enumerate(seen, 1)])


def played_moves(tree: GameTree) -> list[PlayedMove]:
    """The moves of the main line of a tree."""
    position, moves = tree.position(ROOT), []
    for number in tree.line(ROOT)[1:]:
        step = tree.nodes[number].step
        step._replace(move=None).apply(position)
        if step.move is None:
            continue
        colour, point = step.move
        before = position.copy()
        if before.side != colour:
            before.set_side(colour)
        position.play(colour, point)
        moves.append(PlayedMove(number, colour, point, before, position.copy()))
    return moves


def same(one: Position, other: Position) -> bool:
    """Is it the same position with the same side to move?"""
    return (one.cells, one.side, one.captured, one.opening_plies) == (
        other.cells, other.side, other.captured, other.opening_plies)


Seen = list[tuple[PlayedMove, tuple[int, int]]]


def fill(found: list[Analysis], seen: Seen) -> None:
    """What was not searched, since there was no choice, is worth what followed; so is a position
    where the move that was played wins, and no search of it has seen that."""
    for move, (before, after) in reversed(seen):
        if found[after].value is None:
            found[after] = found[after]._replace(value=0.0)
        played = found[after].before(move.point)
        if found[before].value is None or played.won and not found[before].won:
            found[before] = played


def doubts(found: list[Analysis], seen: Seen, thresholds: Thresholds
           ) -> Iterator[tuple[int, Optional[int], int]]:
    """The places of positions that are worth a deeper search, the move to leave out in it, and how
    many searches they are worth: one more where the values agree with a result that is not proved.
    """
    for move, (place, next_place) in seen:
        before, after = found[place], found[next_place].before(move.point)
        chosen = before.line[:1] == (move.point,)
        if before.won and not (after.won or chosen) or before.lost and not after.lost:
            yield next_place, None, 1 + ((after.value or 0) * (before.value or 0) > 0)
        elif after.lost and not before.lost:
            yield place, move.point, 1 + ((before.value or 0) < 0)
        elif not before.won and class_of(before, after, False, thresholds) in (MISTAKE, BLUNDER):
            yield from ((place, None, 1), (next_place, None, 1))


def merged(found: list[Analysis], seen: Seen, place: int, without: Optional[int],
           deeper: Analysis) -> Analysis:
    """What is known of a position after a deeper search, in which a move was left out that loses,
    if one was."""
    known = found[place]
    if without is not None:
        after = next(after for _, (before, after) in seen if before == place)
        played = found[after].before(without)
        if not deeper.line or deeper.lost and (deeper.plies or 0) <= (played.plies or 0):
            return played
        return known if deeper.value is None else deeper
    if deeper.value is None or abs(known.value or 0) == 1 > abs(deeper.value):
        return known
    return deeper


def judged(ply: int, move: PlayedMove, before: Analysis, following: Analysis,
           thresholds: Thresholds) -> JudgedMove:
    """A move with its class, by what is known of the positions before and after it."""
    after = following.before(move.point)
    chosen = before.line[:1] == (move.point,)
    if chosen and before.won and not after.won:  # the line of its proof goes on
        after = before
    return JudgedMove(ply, move.node, move.colour, move.point,
                      class_of(before, after, chosen, thresholds), before, after,
                      loss_of(before, after, chosen))


# --- as words and data ----------------------------------------------------------------------------


def move_data(move: JudgedMove, names: dict[int, str]) -> dict[str, Any]:
    """A judged move in the types of JSON."""
    def line(points: Iterable[int]) -> list[str]:
        return [names[point] for point in points]

    return {"ply": move.ply, "colour": COLOUR_NAMES[move.colour], "point": names[move.point],
            "class": move.kind, "value_before": move.before.value,
            "value_after": move.after.value, "loss": move.loss,
            "better": None if move.better is None else names[move.better],
            "line": line(move.before.line), "refutation": line(move.refutation),
            "plies": move.plies, "text": sentences(move, names)}


def sentences(move: JudgedMove, names: dict[int, str]) -> str:
    """What there is to say of a move, in plain sentences."""
    side, other = (COLOUR_NAMES[colour].capitalize()
                   for colour in (move.colour, opponent(move.colour)))
    better = "" if move.better is None else names[move.better]
    points = round(100 * move.loss)
    allowed = f"{other} now wins{within((move.after.plies or 1) - 1)}."
    instead = f" {better} was better." if better else ""
    text = {
        MISSED_WIN: f"{better} would have won{within(move.before.plies)}.",
        SLOWER_WIN: f"{better} would have won{within(move.before.plies)}; this "
                    + (f"wins{within(move.after.plies)}." if move.after.won else
                       "seems to win, too."),
        ALLOWED_WIN: f"{allowed}{instead}",
        SLOWER_LOSS: f"{side} had lost already; nothing holds out longer.",
        LOST_ALREADY: f"{side} had {'' if move.before.lost else 'as good as '}lost already"
                      + (f"; {better} holds out longer." if better else "."),
    }.get(move.kind)
    if text is None:
        text = (f"This costs {points} points of winning chance.{instead}"
                if move.kind in FAULTS else "")
    return f"{move.kind.capitalize()}. {text}".strip()


def within(plies: Optional[int]) -> str:
    """How long a win takes, as in: in 5 plies."""
    return "" if plies is None else f" in {plies} {'ply' if plies == 1 else 'plies'}"


def summary(judgement: Review) -> Iterator[str]:
    """The review in a few lines: accuracy and classes by side, then each move that cost something.
    """
    names = {**judgement.names().name, PASS: "pass"}
    for colour in COLOURS:
        accuracy = judgement.accuracy(colour)
        counts = [f"{count} {kind}" for kind, count in judgement.counts(colour).items() if count]
        if counts:
            exact = "" if accuracy is None else f"accuracy {accuracy:.0f}%, "
            yield f"{COLOUR_NAMES[colour].capitalize()}: {exact}{', '.join(counts)}"
    for move in judgement.moves:
        if move.kind in FAULTS or move.kind == SLOWER_WIN:
            yield (f"{move.ply} {COLOUR_NAMES[move.colour]} {names[move.point]}: "
                   f"{sentences(move, names)}")


def certain_winner(colour: int, value: Optional[float]) -> int:
    """The colour that wins as good as certainly where a position is worth that to `colour`; EMPTY
    if neither does."""
    if value is None or abs(value) <= 1 - 2 * Thresholds().inaccuracy:
        return EMPTY
    return colour if value > 0 else opponent(colour)


def value_for_black(move: JudgedMove) -> float:
    """What the position after a move is worth to Black."""
    value = move.after.value or 0.0
    return value if move.colour == BLACK else -value
