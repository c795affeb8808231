"""Nørregaard and Derczynski (2022): what deletion at random does to SPA, and what its variance promises, by enumeration."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import assent
from assent.measures.spa import SCHEMES, label_standard_error


def pairs_that_agree(labels):
    pairs = list(itertools.combinations(labels, 2))
    return Fraction(sum(a == b for a, b in pairs), len(pairs))


#: Weights of an item by its number of annotations, as the paper defines them, in fractions.
WEIGHTS = {
    "flat": lambda n: Fraction(1),
    "annotations": lambda n: Fraction(n),
    "annotations-m1": lambda n: Fraction(n - 1),
    "edges": lambda n: Fraction(n * (n - 1), 2),
    "inv-var": lambda n: Fraction(n * (n - 1), 2),
}


def sparse(items, scheme):
    kept = [item for item in items if len(item) >= 2]
    total = sum(WEIGHTS[scheme](len(item)) for item in kept)
    return sum(WEIGHTS[scheme](len(item)) * pairs_that_agree(item) for item in kept) / total


TABLES = [
    [("a", "a", "a"), ("a", "b", "c"), ("b", "b", "a")],
    [("a", "a", "b", "b"), ("a", "a", "a", "c")],
    [("x", "y"), ("x", "x"), ("y", "y"), ("x", "y")],
]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("scheme", WEIGHTS)
def test_deleting_annotations_at_random_leaves_the_expected_value_unchanged(table, scheme):
    """Every deletion pattern, each annotation lost with probability 1/3, given that something is left to compare."""
    complete = sum(map(pairs_that_agree, table)) / len(table)
    cells = [(i, j) for i, item in enumerate(table) for j in range(len(item))]
    mean, likely = Fraction(0), Fraction(0)
    for lost in itertools.product([False, True], repeat=len(cells)):
        chance = Fraction(1, 3) ** sum(lost) * Fraction(2, 3) ** (len(lost) - sum(lost))
        gone = {cell for cell, one in zip(cells, lost, strict=True) if one}
        left = [tuple(x for j, x in enumerate(item) if (i, j) not in gone) for i, item in enumerate(table)]
        if any(len(item) >= 2 for item in left):
            mean += chance * sparse(left, scheme)
            likely += chance
    assert mean / likely == complete


@pytest.mark.parametrize("scheme", WEIGHTS)
def test_the_measure_is_the_one_that_was_enumerated(scheme):
    table = [("a", "a", "a"), ("a", "b"), ("b", "c", "b", "b"), ("c",)]
    width = max(map(len, table))
    padded = [[*item, *[None] * (width - len(item))] for item in table]
    assert assent.spa(padded, scheme=scheme).value == pytest.approx(float(sparse(table, scheme)), abs=1e-15)


def test_shares_of_labels_can_be_given():
    table = [["a", "a", None, None], ["a", "b", "b", None], ["b", "b", "b", "a"]]
    given = assent.spa(table, scheme="inv-var-class", shares=[0.9, 0.1])
    p = np.array([0.9, 0.1])
    weights = []
    for n in (2, 3, 4):
        # The variance by full enumeration of what n annotations can be.
        outcomes = list(itertools.product([0, 1], repeat=n))
        chance = np.array([np.prod(p[list(one)]) for one in outcomes])
        agreement = np.array([float(pairs_that_agree(one)) for one in outcomes])
        weights.append(1 / (chance @ agreement**2 - (chance @ agreement) ** 2))
    agreement = np.array([1.0, 1 / 3, 1 / 2])
    assert given.value == pytest.approx(float(np.dot(weights, agreement) / np.sum(weights)), abs=1e-12)
    assert given.options["shares"] == (0.9, 0.1)
    estimated = assent.spa(table, scheme="inv-var-class")
    same = assent.spa(table, scheme="inv-var-class", shares=[4 / 9, 5 / 9])
    assert estimated.value == pytest.approx(same.value, abs=1e-12)
    kappa = assent.spa_kappa(table, scheme="inv-var-class", shares=[0.9, 0.1])
    assert kappa.observed == given.value


def test_shares_add_up_to_1_and_one_label_may_have_all_of_them():
    """Then there is no variance to weigh by, and any weights give the same answer."""
    table = [["a", "a", None], ["a", "a", "a"]]
    assert assent.spa(table, scheme="inv-var-class").value == 1.0
    table = [["a", "a", None], ["a", "b", "a"]]
    assert assent.spa(table, scheme="inv-var-class", shares=[1, 0]).value == pytest.approx((1 + 1 / 3) / 2)
    given = assent.spa(table, scheme="inv-var-class", shares=[0.9000005, 0.1]).options["shares"]
    assert sum(given) == pytest.approx(1.0, abs=1e-15)


def test_wrong_shares_are_refused():
    table = [["a", "a"], ["a", "b"]]
    for shares in (
        "0.5",
        [0.5, 0.6],
        [1.5, -0.5],
        [1.1, -0.1],
        "x,y",
        [0.2, 0.3, 0.5],
        [math.nan, 0.5],
        [math.inf, 0.0],
    ):
        with pytest.raises(assent.OptionError, match="shares"):
            assent.spa(table, scheme="inv-var-class", shares=shares)
    with pytest.raises(assent.OptionError, match="inv-var-class alone"):
        assent.spa(table, shares=[0.5, 0.5])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_closed_form_standard_error_by_enumeration(scheme):
    """All labellings of three items with 2, 3 and 3 annotations, drawn independently from three label shares."""
    shares = [0.5, 0.3, 0.2]
    sizes = (2, 3, 3)
    outcomes = [list(itertools.product("abc", repeat=n)) for n in sizes]
    chance = [np.array([np.prod([shares["abc".index(x)] for x in one]) for one in some]) for some in outcomes]
    agreement = [np.array([float(pairs_that_agree(one)) for one in some]) for some in outcomes]
    variance = [float(c @ a**2 - (c @ a) ** 2) for c, a in zip(chance, agreement, strict=True)]
    weights = np.array(
        [1 / v for v in variance] if scheme == "inv-var-class" else [float(WEIGHTS[scheme](n)) for n in sizes]
    )
    expected = np.sqrt(weights**2 @ variance) / weights.sum()
    table = [["a", "b", None], ["a", "c", "a"], ["b", "b", "a"]]
    assert label_standard_error(table, scheme=scheme, shares=shares) == pytest.approx(float(expected), abs=1e-12)
    # The paper recommends to count an item by its annotations but one.
    as_recommended = label_standard_error(table, shares=shares) == pytest.approx(float(expected), abs=1e-12)
    assert as_recommended == (scheme == "annotations-m1")
    stated = assent.spa(table, scheme=scheme, **({"shares": shares} if scheme == "inv-var-class" else {})).notes
    assert any("annotations were drawn independently" in note for note in stated)


@pytest.mark.parametrize("options", [{"scale": "ordinal"}, {"weights": "linear"}])
def test_the_standard_error_of_equal_labels_is_not_stated_where_near_labels_agree_in_part(options):
    """The paper's variance is that of labels that are the same or not: on three labels a scale has another one."""
    table = [["1", "2", None], ["1", "3", "1"], ["2", "2", "1"]]
    assert any("annotations were drawn independently" in note for note in assent.spa(table).notes)
    for scheme in SCHEMES:
        stated = assent.spa(table, scheme=scheme, order=["1", "2", "3"], **options).notes
        assert not any("standard error" in note for note in stated)
