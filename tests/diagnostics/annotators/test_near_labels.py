"""On a scale, and with sets of labels, annotators agree in part: every number against a literal one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import assent
from assent.analyses.annotators.relative_agreement import relative_agreement
from assent.analyses.annotators.table import AnnotatorTable
from assent.analyses.nearness import near
from assent.data import Annotations
from assent.errors import UnsuitableData
from assent.set_distances import shared


def ratings(seed: int, items: int = 40, annotators: int = 4, gaps: bool = False) -> list[list[str | None]]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, items)
    said = np.clip(truth[:, None] + rng.integers(-1, 2, (items, annotators)), 1, 5)
    table: list[list[str | None]] = [[str(one) for one in row] for row in said]
    if gaps:
        for row in range(0, items, 3):
            table[row][int(rng.integers(annotators))] = None
    return table


def by_hand(table: list[list[str | None]], weights: np.ndarray, names: tuple[str, ...]) -> list[dict[str, float]]:
    """Work out agreement with the others, expected agreement, and the standing of every annotator, literally."""
    place = {name: i for i, name in enumerate(names)}
    found = []
    for one in range(len(table[0])):
        own, among, mine, theirs, apart = [], [], [], [], []
        for row in table:
            others = [place[label] for who, label in enumerate(row) if label is not None and who != one]
            if row[one] is None or not others:
                continue
            label = place[row[one]]
            own.append(np.mean([weights[label, other] for other in others]))
            mine.append(label)
            theirs.append(others)
            if len(others) > 1:
                pairs = [weights[first, second] for first, second in combinations(others, 2)]
                apart.append(own[-1] - np.mean(pairs))
                among.append(np.mean(pairs))
        expected = np.mean([[np.mean([weights[a, b] for b in others]) for others in theirs] for a in mine])
        found.append({"own": np.mean(own), "expected": expected, "difference": np.mean(apart)})
    return found


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("scale", ["ordinal", "interval"])
def test_numbers_are_those_of_a_literal_computation(scale: str, gaps: bool) -> None:
    table = ratings(3, gaps=gaps)
    data = Annotations.from_array(table)
    weights = near(data, scale)
    assert weights is not None
    report = assent.annotators(data, scale=scale)
    for place, slow in enumerate(by_hand(table, weights, data.labels)):
        assert report.agreement.observed[place] == pytest.approx(slow["own"])
        assert report.agreement.expected[place] == pytest.approx(slow["expected"])
        assert report.relative.difference[place] == pytest.approx(slow["difference"])


def test_pairs_are_weighted_kappas() -> None:
    table = ratings(5, gaps=True)
    report = assent.annotators(table, scale="ordinal")
    assert report.pairs is not None
    for pair in report.pairs:
        both = [[row[int(pair.first) - 1], row[int(pair.second) - 1]] for row in table]
        kept = [row for row in both if None not in row]
        slow = assent.cohen_kappa(Annotations.from_array(kept).ordered(["1", "2", "3", "4", "5"]), weights="ordinal")
        assert pair.value == pytest.approx(slow.value)
        assert pair.observed == pytest.approx(slow.observed)


def test_the_null_is_that_of_annotators_who_are_alike() -> None:
    """The tail probability is that of drawing each annotator's label among those of the item."""
    table = ratings(8, items=25, annotators=3)
    data = Annotations.from_array(table)
    weights = near(data, "ordinal")
    assert weights is not None
    team = AnnotatorTable.of(data, weights)
    found = relative_agreement(team)
    worst = int(np.argmin(found.difference))
    place = {name: i for i, name in enumerate(data.labels)}
    rng = np.random.default_rng(1)
    draws = 40_000
    total = np.zeros(draws)
    for row in table:
        labels = [place[str(label)] for label in row]
        values = []
        for seat, label in enumerate(labels):
            others = [other for who, other in enumerate(labels) if who != seat]
            values.append(np.mean([weights[label, o] for o in others]) - weights[others[0], others[1]])
        total += np.asarray(values)[rng.integers(0, 3, draws)]
    observed = found.difference[worst] * found.items[worst]
    assert found.p_value[worst] == pytest.approx(float(np.mean(total <= observed + 1e-9)), abs=0.015)


def test_sets_in_another_order_are_the_same() -> None:
    """Three annotators who give identical sets in another order agree fully: items, annotators, advice."""
    rng = np.random.default_rng(5)
    rows = []
    for item in range(60):
        given = [
            str(one) for one in rng.choice(["anger", "fear", "joy", "sad"], size=rng.integers(1, 4), replace=False)
        ]
        rows += [(f"i{item}", who, label, rank) for who in "xy" for rank, label in enumerate(given, 1)]
        rows += [(f"i{item}", "z", label, rank) for rank, label in enumerate(given[::-1], 1)]
    import polars as pl

    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "rank"], orient="row")
    data = Annotations.from_frame(frame, rank="rank")
    assert data._ranked
    assert assent.boot_f1(data._without_ranks()).value == pytest.approx(1.0)
    assert {row.agreement for row in assent.items(data).rows()} == {1.0}
    report = assent.annotators(data)
    assert report.n_flagged == 0
    assert report.agreement.observed.tolist() == pytest.approx([1.0] * 3)
    assert [one.key for one in assent.advise(data)] == ["none"]


def test_sets_agree_by_what_they_share() -> None:
    table = [["a;b", "a", "b;a"], ["c", "c;a", "c"], ["b", "a", "c"], ["a", "a", "a;b"]]
    frame = [(f"i{i}", f"w{j}", label) for i, row in enumerate(table) for j, label in enumerate(row)]
    import polars as pl

    data = Annotations.from_frame(
        pl.DataFrame(frame, schema=["item", "annotator", "label"], orient="row"), separator=";"
    )
    found = {row.item: row.weighted_agreement for row in assent.items(data).rows()}
    assert found["i0"] == pytest.approx((2 / 3 + 1 + 2 / 3) / 3)
    assert found["i2"] == 0.0
    assert shared(np.array([[True, False], [False, False]]))[0, 1] == 0.0


def test_who_is_strict_on_a_scale_exchanges_no_labels() -> None:
    """One annotator who rates a step lower throughout is stricter: not flagged for exchanged labels, and said so."""
    rng = np.random.default_rng(2)
    truth = rng.integers(2, 6, 150)
    said = np.clip(truth[:, None] + rng.choice([-1, 0, 0, 0, 1], (150, 4)), 1, 5)
    said[:, 0] = np.clip(said[:, 0] - 1, 1, 5)
    report = assent.annotators(Annotations.from_array(said.astype(str).tolist()), scale="ordinal")
    assert "swapped-labels" not in report.kinds.values()
    assert report.severity is not None
    assert report.severity.mean[0] < -0.5
    advice = assent.advise(Annotations.from_array(said.astype(str).tolist()), scale="ordinal")
    assert advice[0].key in ("severity", "annotator")
    assert any(one.key == "severity" for one in advice)


def test_a_scale_turned_round_is_an_exchange() -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(1, 6, 200)
    said = np.clip(truth[:, None] + rng.choice([-1, 0, 0, 0, 1], (200, 5)), 1, 5)
    said[:, 0] = 6 - said[:, 0]
    report = assent.annotators(Annotations.from_array(said.astype(str).tolist()), scale="ordinal")
    assert report.kinds == {0: "swapped-labels"}


@pytest.mark.parametrize("scale", ["ordinal", "interval", "ratio"])
@pytest.mark.parametrize("ask", [assent.items, assent.annotators])
def test_sets_of_labels_are_on_no_scale(ask, scale: str) -> None:
    data = Annotations.from_triples([("1", "a", ["x"]), ("1", "b", ["x", "y"]), ("2", "a", ["y"]), ("2", "b", ["y"])])
    with pytest.raises(UnsuitableData, match=f"^Sets of labels are on no {scale} scale: leave the scale out"):
        ask(data, scale=scale)
    assert ask(data, scale="nominal").to_dict() == ask(data).to_dict()
