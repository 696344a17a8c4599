#!/usr/bin/env python3
"""Start script for referees of 4x4x4: the player of `python -m gtp_engine pipe`."""

import sys

from gtp_engine.__main__ import run

if __name__ == "__main__":
    try:
        sys.exit(run("pipe", "qubic.py"))
    except KeyboardInterrupt:
        sys.exit(130)
