"""Which spans of two annotators meet, and which of them are taken for one another. Plain arrays in, plain arrays out.

Modules
-------
overlaps     spans of different annotators that share a character
one_to_one   matchings: the largest number of pairs, or the greatest total weight
alignment    every span is identical to another annotator's, differs in label, boundary or both, or is alone
"""

from assent.matching.alignment import CLASSES, Aligned, align
from assent.matching.one_to_one import heaviest, largest
from assent.matching.overlaps import Overlaps, distinct, overlaps, pairs_within

__all__ = ["CLASSES", "Aligned", "Overlaps", "align", "distinct", "heaviest", "largest", "overlaps", "pairs_within"]
