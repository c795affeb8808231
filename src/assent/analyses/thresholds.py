"""What agreement is compared with: scales of words for a coefficient, and targets by kind of task.

All of them are conventions; each carries its source and what to know of it. `assent.analyses.interpretation` applies them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from assent.records import Record, Struct
from assent.text import chosen
from assent.text import value as value_text

__all__ = ["BENCHMARKS", "TASK_TARGETS", "Benchmark", "Level", "Target", "reaches"]

#: Values this near a bound are on it: rounding must not decide between two words.
ROUNDING = 1e-9
#: What the last digits of a computation may take off: a kappa of 4/5 comes out as 0.7999999999999998 now and then.
LAST_DIGITS = 1e-13
#: How near a value is wanted to be known where nobody said it: half the width of its interval.
HALF_WIDTH = 0.1


class Level(Struct, frozen=True):
    """One word of a benchmark scale.

    Parameters
    ----------
    low : float
        Where it begins.
    closed : bool
        The bound itself belongs to this word, not to the one below.
    meaning : str
        What its author says that it allows, where the word alone does not say it.
    """

    word: str
    low: float
    closed: bool = True
    meaning: str = ""

    def reached_by(self, value: float) -> bool:
        """Tell whether a value is at this level or a better one."""
        return value >= self.low - ROUNDING if self.closed else value > self.low + ROUNDING


def reaches(value: float, least: float) -> bool:
    """Tell whether a number is what a gate asks for, or more; one that is undefined is not.

    Examples
    --------
    >>> reaches(0.7999999999999998, 0.8), reaches(0.79999999, 0.8)
    (True, False)
    """
    return value >= least - LAST_DIGITS


class Benchmark(Struct, frozen=True, kw_only=True):
    """A scale of words for the size of a coefficient.

    Parameters
    ----------
    name : str
        As on the command line.
    source : str
        Authors and year.
    citation : str
        The whole reference.
    caveat : str
        What a reader of the word must know.
    levels : tuple of Level
        From the worst to the best; the worst has no lower bound.
    """

    name: str
    source: str
    citation: str
    caveat: str
    levels: tuple[Level, ...]

    def word(self, value: float) -> str:
        """Return the word for a value; "undefined" for NaN.

        Examples
        --------
        >>> BENCHMARKS["landis-koch"].word(0.4), BENCHMARKS["landis-koch"].word(0.41)
        ('fair', 'moderate')
        """
        if math.isnan(value):
            return "undefined"
        return next(level.word for level in reversed(self.levels) if level.reached_by(value))

    def shown(
        self, value: float, low: float | None = None, high: float | None = None, *, also: Benchmark | None = None
    ) -> str:
        """Show a value beside its word: with so many digits that the printed number has this word, too.

        Parameters
        ----------
        low, high : float, optional
            The ends of its interval, as for `assent.text.value`.
        also : Benchmark, optional
            Another scale, whose word stands beside it, too.

        Examples
        --------
        >>> scale = BENCHMARKS["krippendorff"]
        >>> (
        ...     scale.shown(0.81),
        ...     scale.shown(0.796),
        ...     scale.shown(0.7999),
        ...     scale.shown(0.604, also=BENCHMARKS["landis-koch"]),
        ... )
        ('0.81', '0.796', '0.7999', '0.604')
        """
        scales = (self,) if also is None else (self, also)
        return value_text(value, low, high, told=lambda one: [scale.word(one) for scale in scales])

    def words(self, low: float, high: float) -> list[str]:
        """Return the words that an interval allows, from the worst to the best; none if it is not known.

        Examples
        --------
        >>> BENCHMARKS["landis-koch"].words(0.35, 0.75)
        ['fair', 'moderate', 'substantial']
        """
        if math.isnan(low) or math.isnan(high):
            return []
        every = [level.word for level in self.levels]
        return every[every.index(self.word(low)) : every.index(self.word(high)) + 1]


def _levels(*levels: tuple[str, float, bool] | tuple[str, float, bool, str]) -> tuple[Level, ...]:
    return tuple(Level(*level) for level in levels)


#: The usual scales by name. Bounds are those of the sources: "0.21-0.40 fair" makes 0.40 fair, ".40-.59 fair" does too.
BENCHMARKS: Mapping[str, Benchmark] = {
    one.name: one
    for one in (
        Benchmark(
            name="landis-koch",
            source="Landis & Koch 1977",
            citation="Landis, J. R. and Koch, G. G. (1977). The measurement of observer agreement for categorical data. "
            "Biometrics 33(1), 159-174. https://doi.org/10.2307/2529310",
            caveat="The divisions are, in the authors' own words, clearly arbitrary: rough conventions, not thresholds.",
            levels=_levels(
                ("poor", -math.inf, True, "less than chance"),
                ("slight", 0.0, True),
                ("fair", 0.2, False),
                ("moderate", 0.4, False),
                ("substantial", 0.6, False),
                ("almost perfect", 0.8, False),
            ),
        ),
        Benchmark(
            name="fleiss",
            source="Fleiss 1981",
            citation="Fleiss, J. L. (1981). Statistical Methods for Rates and Proportions, 2nd ed. Wiley.",
            caveat='The bounds were given with an "or so": rough conventions, not thresholds.',
            levels=_levels(("poor", -math.inf, True), ("fair to good", 0.4, True), ("excellent", 0.75, False)),
        ),
        Benchmark(
            name="cicchetti",
            source="Cicchetti 1994",
            citation="Cicchetti, D. V. (1994). Guidelines, criteria, and rules of thumb for evaluating normed and standardized "
            "assessment instruments in psychology. Psychological Assessment 6(4), 284-290. "
            "https://doi.org/10.1037/1040-3590.6.4.284",
            caveat="Rules of thumb from clinical assessment: rough conventions, not thresholds.",
            levels=_levels(
                ("poor", -math.inf, True), ("fair", 0.4, True), ("good", 0.6, True), ("excellent", 0.75, True)
            ),
        ),
        Benchmark(
            name="krippendorff",
            source="Krippendorff 2004",
            citation="Krippendorff, K. (2004). Content Analysis: An Introduction to Its Methodology, 2nd ed. Sage, p. 241-243.",
            caveat="Customary limits, which should follow from what a wrong conclusion would cost: rough conventions, not "
            "thresholds.",
            levels=_levels(
                ("unreliable", -math.inf, True, "discard the data"),
                ("tentative", 0.667, True, "draw tentative conclusions only"),
                ("reliable", 0.8, True, "rely on the data"),
            ),
        ),
        Benchmark(
            name="mcbride",
            source="McBride 2005",
            citation="McBride, G. B. (2005). A proposal for strength-of-agreement criteria for Lin's concordance correlation coefficient. "
            "NIWA Client Report HAM2005-062.",
            caveat="Proposed for instruments that measure the same thing: rough conventions, not thresholds.",
            levels=_levels(
                ("poor", -math.inf, True),
                ("moderate", 0.9, True),
                ("substantial", 0.95, True),
                ("almost perfect", 0.99, False),
            ),
        ),
    )
}


class Target(Record, frozen=True, kw_only=True):
    """What agreement to aim for.

    Parameters
    ----------
    name : str or None
        The kind of task; None for a number of one's own.
    examples : str
        Tasks of this kind.
    """

    value: float
    name: str | None = None
    examples: str = ""
    source: str = "your own target"

    def __str__(self) -> str:
        said = chosen(self.value)
        return said if self.name is None else f"{said} ({self.name}, as for {self.examples})"


_TEACHING = "common teaching targets (Zhao 2026, COSI-230B lecture 8, Brandeis University)"

#: What is commonly aimed for, by kind of task.
TASK_TARGETS: Mapping[str, Target] = {
    name: Target(value=value, name=name, examples=examples, source=_TEACHING)
    for name, value, examples in (
        ("objective", 0.8, "part-of-speech tagging"),
        ("standard", 0.7, "named entities or sentiment"),
        ("subjective", 0.5, "quality or safety"),
        ("highly-subjective", 0.4, "sarcasm or humour"),
    )
}
