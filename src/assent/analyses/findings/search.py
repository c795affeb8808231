"""When the number misleads: what to know about the data before their coefficient is believed.

`findings` looks for several kinds of trouble and reports each at most once, for the worst case, with the numbers. Some rest on
significance tests (``tested`` is true): whether annotators lean, whether a label is weaker than the rest and whether items with more
annotations agree more or less. All
tests of a call are corrected together by Holm's method, so that data without any trouble raise a tested finding in
no more than 5 % of cases, however many annotators and labels there are. The others state what the numbers are.

Findings that are consequences of one another are reported once. A dominant label makes coefficients contradict each other
and intervals wide, so those are part of its evidence. Coefficients of a few items contradict each other by chance, so a
wide interval is all that is said. Annotators who lean cap kappa, so the cap is part of the evidence that they lean. With
two labels a difference in shares and a direction of disagreement are one and the same, and the latter is reported.
Where annotations hold several labels, other things mislead: see `assent.analyses.findings.label_sets`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from assent.analyses.findings.finding import KINDS, Finding, found, holm
from assent.analyses.findings.pairwise_bias import LEAST_SHARED, Pair, asymmetric, biased, capped, compared
from assent.analyses.findings.weak_labels import (
    comparable_labels,
    label_agreement,
    overall_error,
    rare_labels,
    weak_labels,
)
from assent.analyses.missingness import Missingness, missingness, missingness_finding, testable
from assent.analyses.thresholds import HALF_WIDTH
from assent.data import Annotations
from assent.errors import InputError, OptionError, choose
from assent.inference.intervals import normal_interval
from assent.limits import ANNOTATIONS_PAIRED, ANNOTATORS_TESTED, LABELS_DIFFERENTIATED
from assent.measures import brennan_prediger, cohen_kappa, fleiss_kappa, gwet_ac, krippendorff_alpha, percent_agreement
from assent.measures._preparation import as_dataset
from assent.measures.results import Agreement, Interval
from assent.profiles import Array, Counts
from assent.scales import SCALES, Identity
from assent.text import counted, number, percent, shown

__all__ = ["Finding", "dominant_label", "findings"]

#: A label with this share of all annotations dominates ...
DOMINANT = 0.7
#: ... and misleads if kappa is so far below what equally frequent labels would give: a step of Landis and Koch's scale.
LOST = 0.2
#: Coefficients further apart than this contradict each other.
CONTRADICTING = 0.2
#: An interval that reaches further than this to either side says next to nothing: it spans three words of that scale.
WIDE = 0.3


def findings(
    data: Any,
    *,
    scale: str | None = None,
    level: float = 0.05,
    simulations: int = 9999,
    seed: int = 0,
    gaps: Missingness | None = None,
) -> tuple[Finding, ...]:
    """Look for what makes a coefficient say less, or something else, than it seems to.

    Parameters
    ----------
    data : Annotations, or whatever they can be made from
    scale : {"nominal", "ordinal", "interval", "ratio"}, optional
        On a scale, near labels agree in part, and what holds for names need not hold: only what concerns the coefficient as
        a whole is looked for.
    level : float
        How often data without any trouble may raise a finding that rests on a test.
    simulations, seed : int
        Of the exact tests of sparse tables. The same seed gives the same digits.
    gaps : Missingness, optional
        What `missingness` says of the data with the same seed, if it was asked before.

    Returns
    -------
    tuple of Finding
        The most important first; empty if there is nothing to say.

    Examples
    --------
    >>> import assent
    >>> toxic = assent.Annotations.from_contingency([[2, 3], [3, 92]], labels=["toxic", "safe"])
    >>> [finding.key for finding in findings(toxic)]
    ['prevalence']
    >>> leaning = assent.Annotations.from_contingency([[40, 18], [2, 40]], labels=["pos", "neg"])
    >>> [(finding.key, finding.evidence["bias_index"]) for finding in findings(leaning)]
    [('asymmetric-disagreement', 0.16)]
    """
    data = as_dataset(data)
    if not 0 < level < 1:
        raise OptionError(f"`level` is {level:g}; it must lie between 0 and 1, as 0.05 does.")
    scale = choose("scale", scale or "nominal", SCALES)
    look = next((CHECKS[kind] for kind in data.kinds if kind in CHECKS), None)
    if look is None:
        return ()
    return tuple(look(data, scale=scale, level=level, simulations=simulations, seed=seed, gaps=gaps))


def _of_sets(data: Annotations, *, level: float, **_: Any) -> Sequence[Finding]:
    """Look at annotations with several labels."""
    from assent.analyses.findings.label_sets import set_findings

    return _nothing(data) or set_findings(data, level=level)


def _nothing(data: Annotations) -> list[Finding]:
    """Report that there is nothing to compare."""
    if data._counts.pairable_items:
        return []
    return [found("undefined", data._nothing_to_compare(), {"items": data.n_items, "annotations": data.n_annotations})]


def _of_labels(
    data: Annotations, *, scale: str, level: float, simulations: int, seed: int, gaps: Missingness | None
) -> Sequence[Finding]:
    """Look at annotations with one label each."""
    nothing_there = _nothing(data)
    if nothing_there:
        return nothing_there
    if scale != "nominal":
        whole = krippendorff_alpha(data, scale=scale)
        about = _undefined(whole, data) or _wide(whole, whole.confidence_interval())
        return () if about is None else (about,)
    many = len(data.labels) > LABELS_DIFFERENTIATED
    main = (cohen_kappa if data.n_annotators == 2 and not many else krippendorff_alpha)(data)
    nothing = _undefined(main, data)
    if nothing:
        return (nothing,)
    interval = _closed_form(main, data) if many else main.confidence_interval()
    others = [measure(data) for measure in (fleiss_kappa, krippendorff_alpha, gwet_ac, brennan_prediger)]
    dominant = _prevalence(data, main, interval, others)
    made = [dominant]
    if dominant is None:
        made.append(_wide(main, interval) or _contradiction(data, [main, *others]))
    made += _tested(data, level, simulations, seed, gaps)
    order = list(KINDS)
    return tuple(sorted((one for one in made if one is not None), key=lambda one: order.index(one.key)))


#: What looks for findings, by kind of data; nothing is looked for in other kinds.
CHECKS: dict[str, Callable[..., Sequence[Finding]]] = {"labels": _of_labels, "label-sets": _of_sets}


def _tested(
    data: Annotations, level: float, simulations: int, seed: int, gaps: Missingness | None
) -> list[Finding | None]:
    """Compare annotators and labels, with all tests corrected together."""
    crowd = (data.n_annotators or 0) > ANNOTATORS_TESTED and data.n_annotations > ANNOTATIONS_PAIRED
    pairs: list[Pair] = []
    pairs_left = 0
    if data.annotators is not None and not crowd:
        pairs, pairs_left = compared(data, level=level, simulations=simulations, seed=seed)
    positions, labels_left = comparable_labels(data._comparable_counts)
    labels = label_agreement(data._comparable_counts, positions) if len(positions) else None
    of_direction = [pair.direction.p_value for pair in pairs]
    of_shares = [pair.shares.p_value for pair in pairs if pair.shares is not None]
    if not testable(data):
        gaps = None
    elif gaps is None:
        gaps = missingness(data, seed=seed)
    of_gaps = [] if gaps is None or gaps.by_annotations.method is None else [gaps.by_annotations.p_value]
    corrected = iter(holm([*of_direction, *of_shares, *of_gaps, *(labels.p_values() if labels else [])]))
    direction = [next(corrected) for _ in of_direction]
    shares = [1.0 if pair.shares is None else next(corrected) for pair in pairs]
    missing = missingness_finding(gaps, next(corrected), level) if gaps is not None and of_gaps else None
    one_sided, leaning = asymmetric(pairs, direction, level)
    uneven, apart = biased(pairs, shares, level)
    weak = weak_labels(data, labels, list(corrected), level) if labels else None
    known = [row["label"] for row in weak.evidence["labels"]] if weak else []
    return [
        one_sided,
        uneven,
        capped(pairs, [*leaning, *apart]),
        weak,
        missing,
        rare_labels(data, known),
        _unchecked(data.n_annotators or 0, len(pairs), pairs_left, len(positions), labels_left, crowd),
    ]


def _closed_form(main: Agreement, data: Annotations) -> Interval:
    """Return the analytic interval of Krippendorff's alpha."""
    error = overall_error(data._comparable_counts)
    low, high = normal_interval(main.value, error, 0.95, main.sample.degrees)
    return Interval(low=low, high=high, level=0.95, method="analytic", standard_error=error, unit=main.unit)


def _undefined(main: Agreement, data: Annotations) -> Finding | None:
    """Report that there is no coefficient."""
    if not math.isnan(main.value):
        return None
    why = main.undefined or f"{main.title} is undefined."
    observed = percent_agreement(data).value
    step = f"Check that the right column was read; then quote percent agreement ({percent(observed)})."
    evidence = {"measure": main.measure, "observed": observed, "items": main.n_items}
    return found("undefined", why, evidence, first_step=step)


def dominant_label(data: Annotations, main: Agreement, interval: Interval) -> Finding | None:
    """Report that one label is so frequent that a coefficient is far below what the agreement suggests; None if it is not.

    Parameters
    ----------
    main : Agreement
        The coefficient that is quoted.
    interval : Interval
        Of it.
    """
    if math.isnan(main.value):
        return None
    return _prevalence(data, main, interval, [measure(data) for measure in (gwet_ac, brennan_prediger)])


def _prevalence(data: Annotations, main: Agreement, interval: Interval, others: list[Agreement]) -> Finding | None:
    """Report that one label is so frequent that kappa is far below what the agreement suggests."""
    items = data._comparable_counts
    totals = np.asarray(items.multiplicities @ items.counts).ravel()
    top = int(totals.argmax())
    share = float(totals[top] / totals.sum())
    by_name = {one.measure: one for one in (main, *others)}
    even = by_name["brennan-prediger"].value
    if share < DOMINANT or even - main.value < LOST:
        return None
    agreed, disputed = _elsewhere(items, top)
    name, ac1 = shown(data.labels[top]), by_name["gwet-ac"].value
    sure = "" if math.isnan(interval.low) else f" (between {number(interval.low)} and {number(interval.high)})"
    observation = (
        f"{name} makes up {percent(share)} of all labels, so chance alone would give {percent(main.expected)} agreement: "
        f"{percent(main.observed)} agreement leaves {main.title} at {number(main.value)}{sure}, while Gwet's AC1 is {number(ac1)} and "
        f"Brennan-Prediger {number(even)}. The high agreement is mostly about {name}."
    )
    alike = f"on {agreed:,} of them all chose the same" if agreed else "on none of them did all choose the same"
    if disputed == 1:
        alike = "all chose it" if agreed else "not all did"
    step = (
        f"Look at the {'one item' if disputed == 1 else counted(disputed, 'item')} where someone chose another label: {alike}. Quote percent "
        f"agreement and AC1 beside {main.title}, and compare it only with tasks of like shares."
    )
    evidence = {
        "label": data.labels[top],
        "share": share,
        "prevalence_index": _difference(totals),
        "observed": main.observed,
        "expected": main.expected,
        "measure": main.measure,
        "low": interval.low,
        "high": interval.high,
        "items_with_another_label": disputed,
        "items_agreed_on_another_label": agreed,
        "coefficients": {one.measure: one.value for one in (main, *others)},
    }
    return found("prevalence", observation, evidence, first_step=step)


def _difference(totals: Array) -> float | None:
    """Return the prevalence index: how far the shares of two labels are apart; None for more labels."""
    used = totals[totals > 0]
    return float(abs(used[0] - used[-1]) / used.sum()) if len(used) == 2 else None


def _elsewhere(items: Counts, top: int) -> tuple[int, int]:
    """Count items that all gave the same label other than `top`, and items that anyone gave another label."""
    column = items.counts[:, top]
    most = np.asarray(column if isinstance(column, np.ndarray) else column.toarray()).ravel()
    other = most < items.sizes
    alike = other & (Identity().pairs(items.counts) == items.pairs)
    return int(items.multiplicities[alike].sum()), int(items.multiplicities[other].sum())


def _contradiction(data: Annotations, measured: list[Agreement]) -> Finding | None:
    """Report coefficients that differ although no single label dominates."""
    defined = [one for one in measured if not math.isnan(one.value)]
    low, high = min(defined, key=lambda one: one.value), max(defined, key=lambda one: one.value)
    if high.value - low.value <= CONTRADICTING:
        return None
    items = data._comparable_counts
    totals = np.sort(np.asarray(items.multiplicities @ items.counts).ravel())[::-1]
    most = int(np.searchsorted(np.cumsum(totals), 0.9 * totals.sum())) + 1
    why = (
        f"They differ in what they take for chance: {percent(low.expected)} agreement against {percent(high.expected)}."
    )
    if most < len(totals):
        why += f" Of {len(totals):,} labels, {most:,} make up nine tenths of all annotations."
    if abs(high.observed - low.observed) > HALF_WIDTH / 2:
        why += " They also weigh items with more annotations differently."
    observation = f"On the same labels {low.title} is {number(low.value)} and {high.title} {number(high.value)}. {why}"
    step = "Decide which chance fits the task, whatever number it gives, and quote it together with the other and the percent agreement."
    evidence = {
        "coefficients": {one.measure: one.value for one in measured},
        "observed": {one.measure: one.observed for one in measured},
        "expected": {one.measure: one.expected for one in measured},
        "spread": high.value - low.value,
        "labels": len(totals),
        "labels_of_nine_tenths": most,
    }
    return found("contradiction", observation, evidence, first_step=step)


def _wide(main: Agreement, interval: Interval) -> Finding | None:
    """Report that the coefficient is hardly known."""
    reach = (interval.high - interval.low) / 2.0
    if reach <= WIDE:
        return None
    evidence: dict[str, Any] = {
        "measure": main.measure,
        "value": main.value,
        "low": interval.low,
        "high": interval.high,
        "items": main.n_items,
        "unit": main.unit,
        "units": main.sample.degrees + 1,
    }
    units = main.sample.degrees + 1
    many = counted(units, "item") if main.unit == "items" else f"{counted(units, 'cluster')} ({shown(main.unit)})"
    few = f"{many} {'is' if units == 1 else 'are'} too few"
    what = f"{main.title} is {number(main.value)}"
    if math.isnan(reach):
        observation = f"{what}, but nothing says how sure that is: {few}."
        return found("wide-interval", observation, evidence, first_step="Have more annotated.")
    needed = _planned(main)
    if needed <= units:
        # All agree, or a few clusters happen to agree alike: an error of next to nothing is no knowledge, and the interval's own width says more.
        needed = math.ceil(units * (reach / HALF_WIDTH) ** 2)
    low, high = number(max(interval.low, -1.0)), number(min(interval.high, 1.0))
    observation = f"{what}, but anything from {low} to {high} fits the data as well: {few}."
    noun = "items" if main.unit == "items" else "clusters"
    step = f"Have more annotated: about {needed:,} {noun} in all would bring it to within {HALF_WIDTH:g}, if agreement stays as it is."
    evidence |= {"units_needed": needed, "half_width_wanted": HALF_WIDTH}
    return found("wide-interval", observation, evidence, first_step=step)


def _planned(main: Agreement) -> int:
    """Return the units that a plan would ask for; 0 where nothing varies yet."""
    # Only a wide interval asks for it.
    from assent.analyses.plan.precision import precision_of

    try:
        return precision_of(main, 0.95).units_for(HALF_WIDTH, 0.95)
    except InputError:
        return 0


def _unchecked(
    annotators: int, pairs: int, pairs_left: int, labels: int, labels_left: int, crowd: bool
) -> Finding | None:
    """Say what was not looked at because there is too much of it, or too little in common."""
    said = []
    among = f"the {ANNOTATORS_TESTED:,} of {annotators:,} annotators with the most annotations"
    if crowd:
        said.append(f"{annotators:,} annotators are a crowd, and no two of them were compared with each other")
    elif annotators > 2 and not pairs:
        who = among if annotators > ANNOTATORS_TESTED else f"the {annotators:,} annotators"
        said.append(f"no two of {who} share {LEAST_SHARED} items, so none were compared with each other")
    elif pairs_left or annotators > ANNOTATORS_TESTED:
        where = f" among {among}" if annotators > ANNOTATORS_TESTED else ""
        said.append(
            f"{counted(pairs, 'pair')} of annotators{where} were compared, those with the most items in common, and "
            f"{pairs_left:,} others were not"
        )
    if labels_left:
        said.append(f"the {labels:,} most frequent labels were compared, and {labels_left:,} others were not")
    if not said:
        return None
    evidence = {
        "annotators": annotators,
        "pairs_compared": pairs,
        "pairs_left_out": pairs_left,
        "labels_compared": labels,
        "labels_left_out": labels_left,
    }
    sentence = "; ".join(said)
    return found("unchecked", f"{sentence[0].upper()}{sentence[1:]}.", evidence)
