"""Documents: what a person reads of a result, as blocks, and four renderers: terminal, HTML, Markdown and LaTeX."""

from __future__ import annotations

from assent.documents.blocks import Document
from assent.documents.result import Result, rendered
from assent.documents.telling import told

__all__ = ["Document", "Result", "rendered", "told"]
