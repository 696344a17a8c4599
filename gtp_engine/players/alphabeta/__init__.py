"""The player alphabeta: searches, evaluation, threats and levels."""
