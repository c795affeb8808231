"""`assent serve`: the local page."""

from __future__ import annotations

import functools
import os
from typing import Annotated, Optional

import typer

from assent.cli.common import option

__all__ = ["serve_command"]

_how = functools.partial(option, panel="How it is served")


def serve_command(
    files: Annotated[
        Optional[list[str]],
        typer.Argument(
            metavar="[FILE…]",
            help="Data to begin with, read as one: a table, or the export of an annotation tool. Without any the page asks for some.",
            show_default=False,
        ),
    ] = None,
    decisions: Annotated[
        Optional[str],
        option(
            "Write decisions on disputed items to this CSV file, whole, after each; what it holds already is gone on with.",
            panel="What is kept",
            metavar="FILE",
        ),
    ] = None,
    port: Annotated[
        Optional[int], _how("Port; 8477 unless given, or another one if that is taken.", metavar="N")
    ] = None,
    host: Annotated[
        str,
        _how(
            "Address to listen on. With any other than this machine's own others can reach the page if they know its address.",
            metavar="ADDRESS",
            show_default=True,
        ),
    ] = "127.0.0.1",
    no_browser: Annotated[bool, _how("Print the address and open no browser.", "--no-browser")] = False,
) -> None:
    """Open a local page in the browser: drop a file, see how far annotators agree, try things out, decide on disputed items.

    Nothing is sent anywhere, and nothing is kept on disk unless --decisions
    names a file. The address holds a random token: without it a browser sees
    nothing.

      assent serve
      assent serve labels.csv
      assent serve labels.csv --decisions decided.csv
    """
    # Requests are worked out side by side already: threads of the linear algebra would wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from assent.web import serve

    serve(*(files or ()), host=host, port=port, decisions=decisions, browser=not no_browser)
