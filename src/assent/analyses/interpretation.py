"""What a coefficient is called: benchmark scales, targets by task, and how sure either is.

A word such as "moderate" is a convention, and the value it stands for is an estimate. So every word here comes with its
source, and with the worst and the best word that the interval of the value allows. Three ways of asking:

* `interpret`: the word for the value, and for both ends of its interval;
* `against_target`: whether a value clears a target, falls short of it, or the data cannot tell;
* `memberships`: how probable each word is (Gwet 2014, chapter 6), and `benchmark_level`, the best word that is
  nearly certain to be earned.

They are for coefficients that are corrected for chance: there is no word for a percent agreement of 0.8.
"""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from assent.analyses.thresholds import BENCHMARKS, ROUNDING, TASK_TARGETS, Benchmark, Level, Target
from assent.errors import OptionError, UnsuitableData, choose, did_you_mean
from assent.records import Record
from assent.text import Printed, shown
from assent.text import value as shown_value

if TYPE_CHECKING:
    from assent.measures.results import Agreement

__all__ = [
    "BENCHMARKS",
    "TASK_TARGETS",
    "Benchmark",
    "Interpretation",
    "Level",
    "Membership",
    "Target",
    "Verdict",
    "against_target",
    "benchmark_level",
    "interpret",
    "memberships",
    "target",
    "usual_scale",
]


class Interpretation(Printed, Record, frozen=True, kw_only=True):
    """A word for a coefficient, and the words that its interval allows.

    Parameters
    ----------
    word : str
        For the value; "undefined" if there is none.
    worst, best : str or None
        For the two ends of the interval; None if there is no interval.
    sentence : str
        All of it, with the source.
    source, citation, caveat : str
        Who set the scale, and what to know of it.
    scale : str
        Name of the scale.
    """

    word: str
    worst: str | None
    best: str | None
    sentence: str
    source: str
    citation: str
    caveat: str
    scale: str

    def __str__(self) -> str:
        """Show the words with their source."""
        return self.sentence


class Verdict(Record, frozen=True, kw_only=True):
    """How a value stands to a target.

    Parameters
    ----------
    outcome : {"clears", "falls short", "undecided", "undefined"}
    """

    outcome: Literal["clears", "falls short", "undecided", "undefined"]
    sentence: str
    target: Target


class Membership(NamedTuple):
    """How probable it is that the true coefficient is at one level of a scale."""

    word: str
    probability: float
    #: Of this level or a better one.
    cumulative: float


def interpret(
    value: float | Agreement,
    low: float | None = None,
    high: float | None = None,
    *,
    scale: str | Benchmark | None = None,
) -> Interpretation:
    """Say what a coefficient is called, and what it might be called in the light of its interval.

    Parameters
    ----------
    value : float or Agreement
        A coefficient that is corrected for chance; NaN if it is undefined.
    low, high : float, optional
        Its confidence interval; NaN is none. An Agreement brings its own.
    scale : {"landis-koch", "fleiss", "cicchetti", "krippendorff", "mcbride"} or Benchmark, optional
        Unless given the usual one of an Agreement, and landis-koch of a number.

    Examples
    --------
    >>> interpret(0.51, 0.37, 0.65).sentence
    'moderate; its interval reaches from fair to substantial (Landis & Koch 1977)'
    >>> interpret(0.743, scale="krippendorff").word
    'tentative'
    """
    # A number may be read where nothing that computes is loaded.
    if hasattr(value, "chance_corrected"):
        agreement = cast("Agreement", value)
        if not agreement.chance_corrected:
            raise UnsuitableData(
                f"{agreement.title} is not corrected for chance, and words such as moderate are for values that are."
            )
        scale = scale or usual_scale(agreement.measure)
        if low is None and high is None:
            found = agreement.confidence_interval()
            low, high = found.low, found.high
    value = float(value)
    chosen = _benchmark(scale or "landis-koch")
    low, high = _interval(low, high)
    word = chosen.word(value)
    worst, best = (None, None) if low is None or high is None else (chosen.word(low), chosen.word(high))
    if math.isnan(value):
        worst = best = None
        said = "undefined: there is no number to find a word for"
    elif worst is None:
        said = f"{word}; how sure that is, is not known without an interval"
    elif worst == best == word:
        said = f"{word}, as is its whole interval"
    elif worst == best:
        said = f"{word}; its interval is {worst}"
    else:
        said = f"{word}; its interval reaches from {worst} to {best}"
    if value > 1 + ROUNDING:
        said += "; a value above 1 cannot be, so check where it comes from"
    return Interpretation(
        word=word,
        worst=worst,
        best=best,
        sentence=f"{said} ({chosen.source})",
        source=chosen.source,
        citation=chosen.citation,
        caveat=chosen.caveat,
        scale=chosen.name,
    )


def target(name_or_number: str | float) -> Target:
    """Return a target by the kind of task, or make one of a number between 0 and 1.

    Examples
    --------
    >>> target("subjective").value, target("0.65").value, target(0.65).name
    (0.5, 0.65, None)
    """
    if isinstance(name_or_number, str):
        known = TASK_TARGETS.get(name_or_number.strip().lower().replace("_", "-").replace(" ", "-"))
        if known is not None:
            return known
    try:
        value = float(name_or_number)
    except ValueError:
        raise OptionError(
            f"The target {shown(name_or_number)} is neither a number between 0 and 1 nor a kind of task: "
            f"{did_you_mean(str(name_or_number), TASK_TARGETS)}"
        ) from None
    if not 0 <= value <= 1:
        raise OptionError(f"The target is {value:g}; it must lie between 0 and 1, as 0.7 does.")
    return Target(value=value)


def against_target(value: float, low: float | None, high: float | None, aim: Target | str | float) -> Verdict:
    """Say whether a coefficient clears a target: with its whole interval, with none of it, or undecided.

    Parameters
    ----------
    low, high : float or None
        Its confidence interval.
    aim : Target, str or float
        A target, or what `target` makes one of.

    Examples
    --------
    >>> against_target(0.72, 0.63, 0.81, "standard").outcome
    'undecided'
    >>> against_target(0.72, 0.63, 0.81, 0.6).sentence
    '0.72 clears the target of 0.60: even the lower end of its interval, 0.63, does'
    """
    aim = aim if isinstance(aim, Target) else target(aim)
    low, high = _interval(low, high)
    found, least, most = (
        shown_value(one, low, high, told=lambda known: known >= aim.value - ROUNDING) for one in (value, low, high)
    )
    outcome: Literal["clears", "falls short", "undecided", "undefined"]
    if math.isnan(value):
        outcome, said = "undefined", f"there is no value to compare with the target of {aim}"
    elif low is None or high is None:
        side = "reaches" if value >= aim.value - ROUNDING else "is below"
        outcome = "undecided"
        said = f"{found} {side} the target of {aim}, but without an interval that may be luck"
    elif low >= aim.value - ROUNDING:
        outcome = "clears"
        said = f"{found} clears the target of {aim}: even the lower end of its interval, {least}, does"
    elif high < aim.value - ROUNDING:
        outcome = "falls short"
        said = f"{found} falls short of the target of {aim}: even the upper end of its interval, {most}, does"
    else:
        outcome = "undecided"
        said = (
            f"{found} may or may not clear the target of {aim}: its interval reaches from {least} to {most}, "
            "and more items would narrow it"
        )
    return Verdict(outcome=outcome, sentence=said, target=aim)


def memberships(value: float, standard_error: float, scale: str | Benchmark = "landis-koch") -> list[Membership]:
    """Return how probable each level of a scale is, from the best to the worst (Gwet 2014, chapter 6).

    The true coefficient is taken to be normally distributed about the value with its standard error, cut off at -1 and 1.

    Parameters
    ----------
    scale : {"landis-koch", "fleiss", "cicchetti", "krippendorff", "mcbride"} or Benchmark

    Returns
    -------
    list of (word, probability, cumulative probability)
        The cumulative probability is that of a level or a better one. Empty if value or error is undefined.

    References
    ----------
    Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed. Advanced Analytics, chapter 6.

    Examples
    --------
    >>> [(word, round(cumulative, 3)) for word, _, cumulative in memberships(0.67, 0.15, "fleiss")]
    [('excellent', 0.287), ('fair to good', 0.964), ('poor', 1.0)]
    """
    chosen = _benchmark(scale)
    if not math.isfinite(value) or not math.isfinite(standard_error):
        return []
    if standard_error < 0:
        raise OptionError(f"The standard error is {standard_error:g}; it must not be negative.")
    levels = tuple(reversed(chosen.levels))
    bounds = [1.0, *(max(level.low, -1.0) for level in levels)]
    at_least = [_upper_tail(value, standard_error, bound) for bound in bounds]
    inside = at_least[-1] - at_least[0]
    if inside <= 0:
        # No doubt about the value, or all of it outside -1 to 1: the word for the value is the only one.
        place = [level.word for level in levels].index(chosen.word(value))
        at_least = [0.0] * (place + 1) + [1.0] * (len(levels) - place)
        inside = 1.0
    cumulative = [(tail - at_least[0]) / inside for tail in at_least]
    each = [(more - less) / inside for less, more in pairwise(at_least)]
    return [Membership(level.word, each[i], cumulative[i + 1]) for i, level in enumerate(levels)]


def benchmark_level(
    value: float, standard_error: float, scale: str | Benchmark = "landis-koch", *, certainty: float = 0.95
) -> str | None:
    """Return the best word of a scale that the coefficient earns with a probability of `certainty`, as Gwet advises.

    Returns
    -------
    str or None
        None if value or error is undefined.

    Examples
    --------
    >>> benchmark_level(0.67, 0.15), BENCHMARKS["landis-koch"].word(0.67)
    ('moderate', 'substantial')
    """
    if not 0 < certainty < 1:
        raise OptionError(f"The certainty is {certainty:g}; it must lie between 0 and 1, as 0.95 does.")
    found = memberships(value, standard_error, scale)
    return next((one.word for one in found if one.cumulative >= certainty), found[-1].word if found else None)


def usual_scale(measure: str) -> str:
    """Return the scale that a measure is usually read on: Krippendorff's for alpha, Cicchetti's for an ICC, McBride's for Lin's concordance.

    Examples
    --------
    >>> usual_scale("krippendorff-alpha"), usual_scale("cohen-kappa")
    ('krippendorff', 'landis-koch')
    """
    usual = {"krippendorff-alpha": "krippendorff", "icc": "cicchetti", "lin-concordance": "mcbride"}
    return usual.get(measure.replace("_", "-"), "landis-koch")


def _benchmark(scale: str | Benchmark) -> Benchmark:
    return scale if isinstance(scale, Benchmark) else BENCHMARKS[choose("scale", scale.replace("_", "-"), BENCHMARKS)]


def _interval(low: float | None, high: float | None) -> tuple[float | None, float | None]:
    """Take NaN as no interval, and refuse half of one or one upside down."""
    low, high = (None if end is None or math.isnan(end) else end for end in (low, high))
    if (low is None) != (high is None):
        raise OptionError("An interval has two ends: give low and high, or neither.")
    if low is not None and high is not None and low > high:
        raise OptionError(f"The interval reaches from {low:g} to {high:g}: low must not be above high.")
    return low, high


def _upper_tail(value: float, standard_error: float, bound: float) -> float:
    """Return the probability of at least `bound` under a normal distribution about the value."""
    if standard_error == 0:
        return 0.0
    return NormalDist().cdf((value - bound) / standard_error)
