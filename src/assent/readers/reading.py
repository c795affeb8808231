"""How files are to be read: the options of `assent.read`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from msgspec import field
from msgspec.structs import replace

from assent.data.cleaning import cleaned
from assent.errors import (
    OptionError,
    choose,
)
from assent.readers.exports.options import ReadOptions
from assent.readers.formats import ENGINES, FORMATS
from assent.readers.from_exports import ExportChoices
from assent.readers.span_options import SpanOptions
from assent.records import Struct
from assent.text import shown

if TYPE_CHECKING:
    from assent.readers.runs import RunsWanted
__all__ = ["MISSING", "Reading", "ReadingOfRuns"]

MISSING = ("NA", "N/A", "NaN", "null")
"""Label texts that mean "no label" unless the user says otherwise; an empty cell always does."""

#: Roles of columns that tables of labels do not have.
OTHER_ROLES = ("object", "score", "left", "right", "winner", "shown", "best", "worst")


class Reading(Struct, frozen=True, kw_only=True):
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
        if not 0 <= self.skip_rows < 2**31:
            raise OptionError(f"`skip_rows` is {self.skip_rows}; it must be 0 or more, and less than {2**31:,}.")
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
            offsets=self.offsets,
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


class ReadingOfRuns(Reading, frozen=True, kw_only=True):
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
