"""One game: two seats and a referee."""
