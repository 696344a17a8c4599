"""Opening rules: procedures in which two persons agree on balanced first stones.

First and Second are persons, Black and White are colours; First begins with Black.  A rule is a
row of steps.  In each step one person takes one action: place stones, swap colours or not, declare
the number of fifth moves, offer fifth moves, or choose one of them.
"""

from typing import NamedTuple, Optional, Sequence

from .lattice import BLACK, EMPTY, WHITE, Lattice, opponent
from .rules import Position

FIRST, SECOND = "first", "second"  # persons
PLACE, SWAP, DECLARE, OFFER, CHOOSE = "place", "swap", "declare", "offer", "choose"
YES, NO = "yes", "no"
ANYWHERE = 0

# White's first and Black's second stone, as steps to the right and up from the middle.
DIRECT, INDIRECT = (0, 1), (1, 1)
_DIRECT = ("Kansei 0 2, Keigetsu 1 2, Sosei 2 2, Kagetsu 1 1, Zangetsu 2 1, Ugetsu 1 0, "
           "Kinsei 2 0, Shogetsu 0 -1, Kyugetsu 1 -1, Shingetsu 2 -1, Zuisei 0 -2, Sangetsu 1 -2, "
           "Yusei 2 -2")
_INDIRECT = ("Chosei 2 2, Kyogetsu 2 1, Kosei 2 0, Suigetsu 2 -1, Ryusei 2 -2, Ungetsu 1 0, "
             "Hogetsu 1 -1, Rangetsu 1 -2, Gingetsu 0 -1, Myojo 0 -2, Shagetsu -1 -1, "
             "Meigetsu -1 -2, Suisei -2 -2")


class NamedOpening(NamedTuple):
    """One of the 26 openings of Renju.

    name    the name, such as Kansei
    number  D1 to D13 or I1 to I13
    white   the second stone, as steps from the first one in the middle
    black   the third stone, likewise
    """

    name: str
    number: str
    white: tuple[int, int]
    black: tuple[int, int]


def _named(text: str, letter: str, white: tuple[int, int]) -> list[NamedOpening]:
    words = (each.split() for each in text.split(", "))
    return [NamedOpening(name, f"{letter}{number}", white, (int(x), int(y)))
            for number, (name, x, y) in enumerate(words, 1)]


NAMED_OPENINGS = tuple(_named(_DIRECT, "D", DIRECT) + _named(_INDIRECT, "I", INDIRECT))


class Stage(NamedTuple):
    """One step of a rule.

    action   PLACE, SWAP, DECLARE, OFFER or CHOOSE
    number   stones to place; fifth moves to offer (0: the declared number); or the most fifth moves
             to declare
    window   side of the square around the middle for the stone, or ANYWHERE
    waiting  does the person act whose colour is not to move?
    named    must the three stones be one of the 26 openings?
    turns    alternative actions, each with the number of its step
    after    the number of the following step, if it is not the next one
    """

    action: str
    number: int = 1
    window: int = ANYWHERE
    waiting: bool = False
    named: bool = False
    turns: tuple[tuple[str, int], ...] = ()
    after: Optional[int] = None


class OpeningRule(NamedTuple):
    """An opening rule: its name and its steps."""

    name: str
    steps: tuple[Stage, ...]


END = 99  # a step after the last one


def _taraguchi(name: str, windows: Sequence[int], offered: int) -> OpeningRule:
    steps: list[Stage] = []
    for window in windows[:4]:
        steps += [Stage(PLACE, window=window), Stage(SWAP)]
    # After the fourth stone, Black swaps or not and places a fifth stone, or offers fifth moves.
    offer = len(steps) + 3
    steps[-1] = Stage(SWAP, turns=((OFFER, offer),))
    steps += [Stage(PLACE, window=windows[4]), Stage(SWAP), Stage(PLACE, after=END),
              Stage(OFFER, offered), Stage(CHOOSE, waiting=True)]
    return OpeningRule(name, tuple(steps))


_THREE = Stage(PLACE, 3, named=True)
_FIFTH = (Stage(OFFER, 0), Stage(CHOOSE, waiting=True))

RULES = {rule.name: rule for rule in (
    OpeningRule("swap", (Stage(PLACE, 3), Stage(SWAP))),
    OpeningRule("swap2", (
        Stage(PLACE, 3), Stage(SWAP, after=END, turns=((PLACE, 2),)), Stage(PLACE, 2),
        Stage(SWAP, waiting=True))),
    OpeningRule("rif", (_THREE, Stage(SWAP), Stage(PLACE), Stage(OFFER, 2),
                        Stage(CHOOSE, waiting=True))),
    OpeningRule("yamaguchi", (_THREE, Stage(DECLARE, 12, waiting=True), Stage(SWAP), Stage(PLACE),
                              *_FIFTH)),
    *(OpeningRule(f"soosyrv-{most}", (_THREE, Stage(SWAP), Stage(PLACE),
                                      Stage(DECLARE, most, waiting=True), Stage(SWAP), *_FIFTH))
      for most in (4, 8)),
    *(_taraguchi(f"taraguchi-{offered}", (1, 3, 5, 7, 9), offered) for offered in (5, 10)),
    _taraguchi("super-taraguchi-10", (1, 5, 7, 9, 9), 10),
)}


def find(name: str) -> OpeningRule:
    """Return the rule of a name; case does not matter.  Raises ValueError if there is none."""
    try:
        return RULES[name.lower()]
    except KeyError:
        raise ValueError(f"no such opening rule: {name} (available: {' '.join(RULES)})") from None


class Action(NamedTuple):
    """An action: PLACE, OFFER or CHOOSE points, DECLARE a number, or SWAP colours or not."""

    word: str
    points: tuple[int, ...] = ()
    number: int = 0
    yes: bool = False


class Agreement:
    """An opening by a rule; it begins on an empty board and changes the position in place.

    black     the person with Black
    number    the number of the current step, END once the opening is over
    declared  the declared number of fifth moves, 0 before the declaration
    offered   the offered fifth moves
    """

    def __init__(self, rule: OpeningRule, position: Position):
        """Begin an opening.  Raises ValueError if the rule needs another board or game."""
        if position.history:
            raise ValueError("an opening begins on an empty board")
        if position.side != BLACK or position.lattice.depth > 1:
            raise ValueError(f"{rule.name} is for games in the plane that Black begins")
        if len(position.lattice.middle()) != 1 and any(
                step.named or step.window for step in rule.steps):
            raise ValueError(f"{rule.name} needs a board with a point in the middle")
        self.rule, self.position = rule, position
        self.black = FIRST
        self.number = 0
        self.declared = 0
        self.offered: tuple[int, ...] = ()

    def copy(self) -> "Agreement":
        """Return an independent opening, equal in every attribute."""
        other = Agreement.__new__(Agreement)
        other.__dict__.update(self.__dict__)
        other.position = self.position.copy()
        return other

    @property
    def step(self) -> Optional[Stage]:
        """The current step, None once the opening is over."""
        steps = self.rule.steps
        return steps[self.number] if self.number < len(steps) else None

    @property
    def actor(self) -> str:
        """The person with the next action, or with the next move after the opening."""
        step, side = self.step, self.position.side
        if step is not None and step.waiting:
            side = opponent(side)
        if step is not None and step.action == PLACE and step.number > 1:
            # One person places several stones of both colours.
            return FIRST if len(self.position.history) < 3 else SECOND
        return self.person_of(side)

    @property
    def actions(self) -> list[str]:
        """The actions that are possible now."""
        step = self.step
        return [step.action, *(action for action, _ in step.turns)] if step else []

    @property
    def quota(self) -> int:
        """The number of stones to place or to offer in this step, or the most to declare."""
        step = self._step_of(OFFER) or self._step_of(PLACE) or self.step
        assert step is not None
        return step.number or self.declared

    def person_of(self, colour: int) -> str:
        """Return the person with a colour."""
        return self.black if colour == BLACK else _other(self.black)

    def act(self, action: Action) -> None:
        """Carry out an action of the actor.  Raises ValueError, with nothing changed."""
        if action.word == PLACE:
            self.place(action.points)
        elif action.word == OFFER:
            self.offer(action.points)
        elif action.word == CHOOSE:
            self.choose(action.points)
        elif action.word == DECLARE:
            self.declare(action.number)
        elif action.word == SWAP:
            self.swap(action.yes)
        else:
            raise ValueError(f"no such action: {action.word} (it is time to "
                             f"{' or '.join(self.actions)})")

    def may_place(self) -> list[int]:
        """Return the points for the next stone, if PLACE is possible now."""
        step, lattice = self._step_of(PLACE), self.position.lattice
        return [point for point in self.position.legal_moves()
                if step and (not step.window
                             or steps_from_middle(lattice, point) <= step.window // 2)]

    def may_be_swapped(self) -> bool:
        """Return whether the next step is a swap."""
        step = self.step
        after = self.rule.steps[self.number + 1:self.number + 2] if step else ()
        return bool(after) and after[0].action == SWAP and step is not None and step.after is None

    def place(self, points: Sequence[int]) -> None:
        """Place stones in alternating colours.  Raises ValueError, with the position unchanged."""
        step = self._take(PLACE)
        if len(points) != step.number:
            raise ValueError(f"place {stones(step.number)}, not {len(points)}")
        before = len(self.position.history)
        try:
            for point in points:
                self._put(point, step.window)
            if step.named and name_of(self.position) is None:
                raise ValueError("not one of the 26 openings")
        except ValueError:
            while len(self.position.history) > before:
                self.position.undo()
            raise
        self._go_on(step, PLACE)

    def swap(self, yes: bool) -> None:
        """Exchange colours, or not.  Raises ValueError if the step is no swap."""
        step = self._take(SWAP)
        if yes:
            self.black = _other(self.black)
        self._go_on(step, SWAP)

    def declare(self, number: int) -> None:
        """Declare the number of fifth moves.  Raises ValueError."""
        step = self._take(DECLARE)
        if not 1 <= number <= step.number:
            raise ValueError(f"declare 1 to {step.number} fifth moves, not {number}")
        self.declared = number
        self._go_on(step, DECLARE)

    def offer(self, points: Sequence[int]) -> None:
        """Offer fifth moves of Black.  Raises ValueError."""
        step = self._take(OFFER)
        quota = step.number or self.declared
        if len(points) != quota:
            raise ValueError(f"offer {quota} fifth moves, not {len(points)}")
        for point in points:
            complaint = self.position.complaint(BLACK, point)
            if complaint:
                raise ValueError(f"{self._name(point)}: {complaint}")
        for number, point in enumerate(points):
            for other in points[:number]:
                if point == other:
                    raise ValueError(f"{self._name(point)} is offered twice")
                if are_symmetrical(self.position, point, other):
                    raise ValueError(f"{self._name(other)} and {self._name(point)} are symmetrical")
        self.offered = tuple(points)
        self._go_on(step, OFFER)

    def choose(self, points: Sequence[int]) -> None:
        """Choose one of the offered fifth moves, and play it.  Raises ValueError."""
        step = self._take(CHOOSE)
        if len(points) != 1:
            raise ValueError(f"choose one fifth move, not {len(points)}")
        point = points[0]
        if point not in self.offered:
            offered = " ".join(map(self._name, self.offered))
            raise ValueError(f"{self._name(point)} was not offered (choose one of: {offered})")
        self.position.play(BLACK, point)
        self._go_on(step, CHOOSE)

    def _put(self, point: int, window: int) -> None:
        lattice = self.position.lattice
        if point in lattice.on_board and window and steps_from_middle(lattice, point) > window // 2:
            raise ValueError(f"{self._name(point)} is not in the central {window} x {window}"
                             if window > 1 else f"{self._name(point)} is not in the middle")
        self.position.play(self.position.side, point)

    def _step_of(self, action: str) -> Optional[Stage]:
        step = self.step
        for other, number in step.turns if step else ():
            if other == action:
                return self.rule.steps[number]
        return step if step and step.action == action else None

    def _take(self, action: str) -> Stage:
        step = self._step_of(action)
        if step is None:
            due = " or ".join(self.actions)
            raise ValueError(f"{action}: it is time to {due}" if due else "the opening is over")
        return step

    def _go_on(self, step: Stage, action: str) -> None:
        at = next((number for number, each in enumerate(self.rule.steps) if each is step),
                  self.number)
        self.number = at + 1 if step.after is None else step.after

    def _name(self, point: int) -> str:
        x, y = self.position.lattice.display_place(point)
        return f"{'ABCDEFGHJKLMNOPQRSTUVWXYZ'[x]}{y + 1}"


def stones(count: int) -> str:
    """Return a number of stones in words."""
    return "one stone" if count == 1 else f"{count} stones"


def _other(person: str) -> str:
    return SECOND if person == FIRST else FIRST


def steps_from_middle(lattice: Lattice, point: int) -> int:
    """Return the number of king steps from the middle of the board to a point."""
    middle, at = lattice.coordinates(lattice.middle()[0]), lattice.coordinates(point)
    return max(abs(a - b) for a, b in zip(middle, at))


def opening_points(opening: NamedOpening, lattice: Lattice) -> list[int]:
    """Return the three stones of one of the 26 openings."""
    x, y, _ = lattice.coordinates(lattice.middle()[0])
    steps = (0, 0), opening.white, opening.black
    return [lattice.point(x + right, y + up) for right, up in steps]


def name_of(position: Position) -> Optional[NamedOpening]:
    """Return which of the 26 openings the first three stones are, up to symmetry, or None."""
    records = position.moves[:3]
    if len(records) < 3 or [record.colour for record in records] != [BLACK, WHITE, BLACK]:
        return None
    x, y, _ = position.lattice.coordinates(position.lattice.middle()[0])
    at = [tuple(a - b for a, b in zip(position.lattice.coordinates(record.point), (x, y)))
          for record in records]
    for image in zip(*(_images(*each) for each in at)):
        for opening in NAMED_OPENINGS:
            if image == ((0, 0), opening.white, opening.black):
                return opening
    return None


def _images(x: int, y: int) -> list[tuple[int, int]]:
    # The images of a place under the eight symmetries of the square, those of a rectangle first.
    return [(x, y), (-x, y), (x, -y), (-x, -y), (y, x), (-y, x), (y, -x), (-y, -x)]


def are_symmetrical(position: Position, point: int, other: int) -> bool:
    """Return whether black stones on `point` and on `other` give symmetric positions."""
    lattice, cells = position.lattice, position.cells
    right, top = lattice.width - 1, lattice.height - 1
    count = 8 if right == top else 4  # no diagonal mirrors of a rectangle

    def picture(black: int) -> list[tuple[int, int, int]]:
        # The stones with one more black stone, in half steps from the middle.
        return [(2 * x - right, 2 * y - top, BLACK if each == black else cells[each])
                for each in lattice.points if cells[each] != EMPTY or each == black
                for x, y, _ in [lattice.coordinates(each)]]

    target = {*picture(other)}
    images = zip(*([(*place, colour) for place in _images(x, y)[:count]] for x, y, colour in
                   picture(point)))
    return any({*image} == target for image in images)
