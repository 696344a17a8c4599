"""Review of a game: the class of each move, the better move and the refutation."""

from collections import Counter
from typing import Any, Callable, Iterable, Iterator, NamedTuple, Optional

from ..games.lattice import BLACK, EMPTY, PASS, opponent, size_data
from ..games.rules import COLOURS, Position
from ..games.tree import ROOT, GameTree
from ..players.registry import check
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

DEEPER = 4  # the factor of effort for each further search of a position
HALF = 0.15  # the loss in winning chance that halves the accuracy of a move
MOMENTS = 3  # the number of deciding moves to show
NO_MOVE = "there is no move to review"

Search = Callable[[list[Task]], Iterable[Analysis]]  # in the order of the tasks; can end early


class PlayedMove(NamedTuple):
    """A move of a game, with its node in the tree and the positions before and after it."""

    node: int
    colour: int
    point: int
    before: Position
    after: Position


class JudgedMove(NamedTuple):
    """A move with its judgement.

    ply     its number, from 1
    kind    one of CLASSES
    before  the analysis of the position before the move, for the side that moved
    after   the analysis after the move, for the same side; its line begins with the move
    loss    the loss in winning chance, from 0 to 1
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
        """The better move; None if this move was best."""
        best = self.before.line[:1]
        if self.kind in (BEST, SLOWER_LOSS) or best in ((), (self.point,)):
            return None
        return best[0]

    @property
    def refutation(self) -> tuple[int, ...]:
        """The best line for the other side after a fault; empty after other moves."""
        return self.after.line[1:] if self.kind in FAULTS else ()

    @property
    def plies(self) -> Optional[int]:
        """The length of the proof before the move, or else of the proof after it, counted from the
        next move; None without a proof."""
        if self.before.plies is not None or self.after.plies is None:
            return self.before.plies
        return self.after.plies - 1


class Review(NamedTuple):
    """The judged moves in the main line of a game, up to the last one reviewed."""

    tree: GameTree
    moves: list[JudgedMove]

    def accuracy(self, colour: int) -> Optional[float]:
        """The mean accuracy of one side's moves, from 0 to 100; None without moves that count.

        A move without loss has accuracy 100; each loss of HALF in winning chance halves it.  Moves
        in lost positions do not count.
        """
        accuracies = [100 * 0.5 ** (move.loss / HALF) for move in self.moves
                      if move.colour == colour and not move.before.lost]
        return sum(accuracies) / len(accuracies) if accuracies else None

    def counts(self, colour: int) -> dict[str, int]:
        """The number of one side's moves in each class, in the order of CLASSES."""
        counts = Counter(move.kind for move in self.moves if move.colour == colour)
        return {kind: counts[kind] for kind in CLASSES}

    def moments(self) -> list[JudgedMove]:
        """At most MOMENTS deciding moves: first the fault after which the almost certain result
        never changed again, then the faults with the largest losses.
        """
        largest = sorted((move for move in self.moves if move.kind in FAULTS),
                         key=lambda move: (-move.loss, move.ply))
        deciding = self._deciding()
        first = [deciding] if deciding else []
        return [*first, *(move for move in largest if move != deciding)][:MOMENTS]

    def _deciding(self) -> Optional[JudgedMove]:
        # The last move that changed the almost certain result, if it was a fault.
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
        """The review in the types of JSON, with the names of points and sides."""
        names = {**self.names().name, PASS: "pass"}
        sides = {COLOUR_NAMES[colour]: colour for colour in COLOURS}
        return {
            "game": self.tree.rules.name, "size": size_data(self.tree.size), "info": self.tree.info,
            "moves": [move_data(move, names) for move in self.moves],
            "accuracy": {side: self.accuracy(colour) for side, colour in sides.items()},
            "counts": {side: self.counts(colour) for side, colour in sides.items()},
            "moments": [move.ply for move in self.moments()]}


def review(tree: GameTree, effort: Effort, search: Search,
           thresholds: Thresholds = Thresholds()) -> Review:
    """Review the main line of a game by a search of each position.

    Searches again, with more effort, if a move seems to give away a proof or to be a mistake.
    Covers only part of the game if the search ends early.  Leaves the tree unchanged.  Raises
    ValueError if there is no move, or if alphabeta does not play the game.
    """
    *_, last = reviewing(tree, effort, search, thresholds)
    return last


def reviewing(tree: GameTree, effort: Effort, search: Search,
              thresholds: Thresholds = Thresholds()) -> Iterator[Review]:
    """Yield the current review after each search; the last one is the result of `review`.

    Raises ValueError as `review` does.
    """
    check("alphabeta", tree.position(ROOT))
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
    analyses: list[Analysis] = []
    for analysis in search(tasks):
        analyses.append(analysis)
        yield judgement(tree, analyses, searched_moves(analyses, played, places), thresholds)
    moves = searched_moves(analyses, played, places)
    fill(analyses, moves)
    tries: Counter[tuple[int, Optional[int]]] = Counter()
    while doubtful := {place: without for place, without, most in
                       doubts(analyses, moves, thresholds) if tries[place, without] < most}:
        tries.update(doubtful.items())
        deeper = [Task(tasks[place].position, effort.times(DEEPER ** tries[place, without]),
                       without) for place, without in doubtful.items()]
        for (place, without), analysis in zip(doubtful.items(), search(deeper)):
            analyses[place] = merge(analyses, moves, place, without, analysis)
            yield judgement(tree, analyses, moves, thresholds)
        fill(analyses, moves)
    yield judgement(tree, analyses, moves, thresholds)


def searched_moves(analyses: list[Analysis], played: list[PlayedMove],
                   places: list[tuple[int, int]]) -> "PlacedMoves":
    """The moves with an analysis of the positions before and after them."""
    return [(move, place) for move, place in zip(played, places) if place[1] < len(analyses)]


def judgement(tree: GameTree, analyses: list[Analysis], moves: "PlacedMoves",
              thresholds: Thresholds) -> Review:
    """Judge the moves by the current analyses, which it leaves unchanged."""
    complete = analyses[:]
    fill(complete, moves)
    return Review(tree, [judge_move(ply, move, complete[before], complete[after], thresholds)
                         for ply, (move, (before, after)) in enumerate(moves, 1)])


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
        position.play(colour, point, foul_loses=True)
        moves.append(PlayedMove(number, colour, point, before, position.copy()))
    return moves


def same(one: Position, other: Position) -> bool:
    """Return whether the positions are equal, with the same side to move."""
    return (one.cells, one.side, one.captured, one.opening_plies) == (
        other.cells, other.side, other.captured, other.opening_plies)


# Moves, each with the places of the positions before and after it in the list of analyses.
PlacedMoves = list[tuple[PlayedMove, tuple[int, int]]]


def fill(analyses: list[Analysis], moves: PlacedMoves) -> None:
    """Copy analyses backwards over played moves: to positions without a search, and to those whose
    search missed the win by the played move."""
    for move, (before, after) in reversed(moves):
        if analyses[after].value is None:
            analyses[after] = analyses[after]._replace(value=0.0)
        played = analyses[after].before(move.point)
        if analyses[before].value is None or played.won and not analyses[before].won:
            analyses[before] = played


def doubts(analyses: list[Analysis], moves: PlacedMoves, thresholds: Thresholds
           ) -> Iterator[tuple[int, Optional[int], int]]:
    """Yield positions for a deeper search: the place, a move to leave out, and the limit for tries,
    2 if the values agree with an unproved result, else 1.
    """
    for move, (place, next_place) in moves:
        before, after = analyses[place], analyses[next_place].before(move.point)
        is_best = before.line[:1] == (move.point,)
        if before.won and not (after.won or is_best) or before.lost and not after.lost:
            yield next_place, None, 1 + ((after.value or 0) * (before.value or 0) > 0)
        elif after.lost and not before.lost:
            yield place, move.point, 1 + ((before.value or 0) < 0)
        elif not before.won and class_of(before, after, False, thresholds) in (MISTAKE, BLUNDER):
            yield from ((place, None, 1), (next_place, None, 1))


def merge(analyses: list[Analysis], moves: PlacedMoves, place: int, without: Optional[int],
          deeper: Analysis) -> Analysis:
    """Combine the analysis of a position with a deeper one, which leaves out the losing move
    `without`, if any."""
    earlier = analyses[place]
    if without is not None:
        after = next(after for _, (before, after) in moves if before == place)
        played = analyses[after].before(without)
        if not deeper.line or deeper.lost and (deeper.plies or 0) <= (played.plies or 0):
            return played
        return earlier if deeper.value is None else deeper
    if deeper.value is None or abs(earlier.value or 0) == 1 > abs(deeper.value):
        return earlier
    return deeper


def judge_move(ply: int, move: PlayedMove, before: Analysis, following: Analysis,
               thresholds: Thresholds) -> JudgedMove:
    """Judge a move by the analyses of the positions before and after it."""
    after = following.before(move.point)
    is_best = before.line[:1] == (move.point,)
    if is_best and before.won and not after.won:  # the move follows the proof
        after = before
    return JudgedMove(ply, move.node, move.colour, move.point,
                      class_of(before, after, is_best, thresholds), before, after,
                      loss_of(before, after, is_best))


# --- as text and data -----------------------------------------------------------------------------


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
    """Describe a move in plain sentences."""
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
    """Format the length of a win, as in " in 5 plies"; "" without one."""
    return "" if plies is None else f" in {plies} {'ply' if plies == 1 else 'plies'}"


def summary(game: Review) -> Iterator[str]:
    """The lines of a short review: accuracy and classes by side, then faults and slower wins."""
    names = {**game.names().name, PASS: "pass"}
    for colour in COLOURS:
        accuracy = game.accuracy(colour)
        counts = [f"{count} {kind}" for kind, count in game.counts(colour).items() if count]
        if counts:
            exact = "" if accuracy is None else f"accuracy {accuracy:.0f}%, "
            yield f"{COLOUR_NAMES[colour].capitalize()}: {exact}{', '.join(counts)}"
    for move in game.moves:
        if move.kind in FAULTS or move.kind == SLOWER_WIN:
            yield (f"{move.ply} {COLOUR_NAMES[move.colour]} {names[move.point]}: "
                   f"{sentences(move, names)}")


def certain_winner(colour: int, value: Optional[float]) -> int:
    """The colour that almost certainly wins a position with this value for `colour`, or EMPTY."""
    if value is None or abs(value) <= 1 - 2 * Thresholds().inaccuracy:
        return EMPTY
    return colour if value > 0 else opponent(colour)


def value_for_black(move: JudgedMove) -> float:
    """The value for Black of the position after a move."""
    value = move.after.value or 0.0
    return value if move.colour == BLACK else -value
