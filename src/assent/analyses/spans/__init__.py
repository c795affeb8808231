"""Where annotators differ who mark spans.

Modules
-------
differences  every span against every other annotator: identical, another label, other boundaries, both, or nobody else's
boundaries   where aligned spans begin and end, and what trimming would change
marking      documents as annotators marked them
items        documents, the most disputed first
annotators   how far each agrees with the others, and how they differ
labels       how far annotators agree on each, and which are given to the same place
consensus    one set of spans for every document
known        spans against known ones
judge        a model's spans among people's
judge_tests  how near it is to them, and a judge that marks nothing
"""

from assent.analyses.spans.annotators import SpanAnnotator, SpanAnnotators, span_annotators
from assent.analyses.spans.boundaries import Boundaries, boundaries
from assent.analyses.spans.consensus import ConsensusSpan, SpanConsensus, span_consensus
from assent.analyses.spans.differences import ERRORS, Differences, differences
from assent.analyses.spans.items import SpanItem, SpanItems, span_items
from assent.analyses.spans.judge import span_judge
from assent.analyses.spans.judge_result import SpanJudge, SpanJudges
from assent.analyses.spans.known import SpanScore
from assent.analyses.spans.labels import ConfusedLabels, SpanLabel, SpanLabels, span_labels
from assent.analyses.spans.marking import marked_documents

__all__ = [
    "ERRORS",
    "Boundaries",
    "ConfusedLabels",
    "ConsensusSpan",
    "Differences",
    "SpanAnnotator",
    "SpanAnnotators",
    "SpanConsensus",
    "SpanItem",
    "SpanItems",
    "SpanJudge",
    "SpanJudges",
    "SpanLabel",
    "SpanLabels",
    "SpanScore",
    "boundaries",
    "differences",
    "marked_documents",
    "span_annotators",
    "span_consensus",
    "span_items",
    "span_judge",
    "span_labels",
]
