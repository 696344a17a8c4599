"""What the alpha-beta search knows about shapes: numbers made by the programs in tuning/.

Each file in data/ holds, for one kind of game and board, `value` and `policy`, int16[2,
COMBINATIONS], and `extras`, int64[EXTRAS + 1]: see `kernels.plane.state.Search`.  A combination is
what a code is without the order of its axes.  `value` has four rows where shapes are worth
something else to the second colour.  Some hold a network too: `rows`, int16[n, CHANNELS],
one for each pattern and its mirror image, `input_bias`, int16[CHANNELS], and `layers`: see
`kernels.plane.network`.
"""

from functools import lru_cache
from itertools import combinations_with_replacement
from os import PathLike
from typing import IO, Mapping, NamedTuple, Optional, Union

import numpy as np

from ...games.lattice import BLACK
from ...games.rules import Rules
from ...kernels.plane.accumulator import CHANNELS, PATTERNS, number_of_pattern
from ...kernels.plane.evaluation import EXTRAS
from ...kernels.plane.features import FEATURES, MARGIN, MARGINS, PENTE_MARGINS, RENJU_MARGINS
from ...kernels.plane.network import LAYERS
from ...kernels.plane.shapes import AXES, CODES, SHAPES, sorted_codes
from .. import DATA
from ..arrays import Kind, arrays_in, check
from ..options import whole_number

STRATEGY = "strategy"  # the table of the moves that win 4x4x4
SCORE_UNIT = 200  # score of a position that is won with odds of e to 1
SMALL = 9  # up to this size there is no network: games are drawn with it and without
LARGE = 17  # a size from which on the weights are those of 20x20 rather than those of 15x15
ROWS = (PATTERNS + 256) // 2  # patterns; 256 are the same when they are read backwards
COMBINATIONS = len(list(combinations_with_replacement(range(SHAPES), AXES)))


KINDS: Mapping[str, Kind] = {
    "value": (np.int16, (None, COMBINATIONS)), "policy": (np.int16, (2, COMBINATIONS)),
    "extras": (np.int64, (EXTRAS + 1,))}
NETWORK_KINDS: Mapping[str, Kind] = {
    "rows": (np.int16, (ROWS, CHANNELS)),
    "input_bias": (np.int16, (CHANNELS,)), "layers": (np.float32, (LAYERS,))}


class Network(NamedTuple):
    """rows int16[PATTERNS, 2 * CHANNELS], input_bias int16[2 * CHANNELS] and layers
    float32[LAYERS] of kernels.plane.network; no rows if there is none."""

    rows: np.ndarray
    input_bias: np.ndarray
    layers: np.ndarray


NO_NETWORK = Network(np.zeros((0, 2 * CHANNELS), np.int16), np.zeros(2 * CHANNELS, np.int16),
                     np.zeros(LAYERS, np.float32))


class Weights(NamedTuple):
    """value int16[n * 2 * CODES] as in `kernels.plane.shapes.worth_of`, policy int16[2 * CODES],
    extras int64, margins MARGIN[1] and network as in Search."""

    value: np.ndarray
    policy: np.ndarray
    extras: np.ndarray
    margins: np.ndarray
    network: Network


class Tuning(NamedTuple):
    """A search that differs from what it is, to find out what the difference is worth.

    off      features that are not used: of kernels.plane.features, or STRATEGY of the cube
    weights  in the place of those of the game
    margins  in the place of numbers of kernels.plane.features.MARGINS, by their names
    """

    off: tuple[str, ...] = ()
    weights: Optional[Weights] = None
    margins: Mapping[str, int] = {}

    def of(self, rules: Rules, size: int) -> Weights:
        """The weights for a game on boards of that size."""
        weights = self.weights or weights_of(rules, size)
        return weights._replace(margins=record_of({**margins_of(rules), **self.margins}))


def tuning_of(changes: Mapping[str, str]) -> Tuning:
    """The tuning that texts describe: off=NAME+NAME, weights=FILE, and margins by their names.

    Raises ValueError and OSError.
    """
    tuning = Tuning()
    for key, text in changes.items():
        if key == "off":
            tuning = tuning._replace(off=tuple(text.split("+")))
        elif key == "weights":
            tuning = tuning._replace(weights=read(text))
        elif key in MARGINS:
            tuning = tuning._replace(margins={**tuning.margins, key: whole_number(key, text)})
        else:
            raise ValueError(f"no such setting: {key} (for tuning: off weights "
                             f"{' '.join(MARGINS)})")
    for name in tuning.off:
        if name not in (*FEATURES, STRATEGY):
            raise ValueError(f"no such feature: {name} (available: "
                             f"{' '.join((*FEATURES, STRATEGY))})")
    return tuning


def kind(rules: Rules, size: int) -> str:
    """The name of the file that holds the weights of a game on boards of that size."""
    if rules.capture_lengths:
        return "pente"
    if size >= LARGE:  # in all of these games: their size matters more than their rules
        return "gomoku_large"
    if rules.renju:
        return "renju"
    if rules.caro:
        return "caro"
    return "gomoku_exact" if rules.exact(BLACK) else "gomoku"


@lru_cache(maxsize=None)
def weights_of(rules: Rules, size: int) -> Weights:
    """The weights of a game on boards of that size."""
    with (DATA / f"{kind(rules, size)}.npz").open("rb") as file:
        weights = read(file)._replace(margins=record_of(margins_of(rules)))
    return weights if size > SMALL else weights._replace(network=NO_NETWORK)


def margins_of(rules: Rules) -> Mapping[str, int]:
    """The numbers of the search of a game, by name."""
    if rules.renju:
        return RENJU_MARGINS
    return PENTE_MARGINS if rules.capture_lengths else MARGINS


def record_of(margins: Mapping[str, int]) -> np.ndarray:
    """MARGIN[1] of these numbers."""
    return np.array([tuple(margins[name] for name in MARGINS)], MARGIN)


def read(file: Union[str, "PathLike[str]", IO[bytes]]) -> Weights:
    """The weights in a file, given by its path or open.  Raises ValueError and OSError."""
    data = arrays_in(file, KINDS)
    if len(data["value"]) not in (2, 4):
        raise ValueError(f"the array value has {len(data['value'])} rows, not 2 or 4")
    network = NO_NETWORK
    if NETWORK_KINDS.keys() & data.keys():
        check(data, NETWORK_KINDS)
        if not np.isfinite(data["layers"]).all():
            raise ValueError("the array layers has numbers that are not finite")
        network = Network(by_pattern(data["rows"]), np.tile(data["input_bias"], 2), data["layers"])
    return Weights(expand(data["value"]), expand(data["policy"]), data["extras"],
                   record_of(MARGINS), network)


def by_pattern(rows: np.ndarray) -> np.ndarray:
    """int16[PATTERNS, 2 * CHANNELS] from int16[n, CHANNELS], the rows of `number_of_pattern`."""
    number = number_of_pattern()
    patterns = np.arange(PATTERNS)
    exchanged = patterns >> 8 | (patterns & 255) << 8
    return np.hstack([rows[number], rows[number[exchanged]]])


@lru_cache(maxsize=None)
def combination_of() -> np.ndarray:
    """int64[CODES], the number of the combination of each code that has only known shapes."""
    number = np.zeros(CODES, np.int64)
    for i, shapes in enumerate(combinations_with_replacement(range(SHAPES), AXES)):
        number[sum(shape << 4 * axis for axis, shape in enumerate(shapes))] = i
    return np.asarray(number[sorted_codes()])


def expand(rows: np.ndarray) -> np.ndarray:
    """int16[n * CODES] from int16[n, COMBINATIONS]."""
    return np.ascontiguousarray(rows[:, combination_of()], np.int16).reshape(-1)
