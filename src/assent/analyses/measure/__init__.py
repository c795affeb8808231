"""Coefficients with intervals: those that were asked for, or those that fit the data, and which one to quote."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Literal

from msgspec.structs import replace

from assent.analyses.gates import MARGIN, GateSettings, gates_asked, not_lifted_by_runs
from assent.analyses.gates import judged as gated
from assent.analyses.generalise import UNITS, over_annotators, without_each_annotator
from assent.analyses.interpretation import BENCHMARKS, Target
from assent.analyses.interpretation import target as target_of
from assent.analyses.measure.result import Measured, Measurement
from assent.analyses.measure.steps import AsSteps, about_steps, as_steps, compared_as_names, misread_ratings
from assent.analyses.recommend import AS_NAMES, recommend
from assent.data.judge_names import looks_like_a_judge
from assent.errors import OptionError, UnsuitableData, choose
from assent.limits import INTERVAL_METHODS
from assent.measures import Measure, find
from assent.measures._preparation import Weights, as_dataset
from assent.measures.registry import refuse_unowned
from assent.measures.results import DEFAULT_METHOD
from assent.scales import SCALES

if TYPE_CHECKING:
    from assent.analyses.baseline import Against, Earlier
    from assent.measures.results import Agreement

__all__ = ["AsSteps", "Measured", "Measurement", "as_steps", "compared_as_names", "measure", "misread_ratings"]

Method = Literal["etel", "analytic", "jackknife", "bootstrap", "none"]
#: Called with what is under way; what it returns is entered until that is done.
Stage = Callable[[str], AbstractContextManager[None]]


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
    words : {"landis-koch", "krippendorff", "fleiss", "cicchetti", "mcbride"}, optional
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
    used: dict[str, Any] = {}
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
            used = used or own
            plain = with_interval(agreement, one, dataset, own)
            apart = None
            if by_label and one.each_label:
                rest = {name: given for name, given in own.items() if name not in ("distance", "scale", "weights")}
                parts = one.by_label(dataset, **rest)
                apart = tuple((label, with_interval(part, one, part.data, rest)) for label, part in parts.items())
            check = None
            if one.missing_at_random:
                from assent.analyses.missingness import missingness

                check = missingness(dataset, seed=seed)
            made.append(
                Measured(
                    agreement=agreement,
                    interval=plain.interval,
                    p_value=agreement.permutation_test(permutations=max(1, replicates - 1), seed=seed)
                    if test
                    else None,
                    by_label=apart,
                    missingness=check,
                )
            )
    beside = (
        ()
        if scale is not None or weights is not None
        else about_steps(dataset, made[0].agreement, ordered=order is not None)
    )
    if beside and chosen is not None:
        # The value as steps says it, and more.
        chosen = replace(chosen, reasons=tuple(one for one in chosen.reasons if one != AS_NAMES))
    mixed = None
    if any(map(looks_like_a_judge, dataset.annotators or ())):
        from assent.analyses.models_among import models_among

        mixed = models_among(dataset, made[0].agreement, used)
    if mixed is not None:
        named_so = shlex.quote(f"annotators={','.join(mixed.models)}")
        beside += (
            f"{mixed.sentence} Models are compared with people by `assent judge`, and left out by `without` {named_so}.",
        )
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


def _goal(fail_under: float | None, task: str | float | None) -> Target | None:
    """Take the number to reach from either option."""
    if fail_under is not None and task is not None:
        raise OptionError("`fail_under` and `target` both say what to reach: give one of them.")
    if task is not None:
        return target_of(task)
    return None if fail_under is None else Target(value=fail_under)
