"""What measuring gives: a number, what it is made of, and how sure it is."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from msgspec import field

from assent.errors import OptionError, UnsuitableData, choose
from assent.inference.etel import etel_interval
from assent.inference.intervals import bca_interval, normal_interval, percentile_interval
from assent.inference.linear import analytic_standard_error, jackknife_standard_error, skewness
from assent.inference.sample import PaddedSample, Sample
from assent.limits import INTERVAL_METHODS
from assent.profiles import Array, Counts, Ratings
from assent.records import Record, Struct, plain
from assent.text import Printed, counted, escaped, interval, percent

__all__ = ["Agreement", "Estimate", "Interval", "PairAgreement", "Share", "error_and_ci"]

#: Of standard errors; an interval by tilted weights comes with the analytic one.
METHODS = ("analytic", "jackknife", "bootstrap")
#: How an interval is made unless said otherwise.
DEFAULT_METHOD = INTERVAL_METHODS[0]
KINDS = ("bca", "percentile")
#: Beyond this skewness a symmetric interval misses too often on one side (docs/intervals.md).
SKEWED = 0.2
#: With fewer clusters than this an interval over clusters is too narrow (docs/intervals.md).
FEW_CLUSTERS = 20
#: A width that rounding may leave.
NO_WIDTH = 1e-12
#: With fewer items than this beside the most frequent label, what is known of the others is next to nothing.
FEW_OTHERS = 5


class Interval(Printed, Struct, frozen=True, kw_only=True):
    """A confidence interval and how it was made.

    Parameters
    ----------
    low, high : float
        NaN if there is no interval; `notes` say why.
    level : float
        Confidence level.
    method : str
        analytic, jackknife, bootstrap or etel.
    kind : str or None
        percentile or bca, for a bootstrap; F for the interval of an ICC by the F distribution.
    standard_error : float
        By the same method.
    unit : str
        What a new sample would draw anew: items, or the clusters of a column.
    n_units : int or None
        How many of them the interval rests on.
    replicates, seed : int or None
        Of a bootstrap.
    notes : tuple of str
        What a reader of the interval must know.
    exact : bool
        All agree: the lower end is the exact binomial bound for disagreement that was missed by luck.
    uncut : tuple of float or None
        The ends of a symmetric interval that reaches beyond the values there are, before it was cut to them.
    """

    low: float
    high: float
    level: float
    method: str
    kind: str | None = None
    standard_error: float
    unit: str
    n_units: int | None = None
    replicates: int | None = None
    seed: int | None = None
    notes: tuple[str, ...] = ()
    exact: bool = False
    uncut: tuple[float, float] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the interval as plain values; NaN becomes None."""
        return {
            "low": plain(self.low),
            "high": plain(self.high),
            "level": self.level,
            "method": self.method,
            "kind": self.kind,
            "unit": self.unit,
            "units": self.n_units,
            "replicates": self.replicates,
            "seed": self.seed,
        }

    def __str__(self) -> str:
        """Show the ends, the level and the method."""
        return f"{interval(self.low, self.high, digits=3)} ({percent(self.level)}, {self.method})"


def error_and_ci(interval: Interval | None) -> dict[str, Any]:
    """Return the standard error and the interval of a number as plain values; None if there is no interval."""
    return {"standard_error": None if interval is None else plain(interval.standard_error), "ci": plain(interval)}


class PairAgreement(Record, frozen=True, kw_only=True):
    """Agreement of two annotators on the items that both labelled.

    Parameters
    ----------
    first, second : str
        Names of the annotators.
    n_items : int
    value, observed, expected : float
        NaN if it is undefined.
    """

    first: str
    second: str
    n_items: int
    value: float
    observed: float
    expected: float


class Estimate(Printed, Struct, frozen=True, kw_only=True, eq=False):
    """A value that is a statistic of weighted items: everything it needs to say how sure it is."""

    value: float
    sample: Sample
    unit: str = "items"
    least_units: int = 2
    drawing_error: float = 0.0
    own_interval: Callable[[float], tuple[float, float]] | None = None
    padded: Callable[[], PaddedSample] | None = None
    _drawn: dict[tuple[int, int], Array] = field(default_factory=dict)

    def __float__(self) -> float:
        return float(self.value)

    def __repr__(self) -> str:
        """Show at a prompt what a person reads."""
        return str(self)

    def __format__(self, form: str) -> str:
        """Write the value as a number is written, as in ``f"{alpha:.2f}"``."""
        return format(float(self), form) if form else str(self)

    def __eq__(self, other: object) -> bool:
        return float(self) == float(other) if isinstance(other, int | float | np.number) else self is other

    __hash__ = object.__hash__

    def __lt__(self, other: Any) -> bool:
        return self._compared(other, operator.lt)

    def __le__(self, other: Any) -> bool:
        return self._compared(other, operator.le)

    def __gt__(self, other: Any) -> bool:
        return self._compared(other, operator.gt)

    def __ge__(self, other: Any) -> bool:
        return self._compared(other, operator.ge)

    def _compared(self, other: Any, how: Callable[[float, float], bool]) -> bool:
        """Compare the value with a number, or with that of another result; nothing is true of an undefined one."""
        if isinstance(other, int | float | np.number | Estimate):
            return bool(how(float(self), float(other)))
        return NotImplemented  # type: ignore[no-any-return]

    def standard_error(self, method: str = "analytic", *, replicates: int = 1000, seed: int = 0) -> float:
        """Return the standard error of the value.

        Parameters
        ----------
        method : {"analytic", "jackknife", "bootstrap"}
        replicates, seed : int
            Of the bootstrap.

        Returns
        -------
        float
            NaN where it is undefined: with one unit, or if the value itself is undefined.
        """
        choose("method", method, METHODS)
        if method == "analytic":
            return self._linearised()
        if math.isnan(self.value) or self._few_units:
            return math.nan
        if method == "jackknife":
            return math.hypot(jackknife_standard_error(self.sample), self.drawing_error)
        drawn = self.bootstrap(replicates=replicates, seed=seed)
        defined = drawn[~np.isnan(drawn)]
        return math.hypot(float(defined.std(ddof=1)), self.drawing_error) if len(defined) > 1 else math.nan

    def _linearised(self, slopes: Array | None = None) -> float:
        """Return the analytic standard error, from the influences of items if these are known."""
        if math.isnan(self.value) or self._few_units:
            return math.nan
        return math.hypot(analytic_standard_error(self.sample, slopes), self.drawing_error)

    def bootstrap(
        self, *, replicates: int = 1000, seed: int = 0, progress: Callable[[int], None] | None = None
    ) -> Array:
        """Return the value in `replicates` samples drawn with replacement; NaN where it is undefined."""
        if replicates < 1:
            raise OptionError(f"`replicates` is {replicates}; a bootstrap needs at least 1, and 1000 is usual.")
        if seed < 0:
            raise OptionError(f"`seed` is {seed}; it must not be negative.")
        if (replicates, seed) not in self._drawn:
            from assent.inference.bootstrap import bootstrap_replicates

            self._drawn[replicates, seed] = bootstrap_replicates(
                self.sample, replicates=replicates, seed=seed, progress=progress
            )
        return self._drawn[replicates, seed]

    def confidence_interval(
        self,
        confidence_level: float = 0.95,
        *,
        method: str = DEFAULT_METHOD,
        kind: str = "bca",
        replicates: int = 1000,
        seed: int = 0,
    ) -> Interval:
        """Return a confidence interval of the value.

        Parameters
        ----------
        confidence_level : float
        method : {"etel", "analytic", "jackknife", "bootstrap"}
            ``etel``: the items and one pseudo-item are weighed anew as far as their likelihood allows; it has a width when
            all agree and exists where the value does not. Where no pseudo-item is defined the jackknife stands in, and the
            interval's `method` says so. ``analytic``: linearised standard error and the t distribution. ``jackknife``: the same with
            the delete-one standard error. ``bootstrap``: from resampled items.
        kind : {"bca", "percentile"}
            How bootstrap replicates become an interval.
        replicates, seed : int
            Of the bootstrap.

        Returns
        -------
        Interval
            No end lies beyond the values that there are. A symmetric interval that does is cut, one without any width gives
            way to ``etel``, and `notes` say so. With ``etel`` an undefined value has an interval too, of the values it may have
            with one item more.
        """
        if not 0 < confidence_level < 1:
            raise OptionError(f"The confidence level is {confidence_level}; it must lie between 0 and 1, as 0.95 does.")
        choose("method", method, INTERVAL_METHODS)
        choose("kind", kind, KINDS)
        if method == "etel" and self.padded is not None:
            return self._tilted(confidence_level)
        method = "jackknife" if method == "etel" else method
        low = high = math.nan
        notes: list[str] = []
        own = self.own_interval if method == "analytic" and self.sample.units is None else None
        error = self.standard_error(method, replicates=replicates, seed=seed)
        if math.isnan(self.value):
            notes.append("No interval: the value is undefined.")
        elif self._few_units:
            notes.append(self._few_units)
        elif method == "bootstrap":
            drawn = self.bootstrap(replicates=replicates, seed=seed)
            defined = drawn[~np.isnan(drawn)]
            if len(defined) < len(drawn):
                notes.append(
                    f"The value is undefined in {len(drawn) - len(defined)} of {len(drawn)} bootstrap samples (all one "
                    "label); the interval rests on the others."
                )
            if len(defined) > 1:
                low, high = self._widened(*self._from_replicates(defined, confidence_level, kind), confidence_level)
            else:
                notes.append(f"No interval: {len(defined)} defined bootstrap sample(s) are too few to see a spread.")
        else:
            if math.isnan(error):
                notes.append("No interval: without one of the units the value is undefined.")
            elif own is None and abs(skewness(self.sample)) > SKEWED:
                better = "use the bootstrap (`ci` bootstrap)"
                if self.padded is not None:
                    better = "use tilted weights (`ci` etel)"
                elif self.sample.degrees + 1 < FEW_CLUSTERS:
                    better = f"take it as rough, as {self.sample.degrees + 1} are too few for a bootstrap"
                notes.append(
                    f"A few {self._units} decide much of this value, so a symmetric interval is off: {better}."
                )
            low, high = normal_interval(self.value, error, confidence_level, self.sample.degrees)
            if own is not None:
                low, high = own(confidence_level)
                notes.append(
                    "The interval by the F distribution is for normal values, and where annotators are random (forms 2,1 and 2,k) about other annotators, too."
                )
                if not -math.inf < low <= self.value <= high < math.inf:
                    notes.append(
                        "No interval by the F distribution: that of a single annotator reaches -1 / (k - 1) or less, and "
                        "there the mean of k annotators has no coefficient."
                        if low == -math.inf
                        else "No interval by the F distribution: the labels leave too little variance to compare with."
                    )
                    low = high = math.nan
        unseen = None if math.isnan(low) else self._unseen_disagreement(confidence_level)
        if unseen is not None:
            low = unseen
            notes.append(
                f"All agree, so nothing varies; the lower end allows for as much disagreement as {self.sample.degrees + 1:,} "
                f"{self._units} can miss by luck (exact binomial bound)."
            )
        elif not math.isnan(low) and high - low <= NO_WIDTH:
            if self.padded is not None:
                return self._tilted(confidence_level, f"The {method} interval has no width, which proves nothing")
            low = high = math.nan
            notes.append("No interval: the value stays the same whatever is drawn, which does not prove it.")
        uncut = None
        least, most = self.span
        if low < least or high > most:
            uncut = low, high
            low, high = max(low, least), min(high, most)
            notes.append(
                f"{'A symmetric interval' if own is None else 'An interval by the F distribution'} would end at {uncut[0]:.3f} and {uncut[1]:.3f}: it is cut to the values that there are."
            )
        if not math.isnan(low):
            notes += self._too_few()
        drawing = method == "bootstrap"
        return Interval(
            low=low,
            high=high,
            level=confidence_level,
            method=method,
            kind=kind if drawing else None if own is None else "F",
            standard_error=error,
            unit=self.unit,
            n_units=self.sample.degrees + 1,
            replicates=replicates if drawing else None,
            seed=seed if drawing else None,
            notes=tuple(notes),
            exact=unseen is not None,
            uncut=uncut,
        )

    @property
    def span(self) -> tuple[float, float]:
        """The least and the largest value that there can be, or that an estimate of this kind may be said to have."""
        return -math.inf, math.inf

    def _tilted(self, level: float, instead: str | None = None) -> Interval:
        """Return the interval by tilted weights of the items and a pseudo-item, instead of another if there is a reason."""
        assert self.padded is not None
        low = high = error = math.nan
        notes: list[str] = [] if instead is None else [f"{instead}: this one is by tilted weights (etel)."]
        if self._few_units:
            notes.append(self._few_units)
        else:
            padded = self.padded()
            low, high = etel_interval(padded, level=level, degrees=self.sample.degrees)
            error = self._linearised(padded.plain_slopes)
        if math.isnan(low) or math.isnan(high):
            low = high = math.nan
            notes = notes or ["No interval: the value is undefined."]
        elif math.isnan(self.value):
            notes.append(
                "The value is undefined; the interval holds the values that it may have once one more item is labelled."
            )
        else:
            low, high = self._widened(min(low, self.value), max(high, self.value), level)
        if not math.isnan(low):
            # A variance that few items leave nothing of, or numbers drawn for chance, can bring an end beyond.
            least, most = self.span
            low, high = max(low, least), min(high, most)
            notes += self._too_few()
        return Interval(
            low=low,
            high=high,
            level=level,
            method="etel",
            standard_error=error,
            unit=self.unit,
            n_units=self.sample.degrees + 1,
            notes=tuple(notes),
        )

    def _too_few(self) -> list[str]:
        """Say where an interval rests on too little."""
        if self.sample.units is None or self.sample.degrees + 1 >= FEW_CLUSTERS:
            return []
        return [
            f"The interval rests on {self.sample.degrees + 1} clusters ({self._units}): with fewer than {FEW_CLUSTERS} it is "
            "too narrow more often than it should be."
        ]

    def _widened(self, low: float, high: float, level: float) -> tuple[float, float]:
        """Make an interval over units wider by what comes from drawing numbers."""
        if not self.drawing_error:
            return low, high
        own = normal_interval(0.0, self.drawing_error, level, self.sample.degrees)[1]
        return self.value - math.hypot(self.value - low, own), self.value + math.hypot(high - self.value, own)

    def _unseen_disagreement(self, level: float) -> float | None:
        """Return a lower end for a value without any variation; None if there is variation."""
        return None

    @property
    def _few_units(self) -> str:
        """Say that there are too few units for an interval; empty if there are enough."""
        units = self.sample.degrees + 1
        if units >= self.least_units:
            return ""
        many = f"{units} units ({self._units}) are" if units > 1 else f"one unit ({self._units}) is"
        return f"No interval: {many} not enough to see how much agreement varies."

    @property
    def _units(self) -> str:
        """The units in a sentence; the name of a column may hold anything."""
        return escaped(self.unit)

    def _from_replicates(self, drawn: Array, level: float, kind: str) -> tuple[float, float]:
        """Turn bootstrap replicates into an interval."""
        if kind == "percentile":
            return percentile_interval(drawn, level)
        values, weights = self.sample.influences
        return bca_interval(drawn, self.value, values, weights, level)


class Share(Estimate, frozen=True, kw_only=True, eq=False):
    """An estimate between 0 and 1."""

    @property
    def span(self) -> tuple[float, float]:
        """From 0 to 1."""
        return 0.0, 1.0


class Agreement(Estimate, frozen=True, kw_only=True, eq=False):
    """A measured coefficient.

    Parameters
    ----------
    measure, title : str
        Name of the measure, as on the command line and in a sentence.
    value, observed, expected : float
        ``value = (observed - expected) / (1 - expected)``; NaN if it is undefined, and `notes` say why.
    n_items, n_annotations : int
        Items with two or more annotations, and the annotations of these.
    n_annotators : int or None
        None if the table does not say who annotated.
    options : mapping
        Settings it was measured with.
    chance_corrected : bool
        False if the expected agreement is 0 by definition.
    lowest : float
        The least value that there can be.
    notes : tuple of str
        What a reader of the number must know.
    undefined : str
        Why there is no value, as one of the notes says; empty if there is one.
    pairs : tuple of PairAgreement
        Every two annotators, for a measure that is a mean over pairs; else empty.
    details : mapping of str to float
        Numbers that belong to the value, such as its coverage, by name.
    """

    measure: str
    title: str
    observed: float
    expected: float
    n_items: int
    n_annotators: int | None
    n_annotations: int
    options: Mapping[str, Any]
    chance_corrected: bool
    lowest: float
    notes: tuple[str, ...] = ()
    undefined: str = ""
    pairs: tuple[PairAgreement, ...] = ()
    details: Mapping[str, float] = field(default_factory=dict)
    data: Any
    profiles: Any
    on_profiles: Callable[[Any], Array]

    def _too_few(self) -> list[str]:
        """Say where an interval rests on too little."""
        from assent.inference.pseudo import minority_items

        others = FEW_OTHERS
        if isinstance(self.profiles, Counts | Ratings):
            others = minority_items(self.profiles, enough=FEW_OTHERS)
        if others >= FEW_OTHERS:
            return super()._too_few()
        carry = "item carries" if others == 1 else "items carry"
        return [
            f"{others} {carry} another label than the most frequent one: with fewer than {FEW_OTHERS} an interval says little "
            "about how well the other labels are told apart.",
            *super()._too_few(),
        ]

    @property
    def span(self) -> tuple[float, float]:
        """1 is the most; at the other end percent agreement has 0, and coefficients that correct for chance and correlations -1."""
        # Few items can bring some coefficients below -1: the value itself is always among the values that there are.
        return min(self.lowest, self.value), max(1.0, self.value)

    def _unseen_disagreement(self, level: float) -> float | None:
        """Return what the value could be if some disagreement had been missed by luck.

        With a share of 1 - p of items in full disagreement, N items show none of it with probability p**N.
        """
        if not (abs(self.value - 1) < 1e-12 and abs(self.observed - 1) < 1e-12 and self.expected < 1):
            return None
        observed = math.pow((1.0 - level) / 2.0, 1.0 / (self.sample.degrees + 1))
        if not self.chance_corrected:
            # What was missed would have been the least there is: of a correlation, the opposite order.
            return observed + (1.0 - observed) * self.lowest
        return (observed - self.expected) / (1.0 - self.expected)

    def permutation_test(self, *, permutations: int = 999, seed: int = 0) -> float:
        """Return the p-value of "no agreement beyond chance".

        The labels are dealt to the items anew `permutations` times, those of an annotator in one cluster together; the p-value says how
        often they then agree at least as much. It says nothing about whether the agreement is good enough: even weak agreement is
        beyond chance in a large table.
        """
        if math.isnan(self.value):
            return math.nan
        if permutations < 1:
            raise OptionError(f"permutations is {permutations}; a permutation test needs at least 1, and 999 is usual.")
        from assent.inference.permutation import permutation_p_value

        profiles = self.profiles
        narrow: Callable[[Any], Any] = _as_they_are
        if isinstance(profiles, Counts) and profiles.units is not None and self.data.annotators is not None:
            # Labels of one annotator in one cluster go together, so it must be known whose they are.
            profiles, narrow = self.data._ratings, _counted(int(profiles.sizes.min()))
        if not isinstance(profiles, (Counts, Ratings)):
            raise UnsuitableData(
                f"A permutation test deals the labels of items anew, and {self.title} is not about labels of items: leave out `test`."
            )
        return permutation_p_value(
            lambda dealt: float(self.on_profiles(narrow(dealt))),
            profiles,
            self.value,
            permutations=permutations,
            seed=seed,
        )

    def to_dict(self, interval: Interval | None = None) -> dict[str, Any]:
        """Return the result as plain values, in the shape the command line prints as JSON."""
        return {
            "measure": self.measure,
            "title": self.title,
            "value": plain(self.value),
            "observed": plain(self.observed),
            "expected": plain(self.expected),
            **error_and_ci(interval),
            "items": self.n_items,
            "annotators": self.n_annotators,
            "annotations": self.n_annotations,
            "options": dict(self.options),
            "pairs": [pair.to_dict() for pair in self.pairs] or None,
            "details": plain(self.details) or None,
            "notes": [*self.notes, *(interval.notes if interval else ())],
        }

    def __str__(self) -> str:
        """Show the value with its interval."""
        interval = self.confidence_interval()
        number = "undefined" if math.isnan(self.value) else f"{self.value:.3f}"
        if not math.isnan(interval.low):
            number += f" [{interval.low:.3f}, {interval.high:.3f}] (95 %, {interval.method})"
        return f"{self.title}: {number}, {counted(self.n_items, 'item')}"


def _as_they_are(dealt: Any) -> Any:
    return dealt


def _counted(least: int) -> Callable[[Ratings], Counts]:
    """Return how labels that were dealt to annotators become counts, of items with so many annotations at least."""

    def kept(dealt: Ratings) -> Counts:
        whole = Counts(counts=dealt.counts, multiplicities=dealt.multiplicities, labels=dealt.labels)
        return whole.kept(whole.sizes >= least)

    return kept
