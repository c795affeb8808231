"""Slow references for standard errors and intervals: they only call a coefficient, on changed tables.

A coefficient is any reference of this package with its options bound: `partial(fleiss_kappa,
weights="linear")`. The vocabulary is that of the whole table throughout: it must not change when items are
left out or drawn twice.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import factorial, nan, sqrt

from .coefficients import (
    brennan_prediger,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    marginal,
    percent_agreement,
    prevalence,
)
from .spa import compositions
from .tables import Components, Label, Number, Rows, given, multiplicities, vocabulary
from .weights import Weights, agreement_weights

Coefficient = Callable[..., Components]


def influences(rows: Rows, coefficient: Coefficient, *, step: float = 1e-3) -> list[float]:
    """The derivative of the value in each item's weight, at 1: five-point central differences in floats."""
    labels = vocabulary(rows)

    def value(i: int, weight: float) -> float:
        times = [1.0] * len(rows)
        times[i] = weight
        return float(coefficient(rows, labels=labels, times=times))

    def slope(i: int) -> float:
        near = value(i, 1 + step) - value(i, 1 - step)
        far = value(i, 1 + 2 * step) - value(i, 1 - 2 * step)
        return (8 * near - far) / (12 * step)

    return [slope(i) for i in range(len(rows))]


def linearised_standard_error(rows: Rows, coefficient: Coefficient, *, ddof: int = 1) -> float:
    """SE^2 = N / (N - ddof) * sum of (influence - mean influence)^2; ddof 1 is Gwet's normalisation."""
    slopes = influences(rows, coefficient)
    n = len(rows)
    centre = sum(slopes) / n
    return sqrt(n / (n - ddof) * sum((slope - centre) ** 2 for slope in slopes))


def jackknife_values(rows: Rows, coefficient: Coefficient) -> list[Number | None]:
    """The value with each item really left out."""
    labels = vocabulary(rows)
    return [coefficient([*rows[:i], *rows[i + 1 :]], labels=labels).value for i in range(len(rows))]


def jackknife_standard_error(rows: Rows, coefficient: Coefficient) -> float:
    """SE^2 = (N - 1) / N * sum of (value without i - their mean)^2; NaN if one is undefined."""
    values = [nan if value is None else float(value) for value in jackknife_values(rows, coefficient)]
    n = len(values)
    mean = sum(values) / n
    return sqrt((n - 1) / n * sum((value - mean) ** 2 for value in values))


def bootstrap_samples(n: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every way to draw n of n items with replacement: how often each is drawn, and the probability."""
    for times in compositions(n, n):
        ways = factorial(n)
        for t in times:
            ways //= factorial(t)
        yield times, Fraction(ways, n**n)


def bootstrap_distribution(rows: Rows, coefficient: Coefficient) -> dict[Number | None, Fraction]:
    """The exact distribution of the value bootstrapped over items (None: undefined); for 7 items or so."""
    labels = vocabulary(rows)
    distribution: dict[Number | None, Fraction] = {}
    for times, probability in bootstrap_samples(len(rows)):
        value = coefficient(rows, labels=labels, times=[Fraction(t) for t in times]).value
        distribution[value] = distribution.get(value, Fraction(0)) + probability
    return distribution


def bootstrap_moments(distribution: dict[Number | None, Fraction]) -> tuple[float, float]:
    """Mean and standard deviation of the bootstrapped value, given that it is defined."""
    defined = {value: p for value, p in distribution.items() if value is not None}
    total = sum(defined.values())
    mean = sum(value * p for value, p in defined.items()) / total
    variance = sum((value - mean) ** 2 * p for value, p in defined.items()) / total
    return float(mean), sqrt(variance)


def bootstrap_quantile(distribution: dict[Number | None, Fraction], level: Fraction) -> Number:
    """The smallest value whose cumulative probability, given that it is defined, reaches `level`."""
    defined = sorted((value, p) for value, p in distribution.items() if value is not None)
    total = sum(p for _, p in defined)
    reached = Fraction(0)
    for value, p in defined:
        reached += p
        if reached >= level * total:
            return value
    return defined[-1][0]


def gwet_standard_error(rows: Rows, measure: str, weights: str = "identity") -> float:
    """Gwet's (2014) standard errors: SE^2 = 1 / (n (n - 1)) * sum of (kappa_i* - kappa)^2 over the items.

    Linearised like ours, and the same where every item has two or more labels. The share of pairable items
    counts as known, so items with one label are taken to deviate from the mean by the whole coefficient.
    """
    names = vocabulary(rows)
    agree = agreement_weights(weights, names)
    coefficient = {
        "percent-agreement": percent_agreement,
        "fleiss-kappa": fleiss_kappa,
        "gwet-ac": gwet_ac,
        "brennan-prediger": brennan_prediger,
        "conger-kappa": conger_kappa,
    }[measure]
    result = coefficient(rows, weights=weights)
    kappa, chance = float(result), float(result.expected or 0)
    share = prevalence(rows, names, multiplicities(rows, None)) or {}
    n = len(rows)
    pairable = sum(len(given(row)) >= 2 for row in rows)
    spread = float(sum(agree.values())) / (len(names) * (len(names) - 1))
    conger = _conger_chance(rows, agree, names) if measure == "conger-kappa" else [0.0] * n
    terms = []
    for i, row in enumerate(rows):
        labels = given(row)
        m = len(labels)
        ordered = [agree[a, b] for j, a in enumerate(labels) for k, b in enumerate(labels) if j != k]
        own = n / pairable * (float(sum(ordered)) / len(ordered) - chance) if ordered else 0.0
        by_chance = {
            "percent-agreement": chance,
            "brennan-prediger": chance,
            "fleiss-kappa": sum(float(agree[a, b] * share[b]) for a in labels for b in names) / m,
            "gwet-ac": spread * sum(float(1 - share[a]) for a in labels) / m,
            "conger-kappa": conger[i],
        }[measure]
        terms.append(own / (1 - chance) - 2 * (1 - kappa) * (by_chance - chance) / (1 - chance))
    return sqrt(sum((term - kappa) ** 2 for term in terms) / (n * (n - 1)))


def _conger_chance(rows: Rows, agree: Weights, names: Sequence[Label]) -> list[float]:
    """What each item adds to Conger's expected agreement (Gwet 2014)."""
    n, r = len(rows), len(rows[0])
    once = multiplicities(rows, None)
    marginals = [marginal(rows, g, names, once) or {} for g in range(r)]
    given_by = [sum(row[g] is not None for row in rows) for g in range(r)]
    mean = {k: sum(float(m[k]) for m in marginals) / r for k in names}
    terms = []
    for row in rows:
        total = 0.0
        for g, label in enumerate(row):
            excess = (label is not None) - given_by[g] / n
            for k in names:
                others = r * mean[k] - float(marginals[g][k])
                for j in names:
                    deviation = (label == j) - excess * float(marginals[g][j])
                    total += float(agree[k, j]) * deviation * n / given_by[g] * others
        terms.append(total / (r * (r - 1)))
    return terms


def irrcac_alpha_standard_error(rows: Rows, function: str) -> float:
    """The standard errors of nominal alpha that R irrCAC 1.0 prints, slips included, to explain them.

    "dist" (krippen.alpha.dist) lacks the factor 2 of the derivative of sum pi^2; "raw" (krippen.alpha.raw)
    leaves out alpha's finite-sample term, but not everywhere. Both leave out items with one label.
    """
    names = vocabulary(rows)
    items = [given(row) for row in rows if len(given(row)) >= 2]
    n, mean = len(items), sum(map(len, items)) / len(items)
    share = {name: sum(item.count(name) for item in items) / (n * mean) for name in names}
    chance = sum(p * p for p in share.values())
    own = [sum(item.count(a) - 1 for a in item) / (mean * (len(item) - 1)) for item in items]
    plain = sum(own) / n
    epsilon = 1 / (n * mean)
    corrected = (1 - epsilon) * plain + epsilon
    alpha = ((corrected if function == "dist" else plain) - chance) / (1 - chance)
    total = 0.0
    for item, agreeing in zip(items, own, strict=True):
        excess = (len(item) - mean) / mean
        by_chance = sum(share[a] for a in item) / mean
        if function == "dist":
            observed = (1 - epsilon) * (agreeing - plain * excess) + epsilon
            slope = (1 - alpha) * (by_chance - excess - chance)
        else:
            observed = agreeing - corrected * excess
            slope = 2 * (1 - alpha) * (by_chance - chance * excess - chance)
        total += ((observed - chance - slope) / (1 - chance) - alpha) ** 2
    return sqrt(total / (n * (n - 1)))
