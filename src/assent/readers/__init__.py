"""From files to annotations: format, layout and columns are recognised, and every guess can be overruled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from assent.data import Annotations, Dataset
from assent.errors import OptionError
from assent.readers.from_exports import OpenedExport
from assent.readers.opened import open_data
from assent.readers.reading import MISSING, Reading
from assent.readers.sources import Origin
from assent.readers.tables import Table

if TYPE_CHECKING:
    from assent.data import BestWorst, Preferences, Rankings, Spans

__all__ = ["MISSING", "named_columns_of", "read", "read_all"]


def read(
    *sources: Any,
    layout: str | None = None,
    item: str | None = None,
    annotator: str | None = None,
    label: str | None = None,
    annotators: Sequence[str] | None = None,
    cluster: str | None = None,
    transpose: bool = False,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    decimal: Literal[".", ","] | None = None,
    missing: Sequence[str] = (),
    not_missing: Sequence[str] = (),
    duplicates: Literal["error", "first", "last"] | None = None,
    sheet: str | None = None,
    format: str | None = None,
    columns: Sequence[str] = (),
    multilabel: bool | None = None,
    separator: str | None = None,
    labels: Sequence[str] = (),
    rank: str | None = None,
    object: str | None = None,
    score: str | None = None,
    left: str | None = None,
    right: str | None = None,
    winner: str | None = None,
    shown: str | None = None,
    best: str | None = None,
    worst: str | None = None,
    ranked: bool = False,
    none: Sequence[str] = (),
    engine: Literal["polars", "duckdb", "spark"] = "polars",
    master: str | None = None,
    question: str | None = None,
    questions: str | None = None,
    question_columns: Sequence[str] = (),
    empty: Literal["missing", "nothing"] | None = None,
    with_models: bool = False,
    finished_only: bool = False,
    keep_rejected: bool = False,
    names: bool = False,
    annotator_from_name: str | None = None,
    skip_rows: int = 0,
    document: str | None = None,
    start: str | None = None,
    end: str | None = None,
    lengths: str | None = None,
    texts: str | None = None,
    length: Literal["last-end"] | None = None,
    offsets: Literal["codepoints", "utf-16", "bytes", "tokens"] = "codepoints",
    trim: bool = False,
    relations: str | None = None,
    attributes: Sequence[str] = (),
    rename: Mapping[str, str] | None = None,
    merge: Mapping[str, Sequence[str]] | None = None,
    ignore_case: bool = False,
    only: Mapping[str, Sequence[str]] | None = None,
    without: Mapping[str, Sequence[str]] | None = None,
) -> Annotations | Spans | Rankings | Preferences | BestWorst:
    r"""Read annotations from one or more files.

    The format, the layout and the columns are recognised; the notes of the result say as what.
    Whatever is said outright is not guessed. The export of an annotation tool (Label Studio, doccano, Prodigy, INCEpTION and
    others) is recognised by its content, unless something is said of the columns of a table.

    Parameters
    ----------
    *sources : path, open binary file or "-"; or one table
        A DataFrame (pandas, polars, pyarrow, DuckDB, Spark), a mapping of columns or a list of records, recognised as files are.
        Files with the same columns, or the export of a tool: a file, a zip, a folder or several files. "-" is standard input; a
        pattern such as ``labels/*.parquet`` is all files that match it; a directory is all Parquet files in it, or an export.
    layout : {"long", "wide", "counts", "table", "spans"}, optional
        Or the name of a layout of another kind of data; the result is then a data set of that kind. One row an annotation; one row an item and one column an annotator; one row an item and one
        column a label, with the number of annotators who gave it; or two annotators crossed.
    item, annotator, label : str, optional
        Columns of a long table. A wide one or one of counts may have an item column, too. Items that several columns name together are
        given as ``"doc,sentence"``.
    annotators : sequence of str, optional
        The annotator columns of a wide table.
    cluster : str, optional
        Column with larger units, such as documents, that were sampled as a whole.
    transpose : bool
        The rows of a wide table are annotators and the columns items.
    delimiter : str, optional
        The separator of delimited text; comma, semicolon, tab and | are recognised.
    encoding : str
        Encoding of text files. A byte order mark is recognised without it.
    decimal : {".", ","}, optional
        The decimal mark of labels that are numbers.
    missing, not_missing : sequence of str
        Label texts that mean "no label" besides an empty cell, NA, N/A, NaN and null; and those of
        these that are labels after all.
    duplicates : {"error", "first", "last"}, optional
        What to do when an annotator labelled an item more than once: a table is refused, of an export the last counts, unless
        it is said.
    sheet : str, optional
        Sheet of a workbook; the first if not given.
    format : {"csv", "tsv", "json", "jsonl", "parquet", "xlsx"} or name of a tool, optional
        What the files are, if neither name nor content shows it.
    columns : sequence of str
        Further columns to keep beside each annotation, such as a time or the text of the item, for `Annotations.to_rows`.
    multilabel : bool, optional
        Whether annotations may hold several labels: in several rows, or in one cell. Recognised if not given.
    separator : str, optional
        What stands between several labels in a cell, as ``;`` does in ``A;B``.
    labels : sequence of str
        Columns with 0 and 1, one a label, in place of a label column; with ``layout="counts"`` those that hold the counts.
    rank : str, optional
        Column that says which of several rows holds the primary label (1, 2, … or primary, secondary); of rankings, the place of the
        object.
    object, score : str, optional
        Columns of rankings: the object, and a score in place of a rank, where the largest comes first.
    left, right, winner : str, optional
        Columns of preferences: the two objects, and which of them was preferred.
    shown, best, worst : str, optional
        Columns of best-worst choices: the objects that were shown, the best and the worst of them.
    ranked : bool
        The order of the labels in a cell is their rank: the first one is primary.
    none : sequence of str
        Label texts that mean "none of the labels": the empty set, which is an annotation, not a missing one. An empty list,
        ``[]``, and a row of zeros always do.
    engine : {"polars", "duckdb", "spark"}
        Who reads Parquet files and counts labels by item; with duckdb and spark the rows never come here.
    master : str, optional
        Address of a Spark cluster, such as ``spark://host:7077``; the running session, or this machine, if not given.
    question : str, optional
        Which of several questions to read; the first with labels if not given, and a note lists them all.
    questions : str, optional
        Column of a table that says which question a row answers.
    question_columns : sequence of str
        Several label columns of a long table, a question each.
    empty : {"missing", "nothing"}, optional
        Of an export: whether an empty answer is none at all, or the answer "nothing"; by default what the tool can tell.
    with_models : bool
        Of an export: predictions and suggestions are annotations, too.
    finished_only : bool
        Of an export: documents that are still in progress are left out.
    keep_rejected : bool
        Of an export: work that was rejected counts.
    names : bool
        Of an export: annotators are called by their e-mail addresses or names, which are hidden otherwise.
    annotator_from_name : str, optional
        Regular expression whose first group finds the annotator in the name of a file, for tables and exports with one file an annotator;
        ``"(.*)"`` is the whole name without its ending.
    skip_rows : int
        Rows above the names of the columns.
    document, start, end : str, optional
        Columns of a table of spans; `document` is another name of `item`.
    lengths : str, optional
        Of spans: a table of document and length.
    texts : str, optional
        Of spans: a folder with a text for each document, named after it.
    length : {"last-end"}, optional
        Of spans: take the last end for the length of a document that nobody gave.
    offsets : {"codepoints", "utf-16", "bytes", "tokens"}
        What the offsets of spans count.
    trim : bool
        White space at the edges of spans is taken away, where it is known what they cover.
    relations : str, optional
        Of spans: a table of document, annotator, type, head and tail, which are ids of spans.
    attributes : sequence of str
        Of spans: columns that hold attributes of them.
    rename : mapping of str to str, optional
        New names of labels.
    merge : mapping of str to sequence of str, optional
        Labels that are taken as one, by the name of that one.
    ignore_case : bool
        Labels that differ only by case, or by blanks around them, are one.
    only, without : mapping of str to sequence of str, optional
        The annotators, labels or items that are kept, or left out: ``{"annotators": ["ann"], "labels": ["unsure"]}``.

    Returns
    -------
    Annotations
        Or `Spans`, `Rankings`, `Preferences` or `BestWorst`, if that is what the files hold.

    See Also
    --------
    read_all : all questions of a file, by name.

    Raises
    ------
    InputError
        If a file or the table in it cannot be used.
    OptionError
        If an option has a value it cannot have or does not fit the others.

    Examples
    --------
    >>> import io
    >>> data = read(io.BytesIO(b"unit,coder,code\n1,ann,a\n1,bob,a\n2,ann,b\n2,bob,a\n"))
    >>> data.labels, data.annotators
    (('a', 'b'), ('ann', 'bob'))
    >>> data.notes[0]
    'Read as long: item = "unit", annotator = "coder", label = "code" (to change this, give `item`, `annotator`, `label`).'
    """
    given = {name: value for name, value in locals().items() if name != "sources"}
    reading = Reading(**{**given, **{name: given[name] or {} for name in ("rename", "merge", "only", "without")}})
    data: Annotations | Spans | Rankings | Preferences | BestWorst = open_data(sources, reading).one()
    return data


def named_columns_of(names: Sequence[str]) -> tuple[str | None, bool]:
    """Return which of some columns names the items, and whether the names are those of a long table."""
    from assent.readers import detect_by_names

    named = {
        role: [name for name in names if detect_by_names.named(name, role)] for role in ("item", "annotator", "label")
    }
    item = named["item"][0] if named["item"] else None
    return item, all(named.values()) and len(names) >= 3


def read_all(*sources: Origin | Table | OpenedExport, **options: Any) -> dict[str, Dataset]:
    r"""Read every question of one or more files.

    Parameters
    ----------
    *sources : path, open binary file or "-"
    **options
        As `assent.read` takes them, but for `question`.

    Returns
    -------
    dict of str to Annotations, Spans or Rankings
        By the name of the question: those of a tool's export; those of a table with `questions` or `question_columns`; or the
        one of any other table. Free texts are left out.

    Examples
    --------
    >>> import io
    >>> rows = b"item,annotator,label,field\n1,a,yes,polite\n1,a,no,true\n1,b,yes,polite\n1,b,yes,true\n"
    >>> {name: data.labels for name, data in read_all(io.BytesIO(rows), questions="field").items()}
    {'polite': ('yes',), 'true': ('no', 'yes')}
    """
    if options.get("question") is not None:
        raise OptionError("`question` names one question: read it with assent.read.")
    return open_data(sources, Reading(**options)).all()
