"""Labels that only a distance can compare, one by one: which items they are far apart on, and who is far from the others.

Everything is in the terms of Krippendorff's alpha with the same distance. An item has the mean distance of its pairs of annotations, an
annotator the mean distance of their annotations to the others of the same items; agreement is one minus that over the expected distance,
which is the mean distance of any two annotations. The mean of either over annotations is alpha.
"""

from __future__ import annotations

from assent.analyses.by_distance.annotators import DistantAnnotators, distant_annotators
from assent.analyses.by_distance.items import DistantItems, distant_items

__all__ = ["DistantAnnotators", "DistantItems", "distant_annotators", "distant_items"]
