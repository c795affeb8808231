"""Options that say how to read a table or the export of a tool: the same for every command that takes one."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Optional

import typer

from assent import option_texts
from assent.cli.common import option

__all__ = ["reading_options", "table_options"]

TABLE = "How to read the table"
SETS = "How to read several labels of an annotation"
ORDERS = "How to read rankings and preferences"
CLEAN = "What to change in the labels, and what to leave out"
EXPORT = "How to read the export of an annotation tool"
SPANS = "How to read spans"


# They are the same for all commands, so the help of a command names them on request.
_option = functools.partial(option, panel=TABLE, hidden=True)
_on_sets = functools.partial(_option, panel=SETS)
_clean = functools.partial(_option, panel=CLEAN)
_of_orders = functools.partial(_option, panel=ORDERS)
_of_export = functools.partial(_option, panel=EXPORT)
_of_spans = functools.partial(_option, panel=SPANS)


def table_options(
    files: Annotated[
        Optional[list[str]],
        typer.Argument(
            metavar="FILE…",
            help="CSV, TSV, JSON, JSONL, Parquet or XLSX, or the export of an annotation tool (file, zip or folder); several are "
            "read as one; - is standard input. How they are read is recognised; --help-all lists the options that change that.",
            show_default=False,
        ),
    ] = None,
    example: Annotated[
        Optional[str],
        option(
            "An example in place of a file, such as paradox1, krippendorff or story; an unknown name lists them.",
            panel=None,
            metavar="NAME",
            completes="example",
        ),
    ] = None,
    table: Annotated[
        Optional[str],
        option(
            'Numbers in place of a file: two annotators crossed, as in "80,10;5,5". --labels yes,no names the labels.',
            panel=None,
            metavar="ROWS",
        ),
    ] = None,
    item: Annotated[Optional[str], _option("Column that says which item.", metavar="COLUMN")] = None,
    annotator: Annotated[Optional[str], _option("Column that says who annotated.", metavar="COLUMN")] = None,
    label: Annotated[Optional[str], _option("Column that holds the label.", metavar="COLUMN")] = None,
    annotators: Annotated[
        Optional[str], _option("Columns of a wide table that hold the annotators' labels.", metavar="A,B,C")
    ] = None,
    layout: Annotated[
        Optional[str],
        _option(
            "long: one row per annotation. wide: one row per item, one column per annotator. counts: items x labels. "
            "table: k x k confusion table of two annotators. spans: one row per span. Recognised if not given.",
            metavar="long|wide|counts|table|spans",
        ),
    ] = None,
    transpose: Annotated[
        bool, _option("A wide table has one row per annotator and one column per item.", "--transpose")
    ] = False,
    cluster: Annotated[
        Optional[str],
        _option(
            "Column with larger units (documents, speakers) that were sampled as a whole; intervals then resample these.",
            metavar="COLUMN",
        ),
    ] = None,
    missing: Annotated[
        Optional[list[str]],
        _option(
            "A label text that means 'no label', besides an empty cell, NA, N/A, NaN and null. Repeatable.",
            metavar="TEXT",
        ),
    ] = None,
    not_missing: Annotated[
        Optional[list[str]], _option("Take NA, N/A, NaN or null as a label after all. Repeatable.", metavar="TEXT")
    ] = None,
    duplicates: Annotated[
        Optional[str],
        _option(
            "What to do when an annotator labelled an item more than once: error in a table and last in an export, unless given.",
            metavar="error|first|last",
        ),
    ] = None,
    multilabel: Annotated[
        Optional[bool],
        _on_sets(
            "Whether several rows of an annotator for an item, or a cell such as A;B, are one annotation with several "
            "labels. Recognised if not given.",
            "--multilabel/--single-label",
        ),
    ] = None,
    separator: Annotated[
        Optional[str], _on_sets("What separates several labels in a cell, as ; does in A;B.", metavar="CHAR")
    ] = None,
    labels: Annotated[
        Optional[str],
        _on_sets(
            "Columns with 0 and 1, one a label, in place of a label column; with --layout counts those that hold the counts.",
            metavar="A,B,C",
        ),
    ] = None,
    rank: Annotated[
        Optional[str],
        _on_sets(
            "Column that ranks several labels of an annotation: 1, 2, … or primary, secondary; of rankings, the place of the object.",
            metavar="COLUMN",
        ),
    ] = None,
    object: Annotated[Optional[str], _of_orders("Column of rankings that says which object.", metavar="COLUMN")] = None,
    score: Annotated[
        Optional[str],
        _of_orders("Column of rankings with a score, the largest first, in place of --rank.", metavar="COLUMN"),
    ] = None,
    left: Annotated[Optional[str], _of_orders("Column of preferences with the first object.", metavar="COLUMN")] = None,
    right: Annotated[
        Optional[str], _of_orders("Column of preferences with the second object.", metavar="COLUMN")
    ] = None,
    winner: Annotated[
        Optional[str],
        _of_orders(
            "Column of preferences that says which was preferred: its name, left, right or tie.", metavar="COLUMN"
        ),
    ] = None,
    shown: Annotated[
        Optional[str],
        _of_orders("Column of best-worst choices with the objects shown, or several columns.", metavar="COLUMN|A,B,C"),
    ] = None,
    best: Annotated[Optional[str], _of_orders("Column with the best of the objects shown.", metavar="COLUMN")] = None,
    worst: Annotated[Optional[str], _of_orders("Column with the worst of the objects shown.", metavar="COLUMN")] = None,
    ranked: Annotated[bool, _on_sets("The first of several labels in a cell is the primary one.", "--ranked")] = False,
    none: Annotated[
        Optional[list[str]],
        _on_sets(
            "A label text that means 'none of the labels': an annotation without a label, not a missing one. Repeatable.",
            metavar="TEXT",
        ),
    ] = None,
    delimiter: Annotated[Optional[str], _option("What separates the cells of a CSV file.", metavar="CHAR")] = None,
    decimal: Annotated[Optional[str], _option("Decimal mark of numeric labels.", metavar=".|,")] = None,
    encoding: Annotated[str, _option("Encoding of a text file, such as latin-1.", metavar="NAME")] = "utf-8",
    file_format: Annotated[
        Optional[str],
        _option(
            "Format of the file, if its name does not say: csv, tsv, json, jsonl, parquet, xlsx, or the name of a tool such as "
            "label-studio.",
            "--format",
            metavar="NAME",
            completes="format",
        ),
    ] = None,
    sheet: Annotated[Optional[str], _option("Sheet of an XLSX file.", metavar="NAME")] = None,
    engine: Annotated[
        str,
        _option(
            "Who reads Parquet files and counts labels by item; with duckdb and spark the rows stay there.",
            metavar="polars|duckdb|spark",
        ),
    ] = "polars",
    master: Annotated[
        Optional[str],
        _option("Address of a Spark cluster; the running session, or this machine, if not given.", metavar="URL"),
    ] = None,
    question: Annotated[
        Optional[str],
        _of_export(
            "Which of several questions; the first with labels if not given, and all are listed.", metavar="NAME"
        ),
    ] = None,
    questions: Annotated[
        Optional[str],
        _option("Column of a table that says which of several questions a row answers.", metavar="COLUMN"),
    ] = None,
    question_columns: Annotated[
        Optional[str],
        _option("Several label columns of a long table, a question each, in place of --label.", metavar="A,B,C"),
    ] = None,
    empty: Annotated[
        Optional[str],
        _of_export(
            "Whether an empty answer is none at all, or the answer 'nothing'; what the tool can tell if not given. For span-f1: what a "
            "document without any span counts in a mean over documents (skip, or 1).",
            metavar="missing|nothing",
        ),
    ] = None,
    with_models: Annotated[
        bool, _of_export("Predictions and suggestions of models are annotations, too.", "--with-models")
    ] = False,
    finished_only: Annotated[
        bool, _of_export("Leave out documents that are still in progress.", "--finished-only")
    ] = False,
    keep_rejected: Annotated[bool, _of_export("Work that was rejected counts.", "--keep-rejected")] = False,
    names: Annotated[
        bool, _of_export("Show e-mail addresses and names of annotators, which are hidden otherwise.", "--names")
    ] = False,
    annotator_from_name: Annotated[
        Optional[str],
        _option(
            "With one file per annotator: regular expression whose first group is the annotator in the name of a file, as in '_(\\w+)$'; "
            "'(.*)' is the whole name.",
            metavar="REGEX",
        ),
    ] = None,
    skip_rows: Annotated[int, _option("Rows above the names of the columns.", metavar="N")] = 0,
    document: Annotated[
        Optional[str], _of_spans("Column that says which document; as --item.", metavar="COLUMN")
    ] = None,
    start: Annotated[Optional[str], _of_spans("Column that says where a span begins.", metavar="COLUMN")] = None,
    end: Annotated[
        Optional[str], _of_spans("Column that says where a span ends: the first offset behind it.", metavar="COLUMN")
    ] = None,
    lengths: Annotated[Optional[str], _of_spans("Table of document and length.", metavar="FILE")] = None,
    texts: Annotated[
        Optional[str], _of_spans("Folder with the text of each document, in a file of its name.", metavar="DIR")
    ] = None,
    length: Annotated[
        Optional[str],
        _of_spans("Take the last end for the length of a document that nobody gave.", metavar="last-end"),
    ] = None,
    offsets: Annotated[str, _of_spans("What offsets count.", metavar="codepoints|utf-16|bytes|tokens")] = "codepoints",
    trim: Annotated[bool, _of_spans("Take away white space at the edges of spans.", "--trim")] = False,
    relations: Annotated[
        Optional[str],
        _of_spans(
            "Table of document, annotator, type, head and tail, the last two by the ids of spans (a column id).",
            metavar="FILE",
        ),
    ] = None,
    attributes: Annotated[Optional[str], _of_spans("Columns with attributes of spans.", metavar="A,B")] = None,
    rename: Annotated[Optional[list[str]], _clean("Call a label otherwise. Repeatable.", metavar="OLD=NEW")] = None,
    merge: Annotated[Optional[list[str]], _clean("Take labels as one. Repeatable.", metavar="A,B=NEW")] = None,
    ignore_case: Annotated[
        bool, _clean("Labels that differ only by case, or by blanks around them, are one.", "--ignore-case")
    ] = False,
    only: Annotated[
        Optional[list[str]],
        _clean("Keep these annotators, labels or items, as in labels=yes,no. Repeatable.", metavar="KIND=A,B"),
    ] = None,
    without: Annotated[
        Optional[list[str]],
        _clean("Leave out these annotators, labels or items, as in annotators=bob. Repeatable.", metavar="KIND=A,B"),
    ] = None,
    columns: Sequence[str] = (),
) -> Any:
    """Read a table or an export as a command was told to."""
    # The type is Annotations; it is not named because typer evaluates the signature, and that must not import it.
    given = locals()
    from assent.cli.progress import stage
    from assent.readers import read

    # A table that was opened before has a name of its own.
    sources = files or ()
    with stage(f"Reading {', '.join(str(getattr(file, 'name', file)) for file in sources)}"):
        return read(*sources, **reading_options(given))


#: What is read, in place of how.
_SOURCES = ("files", "file_format", "example", "table")


def reading_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a command that say how to read a table, as `assent.read` takes them."""
    known = inspect.signature(table_options).parameters
    said = {name: given[name] for name in known if name in given and name not in _SOURCES}
    return option_texts.reading_options({**said, "format": given.get("file_format")})
