"""What is known of repeats: how often labels change, what that leaves of agreement, and how stable a majority is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assent.analyses.estimates import Quantity
from assent.data import Annotations
from assent.documents import Document, Result
from assent.measures.results import Agreement, Interval
from assent.records import Record, Struct, plain

__all__ = ["Flip", "JudgeRepeats", "Majority", "NoiseCeiling", "Repeatability"]


class Majority(Struct, frozen=True, kw_only=True, eq=False):
    """How often two majorities of several runs differ.

    Parameters
    ----------
    n_runs : int
        Runs of which the majority is taken; 1 is the flip rate.
    change : float
        NaN if it is undefined.
    quantity : Quantity or None
        The estimate with its interval; None if a model stood in.
    """

    n_runs: int
    change: float
    quantity: Quantity | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the number as plain values."""
        made = {"runs": self.n_runs, "change": plain(self.change), "model": "beta-binomial", "ci": None, "items": None}
        if self.quantity is None:
            return made
        held = self.quantity.to_dict()
        return {**made, "model": None, "ci": held["ci"], "items": held["items"]}


class JudgeRepeats(Struct, frozen=True, kw_only=True, eq=False):
    """One judge's repeats.

    Parameters
    ----------
    n_runs : int
        Most runs of an item.
    flip_rate : Quantity
        Chance that two runs of an item differ.
    ever_changed : float
        Share of items of which some run differs; it grows with the number of runs.
    alpha : Agreement
        Krippendorff's alpha over the runs.
    interval : Interval or None
        Of alpha.
    """

    judge: str
    n_runs: int
    flip_rate: Quantity
    ever_changed: float
    alpha: Agreement
    interval: Interval | None
    majority: tuple[Majority, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "judge": self.judge,
            "runs": self.n_runs,
            "items": self.flip_rate.n_items,
            "flip_rate": self.flip_rate.to_dict(),
            "ever_changed": plain(self.ever_changed),
            "alpha": self.alpha.to_dict(self.interval),
            "majority": plain(self.majority),
        }


class Flip(Record, frozen=True, kw_only=True):
    """An item whose label changed.

    Parameters
    ----------
    flip_rate : float
        Chance that two of its runs differ.
    labels : mapping of str to int
        How many runs gave each label, the most frequent first.
    """

    item: str
    judge: str
    flip_rate: float
    labels: Mapping[str, int]


class NoiseCeiling(Record, frozen=True, kw_only=True, eq=False):
    """How far two judges can agree at all, given how far each agrees with itself.

    Parameters
    ----------
    first, second : str
        Names of judges; the second may be people, each of whom has an item once.
    people : bool
        The second side is people.
    kappa : Quantity
        Agreement beyond chance of a run of one with a run of the other.
    ceiling : Quantity
        The highest value it could have with this noise.
    corrected : Quantity
        Their ratio: agreement of what the two would say on average; above 1 by sampling error alone.
    first_self, second_self : Quantity
        Agreement beyond chance of each with itself.
    """

    first: str
    second: str
    people: bool
    kappa: Quantity
    ceiling: Quantity
    corrected: Quantity
    first_self: Quantity
    second_self: Quantity


class Repeatability(Result, frozen=True, kw_only=True, eq=False):
    """How far judges repeat themselves.

    Parameters
    ----------
    data : Annotations
        With each run as an annotator.
    scale : str
    n_items, n_labels : int
        Items, and labels of which components are made: one for each item, judge and run.
    judges : tuple of JudgeRepeats
        Those with repeats, in the order of their names.
    once : tuple of str
        Annotators who have each item once.
    flip_rate : Quantity
        Chance that two runs of an item by the same judge differ; every item and judge counts once.
    majority : tuple of Majority
        The same for majorities of several runs.
    histogram : tuple of (float, int)
        Flip rates of items and judges, and how many have each.
    flips : tuple of Flip
        What changed, the most unstable first.
    n_flips : int
        How many items and judges changed, listed or not.
    half_of_flips : int
        So many of them make half of all changes.
    disagreement : mapping of str to Quantity
        Mean distance of two labels: of the same item and judge, of the same item and other judges, of other items and the same judge,
        of other items and judges.
    components : mapping of str to Quantity
        Variance by item, judge, item x judge and run.
    reliability : tuple of (int, float)
        Which share of the variance of a mean of so many runs is between items; for numbers alone.
    ceilings : tuple of NoiseCeiling
    notes : tuple of str
    """

    data: Annotations
    scale: str
    n_items: int
    n_labels: int
    judges: tuple[JudgeRepeats, ...]
    once: tuple[str, ...]
    flip_rate: Quantity
    majority: tuple[Majority, ...]
    histogram: tuple[tuple[float, int], ...]
    flips: tuple[Flip, ...]
    n_flips: int
    half_of_flips: int
    disagreement: Mapping[str, Quantity]
    components: Mapping[str, Quantity]
    reliability: tuple[tuple[int, float], ...]
    ceilings: tuple[NoiseCeiling, ...]
    notes: tuple[str, ...] = ()

    @property
    def value(self) -> float:
        """The flip rate."""
        return self.flip_rate.value

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, in the shape the command line prints as JSON."""
        return {
            "data": {**self.data.to_dict(), "annotators": len(self.judges) + len(self.once)},
            "scale": self.scale,
            "flip_rate": self.flip_rate.to_dict(),
            "majority": plain(self.majority),
            "components": {name: plain(one.value) for name, one in self.components.items()},
            "component_intervals": {name: one.to_dict()["ci"] for name, one in self.components.items()},
            "disagreement": {name: one.to_dict() for name, one in self.disagreement.items()},
            "reliability": [{"runs": runs, "value": plain(value)} for runs, value in self.reliability],
            "judges": plain(self.judges),
            "without_repeats": list(self.once),
            "ceilings": plain(self.ceilings),
            "histogram": [{"flip_rate": rate, "items": items} for rate, items in self.histogram],
            "flips": plain(self.flips),
            "flips_total": self.n_flips,
            "half_of_flips": self.half_of_flips,
            "notes": list(self.notes),
        }

    def document(self) -> Document:
        """Return how often labels change, where, and what that leaves of agreement."""
        from assent.analyses.repeat.document import document_of

        return document_of(self)
