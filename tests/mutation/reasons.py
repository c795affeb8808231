"""Changes that make no difference, with the reason: the module, and the change in words."""

from __future__ import annotations

__all__ = ["REASONS"]

REASONS: dict[tuple[str, str], str] = {}
