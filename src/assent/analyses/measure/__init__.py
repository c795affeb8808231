"""Coefficients with intervals: those that were asked for, or those that fit the data, and which one to quote."""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

from assent.analyses.gates import (
    MARGIN,
    GateOutcome,
    GateSettings,
    gates_asked,
    no_worse,
    not_lifted_by_runs,
    three_way,
)
from assent.analyses.gates import gate as register_gate
from assent.analyses.gates import judged as gated
from assent.analyses.generalise import UNITS, over_annotators, without_each_annotator
from assent.analyses.interpretation import (
    BENCHMARKS,
    Target,
    against_target,
    interpret,
    memberships,
)
from assent.analyses.interpretation import target as target_of
from assent.analyses.recommend import AS_NAMES, Recommendation, recommend
from assent.documents.result import Result
from assent.errors import OptionError, UnsuitableData, choose
from assent.limits import INTERVAL_METHODS
from assent.measures import Measure, find
from assent.measures._preparation import Weights, as_dataset
from assent.measures.registry import refuse_unowned
from assent.measures.results import DEFAULT_METHOD
from assent.records import dataclass
from assent.scales import SCALES

if TYPE_CHECKING:
    from assent.analyses.baseline import Against, Earlier
    from assent.analyses.findings.finding import Finding
    from assent.analyses.missingness import Missingness
    from assent.data import Dataset
    from assent.documents.blocks import Document
    from assent.measures.results import Agreement, Interval

__all__ = ["AsSteps", "Measured", "Measurement", "Shortfall", "as_steps", "measure", "misread_ratings"]

#: A difference between labels as names and as steps that is worth the first sentence.
APART = 0.02
#: So many words of a scale are ratings; fewer, as negative, neutral and positive, are as often names.
WORDS = 4

Method = Literal["etel", "analytic", "jackknife", "bootstrap", "none"]
#: Called with what is under way; what it returns is entered until that is done.
Stage = Callable[[str], AbstractContextManager[None]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Measured:
    """A coefficient with all that was asked of it.

    Parameters
    ----------
    agreement : Agreement
    interval : Interval or None
        None if none was asked for.
    p_value : float or None
        Of the permutation test of "no agreement beyond chance", if it was asked for.
    by_label : tuple of (str, Measured) or None
        The same for each label against the rest, if that was asked for.
    missingness : Missingness or None
        For a measure that assumes that what is missing has nothing to do with agreement: a check of that.
    """

    agreement: Agreement
    interval: Interval | None = None
    p_value: float | None = None
    by_label: tuple[tuple[str, Measured], ...] | None = None
    missingness: Missingness | None = None

    @property
    def graded(self) -> bool:
        """Tell whether words such as "moderate" are customary for its values."""
        return self.agreement.chance_corrected and find(self.agreement.measure).graded

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """The two ends of the interval, if there is one."""
        return (None, None) if self.interval is None else (self.interval.low, self.interval.high)

    @property
    def _doubt(self) -> float:
        """The standard error, or that of the interval where it is less than half of it: an error of 0 is no knowledge."""
        if self.interval is None:
            return math.nan
        half = (self.interval.high - self.interval.low) / 2.0
        own, wide = self.interval.standard_error, half / NormalDist().inv_cdf((1.0 + self.interval.level) / 2.0)
        return wide if own < wide / 2.0 else own

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the number and of its interval must know."""
        return (*self.agreement.notes, *(() if self.interval is None else self.interval.notes))

    def to_dict(self, goal: Target | None = None) -> dict[str, Any]:
        """Return everything as plain values, with what the number is called and how it stands to a target."""
        spoken = None
        if self.graded and not math.isnan(self.agreement.value):
            error = self._doubt
            spoken = [
                {
                    **interpret(self.agreement.value, *self.ends, scale=scale).to_dict(),
                    "memberships": [one._asdict() for one in memberships(self.agreement.value, error, scale)],
                }
                for scale in BENCHMARKS
            ]
        apart = None
        if self.by_label is not None:
            apart = [{"label": label, **one.agreement.to_dict(one.interval)} for label, one in self.by_label]
        return {
            **self.agreement.to_dict(self.interval),
            "p_value": None if self.p_value is None or math.isnan(self.p_value) else self.p_value,
            "by_label": apart,
            "interpretation": spoken,
            "target": None if goal is None else against_target(self.agreement.value, *self.ends, goal).to_dict(),
            "missingness": None if self.missingness is None else self.missingness.to_dict(),
        }


@dataclass(frozen=True, kw_only=True)
class Shortfall:
    """A number below what it should reach.

    Parameters
    ----------
    title : str
        What is too low: a coefficient, or the lower end of its interval.
    found : float
        NaN if it is undefined.
    wanted : float
    """

    title: str
    found: float
    wanted: float

    def __str__(self) -> str:
        found = "undefined" if math.isnan(self.found) else f"{self.found:.3f}"
        return f"{self.title} is {found}, below the target of {self.wanted:g}."


@dataclass(frozen=True, kw_only=True, eq=False)
class Measurement(Result):
    """Coefficients of some data; the first one is the one to quote.

    Parameters
    ----------
    data : Dataset
    measures : tuple of Measured
    chosen : Recommendation or None
        Why these measures; None if they were named.
    findings : tuple of Finding or None
        What makes the number say less than it seems to; None if it was not looked for.
    goal : Target or None
        What agreement should reach.
    level : float
        Confidence level of the intervals.
    beside : tuple of str
        What the number would be if the labels were read in another way.
    against : tuple of Against
        How the numbers differ from those of an earlier result.
    gates : tuple of GateOutcome
        What gates say.
    words : str or None
        A scale of words beside the one that is usual for the coefficient.
    """

    data: Dataset
    measures: tuple[Measured, ...]
    chosen: Recommendation | None = None
    findings: tuple[Finding, ...] | None = None
    goal: Target | None = None
    level: float = 0.95
    beside: tuple[str, ...] = ()
    against: tuple[Against, ...] = ()
    gates: tuple[GateOutcome, ...] = ()
    words: str | None = None

    @property
    def judged(self) -> tuple[Measured, ...]:
        """The coefficients that gates look at: those that were named, or else the one to quote."""
        return self.measures[:1] if self.chosen else self.measures

    @property
    def quoted(self) -> Agreement:
        """The coefficient to quote."""
        return self.measures[0].agreement

    @property
    def value(self) -> float:
        """The value of the coefficient to quote; NaN if it is undefined."""
        return self.quoted.value

    @property
    def observed(self) -> float:
        """The observed agreement of the coefficient to quote."""
        return self.quoted.observed

    @property
    def expected(self) -> float:
        """The agreement that the coefficient to quote expects by chance."""
        return self.quoted.expected

    def __float__(self) -> float:
        return self.value

    def __lt__(self, other: Any) -> bool:
        return bool(self.quoted < other)

    def __le__(self, other: Any) -> bool:
        return bool(self.quoted <= other)

    def __gt__(self, other: Any) -> bool:
        return bool(self.quoted > other)

    def __ge__(self, other: Any) -> bool:
        return bool(self.quoted >= other)

    def shortfalls(self, look_at: Literal["value", "low"] = "value") -> tuple[Shortfall, ...]:
        """Return which numbers are below the goal, or undefined; none of them if there is no goal.

        Parameters
        ----------
        look_at : {"value", "low"}
            The value, or the lower end of its interval.
        """
        choose("fail_on", look_at, ("value", "low"))
        if self.goal is None:
            return ()
        found = []
        for one in self.judged:
            low = look_at == "low" and one.interval is not None
            reached = one.interval.low if low and one.interval is not None else one.agreement.value
            title = f"The lower end of the interval of {one.agreement.title}" if low else one.agreement.title
            if math.isnan(reached) or reached < self.goal.value:
                found.append(Shortfall(title=title, found=reached, wanted=self.goal.value))
        return tuple(found)

    def outcomes(self, look_at: Literal["value", "low"] = "value") -> tuple[GateOutcome, ...]:
        """Return what gates say, and what the goal says of each number unless a gate says it."""
        if self.goal is None or any(one.gate == "kappa" for one in self.gates):
            return self.gates
        short = {one.title: one for one in self.shortfalls(look_at)}
        made = []
        for one in self.judged:
            title = one.agreement.title
            failed = short.get(title) or short.get(f"The lower end of the interval of {title}")
            low, high = (math.nan if end is None else end for end in one.ends)
            said = f"{title} reaches the target of {self.goal.value:g}." if failed is None else str(failed)
            made.append(
                GateOutcome(
                    gate="fail-under",
                    title=title,
                    outcome="pass" if failed is None else "fail",
                    sentence=said,
                    value=one.agreement.value,
                    low=low,
                    high=high,
                    threshold=self.goal.value,
                )
            )
        return (*not_lifted_by_runs(made, self.data.annotators or ()), *self.gates)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, in the shape the command line prints as JSON."""
        return {
            "data": self.data.to_dict(),
            "measures": [one.to_dict(self.goal) for one in self.measures],
            "chosen": None if self.chosen is None else self.chosen.to_dict(),
            "findings": None if self.findings is None else [one.to_dict() for one in self.findings],
            "beside": list(self.beside),
            "baseline": [one.to_dict() for one in self.against] or None,
            "gates": [one.to_dict() for one in self.gates],
        }

    def document(self) -> Document:
        """Return the coefficients as a table, and what one must know to read it."""
        from assent.analyses.measure.document import document_of

        return document_of(self)


def measure(
    data: Any,
    *measures: str,
    scale: str | None = None,
    weights: Weights = None,
    order: Sequence[str] | None = None,
    by_label: bool = False,
    ambiguity: bool | None = None,
    ci: str = DEFAULT_METHOD,
    bootstrap: str = "bca",
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    test: bool = False,
    generalise: str = "items",
    fail_under: float | None = None,
    target: str | float | None = None,
    baseline: str | os.PathLike[str] | None = None,
    gate: str | Sequence[str] = (),
    margin: float = MARGIN,
    words: str | None = None,
    stage: Stage | None = None,
    **options: Any,
) -> Measurement:
    """Measure the agreement in some data, with intervals: what is named, or what fits the data.

    Parameters
    ----------
    data : Dataset, or whatever `Annotations` can be made from
        A path, a DataFrame with the columns item, annotator and label, a 2-D array of items x annotators.
    *measures : str
        Names of coefficients; `assent.all_measures` lists them. Without any, those that fit the data are measured, and it is
        said why, which one to quote, and what makes it mislead.
    scale : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement; nominal if neither it nor weights are given.
    weights : str or array (labels, labels), optional
        Agreement weights by name, or a matrix of one's own in the order of the labels.
    order : sequence of str, optional
        The labels from lowest to highest; labels that nobody used may be among them.
    by_label : bool
        Also measure each label against all the others.
    ambiguity : bool, optional
        For sets of labels: several labels of an item can all be true (True), or they are doubt about one true label (False).
    ci : {"etel", "analytic", "jackknife", "bootstrap", "none"}
        How intervals are made; see `Agreement.confidence_interval`.
    bootstrap : {"bca", "percentile"}
        Kind of bootstrap interval.
    level : float
        Confidence level.
    replicates, seed : int
        Of the bootstrap and of the permutation test.
    test : bool
        Also test "no agreement beyond chance" by permuting the labels, as often as `replicates` less one.
    generalise : {"items", "annotators"}
        What the intervals are about: other items, with these annotators; or other items and other annotators like these.
    fail_under : float, optional
        What agreement should reach.
    target : str or float, optional
        The same by kind of task: objective, standard, subjective or highly-subjective.
    baseline : path, optional
        JSON of an earlier result: how the numbers differ from those.
    gate : str or sequence of {"kappa", "no-worse"}
        What to judge by intervals: whether the numbers reach `fail_under` or `target`; whether they are no worse than the baseline, but for
        the margin.
    margin : float
        How much worse is still no worse.
    words : {"landis-koch", "krippendorff", "fleiss", "cicchetti"}, optional
        A scale of words to show beside the one that is usual for the coefficient.
    stage : callable, optional
        Called with what is under way.
    **options
        Options of single measures, such as ``scheme="edges"`` of spa; each measure takes those that it has.

    Returns
    -------
    Measurement

    Examples
    --------
    >>> import assent
    >>> table = [["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"], ["a", "a"]]
    >>> assent.measure(table).quoted.measure
    'cohen-kappa'
    >>> round(assent.measure(table, "percent-agreement").value, 2)
    0.8
    """
    choose("ci", ci, (*INTERVAL_METHODS, "none"))
    choose("generalise", generalise, UNITS)
    if scale is not None:
        choose("scale", scale, SCALES)
    if not 0 < level < 1:
        raise OptionError(f"`level` is {level}; it must lie between 0 and 1, as 0.95 does.")
    if replicates < (2 if test else 1):
        raise OptionError(f"`replicates` is {replicates}; 1000 is usual, and a test needs at least 2.")
    goal = _goal(fail_under, target)
    settings = GateSettings(least=None if goal is None else goal.value, margin=margin)
    if gate and ci == "none":
        raise OptionError("`gate` judges by intervals, and `ci` none makes none.")
    earlier: Sequence[Earlier] = ()
    if baseline is not None:
        from assent.analyses.baseline import read_baseline

        earlier = read_baseline(baseline)
    under_way = stage or (lambda what: nullcontext())
    dataset: Any = as_dataset(data)
    if order is not None:
        dataset = dataset.ordered(order)
    chosen = None
    if not measures:
        with under_way("Counting labels by item"):
            chosen = recommend(dataset, scale=scale, weighted=weights is not None, ambiguity=ambiguity)
    wanted = [find(one) for one in (chosen.measures if chosen else measures)]
    refuse_unowned(wanted, options)
    # One seed for everything that is drawn; each measure takes the options that it has.
    options = {**options, "seed": seed}
    found = None
    if chosen is not None and weights is None:
        from assent.analyses.findings.search import findings

        with under_way("Looking for what misleads"):
            found = findings(dataset, scale=scale)
    how: dict[str, Any] = {"method": ci, "kind": bootstrap, "replicates": replicates, "seed": seed}

    def with_interval(agreement: Agreement, one: Measure, about: Any, own: Mapping[str, Any]) -> Measured:
        if ci == "none":
            return Measured(agreement=agreement)
        interval = agreement.confidence_interval(level, **how)
        if generalise == "annotators":
            interval = over_annotators(agreement, interval, without_each_annotator(about, one, own))
        return Measured(agreement=agreement, interval=interval)

    made: list[Measured] = []
    missed: list[str] = []
    for one in wanted:
        with under_way(f"Measuring {one.title}"):
            own = {**(chosen.options.get(one.name, {}) if chosen else {}), **options}
            own = {name: given for name, given in own.items() if name in one.parameters}
            own |= {"scale": scale, "weights": weights}
            try:
                agreement = one(dataset, **own)
            except UnsuitableData as refused:
                # What nobody asked for, and is not the one to quote, is missed and not demanded.
                if chosen is None or one.name == chosen.quote:
                    raise
                missed.append(str(refused))
                continue
            plain = with_interval(agreement, one, dataset, own)
            apart = None
            if by_label and one.each_label:
                rest = {name: given for name, given in own.items() if name not in ("distance", "scale", "weights")}
                parts = one.by_label(dataset, **rest)
                apart = tuple((label, with_interval(part, one, part.data, rest)) for label, part in parts.items())
            made.append(
                Measured(
                    agreement=agreement,
                    interval=plain.interval,
                    p_value=agreement.permutation_test(permutations=max(1, replicates - 1), seed=seed)
                    if test
                    else None,
                    by_label=apart,
                    missingness=_missingness(dataset, seed) if one.missing_at_random else None,
                )
            )
    beside = () if scale is not None or weights is not None else _beside(dataset, made, order is not None)
    if beside and chosen is not None:
        # The value as steps says it, and more.
        chosen = replace(chosen, reasons=tuple(one for one in chosen.reasons if one != AS_NAMES))
    result = Measurement(
        data=dataset,
        measures=tuple(made),
        chosen=chosen,
        findings=found,
        goal=goal,
        level=level,
        beside=(*beside, *missed),
        words=None if words is None else choose("words", words.replace("_", "-"), BENCHMARKS),
    )
    if baseline is not None:
        result = replace(result, against=tuple(_against(one, earlier, baseline) for one in result.judged))
    if not gate:
        return result
    return replace(
        result, gates=not_lifted_by_runs(gated(result, gates_asked(gate, None), settings), dataset.annotators or ())
    )


def _against(one: Measured, earlier: Sequence[Earlier], path: str | os.PathLike[str]) -> Against:
    from assent.analyses.baseline import against

    of = one.agreement
    return against(
        earlier, path, measure=of.measure, title=of.title, value=of.value, interval=one.interval, options=of.options
    )


@register_gate("kappa", Measurement)
def _high_enough(result: Measurement, settings: GateSettings) -> list[GateOutcome]:
    """Judge whether the numbers reach what was asked for."""
    if settings.least is None:
        raise OptionError(
            "The `gate` kappa holds a coefficient against a number: give it with `fail_under` or `target`."
        )
    made = []
    for one in result.judged:
        low, high = (math.nan if end is None else end for end in one.ends)
        of = one.agreement
        made.append(
            three_way(
                gate="kappa",
                title=of.title,
                what=of.title,
                value=of.value,
                low=low,
                high=high,
                threshold=settings.least,
            )
        )
    return made


register_gate("no-worse", Measurement)(no_worse)


def _beside(data: Dataset, made: Sequence[Measured], ordered: bool) -> tuple[str, ...]:
    """Say what else the first coefficient may be, by the kind of data."""
    found = {"labels": _as_steps}.get(data.kind)
    return () if found is None else found(data, made, ordered)


@dataclass(frozen=True)
class AsSteps:
    """Labels that were taken as names and look like steps of a scale.

    Parameters
    ----------
    what : str
        The beginning of a sentence about them.
    be : str
        What they may be in place of names.
    say : str
        The options that take them so.
    value : float
        The coefficient if they are.
    raises : float
        By how much that is above the coefficient of the names.
    rated : bool
        They are whole numbers in a row, more numbers than labels have names, or four or more words of a usual scale, as ratings are.
    """

    what: str
    be: str
    say: str
    value: float
    raises: float
    rated: bool

    @property
    def sentence(self) -> str:
        """What was done with them, to be ended by what the coefficient would be."""
        return f"{self.what} were compared as names: as {self.be}"


def as_steps(data: Any, first: Agreement, *, ordered: bool = False) -> AsSteps | None:
    """Return what a coefficient is if the labels, which were taken as names, are steps of a scale; None if they do not look like that.

    Parameters
    ----------
    data : Annotations
    first : Agreement
        Of the labels as names.
    ordered : bool
        An order was given for another reason.
    """
    from assent.data.natural_order import many_numbers, natural_order, whole_steps
    from assent.errors import AssentError

    measure = find(first.measure)
    if data.kind != "labels" or not {"ordinal", "interval"} <= set(measure.scales):
        return None
    labels = data.single_labels
    order, scale, be, say, rated = None, "ordinal", "steps from low to high", "`scale` ordinal", True
    if whole_steps(labels, data._decimal):
        what = f"The labels {labels[0]} to {labels[-1]}"
    elif many_numbers(labels, data._decimal):
        scale, be, say = "interval", "numbers", "`scale` interval"
        what = f"The labels, {len(labels):,} different numbers,"
    elif data._order_given and not ordered:
        what, rated = "The labels, which have an order of their own,", False
    elif (steps := natural_order(labels)) is not None:
        order, what, rated = steps, "The labels look like the steps of a scale and", len(steps) >= WORDS
        say = f"`scale` ordinal `order` {shlex.quote(','.join(steps))}"
    else:
        return None
    try:
        other = measure(data, scale=scale, order=order)
    except AssentError:
        return None
    if math.isnan(other.value):
        return None
    return AsSteps(what, be, say, other.value, other.value - first.value, rated)


def misread_ratings(data: Any, first: Agreement) -> AsSteps | None:
    """Return what a coefficient of labels that are surely ratings would be; None if they are names, or if it hardly matters.

    Parameters
    ----------
    data : Annotations
    first : Agreement
        Of the labels as names.
    """
    if math.isnan(first.value):
        return None
    found = as_steps(data, first)
    # Steps of a few whole numbers may lower the value as well; other numbers that do are codes.
    steps = found is not None and found.say == "`scale` ordinal"
    worth = found is not None and found.rated and (abs(found.raises) if steps else found.raises) >= APART
    return found if worth else None


def _as_steps(data: Any, made: Sequence[Measured], ordered: bool) -> tuple[str, ...]:
    """Say what the first coefficient is if the labels are steps of a scale."""
    from assent.text import value as shown_value

    first = made[0].agreement
    found = as_steps(data, first, ordered=ordered)
    if found is None:
        return ()
    return (
        f"{found.what} were taken as names, not as {found.be}: as {found.be.split()[0]}, {first.title} is {shown_value(found.value)} and not "
        f"{shown_value(first.value)} (set {found.say}).",
    )


def _missingness(data: Any, seed: int) -> Missingness:
    """Check whether how often items were annotated has to do with agreement."""
    from assent.analyses.missingness import missingness

    return missingness(data, seed=seed)


def _goal(fail_under: float | None, task: str | float | None) -> Target | None:
    """Take the number to reach from either option."""
    if fail_under is not None and task is not None:
        raise OptionError("`fail_under` and `target` both say what to reach: give one of them.")
    if task is not None:
        return target_of(task)
    return None if fail_under is None else Target(value=fail_under)
