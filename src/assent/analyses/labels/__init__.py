"""Labels one by one.

::

    summary     how often each label is used and agreed on
    confusions  which labels are given in place of which
    merges      what agreement would be if labels were merged
    spellings   labels that differ by spelling alone
    document    all of it as blocks
"""

from __future__ import annotations

from assent.analyses.labels.confusions import Coincidences, coincidences
from assent.analyses.labels.summary import LabelRow, LabelSummary, labels

__all__ = ["Coincidences", "LabelRow", "LabelSummary", "coincidences", "labels"]
