"""How much is shown, and how much is computed: one table for each surface, one for computation."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "ANNOTATORS_CLUSTERED",
    "ANNOTATORS_LISTED",
    "ANNOTATORS_MAPPED",
    "ANNOTATORS_PAIRED",
    "AT_ONCE",
    "CONFUSION_BYTES",
    "CONSENSUS_LISTED",
    "CROWD",
    "DENSE_CELLS",
    "DISPUTED_ITEMS",
    "HTML",
    "LABELS_IN_MATRIX",
    "LABELS_IN_PAIRS",
    "LABELS_IN_PATH",
    "LABELS_IN_REPORT_MATRIX",
    "LABELS_OF_AN_ANNOTATOR",
    "LABELS_OF_ONE_IN_A_CROWD",
    "LABELS_WITH_INTERVAL",
    "LATEX",
    "LISTED_ITEMS",
    "LONGEST_LINE",
    "LONGEST_TEXT",
    "MARKDOWN",
    "MEASURED_LABELS",
    "MEETINGS",
    "MERGES_MEASURED",
    "MERGES_WITH_INTERVAL",
    "MOST_NAMED",
    "MOST_NAMED_IN_TABLE",
    "MOST_NAMES",
    "MOST_PAIR_CELLS",
    "PAIRS_IN_REPORT",
    "PERMUTED",
    "PLANNED_LABELS",
    "PLANNED_PER_ITEM",
    "SCORED_IN_REPORT",
    "SCORES_WITH_INTERVAL",
    "SET_SIZES_LISTED",
    "SWEPT_ANNOTATORS",
    "SWEPT_DOTS",
    "SWEPT_MEMBERS",
    "SWEPT_POINTS",
    "TERMINAL",
    "TIED_LABELS",
    "Surface",
]


@dataclass(frozen=True, kw_only=True)
class Surface:
    """How much of a document is shown on a surface; what is cut is said, and the JSON has all of it.

    Parameters
    ----------
    rows : int
        Of a table.
    cell : int
        Characters of a cell.
    columns : int
        Of a table of names crossed with names.
    parts : int
        Names in one cell.
    cards : int
        Findings or flags, one below the other.
    """

    rows: int
    cell: int
    columns: int
    parts: int
    cards: int


TERMINAL = Surface(rows=20, cell=32, columns=12, parts=4, cards=10)
HTML = Surface(rows=200, cell=1000, columns=60, parts=12, cards=10)
MARKDOWN = Surface(rows=25, cell=120, columns=30, parts=8, cards=10)
LATEX = Surface(rows=25, cell=60, columns=12, parts=6, cards=10)

# Computation: what is missing, plans, sweeps and sets of labels.

#: Items or annotators whose numbers are permuted; of more, the permutation distribution is as good as normal.
PERMUTED = 5_000
#: Labels of which a plan knows how every two agree: tables of pairs x pairs.
PLANNED_LABELS = 150
#: Annotations per item among which a plan looks for the best number.
PLANNED_PER_ITEM = 50
#: Weights of the primary label in a sweep: more are no finer curve, only more work.
SWEPT_POINTS = 501
#: Different pairs of values in the chart of a sweep, the most frequent ones: more would make one blot.
SWEPT_DOTS = 2_000
#: Annotators whose sets a report sweeps: every two of them are compared.
SWEPT_ANNOTATORS = 64
#: Items of each class of a sweep that a report names.
SWEPT_MEMBERS = 10
#: Annotators, those with the largest sets, whose sets a report lists.
SET_SIZES_LISTED = 60

# Computation: items.

#: Numbers held at once while the labels of items are compared on a scale: 64 MB.
AT_ONCE = 8_000_000
#: Among more names of items than this, a near one is not looked for: that compares each of them.
MOST_NAMES = 10_000
#: Items that a document lists; each is put into words.
LISTED_ITEMS = 1_000
#: Items that a report lists: those are in its JSON, with who gave which label.
DISPUTED_ITEMS = 200
#: Characters of an item's text in a report, which is to stay small.
LONGEST_TEXT = 600
#: An item with more annotations than this lists how often each label was given, not by whom: in the JSON, and in a table.
MOST_NAMED, MOST_NAMED_IN_TABLE = 30, 8

# Computation: labels.

#: Labels, the most frequent ones, that get a coefficient of their own; each is a measurement.
MEASURED_LABELS = 100
#: Labels whose matrices are part of the JSON; they grow with the square.
LABELS_IN_MATRIX = 100
#: Labels, the most frequent ones, in the matrix of a report, where it is drawn as well.
LABELS_IN_REPORT_MATRIX = 25
#: Labels of which a dense table of all pairs is made: 200 MB.
LABELS_IN_PAIRS = 5_000
#: Disputed pairs of labels and merges in a report.
PAIRS_IN_REPORT = 10
#: Merges, the best, with an interval of their gain.
MERGES_WITH_INTERVAL = 5
#: Where a merge has no closed form, so many pairs of labels are tried, those with the most disagreement.
MERGES_MEASURED = 100
#: Labels beyond which a statistic of all their totals has no analytic interval: it takes a derivative in each.
LABELS_WITH_INTERVAL = 500
#: Labels beyond which merges are not followed step by step: that takes their third power.
LABELS_IN_PATH = 100

# Computation: the human ceiling.

#: Annotators, those with the most items, whose score gets an interval.
SCORES_WITH_INTERVAL = 100
#: In larger teams a report does not score annotators one by one.
SCORED_IN_REPORT = 50
#: Cells of a table that is kept dense, which is faster: 8 MB.
DENSE_CELLS = 1_000_000

# Computation: annotators.

#: Every two annotators are compared in teams of up to so many: it takes annotators x annotators x labels.
ANNOTATORS_PAIRED = 50
#: So many are in the map of every two of them, those with the most items: more cannot be read.
ANNOTATORS_MAPPED = 40
#: Groups who read alike are sought among so many, those with the most items: it takes annotators x annotators.
ANNOTATORS_CLUSTERED = 200
#: So many are in a document and in a report, the worst first; the JSON of the analysis has all.
ANNOTATORS_LISTED = 200
#: More annotators than this are a crowd: their JSON is one a line, and few labels of each are listed.
CROWD = 1_000
#: Labels of an annotator that are listed, those whose use differs most: with all of them the JSON would be labels x annotators.
LABELS_OF_AN_ANNOTATOR, LABELS_OF_ONE_IN_A_CROWD = 10, 3

# Computation: while annotation runs.

#: A line of a followed file that is longer (in bytes) is not read: memory must not grow with a line that never ends.
LONGEST_LINE = 1 << 24
#: While annotation runs, alpha is left out where its table of label pairs by labels would have more cells: it is made anew each time.
MOST_PAIR_CELLS = 5_000_000

# Computation: consensus.

#: More memory than this is not taken for confusion matrices and probabilities of Dawid and Skene's model.
CONFUSION_BYTES = 2_000_000_000
#: Meetings of annotators that CrowdTruth looks at together: memory must not grow with all of them.
MEETINGS = 5_000_000
#: Labels of a tied item that are named one by one: with all of them a file could be items x labels.
TIED_LABELS = 20
#: So many items and annotators are in a document, the least certain first; the JSON has all.
CONSENSUS_LISTED = 200
