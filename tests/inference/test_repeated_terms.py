"""Terms of pairs that are not written out, and a difference that is made of the slopes of both sides."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import assent
from assent.inference.derivatives import influence
from assent.measures import meetings
from assent.profiles import Multiplicities, RepeatedTerms


def _terms(gaps: float) -> tuple[RepeatedTerms, np.ndarray]:
    """Return terms of five annotators, and the same written out cell by cell."""
    rng = np.random.default_rng(3)
    code = np.where(rng.random((40, 5)) < gaps, -1, rng.integers(0, 7, (40, 5)))
    code[:, 4] = rng.integers(0, 7, 40)
    table = rng.normal(size=(7, 3))
    own, other = np.nonzero(~np.eye(5, dtype=bool))
    whole = np.zeros((40, len(own), 3))
    for profile in range(40):
        for pair, (one, two) in enumerate(zip(own, other, strict=True)):
            if code[profile, one] >= 0 and code[profile, two] >= 0:
                whole[profile, pair] = table[code[profile, one]]
    return RepeatedTerms(code, table, own, other), whole.reshape(40, -1)


@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_products_and_rows_are_those_of_the_matrix(gaps: float) -> None:
    terms, whole = _terms(gaps)
    rng = np.random.default_rng(4)
    weights, slopes = rng.random((20, 40)), rng.normal(size=whole.shape[1])
    assert terms.shape == whole.shape
    np.testing.assert_allclose(weights @ terms, weights @ whole, rtol=0, atol=1e-12)
    np.testing.assert_allclose(weights[:3] @ terms, weights[:3] @ whole, rtol=0, atol=1e-12)
    np.testing.assert_allclose(weights[0] @ terms, weights[0] @ whole, rtol=0, atol=1e-12)
    np.testing.assert_allclose(terms @ slopes, whole @ slopes, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(terms[5:9], whole[5:9])
    index = np.array([3, -1, 3, 39])
    np.testing.assert_array_equal(terms.taken(index)[:], np.where(index[:, None] >= 0, whole[index], 0.0))


def _sets(gaps: float = 0.0, seed: int = 1) -> assent.Annotations:
    rng = np.random.default_rng(seed)
    rows = [
        {"item": item, "annotator": f"a{who}", "label": ";".join(rng.choice(list("ABCD"), rng.integers(1, 4), replace=False))}
        for item in range(60)
        for who in range(4)
        if rng.random() >= gaps
    ]  # fmt: skip
    return assent.Annotations.from_frame(pl.DataFrame(rows), separator=";", ranked=True)


MEASURES = [
    ("boot-match", {}),
    ("boot-f1", {}),
    ("boot-match", {"expected": "permute"}),
    ("soft-match", {}),
    ("augmented-kappa", {"primary": 0.7}),
]


@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize(("name", "options"), MEASURES)
def test_terms_written_out_or_not_give_the_same(
    name: str, options: dict[str, object], gaps: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = assent.measures.find(name)
    short = measure(_sets(gaps), **options)
    monkeypatch.setattr(meetings, "MOST_MEET", np.inf)
    whole = measure(_sets(gaps), **options)
    assert short.value == pytest.approx(whole.value, abs=1e-12)
    for method in ("etel", "analytic", "jackknife"):
        one, two = (found.confidence_interval(method=method) for found in (short, whole))
        assert (one.low, one.high) == pytest.approx((two.low, two.high), abs=1e-12)


def test_a_difference_has_the_slopes_of_both_sides() -> None:
    data, other = _sets(), _sets(0.2, seed=5)
    for after, before in (
        (assent.boot_f1(data.without_annotators(["a2"])), assent.boot_match(data)),
        (assent.boot_match(other), assent.boot_match(data)),
        (assent.krippendorff_alpha(other), assent.krippendorff_alpha(data)),
    ):
        gap = assent.difference(after, before)
        assert gap.padded is not None
        for sample in (gap.sample, gap.padded()):
            # As a statistic of which nothing is known, stepped in all of its totals.
            plain = influence(lambda weighting, known=sample.statistic: known.whole(weighting), sample.base)
            np.testing.assert_allclose(sample.slopes, plain, rtol=0, atol=1e-12)
            other_weights = sample.base * np.random.default_rng(0).random((2, len(sample.base)))
            apart = [sample.statistic(Multiplicities(one)) for one in other_weights]
            np.testing.assert_allclose(sample.statistic(Multiplicities(other_weights)), apart, rtol=0, atol=1e-12)


def test_the_interval_of_a_difference_steps_in_no_total(monkeypatch: pytest.MonkeyPatch) -> None:
    data = _sets()
    after, before = assent.boot_match(data.without_annotators(["a2"])), assent.boot_match(data)
    for one in (after, before):
        one.standard_error()
    gap = assent.difference(after, before)
    monkeypatch.setattr("assent.inference.sample.influence", lambda statistic, weights: statistic.slopes(weights))
    assert gap.standard_error() > 0
