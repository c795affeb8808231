"""Annotations that come as counts: profiles from the start, with no rows behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from assent.errors import InputError
from assent.profiles import Array, Matrix, collapse
from assent.records import Struct, cached_property

__all__ = ["CountSource", "whole_numbers"]


class CountSource(Struct, frozen=True, eq=False, dict=True):
    """Profiles that somebody else counted.

    Parameters
    ----------
    counts : array (rows, labels)
        How many annotations gave each label.
    multiplicities : array (rows,)
        How many items each row stands for.
    ratings : array (rows, annotators), optional
        Which label each annotator gave, if the table says who.
    """

    counts: Array
    multiplicities: Array
    ratings: Array | None = None

    @cached_property
    def collapsed(self) -> dict[str, Any]:
        """Profiles that were made of these counts, kept by whoever asked for them."""
        return {}

    def count_profiles(self, labels: Sequence[str]) -> tuple[Matrix, Array, Matrix | None]:
        """Return counts, multiplicities and units, as `Rows.count_profiles` does."""
        return collapse(self.counts, self.multiplicities)

    def rating_profiles(
        self, labels: Sequence[str], annotators: Sequence[str]
    ) -> tuple[Array, Array, Array, Array, Matrix | None]:
        """Return profile, annotator and label of every annotation, multiplicities and units, as `Rows` does."""
        assert self.ratings is not None, "annotators are known only where ratings are"
        rows, columns = self.ratings.shape
        profile, annotator = np.repeat(np.arange(rows), columns), np.tile(np.arange(columns), rows)
        return profile, annotator, self.ratings.ravel(), self.multiplicities, None

    def listed(
        self, labels: Sequence[str], annotators: Sequence[str], columns: Sequence[str]
    ) -> tuple[list[str], Array, Array, Array, list[list[str | None]]]:
        """Return items, positions of every annotation and no further columns, as `Rows.listed` does.

        A table of counts does not name its items: they are its rows, by number.
        """
        times = self.multiplicities
        items = [str(i + 1) for i in range(int(times.sum()))]
        if self.ratings is not None:
            ratings = np.repeat(self.ratings, times, axis=0)
            item, annotator = np.indices(ratings.shape).reshape(2, -1)
            return items, item, annotator, ratings.ravel(), []
        counts = np.repeat(self.counts, times, axis=0)
        item, label = np.nonzero(counts)
        each = counts[item, label]
        return items, np.repeat(item, each), np.zeros(int(each.sum()), dtype=np.int64), np.repeat(label, each), []


def whole_numbers(table: Any, what: str, columns: int) -> Array:
    """Check a table of counts."""
    try:
        cells = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"The {what} must be whole numbers, one row of equal length after the other.") from None
    if cells.ndim != 2 or cells.shape[1] != columns:
        raise InputError(f"The {what} has the shape {cells.shape}: it needs one column for each of {columns} labels.")
    if not np.isfinite(cells).all() or (cells < 0).any() or (cells != np.floor(cells)).any():
        odd = cells[~np.isfinite(cells) | (cells < 0) | (cells != np.floor(cells))][0]
        raise InputError(f"The {what} holds {odd:g}: counts must be whole numbers, 0 or more.")
    return cells.astype(np.int64)
