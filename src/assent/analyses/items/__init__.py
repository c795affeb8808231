"""Agreement item by item."""

from __future__ import annotations

from assent.analyses.items.agreement import item_agreement
from assent.analyses.items.table import ItemAgreement

__all__ = ["ItemAgreement", "item_agreement"]
