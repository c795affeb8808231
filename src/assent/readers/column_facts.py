"""What the cells of one column are like: what they can be, and what they share with other columns."""

from __future__ import annotations

import json
import re
from functools import cached_property

import polars as pl

from assent.label_sets import JOINT
from assent.readers import detect_by_names
from assent.records import Struct

__all__ = ["Facts", "Table", "shares"]

NUMBER = r"^[+-]?[0-9]+([.,][0-9]+)?([eE][+-]?[0-9]+)?$"
_DATE = (
    r"^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}\.? ?[A-Za-z]{3,9}\.? ?\d{2,4}|[A-Za-z]{3,9} \d{1,2},? \d{4})"
    r"([T ,].*)?$"
)
_DURATION = r"^(PT?[0-9.]+[HMSD].*|\d+:[0-5]\d(:[0-5]\d)?([.,]\d+)?|[0-9.,]+ ?(s|sec|secs|seconds|ms|min|mins|minutes|h|hours))$"
_ADDRESS = r"^(https?://\S+|\S+@\S+\.\S+|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|[0-9a-f]{24,64})$"
_RECORD = r"^\{\s*['\"][^'\"]*['\"]\s*:.*\}$"
_LONG_TEXT, _WORDS = 25, 4
#: So many filled cells at least before a column that hardly repeats itself is called one of names.
_ENOUGH = 5
_NEARLY_ALL = 0.8
#: So many, if the column is called one of labels.
_SURELY = 20
#: Numbers with more values than this are on a scale without steps.
_STEPS = 12


class Facts(Struct, frozen=True, eq=False, dict=True):
    """What one column holds.

    Parameters
    ----------
    cells : Series of text
        Without those that are empty.
    rows : int
        Of the table.
    """

    name: str
    cells: pl.Series
    rows: int

    @cached_property
    def counts(self) -> dict[str, int]:
        """How often each text occurs."""
        found = self.cells.value_counts()
        return dict(zip(found.to_series(0).to_list(), found.to_series(1).to_list(), strict=True))

    @cached_property
    def values(self) -> frozenset[str]:
        """The different texts."""
        return frozenset(self.counts)

    def _all(self, pattern: str, share: float = 1.0) -> bool:
        matches, left = re.compile(pattern).match, self.cells.len()
        least = share * left
        for text, n in self.counts.items():
            if not matches(text.strip()):
                left -= n
                if left < least:
                    return False
        return bool(self.counts)

    @cached_property
    def numeric(self) -> bool:
        """All are numbers."""
        return self._all(NUMBER)

    @cached_property
    def range(self) -> tuple[float, float] | None:
        """The smallest and the largest, if all are numbers."""
        if not self.numeric:
            return None
        held = [float(text.strip().replace(",", ".")) for text in self.values]
        return min(held), max(held)

    @cached_property
    def continuous(self) -> bool:
        """Numbers with fractions, or of very many values."""
        return self.numeric and (len(self.values) > _STEPS or self.fractions)

    @cached_property
    def fractions(self) -> bool:
        """Numbers that are not all whole."""
        return self.numeric and any(re.search(r"[.,]\d*[1-9]", text) for text in self.values)

    @property
    def constant(self) -> bool:
        """One text in all rows."""
        return len(self.values) == 1 and self.cells.len() > 1

    @cached_property
    def near_unique(self) -> bool:
        """Hardly a text occurs twice."""
        return self.cells.len() >= _ENOUGH and len(self.values) > _NEARLY_ALL * self.cells.len()

    @cached_property
    def dated(self) -> bool:
        """Dates, times or durations."""
        return self._all(_DATE, 0.9) or self._all(_DURATION, 0.9)

    @cached_property
    def address(self) -> bool:
        """Addresses, or identifiers that a program made."""
        return self._all(_ADDRESS, 0.9)

    @cached_property
    def prose(self) -> bool:
        """Texts that somebody wrote: long, and hardly one occurs twice."""
        if self.cells.len() < 3 or self.numeric or len(self.values) <= _NEARLY_ALL * self.cells.len():
            return False
        lengths = sum(len(text) * n for text, n in self.counts.items()) / self.cells.len()
        words = sum(len(text.split()) * n for text, n in self.counts.items()) / self.cells.len()
        return lengths >= _LONG_TEXT or (words >= _WORDS and self.cells.len() >= _ENOUGH)

    @property
    def written(self) -> bool:
        """Texts that somebody wrote, and so many that it is no accident that they differ."""
        return self.prose and self.cells.len() >= 2 * _ENOUGH

    @property
    def never_labels(self) -> str:
        """Why these cannot be labels, whatever the others hold; nothing if they can."""
        if self.dated:
            return "dates or durations"
        if self.address:
            return "addresses or identifiers"
        if self._all(_RECORD, 0.9):
            return "records"
        if self.near_unique and detect_by_names.is_identifier(self.name):
            return "identifiers"
        return ""

    @property
    def unlikely_labels(self) -> str:
        """Why these are no labels unless another column holds the same; nothing if they can be."""
        if self.never_labels:
            return self.never_labels
        if self.prose:
            return "texts"
        if self.near_unique and not self.numeric:
            return "nearly a different text in each row"
        return ""

    @property
    def unlikely_named(self) -> str:
        """Why these are no labels although the column is called one; nothing if they can be."""
        if self.near_unique and not self.prose and not self.never_labels and self.cells.len() < _SURELY:
            # A small table may hold as many labels as rows.
            return ""
        return self.unlikely_labels


class Table:
    """The facts of the columns, each looked at once.

    Parameters
    ----------
    sample : DataFrame of text
        Null where a cell is missing.
    """

    def __init__(self, sample: pl.DataFrame) -> None:
        self.sample = sample
        self._known: dict[str, Facts] = {}

    def __getitem__(self, name: str) -> Facts:
        if name not in self._known:
            # Under its own name a column such as "*" would be a pattern to polars.
            cells = self.sample[name].alias("").drop_nulls()
            if cells.str.contains(JOINT, literal=True).any():
                # Lists of labels are compared by what they hold.
                cells = cells.str.split(JOINT).explode()
            elif cells.len() and cells.str.contains(r"^\[.*\]$").all():
                cells = pl.Series([one for text in cells for one in _listed(text)], dtype=pl.String)
            self._known[name] = Facts(name, cells, self.sample.height)
        return self._known[name]

    def repeats(self, *columns: str) -> bool:
        """Return whether a row has the same texts in these columns as another."""
        filled = self.sample[list(columns)].drop_nulls()
        return filled.n_unique() < filled.height


def _listed(text: str) -> list[str]:
    try:
        return [str(one) for one in json.loads(text)]
    except (json.JSONDecodeError, RecursionError, TypeError):
        return [text]


def shares(first: Facts, second: Facts) -> float:
    """Return how much of what two columns hold the other one holds as well, from 0 to 1.

    Of texts it is the share of cells whose text the other column has, of the column for which it is larger: an annotator may know
    fewer labels than another. Of numbers without steps it is how far their ranges overlap.

    Examples
    --------
    >>> a, b = (
    ...     Facts("a", pl.Series(["x", "y", "x", "x"]), 4),
    ...     Facts("b", pl.Series(["x", "z", "z", "x"]), 4),
    ... )
    >>> shares(a, b)
    0.75
    """
    if not first.values or not second.values:
        return 0.0
    if first.continuous and second.continuous and first.range and second.range:
        low, high = max(first.range[0], second.range[0]), min(first.range[1], second.range[1])
        wide = max(first.range[1], second.range[1]) - min(first.range[0], second.range[0])
        return max(0.0, (high - low) / wide) if wide else 1.0
    both = first.values & second.values
    parts = [sum(n for text, n in one.counts.items() if text in both) / one.cells.len() for one in (first, second)]
    return max(parts)
