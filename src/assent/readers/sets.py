"""Several labels per annotation in files: which cells hold them, and how they are taken apart."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import polars as pl
from msgspec.structs import replace

from assent.data.reading_notes import ReadingNote
from assent.errors import InputError, OptionError, UnknownColumn, did_you_mean
from assent.label_sets import JOINT, Parse, joined_cell, json_cell, split_cell
from assent.readers import detect_by_names
from assent.readers.column_facts import Table as Facts
from assent.readers.column_facts import filled_cells
from assent.readers.detected import Detected
from assent.readers.long_columns import follows
from assent.readers.overrides import Overrides
from assent.readers.tables import Table, as_text, column, columns_shown
from assent.records import Struct
from assent.text import shown

__all__ = ["SetOptions", "apart", "cell_parser", "indicators", "looks_gathered", "with_lists_as_text"]

#: What may stand between the labels of a cell without being said; what marks most clearly comes first.
_SEPARATORS = (";", "|", ",")
_NUMBER = re.compile(r"[+-]?[0-9]+(,[0-9]+)?")
_YES, _NO = frozenset({"1", "true", "1.0", "yes", "x"}), frozenset({"0", "false", "0.0", "no"})
#: So many annotators' repeated rows, and so large a share of all annotations, make sets of labels and no accident.
_LEAST_REPEATED, _LEAST_SHARE = 5, 0.01


class SetOptions(Struct, frozen=True, kw_only=True):
    """What the user said about several labels per annotation.

    Parameters
    ----------
    multilabel
        Whether annotations may hold several labels; None is for the table to show.
    separator
        What stands between labels in a cell.
    rank
        Column that ranks the labels of an annotation.
    ranked
        The order of labels in a cell is their rank.
    none
        Label texts that mean the empty set.
    labels
        Columns with 0 and 1, one a label.
    """

    multilabel: bool | None = None
    separator: str | None = None
    rank: str | None = None
    ranked: bool = False
    none: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()

    def check(self, columns: Sequence[str]) -> None:
        """Refuse what does not fit together or is not there."""
        ways = [
            name
            for name, given in (("separator", self.separator), ("rank", self.rank), ("labels", self.labels))
            if given
        ]
        if len(ways) > 1:
            raise OptionError(
                f"`{ways[0]}` and `{ways[1]}` say in two ways where several labels stand: give one of them."
            )
        if self.multilabel is False and (ways or self.ranked or self.none):
            what = [*ways, *(["ranked"] if self.ranked else []), "none"][0]
            raise OptionError(
                f"`{what}` is for annotations of several labels, which `multilabel=False` rules out: leave one out."
            )
        for role, name in [("rank", self.rank), *(("labels", name) for name in self.labels)]:
            if name is not None and name not in columns:
                raise UnknownColumn(
                    f"`{role}` names the column {shown(name)}, which the table does not have; {did_you_mean(name, columns)}"
                )
        if len(set(self.labels)) < len(self.labels):
            raise OptionError("`labels` names a column twice: name each once.")


def apart(said: SetOptions) -> set[str]:
    """Return columns that are neither items, annotators nor labels."""
    return {said.rank} if said.rank is not None else set()


# Columns of 0 and 1, one a label


def indicators(
    table: Table, columns: Sequence[str], sample: pl.DataFrame, said: Overrides, sets: SetOptions
) -> tuple[Table, Detected, Parse] | None:
    """Take a table with one column of 0 and 1 a label, if it is one: the `columns` become one of sets of labels."""
    free = [name for name in columns if name not in said.columns]
    item, annotator = (
        given
        if given is not None
        else next((n for n in detect_by_names.find(role, free) if detect_by_names.named(n, role)), None)
        for role, given in (("item", said.item), ("annotator", said.annotator))
    )
    if any(name is not None and name not in columns for name in (item, annotator)):
        # What was said is refused where all of it is checked.
        return None
    if sets.labels:
        chosen = list(sets.labels)
        if item is None or annotator is None:
            lacking = "item" if item is None else "annotator"
            raise OptionError(
                f"`labels` names one column a label, so `{lacking}` must say which column holds the {lacking}."
            )
    else:
        if (
            sets.multilabel is False
            or said.label is not None
            or None in (item, annotator)
            or said.layout not in (None, "long")
        ):
            return None
        others = [name for name in free if name not in (item, annotator)]
        if detect_by_names.find("label", others) or sets.separator is not None or sets.rank is not None:
            return None
        chosen = [name for name in others if not detect_by_names.is_other(name) and _is_indicator(sample, name)]
        # A table of an item, an annotator and one yes/no question is not one of sets; what is known of an item is no question.
        facts = Facts(sample)
        open_to = [name for name in others if name not in chosen and not detect_by_names.is_other(name)]
        if len(chosen) < 2 or (
            open_to and not (facts.repeats(str(item)) and all(follows(facts, str(item), name) for name in open_to))
        ):
            return None
    wrong = next((name for name in chosen if not _is_indicator(sample, name)), None)
    if wrong is not None:
        raise InputError(f"`labels` names the column {shown(wrong)}, which holds something else than 0 and 1.")
    kinds = table.frame.collect_schema()
    texts = [as_text(name, kinds[name]).str.to_lowercase() for name in chosen]
    held = [pl.when(text.is_in(list(_YES))).then(pl.lit(name)) for text, name in zip(texts, chosen, strict=True)]
    known = pl.any_horizontal([text.is_not_null() for text in texts])
    whole = pl.when(known).then(pl.concat_str(held, separator=JOINT, ignore_nulls=True)).alias(_LABELS)
    frame = table.frame.with_columns(whole)
    note = ReadingNote(
        f"Read as one column a label, with 0 and 1: item = {shown(item)}, annotator = {shown(annotator)}, "
        f"labels = {columns_shown(chosen)}",
        "`labels`, or `multilabel=False`",
        code="table",
    )
    found = Detected(
        layout="long",
        item=item,
        annotator=annotator,
        label=_LABELS,
        columns=tuple(chosen),
        cluster=said.cluster,
        notes=() if sets.labels else (note,),
    )
    return replace(table, frame=frame), found, joined_cell(sets.none)


_LABELS = "\x00labels"


def _is_indicator(sample: pl.DataFrame, name: str) -> bool:
    cells = {text.casefold() for text in sample[name].alias("").drop_nulls().unique().to_list()}
    return bool(cells) and cells <= _YES | _NO


# Lists and separators in cells


def with_lists_as_text(table: Table, sample_rows: int) -> tuple[Table, dict[str, Callable[..., Parse]]]:
    """Return the table with lists of labels as text, and how the columns that hold them are taken apart.

    Lists of a typed column are joined by a character that no label holds; lists of JSON records are text already.
    """
    kinds = table.frame.collect_schema()
    joined: list[pl.Expr] = []
    lists: dict[str, Callable[..., Parse]] = {}
    for name in table.nested:
        kind = kinds[name]
        if isinstance(kind, pl.List | pl.Array) and kind.inner is not None and not kind.inner.is_nested():
            # A label that is missing must not vanish from its set: it is refused where the cell is taken apart.
            texts = column(name).cast(pl.List(pl.String)).list.eval(pl.element().fill_null(""))
            joined.append(texts.list.join(JOINT).alias(name))
            lists[name] = joined_cell
        elif kind == pl.String:
            some = table.frame.head(sample_rows).lazy().select(column(name).alias("")).collect().to_series()
            if all(_flat_list(text) for text in some.drop_nulls().unique().to_list() if text.startswith(("[", "{"))):
                lists[name] = json_cell
    frame = table.frame.with_columns(joined) if joined else table.frame
    return replace(table, frame=frame, nested=table.nested - set(lists)), lists


def _flat_list(text: str) -> bool:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, list) and not any(isinstance(one, list | dict) for one in found)


def cell_parser(
    found: Detected, sample: pl.DataFrame, sets: SetOptions, lists: Mapping[str, Callable[..., Parse]]
) -> tuple[Parse | None, tuple[str, ...]]:
    """Return how the cells with labels are taken apart, None if they are not, and what to say about it.

    Parameters
    ----------
    found
        Which columns hold labels.
    sample
        The first rows, as text.
    sets
        What the user said.
    lists
        Columns that hold lists, and how these are taken apart.
    """
    if found.layout not in ("long", "wide"):
        if sets != SetOptions() and sets.multilabel is not False:
            raise OptionError(
                f"{'A confusion table' if found.layout == 'table' else 'A table of counts'} has one label an annotation: give the annotations one by one."
            )
        return None, ()
    columns = [found.label] if found.label is not None else list(found.columns)
    if sets.separator is not None:
        return split_cell(sets.separator, sets.none), ()
    held = {lists[name] for name in columns if name in lists}
    if held:
        return held.pop()(sets.none), ()
    if sets.multilabel is False or sets.rank is not None:
        return None, ()
    texts = sorted({text for name in columns for text in filled_cells(sample, name)})
    if texts and all(text.startswith("[") and _flat_list(text) for text in texts):
        note = ReadingNote("The labels are JSON lists: each annotation holds a set of labels", "`multilabel=False`")
        return json_cell(sets.none), (note,)
    separator = _recognised(texts)
    if separator is None and sets.ranked:
        # It was said that cells hold several labels, so what could separate them does.
        separator = next((one for one in _SEPARATORS if any(one in text for text in texts)), None)
    if separator is None:
        if sets.ranked:
            raise OptionError(
                "`ranked` says that cells hold several labels in the order of their rank, but none does: "
                "name what separates them with `separator`, or the rank column with `rank`."
            )
        return None, ()
    example = next(text for text in texts if separator in text)
    note = ReadingNote(
        f"Cells such as {shown(example, 30)} hold several labels, separated by {shown(separator)}",
        "`separator` or `multilabel=False`",
    )
    return split_cell(separator, sets.none), (note,)


def _recognised(texts: Sequence[str]) -> str | None:
    """Return what separates labels in the cells: something whose parts are labels elsewhere, too."""
    for separator in _SEPARATORS:
        several = [text for text in texts if separator in text.strip().removesuffix(separator)]
        if not several or (separator == "," and all(_NUMBER.fullmatch(text.strip()) for text in texts)):
            continue
        split = {text: [part for one in text.split(separator) if (part := one.strip())] for text in texts}
        often = Counter(part for parts in split.values() for part in set(parts))
        within = [often[part] > 1 for text in several for part in split[text]]
        # In "A;B" the parts also stand alone or in another combination. A comma is part of many a label, as in "no, thanks",
        # so there all of them must.
        if sum(within) >= (len(within) if separator == "," else len(within) / 2):
            return separator
    return None


# Several rows an annotation


def looks_gathered(table: Table, found: Detected) -> bool:
    """Return whether rows that an annotator has twice for an item are sets of labels and no accident.

    They are if no label is repeated, if nothing else in the table tells such rows apart (a question, a time, a second pass),
    and if there are many of them.
    """
    named = {"item": found.item, "annotator": found.annotator, "label": found.label}
    roles = {role: name for role, name in named.items() if name is not None}
    others = [name for name in table.columns if name not in roles.values() and name not in table.nested]
    rows = table.frame.lazy().select(
        *(column(name).alias(role) for role, name in roles.items()),
        *(column(name).alias(f"other {i}") for i, name in enumerate(others)),
    )
    pairs = (
        rows.filter(pl.all_horizontal(pl.col(list(roles)).is_not_null()))
        .group_by("item", "annotator")
        .agg(pl.len().alias("rows"), pl.col("label", r"^other \d+$").n_unique())
    )
    repeated = pl.col("rows") > 1
    told_apart = [pl.col(f"other {i}") > 1 for i in range(len(others))]
    doubtful = pl.any_horizontal(pl.col("label") < pl.col("rows"), *told_apart)
    counts = pairs.select(
        pl.len().alias("pairs"),
        repeated.sum().alias("repeated"),
        (repeated & doubtful).sum().alias("doubtful"),
        pl.col("annotator").filter(repeated).n_unique().alias("who"),
        pl.col("annotator").n_unique().alias("annotators"),
    )
    seen = counts.collect().row(0, named=True)
    many = seen["repeated"] >= max(_LEAST_REPEATED, _LEAST_SHARE * seen["pairs"])
    return bool(many and not seen["doubtful"] and seen["who"] >= min(2, seen["annotators"]))
