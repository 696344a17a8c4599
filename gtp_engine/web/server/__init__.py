"""The web server: connections and shared state."""
