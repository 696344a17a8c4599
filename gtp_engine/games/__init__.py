"""What a game is.  Pure Python, so that the engine starts in a blink."""
