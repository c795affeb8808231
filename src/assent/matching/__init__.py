"""Which spans of two annotators meet, and which of them are taken for one another. Plain arrays in, plain arrays out.

Modules
-------
overlapping  spans of different annotators that share a character
one_to_one   matchings: the largest number of pairs, or the greatest total weight
alignment    every span is identical to another annotator's, differs in label, boundary or both, or is alone
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assent.matching.alignment import CLASSES, Aligned, align
    from assent.matching.one_to_one import heaviest, largest
    from assent.matching.overlapping import Overlaps, distinct, overlaps, pairs_within

__all__ = ["CLASSES", "Aligned", "Overlaps", "align", "distinct", "heaviest", "largest", "overlaps", "pairs_within"]

#: Where each name lives. Coefficients of spans are known to every measurement, which mostly needs none of this.
_HOMES = {
    **dict.fromkeys(("CLASSES", "Aligned", "align"), "alignment"),
    **dict.fromkeys(("heaviest", "largest"), "one_to_one"),
    **dict.fromkeys(("Overlaps", "distinct", "overlaps", "pairs_within"), "overlapping"),
}


def __getattr__(name: str) -> Any:
    """Import a name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
