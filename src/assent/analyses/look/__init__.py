"""How files would be read, and which options change that."""

from __future__ import annotations

from assent.analyses.look.result import Alternative, ColumnSeen, Look, QuestionSeen
from assent.analyses.look.search import look

__all__ = ["Alternative", "ColumnSeen", "Look", "QuestionSeen", "look"]
