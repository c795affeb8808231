"""Tables of rankings: one row an object that an annotator ranked, or a matrix of objects x annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from assent.data.ranking_profiles import tied
from assent.data.rankings import Rankings
from assent.data.reading_notes import ReadingNote
from assent.errors import DuplicateAnnotations, EmptyTable, InputError, UnknownLayout
from assent.profiles import Array
from assent.readers.detect_by_names import named
from assent.readers.kinds import layout
from assent.readers.kinds._columns import codes_of, first_named, said_columns, word
from assent.readers.overrides import Overrides
from assent.readers.tables import Table, as_text, check_flat, column
from assent.text import counted, shown

__all__ = ["read_rank_matrix", "read_rankings", "read_score_matrix"]

_OBJECTS = (
    "object",
    "candidate",
    "system",
    "option",
    "alternative",
    "entry",
    "competitor",
    "response",
    "output",
    "model",
)
_ANNOTATORS = ("annotator", "judge", "rater", "voter", "coder")
_RANKS = (
    "rank",
    "ranking",
    "place",
    "position",
    "rang",
    "platz",
    "platzierung",
    "puesto",
    "posizione",
    "место",
    "ранг",
    "名次",
    "排名",
    "順位",
)
#: So many objects in an order at least that it is no accident that each place is given once.
_ORDERED = 3
#: Rows that show what a column holds.
_HEAD = 1000


def _are_rankings(table: Table) -> bool:
    """Tell columns that can be nothing else: an annotator, an object and a rank, and no label; or a score of several objects of an item."""
    columns = table.columns
    thing, place = first_named(columns, _OBJECTS), first_named(columns, _RANKS)
    if thing is not None and place is None:
        # Scores of objects are labels as well, unless there are lists in which one annotator scores several objects.
        place, item = first_named(columns, ("score",)), _lists_among(columns, (thing,))
        who = next((one for one in columns if one not in (thing, place, item) and named(one, "annotator")), None)
        if place is None or item is None or who is None or not _several_each(table, thing, (item, who)):
            return False
    if thing is None and place is not None:
        return _ordered_by(table, place) is not None
    others = [name for name in columns if name not in (thing, place)]
    judged = any(named(name, "annotator") for name in others)
    return thing is not None and place is not None and judged and not any(named(name, "label") for name in others)


def _ordered_by(table: Table, place: str, who: str | None = None) -> tuple[str, str] | None:
    """Return the column of the objects and that of the lists, or "", if annotators give each place of every list once; None if they do not."""
    columns = [name for name in table.columns if name != place and name not in table.nested]
    who = who or next((one for one in columns if named(one, "annotator")), None)
    if who is None or len(columns) < 2 or place in table.nested:
        return None
    head = table.frame.lazy().select(map(column, [place, *columns])).head(_HEAD).collect()
    places = _floats(head[place])
    if places.null_count() or (places != places.round()).any():
        return None
    others = [name for name in columns if name != who]
    # Names of the table could be those of what is counted.
    numbered = head.select(
        places.alias("place"), column(who).alias("who"), *(column(one).alias(f"of {one}") for one in others)
    )
    for lists in ("", *others):
        groups = numbered.group_by(["who", f"of {lists}"] if lists else ["who"]).agg(
            pl.len().alias("rows"),
            pl.col("place").n_unique().alias("places"),
            pl.col("place").min().alias("least"),
            pl.col("place").max().alias("most"),
            *(pl.col(f"of {one}").n_unique().alias(f"different {one}") for one in others),
        )
        # The last list may be cut off.
        groups = groups if head.height < _HEAD else groups.filter(pl.col("rows") == groups["rows"].max())
        whole = (groups["places"] == groups["rows"]) & (groups["least"] == 1) & (groups["most"] == groups["rows"])
        things = [one for one in others if one != lists and (groups[f"different {one}"] == groups["rows"]).all()]
        repeated = [one for one in things if head[one].n_unique() < head.height]
        if whole.all() and groups.height > 1 and groups["rows"].max() >= _ORDERED and len(repeated) == 1:  # type: ignore[operator]
            # Labels beside ranks are ranked themselves; a category of what was ranked is that of the list.
            labels = any(named(name, "label") for name in columns if name != lists)
            return None if labels else (repeated[0], lists)
    return None


def _several_each(table: Table, thing: str, by: Sequence[str]) -> bool:
    """Tell whether the first rows hold several objects for most lists and annotators, each once."""
    head = table.frame.lazy().select(column(one) for one in (thing, *by)).head(_HEAD).collect()
    groups = head.group_by(by).agg(pl.len().alias("rows"), pl.col(thing).n_unique().alias("different"))
    once = (groups["rows"] == groups["different"]).all()
    return once and 2 * int((groups["different"] > 1).sum()) > groups.height


def _lists_among(columns: Sequence[str], taken: Sequence[str | None]) -> str | None:
    """Return the column of the lists: only one that is called so, as everything else would cut one list into pieces."""
    return next(
        (
            one
            for one in columns
            if one not in taken and (named(one, "item") or word(one) in ("query", "topic", "list"))
        ),
        None,
    )


@layout("rankings", roles=("object", "score"), named=_are_rankings)
def read_rankings(table: Table, said: Overrides) -> Rankings:
    """Take rows of item (if there are several lists), annotator, object, and rank or score; a matrix if no annotator is named."""
    columns = table.columns
    roles = said_columns(columns, said)
    if not roles.get("annotator") and not roles.get("rank") and not roles.get("score") and said.annotators:
        return _matrix(table, said, scores=False)
    value = roles.get("score") or roles.get("rank") or first_named(columns, (*_RANKS, "score"))
    thing = roles.get("object") or first_named(columns, _OBJECTS, (value, roles.get("annotator"), roles.get("item")))
    taken = (value, thing)
    who = roles.get("annotator") or next((one for one in columns if one not in taken and named(one, "annotator")), None)
    item = roles.get("item")
    if thing is None and value is not None and (order := _ordered_by(table, value, who)) is not None:
        thing, item = order[0], item or order[1] or None
    taken = (value, thing)
    if value is None and who is None and thing is not None:
        return _matrix(table, said, scores=False)
    for role, found in (("annotator", who), ("object", thing), ("rank", value)):
        if found is None:
            more = " or `score`" if role == "rank" else ""
            raise UnknownLayout(
                f"It is not known which column holds the {role} of the rankings: name it with `{role}`{more}."
            )
    assert who is not None
    assert thing is not None
    assert value is not None
    scores = "score" in roles or ("rank" not in roles and word(value) == "score")
    item = item or _lists_among(columns, (*taken, who))
    names = {"annotator": who, "object": thing, "list": item}
    frame = (
        table.frame.lazy()
        .select(column(one) for one in dict.fromkeys((who, thing, value, *([item] if item else []))))
        .collect()
    )
    if frame.is_empty():
        raise EmptyTable(f"{table.name} has column names but no rows; there must be at least one.")
    values = _numbers(table, frame, value)
    codes, texts = {}, {}
    for role, name in names.items():
        if name is None:
            codes[role], texts[role] = np.zeros(frame.height, dtype=np.int64), [""]
            continue
        codes[role], texts[role] = codes_of(table, frame[name], role)
    _check_once(table, codes, texts)
    ranked = "score" if scores else "rank"
    named_as = {
        role: name for role, name in (("item", item), ("annotator", who), ("object", thing), (ranked, value)) if name
    }
    told = ", ".join(f'{role} = "{name}"' for role, name in named_as.items())
    return Rankings.from_codes(
        codes,
        texts,
        values,
        scores=scores,
        roles=named_as,
        notes=(
            *table.notes,
            ReadingNote(
                f"Read as rankings: {told}; the {'largest score' if scores else 'smallest rank'} comes first",
                "`item`, `annotator`, `object`, `rank`, `score`",
                code="table",
            ),
            f"{counted(len(texts['annotator']), 'annotator ranks', 'annotators rank')} {counted(len(texts['object']), 'object')} in "
            f"{counted(len(texts['list']), 'list')}.",
        ),
        dropped=table.dropped,
    )


def _floats(cells: pl.Series) -> pl.Series:
    """Return cells as numbers, null where one is none; categories and times are not cast to numbers but read as they are written."""
    if cells.dtype.is_numeric():
        return cells.cast(pl.Float64)
    return cells.to_frame().select(as_text(cells.name, cells.dtype)).to_series().cast(pl.Float64, strict=False)


def _numbers(table: Table, frame: pl.DataFrame, name: str) -> Array:
    """Return a column as numbers; refuse a cell that is none."""
    cells = frame[name]
    numbers = _floats(cells)
    wrong = numbers.is_null() | ~numbers.is_finite().fill_null(False)
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        cell = cells[row]
        what = "is empty" if cell is None else f"is {shown(cell)}"
        raise InputError(
            f"{table.name}, {table.place(row)}: {shown(name)} {what}; it must be a number (leave the row out if the object was not ranked)."
        )
    return numbers.to_numpy()


def _check_once(table: Table, codes: Mapping[str, Array], texts: Mapping[str, Sequence[str]]) -> None:
    """Refuse an object that an annotator ranked twice in one list."""
    key = (codes["list"] * len(texts["annotator"]) + codes["annotator"]) * len(texts["object"]) + codes["object"]
    order = np.argsort(key, kind="stable")
    again = np.flatnonzero(np.diff(key[order]) == 0)
    if len(again):
        row, before = int(order[again + 1].min()), 0
        before = int(np.flatnonzero(key == key[row])[0])
        of = texts["list"][codes["list"][row]]
        where = f" in the list {shown(of)}" if of else ""
        raise DuplicateAnnotations(
            f"{table.name}, {table.place(row)}: {shown(texts['annotator'][codes['annotator'][row]])} ranked "
            f"{shown(texts['object'][codes['object'][row]])} before{where}, in {table.place(before)}; leave one of the two out"
            + ("." if where else ", or name the column that tells lists apart with `item`.")
        )


@layout("rank-matrix")
def read_rank_matrix(table: Table, said: Overrides) -> Rankings:
    """Take a matrix of objects x annotators with ranks, the smallest first; `transpose` if rows are annotators."""
    return _matrix(table, said, scores=False)


@layout("score-matrix")
def read_score_matrix(table: Table, said: Overrides) -> Rankings:
    """Take a matrix of objects x annotators with scores, the largest first; `transpose` if rows are annotators."""
    return _matrix(table, said, scores=True)


def _matrix(table: Table, said: Overrides, *, scores: bool) -> Rankings:
    columns = table.columns
    roles = said_columns(columns, said)
    frame = table.frame.lazy().collect()
    if frame.is_empty():
        raise EmptyTable(f"{table.name} has column names but no rows; there must be at least one.")
    for one, kind in frame.schema.items():
        if one in (said.annotators or columns):
            check_flat(one, kind)
    name = roles.get("annotator" if said.transpose else "object") or roles.get("item") or _names_rows(frame)
    judges = list(said.annotators or (one for one in columns if one != name))
    if len(judges) < 2:
        raise UnknownLayout(
            f"{table.name} has {counted(len(judges), 'column')} with ranks; a matrix of objects x annotators needs two or more."
        )
    numbers = np.full((frame.height, len(judges)), np.nan)
    for at, one in enumerate(judges):
        filled = (
            frame[one]
            .alias("")
            .cast(pl.String)
            .str.strip_chars()
            .is_in(["", "NA", "NaN", "nan", "null"])
            .fill_null(True)
            .to_numpy()
        )
        cells = frame.filter(pl.Series(~filled))
        numbers[~filled, at] = _numbers_of(table, frame, cells[one], one, np.flatnonzero(~filled))
    rows = (
        [str(row + 1) for row in range(frame.height)]
        if name is None
        else frame[name].alias("").cast(pl.String).to_list()
    )
    seen: dict[str, int] = {}
    for row, text in enumerate(rows):
        if text is None or not text.strip():
            raise InputError(
                f"{table.name}, {table.place(row)}: {shown(name)} is empty; every object must have a name."
            )
        if seen.setdefault(text, row) < row:
            raise DuplicateAnnotations(
                f"{table.name}, {table.place(row)}: {shown(text)} stands in {table.place(seen[text])} already; leave one out."
            )
    if not scores:
        words = _OBJECTS if said.transpose else _ANNOTATORS
        named_so = (
            name is not None and word(name) in words and ("annotator" if said.transpose else "object") not in roles
        )
        _check_orientation(
            table, numbers.T if said.transpose else numbers, transposed=said.transpose, named_so=named_so
        )
    objects, annotators = (judges, rows) if said.transpose else (rows, judges)
    made = Rankings.from_matrix(
        numbers.T if said.transpose else numbers, objects=objects, annotators=annotators, scores=scores
    )
    from msgspec.structs import replace

    note = (
        f"Read as a matrix: {counted(len(annotators), 'annotator ranks', 'annotators rank')} {counted(len(objects), 'object')}; the "
        f"{'largest score' if scores else 'smallest rank'} comes first (rows are {'annotators' if said.transpose else 'objects'}; `transpose` turns it "
        "round)."
    )
    return replace(
        made,
        notes=(*table.notes, note, *made.notes),
        dropped=table.dropped,
        layout="score-matrix" if scores else "rank-matrix",
    )


def _numbers_of(table: Table, frame: pl.DataFrame, cells: pl.Series, name: str, rows: Array) -> Array:
    numbers = _floats(cells)
    wrong = numbers.is_null() | ~numbers.is_finite().fill_null(False)
    if wrong.any():
        at = int(wrong.arg_max() or 0)
        raise InputError(
            f"{table.name}, {table.place(int(rows[at]))}: {shown(name)} is {shown(cells[at])}; it must be a number (name the annotator columns with "
            "`annotators` if it is none of them)."
        )
    return numbers.to_numpy()


def _names_rows(frame: pl.DataFrame) -> str | None:
    """Return the first column if it holds names, not numbers."""
    first = frame.columns[0]
    if word(first) in (*_OBJECTS, "item", "id", "name", *_ANNOTATORS):
        return first
    return first if _floats(frame[first]).null_count() > frame[first].null_count() else None


def _check_orientation(table: Table, ranks: Array, *, transposed: bool, named_so: bool) -> None:
    """Refuse a matrix in which the other direction holds the rankings: by its numbers, or by the name of the column that names its rows."""
    by_numbers = _are_ranks(ranks)
    if not (by_numbers or named_so) or _are_ranks(ranks.T):
        return
    lines, others = ("columns", "rows") if transposed else ("rows", "columns")
    way = "leave out `transpose`" if transposed else "say so with `transpose`"
    if by_numbers:
        raise UnknownLayout(
            f"{table.name} has ranks from {np.nanmin(ranks):g} to {np.nanmax(ranks):g} in every {lines[:-1]}, as if {lines} were annotators: {way}, or give them as scores "
            "(`layout` score-matrix)."
        )
    raise UnknownLayout(
        f"{table.name} names {'objects' if transposed else 'annotators'} in its rows, and its {others} hold no ranks from 1 on: {way}, or name that column "
        f"with `{'annotator' if transposed else 'object'}`."
    )


def _are_ranks(lines: Array) -> bool:
    """Tell whether every line holds ranks from 1 (or 0) on of what it does not leave out, ties at their first, last or middle place."""
    if (~np.isnan(lines)).sum(1).min() < 2 or not (np.nanmax(lines, axis=1) > np.nanmin(lines, axis=1)).any():
        return False
    first, last = tied(lines)
    right = np.zeros(len(lines), dtype=bool)
    for way in (first, last, (first + last) / 2.0):
        begin = np.nanmin(lines - way, axis=1)
        right |= (begin == np.nanmax(lines - way, axis=1)) & np.isin(begin, (0.0, -1.0))
    return bool(right.all())
