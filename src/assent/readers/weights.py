"""A user's own agreement weights from a CSV file."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from assent.errors import InputError, UnreadableFile
from assent.limits import LARGEST_WEIGHTS_FILE
from assent.profiles import Array
from assent.text import shown

__all__ = ["read_weights"]


def read_weights(path: str | os.PathLike[str], labels: Sequence[str]) -> Array:
    """Read a matrix of labels x labels: label names in the first row and the first column, weights from 0 to 1.

    Parameters
    ----------
    labels : sequence of str
        The labels of the data, whose order the result has. The file may name more.

    Returns
    -------
    array (labels, labels)
    """
    name = shown(Path(path).name)
    try:
        if Path(path).stat().st_size > LARGEST_WEIGHTS_FILE:
            raise UnreadableFile(f"{name} is too large to be a matrix of weights.")
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableFile(f"{name} is not UTF-8 text: write the weights as a CSV file.") from None
    except FileNotFoundError:
        raise UnreadableFile(
            f"`weights` names {shown(path, 120)}, and there is no such file; check the name."
        ) from None
    except OSError as error:
        raise UnreadableFile(f"{name} cannot be read: {error.strerror}.") from None
    rows = _rows(text, name)
    if not rows:
        raise InputError(f"{name} is empty: weights need label names in the first row and the first column.")
    for names in (rows[0][1:], [row[0] for row in rows[1:]]):
        twice = next((one for one in names if names.count(one) > 1), None)
        if twice is not None:
            raise InputError(f"{name} names the label {shown(twice)} twice: it must have one row and one column.")
    columns = {label: i for i, label in enumerate(rows[0][1:], start=1)}
    lines = {row[0]: row for row in rows[1:]}
    absent = [label for label in labels if label not in columns or label not in lines]
    if absent:
        raise InputError(
            f"{name} has no weights for the label {shown(absent[0])}: each label needs a row and a column of its name."
        )
    matrix = np.empty((len(labels), len(labels)))
    for i, first in enumerate(labels):
        for j, second in enumerate(labels):
            cell = lines[first][columns[second]] if columns[second] < len(lines[first]) else ""
            try:
                matrix[i, j] = float(cell)
            except ValueError:
                raise InputError(
                    f"{name} has {shown(cell)} in row {shown(first)}, column {shown(second)}: a weight is a number from 0 to 1."
                ) from None
    return matrix


def _rows(text: str, name: str) -> list[list[str]]:
    """Split a CSV text into rows of cells."""
    try:
        return [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    except csv.Error as problem:
        raise UnreadableFile(f"{name} is not a CSV file: {problem}.") from None
