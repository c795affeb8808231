"""The only package that talks to a dataframe engine.

Long rows (item, annotator, label) stay where they live: in pandas, polars, pyarrow, DuckDB, Spark or Ibis. Only
aggregates come out: which labels and annotators there are, and the distinct profiles of items with their
multiplicities. The aggregates are integers and are put in a fixed order, so that the same rows give the
same profiles, bit for bit, on every engine.

::

    columns   which columns are taken, and expressions over them
    survey    which labels and annotators there are, what is missing, who labelled an item twice
    digits    how a row of small numbers is spelled as one integer
    kinds     items that look alike, counted together
    hashes    numbers for values by the engine's own hash function
    profiling from rows to profiles
    pairs     annotators who labelled an item more than once
    sets      several rows of an annotator for an item, gathered into one annotation
    items     agreement item by item, written by the engine itself
    rows      Rows, which asks all of these
    sorting   rows of this process put in order by integers, in place of grouping
    wide      tables with one column an annotator, whose equal rows are counted first
    door      the one place where anything leaves an engine, and whoever watches it
    texts     values of an engine as text

How items become profiles. Each row carries an integer that says which label it holds (and, for ratings, whose it is) as
a digit in a positional number; the sum over an item's rows spells its profile. Grouping by item, then by that sum,
needs nothing but sums and counts, which every engine can do. With so many labels or annotators that the digits
would not fit, the sum is a fingerprint instead, and one item of each kind is looked up to read its profile.
"""

from __future__ import annotations

from assent.engines.door import Passage, watching
from assent.engines.rows import Rows
from assent.engines.survey import Survey
from assent.engines.texts import text_of
from assent.engines.wide import WideTable, rows_of

__all__ = ["Passage", "Rows", "Survey", "WideTable", "rows_of", "text_of", "watching"]
