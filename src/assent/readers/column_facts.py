"""What the cells of one column are like: what they can be, and what they share with other columns."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assent.label_sets import JOINT
from assent.readers import detect_by_names
from assent.records import Struct, cached_property

if TYPE_CHECKING:
    import polars as pl

__all__ = ["NUMBER", "Facts", "Table", "filled_cells", "filled_rows", "shares"]

NUMBER = r"^[+-]?([0-9]+([.,][0-9]+)?|[.,][0-9]+)([eE][+-]?[0-9]+)?$"
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
#: The rows of a smaller table have been compared before polars has understood the question.
_FEW = 500
_LIST = re.compile(r"\[.*\]")


class Facts(Struct, frozen=True, eq=False, dict=True):
    """What one column holds.

    Parameters
    ----------
    cells : sequence of str
        Without those that are empty.
    rows : int
        Of the table.
    """

    name: str
    cells: Sequence[str]
    rows: int

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How often each text occurs."""
        return Counter(self.cells)

    @cached_property
    def values(self) -> frozenset[str]:
        """The different texts."""
        return frozenset(self.counts)

    def _all(self, pattern: str, share: float = 1.0) -> bool:
        matches, left = re.compile(pattern).match, len(self.cells)
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
        """Numbers with fractions other than halves, or of very many values."""
        return self.numeric and (len(self.values) > _STEPS or (self.fractions and not self.halves))

    @cached_property
    def fractions(self) -> bool:
        """Numbers that are not all whole."""
        return self.numeric and any(re.search(r"[.,]\d*[1-9]", text) for text in self.values)

    @cached_property
    def halves(self) -> bool:
        """Numbers that are whole or a half, as those of films with stars are."""
        return self.numeric and all(re.fullmatch(r"[+-]?\d+([.,][05]0*)?", text.strip()) for text in self.values)

    @property
    def constant(self) -> bool:
        """One text in all rows."""
        return len(self.values) == 1 and len(self.cells) > 1

    @cached_property
    def near_unique(self) -> bool:
        """Hardly a text occurs twice."""
        return len(self.cells) >= _ENOUGH and len(self.values) > _NEARLY_ALL * len(self.cells)

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
        if len(self.cells) < 3 or self.numeric or len(self.values) <= _NEARLY_ALL * len(self.cells):
            return False
        lengths = sum(len(text) * n for text, n in self.counts.items()) / len(self.cells)
        words = sum(len(text.split()) * n for text, n in self.counts.items()) / len(self.cells)
        return lengths >= _LONG_TEXT or (words >= _WORDS and len(self.cells) >= _ENOUGH)

    @property
    def written(self) -> bool:
        """Texts that somebody wrote, and so many that it is no accident that they differ."""
        return self.prose and len(self.cells) >= 2 * _ENOUGH

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
        if self.near_unique and not self.prose and not self.never_labels and len(self.cells) < _SURELY:
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
        self._rows: dict[tuple[str, ...], tuple[int, int]] = {}
        #: What was found among so many columns, kept by whoever looked for it.
        self.found: dict[tuple[str, ...], Any] = {}

    def __getitem__(self, name: str) -> Facts:
        if name not in self._known:
            cells = filled_cells(self.sample, name)
            if JOINT in "\n".join(cells):
                # Lists of labels are compared by what they hold.
                cells = [one for text in cells for one in text.split(JOINT)]
            elif cells and all(map(_LIST.fullmatch, cells)):
                cells = [one for text in cells for one in _listed(text)]
            self._known[name] = Facts(name, cells, self.sample.height)
        return self._known[name]

    def repeats(self, *columns: str) -> bool:
        """Return whether a row has the same texts in these columns as another."""
        filled, different = self.rows(*columns)
        return different < filled

    def rows(self, *columns: str) -> tuple[int, int]:
        """Return how many rows have a text in all of these columns, and how many different ones there are."""
        if columns not in self._rows:
            self._rows[columns] = filled_rows(self.sample, *columns)
        return self._rows[columns]


def filled_cells(sample: pl.DataFrame, column: str) -> list[str]:
    """Return the texts of a column, without the cells that are missing."""
    return [text for text in sample.get_column(column).to_list() if text is not None]


def filled_rows(sample: pl.DataFrame, *columns: str) -> tuple[int, int]:
    """Return how many rows have a text in all of these columns, and how many different ones there are."""
    if sample.height > _FEW:
        filled = sample[list(columns)].drop_nulls()
        return filled.height, filled.n_unique()
    cells = [sample.get_column(name).to_list() for name in columns]
    rows = [row for row in zip(*cells, strict=True) if None not in row]
    return len(rows), len(set(rows))


def _listed(text: str) -> list[str]:
    try:
        return [str(one) for one in json.loads(text)]
    except (ValueError, RecursionError, TypeError):
        return [text]


def shares(first: Facts, second: Facts) -> float:
    """Return how much of what two columns hold the other one holds as well, from 0 to 1.

    Of texts it is the share of cells whose text the other column has, of the column for which it is larger: an annotator may know
    fewer labels than another. Of numbers without steps it is how far their ranges overlap.

    Examples
    --------
    >>> a, b = (
    ...     Facts("a", ["x", "y", "x", "x"], 4),
    ...     Facts("b", ["x", "z", "z", "x"], 4),
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
    parts = [sum(n for text, n in one.counts.items() if text in both) / len(one.cells) for one in (first, second)]
    return max(parts)
