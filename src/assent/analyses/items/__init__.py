"""Agreement item by item."""

from __future__ import annotations

from assent.analyses.items.agreement import items
from assent.analyses.items.table import ItemAgreement, ItemRow

__all__ = ["ItemAgreement", "ItemRow", "items"]
