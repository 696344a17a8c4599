"""A game that pages show: its state, its players, its clocks, its file."""
