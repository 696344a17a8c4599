"""Games in files: one module for each format, one reader for all of them."""
