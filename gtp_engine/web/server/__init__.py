"""The server: pages, their messages, connections, and what all games share."""
