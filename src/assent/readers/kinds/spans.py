"""Tables with a row for each span: document, annotator, start, end and label."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from msgspec import field
from msgspec.structs import replace

from assent.data import Dataset, Dropped, Spans
from assent.data.held_spans import HeldSpans
from assent.data.span_links import Attribute, Relations
from assent.engines.spans import SpanSource
from assent.errors import EmptyTable, InputError, OptionError
from assent.limits import BAD_SPANS_SHOWN
from assent.profiles import Array
from assent.readers.kinds import layout
from assent.readers.overrides import Overrides
from assent.readers.span_columns import span_columns
from assent.readers.span_documents import Documents, known_documents, unit_ends
from assent.readers.span_links import read_relations, span_ids, spans_attributes
from assent.readers.span_options import OFFSETS, SpanOptions
from assent.readers.tables import Table, as_text
from assent.records import Struct
from assent.text import counted, listed, shown

__all__ = ["SpanRows", "held_spans", "made_spans", "read_spans"]

#: Columns that an engine counts.
ENGINE_ROLES = ("document", "annotator", "start", "end", "label")
#: What a span is called where nobody named it.
NO_LABEL = "span"
#: Columns beside the spans: attributes, and what relations call a span.
ATTRIBUTE, ID = "span-attribute ", "span-id"
#: Offsets of millions of documents must fit into one number.
FARTHEST = 2**40
#: Times are counted in steps of at least a millionth.
MOST_DECIMALS = 6
#: How long a text is in what offsets count.
_SIZES: dict[str, Callable[[str], int]] = {
    "codepoints": len,
    "utf-16": lambda text: len(text.encode("utf-16-le")) // 2,
    "bytes": lambda text: len(text.encode()),
}
_PARTS = re.compile(r"(?:^|;)\s*(\d+(?:\.\d+)?)\s*(?:[,:\s]|\.\.|-)\s*(\d+(?:\.\d+)?)\s*(?=;|$)")


class SpanRows(Struct, frozen=True, kw_only=True, eq=False):
    """Spans as they were found, before they are checked.

    Parameters
    ----------
    row : array (spans,)
        Where each stands in the table, from 1.
    start, end : array (spans,)
    judged : (Series, Series)
        Documents and annotators of rows without offsets.
    fragments : mapping of int to sequence of (begin, end)
        By place in the columns.
    quoted : Series, optional
        What each span is said to cover.
    links : DataFrame, optional
        Attributes of spans, and the names by which relations call them.
    """

    row: Array
    document: pl.Series
    annotator: pl.Series
    start: Array
    end: Array
    label: pl.Series
    judged: tuple[pl.Series, pl.Series]
    fragments: Mapping[int, Sequence[tuple[int, int]]] = field(default_factory=dict)
    quoted: pl.Series | None = None
    links: pl.DataFrame | None = None


@layout("spans")
def read_spans(table: Table, said: Overrides) -> Dataset:
    """Take rows of document, annotator, start, end and label; a row without start and end says that somebody found nothing."""
    return _read(table, said)


def _read(table: Table, said: Overrides) -> Spans:
    options = said.spans
    found = span_columns(table, said)
    roles = {role: name for name, role in found.roles.items()}
    kinds = table.frame.collect_schema()
    wanted = [name for role in ("item", "annotator", "start", "end", "label", "text", "fragments", "document text")
              if (name := roles.get(role)) is not None]  # fmt: skip
    frame = (
        table.frame.lazy()
        .select(as_text(name, kinds[name]).alias(name) for name in wanted)
        .rename({name: role for role, name in roles.items() if name in wanted})
        .collect()
    )
    if frame.is_empty():
        raise EmptyTable(f"{table.name} has column names but no rows; there must be at least one.")
    frame = frame.with_columns(pl.int_range(1, frame.height + 1).alias("row"))
    if options.attributes:
        more = spans_attributes(table, options.attributes)
        frame = frame.with_columns(one.alias(f"{ATTRIBUTE}{name}") for name, one in more.items())
    if options.relations is not None:
        frame = frame.with_columns(span_ids(table, wanted).alias(ID))
    blank = {role: _blank(frame[role]) for role in ("item", "annotator", "start", "end")}
    nobody = blank["item"] | blank["annotator"]
    dropped = [*table.dropped]
    if nobody.any():
        dropped.append(Dropped("no document or no annotator", int(nobody.sum())))
        frame = frame.filter(~nobody)
        blank = {role: one.filter(~nobody) for role, one in blank.items()}
    parts = _blank(frame["fragments"]) if "fragments" in frame.columns else None
    empty = blank["start"] & blank["end"] & (True if parts is None else parts)
    rows, judged = frame.filter(~empty), frame.filter(empty)
    numbers, fragments, step = _offsets(rows, table.name)
    notes = [*table.notes, *found.notes]
    if step > 1:
        notes.append(f"Offsets are no whole numbers: they are counted in steps of {1 / step:g}.")
    if "label" not in frame.columns:
        notes.append(f"There is no column of labels: all spans are of one label, {shown(NO_LABEL)}.")
    label = rows["label"] if "label" in rows.columns else pl.repeat(NO_LABEL, rows.height, dtype=pl.String, eager=True)
    texts, quoted = _texts_in(rows, frame, held=options.texts is not None)
    if texts and "document text" not in frame.columns:
        notes.append(
            f"The column {shown(roles['text'])} is the same in all rows of a document and is taken for its text."
        )
    held = SpanRows(
        row=rows["row"].to_numpy(),
        document=rows["item"],
        annotator=rows["annotator"],
        start=numbers[0],
        end=numbers[1],
        label=label,
        judged=(judged["item"], judged["annotator"]),
        fragments=fragments,
        quoted=quoted,
        links=rows.select(pl.col("^span-.*$")),
    )
    return made_spans(
        held,
        options,
        name=table.name,
        texts=texts,
        step=step,
        unnamed=_blank(label).arg_true().to_list(),
        dropped=dropped,
        notes=notes,
    )


def held_spans(table: Table, said: Overrides, native: Any) -> Spans | HeldSpans:
    """Take spans that live in an engine, of which the table is a sample; they come here if there is more to do than to count them."""
    found = span_columns(table, said)
    roles = {"document" if role == "item" else role: name for name, role in found.roles.items()}
    source = SpanSource.of(native, {role: name for role, name in roles.items() if role in ENGINE_ROLES}, NO_LABEL)

    def bring() -> Spans:
        rows = source.here(source.survey().rows)
        columns = replace(said.spans, start="start", end="end")
        named = replace(said, item="document", annotator="annotator", label="label", spans=columns)
        # An engine's rows have no order.
        return replace(_read(replace(table, frame=rows), named), _rows=None)

    options = said.spans
    if options.relations is not None or options.attributes:
        raise OptionError("`relations` and `attributes` are read here: leave out the engine.")
    plain = options.lengths is None and options.texts is None and options.length is None and not options.trim
    if not plain or options.offsets in ("utf-16", "bytes") or "fragments" in roles:
        return bring()
    return HeldSpans(source=source, bring=bring, offsets=OFFSETS[options.offsets], notes=found.notes)


def made_spans(
    rows: SpanRows,
    options: SpanOptions,
    *,
    name: str,
    texts: Mapping[str, str] | None = None,
    lengths: Mapping[str, int] | None = None,
    step: int = 1,
    unnamed: Sequence[int] = (),
    dropped: Sequence[Dropped] = (),
    notes: Sequence[str] = (),
    **about: Any,
) -> Spans:
    """Check spans, count them in code points where the texts are known, and gather them.

    Parameters
    ----------
    name : str
        Of the table, for messages.
    texts, lengths : mapping, optional
        What is known of documents already.
    step : int
        Steps that offsets count in a unit of the table.
    unnamed : sequence of int
        Places of spans that should have a label and have none.
    dropped, notes : sequence
        What is known about the table.
    **about
        Further fields of the spans.
    """
    documents = sorted({*rows.document.unique(), *rows.judged[0].unique()})
    if options.offsets == "tokens" and (options.trim or options.texts is not None):
        raise OptionError("Tokens have no white space at their edges and need no texts: leave out `trim` and `texts`.")
    given = known_documents(documents, lengths=options.lengths, texts=options.texts, encoding=options.encoding)
    held = Documents(texts={**(texts or {}), **given.texts}, lengths={**(lengths or {}), **given.lengths})
    sizes = {one: round(size * step) for one, size in held.lengths.items()}
    _check(rows, sizes, held.texts, options, name, unnamed=unnamed)
    said = [*notes, *given.notes]
    unit = OFFSETS[options.offsets] if step == 1 else f"steps of {1 / step:g}"
    if options.offsets in ("utf-16", "bytes"):
        rows, unit, more = _in_code_points(rows, held.texts, options.offsets, unit, name, documents)
        said += more
    # Offsets that count something else say nothing of a text.
    known = held.texts if unit == OFFSETS["codepoints"] else {}
    if options.offsets != "tokens":
        sizes |= {one: len(text) for one, text in known.items()}
        rows, more = _trimmed(rows, known, options)
        said += more
    empty = rows.end <= rows.start
    out = [*dropped, *([Dropped("span without a character", int(empty.sum()))] if empty.any() else [])]
    if options.length == "last-end":
        lacking = [one for one in documents if one not in sizes]
        ends = dict(pl.DataFrame({"d": rows.document, "e": rows.end}).group_by("d").agg(pl.col("e").max()).iter_rows())
        sizes |= {one: int(ends.get(one, 0)) for one in lacking}
        if lacking:
            said.append(f"The length of {counted(len(lacking), 'document')} is taken to be the end of the last span.")
    everyone = (
        pl.concat([rows.judged[0].rename("d"), rows.document.rename("d")]),
        pl.concat([rows.judged[1].rename("a"), rows.annotator.rename("a")]),
    )
    rows = _kept(rows, ~empty) if empty.any() else rows
    return Spans.from_columns(
        rows.document,
        rows.annotator,
        rows.start,
        rows.end,
        rows.label,
        judged=everyone,
        fragments=rows.fragments,
        **_links(rows, options),
        dropped=out,
        notes=tuple(said),
        texts=known,
        lengths=sizes,
        offsets=unit,
        rows=None if "export" in about else rows.row,
        **about,
    )


def _links(rows: SpanRows, options: SpanOptions) -> dict[str, Any]:
    """Return relations and attributes of the spans."""
    known = rows.links
    made: dict[str, Any] = {}
    if options.attributes and known is not None and known.width:
        made["attributes"] = {name: Attribute.of(known[f"{ATTRIBUTE}{name}"].to_list()) for name in options.attributes}
    if options.relations is not None:
        if known is None or ID not in known.columns:
            raise OptionError(
                "`relations` goes with a table of spans that has a column of their ids, not with an export: leave it out."
            )
        names = zip(rows.document, rows.annotator, known[ID], strict=True)
        places = {(document, who, one): at for at, (document, who, one) in enumerate(names) if one}
        made["relations"] = Relations.of(read_relations(options.relations, options.encoding, places))
    return made


def _blank(cells: pl.Series) -> pl.Series:
    return cells.is_null() | (cells.str.strip_chars() == "")


def _offsets(rows: pl.DataFrame, name: str) -> tuple[tuple[Array, Array], dict[int, list[tuple[int, int]]], int]:
    """Return starts, ends and parts as whole numbers, and how many of these make a unit of the table."""
    row = rows["row"].to_numpy()
    fragments = _fragments(rows, name)
    edges = np.array([edge for parts in fragments.values() for part in parts for edge in part], dtype=np.float64)
    texts = [rows[role].str.strip_chars() for role in ("start", "end")]
    wrong: dict[int, str] = {}
    whole = [one.cast(pl.Int64, strict=False) for one in texts]
    step = 1
    if any(one.null_count() for one in whole) or (edges % 1).any():
        decimal = [one.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False) for one in texts]
        for role, text, number in zip(("start", "end"), texts, decimal, strict=True):
            for at in (number.is_null() | ~number.fill_null(0.0).is_finite()).arg_true().to_list():
                cell = text[at]
                if cell or at not in fragments:
                    wrong[at] = f"no {role}" if not cell else f"{role} {shown(cell)} is no number"
        _refuse(wrong, row, name)
        known = [one.fill_null(0.0).to_numpy() for one in decimal]
        for role, offsets in zip(("start", "end"), known, strict=True):
            for at in np.flatnonzero(np.abs(offsets) > FARTHEST).tolist():
                wrong[at] = f"{role} {shown(texts[role == 'end'][at])} is too large"
        _refuse(wrong, row, name)
        while step < 10**MOST_DECIMALS and any(
            np.abs(one * step - np.round(one * step)).max(initial=0) > 1e-6 for one in (*known, edges)
        ):
            step *= 10
        numbers = [np.round(one * step).astype(np.int64) for one in known]
    else:
        numbers = [one.to_numpy() for one in whole]
    scaled = {at: [(round(one * step), round(two * step)) for one, two in parts] for at, parts in fragments.items()}
    if scaled:
        numbers = [one.copy() for one in numbers]
    for at, parts in scaled.items():
        outer = (("start", "begin", min(one for one, _ in parts)), ("end", "end", max(two for _, two in parts)))
        for (role, verb, edge), text, offsets in zip(outer, texts, numbers, strict=True):
            if text[at] and offsets[at] != edge:
                wrong[at] = f"{role} {text[at]}, and the fragments {verb} at {edge / step:g}"
            offsets[at] = edge
    _refuse(wrong, row, name)
    return (numbers[0], numbers[1]), {at: parts for at, parts in scaled.items() if len(parts) > 1}, step


def _fragments(rows: pl.DataFrame, name: str) -> dict[int, list[tuple[float, float]]]:
    """Return the parts of spans that have a list of them: [[0, 3], [6, 9]], or 0-3;6-9."""
    if "fragments" not in rows.columns:
        return {}
    found, wrong = {}, {}
    for at in (~_blank(rows["fragments"])).arg_true().to_list():
        text = rows["fragments"][at].strip()
        try:
            parts = json.loads(text) if text.startswith("[") else _PARTS.findall(text)
            if not text.startswith("[") and len(parts) != len(text.split(";")):
                raise ValueError
            if any(isinstance(edge, bool) for part in parts for edge in part):
                raise ValueError
            found[at] = [(float(begin), float(end)) for begin, end in parts]
            if not found[at] or any(not 0 <= begin < end <= FARTHEST for begin, end in found[at]):
                raise ValueError
        except (ValueError, TypeError, OverflowError, RecursionError):
            wrong[at] = f"fragments {shown(text)}"
    _refuse(wrong, rows["row"].to_numpy(), name)
    return found


def _refuse(wrong: Mapping[int, str], row: Array, name: str) -> None:
    """Refuse rows that cannot be spans, in one sentence."""
    if not wrong:
        return
    told = [f"row {row[at]} ({wrong[at]})" for at in sorted(wrong)]
    raise InputError(
        f"These spans of {name} cannot be used: {listed(told, BAD_SPANS_SHOWN)}; correct these rows, or remove them."
    )


def _texts_in(rows: pl.DataFrame, frame: pl.DataFrame, *, held: bool) -> tuple[dict[str, str], pl.Series | None]:
    """Tell texts of documents, which are the same in all rows of a document, from texts that spans cover; `held` if texts are known."""
    whole = "document text" if "document text" in frame.columns else None
    quoted = rows["text"] if "text" in rows.columns else None
    if whole is None and quoted is not None and not held:
        by = frame.filter(~_blank(frame["text"])).group_by("item").agg(texts=pl.col("text").n_unique())
        lengths = rows.select(
            (pl.col("text").str.len_chars().cast(pl.Int64) == pl.col("end").cast(pl.Int64, strict=False) - pl.col("start").cast(pl.Int64, strict=False)).mean()
        ).item()  # fmt: skip
        if (by["texts"] == 1).all() and (lengths or 0.0) < 0.5:
            whole, quoted = "text", None
    if whole is None:
        return {}, quoted
    filled = (
        frame.filter(~_blank(frame[whole])).group_by("item").agg(pl.col(whole).first(), many=pl.col(whole).n_unique())
    )
    if (filled["many"] > 1).any():
        names = listed([shown(one) for one in filled.filter(pl.col("many") > 1)["item"].sort()], 3)
        raise InputError(f"The rows of {names} give two texts for one document: correct them, or leave the column out.")
    return dict(filled.select("item", whole).iter_rows()), quoted


def _check(
    rows: SpanRows,
    lengths: Mapping[str, int],
    texts: Mapping[str, str],
    options: SpanOptions,
    name: str,
    *,
    unnamed: Sequence[int],
) -> None:
    """Refuse what cannot be a span, listing the rows."""
    wrong: dict[int, str] = {}
    for at in np.flatnonzero((rows.start < 0) | (rows.end < rows.start)).tolist():
        start, end = int(rows.start[at]), int(rows.end[at])
        wrong[at] = f"start {start} is below 0" if start < 0 else f"end {end} comes before start {start}"
    for at in np.flatnonzero(rows.end > FARTHEST).tolist():
        wrong.setdefault(at, f"end {int(rows.end[at])} is too large")
    for at in unnamed:
        wrong.setdefault(at, "no label")
    sizes = dict(lengths)
    if options.offsets != "tokens":
        sizes |= {one: int(unit_ends(text, options.offsets)[-1]) for one, text in texts.items()}
    if sizes:
        ends = rows.document.replace_strict(sizes, default=None, return_dtype=pl.Int64)
        beyond = (pl.Series(rows.end) > ends).fill_null(False).arg_true().to_list()
        for at in beyond:
            wrong.setdefault(at, f"end {int(rows.end[at])} is beyond the document's {sizes[rows.document[at]]}")
    if rows.quoted is not None and options.offsets != "tokens":
        wrong = {**_misquoted(rows, texts, options.offsets, set(wrong)), **wrong}
    _refuse(wrong, rows.row, name)


def _misquoted(rows: SpanRows, texts: Mapping[str, str], offsets: str, bad: set[int]) -> dict[int, str]:
    """Return the spans that do not cover what they are said to cover."""
    assert rows.quoted is not None
    wrong: dict[int, str] = {}
    size = _SIZES[offsets]
    ends = {one: unit_ends(text, offsets) for one, text in texts.items()} if offsets != "codepoints" else {}
    places = rows.quoted.is_not_null().arg_true().to_list()
    documents, starts, finishes = rows.document.to_list(), rows.start.tolist(), rows.end.tolist()
    seen: dict[tuple[str, int, int], int] = {}
    for at in places:
        if at in bad or at in rows.fragments:
            continue
        quoted, text = rows.quoted[at], texts.get(documents[at])
        start, end = starts[at], finishes[at]
        if text is None:
            if size(quoted) != end - start:
                wrong[at] = (
                    f"{shown(quoted)} is {counted(size(quoted), 'character')} long, and start to end is {end - start}"
                )
            elif rows.quoted[other := seen.setdefault((documents[at], start, end), at)] != quoted:
                wrong[at] = (
                    f"{shown(quoted)}, and row {rows.row[other]} has {shown(rows.quoted[other])} in the same place"
                )
            continue
        if offsets != "codepoints":
            start, end = np.searchsorted(ends[documents[at]], [start, end]).tolist()
        # A column of document texts may stand beside the texts themselves.
        if quoted not in (text[start:end], text):
            wrong[at] = f"the text says {shown(text[start:end])}, not {shown(quoted)}"
    return wrong


def _in_code_points(
    rows: SpanRows, texts: Mapping[str, str], offsets: str, unit: str, name: str, documents: Sequence[str]
) -> tuple[SpanRows, str, list[str]]:
    """Count offsets in code points, if the texts of all documents are known."""
    if any(one not in texts for one in documents):
        return rows, unit, [f"Offsets count {unit}: with `texts` they would be turned into code points."]
    start, end = rows.start.copy(), rows.end.copy()
    fragments = dict(rows.fragments)
    wrong: dict[int, str] = {}
    order = rows.document.to_frame("d").with_row_index("at").group_by("d").agg("at")
    for document, places in order.iter_rows():
        ends = unit_ends(texts[document], offsets)
        for numbers in (start, end):
            given = numbers[places]
            numbers[places] = np.searchsorted(ends, given)
            for at in np.flatnonzero(ends[numbers[places]] != given).tolist():
                wrong[places[at]] = f"{unit} {int(given[at])} is inside a character"
        for at in fragments.keys() & set(places):
            given = np.asarray(fragments[at])
            parts = np.searchsorted(ends, given)
            for edge in given[ends[parts] != given].tolist():
                wrong[at] = f"{unit} {edge} is inside a character"
            fragments[at] = [(int(begin), int(finish)) for begin, finish in parts.tolist()]
    _refuse(wrong, rows.row, name)
    return replace(rows, start=start, end=end, fragments=fragments), OFFSETS["codepoints"], []


def _trimmed(rows: SpanRows, texts: Mapping[str, str], options: SpanOptions) -> tuple[SpanRows, list[str]]:
    """Take white space away from the edges of spans, or say how many have it."""
    if not texts and rows.quoted is None:
        if options.trim:
            raise OptionError(
                "`trim` needs to know what spans cover: give the texts with `texts`, or a column of texts."
            )
        return rows, []
    start, end, fragments = rows.start.copy(), rows.end.copy(), dict(rows.fragments)
    documents, quotes = rows.document.to_list(), None if rows.quoted is None else rows.quoted.to_list()
    many = 0
    # Where texts are known, offsets count code points by now.
    size = len if texts else _SIZES[options.offsets]
    for at, (document, begin, finish) in enumerate(zip(documents, start.tolist(), end.tolist(), strict=True)):
        text = texts.get(document)
        covered = text[begin:finish] if text is not None else None if quotes is None else quotes[at]
        # Most spans begin and end with a letter.
        if at in fragments and text is not None:
            every = [_bare(text[one:two], one, len) for one, two in fragments[at]]
            if every == [*map(tuple, fragments[at])]:
                continue
            parts = [(one, two) for one, two in every if one < two] or [(finish, finish)]
            start[at], end[at] = min(one for one, _ in parts), max(two for _, two in parts)
            fragments[at] = parts
        elif covered and (covered[0].isspace() or covered[-1].isspace()) and at not in fragments:
            start[at], end[at] = _bare(covered, begin, size)
        else:
            continue
        many += 1
    if not many:
        return rows, []
    have = counted(many, "span has", "spans have")
    if not options.trim:
        return rows, [f"{have} white space at an edge, which can make two spans differ: `trim` takes it away."]
    return (
        replace(rows, start=start, end=end, fragments={at: parts for at, parts in fragments.items() if len(parts) > 1}),
        [f"White space at the edges of {counted(many, 'span')} was taken away."],
    )


def _bare(covered: str, begin: int, size: Callable[[str], int]) -> tuple[int, int]:
    """Return where a stretch begins and ends without the white space at its edges; where it ends if there is nothing else."""
    bare = covered.strip()
    first = begin + size(covered) - (size(covered.lstrip()) if bare else 0)
    return first, first + size(bare)


def _kept(rows: SpanRows, wanted: Array) -> SpanRows:
    """Return some of the spans."""
    places = np.cumsum(wanted) - 1
    mask = pl.Series(wanted)
    return replace(
        rows,
        row=rows.row[wanted],
        document=rows.document.filter(mask),
        annotator=rows.annotator.filter(mask),
        start=rows.start[wanted],
        end=rows.end[wanted],
        label=rows.label.filter(mask),
        fragments={int(places[at]): parts for at, parts in rows.fragments.items() if wanted[at]},
        quoted=None if rows.quoted is None else rows.quoted.filter(mask),
        links=None if rows.links is None or not rows.links.width else rows.links.filter(mask),
    )
