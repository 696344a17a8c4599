"""Messages of pages: a function for each, listed in COMMANDS."""
