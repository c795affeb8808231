"""Rows of this process put in order by integers give what grouping them by the texts of their items gives."""

from __future__ import annotations

from collections import Counter

import narwhals as nw
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assent
from assent.engines import Rows, pairs, sorting, track_transfers


def table(items: int, annotators: int, labels: int, seed: int = 0, gaps: float = 0.2) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        (f"item {i}", f"who {a}", f"label {rng.integers(labels)}")
        for i in range(items)
        for a in range(annotators)
        if rng.random() >= gaps
    ]
    return pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row").sample(
        fraction=1.0, shuffle=True, seed=seed
    )


def profiles(frame: pl.DataFrame) -> list[list]:
    """Everything that profiles hold, as plain lists."""
    data = assent.Annotations.from_frame(frame)
    counts, ratings = data._counts, data._ratings
    return [
        np.asarray(counts.counts).tolist(), counts.multiplicities.tolist(),
        ratings.profile.tolist(), ratings.annotator.tolist(), ratings.label.tolist(), ratings.multiplicities.tolist(),
    ]  # fmt: skip


def grouped(frame: pl.DataFrame) -> list[list]:
    """The same by grouping: no integers, no order."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rows, "_summed", lambda self, here: None)
        patch.setattr(Rows, "_once", sorting.DuplicateCheck(sure=False))
        return profiles(frame)


@given(
    st.integers(1, 60), st.integers(1, 9), st.integers(1, 12), st.integers(0, 10_000), st.integers(1, 40), st.integers(1, 600)
)  # fmt: skip
def test_order_and_groups_give_the_same_profiles(items, annotators, labels, seed, chunk, together):
    frame = table(items, annotators, labels, seed)
    if frame.is_empty():
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorting, "CHUNK", chunk)
        patch.setattr(sorting, "TOGETHER", together)
        assert profiles(frame) == grouped(frame)


@pytest.mark.parametrize("labels", [2, 40, 300])
def test_many_labels_fill_several_integers(labels):
    frame = table(300, 4, labels, seed=labels)
    assert profiles(frame) == grouped(frame)


def test_numbers_are_put_in_order_as_texts_are():
    frame = table(200, 3, 5).with_columns(
        pl.col("item").str.slice(5).cast(pl.Int64), pl.col("label").str.slice(6).cast(pl.Float64)
    )
    assert profiles(frame) == grouped(frame)


@pytest.fixture
def shared_hashes(monkeypatch):
    """Make a function that lets items share hashes, the first so many times that they are asked for."""
    hash_of = pl.Expr.hash

    def share(times: int) -> None:
        asked = []

        def colliding(self, seed=0, *more):
            found = hash_of(self, seed, *more)
            if self.meta.root_names() != ["item"]:
                return found
            asked.append(seed)
            # Each hash in its own way, and still spread over all bits, so that the lower ones do not tell.
            few = 6 + len(asked)
            return (found % few) * pl.lit((1 << 64) // few, pl.UInt64) if len(asked) <= times else found

        monkeypatch.setattr(pl.Expr, "hash", colliding)

    return share


@pytest.mark.parametrize("times", [1, 2, 3, 4, 100])
def test_items_that_share_a_hash_are_told_apart(shared_hashes, times):
    """The first hash looks for repeated pairs and counts items; the next ones add up. Wherever they fail, the answer is right."""
    frame = table(200, 3, 4, gaps=0.1)
    expected = grouped(frame)
    shared_hashes(times)
    assert profiles(frame) == expected


def test_a_watch_of_another_hash_is_kept_where_nobody_counted_the_items(monkeypatch):
    """Rows that need no search for repeated pairs have no count of items yet: it is taken beside the sums."""
    frame = table(50, 3, 4)
    rows = Rows(
        frame,
        item="item",
        annotator="annotator",
        label="label",
        cluster=None,
        missing=(),
        columns={},
        check_pairs=False,
    )
    ordered = sorting._ordered
    passes = []
    monkeypatch.setattr(sorting, "_ordered", lambda *given: passes.append(1) or ordered(*given))
    rows.count_profiles([f"label {i}" for i in range(4)])
    assert len(passes) == 2


@pytest.mark.parametrize("together", [7, 10_000])
def test_repeated_pairs_are_found_among_rows_in_order(monkeypatch, together):
    monkeypatch.setattr(sorting, "TOGETHER", together)
    frame = table(100, 3, 4, gaps=0.0)
    twice = pl.concat([frame, frame.head(1).with_columns(label=pl.lit("other"))])
    with pytest.raises(assent.InputError, match=r"2 rows are 1 \(item, annotator\) pairs"):
        assent.Annotations.from_frame(twice)


@pytest.mark.parametrize("chunk", [3, 250_000])
@pytest.mark.parametrize("together", [50, 10_000])
def test_only_rows_with_the_same_integer_are_looked_at_for_pairs(monkeypatch, chunk, together):
    """Of many items some share a hash by chance: to group all of their rows would take many times the memory of everything else."""
    monkeypatch.setattr(sorting, "CHUNK", chunk)
    monkeypatch.setattr(sorting, "TOGETHER", together)
    looked_at = []
    of = pairs.repeated_pairs

    def watched(frame, known):
        looked_at.append(set(frame.select("item").collect()["item"].to_list()))
        return of(frame, known)

    monkeypatch.setattr(pairs, "repeated_pairs", watched)
    # Two items share the hash by which pairs are looked for, and annotators.
    ids, hash_of = pl.Series([f"item {i}" for i in range(100)]), pl.Expr.hash
    seed = 2**40 + 1
    key = sorting._key
    monkeypatch.setattr(sorting, "_key", lambda slots, drawn: key(slots, seed if "annotator" in slots else drawn))

    def colliding(self, drawn=0, *more):
        found = hash_of(self, drawn, *more)
        other = pl.when(self == ids[7]).then(hash_of(pl.lit(ids[8]), drawn))
        return other.otherwise(found) if drawn == seed else found

    monkeypatch.setattr(pl.Expr, "hash", colliding)
    frame = table(100, 3, 4, gaps=0.0)
    assert assent.Annotations.from_frame(frame).n_items == 100
    assert looked_at == [{ids[7], ids[8]}]
    twice = pl.concat([frame, frame.filter(item=ids[20]), frame.filter(item=ids[20]).head(1)])
    with pytest.raises(assent.InputError, match=r"7 rows are 3 \(item, annotator\) pairs"):
        assent.Annotations.from_frame(twice)
    assert looked_at[1:] == [{ids[7], ids[8], ids[20]}]
    # Where they are many, all rows are grouped.
    monkeypatch.setattr(sorting, "REPEATED_HASHES", 5)
    with pytest.raises(assent.InputError, match=r"7 rows are 3 \(item, annotator\) pairs"):
        assent.Annotations.from_frame(twice)
    assert looked_at[2:] == [set(ids)]


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 4)), min_size=1, max_size=80),
    st.integers(2, 8), st.integers(1, 30), st.integers(1, 90),
)  # fmt: skip
def test_repeated_pairs_are_those_that_counting_finds(rows, hashes, chunk, together):
    frame = pl.DataFrame(rows, schema=["item", "annotator"], orient="row").with_columns(
        pl.all().cast(pl.String), label=pl.lit("a")
    )
    again = {pair: number for pair, number in Counter(frame.select("item", "annotator").rows()).items() if number > 1}
    expected = (len(again), sum(again.values()), *min(again)) if again else None
    hash_of = pl.Expr.hash

    def colliding(self, seed=0, *more):
        found = hash_of(self, seed, *more)
        return found if self.meta.root_names() != ["item"] else found % hashes * pl.lit((1 << 64) // hashes, pl.UInt64)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorting, "CHUNK", chunk)
        patch.setattr(sorting, "TOGETHER", together)
        patch.setattr(pl.Expr, "hash", colliding)
        options = {"item": "item", "annotator": "annotator", "label": "label"}
        held = Rows(frame, **options, cluster=None, missing=(), columns={}, check_pairs=True)
        assert held.duplicates() == expected


def test_one_pass_looks_for_pairs_and_one_adds_up():
    seen = []
    with track_transfers(seen.append):
        assent.krippendorff_alpha(table(100, 3, 4))
    assert [one.question for one in seen] == ["labels", "annotators", "repeated pairs", "profiles"]


@pytest.mark.parametrize("together", [1, 5, 64, 1000])
def test_ranges_of_hashes_hold_every_row_once_and_each_item_whole(monkeypatch, together):
    monkeypatch.setattr(sorting, "TOGETHER", together)
    frame = nw.from_native(table(120, 3, 4).lazy())
    slots = {"label": sorting._slots(frame, "label", [f"label {i}" for i in range(4)])}
    found = list(sorting._ordered(frame, slots, 5, 0))
    rows = len(table(120, 3, 4))
    assert len(found) == -(-rows // together)
    assert sum(map(len, found)) == rows
    everything = np.concatenate(found)
    assert (everything[1:] >= everything[:-1]).all()
    items = [{int(key) >> slots["label"].bits for key in keys} for keys in found]
    assert sum(map(len, items)) == len(set().union(*items)) == 120


def test_a_count_of_items_is_not_trusted_where_hashes_are_short(monkeypatch):
    """Many annotators leave few bits for the item: then the number of items is counted with all of them."""
    frame = pl.DataFrame(
        {"item": np.arange(40_000) // 2, "annotator": np.arange(40_000) % 20_000, "label": np.arange(40_000) % 3}
    )
    lazy = nw.from_native(frame.lazy())
    assert sorting.labelled_once(lazy, [*range(20_000)], 40_000) == sorting.DuplicateCheck(sure=True, n_items=20_000)
    # 27 of 64 bits are the annotator's: 0.0015 pairs of 20,000 items are expected to share the others.
    monkeypatch.setattr(sorting, "RARELY", 0.001)
    assert sorting.labelled_once(lazy, [*range(20_000)], 40_000) == sorting.DuplicateCheck(sure=True, n_items=None)
    few = nw.from_native(frame.with_columns(pl.col("annotator") % 2).lazy())
    assert sorting.labelled_once(few, [0, 1], 40_000) == sorting.DuplicateCheck(sure=True, n_items=20_000)


def test_no_two_values_share_their_bits():
    frame = table(3, 3, 3)
    for number in (1, 2, 3, 10, 1000, 30_000):
        values = [f"who {i}" for i in range(number)]
        slots = sorting._slots(nw.from_native(frame.lazy()), "annotator", values)
        assert slots is not None
        assert len(set(slots.places.tolist())) == number
        assert max(slots.places) < 1 << slots.bits <= max(16, 4 * number**2)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 300), st.integers(1, 9)), max_size=30), st.booleans())
def test_few_items_are_counted_as_many_are(rows, weighted):
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    sums, items = list(table[:, :2].T), table[:, 2] if weighted else None

    def counted() -> dict[tuple[int, ...], int]:
        kinds, numbers = sorting._kinds(sums, items)
        assert kinds.dtype == numbers.dtype == np.int64
        return dict(zip(map(tuple, kinds.tolist()), numbers.tolist(), strict=True))

    few = counted()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sorting, "FEW_ITEMS", -1)
        assert counted() == few


@given(st.lists(st.tuples(st.integers(0, 2**61), st.integers(1, 9)), max_size=30), st.booleans())
def test_sums_of_one_column_are_counted_in_order_and_not_grouped(rows, weighted):
    table = np.array(rows, dtype=np.int64).reshape(-1, 2)
    expected: dict[int, int] = {}
    for number, items in table.tolist():
        expected[number] = expected.get(number, 0) + (items if weighted else 1)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sorting, "FEW_ITEMS", -1)
        patched.setattr(pl.DataFrame, "group_by", None)
        kinds, numbers = sorting._kinds([table[:, 0]], table[:, 1] if weighted else None)
    assert dict(zip(kinds[:, 0].tolist(), numbers.tolist(), strict=True)) == expected
    assert kinds[:, 0].tolist() == sorted(expected)
    assert kinds.dtype == numbers.dtype == np.int64


@pytest.mark.parametrize("labels", [3, 70])
@pytest.mark.parametrize("clustered", [False, True])
def test_counts_follow_from_who_gave_which_label_without_another_pass(labels, clustered):
    frame = table(200, 5, labels).with_columns(part=pl.col("item").str.len_chars())
    cluster = "part" if clustered else None
    first, second = (assent.Annotations.from_frame(frame, cluster=cluster) for _ in range(2))
    seen: list[str] = []
    ratings = first._ratings
    with track_transfers(lambda one: seen.append(one.question)):
        derived = first._counts
    assert seen == []
    assert derived.n_items == ratings.n_items
    counted = second._counts
    for mine, theirs in ((derived.counts, counted.counts), (derived.units, counted.units)):
        assert type(mine) is type(theirs)
        assert mine is None or (mine != theirs).sum() == 0
    assert derived.multiplicities.tolist() == counted.multiplicities.tolist()
