"""Errors against a reference, leanings, soft labels, what a judge favours, and several judges."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import stdtrit
from tests.judging import slow
from tests.judging.cases import annotations, expected, oracle, pipeline, team
from tests.support import examples, some

import assent
from assent.analyses.judge.favour import seat_swap
from assent.analyses.judge.soft import distances


@settings(max_examples=examples(15), deadline=None)
@given(seed=st.integers(0, 10_000), people=st.integers(1, 5), labels=st.integers(2, 4))
def test_errors_against_the_majority_are_counted_literally(seed: int, people: int, labels: int) -> None:
    table = team(seed, people=people, labels=labels)
    found = assent.judge(annotations(table), judge="j1", replicates=1).judges[0].errors
    pairs, tied = [], 0
    for row in table:
        votes = Counter(one for one in row[:-1] if one is not None).most_common()
        if row[-1] is None or not votes:
            continue
        if len(votes) > 1 and votes[0][1] == votes[1][1]:
            tied += 1
        else:
            pairs.append((votes[0][0], row[-1]))
    assert found is not None
    assert (found.n_items, found.n_tied) == (len(pairs), tied)
    assert found.accuracy.value == pytest.approx(np.mean([a == b for a, b in pairs]))
    assert found.confusion is not None
    assert {
        (a, b): found.confusion[i, j]
        for i, a in enumerate(found.labels)
        for j, b in enumerate(found.labels)
        if found.confusion[i, j]
    } == Counter(pairs)
    for one in some(found.by_label):
        real, given_ = [p for p in pairs if p[0] == one.label], [p for p in pairs if p[1] == one.label]
        hits = sum(a == b for a, b in real)
        assert (one.recall.n, one.precision.n) == (len(real), len(given_))
        assert not real or one.recall.value == pytest.approx(hits / len(real))
        assert not given_ or one.precision.value == pytest.approx(hits / len(given_))
        others = [p for p in pairs if p[0] != one.label]
        assert not others or one.specificity.value == pytest.approx(np.mean([b != one.label for _, b in others]))
        assert one.f1 == pytest.approx(2 * hits / (len(real) + len(given_)))


def test_errors_against_known_labels() -> None:
    table = team(1, items=40, gaps=0.0)
    gold = {f"i{i:04d}": row[0] for i, row in enumerate(table) if i % 2}
    found = assent.judge(
        annotations(table), judge="j1", reference="gold", gold={**gold, "elsewhere": "0"}, replicates=1
    ).judges[0]
    assert found.errors is not None
    assert found.errors.reference == "gold"
    assert found.errors.n_items == 20
    assert found.errors.accuracy.value == pytest.approx(np.mean([row[0] == row[-1] for row in table[1::2]]))
    assert "1 items with a known label are not among the data" in found.errors.notes[0] or found.errors.notes
    with pytest.raises(assent.OptionError, match="hold no known labels"):
        assent.judge(annotations(table), judge="j1", reference="gold")


def test_clusters_widen_the_intervals_of_errors() -> None:
    table = team(1, items=50, gaps=0.0)
    plain = assent.judge(annotations(table * 4), judge="j1", replicates=1).judges[0].errors
    clusters = [str(i % 50) for i in range(200)]
    wide = assent.judge(annotations(table * 4, clusters=clusters), judge="j1", replicates=1).judges[0].errors
    alone = assent.judge(annotations(table), judge="j1", replicates=1).judges[0].errors
    assert plain is not None
    assert wide is not None
    assert alone is not None
    assert wide.accuracy.value == plain.accuracy.value
    assert wide.accuracy.low < plain.accuracy.low
    assert wide.accuracy.low == pytest.approx(alone.accuracy.low, abs=0.01)


def test_leaning_and_confusion_of_a_whole_comparison() -> None:
    name = "judge_pipeline_nominal"
    found = assent.judge(pipeline(name), judge="judge", replicates=1).judges[0].to_dict()["confusion"]
    (known,) = [one for one in oracle(name)["expected"] if one["coef"] == "confusion_humans_by_judge"]
    order = [found["labels"].index(label) for label in known["params"]["labels"]]
    assert np.array(found["humans_by_judge"])[np.ix_(order, order)].tolist() == known["value"]
    for test, key in (("stuart_maxwell", "leaning_stuart_maxwell"), ("bowker", "bowker")):
        assert found[test] == pytest.approx(expected(name, key), abs=1e-8)


def test_leaning_is_the_mean_over_people_of_the_difference_of_shares() -> None:
    table = team(11)
    found = assent.judge(annotations(table), judge="j1", replicates=1).judges[0].leaning
    assert found is not None
    for one in some(found.by_label):
        gaps = []
        for person in range(4):
            both = [(row[person], row[-1]) for row in table if row[person] is not None and row[-1] is not None]
            gaps.append(np.mean([b == one.label for _, b in both]) - np.mean([a == one.label for a, _ in both]))
        assert one.difference == pytest.approx(np.mean(gaps))
        assert one.low < one.difference < one.high
    assert sum(one.difference for one in found.by_label) == pytest.approx(0)


def test_a_judge_that_leans_is_found_to() -> None:
    table = [[*row[:-1], "2" if i % 3 else row[-1]] for i, row in enumerate(team(11, items=200))]
    found = assent.judge(annotations(table), judge="j1", replicates=1).judges[0].leaning
    assert found is not None
    assert found.by_label[0].label == "2"
    assert found.by_label[0].sure
    assert found.by_label[0].difference > 0


def test_severity_and_use_of_the_scale() -> None:
    name = "judge_pipeline_numeric"
    found = assent.judge(pipeline(name), judge="judge", scale="interval", replicates=1).judges[0].severity
    assert found is not None
    known = expected(name, "ccc_parts")
    assert {key: value for key, value in found.to_dict().items() if key in known} == pytest.approx(known, abs=1e-9)
    assert found.low < found.mean_difference < found.high


def test_distances_of_soft_labels() -> None:
    items = oracle("soft_labels")["inputs"]["items"]
    for one in some(oracle("soft_labels")["expected"]):
        item = items[one["params"]["item"]]
        found = distances([item["counts"]], [item["predicted"]])[one["coef"]]
        assert found.tolist() == [pytest.approx(one["value"], abs=one["tol"])], one


def test_the_unbiased_distance_does_not_depend_on_the_number_of_people() -> None:
    rng = np.random.default_rng(0)
    truth, judge = np.array([0.6, 0.3, 0.1]), np.array([0.5, 0.25, 0.25])
    for people in (2, 3, 10):
        counts = rng.multinomial(people, truth, size=40_000)
        found = distances(counts, np.broadcast_to(judge, counts.shape))
        values = found["squared_unbiased"]
        assert values.mean() == pytest.approx(((truth - judge) ** 2).sum(), abs=4 * values.std() / 200)
        assert found["manhattan"].mean() > np.abs(truth - judge).sum()


def test_soft_labels_beside_a_second_panel() -> None:
    rng = np.random.default_rng(5)
    shares = np.array([0.5, 0.3, 0.2])
    table = [[str(x) for x in rng.choice(3, 7, p=shares)] for _ in range(4000)]
    found = assent.judge(annotations(table), judge="j1", replicates=1).judges[0].soft  # type: ignore[arg-type]
    assert found is not None
    vote = 1 - (shares**2).sum()
    # The judge is one more vote of the same people, so it scores what one person scores.
    assert found.squared_person == pytest.approx(vote, abs=0.01)
    assert found.squared_unbiased == pytest.approx(vote, abs=0.02)
    assert found.squared_panel == pytest.approx(vote / 6, abs=0.01)
    halves = []
    for row in table[:400]:
        for half in combinations(range(6), 3):
            inside = [row[i] for i in half]
            outside = [row[i] for i in range(6) if i not in half]
            halves.append(sum(abs(inside.count(x) - outside.count(x)) / 3 for x in "012"))
    few = assent.judge(annotations(table[:400]), judge="j1", replicates=1).judges[0].soft  # type: ignore[arg-type]
    assert few is not None
    assert few.half_panel == pytest.approx(np.mean(halves))


def test_verdicts_with_swapped_seats() -> None:
    given = oracle("position_bias")["inputs"]
    found = seat_swap(given["verdict_order_1"], given["verdict_order_2"]).to_dict()
    names = {"n": "pairs", "p_exact": "p"}
    for one in some(oracle("position_bias")["expected"]):
        assert found[names.get(one["coef"], one["coef"])] == pytest.approx(one["value"])
    rows = [
        (f"i{i}", who, verdict)
        for who, some_ in (
            ("gpt", given["verdict_order_1"]),
            ("gpt-swapped", given["verdict_order_2"]),
            ("ann", given["verdict_order_1"]),
            ("bob", given["verdict_order_1"]),
        )
        for i, verdict in enumerate(some_)
    ]
    data = assent.Annotations.from_frame(pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row"))
    whole = assent.judge(data, judge="gpt", swapped="gpt-swapped", replicates=1)
    assert whole.people == ("ann", "bob")
    assert whole.judges[0].seats is not None
    assert whole.judges[0].seats.to_dict() == found


def test_only_the_excess_over_people_is_a_leaning() -> None:
    rng = np.random.default_rng(2)
    rows = []
    for i in range(200):
        longer = "AB"[i % 2]
        for who, share in (("ann", 0.6), ("bob", 0.6), ("gpt", 0.9)):
            label = longer if rng.random() < share else "BA"[i % 2]
            rows.append((f"i{i}", who, label, longer))
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "longer"], orient="row")
    data = assent.Annotations.from_frame(frame, columns=["longer"])
    (found,) = assent.judge(data, judge="gpt", longer="longer", replicates=1).judges[0].favours
    own = np.mean([label == longer for _, who, label, longer in rows if who == "gpt"])
    theirs = np.mean([label == longer for _, who, label, longer in rows if who != "gpt"])
    assert (found.judge, found.humans, found.difference) == pytest.approx((own, theirs, own - theirs))
    assert 0 < found.low < found.difference < found.high


def test_several_judges_on_their_common_items() -> None:
    table = team(7, items=120, people=3, judges=3)
    found = assent.judge(annotations(table, judges=3), judge=["j1", "j2", "j3"], replicates=1)
    common = [row for row in table if None not in row[3:] and any(one is not None for one in row[:3])]
    assert found.jury is not None
    assert found.jury.n_items == len(common)
    kappas = {}
    for place in range(3):
        rows = [[*row[:3], row[3 + place]] for row in common]
        kappas[f"j{place + 1}"] = slow.mean_kappas(rows, lambda a, b: float(a == b))[1]
    assert {one.judge: one.kappa for one in found.jury.judges} == pytest.approx(kappas)
    for one in some(found.jury.pairs):
        assert one.difference == pytest.approx(kappas[one.first] - kappas[one.second])
        assert one.low < one.difference < one.high
        assert one.p <= one.p_holm <= 1
    errors = []
    for row in common:
        votes = Counter(one for one in row[:3] if one is not None).most_common()
        if len(votes) == 1 or votes[0][1] > votes[1][1]:
            errors.append([one != votes[0][0] for one in row[3:]])
    between = np.corrcoef(np.array(errors, dtype=float).T)
    mean = np.mean([between[i, j] for i, j in combinations(range(3), 2)])
    assert found.jury.error_correlation == pytest.approx(mean)
    assert found.jury.effective == pytest.approx(3 / (1 + 2 * mean))


def test_the_interval_between_two_judges_is_paired() -> None:
    table = team(7, items=300, people=3, judges=1, gaps=0.0)
    twins = [[*row, row[-1] if i % 20 else "0"] for i, row in enumerate(table)]
    found = assent.judge(annotations(twins, judges=2), judge=["j1", "j2"], replicates=1).jury
    assert found is not None
    (pair,) = found.pairs
    rng = np.random.default_rng(1)
    drawn = []
    for _ in range(200):
        rows = [twins[i] for i in rng.integers(0, 300, 300)]
        each = [
            slow.mean_kappas([[*row[:3], row[3 + place]] for row in rows], lambda a, b: float(a == b))[1]
            for place in range(2)
        ]
        drawn.append(each[0] - each[1])
    assert pair.high - pair.low == pytest.approx(2 * 1.968 * np.std(drawn), rel=0.2)
    assert pair.high - pair.low < found.judges[0].high - found.judges[0].low


def test_verdicts_are_scored_as_distributions_that_are_sure() -> None:
    table = team(3, people=6)
    found = assent.judge(annotations(table), judge="j1", replicates=1).judges[0].soft
    counts, given_ = [], []
    for row in table:
        votes = [one for one in row[:-1] if one is not None]
        if row[-1] is not None and len(votes) >= 2:
            counts.append([votes.count(x) for x in "012"])
            given_.append([float(row[-1] == x) for x in "012"])
    known = distances(counts, given_)
    assert found is not None
    assert found.n_items == len(counts)
    assert found.manhattan == pytest.approx(known["manhattan"].mean())
    assert found.squared_unbiased == pytest.approx(known["squared_unbiased"].mean())


def test_a_jury_is_scored_as_a_distribution() -> None:
    table = team(3, people=4, judges=3, gaps=0.0)
    found = assent.judge(annotations(table, judges=3), judge=["j1", "j2", "j3"], replicates=1).jury
    counts = [[row[:4].count(x) for x in "012"] for row in table]
    shares = [[row[4:].count(x) / 3 for x in "012"] for row in table]
    known = distances(counts, shares)
    assert found is not None
    assert found.soft is not None
    for name in ("manhattan", "squared_unbiased", "cross_entropy", "jsd_bits"):
        assert getattr(found.soft, name) == pytest.approx(known[name].mean())
    halves = [
        sum(abs(half.count(x) / 2 - s) for x, s in zip("012", share, strict=True))
        for row, share in zip(table, shares, strict=True)
        for half in combinations(row[:4], 2)
    ]
    assert found.soft.half_judge == pytest.approx(np.mean(halves))


def test_labels_and_ratings_on_which_no_item_differs_have_an_interval_with_a_width() -> None:
    rows = [["1", "1"], ["2", "2"], ["1", "2"], ["3", "3"]]
    found = assent.judge(assent.Annotations.from_array(rows, annotators=["h", "j"]), judge="j").to_dict()["judges"][0]
    same = next(one for one in found["leaning"] if one["label"] == "3")
    assert same["difference"] == 0
    # An error of 1/4, the t of 3 degrees, three labels at once.
    assert same["ci"]["high"] == -same["ci"]["low"] == pytest.approx(float(stdtrit(3, 1 - 0.05 / 6)) / 4)
    equal = assent.Annotations.from_array([["1", "1"], ["2", "2"], ["4", "4"]], annotators=["h", "j"])
    rated = assent.judge(equal, judge="j", scale="interval").to_dict()["judges"][0]["severity"]
    assert rated["difference"] == 0
    assert rated["ci"]["high"] == pytest.approx(float(stdtrit(2, 0.975)) * 3 / 3)
