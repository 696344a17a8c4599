"""Many games: the contest, its players, its results and their statistics."""
