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
from .app import MOST_READERS, application
from .messages.games import LONGEST_FILE
from .site import Site

PORT = 8765
ADDRESS = "address"  # the file with the address of a server that runs
LONGEST_ANSWER = 10  # seconds that a page's last message may take at the end of the server
LONGEST_MESSAGE = 4 * LONGEST_FILE // 3 + 1000  # bytes


def serve_from(options: Namespace) -> int:
    """Serve from the folder of the options until Ctrl-C, or show the board of a server that does so
    already; the exit status.  Raises OSError."""
    lock = FileLock(options.data / "server.lock")
    try:
        options.data.mkdir(parents=True, exist_ok=True)
        if not options.watch_only:
            lock.acquire(blocking=False)
        with listening(options.host, options.port) as sock:
            return serve(options, sock)
    except Timeout:
        address = (options.data / ADDRESS).read_text(encoding="utf-8")
        print(f"the board is there already: {address}", flush=True)
        if not options.no_browser:
            open_browser(options.data, address)
        return 0
    finally:
        lock.release()


def serve(options: Namespace, sock: socket.socket) -> int:
    """Serve on a socket until Ctrl-C; the exit status.  Raises OSError."""
    token = token_of(options.data / ("watch-token" if options.watch_only else "token"))
    host, port = sock.getsockname()[:2]
    address = f"http://{address_of(host)}:{port}/{token}/"
    whereabouts = ("Ask the person who started the server for it." if options.watch_only else
                   "The terminal in which the board was started shows it; it is in the file "
                   f"{ADDRESS} beside the folder of your games, too.")
    if not options.watch_only:
        write_file(options.data / ADDRESS, address, private=True)
    site = Site(options.data / "games", [path.resolve() for path in options.tournaments],
                options.watch_only, options.allow_programs)
    print(f"the board is at {address}\nCtrl-C ends it", flush=True)
    if not options.no_browser:
        open_browser(options.data, address)
    if options.watch_only:
        allow_connections(2 * MOST_READERS)
    server = Server(uvicorn.Config(
        application(site, token, whereabouts), log_level="warning", ws_max_size=LONGEST_MESSAGE,
        ws_per_message_deflate=not options.watch_only,  # it takes memory for each connection
        timeout_graceful_shutdown=LONGEST_ANSWER, server_header=False))
    asyncio.run(server.serve([sock]))
    return 0


class Server(uvicorn.Server):
    """A server that ends in good order, even if several signals ask for its end."""

    def handle_exit(self, sig: int, frame: Optional[FrameType]) -> None:
        """Ctrl-C, or another signal that ends a program."""
        self.should_exit = True


def open_browser(folder: Path, address: str) -> None:
    """Open the board in a browser.

    Its command line, which all users of the computer can read, does not have the secret: it names a
    file that only the owner can read and that leads to the board.  Raises OSError.
    """
    page = (folder / "open.html").resolve()
    write_file(page, f'<!doctype html><meta charset="utf-8"><title>The board</title>\n'
                     f'<meta http-equiv="refresh" content="0; url={address}">\n'
                     f'<a href="{address}">The board</a>\n', private=True)
    webbrowser.open(page.as_uri())


def allow_connections(number: int) -> None:
    """Let the process have `number` files and connections open, or as many as it may."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = number if hard == resource.RLIM_INFINITY else min(number, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def listening(host: str, port: Optional[int]) -> socket.socket:
    """A socket that listens there; without a port on the usual one, or any if that is taken.

    Raises OSError.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in [port] if port else [PORT, 0]:
        # asyncio sends small messages at once only where it sees that this is TCP.
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
    """An address of this computer as it stands in the address of a page."""
    if host in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


def token_of(path: Path) -> str:
    """The token of a user, made when it is first asked for; the same one lets pages that are open
    go on after a restart.  Raises OSError."""
    try:
        token = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        token = ""
    if len(token) < 20:
        token = token_urlsafe(16)
        write_file(path, token, private=True)
    return token
