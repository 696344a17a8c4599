"""Files of games: one module per format, one reader for all formats."""
