"""Comparisons: paired and independent differences against a slow bootstrap and against formulas, and what changed."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assent
from assent.analyses.findings.finding import holm
from assent.analyses.testing import two_sided_p_value
from assent.errors import InputError, OptionError, UnsuitableData


def judged(items: int = 150, seed: int = 0, old: float = 0.7, new: float = 0.9) -> pl.DataFrame:
    """A person, an old and a new judge."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    columns = {
        name: np.where(rng.random(items) < right, truth, rng.integers(0, 3, items))
        for name, right in (("ann", 0.9), ("bob", 0.85), ("old", old), ("new", new))
    }
    return pl.DataFrame(
        {"item": [f"t{i}" for i in range(items)], **{name: held.astype(str) for name, held in columns.items()}}
    )


def kappa(first: Any, second: Any) -> float:
    """Cohen's kappa by its definition."""
    labels = sorted({*first, *second})
    observed = float(np.mean(first == second))
    expected = sum(float(np.mean(first == c)) * float(np.mean(second == c)) for c in labels)
    return (observed - expected) / (1 - expected)


def test_two_choices_of_annotators_are_paired_for_a_measure_that_asks_who() -> None:
    frame = judged()
    found = assent.compare(frame, groups=[["ann", "old"], ["ann", "new"]], measures=["cohen-kappa"], ci="analytic")
    (gap,) = found.quoted.gaps
    ann, old, new = (frame[name].to_numpy() for name in ("ann", "old", "new"))
    assert gap.value == pytest.approx(kappa(ann, new) - kappa(ann, old), abs=1e-12)
    assert (gap.paired, gap.n_shared) == (True, 150)
    # The same items are drawn for both sides: a bootstrap by hand.
    rng = np.random.default_rng(1)
    drawn = []
    for _ in range(2000):
        rows = rng.integers(0, 150, 150)
        drawn.append(kappa(ann[rows], new[rows]) - kappa(ann[rows], old[rows]))
    assert gap.interval is not None
    assert gap.interval.standard_error == pytest.approx(np.std(drawn, ddof=1), rel=0.06)
    apart = assent.compare(
        frame, groups=[["ann", "old"], ["ann", "new"]], measures=["cohen-kappa"], ci="analytic", paired=False
    )
    assert apart.quoted.gaps[0].value == pytest.approx(gap.value)
    assert not apart.quoted.gaps[0].paired
    assert apart.quoted.gaps[0].interval is not None
    assert apart.quoted.gaps[0].interval.standard_error > gap.interval.standard_error


@pytest.mark.parametrize(
    "measure", ["cohen-kappa", "krippendorff-alpha", "conger-kappa", "percent-agreement", "gwet-ac"]
)
def test_two_files_give_what_one_file_gives(tmp_path: Path, measure: str) -> None:
    frame = judged(items=60)
    files = []
    for name in ("old", "new"):
        files.append(tmp_path / f"{name}.csv")
        frame.select("item", "ann", name).sample(fraction=1.0, shuffle=True, seed=1).write_csv(files[-1])
    one = assent.compare(frame, groups={"a": ["ann", "old"], "b": ["ann", "new"]}, measures=[measure], ci="analytic")
    two = assent.compare(*files, measures=[measure], ci="analytic")
    assert two.names == ("old.csv", "new.csv")
    for gap, other in zip(one.quoted.gaps, two.quoted.gaps, strict=True):
        assert gap.value == pytest.approx(other.value, abs=1e-12)
        assert gap.interval is not None
        assert other.interval is not None
        assert gap.interval.standard_error == pytest.approx(other.interval.standard_error, abs=1e-12)
        assert gap.paired
        assert other.paired


def test_files_without_shared_items_are_independent() -> None:
    first, second = judged(seed=1), judged(seed=2).with_columns(item=pl.col("item") + "'")
    data = [assent.read(one.select("item", "ann", "new")) for one in (first, second)]
    found = assent.compare(*data, titles=["before", "after"], measures=["cohen-kappa"], ci="analytic")
    (gap,) = found.quoted.gaps
    assert (gap.paired, gap.n_shared) == (False, 0)
    sides = [side.interval for side in found.quoted.sides]
    assert gap.interval is not None
    assert gap.interval.standard_error == pytest.approx(
        math.hypot(*(one.standard_error for one in sides if one)), rel=0.01
    )
    assert "independent samples" in found.notes[0]
    assert found.changes is None
    with pytest.raises(InputError, match="share no item"):
        assent.compare(*data, paired=True)


def test_clusters_are_drawn_as_a_whole_on_both_sides() -> None:
    frame = judged(items=120).with_columns(doc=pl.int_range(120) // 6)
    data = [
        assent.read(frame.select("item", "doc", "ann", name), cluster="doc", item="item", annotators=["ann", name])
        for name in ("old", "new")
    ]
    (gap,) = assent.compare(*data, measures=["cohen-kappa"], ci="analytic").quoted.gaps
    ann, old, new = (frame[name].to_numpy() for name in ("ann", "old", "new"))
    rng = np.random.default_rng(1)
    drawn = []
    for _ in range(2000):
        rows = (rng.integers(0, 20, 20)[:, None] * 6 + np.arange(6)).ravel()
        drawn.append(kappa(ann[rows], new[rows]) - kappa(ann[rows], old[rows]))
    assert gap.interval is not None
    assert (gap.interval.unit, gap.interval.n_units) == ("doc", 20)
    assert gap.interval.standard_error == pytest.approx(np.std(drawn, ddof=1), rel=0.1)


def test_more_than_two_are_corrected_by_holm() -> None:
    frame = judged()
    found = assent.compare(frame, groups=[["ann", "bob"], ["ann", "old"], ["ann", "new"]], measures=["cohen-kappa"])
    gaps = found.quoted.gaps
    assert [(gap.first, gap.second) for gap in gaps] == [
        ("ann + bob", "ann + old"), ("ann + bob", "ann + new"), ("ann + old", "ann + new")
    ]  # fmt: skip
    assert [gap.p_corrected for gap in gaps] == pytest.approx(holm([gap.p_value for gap in gaps]))
    assert [gap.clear for gap in gaps] == [gap.p_corrected <= 0.05 for gap in gaps]
    assert found.changes is None


def test_a_column_takes_a_table_apart() -> None:
    frame = judged(items=80).unpivot(index="item", variable_name="annotator", value_name="label")
    frame = frame.filter(pl.col("annotator") != "bob").with_columns(
        batch=pl.when(pl.col("item").str.slice(1).cast(pl.Int64) < 40).then(pl.lit("one")).otherwise(pl.lit("two"))
    )
    found = assent.compare(frame, by="batch", ci="analytic")
    assert found.names == ("one", "two")
    assert not found.quoted.gaps[0].paired
    for name, side in zip(found.names, found.quoted.sides, strict=True):
        alone = assent.krippendorff_alpha(frame.filter(pl.col("batch") == name).drop("batch"))
        assert side.agreement.value == pytest.approx(alone.value)


def test_p_values_are_where_the_interval_reaches_zero() -> None:
    data = assent.read(judged(items=60).select("item", "ann", "old", "new"))
    gap = assent.difference(
        *(assent.krippendorff_alpha(data.only_annotators(some)) for some in (["ann", "old"], ["ann", "new"]))
    )
    for method in ("analytic", "etel"):
        p = two_sided_p_value(gap, method=method)
        assert 0 < p < 1
        interval = gap.confidence_interval(1 - p, method=method)
        assert min(abs(interval.low), abs(interval.high)) < 1e-5
    drawn = gap.bootstrap(replicates=500, seed=3)
    share = 2 * (np.count_nonzero(drawn >= 0) + 1) / 501
    assert two_sided_p_value(gap, method="bootstrap", replicates=500, seed=3) == pytest.approx(min(1.0, share))


def test_the_same_data_do_not_differ() -> None:
    data = assent.read(judged().select("item", "ann", "new"))
    found = assent.compare(data, data, titles=["a", "b"])
    (gap,) = found.quoted.gaps
    assert gap.value == 0.0
    assert not gap.clear
    assert found.changes is not None
    assert (found.changes.n_changed, found.changes.items, found.changes.transitions) == (0, (), ())


@given(st.lists(st.tuples(*[st.sampled_from("abc")] * 4), min_size=2, max_size=8))
def test_what_changed_is_that_of_a_count_by_hand(rows: list[tuple[str, ...]]) -> None:
    frame = pl.DataFrame(rows, schema=["a1", "a2", "b1", "b2"], orient="row").with_row_index("item")
    data = assent.read(frame, item="item", annotators=["a1", "a2", "b1", "b2"])
    changes = assent.compare(
        data, groups={"a": ["a1", "a2"], "b": ["b1", "b2"]}, measures=["percent-agreement"], ci="none"
    ).changes
    assert changes is not None
    assert changes.n_changed == sum(sorted(row[:2]) != sorted(row[2:]) for row in rows)
    for one in changes.items:
        before, after = rows[int(one.item)][:2], rows[int(one.item)][2:]
        assert dict(one.first) == {label: before.count(label) for label in before}
        assert one.distance == pytest.approx(sum(abs(before.count(c) - after.count(c)) for c in "abc") / 4)
    for label in changes.labels:
        assert label.first == pytest.approx(np.mean([row[:2].count(label.label) / 2 for row in rows]))
        assert label.change.value == pytest.approx(label.second - label.first)
    settled = [(row[0], row[2]) for row in rows if row[0] == row[1] and row[2] == row[3]]
    assert changes.n_majority == len(settled)
    assert {(one.first, one.second): one.n_items for one in changes.transitions} == {
        pair: settled.count(pair) for pair in settled if pair[0] != pair[1]
    }


@pytest.mark.parametrize(
    ("arguments", "options", "error", "told"),
    [
        ([judged()], {}, OptionError, "nothing to compare"),
        ([judged()], {"groups": [["ann", "nobody"], ["ann", "new"]]}, OptionError, "no annotator of these data"),
        ([judged()], {"groups": [["ann", "new"]]}, OptionError, "give two"),
        ([judged()], {"groups": [["ann"], ["ann", "new"]]}, OptionError, "agreement needs two"),
        ([judged(), judged()], {"by": "item"}, OptionError, "takes one table apart"),
        ([judged()], {"groups": [["ann", "new"]], "by": "item"}, OptionError, "give one of them"),
        ([judged(), judged()], {"measures": ["lin-concordance"], "scale": "interval"}, UnsuitableData, 'On "1"'),
        ([judged(), judged()], {"gate": ["alt-test"]}, OptionError, "`gate` is"),
        ([judged(), judged()], {"gate": ["kappa"]}, OptionError, "give it with `fail_under`"),
        ([judged(), judged()], {"gate": ["no-worse"], "margin": -1.0}, OptionError, "`margin` is -1"),
        ([judged(), judged()], {"titles": ["a", "a"]}, OptionError, "different names"),
    ],
)
def test_trouble_is_told_in_a_sentence(
    arguments: list[Any], options: dict[str, Any], error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told):
        assent.compare(*arguments, **options)


def test_all_renderings(tmp_path: Path) -> None:
    found = assent.compare(judged(), groups=[["ann", "old"], ["ann", "new"]], gate=["no-worse"])
    assert "difference of" in found.text()
    for ending in ("html", "md", "tex", "json", "txt"):
        found.save(tmp_path / f"compare.{ending}")


def test_counts_of_many_labels_are_compared_as_they_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    from scipy.sparse import csr_array, csr_matrix

    draw = np.random.default_rng(1)
    table = draw.integers(0, 400, size=(300, 4)).astype(str)
    table[:, 1] = np.where(draw.random(300) < 0.7, table[:, 0], table[:, 1])
    data = assent.Annotations.from_array(table.tolist())
    alpha, other = assent.krippendorff_alpha(data), assent.krippendorff_alpha(data, scale="interval")
    widths: list[int] = []
    for one in (csr_array, csr_matrix):
        plain = one.toarray
        monkeypatch.setattr(one, "toarray", lambda self, *a, plain=plain, **k: (widths.append(self.shape[1]), plain(self, *a, **k))[1])  # fmt: skip
    found = assent.difference(other, alpha).confidence_interval()
    assert found.low < other.value - alpha.value < found.high
    assert max(widths, default=0) < 100
