"""Rows that are listed once, however many sections of a report ask for them one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from assent.annotations import Annotations
from assent.engines import Rows
from assent.profiles import Array, Matrix

__all__ = ["remembering"]

#: Of more annotators than this hardly two items have the same: looking for equal ones takes longer than it saves.
MOST_COLLAPSED = 64

#: Items, positions of item, annotator and label of every annotation, and further columns.
Listed: TypeAlias = tuple[list[str], Array, Array, Array, list[list[str | None]]]


class RememberedRows(Rows):
    """The same rows; the first listing, with all columns that were kept, serves all others.

    Parameters
    ----------
    rows : Rows
    wanted : sequence of str
        Columns that will be asked for.
    """

    def __init__(self, rows: Rows, wanted: Sequence[str]) -> None:
        self.__dict__.update(rows.__dict__)
        # What was counted before is taken over; what is counted here stays here.
        self.__dict__["collapsed"] = dict(rows.__dict__.get("collapsed", {}))
        self._wanted = tuple(wanted)
        self._listed: dict[Any, Listed] = {}

    def listed(self, labels: Sequence[str], annotators: Sequence[str], columns: Sequence[str]) -> Listed:
        """Bring every annotation over, or return what was brought before."""
        if not set(columns) <= set(self._wanted):
            return super().listed(labels, annotators, columns)
        key = (tuple(labels), tuple(annotators))
        if key not in self._listed:
            self._listed[key] = super().listed(labels, annotators, self._wanted)
        items, item, annotator, label, values = self._listed[key]
        by_name = dict(zip(self._wanted, values, strict=True))
        return items, item, annotator, label, [by_name[name] for name in columns]

    def rating_profiles(
        self, labels: Sequence[str], annotators: Sequence[str]
    ) -> tuple[Array, Array, Array, Array, Matrix | None]:
        """List who gave which label; items of a crowd are left apart, which changes nothing but the number of rows."""
        if self.clustered or len(annotators) <= MOST_COLLAPSED:
            return super().rating_profiles(labels, annotators)
        items, item, annotator, label, _ = self.listed(labels, annotators, ())
        order = np.lexsort((annotator, item))
        return item[order], annotator[order], label[order], np.ones(len(items), dtype=np.int64), None


def remembering(data: Annotations, *columns: str) -> Annotations:
    """Return the same annotations, which list their rows once."""
    if not isinstance(data.source, Rows):
        return data
    return replace(data, source=RememberedRows(data.source, tuple(dict.fromkeys(columns))))
