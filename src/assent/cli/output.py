"""What commands print: one JSON object for programs, a document for people; options are named by their flags."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from assent.documents import Document, Result

__all__ = [
    "print_json",
    "print_result",
    "print_text",
    "rendered",
    "show",
    "use_utf8",
    "with_flags",
    "write_rows",
    "written",
]

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


def use_utf8() -> None:
    """Print in UTF-8 from here on, whatever the terminal speaks."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")


def print_text(text: str) -> None:
    """Print a text as it is, in UTF-8."""
    use_utf8()
    print(text, end="")


def print_json(content: object) -> None:
    """Print one JSON object, in UTF-8."""
    import json

    print_text(f"{json.dumps(content, ensure_ascii=False, allow_nan=False, indent=2)}\n")


def print_result(result: Result, *, json: bool, rows: int | None = None) -> None:
    """Print a result as one JSON object, or what a person reads of it."""
    if json:
        print_json(result.to_dict())
    else:
        show(result, rows=rows)


def write_rows(path: str, columns: Mapping[str, Sequence[Any]], rows: str, *, for_spreadsheet: bool) -> None:
    """Write a table to a file, and say how many rows of what it has."""
    from assent.atomic_files import write_table
    from assent.cli.progress import stage
    from assent.text import shown

    with stage(f"Writing {path}"):
        write_table(path, columns, for_spreadsheet=for_spreadsheet)
    print(f"Wrote {rows} to {shown(path, 200)}.", file=sys.stderr)


def show(result: Result | Document, *, rows: int | None = None, unfold: bool = False) -> None:
    """Print what a person reads of a result.

    Parameters
    ----------
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
    """Return a result as html, markdown, latex, json or text, as a command writes it; of an example it says the source."""
    from msgspec.structs import replace

    from assent import documents
    from assent.cli.common import LAST_WORDS
    from assent.documents import blocks

    if format == "json":
        return result.json()
    document = result.document()
    document = replace(document, blocks=[*document.blocks, *blocks.notes(LAST_WORDS)])
    return documents.rendered(documents.told(document, with_flags), format)
