"""De Raadt et al. (2019): three ways to treat labels that one of two annotators did not give."""

import random

import pytest
from tests import reference

import assent
from assent.measures import cohen


def table(seed: int) -> list[list[str | None]]:
    draw = random.Random(seed)
    rows = [[draw.choice("abc"), draw.choice("abc")] for _ in range(30)] + [["a", "a"], ["b", "b"]] * 8
    rows += [["a", None], ["c", None], [None, "b"], [None, "b"], ["b", None]]
    return rows


@pytest.mark.parametrize("seed", range(20))
def test_listwise_and_available(seed):
    rows = table(seed)
    for incomplete in ("listwise", "available"):
        ours = assent.cohen_kappa(assent.Annotations.from_array(rows), incomplete=incomplete)
        theirs = reference.cohen_kappa(rows, missing=incomplete)
        assert ours.value == pytest.approx(float(theirs), abs=1e-12)
        assert ours.observed == pytest.approx(float(theirs.observed), abs=1e-12)
        assert ours.expected == pytest.approx(float(theirs.expected), abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_missing_as_a_category(seed):
    rows = table(seed)
    filled = [["none" if label is None else label for label in row] for row in rows]
    ours = assent.cohen_kappa(assent.Annotations.from_array(rows), incomplete="category")
    assert ours.value == pytest.approx(float(reference.cohen_kappa(filled)), abs=1e-12)


def test_missing_as_a_category_says_that_it_is_biased():
    agreement = assent.cohen_kappa(assent.Annotations.from_array(table(1)), incomplete="category")
    assert any("biased" in note for note in agreement.notes)


def test_without_gaps_the_three_are_one():
    data = assent.Annotations.from_contingency([[20, 5], [10, 15]], labels=["a", "b"])
    values = {assent.cohen_kappa(data, incomplete=one).value for one in ("listwise", "available", "category")}
    assert max(values) - min(values) < 1e-12


@pytest.mark.parametrize("written", [True, False])
@pytest.mark.parametrize("incomplete", ["listwise", "available"])
def test_of_three_annotators_it_is_the_mean_over_pairs_by_the_items_they_share(incomplete, written, monkeypatch):
    """Tables of labels are written out or made anew for every annotator, which gaps must not change."""
    monkeypatch.setattr(cohen, "WRITTEN_CELLS", 10**9 if written else 0)
    draw = random.Random(5)
    rows = [[draw.choice(["a", "b", "b", "c", None]) for _ in range(3)] for _ in range(60)]
    values, shared = [], []
    for one, two in ((0, 1), (0, 2), (1, 2)):
        pair = [[row[one], row[two]] for row in rows]
        values.append(float(reference.cohen_kappa(pair, missing=incomplete)))
        shared.append(sum(None not in both for both in pair))
    ours = assent.cohen_kappa(assent.Annotations.from_array(rows), incomplete=incomplete)
    known = sum(value * number for value, number in zip(values, shared, strict=True)) / sum(shared)
    assert ours.value == pytest.approx(known, abs=1e-12)
