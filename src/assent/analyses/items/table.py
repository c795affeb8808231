"""Items as a table: filtered, sorted, and put into words for those that are shown or written."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.items.figures import DIGITS, Figures, ItemSpread
from assent.atomic_files import write_whole
from assent.data import Annotations
from assent.documents import Document, Result
from assent.errors import OptionError, choose, did_you_mean
from assent.limits import MOST_NAMES
from assent.profiles import Array
from assent.records import Struct, plain
from assent.text import shown

__all__ = ["SORTS", "ItemAgreement", "ItemRow", "name_ranks", "with_names"]

#: What items can be sorted by: least agreement first, highest entropy, smallest margin, most annotations, or by name.
SORTS = ("disagreement", "entropy", "margin", "annotations", "item")


class ItemRow(Struct, frozen=True, kw_only=True):
    """One item.

    Parameters
    ----------
    agreement : float or None
        None for an item with one annotation, whose agreement nobody knows.
    weighted_agreement, spread : float or None
        On a scale alone.
    counts : mapping of str to int
        How many annotations gave it each label, most frequent first.
    majority : str or None
        The most frequent label; None for a tie.
    tied : sequence of str
        The labels of a tie.
    text : str or None
        Its content, if that was asked for.
    given : sequence of (annotator, label), optional
        Who gave which label, if that is known.
    """

    item: str
    n_annotations: int
    agreement: float | None
    weighted_agreement: float | None
    spread: float | None
    entropy: float
    counts: Mapping[str, int]
    majority: str | None
    tied: Sequence[str]
    margin: float
    text: str | None
    given: Sequence[tuple[str, str]] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the item as plain values."""
        return {
            "item": self.item,
            "annotations": self.n_annotations,
            "agreement": self.agreement,
            "weighted_agreement": self.weighted_agreement,
            "spread": self.spread,
            "entropy": self.entropy,
            "counts": dict(self.counts),
            "majority": self.majority,
            "tied": list(self.tied),
            "margin": self.margin,
            "text": self.text,
        }


class ItemAgreement(Figures, Result, frozen=True, kw_only=True, eq=False):
    """What is known of each item, and which items in which order are looked at.

    Parameters
    ----------
    data : Annotations
        What it is about.
    names : sequence of str
        Names of all items with a label; those that were looked up, if an engine did that.
    labels : tuple of str
    texts : sequence of str or None, optional
        Content of each item.
    scale : str
    sort : str
        What comes first.
    notes : tuple of str
        What a reader of the table must know.
    matched : array of integers, optional
        Positions of the items that passed the filters, before the first of them were taken; all if it is not given.
    looked_up : ItemSpread, optional
        How agreement is spread over all items, where an engine looked up the first of them and no others came here.
    givers : callable, optional
        From the items that are looked at to who gave which label, by position, if that is to be said.
    chosen : array of integers
        Positions of the items that are looked at, in order.

    The others are those of `Figures`.
    """

    data: Annotations
    names: Sequence[str]
    labels: tuple[str, ...]
    texts: Sequence[str | None] | None = None
    scale: str = "nominal"
    sort: str = "disagreement"
    notes: tuple[str, ...] = ()
    matched: Array | None = None
    looked_up: ItemSpread | None = None
    givers: Callable[[ItemAgreement], dict[int, list[tuple[str, str]]]] | None = None
    chosen: Array

    def __len__(self) -> int:
        """Return how many items are looked at."""
        return len(self.chosen)

    @property
    def n_items(self) -> int:
        """Items with a label."""
        return len(self.names) if self.looked_up is None else self.looked_up.total

    @property
    def n_matching(self) -> int:
        """Items that passed the filters, before the first of them were taken."""
        return self.n_items if self.matched is None else len(self.matched)

    def filtered(
        self,
        *,
        min_annotations: int = 1,
        min_agreement: float | None = None,
        max_agreement: float | None = None,
        label_pair: tuple[str, str] | None = None,
        only: Sequence[str] | None = None,
    ) -> ItemAgreement:
        """Return the same with fewer items.

        Parameters
        ----------
        min_annotations : int
            Items with fewer are left out.
        min_agreement, max_agreement : float, optional
            Items with less or more agreement are left out, and so are those with one annotation, whose agreement nobody knows. On a
            scale it is the weighted agreement.
        label_pair : tuple of two str, optional
            Only items that have both labels.
        only : sequence of str, optional
            Names of items; all others are left out.
        """
        for which, bound in (("smallest", min_agreement), ("largest", max_agreement)):
            if bound is not None and not 0.0 <= bound <= 1.0:
                raise OptionError(f"The {which} agreement is {bound:g}; agreement lies between 0 and 1.")
        kept = self.annotations[self.chosen] >= min_annotations
        if max_agreement is not None:
            # A comparison with NaN is false: an agreement that is not known is not below anything.
            kept &= self.closeness[self.chosen] <= max_agreement
        if min_agreement is not None:
            kept &= self.closeness[self.chosen] >= min_agreement
        for label in label_pair or ():
            kept &= self._has(label)[self.chosen]
        if label_pair is not None and len(set(label_pair)) != 2:
            raise OptionError("A pair of labels is two different ones, as in `label_pair` positive,neutral.")
        if only is not None:
            kept &= with_names(self.names, only)[self.chosen]
        return replace(self, chosen=self.chosen[kept], matched=self.chosen[kept])

    def _has(self, label: str) -> Array:
        """Mark items with this label: (items,)."""
        if label not in self.labels:
            raise OptionError(f"There is no label {shown(label)}: {did_you_mean(label, self.labels)}")
        rows = np.repeat(np.arange(len(self.names)), np.diff(self.starts))
        return np.bincount(rows[self.given == self.labels.index(label)], minlength=len(self.names)) > 0

    def disputed(self) -> ItemAgreement:
        """Return the same with those items alone on which annotators disagree."""
        kept = self.agreement[self.chosen] < 1.0
        return replace(self, chosen=self.chosen[kept], matched=self.chosen[kept])

    def to_tool(self, tool: str, path: str | os.PathLike[str] | None = None) -> str:
        """Return the items that are looked at in the form that an annotation tool imports, and write them if there is a path.

        Parameters
        ----------
        tool : {"label-studio", "prodigy", "doccano", "csv"}
        path : path, optional
            The file is written whole or not at all.

        Returns
        -------
        str
            What the file holds. Where the text of an item is not known its name stands in its place.

        Examples
        --------
        >>> import assent
        >>> found = assent.items([["a", "a"], ["a", "b"]]).disputed()
        >>> print(found.to_tool("doccano"), end="")
        {"text": "2", "label": [], "item": "2"}
        """
        from assent.analyses.items.tools import ToolItem, ToolItems, tool_text

        origin = self.data._export
        known: Mapping[str, str] = {} if origin is None else origin.texts
        rows = [
            ToolItem(
                text=row.text if row.text is not None else known.get(row.item, row.item),
                item=row.item,
                agreement=row.agreement,
                votes=row.counts,
            )
            for row in self.rows()
        ]
        found = ToolItems(
            rows=rows,
            labels=self.data.single_labels,
            several="label-sets" in self.data.kinds,
            text_field="text" if origin is None else origin.text_field,
        )
        content = tool_text(found, tool)
        if path is not None:
            write_whole(path, content)
        return content

    @property
    def texts_known(self) -> bool:
        """Whether the text of every item that is looked at is known."""
        known = {} if self.data._export is None else self.data._export.texts
        return all(
            (self.texts is not None and self.texts[i] is not None) or self.names[i] in known
            for i in self.chosen.tolist()
        )

    def sorted_by(self, sort: str = "disagreement") -> ItemAgreement:
        """Return the same items in another order.

        Parameters
        ----------
        sort : {"disagreement", "entropy", "margin", "annotations", "item"}
            What comes first: the least agreement, the highest entropy, the smallest margin, the most annotations, or the first
            name. Items that are alike in this follow the order of disagreement: less agreement, more annotations, higher
            entropy, name. Names that are numbers go by value, before all others by code point.
        """
        choose("sort", sort, SORTS)
        at = self.chosen
        by_name = name_ranks(self.names)[at]
        agreement = self.closeness[at]
        last = np.where(np.isnan(agreement), np.inf, agreement)
        keys = [last, -self.annotations[at], -np.round(self.entropy[at], DIGITS), by_name]
        first = {
            "disagreement": [],
            "entropy": [-np.round(self.entropy[at], DIGITS)],
            "margin": [np.round(self.margin[at], DIGITS)],
            "annotations": [-self.annotations[at]],
            "item": [by_name],
        }[sort]
        return replace(self, sort=sort, chosen=at[np.lexsort([*first, *keys][::-1])])

    def head(self, number: int) -> ItemAgreement:
        """Return the first items alone."""
        if number < 0:
            raise OptionError(f"The number of items to show is {number}; it must not be negative.")
        matched = self.chosen if self.matched is None else self.matched
        return replace(self, chosen=self.chosen[:number], matched=matched)

    def histogram(self, bins: int = 10) -> Array:
        """Count items by agreement in bins of equal width from 0 to 1: (bins,). Full agreement is in the last."""
        known = self.closeness[self.chosen]
        return np.histogram(known[~np.isnan(known)], bins=bins, range=(0.0, 1.0))[0]

    def counts(self, place: int) -> dict[str, int]:
        """Return how many annotations gave an item each label, most frequent first."""
        cells = slice(int(self.starts[place]), int(self.starts[place + 1]))
        pairs = zip(self.given[cells].tolist(), self.times[cells].tolist(), strict=True)
        return {self.labels[label]: times for label, times in pairs}

    def rows(self) -> Iterator[ItemRow]:
        """Describe each item that is looked at, in order."""
        columns = self.columns()
        absent = [None] * len(self)
        cells = [columns.get(name, absent) for name in _COLUMNS]
        known = {} if self.givers is None else self.givers(self)
        cells.append([known.get(place) for place in self.chosen.tolist()])
        for item, number, agreement, weighted, spread, entropy, counts, majority, tied, margin, text, given in zip(
            *cells, strict=True
        ):
            yield ItemRow(
                item=item,
                n_annotations=number,
                agreement=agreement,
                weighted_agreement=weighted,
                spread=spread,
                entropy=entropy,
                # Items with the same counts share them in the columns; a row is the caller's own.
                counts=dict(counts),
                majority=majority,
                tied=tuple(tied),
                margin=margin,
                text=text,
                given=given,
            )

    def columns(self, *, nested: bool = True) -> dict[str, list[Any]]:
        """Return the items that are looked at as columns of a table; what was not asked for has no column.

        Parameters
        ----------
        nested : bool
            Counts are mappings and ties lists, which items with the same counts share; else both are JSON texts, for a
            format that knows no nesting.
        """
        at = self.chosen
        patterns, places = self._patterns()
        tops = [_top(counts) for counts in patterns]
        ties: list[Any] = [top if len(top) > 1 else [] for top in tops]
        counts: list[Any] = patterns
        if not nested:
            ties, counts = ([json.dumps(one, ensure_ascii=False) for one in some] for some in (ties, counts))
        majority = [top[0] if len(top) == 1 else None for top in tops]
        where = at.tolist()
        columns: dict[str, list[Any] | None] = {
            "item": [self.names[i] for i in where],
            "annotations": self.annotations[at].tolist(),
            "agreement": plain(self.agreement[at]),
            "weighted_agreement": None if self.weighted_agreement is None else plain(self.weighted_agreement[at]),
            "spread": None if self.spread is None else self.spread[at].tolist(),
            "entropy": self.entropy[at].tolist(),
            "counts": [counts[i] for i in places],
            "majority": [majority[i] for i in places],
            "tied": [ties[i] for i in places],
            "margin": self.margin[at].tolist(),
            "text": None if self.texts is None else [self.texts[i] for i in where],
        }
        return {name: column for name, column in columns.items() if column is not None}

    def _patterns(self) -> tuple[list[dict[str, int]], list[int]]:
        """Return the distinct label counts of the items that are looked at, and which of them each item has.

        A million items have a few hundred of them, so that labels are put into words only so often.
        """
        codes = (self.given * (int(self.times.max(initial=0)) + 1) + self.times).astype(np.int64)
        raw, width = codes.tobytes(), codes.itemsize
        known: dict[bytes, int] = {}
        patterns: list[dict[str, int]] = []
        places: list[int] = []
        bounds = zip(
            self.chosen.tolist(), self.starts[self.chosen].tolist(), self.starts[self.chosen + 1].tolist(), strict=True
        )
        for item, first, last in bounds:
            key = raw[width * first : width * last]
            place = known.get(key)
            if place is None:
                place = known[key] = len(patterns)
                patterns.append(self.counts(item))
            places.append(place)
        return patterns, places

    @property
    def mean_agreement(self) -> float | None:
        """Mean agreement of the items for which it is known; None if there are none."""
        if self.looked_up is not None:
            return None if math.isnan(self.looked_up.mean) else self.looked_up.mean
        known = self.agreement[~np.isnan(self.agreement)]
        return float(known.mean()) if len(known) else None

    def to_dict(self) -> dict[str, Any]:
        """Return the items that are looked at as plain values, in the shape the command line prints as JSON."""
        return {
            "data": self.data.to_dict(),
            "sort": self.sort,
            "items": [row.to_dict() for row in self.rows()],
            "total": self.n_items,
            "matching": self.n_matching,
            "scale": self.scale,
            "mean_agreement": self.mean_agreement,
            "notes": list(self.notes),
        }

    def document(self) -> Document:
        """Return how agreement is spread over the items, and the first of them."""
        from assent.analyses.items.document import document_of

        return document_of(self)


_COLUMNS = (
    "item",
    "annotations",
    "agreement",
    "weighted_agreement",
    "spread",
    "entropy",
    "counts",
    "majority",
    "tied",
    "margin",
    "text",
)


def with_names(names: Sequence[str], only: Sequence[str]) -> Array:
    """Mark items with one of some names, and refuse a name that no item has: (items,)."""
    wanted = set(only)
    found = np.fromiter((name in wanted for name in names), dtype=bool, count=len(names))
    if np.count_nonzero(found) < len(wanted):
        there = {names[i] for i in np.flatnonzero(found).tolist()}
        unknown = next(name for name in only if name not in there)
        near = did_you_mean(unknown, names) if len(names) <= MOST_NAMES else "write it as in the table."
        raise OptionError(f"There is no item {shown(unknown)} with a label: {near}")
    return found


def name_ranks(names: Sequence[str]) -> Array:
    """Return each name's place among all: numbers by value, then all other names by code point: (items,)."""
    import polars as pl

    from assent.engines.items import NUMBER

    name = pl.col("name")
    frame = pl.DataFrame({"name": pl.Series(names, dtype=pl.String)})
    value = pl.when(name.str.contains(NUMBER)).then(name).cast(pl.Float64)
    order = frame.select(pl.arg_sort_by([value, name], nulls_last=True, maintain_order=True)).to_series().to_numpy()
    ranks = np.empty(len(names), dtype=np.int64)
    ranks[order] = np.arange(len(names))
    return ranks


def _top(counts: Mapping[str, int]) -> list[str]:
    """Return the most frequent label, or all that are."""
    most = max(counts.values())
    return [label for label, times in counts.items() if times == most]
