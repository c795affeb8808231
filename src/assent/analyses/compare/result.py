"""What comparing data sets gives: a number for each, how much they differ, and what changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from assent.analyses.compare.changes import Changes
from assent.analyses.gates import GateOutcome, GateSettings, gate, three_way
from assent.data import Dataset
from assent.documents import Document, Result
from assent.errors import OptionError
from assent.measures.results import Agreement, Interval, error_and_ci
from assent.records import Struct, plain

__all__ = ["Compared", "Comparison", "Gap", "Side"]


class Side(Struct, frozen=True, kw_only=True, eq=False):
    """A coefficient of one of the data sets."""

    name: str
    agreement: Agreement
    interval: Interval | None

    def to_dict(self) -> dict[str, Any]:
        """Return the coefficient as plain values."""
        return {"name": self.name, **self.agreement.to_dict(self.interval)}


class Gap(Struct, frozen=True, kw_only=True, eq=False):
    """How much the coefficient of one data set differs from that of another.

    Parameters
    ----------
    value : float
        Second less first; NaN if it is undefined.
    p_value : float
        How likely so large a difference is if there is none; from the same method as the interval.
    p_corrected : float
        After Holm's correction for all differences of the same coefficient.
    paired : bool
        Items were matched by name.
    n_shared : int
        Items that both have.
    """

    first: str
    second: str
    value: float
    interval: Interval | None
    p_value: float
    p_corrected: float
    paired: bool
    n_shared: int

    @property
    def clear(self) -> bool:
        """It is beyond chance after the correction."""
        return self.interval is not None and self.p_corrected <= 1.0 - self.interval.level + 1e-12

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as plain values."""
        return {
            "first": self.first,
            "second": self.second,
            "difference": plain(self.value),
            **error_and_ci(self.interval),
            "p_value": plain(self.p_value),
            "p_corrected": plain(self.p_corrected),
            "clear": self.clear,
            "paired": self.paired,
            "shared_items": self.n_shared,
        }


class Compared(Struct, frozen=True, kw_only=True, eq=False):
    """One coefficient of all data sets.

    Parameters
    ----------
    gaps : tuple of Gap
        Every two of them.
    """

    measure: str
    title: str
    sides: tuple[Side, ...]
    gaps: tuple[Gap, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "measure": self.measure,
            "title": self.title,
            "values": plain(self.sides),
            "differences": plain(self.gaps),
        }


class Comparison(Result, frozen=True, kw_only=True, eq=False):
    """Two or more data sets side by side.

    Parameters
    ----------
    names : tuple of str
    data : tuple of Dataset
    measures : tuple of Compared
        The first is the one to quote.
    changes : Changes or None
        What changed; for two data sets of labels with items in common.
    level : float
        Confidence level.
    notes : tuple of str
    gates : tuple of GateOutcome
    """

    names: tuple[str, ...]
    data: tuple[Dataset, ...]
    measures: tuple[Compared, ...]
    changes: Changes | None = None
    level: float = 0.95
    notes: tuple[str, ...] = ()
    gates: tuple[GateOutcome, ...] = ()

    @property
    def quoted(self) -> Compared:
        """The coefficient to quote."""
        return self.measures[0]

    def gated(self, outcomes: Sequence[GateOutcome]) -> Comparison:
        """Return the same with what gates say of it."""
        return replace(self, gates=tuple(outcomes))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, in the shape the command line prints as JSON."""
        return {
            "data": [{"name": name, **one.to_dict()} for name, one in zip(self.names, self.data, strict=True)],
            "measures": plain(self.measures),
            "changes": plain(self.changes),
            "gates": plain(self.gates),
            "notes": list(self.notes),
        }

    def document(self) -> Document:
        """Return the numbers, their differences, and what changed."""
        from assent.analyses.compare.document import document_of

        return document_of(self)


@gate("kappa", Comparison)
def _high_enough(result: Comparison, settings: GateSettings) -> list[GateOutcome]:
    """Judge whether the last data set reaches what was asked for."""
    if settings.least is None:
        raise OptionError("The `gate` kappa holds a coefficient against a number: give it with `fail_under`.")
    made = []
    for one in result.measures:
        last = one.sides[-1]
        ends = (float("nan"),) * 2 if last.interval is None else (last.interval.low, last.interval.high)
        made.append(
            three_way(
                gate="kappa",
                title=f"{one.title} of {last.name}",
                what=f"{one.title} of the last data set",
                value=last.agreement.value,
                low=ends[0],
                high=ends[1],
                threshold=settings.least,
            )
        )
    return made


@gate("no-worse", Comparison)
def _no_worse(result: Comparison, settings: GateSettings) -> list[GateOutcome]:
    """Judge whether each data set is no worse than the first, but for the margin."""
    made = []
    for one in result.measures:
        for gap in one.gaps:
            if gap.first != result.names[0]:
                continue
            ends = (float("nan"),) * 2 if gap.interval is None else (gap.interval.low, gap.interval.high)
            made.append(
                three_way(
                    gate="no-worse",
                    title=f"{one.title}, {gap.second} against {gap.first}",
                    what=f"The difference of {one.title}",
                    value=gap.value,
                    low=ends[0],
                    high=ends[1],
                    threshold=-settings.margin,
                )
            )
    return made
