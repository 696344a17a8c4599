"""Who chooses a move: `base` says what a player is, `registry` makes one by its name."""
