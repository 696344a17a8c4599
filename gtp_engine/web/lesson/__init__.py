"""Games that others watch: lessons, audiences, tournaments."""
