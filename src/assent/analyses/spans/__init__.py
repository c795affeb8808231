"""Where annotators differ who mark spans.

Modules
-------
differences  every span against every other annotator: identical, another label, other boundaries, both, or nobody else's
items        documents, the most disputed first
annotators   how far each agrees with the others, and how they differ
labels       how far annotators agree on each, and which are given to the same place
"""

from assent.analyses.spans.annotators import SpanAnnotator, SpanAnnotators, span_annotators
from assent.analyses.spans.differences import ERRORS, Differences, differences
from assent.analyses.spans.items import SpanItem, SpanItems, span_items
from assent.analyses.spans.labels import ConfusedLabels, SpanLabel, SpanLabels, span_labels

__all__ = [
    "ERRORS",
    "ConfusedLabels",
    "Differences",
    "SpanAnnotator",
    "SpanAnnotators",
    "SpanItem",
    "SpanItems",
    "SpanLabel",
    "SpanLabels",
    "differences",
    "span_annotators",
    "span_items",
    "span_labels",
]
