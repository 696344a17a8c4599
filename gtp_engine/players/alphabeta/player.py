"""The player alphabeta: alpha-beta search with iterative deepening and threat searches."""

import time
from typing import Optional

from ...games import catalogue
from ...games.lattice import BLACK
from ...games.rules import Position, Rules
from ...kernels import Call, load
from ...kernels.control import MATE, WON
from ...kernels.plane.state import LONGEST_PATH
from ..base import (
    DEFAULT_SECONDS,
    FULL_STRENGTH,
    Limits,
    Report,
    Settings,
    alarm,
    candidates,
    with_swap,
)
from ..first_moves import best_answers
from ..openings.balanced import even_stones
from ..openings.book import open_book
from ..proofs import gomoku as gomoku_proof
from ..registry import check, complaint
from .level_play import LevelPlay
from .levels import level_of
from .line_search import LineSearch
from .move_values import Weighing, expected, smooth
from .plane_search import PlaneSearch, make_table_ahead
from .proof_threats import ProofThreats
from .ranking import Ranking
from .search import NO_LIMIT, Search
from .weights import SCORE_UNIT, STRATEGY, Tuning

# Shares of the time per move: for a stable best move; added for each recent change of the best
# move; added for a fall of the score by SCORE_UNIT.  A new depth begins only within the share
# NEXT_DEPTH of the resulting budget.
CALM, UNREST, FALL, NEXT_DEPTH = 0.6, 0.5, 1.0, 0.7


class AlphaBeta:
    """Chooses the best move of an iterative deepening search.

    `tuning` is for measurements of changes to the search.
    """

    name = "alphabeta"

    def __init__(self, settings: Settings, tuning: Tuning = Tuning()):
        self.settings, self._tuning = settings, tuning
        self.plane = PlaneSearch(settings, tuning)
        self.lines = LineSearch(settings, STRATEGY not in tuning.off)
        self._threats = ProofThreats()
        self._levels = LevelPlay(settings, tuning)
        self._report = Report()
        self._running: Optional[Search] = None

    @property
    def report(self) -> Report:
        """The principal variation, and the values of some moves.

        After a choice, these are the moves that were best at some depth; after `evaluate_moves`,
        all moves.  No value is above that of the first move of the line.
        """
        report, search = self._report, self._running
        if search is None:
            return report
        best, values = search.best, report.values
        if best and report.line[:1] != (best,):  # `best` changed within a depth
            report = report._replace(
                line=(best,), values={**values, best: max(values.values())} if values else values)
        return report._replace(
            figures={**report.figures, "nodes": search.nodes})

    def choose(self, position: Position, limits: Limits) -> int:
        """A legal point for the side to move; the position is unchanged.

        A move of the book comes first, if the settings have one.  Below FULL_STRENGTH it is the
        move of that level, see `level_play`.  At full strength, a proved win is played out, within
        the plies of the proof if a search finds such moves.  If interrupted or out of time, the
        player returns the best move so far.  It swaps if it may and every move has a value below 0.
        If the opponent may swap, it chooses an about even first stone.  Raises Unplayable for other
        games, see `registry.complaint`.
        """
        check(self.name, position)
        begun, seconds = time.monotonic(), self._seconds(limits)
        if self._follow_book(position, limits):
            return self._report.line[0]
        if self.settings.level < FULL_STRENGTH and position.may_swap is None:
            return self._choose_as_level(position, limits)
        if self._follow_proof(position):
            return self._report.line[0]
        move = self._at_once(position, limits)
        if move is None:
            patience = Patience(begun, seconds) if limits.maximum else None
            left = (limits.maximum or seconds) - (time.monotonic() - begun)
            self._deepen(position, limits.stop, left, self._nodes(), patience)
            self._follow_late_proof(position)
            self._report = with_swap(self._report, position)
            return self._report.line[0]
        self._report = Report((move,))
        return move

    def evaluate_moves(self, position: Position, limits: Limits) -> None:
        """Choose a move in half of the time, then compute values for the other moves.

        No value is above that of the choice.  The position is unchanged.
        """
        check(self.name, position)
        seconds, nodes = self._seconds(limits) / 2, self._nodes() // 2
        if not self._follow_proof(position) and self._at_once(position, limits) is None:
            self._deepen(position, limits.stop, seconds, nodes)
            self._follow_late_proof(position)
        choice, search = self._report, self.search_of(position)
        search.set_position(position, limits.stop)
        others = set(candidates(position)).difference(choice.line[:1])
        moves = search.order(sorted(others))
        weighing = Weighing(search, position, moves, limits.stop, nodes)
        deepest = min(self.settings.depth or LONGEST_PATH, position.vacant)
        with alarm(limits.stop, seconds):
            for depth in range(1, max(2, deepest)):
                more = weighing.deepen(depth)
                self._report = with_swap(combined(choice, weighing, depth + more), position)
                if not more:
                    break

    def look_ahead(self, position: Position, limits: Limits) -> None:
        """Search a position that has stones, even with a single legal move; see `report`."""
        check(self.name, position)
        self._report, search = Report(), self.search_of(position)
        search.begin(position, limits.stop)
        self._deepen(position, limits.stop, self._seconds(limits), self._nodes())

    def best_moves(self, position: Position, moves: list[int], limits: Limits,
                   number: int = 1) -> list[int]:
        """The best `number` of these legal moves of a position in the plane, in order.

        All are searched to the same depth.  `report` has them in this order, with values, scores
        and lines.  The position is unchanged.
        """
        check(self.name, position)
        search, self._running = self.plane, None
        if position.vacant == len(position.lattice.points):
            moves = sorted({*moves}.intersection(near_the_centre(position))) or moves
        search.set_position(position, limits.stop)
        search.node_limit = self._nodes()
        ranking = Ranking(search, position, moves, number)
        self._report = Report((ranking.moves[0],))
        with alarm(limits.stop, self._seconds(limits)), search.helped():
            for depth in range(1, min(self.settings.depth or LONGEST_PATH, position.vacant) + 1):
                complete = ranking.deepen(depth)
                self._report = ranking.report(depth if complete else depth - 1)
                if not complete or ranking.is_decided(depth):
                    break
        self._report = self._with_proof(position, moves, number)
        return [*self._report.scores, *(move for move in ranking.moves
                                        if move not in self._report.scores)][:number]

    def score_text(self, score: int) -> str:
        """The text of a score: +34, +M7 for a win in seven plies, -M6 for a loss in six."""
        return f"{score:+}" if abs(score) <= WON else f"{'+-'[score < 0]}M{MATE - abs(score)}"

    @property
    def root_move(self) -> int:
        """The root move of the running search in the plane, or of the last one; else 0."""
        return self.plane.root_move

    @property
    def filled(self) -> float:
        """The used part of the transposition table for the plane, from 0 to 1."""
        return self.plane.filled

    def load(self, rules: Rules) -> None:
        """Load the kernels for this game, and allocate the transposition table.

        Compiles kernels that the cache lacks.  Does nothing for a game that it does not play.  The
        first use of a proof reads it, since only then its board is certain.
        """
        if complaint(self.name, rules):
            return
        load(self.calls(rules))
        if self.settings.book:
            open_book(self.settings.book).games_of(rules)
        if not rules.row_fills_board():
            make_table_ahead(self.settings.memory)

    def calls(self, rules: Rules) -> list[Call]:
        """The kernel calls of the search of this game, for `load`."""
        position = catalogue.start(rules, rules.default_size)
        if any(rules == catalogue.GAMES[name] for name, _ in gomoku_proof.games()):
            return [*self._threats.search.calls(position), *gomoku_proof.calls()]
        return self.search_of(position).calls(position)

    def _follow_book(self, position: Position, limits: Limits) -> bool:
        # Report a move of the book; False without a book or a move.
        if self.settings.book is None or position.may_swap is not None:
            return False
        found = open_book(self.settings.book).choose(position, self.settings.rng, limits.stop)
        if found:
            self._running, self._report = None, Report(found[:1], figures={"book": found[1]})
        return found is not None

    def _follow_proof(self, position: Position, late: bool = False) -> bool:
        # Report the move of a proof of Gomoku; False if there is none.  `late` as for ProofThreats.
        proof = self._proof(position) if position.side == BLACK else None
        if proof is None:
            return False
        advice = proof.advice(position)
        line, plies = ((proof.line(position), advice.plies) if advice
                       else self._threats.line(proof, position, late))
        if not line:
            return False
        self._running, self._report = None, Report(line)
        if plies:
            self._report = Report(line, {line[0]: 1.0}, {}, figures(0, MATE - plies))
        return True

    def _follow_late_proof(self, position: Position) -> None:
        # If the search has proved no win, take one that takes longer than in the proof.
        if "plies to win" not in self._report.figures:
            self._follow_proof(position, late=True)

    def _with_proof(self, position: Position, moves: list[int], number: int) -> Report:
        # The report of `number` of these moves, with the results of the proof for the position.
        report, advice = self._report, self._advice(position)
        if advice and advice.plies and advice.move in moves:
            best, score = advice.move, MATE - advice.plies
            if score > max(report.scores.values(), default=0):
                lines = {best: (best,), **report.lines}
                ranked = [best, *(move for move in report.scores if move != best)][:number]
                report = Report(lines[best], {**report.values, best: 1.0}, {},
                                {**report.figures, **figures(0, score)}, lines,
                                {move: score if move == best else report.scores[move]
                                 for move in ranked})
        lost = self._proof(position)
        plies = lost.loss(position) if lost else 0
        if plies and report.scores:
            scores = {move: min(score, plies - MATE) for move, score in report.scores.items()}
            report = report._replace(
                values={move: -1.0 for move in report.values}, scores=scores,
                figures={**report.figures, **figures(report.figures.get("depth", 0),
                                                     scores[report.line[0]])})
        return report

    def _proof(self, position: Position) -> Optional[gomoku_proof.GomokuProof]:
        return None if STRATEGY in self._tuning.off else gomoku_proof.of(position)

    def _advice(self, position: Position) -> Optional[gomoku_proof.Advice]:
        proof = self._proof(position) if position.side == BLACK else None
        return proof.advice(position) if proof else None

    def _choose_as_level(self, position: Position, limits: Limits) -> int:
        # Choose the move of the level, with its own report.
        settings, move = self.settings, self._first_move(position, limits)
        self._report = Report((move,)) if move else self._levels.choose(
            position, level_of(position.rules, settings.level), limits)
        return self._report.line[0]

    def _at_once(self, position: Position, limits: Limits) -> Optional[int]:
        # The move if the position needs no search; otherwise prepare the search.
        return self._first_move(position, limits) or self.search_of(position).begin(
            position, limits.stop)

    def _first_move(self, position: Position, limits: Limits) -> Optional[int]:
        # The only legal move, or a book move at the start of a game.
        moves, rng = candidates(position), self.settings.rng
        self._report, self._running = Report(), None
        if len(moves) == 1:
            return moves[0]
        if self.search_of(position) is self.plane and (
                position.vacant == len(position.lattice.points)):
            if position.rules.swap:
                return even_stones(position, 1, rng, limits)[0]
            return rng.choice(near_the_centre(position))
        if answers := best_answers(position):
            return rng.choice(answers)
        return None

    def _deepen(self, position: Position, stop: bytearray, seconds: float, nodes: int,
                patience: Optional["Patience"] = None) -> None:
        # Iterative deepening; the report has the results.
        search = self._running = self.search_of(position)
        depth, score, root_score = 0, 0, 0
        deepest = min(self.settings.depth or LONGEST_PATH, position.vacant)
        search.node_limit = nodes
        with alarm(stop, seconds), search.helped():
            plies = search.proved_win()
            before = 0.0 if plies else search.value(search.look(0, 0).score)
            while not plies and depth < deepest:
                depth += 1
                root_score, best, complete = search.look(depth, score)
                if not complete:
                    break
                if root_score > WON:
                    plies = search.prove(MATE - root_score)
                elif score == WON:
                    continue
                # A win without a complete proof gets the score WON.
                score = min(root_score, WON)
                last = search.value(score)
                value, before = smooth(before, last), last
                self._report = Report(expected(position, search.line()), self._with(best, value),
                                      {}, figures(depth, score))
                if abs(root_score) > WON and depth >= MATE - abs(root_score):
                    break
                if patience and patience.is_over(best, score):
                    break
            if plies:
                line = search.winning_line()
                search.best = line[0]
                self._report = Report(line, self._with(line[0], 1.0), {},
                                      figures(depth, MATE - plies))
            elif score == WON:
                search.best = self._report.line[0]
        report = self.report
        if len(report.line) == 1:  # `best` changed within a depth
            report = report._replace(line=expected(position, search.line()))
        self._report, self._running = report, None

    def _with(self, best: int, value: float) -> dict[int, float]:
        # The values so far, limited to the value of the best move.
        return {**{move: min(earlier, value) for move, earlier in self._report.values.items()},
                best: value}

    def _seconds(self, limits: Limits) -> float:
        if limits.seconds is not None:
            return limits.seconds
        return 1e6 if self.settings.nodes or self.settings.depth else DEFAULT_SECONDS

    def _nodes(self) -> int:
        return self.settings.nodes or NO_LIMIT

    def search_of(self, position: Position) -> Search:
        """The search for positions of this game."""
        return self.lines if position.rules.row_fills_board() else self.plane


class Patience:
    """The time budget of one move, checked after each depth.

    The budget is `seconds` on average.  It shrinks while the best move is stable, and grows when
    the best move changes or its score falls.  `begun` is the start of the move.
    """

    def __init__(self, begun: float, seconds: float):
        self._begun, self._seconds = begun, seconds
        self._best, self._score, self._unrest = 0, 0, 0.0

    def is_over(self, best: int, score: int) -> bool:
        """Is the budget used up after a depth with this best move and score?"""
        self._unrest = self._unrest / 2 + (best != self._best)
        fall = min(max((self._score - score) / SCORE_UNIT, 0.0), 1.0)
        self._best, self._score = best, score
        budget = self._seconds * (CALM + UNREST * self._unrest + FALL * fall)
        return time.monotonic() - self._begun > budget * NEXT_DEPTH


def figures(depth: int, score: int) -> dict[str, int]:
    """The figures of a search: depth, score, and the plies to the end of a decided game."""
    values = {"depth": depth, "score": score}
    if abs(score) > WON:
        values["plies to win" if score > 0 else "plies to loss"] = MATE - abs(score)
    return values


def combined(choice: Report, weighing: Weighing, depth: int) -> Report:
    """The report of a choice, with values for other moves up to the value of the choice.

    If the choice has no value, the best other move replaces it, with this depth.
    """
    if not choice.values:
        line = weighing.lines[weighing.best] if weighing.values else choice.line
        return Report(line, weighing.values, {}, {"depth": depth, "nodes": weighing.nodes},
                      weighing.lines, weighing.scores)
    best = choice.line[0]
    most = choice.values[best]
    values = {move: min(value, most) for move, value in weighing.values.items()}
    nodes = weighing.nodes + choice.figures.get("nodes", 0)
    return choice._replace(values={best: most, **values},
                           figures={**choice.figures, "nodes": nodes},
                           lines={**weighing.lines, best: choice.line},
                           scores={**weighing.scores, best: choice.figures["score"]})


def near_the_centre(position: Position) -> list[int]:
    """The legal points at most one step from the middle of the board, in point order."""
    lattice = position.lattice
    middle = [lattice.coordinates(point) for point in lattice.middle()]
    return [point for point in candidates(position)
            if any(max(abs(a - b) for a, b in zip(lattice.coordinates(point), near)) <= 1
                   for near in middle)]
