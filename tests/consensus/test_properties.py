"""What must hold for every method on any table."""

from __future__ import annotations

import doctest
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.consensus.data import METHODS, STABLE, Row, annotations, probabilities, scores, tables
from tests.support import some

import assent
from assent.analyses.consensus import all_methods

every_method = pytest.mark.parametrize("method", METHODS)

#: Few rounds: a table that is the same under an exchange of labels stays so in exact arithmetic, and rounding grows from round to round.
FEW = {"max_iterations": 10, "restarts": 1}
NEAR = 1e-6


def run(rows: list[Row], method: str) -> assent.Consensus:
    options = {name: FEW[name] for name in FEW if name in all_methods()[method].parameters}
    return assent.consensus(annotations(rows), method, **options)


def quality(consensus: assent.Consensus) -> dict[str, dict[str, float]]:
    return {name: scores(consensus, name) for name in consensus.annotator_scores}


def assert_same(found: dict[str, dict[str, float]], wanted: dict[str, dict[str, float]]) -> None:
    assert found.keys() == wanted.keys()
    for key, values in wanted.items():
        assert found[key] == pytest.approx(values, abs=NEAR, nan_ok=True), key


@every_method
@given(rows=tables(), order=st.permutations("abc"))
@STABLE
def test_other_names_of_labels_change_nothing_else(method: str, rows: list[Row], order: list[str]) -> None:
    name = dict(zip("abc", order, strict=True))
    first, second = run(rows, method), run([(i, w, name[c]) for i, w, c in rows], method)
    renamed = {item: {name[c]: p for c, p in row.items()} for item, row in probabilities(first).items()}
    assert_same(probabilities(second), renamed)
    assert_same(
        {k: v for k, v in quality(second).items() if k != "matched"},
        {k: v for k, v in quality(first).items() if k != "matched"},
    )


@every_method
@given(rows=tables(), seed=st.integers(0, 99))
@STABLE
def test_the_order_of_rows_items_and_annotators_changes_nothing(method: str, rows: list[Row], seed: int) -> None:
    shuffled, lot = list(rows), random.Random(seed)
    lot.shuffle(shuffled)
    items, annotators = sorted({r[0] for r in rows}), sorted({r[1] for r in rows})
    called = {i: f"x{n}" for n, i in enumerate(lot.sample(items, len(items)))}
    known = {w: f"y{n}" for n, w in enumerate(lot.sample(annotators, len(annotators)))}
    first = run(rows, method)
    second = run([(called[i], known[w], c) for i, w, c in shuffled], method)
    assert_same(probabilities(second), {called[i]: row for i, row in probabilities(first).items()})
    for name, values in quality(first).items():
        if name != "matched":
            renamed = {known[w]: value for w, value in values.items()}
            assert quality(second)[name] == pytest.approx(renamed, abs=NEAR, nan_ok=True)


@every_method
@given(rows=tables())
@STABLE
def test_probabilities_add_up_to_1_and_the_label_is_the_most_probable(method: str, rows: list[Row]) -> None:
    found = run(rows, method)
    dense = found.probabilities.dense()
    known = ~np.isnan(dense).any(axis=1)
    assert dense[known].sum(axis=1) == pytest.approx(1.0, abs=1e-9)
    assert (dense[known] >= 0).all()
    assert np.isnan(found.confidence[~known]).all()
    assert found.confidence[known] == pytest.approx(dense[known].max(axis=1))
    for i in np.flatnonzero(known):
        tied = np.flatnonzero(dense[i] >= dense[i].max() * (1 - 1e-9))
        assert bool(found.tied[i]) == (len(tied) > 1)
        assert found.label[i] == (tied[0] if len(tied) == 1 else -1)
        assert found.tied_labels(int(i)) == ([found.labels[c] for c in tied] if len(tied) > 1 else [])
    assert (found.label[~known] == -1).all()


@every_method
@given(rows=tables())
@STABLE
def test_rows_of_the_table_are_those_of_the_probabilities_one_by_one(method: str, rows: list[Row]) -> None:
    found = run(rows, method)
    dense = np.nan_to_num(found.probabilities.dense())
    for i in some(range(len(found.items))):
        assert found.probabilities.row(i) == pytest.approx(dense[i], abs=1e-12)


@pytest.mark.parametrize("method", ["majority", "intersection"])
@given(rows=tables())
@STABLE
def test_an_item_on_which_all_agree_keeps_its_label(method: str, rows: list[Row]) -> None:
    found = run(rows, method)
    for item, label in some(zip(found.items, found.decided, strict=True)):
        given_labels = {c for i, _, c in rows if i == item}
        number = sum(i == item for i, _, _ in rows)
        if len(given_labels) == 1 and (method == "majority" or number > 1):
            assert label == given_labels.pop()


@every_method
@given(rows=tables())
@STABLE
def test_what_is_printed_is_plain_and_complete(method: str, rows: list[Row]) -> None:
    import json

    found = run(rows, method)
    for soft in (False, True):
        json.dumps(found.to_dict(soft=soft), allow_nan=False)
        table = found.table(soft=soft)
        assert {len(column) for column in table.values()} == {len(found.items)}
        assert ("p_" + found.labels[0] in table) == soft
    assert list(found.table())[:7] == ["item", "label", "confidence", "annotations", "votes", "tie", "tied"]
    assert found.to_dict()["data"] == found.data.to_dict()
    assert found.to_dict()["consensus"].keys() >= {
        "method",
        "converged",
        "iterations",
        "log_likelihood",
        "items",
        "annotators",
        "labels",
        "notes",
    }
    counts = {item: sum(i == item for i, _, _ in rows) for item in found.items}
    assert dict(zip(found.items, found.table()["annotations"], strict=True)) == counts
    for item, label, votes in zip(found.items, found.decided, found.table()["votes"], strict=True):
        assert votes == (None if label is None else sum(i == item and c == label for i, _, c in rows))


@every_method
def test_every_method_is_documented(method: str) -> None:
    one = all_methods()[method]
    assert "When to use\n-----------" in one.text
    assert "Not when\n--------" in one.text
    assert one.summary.endswith(".")
    from assent.references import REFERENCES

    assert set(one.references) <= set(REFERENCES)


@every_method
def test_the_examples_of_a_method_run(method: str) -> None:
    test = doctest.DocTestParser().get_doctest(all_methods()[method].text, {}, method, None, 0)
    assert test.examples
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0
