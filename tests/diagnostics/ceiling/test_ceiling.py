"""The human ceiling: every annotation against every consensus of the others, every tie settled in every way."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from statistics import mean, stdev

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.tables import LABELS, STABLE, Rows, annotations, large, tables

import assent
from assent import Annotations
from assent.analyses.ceiling import result as module
from assent.errors import NothingToCompare


def comparisons(row: tuple[str | None, ...]) -> Iterator[tuple[int, str, list[str]]]:
    """Who is left out of an item, what that one said, and which labels are most frequent among the others."""
    given_labels = [(j, label) for j, label in enumerate(row) if label is not None]
    if len(given_labels) < 3:
        return
    for j, label in given_labels:
        others = Counter(other for k, other in given_labels if k != j)
        most = max(others.values())
        yield j, label, sorted(other for other, times in others.items() if times == most)


def accuracy_of(row: tuple[str | None, ...]) -> Fraction | None:
    scores = [Fraction(label in best, len(best)) for _, label, best in comparisons(row)]
    return sum(scores, Fraction(0)) / len(scores) if scores else None


def macro_f1_of(table: list[tuple[Fraction, str, list[str]]]) -> float:
    """From weighted comparisons: hits, what was given and what was true of each label, ties shared out evenly."""
    hits: dict[str, Fraction] = defaultdict(Fraction)
    either: dict[str, Fraction] = defaultdict(Fraction)
    for weight, label, best in table:
        either[label] += weight
        for one in best:
            either[one] += weight / len(best)
            hits[one] += weight / len(best) * (one == label)
    return float(sum(2 * hits[one] / either[one] for one in either) / len(either))


@given(tables())
@STABLE
def test_it_is_what_every_comparison_says(rows: Rows) -> None:
    scored = [row for row in rows if accuracy_of(row) is not None]
    if not scored:
        with pytest.raises(NothingToCompare, match="No item has 3 annotations"):
            assent.ceiling(annotations(rows))
        return
    found = assent.ceiling(annotations(rows))
    every = [(row, list(comparisons(row))) for row in scored]
    assert found.accuracy.value == pytest.approx(float(mean(accuracy_of(row) or Fraction(0) for row in scored)))
    weighted = [(Fraction(1, len(some)), label, best) for _, some in every for _, label, best in some]
    assert found.macro_f1.value == pytest.approx(macro_f1_of(weighted))
    assert found.n_items == len(scored)
    assert found.n_annotations == sum(len(some) for _, some in every)
    ties = sum(len(best) > 1 for _, some in every for _, _, best in some)
    assert found.tied_share == pytest.approx(ties / found.n_annotations)
    shares = [max(Counter(label for label in row if label).values()) / len(some) for row, some in every]
    assert found.majority_share.value == pytest.approx(mean(shares))
    # No item can be agreed with more than its majority share, and no annotator beats that.
    assert found.accuracy.value <= found.majority_share.value + 1e-12


@given(tables())
@STABLE
def test_annotators_are_scored_on_their_own_items(rows: Rows) -> None:
    if any(accuracy_of(row) is not None for row in rows):
        check_annotators(rows)


def test_annotators_are_scored_on_their_own_items_with_ties_of_every_kind() -> None:
    check_annotators(large(items=200, annotators=7, gaps=0.2, agreeing=0.2))


def check_annotators(rows: Rows) -> None:
    found = assent.ceiling(annotations(rows))
    by_annotator: dict[str, list[tuple[str, list[str]]]] = defaultdict(list)
    for row in rows:
        for j, label, best in comparisons(row):
            by_annotator[str(j + 1)].append((label, best))
    assert found.annotators is not None
    assert {one.annotator for one in found.annotators} == set(by_annotator)
    for one in found.annotators:
        own = by_annotator[one.annotator]
        assert one.n_items == len(own)
        assert one.accuracy.value == pytest.approx(mean(float(Fraction(a in best, len(best))) for a, best in own))
        assert one.macro_f1 == pytest.approx(macro_f1_of([(Fraction(1), label, best) for label, best in own]))
    values = [one.accuracy.value for one in found.annotators]
    assert values == sorted(values, reverse=True)


@given(tables(), st.permutations(LABELS))
@STABLE
def test_names_order_and_size_of_the_data_change_nothing(rows: Rows, names: list[str]) -> None:
    if all(accuracy_of(row) is None for row in rows):
        return
    renamed = dict(zip(LABELS, names, strict=True))
    other = tuple(tuple(None if label is None else renamed[label] for label in row) for row in (*rows[::-1], *rows))
    one, two = assent.ceiling(annotations(rows)), assent.ceiling(annotations(other))
    for score in ("accuracy", "macro_f1", "majority_share"):
        assert getattr(one, score).value == pytest.approx(getattr(two, score).value)
    assert one.tied_share == pytest.approx(two.tied_share)


def test_by_hand() -> None:
    """aaa scores 1; abb: each b meets a tie of a and b, a meets bb: 1/2 + 1/2 of 3; abc scores nothing."""
    found = assent.ceiling([["a", "a", "a"], ["a", "b", "b"], ["a", "b", "c"], ["a", "b", None]])
    assert found.accuracy.value == pytest.approx((1 + 1 / 3 + 0) / 3)
    assert (found.n_items, found.n_annotations, found.n_left_out, found.n_labels) == (3, 9, 1, 3)
    assert found.tied_share == pytest.approx((2 + 3) / 9)
    assert found.majority_share.value == pytest.approx((1 + 2 / 3 + 1 / 3) / 3)


def test_a_tie_is_settled_by_its_exact_mean() -> None:
    """The others of an a in aabb are a, b, b: no tie. In aab they are a, b: half a hit each."""
    assert assent.ceiling([["a", "a", "b", "b"]]).accuracy.value == 0.0
    assert assent.ceiling([["a", "a", "b", None]]).accuracy.value == pytest.approx(1 / 3)
    assert assent.ceiling([["a", "a", "a", "b"]]).accuracy.value == pytest.approx(3 / 4)


def test_a_model_that_is_always_right_scores_higher_than_any_annotator() -> None:
    """Five annotators, each right four times in five: every outcome as often as it is expected in 3,125 items."""
    rows = [[comb(5, right) * 4**right, right] for right in range(6)]
    counts = [[right, 5 - right] for times, right in rows for _ in range(times)]
    found = assent.ceiling(Annotations.from_counts(counts, labels=["right", "wrong"]))
    others = sum(comb(4, j) * 0.8**j * 0.2 ** (4 - j) * (1.0 if j > 2 else 0.5 if j == 2 else 0.0) for j in range(5))
    assert found.accuracy.value == pytest.approx(0.8 * others + 0.2 * (1 - others))
    assert round(found.accuracy.value, 2) == 0.74
    always_right = sum(right > 2 for right, _ in counts) / len(counts)
    assert round(always_right, 2) == 0.94


def test_the_standard_error_of_accuracy_is_that_of_a_mean_of_items() -> None:
    rows = [row for row in large(items=150) if accuracy_of(row) is not None]
    found = assent.ceiling(annotations(tuple(rows)))
    scores = [float(accuracy_of(row) or 0) for row in rows]
    assert found.accuracy.value == pytest.approx(mean(scores))
    assert found.accuracy.standard_error() == pytest.approx(stdev(scores) / len(scores) ** 0.5)
    assert found.accuracy.standard_error("jackknife") == pytest.approx(stdev(scores) / len(scores) ** 0.5)
    interval = found.accuracy.confidence_interval(method="bootstrap", seed=1)
    assert interval.low < found.accuracy.value < interval.high


def test_the_standard_errors_of_macro_f1_agree() -> None:
    found = assent.ceiling(annotations(large(items=500, gaps=0.1)))
    analytic = found.macro_f1.standard_error()
    assert found.macro_f1.standard_error("jackknife") == pytest.approx(analytic, rel=0.03)
    assert found.macro_f1.standard_error("bootstrap", replicates=3000) == pytest.approx(analytic, rel=0.08)


def clustered(cluster: str | None) -> Annotations:
    rows = [(i, j, label, i // 8) for i, row in enumerate(large(items=160)) for j, label in enumerate(row) if label]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "document"], orient="row")
    return Annotations.from_frame(frame, cluster=cluster)


def test_clusters_are_drawn_as_a_whole() -> None:
    one, other = assent.ceiling(clustered(None)), assent.ceiling(clustered("document"))
    assert one.accuracy.value == pytest.approx(other.accuracy.value)
    # The mean of a ratio over clusters, in the textbook's form.
    sums, sizes = np.zeros(20), np.zeros(20)
    for i, row in enumerate(large(items=160)):
        score = accuracy_of(row)
        if score is not None:
            sums[i // 8] += float(score)
            sizes[i // 8] += 1
    residual = sums - sums.sum() / sizes.sum() * sizes
    wanted = np.sqrt(20 / 19 * (residual**2).sum()) / sizes.sum()
    assert other.accuracy.standard_error() == pytest.approx(wanted)
    assert other.accuracy.confidence_interval().unit == "document"
    assert other.annotators is not None
    assert other.annotators[0].accuracy.confidence_interval().unit == "document"


def test_perfect_agreement_leaves_room_for_what_was_missed_by_luck() -> None:
    found = assent.ceiling([["a", "a", "a"]] * 10 + [["b", "b", "b"]] * 10)
    assert (found.accuracy.value, found.macro_f1.value) == (1.0, 1.0)
    interval = found.accuracy.confidence_interval(method="analytic")
    assert interval.low == pytest.approx(0.025 ** (1 / 20))
    assert interval.high == 1.0
    tilted = found.accuracy.confidence_interval()
    assert (tilted.method, tilted.high) == ("etel", 1.0)
    assert tilted.low == pytest.approx(interval.low, abs=0.01)


def test_what_must_be_known_is_said() -> None:
    one = assent.ceiling([["a", "a", "a"]] * 12 + [["a", "a", None]])
    assert any("same label" in note for note in one.notes)
    assert any("1 item has fewer than 3 annotations" in note for note in one.notes)
    assert one.best is not None
    few = assent.ceiling([["a", "b", "a"]] * 9)
    assert few.best is None
    assert any("scored on 10 items" in note for note in few.notes)
    unknown = assent.ceiling(Annotations.from_counts([[3, 1], [0, 4]], labels=["a", "b"]))
    assert (unknown.annotators, unknown.best) == (None, None)
    assert any("does not say who" in note for note in unknown.notes)
    assert all("It can be passed" in found.notes[0] for found in (one, few, unknown))


def test_plain_values(monkeypatch: pytest.MonkeyPatch) -> None:
    data = annotations(large(items=60))
    content = assent.ceiling(data).to_dict()
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    assert content["data"] == data.to_dict()
    assert content["accuracy"]["ci"]["level"] == 0.95
    assert content["best"] == content["annotators"][0]
    bare = assent.ceiling(data, ci="none").to_dict()
    assert bare["accuracy"]["ci"] is None
    assert bare.keys() == content.keys()
    assert assent.ceiling(data, ci=None).to_dict() == bare
    drawn = assent.ceiling(data, ci="bootstrap", replicates=50, seed=2, level=0.9).to_dict()
    assert drawn["macro_f1"]["ci"]["replicates"] == 50
    monkeypatch.setattr(module, "LABELS_WITH_INTERVAL", 3)
    assert assent.ceiling(data).to_dict()["macro_f1"]["ci"] is None
    assert assent.ceiling(data, ci="bootstrap", replicates=50).to_dict()["macro_f1"]["ci"] is not None
    monkeypatch.setattr(module, "SCORES_WITH_INTERVAL", 1)
    assert sum(one["accuracy"]["ci"] is not None for one in assent.ceiling(data).to_dict()["annotators"]) == 1


def test_what_cannot_be_is_refused() -> None:
    for options, message in (({"ci": "exact"}, "`ci` is"), ({"level": 95}, "confidence level is 95")):
        with pytest.raises(assent.OptionError, match=message):
            assent.ceiling([["a", "a", "b"]], **options)


def test_a_crowd_with_many_labels_needs_no_dense_tables() -> None:
    rng = np.random.default_rng(1)
    items, labels = 12_000, 10_000
    truth = np.repeat(rng.integers(0, labels, size=items), 3)
    chosen = np.where(rng.random(3 * items) < 0.3, rng.integers(0, labels, size=3 * items), truth)
    who = (np.repeat(np.arange(items), 3) * 7 + np.tile([0, 1, 2], items)) % 4_000
    data = Annotations.from_frame(
        pl.DataFrame({"item": np.repeat(np.arange(items), 3), "annotator": who, "label": chosen})
    )
    found = assent.ceiling(data)
    assert 0.3 < found.accuracy.value < 0.7
    assert found.accuracy.confidence_interval().high < 0.7
    assert any("bootstrap alone" in note for note in found.notes)
