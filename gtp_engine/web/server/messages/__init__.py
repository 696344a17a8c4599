"""Messages of pages: for each a function, and its fields in a table COMMANDS."""
