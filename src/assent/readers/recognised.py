"""Tables whose layout and columns were recognised, of which nothing has been counted yet."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import polars as pl
from msgspec.structs import replace

from assent.data import Annotations, Dataset
from assent.data.cleaning import cleaned
from assent.data.coerce import with_category_order
from assent.data.messages import Dropped
from assent.data.reading_notes import ReadingNote, reading_of
from assent.engines.few import FEW
from assent.errors import (
    DuplicateAnnotations,
    EmptyTable,
    OptionError,
    UnknownLayout,
    choose,
)
from assent.label_sets import Parse
from assent.readers import detect_by_names
from assent.readers.detected import Detected, as_options, csv_list
from assent.readers.layouts import recognise
from assent.readers.objects import flat_table
from assent.readers.opening import open_tables
from assent.readers.overrides import LAYOUTS, Overrides
from assent.readers.reshape import label_of_each, to_annotations
from assent.readers.sets import SetOptions, apart, cell_parser, indicators, with_lists_as_text
from assent.readers.sources import Origin
from assent.readers.span_columns import holds_spans, span_columns
from assent.readers.tables import (
    ANNOTATOR,
    SAMPLE,
    Table,
    as_text,
    by_file_name,
    column,
    columns_shown,
    further,
    joined,
    readable,
    with_joint_columns,
)
from assent.records import Struct
from assent.text import shown

if TYPE_CHECKING:
    pass
from assent.readers.reading import MISSING, Reading

__all__ = ["RecognisedTable", "recognised_table", "sample_of"]

#: Characters that are blank to polars.
_BLANK = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"


class RecognisedTable(Struct, frozen=True, kw_only=True):
    """A table whose layout and columns are known; nothing has been counted yet.

    Parameters
    ----------
    sample : DataFrame, optional
        The first rows as text.
    detected : Detected, optional
        The layout and what the columns are; None for a table of another kind of data.
    make : callable
        Returns the annotations.
    """

    table: Table
    reading: Reading
    sample: pl.DataFrame | None = None
    detected: Detected | None = None
    make: Callable[[], Dataset]

    @property
    def label(self) -> str:
        """What the one question of the table is called: its label column, if it has one."""
        return "label" if self.detected is None or self.detected.label is None else self.detected.label

    def annotations(self) -> Dataset:
        """Return the annotations, or data of another kind."""
        try:
            with readable(self.table):
                return self._without_decisions(self.make())
        except (EmptyTable, DuplicateAnnotations) as error:
            # Whoever sees that a table cannot be used must know what it was taken for.
            told = "" if self.detected is None else reading_of(self.detected.notes)
            raise type(error)(f"{str(error).removesuffix('.')}{told}.", candidates=error.candidates) from None

    def _without_decisions(self, data: Dataset) -> Dataset:
        """Leave out who is called "gold" or "final" among several annotators, unless it was said who the annotators are."""
        found = self.detected
        if found is None or found.annotator is None or "annotators" in self.reading.only:
            return data
        names = list(data.annotators or ())
        left_out = self.reading.without.get("annotators", ())
        others = [name for name in names if name not in left_out]
        decisions = [name for name in others if detect_by_names.is_a_decision(name)]
        if not decisions or len(others) - len(decisions) < 2:
            return data
        left: Any = cleaned(data, rename={}, merge={}, ignore_case=False, only={}, without={"annotators": decisions})
        note = (
            f"By its name {columns_shown(decisions)} is what was decided in the end, not an annotator "
            f"(take it for one with {as_options({'only': f'annotators={csv_list(names)}'})})."
        )
        gold = Dropped(f"gold (annotator {columns_shown(decisions)})", data.n_annotations - left.n_annotations)
        kept: Any = replace(left, notes=(*left.notes, note), dropped=(*left.dropped[:-1], gold))
        if isinstance(data, Annotations) and len(decisions) == 1 and data.local:
            kept = replace(kept, _known=partial(_given, data, decisions))
        made: Dataset = kept
        return made


def _given(data: Annotations, annotators: Sequence[str]) -> dict[str, str]:
    """Return which label somebody gave to each item, by its name."""
    return label_of_each(data.only_annotators(annotators))


def recognised_table(
    sources: Sequence[Origin | Table], reading: Reading, *, elsewhere: Any = None, held: Any = None
) -> RecognisedTable:
    """Open tables, and recognise their layout and their columns.

    Parameters
    ----------
    elsewhere : DataFrame, optional
        All rows as another engine holds them, if the table is only a sample of these.
    held : DataFrame, mapping or sequence, optional
        What a program holds, if the table was made from that.
    """
    layout, columns = reading.layout, reading.columns
    roles = reading.roles
    if layout is None and roles:
        from assent.readers.kinds import recognised_layout

        layout = recognised_layout(roles)
    elif layout in LAYOUTS and roles:
        raise OptionError(f"`{next(iter(roles))}` does not fit a {layout} table of labels; leave one of the two out.")
    annotators = reading.annotators
    said = Overrides(
        layout=layout, item=reading.document if reading.item is None else reading.item, annotator=reading.annotator, label=reading.label,
        cluster=reading.cluster, transpose=reading.transpose,
        annotators=None if annotators is None else tuple(annotators), spans=reading.spans(),
        roles=roles if reading.rank is None else {**roles, "rank": reading.rank},
        counts=tuple(reading.labels) if layout == "counts" else (),
    )  # fmt: skip
    sets = SetOptions(
        multilabel=reading.multilabel, separator=reading.separator, rank=reading.rank, ranked=reading.ranked,
        none=tuple(reading.none), labels=() if layout == "counts" else tuple(reading.labels),
    )  # fmt: skip
    tokens = (set(MISSING) | set(reading.missing)) - {*reading.not_missing, *reading.none}
    tables = [origin for origin in sources if isinstance(origin, Table)]
    files = [origin for origin in sources if not isinstance(origin, Table)]
    if reading.engine != "polars" and files:
        from assent.readers.external_engine import opened_elsewhere

        table, elsewhere = opened_elsewhere(
            files, reading.engine, said=reading.format, master=reading.master, sample_rows=SAMPLE
        )
        tables, files = [table], []
    tables += open_tables(
        files,
        format=reading.format,  # type: ignore[arg-type]
        delimiter=reading.delimiter,
        encoding=reading.encoding,
        sheet=reading.sheet,
        skip_rows=reading.skip_rows,
    )
    if reading.annotator_from_name is not None:
        tables = [by_file_name(one, reading.annotator_from_name) for one in tables]
    if reading.runs is not None:
        tables = reading.runs.numbered(tables)
    table = joined(tables)
    if held is not None and len(table.columns) == 1:
        raise UnknownLayout(
            f"{table.name[:1].upper()}{table.name[1:]} has only one column, {shown(table.columns[0])}: give items, annotators and labels a column each "
            "(reset_index() makes columns of an index)."
        )
    with readable(table):
        table = with_joint_columns(flat_table(table), (said.item, reading.cluster))
        spans = layout == "spans" or (layout is None and holds_spans(table, said))
    if spans:
        return _recognised_spans(table, reading, said, elsewhere)
    if not (layout is not None or reading.label or reading.labels or reading.rank or reading.annotators or columns):
        layout = _by_names(table)
    if layout is not None and layout not in LAYOUTS:
        from assent.readers.kinds import OTHER_LAYOUTS, layout_names

        other = OTHER_LAYOUTS.find(choose("layout", layout, layout_names()))
        return RecognisedTable(table=table, reading=reading, make=lambda: other(table, said))
    reading.check_no_spans()
    with readable(table):
        if table.bytes:
            from assent.readers.byte_columns import check_said

            check_said(table, said)
        sets.check(table.columns)
        if reading.multilabel is False and reading.label in table.nested:
            # A list of boxes is one label if it was said that there is one.
            text = table.frame.collect_schema()[reading.label] == pl.String
            table = replace(table, nested=table.nested - ({reading.label} if text else set()))
        table, lists_in = with_lists_as_text(table, SAMPLE)
        sample = sample_of(table, tokens)
        if sample.is_empty():
            raise EmptyTable(f"{table.name} has column names but no rows; there must be at least one.")
        # What is kept for later is neither a label nor an annotator, unless it was said to be.
        runs = reading.runs
        hidden: tuple[str, ...] = ()
        if runs is not None:
            runs.check(table.columns)
            hidden = runs.HIDDEN
            columns = [*columns, *([runs.column] if runs.column is not None else [])]
        kept = further(columns, table.columns)
        aside = [name for name in dict.fromkeys([*kept, *apart(sets), *hidden]) if name not in said.columns]
        in_view = [name for name in table.columns if name not in aside]
        parse: Parse | None
        of_columns = indicators(table, in_view, sample, said, sets)
        if of_columns is not None:
            table, recognised, parse = of_columns
        else:
            looking = partial(
                recognise,
                whole=sample.height < SAMPLE,
                nested=table.nested - {*aside},
                without=reading.without.get("items", ()),
            )
            try:
                recognised = looking(in_view, sample[in_view], said)
            except UnknownLayout as error:
                if runs is not None:
                    said, runs = runs.without_annotator(said, table.columns, error)
                    in_view = [name for name in table.columns if name not in aside or name in said.columns]
                    recognised = looking(in_view, sample[in_view], said)
                elif said == Overrides() and (of_each := _one_file_each(tables, reading)) is not None:
                    # Commands to copy must say it.
                    return replace(
                        recognised_table([of_each], reading), reading=replace(reading, annotator_from_name="(.*)")
                    )
                else:
                    raise _with_remedies(error, tables, reading) from None
            if table.bytes:
                from assent.readers.byte_columns import check_guessed

                check_guessed(table, said, recognised)
            parse, notes = cell_parser(recognised, sample, sets, lists_in)
            recognised = replace(recognised, notes=(*recognised.notes, *notes))
        if runs is not None:
            if elsewhere is not None:
                raise OptionError(
                    "Runs are compared here, one by one: leave out `engine`, or give a DataFrame of polars."
                )
            from assent.readers.runs import with_runs

            table, recognised, beside = with_runs(table, recognised, runs)
            kept = (*kept, *beside)
    make = partial(
        to_annotations,
        table,
        recognised,
        sample=sample,
        columns=kept,
        missing=tokens,
        duplicates=reading.duplicates or "error",
        decimal=reading.decimal,
        sets=sets,
        parse=parse,
        elsewhere=elsewhere,
    )
    if held is None:
        return RecognisedTable(table=table, reading=reading, sample=sample, detected=recognised, make=make)
    held_labels = [recognised.label] if recognised.label is not None else list(recognised.columns)

    def made() -> Annotations:
        data = make()
        # Only a file has a first line.
        notes = tuple(note for note in data.notes if not (isinstance(note, ReadingNote) and note.code == "first-line"))
        return with_category_order(replace(data, notes=notes), held, held_labels)

    return RecognisedTable(table=table, reading=reading, sample=sample, detected=recognised, make=made)


def _with_remedies(error: UnknownLayout, tables: Sequence[Table], reading: Reading) -> UnknownLayout:
    """Return the refusal of a table with what else may help: the names of the files, or another sheet."""
    more: list[dict[str, str]] = []
    told = str(error)
    if len(tables) > 1 and reading.annotator_from_name is None:
        more = [{"annotator_from_name": "(.*)"}]
        told += f" If each file is of one annotator, say {as_options(more[0])}."
    elif len(tables) == 1 and tables[0].sheets:
        more = [{"sheet": name} for name in tables[0].sheets[:3]]
        told += f" This is the first sheet of the workbook; for another say {' or '.join(map(as_options, more))}."
    return UnknownLayout(told, candidates=[*error.candidates, *more])


def _one_file_each(tables: Sequence[Table], reading: Reading) -> Table | None:
    """Return the rows of several files with who annotated, if each is of one annotator: most items are in several files, and once in each."""
    if len(tables) < 2 or reading.annotator_from_name is not None or len({one.file for one in tables}) < len(tables):
        return None
    try:
        table = joined([by_file_name(one, "(.*)") for one in tables])
    except OptionError:
        return None
    items = detect_by_names.find("item", table.columns)
    if not items or not detect_by_names.find("label", table.columns) or table.nested:
        return None
    rows = table.frame.lazy().select(column(items[0]), column(ANNOTATOR)).drop_nulls().collect()
    files = rows.group_by(items[0]).len()["len"]
    if rows.n_unique() < rows.height or not 2 * (files > 1).sum() > files.len():
        return None
    note = ReadingNote(
        f"No column says who annotated: each of the {len(tables)} files was taken for one annotator, who is called as the file is",
        "`annotator_from_name`",
    )
    return replace(table, notes=(*table.notes, note))


def _recognised_spans(table: Table, reading: Reading, said: Overrides, elsewhere: Any) -> RecognisedTable:
    """Recognise the columns of a table of spans, which may be a sample of rows that live elsewhere."""
    from assent.readers.kinds.spans import held_spans, read_spans

    with readable(table):
        detected = span_columns(table, said)
        sample = sample_of(table, set())
    return RecognisedTable(
        table=table,
        reading=reading,
        sample=sample,
        detected=detected,
        make=lambda: read_spans(table, said) if elsewhere is None else held_spans(table, said, elsewhere),
    )


#: A word that the names of the columns of every other kind of data hold; without one no layout is asked.
_MARKS = re.compile(
    "rank|position|place|score|winner|preferred|preference|best|rang|platz|puesto|posizione|место|ранг|名次|排名|順位"
)


def _by_names(table: Table) -> str | None:
    """Return the layout of another kind of data that the names of the columns are those of."""
    if not any(_MARKS.search(name.casefold()) for name in table.columns):
        return None
    from assent.readers.kinds import recognised_layout

    return recognised_layout({}, table)


def sample_of(table: Table, missing: set[str]) -> pl.DataFrame:
    """Return the first rows as text, null where a label would be missing."""
    kinds = table.frame.collect_schema()
    texts_alone = {*kinds.values()} == {pl.String()} and not table.nested
    if isinstance(table.frame, pl.DataFrame) and table.frame.height <= FEW and texts_alone:
        # They have been looked at before polars has understood what is asked.
        return pl.DataFrame({name: _filled(table.frame.get_column(name), missing) for name in kinds})
    empty = pl.lit(None, pl.String)
    texts = (
        table.frame.head(SAMPLE)
        .lazy()
        .select(empty.alias(name) if name in table.nested else as_text(name, kind) for name, kind in kinds.items())
    )
    # A cell of blanks holds nothing, as an empty one does.
    filled = ~pl.all().is_in(list(missing)) & (pl.all().str.strip_chars() != "")
    return texts.select(pl.when(filled).then(pl.all()).name.keep()).collect()


def _filled(cells: pl.Series, missing: set[str]) -> pl.Series:
    """Return a column of text without what means that there is no label, and without blanks alone."""
    gaps = {text for text in set(cells.to_list()) if text is not None and (text in missing or not text.strip(_BLANK))}
    if not gaps:
        return cells
    return pl.Series(cells.name, [None if text in gaps else text for text in cells.to_list()], dtype=pl.String)
