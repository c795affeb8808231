"""What commands print: one JSON object for programs, a document for people; options are named by their flags."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.documents import Document, Result

__all__ = ["print_json", "rendered", "show", "with_flags", "written"]

#: Options whose flags are called otherwise.
_FLAGS = {"ambiguity=False": "--one-true-label", "multilabel=False": "--single-label", "paired=False": "--unpaired"}


def with_flags(sentence: str) -> str:
    """Name options as they are given on the command line.

    Examples
    --------
    >>> with_flags("`fail_under` is 2; see `assent measure`.")
    '--fail-under is 2; see `assent measure`.'
    >>> with_flags("Say otherwise with `multilabel=False`.")
    'Say otherwise with --single-label.'
    """
    from assent.text import spans

    return "".join(_flag(one) if named else one for one, named in spans(sentence))


def _flag(name: str) -> str:
    if name.startswith("assent "):
        return f"`{name}`"
    return _FLAGS.get(name) or f"--{name.removesuffix('=True').replace('_', '-')}"


def print_json(content: object) -> None:
    """Print one JSON object, in UTF-8 whatever the terminal speaks."""
    import json

    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")
    print(json.dumps(content, ensure_ascii=False, allow_nan=False, indent=2))


def show(result: Result | Document, *, rows: int | None = None, unfold: bool = False) -> None:
    """Print what a person reads of a result.

    Parameters
    ----------
    result : Result or Document
    rows : int, optional
        Rows of a table, in place of the usual number.
    unfold : bool
        What is folded on a page is shown, too.
    """
    from assent.documents import Document, terminal, told

    document = result if isinstance(result, Document) else result.document()
    terminal.show(told(document, with_flags), rows=rows, unfold=unfold)


def written(result: Result, path: str | None) -> Callable[[], None] | None:
    """Write a result to a file, and return what then is to be shown of it: nothing; None if there is no file."""
    if path is None:
        return None
    from assent.atomic_files import write_whole
    from assent.documents.result import format_of
    from assent.text import shown

    write_whole(path, rendered(result, format_of(path)))
    print(f"Wrote {shown(path, 200)}.", file=sys.stderr)
    return lambda: None


def rendered(result: Result, format: str) -> str:
    """Return a result as html, markdown, latex, json or text, as a command writes it."""
    from assent import documents

    return (
        result.json() if format == "json" else documents.rendered(documents.told(result.document(), with_flags), format)
    )
