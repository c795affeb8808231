"""Which columns of a table hold spans: said by the user, or recognised by their names and what is in them."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from assent.data.reading_notes import ReadingNote
from assent.errors import OptionError, UnknownColumn, UnknownLayout, did_you_mean
from assent.readers import detect_by_names
from assent.readers.detected import Detected
from assent.readers.overrides import Overrides
from assent.readers.tables import Table, as_text, columns_shown
from assent.text import shown

__all__ = ["holds_spans", "span_columns"]

#: Rows that are looked at.
_SAMPLE = 1_000
#: Offsets beyond this are moments in time.
_FAR = 100_000_000
_QUOTES = ("quote", "quotedtext", "spantext", "coveredtext", "surface", "surfaceform", "mention", "text", "content")
_TEXTS = ("documenttext", "doctext", "fulltext", "sentencetext", "passagetext", "text", "content", "body")
_FRAGMENTS = ("fragments", "fragment", "parts", "offsets", "segments")


def holds_spans(table: Table, said: Overrides) -> bool:
    """Tell whether a table whose layout was not said holds spans: numbers in most cells of a start and an end, and who marked them."""
    columns = [name for name in table.columns if name not in table.nested]
    if said.spans.start is not None or said.spans.end is not None:
        return True
    if said.transpose or said.annotators is not None:
        return False
    starts, ends = (detect_by_names.find(role, columns) for role in ("start", "end"))
    if not starts or not ends or not (said.annotator or detect_by_names.find("annotator", columns)):
        return False
    kinds = table.frame.collect_schema()
    sample = (
        table.frame.head(_SAMPLE)
        .lazy()
        .select(as_text(name, kinds[name]).cast(pl.Float64, strict=False) for name in (starts[0], ends[0]))
        .collect()
    )
    texts = (
        table.frame.head(_SAMPLE).lazy().select(as_text(name, kinds[name]) for name in (starts[0], ends[0])).collect()
    )
    filled = (texts != "").sum().row(0)
    numbers = sample.select(pl.all().is_not_null().sum()).row(0)
    # A few cells that are no numbers, and ends before their starts, are faults of spans, to be told as such, and not another kind of table.
    if not all(known > one / 2 for known, one in zip(numbers, filled, strict=True)):
        return False
    return float(sample.to_series(1).max() or 0) < _FAR  # type: ignore[arg-type]


def span_columns(table: Table, said: Overrides) -> Detected:
    """Return which column is what in a table of spans; refuse it if one that is needed cannot be told."""
    columns = [name for name in table.columns if name and name not in table.nested]
    named = {
        "item": said.item, "annotator": said.annotator, "start": said.spans.start, "end": said.spans.end, "label": said.label,
    }  # fmt: skip
    for role, name in named.items():
        if name is not None and name not in table.columns:
            raise UnknownColumn(
                f"`{role}` names the column {shown(name)}, which the table does not have; {did_you_mean(name, table.columns)}"
            )
    if said.transpose or said.annotators is not None or said.cluster is not None:
        wrong = "transpose" if said.transpose else "annotators" if said.annotators is not None else "cluster"
        raise OptionError(f"`{wrong}` does not fit a table of spans, which has a row for each span: leave it out.")
    taken = [name for name in named.values() if name is not None]
    twice = next((name for name in taken if taken.count(name) > 1), None)
    if twice is not None:
        raise OptionError(f"The column {shown(twice)} was named for two things at once; each needs its own.")
    found = {role: name for role, name in named.items() if name is not None}
    for role in ("start", "end", "annotator", "label", "item"):
        left = [name for name in columns if name not in found.values()]
        if role not in found and (fitting := _fitting(role, left)):
            found[role] = fitting[0]
    lacking = [role for role in ("item", "annotator", "start", "end") if role not in found]
    if lacking:
        options = " and ".join(f"`{role}`" for role in lacking)
        raise UnknownLayout(
            f"It cannot be told which column holds the {' and the '.join(lacking)} of spans among {columns_shown(columns)}; say it with "
            f"{options}."
        )
    rest = [name for name in columns if name not in found.values()]
    more = {"text": first_named(rest, (*_QUOTES, *_TEXTS)), "fragments": first_named(rest, _FRAGMENTS)}
    # A column of document texts may stand beside one of quoted texts.
    more["document text"] = first_named([name for name in rest if name != more["text"]], _TEXTS)
    roles = {name: role for role, name in {**found, **more}.items() if name is not None}
    order = [role for role in ("item", "annotator", "start", "end", "label") if role in found]
    where = ", ".join(f"{'document' if role == 'item' else role} = {shown(found[role])}" for role in order)
    note = ReadingNote(f"Read as spans: {where}", "`document`, `annotator`, `start`, `end`, `label`", code="table")
    return Detected(
        layout="spans",
        item=found["item"],
        annotator=found["annotator"],
        label=found.get("label"),
        roles=roles,
        notes=(note,),
    )


def _fitting(role: str, columns: Sequence[str]) -> list[str]:
    if role == "label":
        exact = [
            name for name in columns if _squeezed(name) in ("label", "type", "entitytype", "spanlabel", "entity", "tag")
        ]
        return [*exact, *(name for name in detect_by_names.find("label", columns) if name not in exact)]
    return detect_by_names.find(role, columns)


def first_named(columns: Sequence[str], names: Sequence[str]) -> str | None:
    """Return the column that has the first of these names, whatever its case and signs; None if there is none."""
    squeezed = {_squeezed(name): name for name in reversed(columns)}
    return next((squeezed[name] for name in names if name in squeezed), None)


def _squeezed(name: str) -> str:
    return "".join(one for one in name.casefold() if one.isalnum())
