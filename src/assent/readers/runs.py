"""Tables in which an annotator has an item several times: each run becomes an annotator of its own, and it is kept whose run it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import polars as pl
from msgspec.structs import replace

from assent.data.judge_names import ONE_JUDGE, names_runs
from assent.errors import OptionError, UnknownColumn, UnknownLayout, did_you_mean
from assent.readers.detected import Detected
from assent.readers.overrides import Overrides
from assent.readers.tables import Table, as_text, column
from assent.records import Struct
from assent.text import shown

__all__ = ["BETWEEN", "JUDGE", "RunsWanted", "with_runs"]

#: Column that is kept beside the annotations, which no table has: whose run it is.
JUDGE = "\x00judge"
_BOTH = "\x00judge and run"
#: The same: which of several files it is. Where it takes the place of annotators, the user is told so by this name.
FILE = "run, by file"
#: What stands between the name of a judge and that of a run.
BETWEEN = " / "


class RunsWanted(Struct, frozen=True, kw_only=True):
    """What was said about runs.

    Parameters
    ----------
    column : str, optional
        Column that tells the runs apart; without it the rows of an annotator for an item are runs in the order of the table.
    """

    #: Columns that no user knows of.
    HIDDEN: ClassVar[tuple[str, ...]] = (FILE,)

    column: str | None = None

    def numbered(self, tables: Sequence[Table]) -> list[Table]:
        """Return several tables with a column that says which of them a row is from; a single one as it is."""
        if len(tables) < 2:
            return list(tables)
        return [
            replace(one, frame=one.frame.with_columns(pl.lit(str(place)).alias(FILE)))
            for place, one in enumerate(tables, start=1)
        ]

    def check(self, columns: Sequence[str]) -> None:
        """Refuse a column that is not there."""
        if self.column is not None and self.column not in columns:
            raise UnknownColumn(
                f"`run` names the column {shown(self.column)}, which the table does not have; {did_you_mean(self.column, columns)}"
            )

    def without_annotator(
        self, said: Overrides, columns: Sequence[str], error: UnknownLayout
    ) -> tuple[Overrides, RunsWanted]:
        """Return the roles of a table of one judge, in which the runs take the place of annotators: those of a column, or one a file."""
        run = self.column or next((name for name in columns if names_runs(name) or name == FILE), None)
        if run is None or said.annotator is not None:
            raise error
        return replace(said, annotator=run), replace(self, column=run)


def with_runs(table: Table, found: Detected, wanted: RunsWanted) -> tuple[Table, Detected, tuple[str, ...]]:
    """Return a table in which a judge and a run together are the annotator, and the columns to keep beside the labels."""
    if found.layout != "long" or found.item is None or found.annotator is None:
        if wanted.column is not None:
            raise OptionError(
                f"`run` names a column of a table with one row for each annotation, and this one is {found.layout}: leave `run` out, and "
                "let the names of the columns say which run each is, as run1 and run2 do."
            )
        return table, found, ()
    kinds = table.frame.collect_schema()
    one_judge = found.annotator == wanted.column or (wanted.column is None and names_runs(found.annotator))
    run = found.annotator if one_judge else wanted.column
    judge = pl.lit(ONE_JUDGE) if one_judge else as_text(found.annotator, kinds[found.annotator])
    which = (
        (pl.int_range(pl.len()).over([column(found.item), column(found.annotator)]) + 1).cast(pl.String)
        if run is None
        else as_text(run, kinds[run])
    )
    frame = table.frame.with_columns(judge.alias(JUDGE))
    frame = frame.with_columns(pl.concat_str([pl.col(JUDGE), which], separator=BETWEEN).alias(_BOTH))
    return replace(table, frame=frame), replace(found, annotator=_BOTH), (JUDGE,)
