"""Coefficients of agreement by their definitions, with Gwet's (2014) conventions where labels are missing."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from .metrics import METRICS
from .tables import UNDEFINED, Components, Label, Number, Rows, given, multiplicities, vocabulary
from .weights import Weights, agreement_weights

WeightsOption = str | Sequence[Sequence[Number]]


def observed_agreement(rows: Rows, weights: Weights, times: Sequence[Number]) -> Number | None:
    """Mean over items with two or more labels of the mean weight of their ordered pairs of annotations."""
    total: Number = Fraction(0)
    items: Number = Fraction(0)
    for row, n in zip(rows, times, strict=True):
        labels = given(row)
        if len(labels) < 2:
            continue
        agreeing: Number = Fraction(0)
        for i, a in enumerate(labels):
            for j, b in enumerate(labels):
                if i != j:
                    agreeing = agreeing + weights[a, b]
        total = total + n * (agreeing / (len(labels) * (len(labels) - 1)))
        items = items + n
    return None if items == 0 else total / items


def prevalence(rows: Rows, labels: Sequence[Label], times: Sequence[Number]) -> dict[Label, Number] | None:
    """pi_c: the mean over the items with one or more labels of the share of their annotations that are c."""
    share: dict[Label, Number] = dict.fromkeys(labels, Fraction(0))
    items: Number = Fraction(0)
    for row, n in zip(rows, times, strict=True):
        found = given(row)
        if not found:
            continue
        items = items + n
        for label in found:
            share[label] = share[label] + n * Fraction(1, len(found))
    return None if items == 0 else {label: total / items for label, total in share.items()}


def percent_agreement(
    rows: Rows,
    *,
    weights: WeightsOption = "identity",
    labels: Sequence[Label] | None = None,
    times: Sequence[Number] | None = None,
) -> Components:
    """Observed agreement, nothing expected by chance."""
    agree = agreement_weights(weights, vocabulary(rows, labels))
    observed = observed_agreement(rows, agree, multiplicities(rows, times))
    return UNDEFINED if observed is None else Components(observed)


def fleiss_kappa(
    rows: Rows,
    *,
    weights: WeightsOption = "identity",
    labels: Sequence[Label] | None = None,
    times: Sequence[Number] | None = None,
) -> Components:
    """Fleiss (1971), generalised as in Gwet (2014): expected = sum_kl w_kl pi_k pi_l."""
    names, n = vocabulary(rows, labels), multiplicities(rows, times)
    agree = agreement_weights(weights, names)
    observed, share = observed_agreement(rows, agree, n), prevalence(rows, names, n)
    if observed is None or share is None:
        return UNDEFINED
    expected: Number = Fraction(0)
    for a in names:
        for b in names:
            expected = expected + agree[a, b] * share[a] * share[b]
    return Components(observed, expected)


def gwet_ac(
    rows: Rows,
    *,
    weights: WeightsOption = "identity",
    labels: Sequence[Label] | None = None,
    times: Sequence[Number] | None = None,
) -> Components:
    """AC1, with weights AC2 (Gwet 2008, 2014): expected = sum w / (q (q - 1)) * sum_k pi_k (1 - pi_k)."""
    names, n = vocabulary(rows, labels), multiplicities(rows, times)
    agree, q = agreement_weights(weights, names), len(names)
    observed, share = observed_agreement(rows, agree, n), prevalence(rows, names, n)
    if observed is None or share is None or q < 2:
        return UNDEFINED
    spread: Number = Fraction(0)
    for a in names:
        spread = spread + share[a] * (1 - share[a])
    return Components(observed, sum(agree.values(), start=Fraction(0)) * spread / (q * (q - 1)))


def brennan_prediger(
    rows: Rows,
    *,
    weights: WeightsOption = "identity",
    labels: Sequence[Label] | None = None,
    times: Sequence[Number] | None = None,
) -> Components:
    """Brennan & Prediger (1981), Bennett's S: every label equally likely, expected = sum w / q^2."""
    names = vocabulary(rows, labels)
    agree = agreement_weights(weights, names)
    observed = observed_agreement(rows, agree, multiplicities(rows, times))
    if observed is None:
        return UNDEFINED
    return Components(observed, sum(agree.values(), start=Fraction(0)) / len(names) ** 2)


def conger_kappa(
    rows: Rows,
    *,
    weights: WeightsOption = "identity",
    labels: Sequence[Label] | None = None,
    times: Sequence[Number] | None = None,
) -> Components:
    """Conger (1980), generalised as in Gwet (2014) to missing labels and weights.

    With p_gk the share of label k among the labels annotator g gave, p_k their mean and s_kl their
    covariance over the r annotators: expected = sum_kl w_kl (p_k p_l - s_kl / r). Annotators without any
    label are left out.
    """
    names, n = vocabulary(rows, labels), multiplicities(rows, times)
    agree = agreement_weights(weights, names)
    observed = observed_agreement(rows, agree, n)
    marginals = [m for g in range(len(rows[0])) if (m := marginal(rows, g, names, n)) is not None]
    r = len(marginals)
    if observed is None or r < 2:
        return UNDEFINED
    mean = {k: sum((m[k] for m in marginals), start=Fraction(0)) / r for k in names}
    expected: Number = Fraction(0)
    for k in names:
        for j in names:
            products = sum((m[k] * m[j] for m in marginals), start=Fraction(0))
            covariance = (products - r * mean[k] * mean[j]) / (r - 1)
            expected = expected + agree[k, j] * (mean[k] * mean[j] - covariance / r)
    return Components(observed, expected)


def marginal(rows: Rows, annotator: int, names: Sequence[Label], times: Sequence[Number]) -> dict[Label, Number] | None:
    """The share of every label among the labels an annotator gave; None without any."""
    count: dict[Label, Number] = dict.fromkeys(names, Fraction(0))
    for row, n in zip(rows, times, strict=True):
        label = row[annotator]
        if label is not None:
            count[label] = count[label] + n
    total = sum(count.values(), start=Fraction(0))
    return None if total == 0 else {label: c / total for label, c in count.items()}


def cohen_kappa(
    rows: Rows,
    *,
    weights: WeightsOption = "identity",
    labels: Sequence[Label] | None = None,
    times: Sequence[Number] | None = None,
    missing: str = "listwise",
) -> Components:
    """Cohen (1960, 1968) for the two annotators of a two-column table.

    `missing` (De Raadt et al. 2019): "listwise" uses the items with both labels; "available" takes the
    marginals from all labels each annotator gave. (Their third, missing as a category, is this function on a
    table in which None has become a label.)
    """
    names, n = vocabulary(rows, labels), multiplicities(rows, times)
    agree = agreement_weights(weights, names)
    both = [times_ if None not in row else Fraction(0) for row, times_ in zip(rows, n, strict=True)]
    observed = observed_agreement(rows, agree, both)
    counted = both if missing == "listwise" else n
    first, second = marginal(rows, 0, names, counted), marginal(rows, 1, names, counted)
    if observed is None or first is None or second is None:
        return UNDEFINED
    expected: Number = Fraction(0)
    for a in names:
        for b in names:
            expected = expected + agree[a, b] * first[a] * second[b]
    return Components(observed, expected)


def scott_pi(
    rows: Rows,
    *,
    weights: WeightsOption = "identity",
    labels: Sequence[Label] | None = None,
    times: Sequence[Number] | None = None,
) -> Components:
    """Scott (1955) for a two-column table: both annotators share the mean of their marginals; listwise."""
    names, n = vocabulary(rows, labels), multiplicities(rows, times)
    agree = agreement_weights(weights, names)
    both = [times_ if None not in row else Fraction(0) for row, times_ in zip(rows, n, strict=True)]
    observed = observed_agreement(rows, agree, both)
    first, second = marginal(rows, 0, names, both), marginal(rows, 1, names, both)
    if observed is None or first is None or second is None:
        return UNDEFINED
    share = {a: (first[a] + second[a]) / 2 for a in names}
    expected: Number = Fraction(0)
    for a in names:
        for b in names:
            expected = expected + agree[a, b] * share[a] * share[b]
    return Components(observed, expected)


def light_kappa(
    rows: Rows,
    *,
    weights: WeightsOption = "identity",
    labels: Sequence[Label] | None = None,
    times: Sequence[Number] | None = None,
    by_overlap: bool = False,
) -> Components:
    """Light (1971): the mean of the Cohen kappas of all pairs of annotators, each on the items both labelled.

    Pairs without a common item, or whose kappa is undefined, do not enter. `by_overlap` weights a pair by its
    number of common items. Only the value means something: it is returned as observed, with 0 expected.
    """
    names, n = vocabulary(rows, labels), multiplicities(rows, times)
    total: Number = Fraction(0)
    pairs: Number = Fraction(0)
    for g, h in combinations(range(len(rows[0])), 2):
        pair = [[row[g], row[h]] for row in rows]
        kappa = cohen_kappa(pair, weights=weights, labels=names, times=n).value
        if kappa is None:
            continue
        overlap = sum((t for row, t in zip(pair, n, strict=True) if None not in row), start=Fraction(0))
        size: Number = overlap if by_overlap else Fraction(1)
        total, pairs = total + size * kappa, pairs + size
    return UNDEFINED if pairs == 0 else Components(total / pairs)


def krippendorff_alpha(
    rows: Rows,
    *,
    scale: str = "nominal",
    weights: WeightsOption | None = None,
    labels: Sequence[Label] | None = None,
    times: Sequence[Number] | None = None,
) -> Components:
    """Krippendorff (2011): 1 - D_o / D_e over the items with two or more labels (the pairable values).

    D_o = 1/n sum_u 1/(m_u - 1) * sum of delta^2 over the ordered pairs of u's values, and D_e = 1/(n (n -
    1)) sum_ck n_c n_k delta^2_ck. Returned as 1 - D_o and 1 - D_e, which is agreement only where delta^2 <=
    1. `weights` replaces the metric by one minus Gwet's agreement weights.
    """
    names, n = vocabulary(rows, labels), multiplicities(rows, times)
    pairable = [(given(row), t) for row, t in zip(rows, n, strict=True) if len(given(row)) >= 2]
    frequency: dict[Label, Number] = dict.fromkeys(names, Fraction(0))
    for values, t in pairable:
        for value in values:
            frequency[value] = frequency[value] + t
    total = sum(frequency.values(), start=Fraction(0))
    if total <= 1:
        return UNDEFINED
    if weights is None:
        delta = {(a, b): METRICS[scale](a, b, names, frequency) for a in names for b in names}
    else:
        delta = {pair: 1 - w for pair, w in agreement_weights(weights, names).items()}
    within: Number = Fraction(0)
    for values, t in pairable:
        disagreeing: Number = Fraction(0)
        for i, a in enumerate(values):
            for j, b in enumerate(values):
                if i != j:
                    disagreeing = disagreeing + delta[a, b]
        within = within + t * (disagreeing / (len(values) - 1))
    across: Number = Fraction(0)
    for a in names:
        for b in names:
            across = across + frequency[a] * frequency[b] * delta[a, b]
    return Components(1 - within / total, 1 - across / (total * (total - 1)))


def van_oest(
    rows: Rows,
    *,
    weights: WeightsOption = "identity",
    prior: Number = 1,
    labels: Sequence[Label] | None = None,
    times: Sequence[Number] | None = None,
) -> Components:
    """Van Oest & Girard (2022): pairs pooled over items, and label shares that start from a prior."""
    names, n = vocabulary(rows, labels), multiplicities(rows, times)
    agree = agreement_weights(weights, names)
    agreeing: Number = Fraction(0)
    pairs: Number = Fraction(0)
    found: dict[Label, Number] = dict.fromkeys(names, Fraction(prior))
    for row, t in zip(rows, n, strict=True):
        here = given(row)
        for label in here:
            found[label] = found[label] + t
        for i, a in enumerate(here):
            for j, b in enumerate(here):
                if i != j:
                    agreeing, pairs = agreeing + t * agree[a, b], pairs + t
    if pairs == 0:
        return UNDEFINED
    total = sum(found.values(), start=Fraction(0))
    expected: Number = Fraction(0)
    for a in names:
        for b in names:
            expected = expected + agree[a, b] * (found[a] / total) * (found[b] / total)
    return Components(agreeing / pairs, expected)


def largest_kappa(cells: Any) -> float:
    """The largest Cohen's kappa that the label shares of two annotators allow: on each label they agree as often as the rarer use of it."""
    rows = [Fraction(int(sum(row)), int(sum(map(sum, cells)))) for row in cells]
    columns = [Fraction(int(sum(column)), int(sum(map(sum, cells)))) for column in zip(*cells, strict=True)]
    chance = sum(one * two for one, two in zip(rows, columns, strict=True))
    return float((sum(map(min, rows, columns)) - chance) / (1 - chance))
