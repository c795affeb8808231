"""Kinds of items with their weights say what the items one by one say: every number, on every engine."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.diagnostics.annotators.simulated import annotations, drawn, gaps, listing, one_by_one, ratings
from tests.support import on_engines

import assent
from assent import Annotations, AnnotatorReport
from assent.analyses.annotators import table as module
from assent.analyses.annotators.annotator_clusters import annotator_clusters
from assent.analyses.annotators.flag_reasons import swapped
from assent.analyses.annotators.table import AnnotatorTable, halved
from assent.engines import Transfer, track_transfers


def same(ours: Any, theirs: Any, where: str = "") -> None:
    """Compare plain values; numbers to eleven digits, or twelve places."""
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs), where
        for name in theirs:
            same(ours[name], theirs[name], f"{where}/{name}")
    elif isinstance(theirs, list):
        assert len(ours) == len(theirs), where
        for place, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            same(one, other, f"{where}/{place}")
    elif isinstance(theirs, float) and isinstance(ours, float):
        assert math.isclose(ours, theirs, rel_tol=1e-11, abs_tol=1e-12), (where, ours, theirs)
    else:
        assert ours == theirs, where


def without_draws(report: AnnotatorReport) -> dict[str, Any]:
    """What a report says, but for what rests on halves of the items, which are drawn: groups and exchanged labels."""
    found = report.to_dict()
    del found["schools"]
    for row in found["annotators"]:
        del row["school"]
        if row["flagged"] and row["kind"] != "one-label":
            del row["kind"], row["reason"]
    return found


def both(data: Annotations, cluster: str | None = None, **options: Any) -> tuple[AnnotatorReport, AnnotatorReport]:
    return assent.annotators(data, **options), assent.annotators(one_by_one(data, cluster), **options)


def long(rows: list[list[str | None]], **columns: Callable[[int], Any]) -> pl.DataFrame:
    cells = [
        {"item": f"i{i}", "annotator": f"w{j}", "label": label, **{name: make(i) for name, make in columns.items()}}
        for i, row in enumerate(rows)
        for j, label in enumerate(row)
        if label is not None
    ]
    return pl.DataFrame(cells)


def sloppy(rng: np.random.Generator, items: int, annotators: int, labels: int, share: float) -> list[list[str | None]]:
    """A team, the last of whom clicks, so that there is somebody to flag."""
    rows = gaps(rng, items, annotators, labels, share)
    return [[*row[:-1], None if row[-1] is None else "abcdefgh"[int(rng.integers(labels))]] for row in rows]


@pytest.mark.parametrize(
    ("items", "annotators", "labels", "share"),
    [
        (300, 3, 2, 1.0),
        (400, 5, 3, 0.6),
        (3000, 4, 2, 0.9),
        (500, 6, 2, 0.3),
        (60, 12, 5, 0.4),
        (200, 2, 3, 0.8),
        (40, 30, 3, 0.5),
        (200, 90, 4, 0.1),
    ],
)
def test_kinds_of_items_say_what_the_items_say(items: int, annotators: int, labels: int, share: float) -> None:
    rng = np.random.default_rng(items + annotators)
    data = Annotations.from_array(sloppy(rng, items, annotators, labels, share))
    ours, theirs = both(data)
    same(without_draws(ours), without_draws(theirs))
    assert (
        AnnotatorTable.of(data).n_items
        == AnnotatorTable.of(one_by_one(data)).n_items
        == data._comparable_counts.n_items
    )
    if annotators <= 4:
        assert AnnotatorTable.of(data).kinds < items / 4


@pytest.mark.parametrize(
    ("items", "annotators", "each", "scale"),
    [(2500, 8, 5, None), (2500, 8, 5, "ordinal"), (4000, 12, 3, None), (3000, 6, 2, None)],
)
def test_equal_labels_of_equal_items_are_added_up_once(
    monkeypatch: pytest.MonkeyPatch, items: int, annotators: int, each: int, scale: str | None
) -> None:
    who, said, _ = drawn(np.random.default_rng(each), annotators=annotators, items=items, each=each, shares=[3, 1, 1])
    data = annotations(who, np.where(who == 0, (said + 1) % 3, said), annotators, 3)
    options: dict[str, Any] = {} if scale is None else {"scale": scale, "order": ["a", "b", "c"]}
    listed = assent.annotators(data, **options)
    assert listed.flagged.any()
    monkeypatch.setattr(module, "POOLED_FROM", 0)
    team = AnnotatorTable.of(data)
    # Of three labels that `each` annotators gave there are (each + 1) * (each + 2) / 2 sets of counts.
    assert len(team.pooled.item) <= annotators * 3 * (each + 1) * (each + 2) // 2 < len(team.item)
    assert team.pooled.times.sum() == team.times.sum() == items * each
    same(assent.annotators(data, **options).to_dict(), listed.to_dict())


def test_clusters_and_tables_with_little_in_common_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "POOLED_FROM", 0)
    rng = np.random.default_rng(0)
    frame = long(gaps(rng, 300, 5, 2, 0.9), document=lambda i: f"d{i // 10}")
    clustered = AnnotatorTable.of(Annotations.from_frame(frame, cluster="document"))
    assert clustered.pooled is clustered
    few = AnnotatorTable.of(Annotations.from_array(gaps(rng, 20, 8, 8, 0.9)))
    assert few.pooled is few
    monkeypatch.undo()
    small = AnnotatorTable.of(Annotations.from_frame(frame))
    assert small.pooled is small


@pytest.mark.parametrize("each", [2, 3])
def test_items_with_two_annotations_and_partners_elsewhere(each: int) -> None:
    who, said, _ = drawn(np.random.default_rng(each), annotators=6, items=900, each=each, shares=[3, 1], skill=0.8)
    said = np.where(who == 0, 1 - said, said)
    ours, theirs = both(annotations(who, said, 6, 2))
    assert ours.flagged.any()
    same(without_draws(ours), without_draws(theirs))


@pytest.mark.parametrize("clusters", [4, 40, 300])
@pytest.mark.parametrize("share", [1.0, 0.5])
def test_kinds_of_items_of_each_cluster_say_what_the_items_say(clusters: int, share: float) -> None:
    rng = np.random.default_rng(clusters)
    frame = long(sloppy(rng, 600, 4, 2, share), document=lambda i: f"d{i * i % clusters}")
    data = Annotations.from_frame(frame, cluster="document", columns=["document"])
    ours, theirs = both(data, "document")
    same(without_draws(ours), without_draws(theirs))
    team = AnnotatorTable.of(data)
    assert team.unit is not None
    assert len(np.unique(team.unit)) == len(np.unique([i * i % clusters for i in range(600)]))
    if clusters < 100:
        assert team.kinds < team.n_items
    # Whole clusters are drawn, and so groups are the same, too.
    same(ours.to_dict()["schools"], theirs.to_dict()["schools"])


def test_sets_of_labels_one_label_and_merged_labels() -> None:
    rng = np.random.default_rng(1)
    frame = long(sloppy(rng, 300, 4, 3, 0.8)).with_columns(
        label=pl.when(pl.col("label") == "c").then(pl.lit("a;b")).otherwise(pl.col("label"))
    )
    ours, theirs = both(Annotations.from_frame(frame, separator=";"))
    same(without_draws(ours), without_draws(theirs))
    data = Annotations.from_array(sloppy(rng, 300, 4, 3, 0.8))
    for made in (data.merged({"a": "x", "b": "x"}), data.merged({"a": "x", "b": "x", "c": "x"}), data.ordered("cba")):
        ours, theirs = both(made)
        same(without_draws(ours), without_draws(theirs))
    table = Annotations.from_contingency([[20, 5, 1], [10, 15, 0], [2, 0, 30]], labels=["x", "y", "z"])
    ours, theirs = both(table)
    same(without_draws(ours), without_draws(theirs))


@pytest.mark.parametrize("measure", ["krippendorff-alpha", "spa", "gwet-ac", "percent-agreement"])
def test_every_measure_without_each_annotator(measure: str) -> None:
    rows = gaps(np.random.default_rng(2), 400, 4, 3, 0.7)
    numbered = [[None if label is None else str("abc".index(label)) for label in row] for row in rows]
    ours, theirs = both(Annotations.from_array(numbered), measure=measure)
    same(without_draws(ours), without_draws(theirs))


@given(
    st.integers(0, 10_000),
    st.integers(1, 60),
    st.integers(2, 6),
    st.integers(1, 3),
    st.sampled_from([0.3, 0.6, 1.0]),
    st.integers(1, 12),
)
# Two documents with equal shares: no error but the last bits of one.
@example(8181, 55, 6, 2, 0.3, 2)
# The others said the same of every item of one annotator: after their leaning nothing but rounding is left.
@example(2, 4, 4, 2, 1.0, 1)
def test_any_team(seed: int, items: int, annotators: int, labels: int, share: float, clusters: int) -> None:
    rows = gaps(np.random.default_rng(seed), items, annotators, labels, share)
    # Equal items far apart, in the same and in other clusters.
    frame = long([*rows, *rows, *rows[: items // 2]], document=lambda i: f"d{i % clusters}")
    if not len(frame):
        return
    for cluster in (None, "document"):
        data = Annotations.from_frame(frame, cluster=cluster, columns=["document"])
        try:
            ours = assent.annotators(data, least=5)
        except assent.InputError as reason:
            with pytest.raises(type(reason)):
                assent.annotators(one_by_one(data, cluster))
            continue
        same(without_draws(ours), without_draws(assent.annotators(one_by_one(data, cluster), least=5)))


def test_a_listing_is_the_same_team() -> None:
    data = Annotations.from_array(gaps(np.random.default_rng(3), 50, 5, 3))
    ours, theirs = AnnotatorTable.of(one_by_one(data)), AnnotatorTable.of_listing(data.to_rows())
    for name in ("item", "annotator", "label", "given", "weight", "shared", "bounds", "score", "times"):
        assert getattr(ours, name).tolist() == getattr(theirs, name).tolist(), name


def test_annotations_are_not_listed_unless_there_is_a_time() -> None:
    frame = long(gaps(np.random.default_rng(4), 100, 4, 3), at=lambda i: i, document=lambda i: i // 5)
    for cluster in (None, "document"):
        data = Annotations.from_frame(frame, cluster=cluster, columns=["at"])
        seen: list[Transfer] = []
        with track_transfers(seen.append):
            plain = assent.annotators(data).to_dict()
        assert "annotations" not in {one.question for one in seen}
        timed = assent.annotators(data, time="at").to_dict()
        for one, other in zip(timed["annotators"], plain["annotators"], strict=True):
            assert one.pop("trend")["items"] > 0
            assert other.pop("trend") is None
            assert one == other
        assert timed["schools"] == plain["schools"]


def test_halves_are_drawn_as_if_items_were_drawn_one_by_one() -> None:
    """Mean, variance and covariance of how many of each kind are in a half: those of a hypergeometric draw."""
    weight, rng = np.array([1, 7, 40, 0, 12, 1]), np.random.default_rng(0)
    number, total = 4000, 61
    drawn_ = np.array([halved(weight, rng) for _ in range(number)])
    assert (drawn_ >= 0).all()
    assert (drawn_ <= weight).all()
    assert set(drawn_.sum(axis=1).tolist()) == {31}
    share = 31 / total
    spread = 31 * 30 / total**2 / (total - 1)
    expected = spread * (np.diag(weight) * total - np.outer(weight, weight))
    found = np.cov(drawn_.T)
    assert np.abs(drawn_.mean(axis=0) - weight * share).max() < 5 * np.sqrt(expected.max() / number)
    assert np.abs(found - expected).max() < 5 * expected.max() * np.sqrt(2 / number)


def test_halves_of_items_apart_and_together_have_one_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    apart = [int(halved(np.ones(20, dtype=np.int64), rng)[:8].sum()) for _ in range(3000)]
    together = [int(halved(np.array([8, 12]), rng)[0]) for _ in range(3000)]
    monkeypatch.setattr(module, "MOST_DEALT", 1)
    coins = [int(halved(np.array([8000, 12000]), rng)[0]) for _ in range(300)]
    counts = [np.bincount(one, minlength=9) / 3000 for one in (apart, together)]
    assert np.abs(counts[0] - counts[1]).max() < 5 * np.sqrt(0.5 * 0.5 * 2 / 3000)
    assert np.mean(coins) == pytest.approx(4000, abs=5 * math.sqrt(2000 / 300))


def read(rng: np.random.Generator, *, items: int, readings: list[int]) -> Any:
    """Annotators of two schools on every item, two labels, so that there are few kinds of items."""
    truth = rng.integers(0, 2, (items, 1))
    disputed = rng.random((items, 1)) < 0.3
    seen = np.where(disputed, (truth + np.asarray(readings)) % 2, truth)
    said = np.where(rng.random(seen.shape) < 0.85, seen, rng.integers(0, 2, seen.shape))
    who = np.tile(np.arange(len(readings)), (items, 1))
    return annotations(who, said, len(readings), 2)


def test_schools_are_found_among_kinds_as_among_items() -> None:
    data = read(np.random.default_rng(5), items=600, readings=[0, 0, 0, 1, 1, 1])
    ours, theirs = annotator_clusters(AnnotatorTable.of(data)), annotator_clusters(AnnotatorTable.of(one_by_one(data)))
    assert AnnotatorTable.of(data).kinds <= 64
    assert ours is not None
    assert theirs is not None
    assert set(ours.groups) == set(theirs.groups) == {(0, 1, 2), (3, 4, 5)}
    order = [theirs.groups.index(group) for group in ours.groups]
    assert ours.within == pytest.approx([theirs.within[i] for i in order])
    assert ours.between == pytest.approx(theirs.between)


@pytest.mark.nightly
def test_p_values_of_schools_have_one_distribution_whether_items_are_together_or_apart() -> None:
    """The search on one half and the test on the other, over many draws of the halves, from weak evidence."""
    data = read(np.random.default_rng(6), items=120, readings=[0, 0, 0, 1, 1])
    together, apart = AnnotatorTable.of(data), AnnotatorTable.of(one_by_one(data))
    assert together.kinds < apart.kinds / 3
    found = []
    for team in (together, apart):
        claims = [annotator_clusters(team, level=0.999, margin=0.0, seed=seed) for seed in range(150)]
        found.append(np.array([1.0 if one is None else one.p_value for one in claims]))
    from scipy.stats import ks_2samp

    assert ks_2samp(*found).pvalue > 0.001
    assert 0.001 < np.median(found[0]) < 1


def test_kinds_of_one_school_are_seldom_taken_for_two() -> None:
    rng = np.random.default_rng(7)
    alarms = sum(
        annotator_clusters(AnnotatorTable.of(read(rng, items=200, readings=[0] * 6))) is not None for _ in range(60)
    )
    assert alarms <= 60 * 0.05 + 3 * np.sqrt(60 * 0.05 * 0.95)


def test_exchanged_labels_are_found_among_kinds_as_among_items_and_luck_is_not() -> None:
    rng = np.random.default_rng(8)
    who, said, _ = drawn(rng, annotators=4, items=800, each=4, shares=[1, 1], skill=0.9)
    data = annotations(who, np.where(who == 0, 1 - said, said), 4, 2)
    ours, theirs = (swapped(AnnotatorTable.of(one), 0) for one in (data, one_by_one(data)))
    assert ours is not None
    assert theirs is not None
    assert ours.labels == theirs.labels
    assert ours.agreement == pytest.approx(theirs.agreement, abs=1e-9), "halves find the same exchange"
    # Who clicks agrees better in some order, by luck: they are not said to exchange labels.
    found = []
    for _ in range(40):
        who, said, _ = drawn(rng, annotators=3, items=60, each=3, shares=[1, 1, 1], skill=0.9)
        team = AnnotatorTable.of(annotations(who, np.where(who == 0, rng.integers(0, 3, who.shape), said), 3, 3))
        found.append(swapped(team, 0))
    assert found == [None] * 40


@pytest.mark.nightly_on_spark
@pytest.mark.parametrize(("native", "annotators"), on_engines([4, 70], [4]), indirect=["native"])
def test_every_engine_gives_the_same_report_from_aggregates(
    native: Callable[[pl.DataFrame], Any], annotators: int
) -> None:
    rng = np.random.default_rng(annotators)
    frame = long(sloppy(rng, 150, annotators, 3, 0.8 if annotators == 4 else 0.05), document=lambda i: f"d{i % 9}")
    for cluster in (None, "document"):
        here = assent.annotators(Annotations.from_frame(frame, cluster=cluster))
        seen: list[Transfer] = []
        with track_transfers(seen.append):
            data = Annotations.from_frame(native(frame), cluster=cluster)
            there = assent.annotators(data)
        assert there.to_dict() == here.to_dict(), "to the last digit"
        if not data.local:
            assert "annotations" not in {one.question for one in seen}
            allowed = len(data._ratings.profile) * (1 if cluster is None else 9) + annotators + 20
            assert max(one.rows for one in seen) <= allowed


def test_more_items_of_the_same_kinds_bring_no_more_rows_and_take_no_more_steps() -> None:
    """A hundred times as many items: as many rows leave the engine, and as many kinds are looked at."""
    import duckdb

    rows = sloppy(np.random.default_rng(9), 200, 4, 2, 1.0)
    found = []
    for times in (1, 100):
        frame = long(rows)
        copies = pl.concat([frame.with_columns(item=pl.col("item") + f"-{copy}") for copy in range(times)])
        seen: list[Transfer] = []
        with track_transfers(seen.append), duckdb.connect() as connection:
            data = Annotations.from_frame(connection.from_arrow(copies.to_arrow()))
            report = assent.annotators(data)
            team = AnnotatorTable.of(data)
        found.append((sum(one.rows for one in seen), team.kinds, len(team.item)))
        assert report.shared.tolist() == [200 * times] * 4
    assert found[0] == found[1]


def test_profiles_of_items_apart_are_what_they_are_called() -> None:
    """The reference of these tests: one kind an item."""
    made = listing(np.array([[0, 1], [1, 2]]), np.array([[0, 0], [0, 1]]), 3, 2)
    assert ratings(made).multiplicities.tolist() == [1, 1]
    assert ratings(made).sizes.tolist() == [2, 2]
