"""alphabeta: searches, evaluation, threats, levels."""
