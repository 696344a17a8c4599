"""An open game of the web server: its state, players, clocks and file."""
