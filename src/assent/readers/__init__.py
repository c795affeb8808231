"""From files to annotations: format, layout and columns are recognised, and every guess can be overruled."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import polars as pl

from assent.data import Annotations
from assent.data.coerce import with_category_order
from assent.data.messages import reading_of
from assent.errors import DuplicateAnnotations, EmptyTable, OptionError, choose
from assent.label_sets import Parse
from assent.readers.columnar import unreadable_parquet
from assent.readers.external_engine import ENGINES, opened_elsewhere
from assent.readers.layouts import LAYOUTS, Detected, Layout, Overrides, recognise
from assent.readers.objects import object_table, parallel_lists
from assent.readers.opening import open_tables
from assent.readers.reshape import to_annotations
from assent.readers.sets import SetOptions, apart, cell_parser, indicators, with_lists_as_text
from assent.readers.tables import Table, as_text, further, joined

__all__ = ["MISSING", "Table", "named_columns_of", "read"]

MISSING = ("NA", "N/A", "NaN", "null")
"""Label texts that mean "no label" unless the user says otherwise; an empty cell always does."""

_SAMPLE = 5_000


def read(
    *sources: Any,
    layout: Layout | None = None,
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
    duplicates: Literal["error", "first", "last"] = "error",
    sheet: str | None = None,
    format: Literal["csv", "tsv", "json", "jsonl", "parquet", "xlsx"] | None = None,
    columns: Sequence[str] = (),
    multilabel: bool | None = None,
    separator: str | None = None,
    labels: Sequence[str] = (),
    rank: str | None = None,
    ranked: bool = False,
    none: Sequence[str] = (),
    engine: Literal["polars", "duckdb", "spark"] = "polars",
    master: str | None = None,
) -> Annotations:
    r"""Read annotations from one or more files.

    The format, the layout and the columns are recognised; the notes of the result say as what.
    Whatever is said outright is not guessed.

    Parameters
    ----------
    *sources : path, open binary file or "-"; or one table
        Files with the same columns. "-" is standard input; a pattern such as ``labels/*.parquet``
        is all files that match it; a directory is all Parquet files in it. Or a DataFrame (pandas, polars, pyarrow, DuckDB, Spark), a
        mapping of columns, or a list of records, whose columns are recognised in the same way.
    layout : {"long", "wide", "counts", "table"}, optional
        Or the name of a layout of another kind of data; the result is then a data set of that kind. One row an annotation; one row an item and one column an annotator; one row an item and one
        column a label, with the number of annotators who gave it; or two annotators crossed.
    item, annotator, label : str, optional
        Columns of a long table. A wide one or one of counts may have an item column, too.
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
    duplicates : {"error", "first", "last"}
        What to do when an annotator labelled an item more than once.
    sheet : str, optional
        Sheet of a workbook; the first if not given.
    format : {"csv", "tsv", "json", "jsonl", "parquet", "xlsx"}, optional
        What the files are, if neither name nor content shows it.
    columns : sequence of str
        Further columns to keep beside each annotation, such as a time or the text of the item, for `Annotations.to_rows`.
    multilabel : bool, optional
        Whether annotations may hold several labels: in several rows, or in one cell. Recognised if not given.
    separator : str, optional
        What stands between several labels in a cell, as ``;`` does in ``A;B``.
    labels : sequence of str
        Columns with 0 and 1, one a label, in place of a label column.
    rank : str, optional
        Column that says which of several rows holds the primary label (1, 2, … or primary, secondary).
    ranked : bool
        The order of the labels in a cell is their rank: the first one is primary.
    none : sequence of str
        Label texts that mean "none of the labels": the empty set, which is an annotation, not a missing one. An empty list,
        ``[]``, and a row of zeros always do.
    engine : {"polars", "duckdb", "spark"}
        Who reads Parquet files and counts labels by item; with duckdb and spark the rows never come here.
    master : str, optional
        Address of a Spark cluster, such as ``spark://host:7077``; the running session, or this machine, if not given.

    Returns
    -------
    Annotations

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
    'Read as long: item = "unit", annotator = "coder", label = "code" (say otherwise with --item, --annotator, --label).'
    """
    lists = {"annotators": annotators, "missing": missing, "not_missing": not_missing, "columns": columns}
    for name, given in {**lists, "labels": labels, "none": none}.items():
        if isinstance(given, str):
            raise OptionError(f"{name} takes a list of names, not one text.")
    choose("duplicates", duplicates, ("error", "first", "last"))
    other = None
    if layout is not None and layout not in LAYOUTS:
        from assent.readers.kinds import OTHER_LAYOUTS, layout_names

        other = OTHER_LAYOUTS.find(choose("layout", layout, layout_names()))
    if decimal is not None:
        choose("decimal", decimal, (".", ","))
    said = Overrides(
        layout=layout, item=item, annotator=annotator, label=label, cluster=cluster, transpose=transpose,
        annotators=None if annotators is None else tuple(annotators),
    )  # fmt: skip
    sets = SetOptions(
        multilabel=multilabel, separator=separator, rank=rank, ranked=ranked, none=tuple(none), labels=tuple(labels)
    )
    tokens = (set(MISSING) | set(missing)) - {*not_missing, *none}
    choose("engine", engine, ENGINES)
    if master is not None and engine != "spark":
        raise OptionError("master is the address of a Spark cluster: add --engine spark, or leave it out.")
    # A table that was opened before, such as the rows of one of several questions, is not opened again.
    tables = [origin for origin in sources if isinstance(origin, Table)]
    files = [origin for origin in sources if not isinstance(origin, Table)]
    elsewhere = None
    held = _held(files)
    if held is not None:
        found_table, elsewhere = held
        tables, files = [parallel_lists(found_table) or found_table], []
    if engine != "polars" and files:
        table, elsewhere = opened_elsewhere(files, engine, said=format, master=master, sample_rows=_SAMPLE)
        tables, files = [table], []
    tables += open_tables(files, format=format, delimiter=delimiter, encoding=encoding, sheet=sheet)
    table = joined(tables)
    if other is not None:
        return other(table, said)  # type: ignore[return-value]
    recognised: Detected | None = None
    try:
        sets.check(table.columns)
        table, lists_in = with_lists_as_text(table, _SAMPLE)
        sample = _sample(table, tokens)
        if sample.is_empty():
            raise EmptyTable(f"{table.name} has column names but no rows; there must be at least one.")
        # What is kept for later is neither a label nor an annotator, unless it was said to be.
        kept = further(columns, table.columns)
        aside = [name for name in dict.fromkeys([*kept, *apart(sets)]) if name not in said.columns]
        in_view = [name for name in table.columns if name not in aside]
        parse: Parse | None
        of_columns = indicators(table, in_view, sample, said, sets)
        if of_columns is not None:
            table, recognised, parse = of_columns
        else:
            recognised = recognise(
                in_view, sample[in_view], said, whole=sample.height < _SAMPLE, nested=table.nested - {*aside}
            )
            parse, notes = cell_parser(recognised, sample, sets, lists_in)
            recognised = replace(recognised, notes=(*recognised.notes, *notes))
        made = to_annotations(
            table,
            recognised,
            sample=sample,
            columns=kept,
            missing=tokens,
            duplicates=duplicates,
            decimal=decimal,
            sets=sets,
            parse=parse,
            elsewhere=elsewhere,
        )
        if held is None:
            return made
        # Only a file has a first line.
        made = replace(made, notes=tuple(note for note in made.notes if not note.startswith("The first line was read")))
        labels = [recognised.label] if recognised.label is not None else list(recognised.columns)
        return with_category_order(made, sources[0], labels)
    except (EmptyTable, DuplicateAnnotations) as error:
        # Whoever sees that a table cannot be used must know what it was taken for.
        told = "" if recognised is None else reading_of(recognised.notes)
        raise type(error)(f"{str(error).removesuffix('.')}{told}.") from None
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        if isinstance(table.frame, pl.DataFrame):
            raise
        # A Parquet file is read only now, and may turn out to be broken in the middle.
        raise unreadable_parquet(table.name, error) from None


def _held(sources: Sequence[Any]) -> tuple[Table, Any] | None:
    """Return the table that a program holds, if it is one rather than files."""
    from assent.errors import InputError

    plain = (str, os.PathLike)
    given = [one for one in sources if not isinstance(one, plain) and not hasattr(one, "read")]
    if not given:
        return None
    if len(sources) > 1:
        raise InputError("A table that is no file is read alone: join it with the others first.")
    return object_table(given[0], _SAMPLE)


def named_columns_of(names: Sequence[str]) -> tuple[str | None, bool]:
    """Return which of some columns names the items, and whether the names are those of a long table."""
    from assent.readers import detect_by_names

    named = {
        role: [name for name in names if detect_by_names.named(name, role)] for role in ("item", "annotator", "label")
    }
    item = named["item"][0] if named["item"] else None
    return item, all(named.values()) and len(names) >= 3


def _sample(table: Table, missing: set[str]) -> pl.DataFrame:
    """Return the first rows as text, null where a label would be missing."""
    kinds = table.frame.collect_schema()
    empty = pl.lit(None, pl.String)
    texts = (
        table.frame.head(_SAMPLE)
        .lazy()
        .select(empty.alias(name) if name in table.nested else as_text(name, kind) for name, kind in kinds.items())
    )
    # A cell of blanks holds nothing, as an empty one does.
    held = ~pl.all().is_in(list(missing)) & (pl.all().str.strip_chars() != "")
    return texts.select(pl.when(held).then(pl.all()).name.keep()).collect()
