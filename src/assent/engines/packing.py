"""Small numbers as the digits of a few large ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np

from assent.engines.columns import lookup
from assent.profiles import Array
from assent.records import Struct

__all__ = ["PackedCounts"]

#: Bits of a signed 64-bit integer that a sum may fill.
BITS = 62
#: Numbers held at once while digits are read: 32 MB.
CHUNK = 4_000_000


class PackedCounts(Struct, frozen=True):
    """A row of small numbers spelled as digits of a few 64-bit integers, so that sums add them all at once.

    Parameters
    ----------
    count : int
        How many numbers.
    largest : int
        The largest that one of them can become.
    """

    count: int
    largest: int

    @property
    def bits(self) -> int:
        """Bits of one digit."""
        return max(1, self.largest.bit_length())

    @property
    def per_column(self) -> int:
        """Digits that fit one integer."""
        return BITS // self.bits

    @property
    def columns(self) -> int:
        """Integers that are needed."""
        return math.ceil(self.count / self.per_column)

    def spell(self, column: nw.Expr, keys: Sequence[Any]) -> list[nw.Expr]:
        """Return one expression per integer: 1 in the digit of the key that `column` holds, else 0."""
        size = self.per_column
        return [
            lookup(column, {key: 1 << (self.bits * i) for i, key in enumerate(keys[first : first + size])}, 0)
            for first in range(0, self.count, size)
        ]

    def ones(self) -> Array:
        """Return what 1 in each digit is in each integer: (count, columns)."""
        at = np.arange(self.count)
        found = np.zeros((self.count, self.columns), dtype=np.int64)
        found[at, at // self.per_column] = np.left_shift(np.int64(1), self.bits * (at % self.per_column))
        return found

    def read(self, sums: Array) -> Array:
        """Return the digits, (rows, count), of integers, (rows, columns)."""
        shifts = np.arange(min(self.per_column, self.count), dtype=np.int64) * self.bits
        # Rows run fastest: there are more of them than digits.
        digits = (sums.T[:, None, :] >> shifts[:, None]) & ((1 << self.bits) - 1)
        return np.ascontiguousarray(digits.reshape(-1, len(sums))[: self.count].T)

    def cells(self, sums: Array) -> tuple[Array, Array, Array]:
        """Return the digits that are not 0 as rows, positions and values, without a table of all of them."""
        found = []
        step = max(1, CHUNK // max(1, self.count))
        for start in range(0, max(1, len(sums)), step):
            block = self.read(sums[start : start + step]).ravel()
            at = np.flatnonzero(block)
            row, values = at // self.count, block[at]
            at -= row * self.count
            row += start
            found.append((row, at, values))
        if len(found) == 1:
            return found[0]
        rows, positions, values = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return rows, positions, values
