"""The live node of a game that is open: who plays there, by which clocks, and how it ends."""

from typing import Any, Callable, Collection, Mapping, Optional

from ...arena.verdict import Ending
from ...games.lattice import BLACK, WHITE
from ...games.tree import Step
from ...wire.notation import COLOUR_NAMES
from ..fields import Refusal
from ..games import PERSON, PROGRAM, Game
from ..processes import ENGINES_BUSY, Processes, TooMany
from ..viewer import Viewer
from .keeper import Keeper
from .referee import Referee

NO_PROGRAMS = "the page may not start programs: see web --allow-programs"


class LiveNode:
    """Plays a game from its live node on, and moves that node as the game goes on.

    viewers    the pages of the game; those that show the live node follow it
    broadcast  sends all of them a message
    settle     called when the referee's process has reported something
    """

    def __init__(self, game: Game, keeper: Keeper, viewers: Collection[Viewer],
                 processes: Processes, programs: bool, broadcast: Callable[..., None],
                 settle: Callable[[], None]):
        """`programs`: may the commands of seats be started?"""
        self._game, self._keeper, self._viewers = game, keeper, viewers
        self._referee, self._programs = Referee(processes, self._on_message), programs
        self._broadcast, self._settle = broadcast, settle

    @property
    def is_playing(self) -> bool:
        """Is there a process that plays?"""
        return self._referee.is_playing

    @property
    def waits_for(self) -> Optional[str]:
        """For whom the game waits: `you`, a colour's name, or None."""
        if not self._game.going_on:
            return None
        side = self._game.actor
        return "you" if self._game.seats[side]["player"] == PERSON else COLOUR_NAMES[side]

    def clock(self) -> dict[str, Any]:
        """For whom the game waits, and which clock runs for how many seconds, as pages show it."""
        return {"waiting": self.waits_for, "elapsed": self._referee.elapsed,
                "running": self._game.position.side if self._referee.is_asking else None}

    async def play(self) -> None:
        """Let the referee's process play if programs or clocks need it, and only then.

        Raises Refusal if they cannot; the game is then paused.
        """
        game, referee = self._game, self._referee
        wanted = game.going_on and self._needs_referee()
        if game.is_opening:
            wanted = game.seats[game.actor]["player"] != PERSON
        if referee.is_playing and not (wanted and referee.node in game.tree.nodes):
            self.end_match()
        if not wanted or referee.is_playing:
            return
        try:
            if not self._programs and any(
                    seat["player"] == PROGRAM for seat in game.seats.values()):
                raise Refusal(NO_PROGRAMS)
            await referee.start(game)
        except (Refusal, TooMany) as reason:
            game.playing = False
            raise Refusal(ENGINES_BUSY if isinstance(reason, TooMany) else str(reason)) from None

    def _needs_referee(self) -> bool:
        # Are there programs, or clocks?
        control = self._game.control
        return not self._game.has_persons_only or any(
            control[key] for key in ("per_move", "per_game"))

    def go(self, node: int) -> None:
        """The game goes on from another node; pages that show the live one follow."""
        for viewer in self._viewers:
            if viewer.node == self._game.live:
                viewer.node = node
        self._game.live = node

    def moved(self, node: int, colour: int, place: int) -> None:
        """A person has made the move of the game that leads to that node."""
        self.go(node)
        self._game.tree.promote(node)
        self._referee.play(colour, place)

    def move_now(self) -> None:
        """The player that thinks is to move at once."""
        self._referee.move_now(self._game.actor)

    def end_match(self) -> None:
        """Nothing is played any more; the side to move has used its time until now."""
        elapsed, side = self._referee.end(), self._game.position.side
        left = self._game.left[side]
        if left is not None and elapsed:
            self._game.left[side] = max(0.0, left - elapsed)
            self._keeper.changed()

    def end_game(self, winner: int, text: str) -> None:
        """The game has ended at the live node, though not on the board."""
        self.end_match()
        self._game.result = {"node": self._game.live, "winner": winner, "text": text}

    # --- what the referee's process reports ---------------------------------------------------

    def _on_message(self, message: Mapping[str, Any]) -> None:
        game = self._game
        if message["do"] == "thinking":
            self._broadcast(do="thinking", node=self._referee.node, report=message["report"])
            return
        if "left" in message:
            game.left = dict(zip((BLACK, WHITE), message["left"]))
        if message["do"] == "opened":
            self.go(game.act(message["action"]))
        elif message["do"] == "move":
            self._program_moved(message)
        elif message["do"] == "end" and not game.position.outcome:
            self.end_game(message["winner"], Ending[message["ending"]].value)
        elif message["do"] in ("failed", "died"):
            game.playing = False
            self._broadcast(do="notice", text=message.get(
                "text", "the engine has stopped; Continue restarts it"))
        if message["do"] != "begin":
            self._keeper.changed()
        self._settle()

    def _program_moved(self, message: Mapping[str, Any]) -> None:
        game, referee = self._game, self._referee
        points = game.position.lattice.points
        step = Step(move=(message["colour"], points[message["point"]]))
        played_nodes = game.tree.path(game.live)
        try:
            referee.node = game.tree.add(referee.node, step)
        except ValueError as error:
            self.end_match()
            game.playing = False
            self._broadcast(do="notice", text=str(error))
            return
        if "value" in (info := message["search_info"]):
            value = min(max(info["value"], -1.0), 1.0)
            game.tree.set_value(referee.node, value if message["colour"] == BLACK else -value,
                               int(info.get("depth", 0)))
        if referee.node not in played_nodes:  # a person may be some moves ahead of the referee
            self.go(referee.node)
            game.tree.promote(game.live)
