"""Messages of pages: a function for each, and its fields in a table COMMANDS."""
