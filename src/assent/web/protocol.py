"""Connections whose requests must begin in time: a client that sends its head byte by byte is let go."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from assent.limits import WEB_HEAD_SECONDS

__all__ = ["BoundedProtocol"]


class BoundedProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, with a limit on how long the head of a request may take."""

    seconds = WEB_HEAD_SECONDS
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait."""
        super().connection_made(transport)
        self._late = self.loop.call_later(self.seconds, self._close)

    def data_received(self, data: bytes) -> None:
        """Wait no longer as soon as a head is there; wait again for the rest of the next one."""
        super().data_received(data)
        waiting = self.conn.their_state is h11.IDLE
        if not waiting and self._late is not None:
            self._late.cancel()
            self._late = None
        elif waiting and self._late is None:
            self._late = self.loop.call_later(self.seconds, self._close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        if self._late is not None:
            self._late.cancel()
        super().connection_lost(exc)

    def _close(self) -> None:
        self._late = None
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self.transport.close()
