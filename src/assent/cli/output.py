"""What commands print: one JSON object for programs, a document for people; options are named by their flags."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assent.documents import Document, Result

__all__ = ["print_json", "show", "with_flags"]

#: An option as the library names it in a sentence.
_OPTION = re.compile("`([a-z][a-z_]*)`")
#: Options whose flags are called otherwise.
_FLAGS = {
    "ambiguity": "--ambiguity/--one-true-label",
    "multilabel": "--multilabel/--single-label",
    "format": "--format",
}


def with_flags(sentence: str) -> str:
    """Name options as they are given on the command line.

    Examples
    --------
    >>> with_flags("`fail_under` is 2; see `assent measure`.")
    '--fail-under is 2; see `assent measure`.'
    """
    return _OPTION.sub(lambda found: _FLAGS.get(found[1], f"--{found[1].replace('_', '-')}"), sentence)


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
    from assent.documents import Document, terminal

    document = result if isinstance(result, Document) else result.document()
    terminal.show(document, rows=rows, unfold=unfold, say=with_flags)
