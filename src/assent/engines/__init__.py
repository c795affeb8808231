"""The only package that talks to a dataframe engine.

Long rows (item, annotator, label) stay where they live: in pandas, polars, pyarrow, DuckDB, Spark or Ibis. Unless somebody asks
for annotations one by one, only aggregates come out: which labels and annotators there are, and the distinct profiles of items
with their multiplicities. Of rows that are few and in this process the cells are counted here, which is sooner done than asked.
The aggregates are integers and are put in a fixed order, so that the same rows give the same profiles, bit for bit, on every
engine.

::

    rows               Rows, which asks all of these
    wide               tables with one column an annotator, whose equal rows are counted first
    columns            which columns are taken, and expressions over them
    texts              values of an engine as text
    survey             which labels and annotators there are, and what is missing
    pairs              annotators who labelled an item more than once
    sets               several rows of an annotator for an item, gathered into one annotation
    few                a few rows in this process, counted one by one
    profiling          from rows to profiles; how a row of small numbers is spelled as one integer
    hashes             numbers for values by the engine's own hash function
    distinct_profiles  items that look alike, counted together by the engine
    sorting            rows of this process put in order by integers, in place of grouping
    row_profiles       who gave which label, of so many annotators that hardly two items are alike
    items              agreement item by item, worked out and written by the engine itself
    groups             rows apart by what a column beside them says
    listing            every annotation one by one
    collect            the one place where anything leaves an engine, and how it is watched

How items become profiles. Each row carries an integer that says which label it holds (and, for ratings, whose it is) as
a digit in a positional number; the sum over an item's rows spells its profile. Grouping by item, then by that sum,
needs nothing but sums and counts, which every engine can do. With so many labels or annotators that the digits
would not fit, the sum is a fingerprint instead, and one item of each fingerprint is looked up to read its profile.
"""

from __future__ import annotations

from assent.engines.collect import Transfer, track_transfers
from assent.engines.rows import Rows
from assent.engines.survey import Survey
from assent.engines.texts import text_of
from assent.engines.wide import Coded, WideTable, coded, rows_of

__all__ = ["Coded", "Rows", "Survey", "Transfer", "WideTable", "coded", "rows_of", "text_of", "track_transfers"]
