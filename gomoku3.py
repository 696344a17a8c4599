#!/usr/bin/env python3
"""Start script for GoGui: the GTP engine, with the options of `python -m gtp_engine gtp`."""

import sys

from gtp_engine.__main__ import run

if __name__ == "__main__":
    try:
        sys.exit(run("gtp", "gomoku3.py"))
    except KeyboardInterrupt:  # before the engine is ready to handle it
        sys.exit(130)
