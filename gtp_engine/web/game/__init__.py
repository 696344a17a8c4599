"""An open game: its state, players, clocks and file."""
