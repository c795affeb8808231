"""What stands before every request: who asks, from which page, how much and how slowly."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
import secrets
from collections.abc import Callable
from typing import Any

from assent.limits import WEB_UPLOAD, WEB_UPLOAD_SECONDS
from assent.text import amount

__all__ = ["HEADERS", "Guard"]

#: Of every answer. Nothing is loaded from elsewhere, nothing runs that is not a file of the package, no page frames this one.
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}

#: A name or an address, and a port.
_HOST = re.compile(r"([\w.-]+|\[[0-9a-fA-F:.]+\])(?::[0-9]{1,5})?", re.ASCII)


class Guard:
    """An application behind its guard.

    Parameters
    ----------
    app : ASGI application
        It sees the path without the token.
    token : str
        The first part of every path.
    host : str
        Address that the server listens on, or a name by which it is reached.
    most, seconds : int, float
        Bytes of a request, and how long each part of it may take.
    """

    def __init__(
        self,
        app: Any,
        token: str,
        host: str = "127.0.0.1",
        *,
        most: int = WEB_UPLOAD,
        seconds: float = WEB_UPLOAD_SECONDS,
    ) -> None:
        self._app, self._token, self._host = app, token, host.casefold()
        self._most, self._seconds = most, seconds

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, or refuse it with a sentence."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._refused(scope, headers)
        if refused is not None:
            await _answer(send, *refused, page="text/html" in headers.get("accept", ""))
            return
        prefix = f"/{self._token}"
        inner = {**scope, "path": scope["path"][len(prefix) :] or "/", "root_path": prefix}
        inner.pop("raw_path", None)
        await self._app(inner, self._bounded(receive), _with_headers(send))

    def _refused(self, scope: Any, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        once = sum(name.lower() in (b"host", b"origin") for name, _ in scope["headers"]) == 1 + ("origin" in headers)
        if not once or not self._known(host):
            return 421, "This page is reached by the address that assent serve printed, and by no other."
        origin = headers.get("origin")
        if origin is not None and origin != f"{scope['scheme']}://{host}":
            return 403, "Another page may not ask this one."
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return 403, "Another page may not ask this one."
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "This page takes GET and POST."
        if scope["method"] == "POST" and origin is None and headers.get("sec-fetch-site") != "same-origin":
            return 403, "What is sent here must say that it comes from this page."
        token = scope["path"].partition("/")[2].partition("/")[0]
        if not secrets.compare_digest(token.encode("utf-8", "replace"), self._token.encode()):
            return 404, "There is no such page: open the whole address that assent serve printed."
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 18 or int(length) > self._most:
            return 413, self._too_large
        return None

    def _known(self, host: str) -> bool:
        """Tell whether a name is one of this machine: a page elsewhere whose name leads here is refused."""
        said = _HOST.fullmatch(host)
        if said is None:
            return False
        name = said[1].casefold().strip("[]")
        if name in ("localhost", "127.0.0.1", "::1", self._host):
            return True
        if self._host not in ("0.0.0.0", "::"):
            return False
        try:
            # Where the server listens on every address it is reached by any of them, but by no name that somebody else gave it.
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    @property
    def _too_large(self) -> str:
        return f"The file is larger than {amount(self._most >> 20)} MB: use assent serve FILE, which reads it from the disk."

    def _bounded(self, receive: Any) -> Callable[[], Any]:
        """Return the parts of a request, as long as they come in time and are not too many."""
        seen = 0

        async def bounded() -> Any:
            nonlocal seen
            try:
                message = await asyncio.wait_for(receive(), None if seen < 0 else self._seconds)
            except TimeoutError:
                return {"type": "http.disconnect"}
            seen += len(message.get("body", b""))
            if seen > self._most:
                return {"type": "http.disconnect"}
            if not message.get("more_body", False):
                seen = -(1 << 62)
            return message

        return bounded


def _with_headers(send: Any) -> Callable[[Any], Any]:
    async def with_headers(message: Any) -> None:
        if message["type"] == "http.response.start":
            own = {name.lower() for name, _ in message.get("headers", ())}
            more = [(name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in own]
            message = {**message, "headers": [*message.get("headers", ()), *more]}
        await send(message)

    return with_headers


async def _answer(send: Any, status: int, sentence: str, *, page: bool) -> None:
    """Answer with a sentence: plain to whoever opened an address, as JSON to scripts."""
    body = (sentence if page else json.dumps({"error": sentence})).encode()
    head = [
        (b"content-type", b"text/plain; charset=utf-8" if page else b"application/json"),
        (b"content-length", str(len(body)).encode()),
    ]
    await _with_headers(send)(
        {"type": "http.response.start", "status": status, "headers": [*head, (b"connection", b"close")]}
    )
    await send({"type": "http.response.body", "body": body})
