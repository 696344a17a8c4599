"""The server of the board in the browser."""

import asyncio
import socket
import sys
import webbrowser
from argparse import Namespace
from pathlib import Path
from secrets import token_urlsafe
from types import FrameType
from typing import Optional

import uvicorn
from filelock import FileLock, Timeout

from ...wire.files import write_file
from ..games import Programs
from .app import MOST_READERS, application
from .archive import Archive
from .messages.games import LONGEST_FILE
from .site import Site

PORT = 8765
ADDRESS = "address"  # the file with the address of a running server
LONGEST_ANSWER = 10  # seconds for running requests when the server ends
LONGEST_MESSAGE = 4 * LONGEST_FILE // 3 + 1000  # bytes


def serve_from(options: Namespace, archive: Archive) -> int:
    """Serve from the folder of the options until Ctrl-C; return the exit status.

    If a server is running for that folder, opens its address instead.  Raises OSError.
    """
    lock = FileLock(options.data / "server.lock")
    try:
        options.data.mkdir(parents=True, exist_ok=True)
        if not options.watch_only:
            lock.acquire(blocking=False)
        with listening(options.host, options.port) as sock:
            return serve(options, sock, archive)
    except Timeout:
        address = (options.data / ADDRESS).read_text(encoding="utf-8")
        print(f"the board is already running at {address}", flush=True)
        if not options.no_browser:
            open_browser(options.data, address)
        return 0
    finally:
        lock.release()


def serve(options: Namespace, sock: socket.socket, archive: Archive) -> int:
    """Serve on a socket until Ctrl-C; return the exit status.  Raises OSError."""
    token = token_of(options.data / ("watch-token" if options.watch_only else "token"))
    host, port = sock.getsockname()[:2]
    address = f"http://{address_of(host)}:{port}/{token}/"
    whereabouts = ("Ask the person who started the server for it." if options.watch_only else
                   "The server prints it in its terminal, and writes it to the file "
                   f"{ADDRESS} beside the folder of your games.")
    if not options.watch_only:
        write_file(options.data / ADDRESS, address, private=True)
    programs = Programs(options.allow_programs, options.player)
    site = Site(options.data / "games", [path.resolve() for path in options.tournaments],
                options.watch_only, programs, archive)
    print(f"the board is at {address}\nCtrl-C ends it", flush=True)
    if not options.no_browser:
        open_browser(options.data, address)
    if options.watch_only:
        allow_connections(2 * MOST_READERS)
    server = Server(uvicorn.Config(
        application(site, token, whereabouts), log_level="warning", ws_max_size=LONGEST_MESSAGE,
        ws_per_message_deflate=not options.watch_only,  # costs memory for each connection
        timeout_graceful_shutdown=LONGEST_ANSWER, server_header=False))
    asyncio.run(server.serve([sock]))
    return 0


class Server(uvicorn.Server):
    """A server that shuts down gracefully, even after several signals."""

    def handle_exit(self, sig: int, frame: Optional[FrameType]) -> None:
        """Begin to shut down after Ctrl-C or another signal that ends a program."""
        self.should_exit = True


def open_browser(folder: Path, address: str) -> None:
    """Open the board in a browser.

    All users of the computer can read the command line of the browser.  So it names a private file
    that redirects to the secret address.  Raises OSError.
    """
    page = (folder / "open.html").resolve()
    write_file(page, f'<!doctype html><meta charset="utf-8"><title>The board</title>\n'
                     f'<meta http-equiv="refresh" content="0; url={address}">\n'
                     f'<a href="{address}">The board</a>\n', private=True)
    webbrowser.open(page.as_uri())


def allow_connections(number: int) -> None:
    """Raise the limit of open files and connections to `number`, or to the hard limit."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = number if hard == resource.RLIM_INFINITY else min(number, hard)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def listening(host: str, port: Optional[int]) -> socket.socket:
    """Open a listening socket; without a port on PORT, or on a free port if PORT is in use.

    Raises OSError.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in [port] if port else [PORT, 0]:
        # Without the explicit protocol asyncio does not set TCP_NODELAY, which delays messages.
        sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if sys.platform != "win32":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, number))
            sock.listen()
            return sock
        except OSError as error:
            sock.close()
            fault = error
    raise OSError(fault.errno, fault.strerror, f"{host}:{port or PORT}")


def address_of(host: str) -> str:
    """The host part of a URL for an address of this computer."""
    if host in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


def token_of(path: Path) -> str:
    """The secret token of a user; creates it at the first call.

    It stays the same, so that open pages reconnect after a restart.  Raises OSError.
    """
    try:
        token = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        token = ""
    if len(token) < 20:
        token = token_urlsafe(16)
        write_file(path, token, private=True)
    return token
