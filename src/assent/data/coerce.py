"""Annotations from whatever a user holds."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assent.data.annotations import Annotations
from assent.data.constructors import of_texts
from assent.engines import text_of
from assent.errors import InputError
from assent.text import shown

__all__ = ["as_annotations"]

#: What a record must say.
ROLES = ("annotator", "item", "label")


def as_annotations(data: Any) -> Annotations:
    """Make annotations of whatever a user may hold: a path, a DataFrame, triples or a 2-D array."""
    if isinstance(data, Annotations):
        return data
    if isinstance(data, str | os.PathLike):
        from assent.readers import read

        return read(data)
    if isinstance(data, np.ndarray):
        return Annotations.from_array(data)
    if isinstance(data, list | tuple):
        if any(isinstance(row, Mapping) for row in data):
            return _from_records(data)
        if data and all(isinstance(row, tuple) and len(row) == 3 for row in data):
            raise InputError(
                "Rows of three could be triples or items: use Annotations.from_triples or Annotations.from_array."
            )
        return Annotations.from_array(data)
    return Annotations.from_frame(data)


def _from_records(records: Sequence[Any]) -> Annotations:
    """Take a list of mappings: long rows with the keys item, annotator and label."""
    roles = set(ROLES)
    lacking = next((i for i, row in enumerate(records) if not isinstance(row, Mapping) or not set(row) >= roles), None)
    if lacking is not None:
        raise InputError(
            f"Record {lacking + 1} is {shown(records[lacking])}: each must have the keys item, annotator and label; for one row per "
            "item use Annotations.from_array."
        )
    return of_texts(Annotations, {role: [text_of(row[role]) for row in records] for role in ROLES})
