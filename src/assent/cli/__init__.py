"""The command line: parse, call the public API, print."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    from assent.cli.app import run

    run()
