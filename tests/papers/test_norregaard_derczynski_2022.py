"""Norregaard & Derczynski (2022), Sparse Probability of Agreement."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from tests.papers.oracle import Table, annotations, table
from tests.reference import krippendorff_alpha, percent_agreement, spa
from tests.reference.spa import SCHEMES, agreement_variance, item_agreement

import assent
from assent.inference.derivatives import Recorder
from assent.measures.spa import agreement_variance as closed_form

SPARSE = [
    table("krippendorff_2011", "4x12"),
    table("hayes_krippendorff_2007", "p84"),
    table("norregaard_derczynski_2022", "figure-1"),
]
#: Class probabilities, skewed and even.
CLASSES = [
    [Fraction(1, 2), Fraction(1, 2)],
    [Fraction(1, 10), Fraction(9, 10)],
    [Fraction(1, 3)] * 3,
    [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)],
    [Fraction(7, 10), Fraction(1, 10), Fraction(1, 10), Fraction(1, 10)],
]


def test_figure_1() -> None:
    """14 edges of 55, whatever the weights."""
    rows = table("norregaard_derczynski_2022", "figure-1").rows
    assert {spa(rows, scheme=scheme).value for scheme in SCHEMES} == {Fraction(14, 55)}


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@pytest.mark.parametrize("p", CLASSES, ids=str)
def test_closed_form_of_the_variance(p: list[Fraction], n: int) -> None:
    """The paper's double sums (eq. 22, corrected), enumerated, are a closed form: MATH.md, section 2."""
    s2, s3 = sum(x**2 for x in p), sum(x**3 for x in p)
    closed = Fraction(2, n * (n - 1)) * (2 * (n - 2) * (s3 - s2**2) + s2 - s2**2)
    assert agreement_variance(n, p) == closed


@pytest.mark.parametrize("labels", [2, 3, 4, 5])
def test_inverse_variance_is_edges(labels: int) -> None:
    """With equally likely labels one over the variance is proportional to the edges, however many labels."""
    uniform = [Fraction(1, labels)] * labels
    assert len({agreement_variance(n, uniform) * n * (n - 1) for n in range(2, 7)}) == 1


@pytest.mark.parametrize("counts", [(5, 3, 2, 1), (4, 0, 1), (2, 2)], ids=str)
def test_removing_an_annotation_leaves_the_expected_agreement(counts: tuple[int, ...]) -> None:
    """Section 4.1.1."""
    n = sum(counts)
    without = [
        Fraction(c, n) * item_agreement([k - (j == i) for j, k in enumerate(counts)]) for i, c in enumerate(counts) if c
    ]
    assert sum(without) == item_agreement(counts)


@pytest.mark.parametrize("example", SPARSE, ids=lambda example: example.id)
def test_schemes_that_have_other_names(example: Table) -> None:
    """Flat is percent agreement, annotations 1 - alpha's observed disagreement, edges all pairs pooled."""
    rows = example.rows
    assert spa(rows, scheme="flat").value == percent_agreement(rows).value
    assert spa(rows, scheme="annotations").value == krippendorff_alpha(rows).observed
    pairs = [a == b for row in rows for a, b in combinations([x for x in row if x is not None], 2)]
    pooled = Fraction(sum(pairs), len(pairs))
    assert spa(rows, scheme="edges").value == spa(rows, scheme="inv-var").value == pooled


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("example", SPARSE, ids=lambda example: example.id)
def test_every_scheme_in_assent(example: Table, scheme: str) -> None:
    rows = example.rows
    got = assent.all_measures()["spa"](annotations(example), scheme=scheme)
    assert got.value == pytest.approx(float(spa(rows, scheme=scheme)), abs=1e-12)


@pytest.mark.parametrize("chance", ["cross-item", "naive"])
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("example", SPARSE[:2], ids=lambda example: example.id)
def test_chance_correction(example: Table, scheme: str, chance: str) -> None:
    expected = spa(example.rows, scheme=scheme, chance=chance)
    got = assent.spa_kappa(annotations(example), scheme=scheme, chance=chance)
    assert got.observed == pytest.approx(float(expected.observed), abs=1e-12)
    assert got.expected == pytest.approx(float(expected.expected), abs=1e-12)
    assert any("too high" in note for note in got.notes) == (chance == "naive")


def by_equation_41(n: int, labels: int) -> Fraction:
    """Variance of an item's agreement over all annotations, by the sums of the appendix (eq. 41)."""
    total = Fraction(0)
    for n0 in range(n + 1):
        for n1 in range(min(n0, n - n0) + 1):
            ways = 2 ** (n0 != n1) * comb(n, n0) * comb(n - n0, n1) * labels * (labels - 1)
            total += ways * Fraction(labels - 2) ** (n - n0 - n1) * n0 * n1 * (n0 - 1) * (n1 - 1)
        total += comb(n, n0) * labels * Fraction(labels - 1) ** (n - n0) * n0**2 * (n0 - 1) ** 2
    pairs = Fraction(n * (n - 1), 2)
    return total / (4 * pairs**2 * labels**n) - Fraction(1, labels) ** 2


def by_equation_50(n: int, p: list[float]) -> float:
    """The same with label probabilities, by the double sum of eq. 50."""
    total = 0.0
    for i, one in enumerate(p):
        for k in range(n + 1):
            total += comb(n, k) * one**k * (1 - one) ** (n - k) * k**2 * (k - 1) ** 2
        for j, other in enumerate(p):
            if i != j:
                for k in range(2, n + 1):
                    for m in range(2, n - k + 1):
                        rest = max(1 - one - other, 0.0) ** (n - k - m)
                        total += comb(n, k) * comb(n - k, m) * one**k * other**m * rest * k * m * (k - 1) * (m - 1)
    pairs = n * (n - 1) / 2
    return total / (4 * pairs**2) - sum(x * x for x in p) ** 2


@pytest.mark.parametrize("labels", range(2, 9))
@pytest.mark.parametrize("n", range(2, 13))
def test_the_closed_form_is_equation_41(n: int, labels: int) -> None:
    size, share = np.array([float(n)]), 1 / labels
    closed = closed_form(size, np.array([labels * share**2]), np.array([labels * share**3]))[0]
    assert closed == pytest.approx(float(by_equation_41(n, labels)), abs=1e-12)


@pytest.mark.parametrize("labels", range(2, 9))
@pytest.mark.parametrize("n", [2, 3, 5, 8, 12])
def test_the_closed_form_is_equation_50(n: int, labels: int) -> None:
    p = np.random.default_rng(labels).dirichlet(np.full(labels, 0.7))
    closed = closed_form(np.array([float(n)]), np.array([(p**2).sum()]), np.array([(p**3).sum()]))[0]
    assert closed == pytest.approx(by_equation_50(n, p.tolist()), abs=1e-12)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_complete_data_have_one_agreement(scheme: str) -> None:
    rows = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", "c"], ["c", "c", "c"]]
    assert assent.spa(rows, scheme=scheme).value == pytest.approx(assent.percent_agreement(rows).value, abs=1e-12)


def test_weights_by_shares_need_the_labels_and_the_sizes_alone() -> None:
    rng = np.random.default_rng(0)
    said = [[f"l{one}" for one in rng.integers(0, 60, size=2 + i % 3)] for i in range(200)]
    found = assent.spa([row + [None] * (4 - len(row)) for row in said], scheme="inv-var-class")
    asked = Recorder(np.asarray(found.sample.multiplicities, dtype=np.float64))
    found.sample.statistic(asked)
    # Agreement and items of each of three sizes, and how often each label is given; nothing that differs by replicate and item.
    assert not asked.varying
    assert asked.width == 60 + 2 * 3
    # Every item in its own number: what a tenth of a thousandth of an item more does, by the definition itself.
    tables = [{one: row.count(one) for one in row} for row in said]
    assert found.value == pytest.approx(_by_definition(tables, np.ones(200)), rel=1e-12)
    influence, weights = found.sample.influences
    slopes = []
    for i in range(200):
        step = np.eye(200)[i] * 1e-4
        slopes.append(
            (_by_definition(tables, np.ones(200) + step) - _by_definition(tables, np.ones(200) - step)) / 2e-4
        )
    assert np.sort(np.repeat(influence, weights.astype(int))) == pytest.approx(np.sort(slopes), abs=1e-9)


def _by_definition(items: list[dict[str, int]], weights: np.ndarray) -> float:
    """Weigh every item by one over the variance of its agreement, with the labels' shares in all of them."""
    given: dict[str, float] = {}
    for item, weight in zip(items, weights, strict=True):
        for label, times in item.items():
            given[label] = given.get(label, 0.0) + weight * times
    share = np.array(list(given.values())) / sum(given.values())
    top = bottom = 0.0
    for item, weight in zip(items, weights, strict=True):
        n = sum(item.values())
        agreed = sum(k * (k - 1) for k in item.values()) / (n * (n - 1))
        k = weight / float(closed_form(np.array(float(n)), (share**2).sum(), (share**3).sum()))
        top, bottom = top + k * agreed, bottom + k
    return top / bottom
