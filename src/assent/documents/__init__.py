"""Documents: what a person reads of a result, as blocks, and four renderers: terminal, HTML, Markdown and LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assent.documents.result import Result, rendered

if TYPE_CHECKING:
    from assent.documents.blocks import Document
    from assent.documents.telling import told

__all__ = ["Document", "Result", "rendered", "told"]


def __getattr__(name: str) -> Any:
    """Import the blocks when a document is made: a result that is printed as JSON needs none."""
    if name == "Document":
        from assent.documents.blocks import Document

        return Document
    if name == "told":
        from assent.documents.telling import told

        return told
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
