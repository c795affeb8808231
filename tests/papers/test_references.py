"""The references against each other and against what can be said of them on paper."""

import random
from fractions import Fraction
from itertools import permutations

import pytest
from tests import reference
from tests.reference import Rows
from tests.reference.coefficients import marginal
from tests.reference.metrics import METRICS
from tests.reference.tables import Label, Number, multiplicities
from tests.reference.weights import FAMILIES, agreement_weights

import assent


def table(seed: int, *, items: int = 8, annotators: int = 4, labels: int = 3, missing: float = 0.25) -> Rows:
    """A random table of labels 1..labels; at least one item has two labels."""
    draw = random.Random(seed)
    rows: list[list[int | None]] = [
        [None if draw.random() < missing else draw.randint(1, labels) for _ in range(annotators)] for _ in range(items)
    ]
    rows[0][:2] = [1, 2]
    return rows


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("labels", [[1, 2], [1, 2, 3], [1, 2, 4, 8], ["low", "mid", "high", "top"]], ids=str)
def test_weights_are_1_on_the_diagonal_and_0_at_the_farthest(family: str, labels: list[int | str]) -> None:
    weights = agreement_weights(family, labels)
    assert all(weights[a, a] == 1 for a in labels)
    assert all(weights[a, b] == weights[b, a] for a in labels for b in labels)
    assert min(weights.values()) == pytest.approx(0)
    assert max(weights.values()) == 1


def test_weights_by_hand() -> None:
    """Five labels 1..5 as in Gwet (2014), chapter 3: the first row of each family."""
    first = {name: [agreement_weights(name, range(1, 6))[1, k] for k in range(1, 6)] for name in FAMILIES}
    half = Fraction(1, 2)
    assert first["identity"] == [1, 0, 0, 0, 0]
    assert first["linear"] == [1, Fraction(3, 4), half, Fraction(1, 4), 0]
    assert first["quadratic"] == [1, Fraction(15, 16), Fraction(3, 4), Fraction(7, 16), 0]
    assert first["ordinal"] == [1, Fraction(9, 10), Fraction(7, 10), Fraction(4, 10), 0]
    assert first["radical"] == pytest.approx([1, 0.5, 1 - 0.5**0.5, 1 - 0.75**0.5, 0])
    assert first["ratio"] == [1, Fraction(3, 4), Fraction(7, 16), Fraction(19, 100), 0]
    assert first["circular"] == pytest.approx([1, 0.61803398875, 0, 0, 0.61803398875])
    assert first["bipolar"] == [1, 1 - Fraction(1, 7), 1 - Fraction(1, 3), 1 - Fraction(3, 5), 0]


def test_krippendorffs_ordinal_metric_by_hand() -> None:
    """Krippendorff (1980), as in DKPro: ranks 1, 2, 3, 4, 5, 10 seen 2, 2, 4, 8, 2, 2 times."""
    labels: list[Label] = [1, 2, 3, 4, 5, 10]
    seen: dict[Label, Number] = dict(zip(labels, map(Fraction, [2, 2, 4, 8, 2, 2]), strict=True))
    first = [METRICS["ordinal"](1, label, labels, seen) for label in labels]
    assert first == [x**2 for x in [0, 2, 5, 11, 16, 18]]


@pytest.mark.parametrize("seed", range(20))
def test_the_family_on_complete_tables(seed: int) -> None:
    """Of two annotators Scott is Fleiss, Conger and Light are Cohen; alpha is Fleiss but for n - 1."""
    two = table(seed, annotators=2, missing=0)
    assert reference.scott_pi(two) == reference.fleiss_kappa(two)
    assert reference.conger_kappa(two) == reference.cohen_kappa(two)
    assert reference.light_kappa(two).value == reference.cohen_kappa(two).value
    rows = table(seed, annotators=3, missing=0)
    kappa, n = reference.fleiss_kappa(rows), sum(map(len, rows))
    assert reference.krippendorff_alpha(rows).value == 1 - (1 - kappa.value) * Fraction(n - 1, n)  # type: ignore[operator]


@pytest.mark.parametrize("seed", range(10))
def test_congers_expected_is_the_mean_over_pairs_of_annotators(seed: int) -> None:
    rows = table(seed)
    names, once = reference.vocabulary(rows), multiplicities(rows, None)
    shares = [m for g in range(4) if (m := marginal(rows, g, names, once)) is not None]
    pairs = [sum(a[k] * b[k] for k in names) for a, b in permutations(shares, 2)]
    assert reference.conger_kappa(rows).expected == sum(pairs) / len(pairs)


@pytest.mark.parametrize("seed", range(10))
def test_alpha_of_quadratic_weights_is_interval_alpha(seed: int) -> None:
    rows = table(seed)
    interval = reference.krippendorff_alpha(rows, scale="interval").value
    assert reference.krippendorff_alpha(rows, weights="quadratic").value == interval


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(
    "name", ["fleiss_kappa", "gwet_ac", "conger_kappa", "krippendorff_alpha", "spa", "light_kappa"]
)
def test_times_is_repetition(name: str, seed: int) -> None:
    """Counting a row three times is writing it three times, and 0 times leaving it out."""
    rows, times = table(seed), [Fraction(x) for x in [1, 3, 0, 1, 1, 2, 1, 1]]
    written = [row for row, t in zip(rows, times, strict=True) for _ in range(int(t))]
    labels, function = reference.vocabulary(rows), getattr(reference, name)
    assert function(rows, times=times) == function(written, labels=labels)


def test_undefined_is_none() -> None:
    same = [["a", "a"], ["a", "a"]]
    assert reference.fleiss_kappa(same).value is None
    assert reference.krippendorff_alpha(same).value is None
    assert reference.gwet_ac(same).value is None
    assert reference.percent_agreement([["a", None], [None, "b"]]).value is None
    assert reference.krippendorff_alpha([["a", None], [None, "b"]]).value is None


def test_conversions() -> None:
    assert reference.from_contingency([[1, 2], [0, 1]], ["x", "y"]) == [
        ["x", "x"],
        ["x", "y"],
        ["x", "y"],
        ["y", "y"],
    ]
    assert reference.from_counts([[2, 1], [0, 2]], ["x", "y"]) == [["x", "x", "y"], ["y", "y", None]]


@pytest.mark.parametrize(("prior", "weight"), [("uniform", 1), ("jeffreys", Fraction(1, 2)), ("none", 0)])
@pytest.mark.parametrize("seed", range(4))
def test_priors_of_van_oest_are_those_of_the_reference(prior: str, weight: Fraction | int, seed: int) -> None:
    rows = table(seed)
    found = assent.van_oest(
        assent.Annotations.from_array([[None if x is None else str(x) for x in row] for row in rows]), prior=prior
    )
    assert found.value == pytest.approx(float(reference.van_oest(rows, prior=weight)), abs=1e-12)
