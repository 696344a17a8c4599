"""Options and messages of the command line."""
