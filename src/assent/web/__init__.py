"""The local page: the public functions with forms in a browser, on this machine alone."""

from __future__ import annotations

from assent.web.server import serve

__all__ = ["serve"]
