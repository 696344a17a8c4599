"""The pages and their connections, as a Starlette application."""

import asyncio
from contextlib import asynccontextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import AsyncIterator, Optional
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from ..game.room import report_fault
from .commands import answer
from .page import Page
from .pictures import serve_picture
from .site import Site

STATIC = Path(__file__).parents[1] / "static"
SHARED = ("gtp_engine.arena", "static")  # scripts and styles of boards, shared with reports
MOST_PAGES, MOST_READERS = 64, 4096  # limits for pages that can play, and for spectators
NO_SECRET = """The address of the board contains a secret. It is missing here, or it is wrong.
{}
"""
TOO_MANY = 4001  # the close code when there are too many pages
HEADERS = {
    "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; "
                               "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; "
                               "form-action 'none'",
    "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
    "cache-control": "no-cache"}


class Guard:
    """Middleware that rejects requests from pages of other sites.

    The Host header must name this computer, since a foreign name may resolve to it (DNS
    rebinding).  With `any_host`, it may be any name.
    """

    def __init__(self, app: ASGIApp, any_host: bool):
        self.app, self.any_host = app, any_host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reply 403, or pass the request on and add security headers to the response."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = {key.decode("latin-1"): value.decode("latin-1")
                   for key, value in scope["headers"]}
        host, origin = headers.get("host", ""), headers.get("origin")
        if not (self.any_host or is_this_computer(host)) or (
                scope["type"] == "websocket" or origin) and not same(origin, host):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
                return
            await PlainTextResponse("not allowed\n", 403)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *(
                    (key.encode(), value.encode()) for key, value in HEADERS.items())]
            await send(message)

        await self.app(scope, receive, send_with_headers)


def is_this_computer(host: str) -> bool:
    """Return whether a Host header is the name or an address of the loopback interface."""
    try:
        name = urlsplit(f"//{host}").hostname
        return name == "localhost" or ip_address(name or "").is_loopback
    except ValueError:
        return False


def same(origin: Optional[str], host: str) -> bool:
    """Return whether an Origin header names the same server as a Host header."""
    try:
        return origin is not None and urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False


def application(site: Site, token: str, whereabouts: str) -> Starlette:
    """The application; all its addresses begin with the token.

    whereabouts  a sentence about where to find the address, for requests without the token
    """
    def without_secret(request: Request, error: Exception) -> Response:
        return PlainTextResponse(NO_SECRET.format(whereabouts), 404)

    async def serve_page(socket: WebSocket) -> None:
        await socket.accept()
        most = MOST_READERS if site.watch_only else MOST_PAGES
        if len(site.pages) >= most:
            await socket.close(TOO_MANY, f"this server has {most} open pages, the maximum: "
                                         "close some, then reload this one")
            return
        page = Page(site)
        sending = asyncio.create_task(deliver(page, socket))
        try:
            await page.enter()
            while True:
                message = await socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                await answer(page, message.get("text") or "")
        except (WebSocketDisconnect, RuntimeError, asyncio.CancelledError):
            pass  # the page or the server has closed the connection
        finally:
            page.leave()
            sending.cancel()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        watching = asyncio.create_task(site.watch())
        watching.add_done_callback(report_fault)
        yield
        watching.cancel()
        await site.close()

    return Starlette(
        lifespan=lifespan, exception_handlers={404: without_secret},
        middleware=[Middleware(Guard, any_host=site.watch_only)],
        routes=[Mount(f"/{token}", routes=[
            Route("/", lambda request: FileResponse(STATIC / "index.html")),
            Route("/picture.svg", serve_picture),
            WebSocketRoute("/socket", serve_page),
            Mount("/static", StaticFiles(directory=STATIC, packages=[SHARED]))])])


async def deliver(page: Page, socket: WebSocket) -> None:
    """Send the messages in the outbox of a page; None in it closes the connection."""
    try:
        while (text := await page.outbox.get()) is not None:
            await socket.send_text(text)
        await socket.close(1013)
    except (WebSocketDisconnect, RuntimeError):
        pass
