"""The slow inference against itself, and assent's standard errors and bootstrap against it."""

from fractions import Fraction
from functools import partial
from math import comb, sqrt
from typing import Any

import pytest
from tests import reference
from tests.papers.test_references import table
from tests.reference.inference import (
    Coefficient,
    bootstrap_distribution,
    bootstrap_moments,
    bootstrap_quantile,
    bootstrap_samples,
    influences,
    jackknife_standard_error,
    linearised_standard_error,
)

import assent

#: assent's name, its options, the reference.
MEASURES: list[tuple[str, dict[str, str], Coefficient]] = [
    ("percent-agreement", {}, reference.percent_agreement),
    ("percent-agreement", {"weights": "linear"}, partial(reference.percent_agreement, weights="linear")),
    ("fleiss-kappa", {}, reference.fleiss_kappa),
    ("fleiss-kappa", {"weights": "quadratic"}, partial(reference.fleiss_kappa, weights="quadratic")),
    ("fleiss-kappa", {"weights": "ordinal"}, partial(reference.fleiss_kappa, weights="ordinal")),
    *[
        ("krippendorff-alpha", {"scale": scale}, partial(reference.krippendorff_alpha, scale=scale))
        for scale in ("nominal", "ordinal", "interval", "ratio")
    ],
    ("gwet-ac", {}, reference.gwet_ac),
    ("gwet-ac", {"weights": "linear"}, partial(reference.gwet_ac, weights="linear")),
    ("brennan-prediger", {}, reference.brennan_prediger),
    ("conger-kappa", {}, reference.conger_kappa),
    ("conger-kappa", {"weights": "quadratic"}, partial(reference.conger_kappa, weights="quadratic")),
    ("van-oest", {}, reference.van_oest),
    ("van-oest", {"weights": "linear", "prior": "none"}, partial(reference.van_oest, weights="linear", prior=0)),
    *[("spa", {"scheme": scheme}, partial(reference.spa, scheme=scheme)) for scheme in reference.SCHEMES],
]
PARAMETERS: list[Any] = [pytest.param(*m, id="-".join([m[0], *m[1].values()])) for m in MEASURES]
TABLES = [
    table(1, items=6, annotators=3, missing=0),
    table(2, items=12, annotators=4, labels=4, missing=0.3),
    table(3, items=20, annotators=2, labels=2, missing=0.2),
]


def usable(rows: reference.Rows, name: str, options: dict[str, str]) -> list[list[reference.Label | None]]:
    """The items that count: those with two labels, or with one if that counts towards chance."""
    own = {option: value for option, value in options.items() if option not in ("scale", "weights")}
    least = 1 if assent.all_measures()[name].keeps_single_annotations(own) else 2
    return [list(row) for row in rows if sum(label is not None for label in row) >= least]


def test_linearised_of_a_mean_is_that_of_a_mean() -> None:
    """Percent agreement of two annotators is a mean of zeros and ones."""
    rows = [["a", "a"]] * 7 + [["a", "b"]] * 3
    assert linearised_standard_error(rows, reference.percent_agreement) == pytest.approx(sqrt(0.21 / 9), abs=1e-10)
    assert jackknife_standard_error(rows, reference.percent_agreement) == pytest.approx(sqrt(0.21 / 9), abs=1e-10)


def test_linearised_of_cohens_kappa_is_fleiss_cohen_everitt() -> None:
    """The large-sample variance of Fleiss, Cohen & Everitt (1969), which has no N / (N - 1)."""
    counts = [[20, 5], [10, 15]]
    rows = reference.from_contingency(counts, ["a", "b"])
    p = [[c / 50 for c in line] for line in counts]
    row, column = [sum(line) for line in p], [sum(line) for line in zip(*p, strict=True)]
    observed, chance = p[0][0] + p[1][1], row[0] * column[0] + row[1] * column[1]
    kappa = (observed - chance) / (1 - chance)
    a = sum(p[i][i] * (1 - (row[i] + column[i]) * (1 - kappa)) ** 2 for i in range(2))
    b = (1 - kappa) ** 2 * sum(p[i][j] * (column[i] + row[j]) ** 2 for i in range(2) for j in range(2) if i != j)
    variance = (a + b - (kappa - chance * (1 - kappa)) ** 2) / (50 * (1 - chance) ** 2)
    assert linearised_standard_error(rows, reference.cohen_kappa, ddof=0) == pytest.approx(sqrt(variance), abs=1e-9)


@pytest.mark.parametrize(("name", "options", "coefficient"), PARAMETERS)
def test_influences_sum_to_nothing(name: str, options: dict[str, str], coefficient: Coefficient) -> None:
    """Counting everything twice changes no coefficient; alpha a little, by its finite-sample term, as a prior does."""
    total = sum(influences(TABLES[1], coefficient))
    small_sample = name in ("krippendorff-alpha", "van-oest") and options.get("prior") != "none"
    assert abs(total) < (0.1 if small_sample else 1e-9)


def test_bootstrap_samples_are_all_there() -> None:
    samples = dict(bootstrap_samples(4))
    assert len(samples) == comb(7, 4)
    assert sum(samples.values()) == 1
    assert samples[1, 1, 1, 1] == Fraction(24, 256)


def test_bootstrap_of_a_mean_is_binomial() -> None:
    rows = [["a", "a"], ["a", "b"], ["b", "b"], ["b", "b"]]
    distribution = bootstrap_distribution(rows, reference.percent_agreement)
    assert distribution == {
        Fraction(k, 4): comb(4, k) * Fraction(3, 4) ** k * Fraction(1, 4) ** (4 - k) for k in range(5)
    }
    assert bootstrap_moments(distribution) == pytest.approx((0.75, sqrt(0.75 * 0.25 / 4)))
    assert bootstrap_quantile(distribution, Fraction(1, 20)) == Fraction(1, 4)


@pytest.mark.parametrize(("name", "options", "coefficient"), PARAMETERS)
@pytest.mark.parametrize("rows", TABLES, ids=["complete", "sparse", "two"])
def test_assent_analytic(rows: reference.Rows, name: str, options: dict[str, str], coefficient: Coefficient) -> None:
    rows = usable(rows, name, options)
    got = assent.all_measures()[name](assent.Annotations.from_array(rows), **options).standard_error(method="analytic")
    assert got == pytest.approx(linearised_standard_error(rows, coefficient), rel=1e-7, abs=1e-9)


@pytest.mark.parametrize(("name", "options", "coefficient"), PARAMETERS)
@pytest.mark.parametrize("rows", TABLES, ids=["complete", "sparse", "two"])
def test_assent_jackknife(rows: reference.Rows, name: str, options: dict[str, str], coefficient: Coefficient) -> None:
    rows = usable(rows, name, options)
    got = assent.all_measures()[name](assent.Annotations.from_array(rows), **options).standard_error(method="jackknife")
    assert got == pytest.approx(jackknife_standard_error(rows, coefficient), rel=1e-10, abs=1e-12)


@pytest.mark.parametrize(("name", "options", "coefficient"), PARAMETERS)
def test_assent_bootstrap(name: str, options: dict[str, str], coefficient: Coefficient) -> None:
    """10,000 replicates against the exact distribution: within 5 standard errors of a standard deviation."""
    rows: reference.Rows = [[1, 1, 2], [2, 2, 2], [1, 2, 3], [3, 3, None], [2, 3, 3]]
    _, deviation = bootstrap_moments(bootstrap_distribution(rows, coefficient))
    agreement = assent.all_measures()[name](assent.Annotations.from_array(rows), **options)
    got = agreement.standard_error(method="bootstrap", replicates=10_000, seed=7)
    assert got == pytest.approx(deviation, rel=0.04)
