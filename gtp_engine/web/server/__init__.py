"""The web server: pages, their messages and connections, and the shared state."""
