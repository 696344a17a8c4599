"""Many games: what is played, by whom, and what the results say."""
