"""Pages of the documentation that hold measured figures between two markers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

__all__ = ["DOCS", "insert", "table"]

DOCS = Path(__file__).resolve().parent.parent / "docs"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, text_columns: int = 1) -> str:
    """Write a Markdown table; columns after the first `text_columns` are set to the right."""
    rule = [":--" if i < text_columns else "--:" for i in range(len(head))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *rows])


def insert(page: Path, name: str, content: str) -> None:
    """Put `content` between the markers called `name`; what stands around them stays as it is."""
    first, last = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    text = page.read_text(encoding="utf-8") if page.exists() else f"{first}\n{last}\n"
    if text.count(first) != 1 or text.count(last) != 1:
        raise SystemExit(f"{page} must hold the lines {first} and {last} once each.")
    before, rest = text.split(first)
    after = rest.split(last)[1]
    page.write_text(f"{before}{first}\n{content}\n{last}{after}", encoding="utf-8")
