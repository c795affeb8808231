"""Read files once, and keep what was recognised on the way, also where it ends in a refusal."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from msgspec.structs import replace

from assent.analyses.labels.spellings import similar_labels
from assent.analyses.look.commands import commands_for_export, commands_for_kind, commands_for_table
from assent.analyses.look.result import ColumnSeen, Look, QuestionSeen
from assent.data import Dataset, Dropped
from assent.data.missing_texts import missing_labels
from assent.data.natural_order import natural_order
from assent.errors import AssentError, UnreadableFile
from assent.limits import LOOK_CELL, LOOK_COLUMNS, LOOK_EXAMPLES, LOOK_LABELS, LOOK_ROWS, MOST_ASKED
from assent.readers.detected import Detected
from assent.readers.exports import Answers
from assent.readers.exports import Spans as AskedSpans
from assent.readers.from_exports import MEASURED, ExportChoices, OpenedExport, reason_of
from assent.readers.opened import held_table, look_for_export, open_data
from assent.readers.opening import open_tables
from assent.readers.reading import Reading
from assent.readers.recognised import RecognisedTable, recognised_table, sample_of
from assent.readers.settings import with_settings
from assent.readers.sources import Origin
from assent.readers.tables import Table, as_text, by_file_name, column, joined, readable
from assent.scales import numbers
from assent.text import escaped, shortened, shown

__all__ = ["look"]

_EMAIL = re.compile(r"[^@\s\"'<>,;()\[\]{}]+@[^@\s\"'<>,;()\[\]{}]+\.[^@\s\"'<>,;()\[\]{}.]+")
HIDDEN = "(e-mail address)"

#: What a question is called whose data are of a kind of their own.
_SEEN_AS = {"label-sets": "set", "spans": "spans"}


def look(*sources: Origin | Table, **options: Any) -> Look:
    r"""Say how files would be read and why, what is in them, and which options change that. Nothing is measured.

    Parameters
    ----------
    *sources : path, open binary file or "-"
        A table of any format and layout, or the export of an annotation tool; or one DataFrame, mapping of columns or list of records.
    **options
        As `assent.read` takes them. E-mail addresses are shown with ``names=True`` alone.

    Returns
    -------
    Look
        Also where `assent.read` refuses; it then holds the reason.

    Raises
    ------
    UnreadableFile
        If there is nothing to look at: no such file, a broken or hostile archive, no text.

    Examples
    --------
    >>> import io
    >>> found = look(io.BytesIO(b"unit,coder,code\n1,ann,a\n1,bob,a\n2,ann,b\n2,bob,A\n"))
    >>> found.layout, [(one.name, one.role) for one in found.columns]
    ('long', [('unit', 'item'), ('coder', 'annotator'), ('code', 'label')])
    >>> found.questions[0].labels
    (('a', 2), ('A', 1), ('b', 1))
    """
    held = held_table(sources)
    if held is not None:
        found = _of_table([held[0]], Reading(**options), [held[0].name], [], held=sources[0])
        # There is no file that a command could name.
        return replace(found, commands=())
    reading, told = with_settings(sources, Reading(**options))
    names = [str(getattr(one, "name", one)) for one in sources]
    export, left = look_for_export(sources, reading)
    if export is not None:
        try:
            found = _of_export(export.read(), reading, names)
        except AssentError as error:
            reader = export.reader
            found = Look(name=", ".join(names), format=reader.title, layout=reader.name, refused=str(error))
    else:
        # An example is no file: a command names it as the user did.
        given = [part for one, name in zip(sources, names, strict=True) for part in getattr(one, "given", (name,))]
        found = _of_table(left, replace(reading, names=False), names, given)
    found = replace(found, notes=(*found.notes, told)) if told else found
    return found if reading.names else _without_addresses(found)


def _of_export(export: OpenedExport, reading: Reading, names: Sequence[str]) -> Look:
    choices, held = reading.choices(), export.export
    if reading.question is None:
        export.check_number()
    elif len(held.questions) > MOST_ASKED:
        held = replace(held, questions=(export.named(reading.question),))
    several = len(held.questions) > 1
    seen, rows = [], []
    dropped = [Dropped(reason_of(one), one.rows) for one in held.left_out]
    notes = [held.summary(), *held.notes]
    for one in held.questions:
        seen.append(_asked(export, one, choices))
        rows += _first_answers(one)
        where = f" in {shown(one.name)}" if several else ""
        dropped += [Dropped(f"{reason_of(left)}{where}", left.rows) for left in one.left_out]
        notes += [f"{one.name}: {note}" if several else note for note in one.notes]
    try:
        taken = export.first() if reading.question is None else export.named(reading.question)
        refused = next(one.refused for one, held_by in zip(seen, held.questions, strict=True) if held_by is taken)
    except AssentError as error:
        refused = str(error)
    return Look(
        name=", ".join(names),
        format=held.format,
        layout=export.reader.name,
        questions=tuple(seen),
        header=("question", "item", "annotator", "answer"),
        rows=tuple(rows),
        dropped=tuple(dropped),
        notes=tuple(map(escaped, notes)),
        refused=refused,
        commands=commands_for_export(export, names, reading),
    )


def _asked(export: OpenedExport, question: Answers | AskedSpans, choices: ExportChoices) -> QuestionSeen:
    """Return what the answers to a question are, and why they could not be measured if they could not."""
    why = None if question.kind in MEASURED else str(export.refusal(question))
    if question.kind in MEASURED:
        try:
            data = export.dataset(question, choices)
        except AssentError as error:
            why = str(error)
        else:
            return _question(question.name, question.kind, data, why)
    values = question.label if isinstance(question, AskedSpans) else question.value
    items = {d for d, _ in question.seen} if isinstance(question, AskedSpans) else set(question.item)
    return QuestionSeen(
        name=question.name,
        kind=question.kind,
        n_items=len(items),
        n_annotators=len(set(question.annotator)),
        n_annotations=len(values),
        refused=why,
    )


def _first_answers(question: Answers | AskedSpans) -> list[tuple[str, ...]]:
    """Return the first answers to a question, two or three of them."""
    rows: list[tuple[str, ...]] = []
    if isinstance(question, AskedSpans):
        for document, who, parts, label in zip(
            question.document[:3], question.annotator[:3], question.parts[:3], question.label[:3], strict=True
        ):
            where = ", ".join(f"{begin} to {end}" for begin, end in parts)
            rows.append((question.name, document, who, f"{label}: {where}"))
    else:
        for item, who, value in zip(question.item[:3], question.annotator[:3], question.value[:3], strict=True):
            # What shares a place in a ranking stands in it as a tuple.
            entries = value if isinstance(value, tuple) else (value,)
            told = "; ".join(" = ".join(one) if isinstance(one, tuple) else str(one) for one in entries)
            rows.append((question.name, item, who, told))
    return [tuple(shortened(cell, LOOK_CELL) for cell in row) for row in rows]


def _of_table(
    sources: Sequence[Origin | Table], reading: Reading, names: Sequence[str], given: Sequence[str], *, held: Any = None
) -> Look:
    tables = [one for one in sources if isinstance(one, Table)]
    files = [one for one in sources if not isinstance(one, Table)]
    several = reading.questions is not None or bool(reading.question_columns)
    if not several:
        tables += open_tables(
            files,
            format=reading.format,  # type: ignore[arg-type]
            delimiter=reading.delimiter,
            encoding=reading.encoding,
            sheet=reading.sheet,
            skip_rows=reading.skip_rows,
        )
    recognised: RecognisedTable | None = None
    detected: Detected | None = None
    seen: list[QuestionSeen] = []
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    refused: str | None = None
    candidates: Sequence[Mapping[str, str]] = ()
    other: Dataset | None = None
    table: Table | None = None if several else _all_of(tables, reading)
    try:
        if several:
            opened = open_data(files, reading)
            assert opened.tables is not None
            each = dict(opened.tables)
        else:
            reading.check_table()
            each = {"": lambda: recognised_table(tables, reading, held=held)}
        for name, recognise in each.items():
            recognised = recognise()
            table, detected = recognised.table, recognised.detected
            notes = (*table.notes, *(() if detected is None else detected.notes))
            data = reading.cleaned(recognised.annotations())
            seen.append(_question(name, "label", data, None))
            dropped, notes = data.dropped, data.notes
            other = data if detected is None else None
            refused = refused or seen[-1].refused
    except UnreadableFile:
        raise
    except AssentError as error:
        refused = str(error)
        candidates = getattr(error, "candidates", ())
    if table is None:
        return Look(name=", ".join(names), format=_format(names, None, reading), layout=None, refused=refused)
    # What was made of the columns while reading is none of them.
    columns = [name for name in table.columns if not name.startswith("\x00")]
    with readable(table):
        frame = table.frame.head(LOOK_ROWS).select(map(column, columns)).lazy().collect()
    roles = _roles(detected) if other is None else _other_roles(other)
    with readable(table):
        sample = sample_of(table, set()) if recognised is None else recognised.sample
    return Look(
        name=", ".join(names),
        format=_format(names, table, reading),
        layout=other.to_dict()["layout"] if other is not None else None if detected is None else detected.layout,
        columns=tuple(_column(name, roles(name), sample, table) for name in columns[:LOOK_COLUMNS]),
        n_columns=len(columns),
        questions=tuple(seen),
        header=tuple(columns[:LOOK_COLUMNS]),
        rows=_as_rows(frame.select(pl.nth(range(min(len(columns), LOOK_COLUMNS)))), table),
        dropped=dropped,
        notes=notes,
        refused=refused,
        commands=commands_for_table(
            detected,
            table,
            sample,
            seen,
            given,
            reading if recognised is None else recognised.reading,
            refused=refused is not None,
            candidates=candidates,
        )
        if other is None
        else commands_for_kind(other, given, reading),
    )


def _all_of(tables: Sequence[Table], reading: Reading) -> Table:
    """Return the tables of several files as one, with who annotated if the names of the files say it."""
    pattern = reading.annotator_from_name
    return joined(tables if pattern is None else [by_file_name(one, pattern) for one in tables])


def _question(name: str, kind: str, data: Dataset, refused: str | None) -> QuestionSeen:
    counts = data._label_counts()
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    kind = _SEEN_AS.get(data.kind, kind)
    decimal = getattr(data, "_decimal", ".")
    missing = missing_labels(counts)
    if refused is None and not data._comparable:
        refused = data._nothing_to_compare()
    left = [label for label in counts if label not in missing]
    return QuestionSeen(
        name=name,
        kind=kind,
        n_items=data.n_items,
        n_annotators=data.n_annotators,
        n_annotations=data.n_annotations,
        labels=tuple(ranked[:LOOK_LABELS]),
        n_labels=len(counts),
        similar=similar_labels(counts)[:LOOK_LABELS],
        missing=missing,
        numeric=kind != "spans" and len(left) > 2 and numbers(left, decimal) is not None,
        order=natural_order(list(counts)) or () if kind == "label" else (),
        refused=refused,
    )


def _roles(found: Detected | None) -> Callable[[str], str]:
    if found is None:
        return lambda name: ""
    listed = "item" if found.transposed else "labels of an annotator" if found.layout == "wide" else "count of a label"
    if found.layout == "table":
        listed = "label of the second annotator"
    roles = dict.fromkeys(found.columns, listed if found.label is None else "a label: given or not")
    named = {
        found.item: "item",
        found.annotator: "annotator",
        found.label: "label",
        found.cluster: "cluster",
        found.gold: "gold",
    }
    roles |= {name: role for name, role in named.items() if name is not None}
    roles |= {name: "document" if role == "item" else role for name, role in found.roles.items()}
    return lambda name: roles.get(name, "not used")


def _other_roles(data: Dataset) -> Callable[[str], str]:
    """Return what the columns of another kind of data are."""
    # The objects of a set may stand in several columns.
    roles = getattr(data, "roles", {}).items()
    known = {part: role for role, name in roles for part in (name, *(name.split(",") if role == "shown" else ()))}
    return lambda name: known.get(name, "not used" if known else "")


def _column(name: str, role: str, sample: pl.DataFrame | None, table: Table) -> ColumnSeen:
    if name in table.nested or sample is None or name not in sample.columns:
        return ColumnSeen(name=name, role="lists or records" if name in table.nested and role == "not used" else role)
    values = sample[name].alias("").drop_nulls().unique(maintain_order=True)
    return ColumnSeen(
        name=name,
        role=role,
        distinct=len(values),
        examples=tuple(shortened(str(one), 30) for one in values.head(LOOK_EXAMPLES)),
    )


def _as_rows(frame: pl.DataFrame, table: Table) -> tuple[tuple[str, ...], ...]:
    texts = frame.select(
        pl.lit("[…]").alias(name) if name in table.nested else as_text(name, kind)
        for name, kind in frame.schema.items()
    )
    return tuple(tuple("" if cell is None else shortened(cell, LOOK_CELL) for cell in row) for row in texts.iter_rows())


def _format(names: Sequence[str], table: Table | None, reading: Reading) -> str:
    if reading.format is not None:
        return reading.format
    if table is not None and table.delimiter is not None:
        return "tsv" if table.delimiter == "\t" else "csv"
    endings = [one.lower() for one in Path(os.fspath(names[0] if names else "")).suffixes if one.lower() != ".gz"]
    return (
        {"ndjson": "jsonl", "pq": "parquet", "xlsm": "xlsx"}.get(endings[-1][1:], endings[-1][1:])
        if endings
        else "table"
    )


def _hidden(text: str) -> str:
    return _EMAIL.sub(HIDDEN, text) if "@" in text else text


def _without_addresses(found: Look) -> Look:
    """Return the same with e-mail addresses hidden wherever they stand."""
    return replace(
        found,
        columns=tuple(
            replace(one, name=_hidden(one.name), examples=tuple(map(_hidden, one.examples))) for one in found.columns
        ),
        questions=tuple(
            replace(
                one,
                name=_hidden(one.name),
                labels=tuple((_hidden(label), many) for label, many in one.labels),
                similar=tuple(
                    replace(pair, first=_hidden(pair.first), second=_hidden(pair.second)) for pair in one.similar
                ),
                refused=None if one.refused is None else _hidden(one.refused),
            )
            for one in found.questions
        ),
        header=tuple(map(_hidden, found.header)),
        rows=tuple(tuple(map(_hidden, row)) for row in found.rows),
        dropped=tuple(Dropped(_hidden(one.reason), one.rows) for one in found.dropped),
        notes=tuple(map(_hidden, found.notes)),
        refused=None if found.refused is None else _hidden(found.refused),
        commands=tuple(
            replace(one, command=_hidden(one.command), purpose=_hidden(one.purpose)) for one in found.commands
        ),
    )
