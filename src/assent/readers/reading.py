"""How files are to be read, what they were recognised as, and the data sets that are in them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from assent.data import Annotations, Dataset
from assent.data.cleaning import cleaned
from assent.data.coerce import with_category_order
from assent.data.messages import Dropped
from assent.data.reading_notes import ReadingNote, reading_of
from assent.errors import (
    DuplicateAnnotations,
    EmptyTable,
    InputError,
    OptionError,
    UnknownLayout,
    choose,
    did_you_mean,
)
from assent.label_sets import Parse
from assent.readers import detect_by_names
from assent.readers.detected import Detected, as_options, csv_list
from assent.readers.exports.options import ReadOptions
from assent.readers.formats import ENGINES, FORMATS
from assent.readers.from_exports import ExportChoices, OpenedExport, RecognisedExport, recognised_export
from assent.readers.layouts import recognise
from assent.readers.objects import flat_table, object_table
from assent.readers.opening import open_tables
from assent.readers.overrides import LAYOUTS, Overrides
from assent.readers.reshape import to_annotations
from assent.readers.sets import SetOptions, apart, cell_parser, indicators, with_lists_as_text
from assent.readers.settings import with_settings
from assent.readers.sources import Origin, check_there
from assent.readers.span_columns import holds_spans, span_columns
from assent.readers.span_options import SpanOptions
from assent.readers.tables import (
    ANNOTATOR,
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
from assent.records import dataclass
from assent.text import listed, shown

if TYPE_CHECKING:
    from assent.readers.runs import RunsWanted

__all__ = [
    "MISSING",
    "Opened",
    "Reading",
    "ReadingOfRuns",
    "RecognisedTable",
    "held_table",
    "look_for_export",
    "open_data",
    "opened_export",
    "recognised_table",
    "sample_of",
]

MISSING = ("NA", "N/A", "NaN", "null")
"""Label texts that mean "no label" unless the user says otherwise; an empty cell always does."""

_SAMPLE = 5_000
#: Roles of columns that tables of labels do not have.
OTHER_ROLES = ("object", "score", "left", "right", "winner", "shown", "best", "worst")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How files are to be read: the options of `assent.read`."""

    layout: str | None = None
    item: str | None = None
    annotator: str | None = None
    label: str | None = None
    annotators: Sequence[str] | None = None
    cluster: str | None = None
    transpose: bool = False
    delimiter: str | None = None
    encoding: str = "utf-8"
    decimal: str | None = None
    missing: Sequence[str] = ()
    not_missing: Sequence[str] = ()
    duplicates: Literal["error", "first", "last"] | None = None
    sheet: str | None = None
    format: str | None = None
    columns: Sequence[str] = ()
    multilabel: bool | None = None
    separator: str | None = None
    labels: Sequence[str] = ()
    rank: str | None = None
    object: str | None = None
    score: str | None = None
    left: str | None = None
    right: str | None = None
    winner: str | None = None
    shown: str | None = None
    best: str | None = None
    worst: str | None = None
    ranked: bool = False
    none: Sequence[str] = ()
    engine: str = "polars"
    master: str | None = None
    question: str | None = None
    questions: str | None = None
    question_columns: Sequence[str] = ()
    empty: Literal["missing", "nothing"] | None = None
    with_models: bool = False
    finished_only: bool = False
    keep_rejected: bool = False
    names: bool = False
    annotator_from_name: str | None = None
    skip_rows: int = 0
    document: str | None = None
    start: str | None = None
    end: str | None = None
    lengths: str | None = None
    texts: str | None = None
    length: str | None = None
    offsets: str = "codepoints"
    trim: bool = False
    relations: str | None = None
    attributes: Sequence[str] = ()
    rename: Mapping[str, str] = field(default_factory=dict)
    merge: Mapping[str, Sequence[str]] = field(default_factory=dict)
    ignore_case: bool = False
    only: Mapping[str, Sequence[str]] = field(default_factory=dict)
    without: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.skip_rows < 0:
            raise OptionError(f"`skip_rows` is {self.skip_rows}; it must be 0 or more.")
        for name in ("annotators", "missing", "not_missing", "columns", "labels", "none", "question_columns"):
            if isinstance(getattr(self, name), str):
                raise OptionError(f"{name} takes a list of names, not one text.")
        if self.duplicates is not None:
            choose("duplicates", self.duplicates, ("error", "first", "last"))
        if self.decimal is not None:
            choose("decimal", self.decimal, (".", ","))
        choose("engine", self.engine, ENGINES)
        if self.master is not None and self.engine != "spark":
            raise OptionError("`master` is the address of a Spark cluster: add `engine` spark, or leave it out.")
        if self.questions is not None and self.question_columns:
            raise OptionError(
                "`questions` and `question_columns` are two ways to hold several questions: give one of them."
            )
        if self.question_columns and self.label is not None:
            raise OptionError("`question_columns` names the label columns: leave out `label`.")
        if self.document is not None and self.item is not None:
            raise OptionError("`document` and `item` are two names of one option: give one of them.")
        self.spans()

    @property
    def runs(self) -> RunsWanted | None:
        """What was said about runs of a judge; None unless these are what is asked about."""
        return None

    @property
    def says_table(self) -> bool:
        """Whether something was said that only a table has."""
        said = (self.layout, self.item, self.annotator, self.label, self.annotators, self.cluster, self.delimiter)
        spans = (self.document, self.start, self.end)
        more = (self.sheet, self.separator, self.rank, self.questions, *spans, *self.roles.values())
        return (
            any(one is not None for one in (*said, *more, self.runs and self.runs.column))
            or any((self.transpose, self.ranked, self.labels, self.question_columns, self.skip_rows))
            or self.engine != "polars"
            or self.format in FORMATS
        )

    @property
    def roles(self) -> dict[str, str]:
        """The columns of other kinds of data than labels that were named, by their role."""
        said = {name: getattr(self, name) for name in OTHER_ROLES}
        return {name: column for name, column in said.items() if column is not None}

    def read_options(self) -> ReadOptions:
        """Return what the readers of exports are told."""
        return ReadOptions(
            duplicates=self.duplicates or "last",
            empty=self.empty,
            with_models=self.with_models,
            finished_only=self.finished_only,
            keep_rejected=self.keep_rejected,
            names=self.names,
            annotator_from_name=self.annotator_from_name,
            item=self.item,
            encoding=self.encoding,
        )

    def spans(self) -> SpanOptions:
        """Return what was said about spans."""
        names = ("start", "end", "lengths", "texts", "length", "offsets", "trim", "relations", "encoding")
        return SpanOptions(**{name: getattr(self, name) for name in names}, attributes=tuple(self.attributes))

    def choices(self) -> ExportChoices:
        """Return how the answers of an export are taken."""
        return ExportChoices(
            columns=self.columns,
            missing=self.missing,
            none=self.none,
            multilabel=self.multilabel,
            decimal=self.decimal or ".",
            names=self.names,
            spans=self.spans(),
        )

    def cleaned(self, data: Any) -> Any:
        """Return data with labels renamed, merged and left out as was said; what that changed is said."""
        return cleaned(
            data,
            rename=self.rename,
            merge=self.merge,
            ignore_case=self.ignore_case,
            only=self.only,
            without=self.without,
        )

    def check_no_spans(self) -> None:
        """Refuse what only spans have."""
        for name in ("start", "end", "lengths", "texts", "length", "trim", "relations", "attributes", "document"):
            if getattr(self, name):
                raise OptionError(f"`{name}` is about spans, and this was not read as spans: add `layout` spans.")
        if self.offsets != "codepoints":
            raise OptionError("`offsets` is about spans, and this was not read as spans: add `layout` spans.")

    def check_table(self) -> None:
        """Refuse what only the export of a tool has."""
        for name in ("empty", "with_models", "finished_only", "keep_rejected", "names"):
            if getattr(self, name):
                raise OptionError(
                    f"`{name}` is for the export of an annotation tool, and this was read as a table: leave it out."
                )
        if self.question is not None and self.questions is None and not self.question_columns:
            raise OptionError(
                f"`question` is {shown(self.question)}, but this was read as a table with one question: say which column tells questions "
                "apart with `questions`, or which label columns there are with `question_columns`."
            )


@dataclass(frozen=True, kw_only=True)
class ReadingOfRuns(Reading):
    """How files are to be read in which a judge may have an item several times."""

    runs: RunsWanted | None = None

    def cleaned(self, data: Any) -> Any:
        """Return data as was said, where the name of a judge means all its runs."""
        said = replace(self, only=self._runs_in(self.only, data), without=self._runs_in(self.without, data))
        return super(ReadingOfRuns, said).cleaned(data)

    @staticmethod
    def _runs_in(chosen: Mapping[str, Sequence[str]], data: Any) -> Mapping[str, Sequence[str]]:
        from assent.readers.runs import BETWEEN

        known = data.annotators or ()
        named = chosen.get("annotators", ()) if known else ()
        runs = {
            name: [name] if name in known else [one for one in known if one.startswith(f"{name}{BETWEEN}")] or [name]
            for name in named
        }
        return {**chosen, "annotators": [one for name in named for one in runs[name]]} if runs else chosen


@dataclass(frozen=True, kw_only=True)
class Opened:
    """Files that were opened and recognised, of which nothing has been counted yet.

    Parameters
    ----------
    reading : Reading
    export : OpenedExport or None
        None if it is a table.
    tables : mapping of str to callable
        Of a table: what each question is called, and how to recognise the layout of its rows.
    note : str
        What settings beside the files said, if there are some.
    """

    reading: Reading
    export: OpenedExport | None = None
    tables: Mapping[str, Callable[[], RecognisedTable]] | None = None
    note: str = ""

    def one(self) -> Annotations:
        """Return the question that was named, or the first."""
        data: Annotations = self._told(self._one())
        return data

    def _told(self, data: Any) -> Any:
        return replace(data, notes=(*data.notes, self.note)) if self.note else data

    def _one(self) -> Annotations:
        if self.export is not None:
            question = self.reading.question
            if question is None and self.reading.layout == "spans":
                question = self.export.first_of_spans().name
            asked: Annotations = self.reading.cleaned(self.export.one(self.reading.choices(), question))
            return asked
        assert self.tables is not None
        wanted = self.reading.question
        if wanted is not None and wanted not in self.tables:
            raise OptionError(f"There is no question {shown(wanted)}; {did_you_mean(wanted, self.tables)}")
        name = next(iter(self.tables)) if wanted is None else wanted
        data: Annotations = self.reading.cleaned(self.tables[name]().annotations())
        if wanted is None and len(self.tables) > 1:
            others = listed([shown(one) for one in self.tables if one != name], 8)
            note = f"No question was named: this is {shown(name)}; `question` names another: {others}."
            data = replace(data, notes=(*data.notes, note))
        return data

    def all(self) -> dict[str, Dataset]:
        """Return every question by its name."""
        return {name: self._told(one) for name, one in self._all().items()}

    def _all(self) -> dict[str, Dataset]:
        if self.export is not None:
            return {name: self.reading.cleaned(one) for name, one in self.export.all(self.reading.choices()).items()}
        assert self.tables is not None
        if list(self.tables) == [""]:
            found = self.tables[""]()
            return {found.label: self.reading.cleaned(found.annotations())}
        made: dict[str, Dataset] = {}
        for name, recognised in self.tables.items():
            try:
                made[name] = self.reading.cleaned(recognised().annotations())
            except EmptyTable:
                # Nobody answered this question.
                continue
            except InputError as error:
                raise type(error)(f"On the question {shown(name)}: {error}") from None
        if not made:
            raise EmptyTable("None of the questions has an answer: check which column holds the labels.")
        return made


#: Files that hold a table, whatever is in it.
_TABULAR = (".csv", ".tsv", ".parquet", ".pq", ".xlsx", ".xlsm", ".xls", ".csv.gz", ".tsv.gz")


#: How the columns begin that hold what MTurk and Toloka showed.
_INPUTS = ("Input.", "INPUT:")


def look_for_export(
    sources: Sequence[Origin | Table | OpenedExport], reading: Reading
) -> tuple[RecognisedExport | None, list[Origin | Table]]:
    """Tell whether files are the export of a tool, unless something was said that only a table has; and return them."""
    left = [origin for origin in sources if not isinstance(origin, OpenedExport)]
    if reading.format is not None and reading.format not in FORMATS:
        from assent.readers.exports import readers

        choose("format", reading.format, (*FORMATS, *(one.name for one in readers())))
    said_table = reading.says_table and not (
        # Spans are in exports, too; what ends as a table does is one.
        reading.layout == "spans"
        and not replace(reading, layout=None).says_table
        and all(isinstance(one, str | os.PathLike) and not str(one).lower().endswith(_TABULAR) for one in left)
    )
    if reading.item is not None and reading.item.startswith(_INPUTS):
        # Which column of a crowd's table names the items is all that was said: it is still that tool's.
        said_table = replace(reading, item=None).says_table
    if said_table or not left or any(isinstance(one, Table) for one in left):
        return None, left
    files = [one for one in left if not isinstance(one, Table)]
    found, again = recognised_export(files, options=reading.read_options(), format=reading.format)
    return found, [*again]


def opened_export(
    sources: Sequence[Origin | Table | OpenedExport], reading: Reading
) -> tuple[OpenedExport | None, list[Origin | Table]]:
    """Read files as the export of a tool if they are one; else return them."""
    opened = next((one for one in sources if isinstance(one, OpenedExport)), None)
    if opened is not None:
        return opened, []
    found, left = look_for_export(sources, reading)
    return None if found is None else found.read(), left


def open_data(sources: Sequence[Any], reading: Reading) -> Opened:
    """Open files and say what they are: the export of a tool, or tables."""
    reading, note = with_settings(sources, reading)
    return replace(_opened(sources, reading), note=note)


def _opened(sources: Sequence[Any], reading: Reading) -> Opened:
    held = held_table(sources)
    if held is not None:
        reading.check_table()
        table, rows = held
        kept = partial(recognised_table, [table], reading, elsewhere=rows, held=sources[0])
        return Opened(reading=reading, tables={"": kept})
    opened, left = opened_export(sources, reading)
    if opened is not None:
        return Opened(reading=reading, export=opened)
    tables = [origin for origin in left if isinstance(origin, Table)]
    files = [origin for origin in left if not isinstance(origin, Table)]
    if reading.engine == "polars":
        # Another engine may know addresses that are no files here.
        check_there(files)
    reading.check_table()
    if reading.questions is None and not reading.question_columns:
        # A table that was opened before, such as the rows of one of several questions, is not opened again.
        return Opened(reading=reading, tables={"": partial(recognised_table, [*tables, *files], reading)})
    if reading.engine != "polars":
        raise OptionError("A file with several questions is read by polars: leave out `engine`.")
    from assent.readers.questions import label_columns, rows_by_question

    names = {name: getattr(reading, name) for name in ("format", "delimiter", "encoding", "sheet")}
    if reading.questions is not None:
        split = rows_by_question(*files, question=reading.questions, **names)
        return Opened(
            reading=reading, tables={name: partial(recognised_table, [one], reading) for name, one in split.items()}
        )
    split = label_columns(*files, columns=reading.question_columns, **names)
    return Opened(
        reading=reading,
        tables={
            name: partial(recognised_table, [one], replace(reading, question_columns=(), label=name))
            for name, one in split.items()
        },
    )


def held_table(sources: Sequence[Any]) -> tuple[Table, Any] | None:
    """Return the table that a program holds, if it is one rather than files."""
    known = (str, os.PathLike, Table, OpenedExport)
    given = [one for one in sources if not isinstance(one, known) and not hasattr(one, "read")]
    if not given:
        return None
    if len(sources) > 1:
        raise InputError("A table that is no file is read alone: join it with the others first.")

    return object_table(given[0], _SAMPLE)


@dataclass(frozen=True, kw_only=True)
class RecognisedTable:
    """A table whose layout and columns are known; nothing has been counted yet.

    Parameters
    ----------
    table : Table
    reading : Reading
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
            raise type(error)(f"{str(error).removesuffix('.')}{told}.") from None

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
        kept: Dataset = replace(left, notes=(*left.notes, note), dropped=(*left.dropped[:-1], gold))
        return kept


def recognised_table(
    sources: Sequence[Origin | Table], reading: Reading, *, elsewhere: Any = None, held: Any = None
) -> RecognisedTable:
    """Open tables, and recognise their layout and their columns.

    Parameters
    ----------
    sources : sequence of path, open file or Table
    reading : Reading
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
            files, reading.engine, said=reading.format, master=reading.master, sample_rows=_SAMPLE
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
        sets.check(table.columns)
        if reading.multilabel is False and reading.label in table.nested:
            # A list of boxes is one label if it was said that there is one.
            text = table.frame.collect_schema()[reading.label] == pl.String
            table = replace(table, nested=table.nested - ({reading.label} if text else set()))
        table, lists_in = with_lists_as_text(table, _SAMPLE)
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
                whole=sample.height < _SAMPLE,
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
_MARKS = ("rank", "position", "place", "score", "winner", "preferred", "preference", "best")


def _by_names(table: Table) -> str | None:
    """Return the layout of another kind of data that the names of the columns are those of."""
    if not any(mark in name.casefold() for name in table.columns for mark in _MARKS):
        return None
    from assent.readers.kinds import recognised_layout

    return recognised_layout({}, table)


def sample_of(table: Table, missing: set[str]) -> pl.DataFrame:
    """Return the first rows as text, null where a label would be missing."""
    kinds = table.frame.collect_schema()
    empty = pl.lit(None, pl.String)
    texts = (
        table.frame.head(_SAMPLE)
        .lazy()
        .select(empty.alias(name) if name in table.nested else as_text(name, kind) for name, kind in kinds.items())
    )
    # A cell of blanks holds nothing, as an empty one does.
    filled = ~pl.all().is_in(list(missing)) & (pl.all().str.strip_chars() != "")
    return texts.select(pl.when(filled).then(pl.all()).name.keep()).collect()
