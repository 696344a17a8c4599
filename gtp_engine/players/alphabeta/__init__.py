"""The player alphabeta: its searches, evaluation, threats and levels."""
