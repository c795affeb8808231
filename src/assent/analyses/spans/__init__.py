"""Where annotators differ who mark spans.

Modules
-------
differences  every span against every other annotator: identical, another label, other boundaries, both, or nobody else's
boundaries   where aligned spans begin and end, and what trimming would change
marking      documents as annotators marked them
items        documents, the most disputed first
annotators   how far each agrees with the others, and how they differ
labels       how far annotators agree on each, and which are given to the same place
"""

from assent.analyses.spans.annotators import SpanAnnotator, SpanAnnotators, span_annotators
from assent.analyses.spans.boundaries import Boundaries, boundaries
from assent.analyses.spans.differences import ERRORS, Differences, differences
from assent.analyses.spans.items import SpanItem, SpanItems, span_items
from assent.analyses.spans.labels import ConfusedLabels, SpanLabel, SpanLabels, span_labels
from assent.analyses.spans.marking import marked_documents

__all__ = [
    "ERRORS",
    "Boundaries",
    "ConfusedLabels",
    "Differences",
    "SpanAnnotator",
    "SpanAnnotators",
    "SpanItem",
    "SpanItems",
    "SpanLabel",
    "SpanLabels",
    "boundaries",
    "differences",
    "marked_documents",
    "span_annotators",
    "span_items",
    "span_labels",
]
