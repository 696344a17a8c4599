"""What each feature of alphabeta's search is worth: the search against itself without the feature.

    python benchmarks/strength.py [FEATURE ...] [--rounds 100] [--scheduler ADDRESS] ...

All features, unless some are named; whatever begins with - and stands after them is for
`python -m gtp_engine tournament`, see docs/tournaments.txt.  Each feature has a sequential test of
its own, whose games are kept in strength-FEATURE.jsonl, so that the same command goes on where it
was stopped.  Any two players are compared by `tournament` itself.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from gtp_engine.__main__ import main as gtp_engine  # noqa: E402
from gtp_engine.kernels.plane.features import FEATURES  # noqa: E402

BASE = "alphabeta,nodes=20000,memory=16"
TEST = ("--size", "15", "--rounds", "1000", "--test", "0", "20")


def main() -> int:
    """Run the tests one after the other; the first exit status that is not 0."""
    words = sys.argv[1:]
    first_option = next((i for i, word in enumerate(words) if word.startswith("-")), len(words))
    for feature in words[:first_option] or FEATURES:
        print(f"--- {feature}", flush=True)
        status = gtp_engine(["tournament", f"with={BASE}", f"without={BASE},off={feature}", *TEST,
                             "--games", f"strength-{feature}.jsonl", *words[first_option:]])
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
