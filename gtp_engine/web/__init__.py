"""The board in the browser: server, games, analysis and lessons."""
