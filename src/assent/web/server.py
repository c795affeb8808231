"""The server: it listens on this machine, opens the browser, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from typing import Any

from assent.errors import InputError, MissingDependency, OptionError
from assent.limits import WEB_HEAD_SECONDS, WEB_REQUESTS
from assent.text import shown

__all__ = ["serve"]

#: Tried first, so that an address which was kept, and what the browser kept with it, is found again.
PORT = 8477


def serve(
    *files: str | os.PathLike[str],
    host: str = "127.0.0.1",
    port: int | None = None,
    decisions: str | os.PathLike[str] | None = None,
    browser: bool = True,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Open the local page: drop a file, see how far annotators agree, try things out, decide on disputed items.

    It runs until it is stopped (Ctrl+C). Nothing is sent anywhere; files that the browser hands over are held in memory.

    Parameters
    ----------
    *files : path
        Data to begin with, read as one; without any the page asks for some.
    host : str
        Address to listen on. Any other than this machine's own lets others reach the page, if they know its address.
    port : int, optional
        8477, or another one if that is taken.
    decisions : path, optional
        CSV file that decisions on disputed items of `files` are written to, after each.
    browser : bool
        Open the page in the browser.
    ready : callable, optional
        Called with the address as soon as the page can be opened; printed if not given.

    Raises
    ------
    MissingDependency
        If starlette or uvicorn is not installed.
    """
    try:
        import starlette  # noqa: F401
        import uvicorn
    except ImportError:
        raise MissingDependency(
            "The local page needs starlette and uvicorn: install them with pip install 'assent[web]'."
        ) from None
    from assent.web.app import Page, application
    from assent.web.protocol import BoundedProtocol

    names = [os.fspath(one) for one in files]
    for name in names:
        if not os.path.exists(name):
            raise InputError(f"There is no file {shown(name, 200)}: check the name.")
    if decisions is not None and not names:
        raise OptionError("`decisions` are about a file: name it, too.")
    if decisions is not None and os.path.realpath(decisions) in map(os.path.realpath, names):
        raise OptionError(
            f"`decisions` names {shown(os.fspath(decisions), 200)}, which holds the data: name another file."
        )
    page = Page(names, None if decisions is None else os.fspath(decisions))
    token = secrets.token_urlsafe(18)
    listening = _listening(host, port)
    address = f"http://{_named(host)}:{listening.getsockname()[1]}/{token}/"
    if page.first is not None:
        page.decisions.own(page.first)
        address += f"s/{page.first.name}/report"
    config = uvicorn.Config(
        application(page, token, host),
        http=BoundedProtocol,
        ws="none",
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=int(WEB_HEAD_SECONDS),
        limit_concurrency=WEB_REQUESTS,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    config.callback_notify = _Notifier(lambda: (ready or _say)(address), browser and (lambda: _open(address)))
    config.timeout_notify = 0
    try:
        asyncio.run(server.serve(sockets=[listening]))
    except KeyboardInterrupt:
        pass
    finally:
        page.close()
        listening.close()


class _Notifier:
    """Say once that the server runs; what uvicorn calls again and again."""

    def __init__(self, *calls: Any) -> None:
        self._calls = [one for one in calls if one]

    async def __call__(self) -> None:
        calls, self._calls = self._calls, []
        for one in calls:
            one()


def _say(address: str) -> None:
    print(f"The page is open at {address}\nStop it with Ctrl+C.", file=sys.stderr, flush=True)


def _open(address: str) -> None:
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _named(host: str) -> str:
    if host in ("0.0.0.0", "::"):
        return socket.gethostbyname(socket.gethostname()) if host == "0.0.0.0" else "[::1]"
    return f"[{host}]" if ":" in host else host


def _listening(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens on the port that was named, on the usual one, or on any that is free."""
    if port is not None and not 0 <= port <= 65535:
        raise OptionError(f"`port` is {port}; it must lie between 0 and 65535.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for one in (PORT, 0) if port is None else (port,):
        made = socket.socket(family, socket.SOCK_STREAM)
        try:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind((host, one))
        except OSError as error:
            made.close()
            if port is not None or one == 0:
                raise InputError(
                    f"The page cannot listen on {shown(host)}, port {one}: {error.strerror or error}."
                ) from None
        else:
            made.set_inheritable(True)
            return made
    raise AssertionError("one of two ports is any that is free")
