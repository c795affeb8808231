"""How much is shown, and how much is computed: one table for each surface, one for computation.

Thresholds that belong to a method (what is called rare, skewed or weak) stand beside it, as do sizes of its blocks of work.
"""

from __future__ import annotations

from typing import NamedTuple


class Surface(NamedTuple):
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
#: Characters of a sentence, which is not cut as cells of tables are.
WHOLE = 100_000
#: Rows of a table that a document makes: no surface shows more.
LISTED = max(one.rows for one in (TERMINAL, HTML, MARKDOWN, LATEX))
#: Elements of a list or a mapping that the `repr` of a result shows.
REPR_ELEMENTS = 20
#: Coefficients that the help of an option names.
OWNERS_NAMED = 2

# Computation: what is missing, plans, sweeps and sets of labels.

#: Annotations per item up to which each number always has a row of its own.
PLANNED_ROWS = 6
#: Characters from the lowest to the highest end of an interval, on a terminal.
SWEPT_COLUMNS = 34
#: Cells that a plan holds at once: 64 MB.
PLANNED_AT_ONCE = 8_000_000
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
#: Items of each class of a sweep that a report names.
SWEPT_MEMBERS = 10
#: Annotators, those with the largest sets, whose sets a report lists.
SET_SIZES_LISTED = 60

# Computation: reading.

#: More questions than this are counted, not described.
QUESTIONS_DESCRIBED = 20
#: More questions than this are not listed in a sentence.
QUESTIONS_LISTED = 8
#: Ways to take the columns of a long table that are compared.
WAYS_COMPARED = 6
#: Columns of a table whose parts are found out without being said.
COLUMNS_RECOGNISED = 10_000
#: Columns of the first rows that a page has room for.
LOOK_COLUMNS_SHOWN = 8
#: Characters of the name of a column in options that are to be copied.
COPIED_NAME = 200
#: Columns that a command names one by one.
LOOK_COLUMNS_NAMED = 6
#: Commands for other readings.
LOOK_COMMANDS = 8
#: Rows, characters of a cell, columns, labels and examples of values that `look` shows.
LOOK_ROWS, LOOK_CELL, LOOK_COLUMNS, LOOK_LABELS, LOOK_EXAMPLES = 5, 60, 200, 50, 4

# Computation: items.

#: Tied labels of an item that are named one by one.
TIED_LISTED = 20
#: Numbers held at once while the labels of items are compared on a scale: 64 MB.
AT_ONCE = 8_000_000
#: Among more names of items than this, a near one is not looked for: that compares each of them.
MOST_NAMES = 10_000
#: Items that a document lists; each is put into words.
LISTED_ITEMS = 1_000
#: Items and labels that changed between two data sets.
CHANGES_LISTED, LABELS_COMPARED = 1_000, 50
#: Items that changed from run to run, in JSON; and judges that are compared two by two.
FLIPS_LISTED, JUDGES_PAIRED = 1_000, 10
#: Items that a report lists: those are in its JSON, with who gave which label.
DISPUTED_ITEMS = 200
#: Characters of an item's text in a report, which is to stay small.
LONGEST_TEXT = 600
#: An item with more annotations than this lists how often each label was given, not by whom: in the JSON, and in a table.
MOST_NAMED, MOST_NAMED_IN_TABLE = 30, 8

# Computation: labels.

#: More labels than this that are alike but for one letter are numbered or coded, not mistyped.
LABELS_ALIKE = 50
#: Steps on the way from merge to merge that are put into words, the last ones.
MERGES_SAID = 6
#: Labels, and annotators with their share of annotations that hold several, which a line names.
LABELS_NAMED = 8
#: Labels, the most frequent ones, that get a coefficient of their own; each is a measurement.
MEASURED_LABELS = 100
#: Labels whose matrices are part of the JSON; they grow with the square.
LABELS_IN_MATRIX = 100
#: Labels, the most frequent ones, in the matrix of a report, where it is drawn as well.
LABELS_IN_REPORT_MATRIX = 25
#: Labels of which a dense table of all pairs is made: 200 MB.
LABELS_IN_PAIRS = 5_000
#: Steps of a scale that a model of ratings takes; tables grow with the square.
RATED_STEPS = 25
#: Labels, or distinct sets of them, of which annotators are compared by how near they are; beyond that by equality.
LABELS_NEAR = 1_000
#: Of any other distance: so many are worked out between distinct labels; where there are more, so many random pairs.
DISTANCES_COMPUTED, DISTANCES_SAMPLED = 200_000, 9_999
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

#: Annotators on the terminal, unless it is said otherwise.
ANNOTATORS_SHOWN = 20
#: Pairs of annotators of an item that are listed at a time.
PAIRS_AT_ONCE = 20_000_000
#: Rows with the hash of an item and its annotator that another row has: so many are looked for in some 40 MB; where there are more, all rows are grouped.
REPEATED_HASHES = 2_000_000
#: Meetings (an annotation and a label of its item) that are kept for all who look at them: some 200 MB of numbers.
MEETINGS_KEPT = 2_000_000
#: Meetings that are looked at together: temporary numbers that stay near the processor.
MEETINGS_AT_ONCE = 100_000
#: Numbers held at once while annotators are left out: 32 MB.
LEFT_OUT_AT_ONCE = 4_000_000
#: Pairs of annotations that are looked at to find groups, of kinds of items drawn at random.
CLUSTERED_PAIRS = 20_000_000
#: Labels of an annotator, the most frequent ones, that are tried in each other's place.
EXCHANGED_LABELS = 200
#: Up to so many annotators a table of all pairs of them is made.
DENSE_ANNOTATORS = 2_000
#: More memory than this is not taken for confusion matrices and probabilities.
CONFUSION_BYTES = 2_000_000_000
#: Every two annotators get a coefficient, or are swept, in teams of up to so many: more pairs are no table that anyone reads.
ANNOTATORS_COMPARED = 64
PAIRS_COMPARED = ANNOTATORS_COMPARED * (ANNOTATORS_COMPARED - 1) // 2
#: Every two rankings of a list are compared if their pairs, by the square of the objects, are no more than this: 5,000 voters on ten alternatives.
NUMBERS_OF_PAIRS = 2_000_000_000
#: Objects or annotators of one list that are left out in turn; of more, so many groups are.
GROUPS_LEFT_OUT = 100
#: Objects of a list of which each is compared with each.
OBJECTS_PAIRED = 2_000
#: Objects and annotators in a chart of ranks.
RANKED_LINES = 20
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

#: Columns of a terminal beyond which a chart gains nothing.
PLOT_WIDTH = 120
#: Annotators who changed that sentences name; more are for the table.
CHANGES_SAID = 5
#: The moving agreement of an annotator has no more points than this.
MOVING_POINTS = 60
#: Lines that cannot be read are shown up to this many; all are counted.
BAD_LINES_SHOWN = 5
#: What happens to a followed file is listed up to this many times.
EVENTS_LISTED = 100
#: A trajectory has no more points than this, alerts and changes besides.
TRAJECTORY_POINTS = 500
#: A quoted cell may hold so many line ends; more than that, and its quote mark was never closed.
LINES_OF_A_CELL = 100
#: A line of a followed file that is longer (in bytes) is not read: memory must not grow with a line that never ends. Nor is a cell of any table.
LONGEST_LINE = 1 << 24
#: While annotation runs, alpha is left out where its table of label pairs by labels would have more cells: it is made anew each time.
MOST_PAIR_CELLS = 5_000_000

# Computation: memory, and what is brought here.

#: Addresses in bytes, most of them never used, that the engine which draws charts reserves twice 32 GB of; with fewer it ends the process.
ADDRESSES_DRAWN = 68 << 30
#: More cells than this (400 MB of integers), and counts are kept as a sparse matrix.
DENSE_PROFILE_CELLS = 50_000_000
#: More annotations than this are not brought here one by one from an engine such as DuckDB or Spark.
MOST_ANNOTATIONS = 20_000_000
#: More kinds of items than this are not brought here from an engine.
MOST_KINDS = 5_000_000
#: More kinds of items than this are not looked up by what they are made of.
MOST_LOOKED_UP = 1_000
#: Of more annotators than this hardly two items have the same: an engine looks for equal ones longer than it takes to list them.
MOST_COLLAPSED = 256
#: More totals than this, and their derivatives would take minutes.
MOST_TOTALS = 20_000
#: More shares (annotators times labels) than this would take more than half a gigabyte.
MOST_SHARES = 20_000_000
#: More questions than this are no questions: the column was something else.
MOST_QUESTIONS = 60
#: Questions of an export that are gone through one after another; of more than these one is to be named.
MOST_ASKED = 1_000
#: A matrix of weights is small; a larger file is something else.
LARGEST_WEIGHTS_FILE = 50_000_000

# Computation: what misleads.

#: With more labels than this alpha's interval is taken from its formula: the general way would take minutes.
LABELS_DIFFERENTIATED = 500
#: With more annotations than this, a crowd's annotators are not compared in pairs: it takes longer than all the rest.
ANNOTATIONS_PAIRED = 500_000
#: More disagreements than this, and a test of symmetry takes the chi-squared distribution, whatever the pairs of labels.
DISAGREEMENTS_DRAWN = 20_000
#: Coins that a test of symmetry tosses at once: 64 MB.
COINS_AT_ONCE = 8_000_000
#: At most so many pairs of annotators are compared: all pairs of ten.
PAIRS_TESTED = 45
#: Pairs are sought among so many annotators, those with the most annotations.
ANNOTATORS_TESTED = 200
#: Labels beyond so many, the most frequent ones, are taken as one in a comparison of two annotators.
LABELS_TESTED = 30
#: Clusters beyond so many are put together: clusters that lean together may do so in larger groups.
CLUSTERS_TESTED = 2_000
#: More labels than this in disagreements, and how they vary together is not worked out.
LABELS_CONFUSED = 500

# Computation: explanations.

#: Labels in a table of an explanation: one of more is not read, it is scrolled past.
EXPLAINED_LABELS = 8
#: Labels beyond which an explanation does not weigh each against each: that is no computation for a board.
EXPLAINED_WEIGHTS = 500
#: Spans that are not identical in an explanation of F1.
EXPLAINED_SPANS = 20
#: Pairs of annotators times pairs of objects that an explanation of rank correlations compares in fractions.
EXPLAINED_COMPARISONS = 1_000_000
#: Different numbers of annotations per item that an explanation tells apart.
EXPLAINED_SIZES = 4

# Computation: profiles that stand for those that were not seen.

#: More labels than this, and evenly spaced ones stand for all.
PSEUDO_LABELS = 128
#: More ordered pairs of labels than this, and pairs at a few distances stand for all: four of the most labels there are, enough for the mean squared
#: distance of two labels to be right to 4 %.
PSEUDO_PAIRS = 512
#: More groups of annotators than this, and evenly spaced ones stand for all.
PSEUDO_GROUPS = 64
#: More ways to split a group in two halves than this, and each annotator in turn begins a half.
PSEUDO_SPLITS = 20
#: More profiles than this in a half, and each label, split and group occurs, but not each with each.
PSEUDO_PROFILES = 512

# Computation: intervals.

#: How intervals are made, the default first; where it is not defined the jackknife stands in (`Estimate.confidence_interval`).
INTERVAL_METHODS = ("etel", "analytic", "jackknife", "bootstrap")

#: Annotators who are left out one after the other for a measure that must be measured anew each time.
ANNOTATORS_LEFT_OUT = 100

# Computation: reports.

#: Measures of more shares (annotators times labels) than this are left out if they are not the one to quote.
REPORT_SHARES = 5_000
#: Of more labels than this, in as many kinds of items, there is no interval (`assent.inference.derivatives`).
REPORT_LABELS = MOST_TOTALS - 100
#: Annotators that a report lists, busiest first.
BUSIEST_LISTED = 50
#: Labels that a report lists.
LABELS_LISTED = 40
#: Annotators, and blocks of items, in the table of who annotated what.
COVERED_ANNOTATORS = 60
COVERED_BLOCKS = 60
#: Groups that are measured, those with the most annotations.
GROUPS_MEASURED = 30
#: Up to so many groups every two are compared; of more, each with all others together alone.
GROUPS_PAIRED = 8

# Charts.

#: More annotators than this are in the table, not in the chart: those that changed come first, then those with the most items.
DRAWN_TRENDS = 12
#: Labels in a chart; more are in the table alone.
DRAWN_LABELS = 20
#: Annotators in a chart.
DRAWN_ANNOTATORS = 30
#: Columns of a chart of counts; the rest is one column.
DRAWN_COLUMNS = 12
#: Annotators, and blocks of items, in the chart of who annotated what.
DRAWN_COVERAGE = 40
#: Of more labels than this the zeros of a heat map are left blank: what meets can then be found.
DRAWN_WITH_ZEROS = 14
#: More differences than this are in the table alone.
DRAWN_DIFFERENCES = 20

# Computation: consensus.

#: Meetings of annotators that CrowdTruth looks at together: memory must not grow with all of them.
MEETINGS = 5_000_000

# Computation: rankings and preferences.

#: Items x annotators x annotators that are held at once while judges are compared.
ORDERS_HELD = 50_000_000

# Computation: spans.

#: Disputed documents that a report shows with what each annotator marked.
DOCUMENTS_MARKED = 10
#: Numbers held at once while tuples of units that lie near each other are put together.
MOST_TUPLES = 30_000_000
#: Ways to align some units that are followed at once; of more, a solver takes over.
PACKING_STATES = 20_000
#: How long that solver may search for the best one.
PACKING_SECONDS = 60
#: Units that are aligned at once; samples are dealt with in blocks of so many.
UNITS_AT_ONCE = 100_000
#: Beyond so many spans of two annotators gamma is measured only if it is asked for (about half a minute); each annotator more counts threefold.
SPANS_ALIGNED = 20_000

#: Ways "at least so many annotators marked it" that a consensus of spans is scored by.
SPAN_MAJORITIES = 5

# Lists and tables of comparisons, of judges and their runs, of rankings and of spans.

#: Items that are listed in a document.
FLIPS_SHOWN = 20
#: So many runs of a judge at most are compared two by two.
RUNS_COMPARED = 30
#: Judges that are drawn.
DRAWN_JUDGES = 6
#: Items and labels that are listed in a document.
CHANGES_SHOWN = 20
#: Labels of a confusion that is shown as a table.
LABELS_IN_JUDGE_TABLE = 12
#: Names of so many items at most are looked at for clusters.
NAMES_CLUSTERED = 50_000
#: Pairs of people whose kappas are worked out; of a larger crowd there is no mean over pairs.
PAIRS_OF_PEOPLE = 5000
#: Cells of items x annotators that are held at once.
PANEL_CELLS = 200_000_000
#: Up to so many labels pairs are counted in a table of labels x labels.
LABELS_IN_PAIR_TABLE = 200
#: More spans than this are not trimmed to see what that would change.
SPANS_TRIMMED = 200_000
#: So many pairs of sets of runs at most are looked at for one kind of item.
PAIRS_OF_RUNS = 200_000
#: So many voters are told apart at most.
MOST_VOTERS = 100_000
#: Wrong rows that a message lists.
BAD_SPANS_SHOWN = 8
#: Larger groups that hang together are solved without a table of all by all.
MATCHED_CELLS = 4_000_000
#: Pairs of parts that are looked at together.
PARTS_AT_ONCE = 10_000_000
#: Characters of a name or a message.
LONGEST_IN_XML = 2_000
#: Numbers held at once while pairs of rankings are compared.
RANKED_AT_ONCE = 4_000_000
#: About so many annotations are in a sample of a crowd's items.
SAMPLED_ANNOTATIONS = 4_000_000
#: Bytes of the metadata of a Parquet file that are checked before it is read.
PARQUET_FOOTER = 1_000_000
#: Values of a column of a Parquet file that may be packed as tightly as they like.
PARQUET_VALUES = 20_000_000
#: Bytes of all pages of a Parquet file that may be packed as tightly as they like.
PARQUET_BYTES = 2 << 30
#: Bytes of the texts in the first rows of a Parquet file, of which it is told what a table is.
SAMPLE_TEXTS = 1 << 30
#: Cells of a sheet, empty ones included, from its first corner to its last cell; all of them are held.
LARGEST_SHEET = 50_000_000
#: Bytes of the texts of all cells of a sheet.
SHEET_TEXTS = 2 << 30
#: A baseline is a result, not data.
LARGEST_BASELINE = 100_000_000
#: How many numbers a table of documents x pairs may have before it is kept sparse.
DENSE_PAIR_NUMBERS = 20_000_000
#: Characters before and behind a difference that are shown with it.
CHARACTERS_AROUND = 60
#: Spans of an annotator in a document that are listed by their offsets.
MARKS_LISTED = 20

# The local page.

#: Bytes of one file that a browser hands over, and of all files that are held at once; the longest unused ones make room.
WEB_UPLOAD, WEB_HELD = 256 << 20, 1 << 30
#: Files of a session, and sessions that are held at once.
WEB_FILES, WEB_SESSIONS = 200, 50
#: Results of a session that are kept: data sets, numbers, documents.
WEB_CACHED = 40
#: Computations at once, and those that wait for a place; more are refused with a sentence.
WEB_AT_ONCE, WEB_WAITING = 4, 32
#: Seconds that a number waits for its interval before it is shown without.
WEB_PATIENCE = 0.15
#: Intervals that are worked out at once, beside everything else.
WEB_INTERVALS_AT_ONCE = 2
#: Connections at once.
WEB_REQUESTS = 100
#: Seconds until the head of a request must be there, and without a byte of a file after which its request ends.
WEB_HEAD_SECONDS, WEB_UPLOAD_SECONDS = 10.0, 20.0
#: Labels or annotators that get a line each in a form; of more, the options are given as texts.
WEB_LABELS = 60
#: Names of annotators, labels or groups that a page is told of, for links.
WEB_NAMES = 1_000
#: Characters of an item's name or a label in a decision.
WEB_NAME = 10_000
