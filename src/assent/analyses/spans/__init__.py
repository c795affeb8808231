"""Where annotators differ who mark spans.

Modules
-------
differences  every span against every other annotator: identical, another label, other boundaries, both, or nobody else's
items        documents, the most disputed first
"""

from assent.analyses.spans.differences import ERRORS, Differences, differences
from assent.analyses.spans.items import SpanItem, SpanItems, span_items

__all__ = ["ERRORS", "Differences", "SpanItem", "SpanItems", "differences", "span_items"]
