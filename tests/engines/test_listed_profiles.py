"""Profiles of a crowd whose rows are here: listed, and yet the same to the last one as an engine counts them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.engines.test_parity import made
from tests.support import label_measures

from assent import Annotations, profiles
from assent.engines import row_profiles, rows, track_transfers
from assent.errors import InputError


@pytest.fixture(autouse=True)
def _small_crowds(monkeypatch):
    """Let 65 annotators be a crowd."""
    monkeypatch.setattr(rows, "MOST_COLLAPSED", 64)


def crowd(annotators: int, labels: int, *, items: int = 60, density: float = 0.04) -> Annotations:
    frame = made(items, annotators, [f"l{k}" for k in range(labels)], seed=annotators, density=density)
    return Annotations.from_frame(frame)


def counted(data: Annotations) -> tuple:
    """The profiles as an engine counts them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "MOST_COLLAPSED", 10**6)
        return data._source.rating_profiles(data.labels, data.annotators)


@pytest.mark.parametrize(
    ("annotators", "labels"), [(65, 1), (65, 2), (100, 3), (300, 5), (900, 5), (900, 1), (1000, 60)]
)
def test_listed_profiles_are_those_that_an_engine_counts(annotators, labels):
    data = crowd(annotators, labels)
    ours, theirs = data._ratings, counted(data)
    for name, other in zip(("profile", "annotator", "label", "multiplicities"), theirs, strict=False):
        assert getattr(ours, name).dtype == other.dtype, name
        assert np.array_equal(getattr(ours, name), other), name
    assert ours.n_items == data.n_items


def test_items_that_are_alike_are_one_kind():
    data = crowd(80, 2, items=400, density=0.01)
    assert len(data._ratings.multiplicities) < data.n_items
    assert np.array_equal(data._ratings.multiplicities, counted(data)[3])


def test_only_crowds_that_are_here_and_not_too_large_are_listed(monkeypatch):
    def asked(data):
        seen = []
        with track_transfers(seen.append):
            data._ratings  # noqa: B018
        return {one.question for one in seen}

    few, many = (crowd(annotators, 3, density=0.3) for annotators in (64, 65))
    assert [len(one.annotators) for one in (few, many)] == [64, 65]
    assert asked(many) == {"annotations"}
    assert "annotations" not in asked(few)
    clustered = Annotations.from_frame(made(60, 80, ["x", "y"], density=0.05), cluster="group")
    assert "annotations" not in asked(clustered)
    monkeypatch.setattr(rows, "MOST_ANNOTATIONS", 10)
    assert "annotations" not in asked(crowd(65, 3, density=0.3))


def test_a_crowd_in_an_engine_is_counted_there(native):
    frame = made(60, 90, ["x", "y", "z"], seed=3, density=0.05)
    there = Annotations.from_frame(native(frame))
    seen = []
    with track_transfers(seen.append):
        ratings = there._ratings
    assert there.local or "annotations" not in {one.question for one in seen}
    here = Annotations.from_frame(frame)._ratings
    for name in ("profile", "annotator", "label", "multiplicities"):
        assert np.array_equal(getattr(ratings, name), getattr(here, name)), name


def complete() -> pl.DataFrame:
    """Every item labelled by everybody."""
    rng = np.random.default_rng(5)
    said = np.where(rng.random((20, 66)) < 0.6, rng.integers(1, 4, (20, 1)), rng.integers(1, 4, (20, 66)))
    who = [f"who-{a}" for a in range(66)]
    return pl.DataFrame({"item": np.repeat(np.arange(20), 66), "annotator": who * 20, "label": said.ravel()})


@pytest.mark.parametrize("frame", [made(80, 90, [1, 2, 3], seed=4, density=0.08), complete()], ids=["gaps", "complete"])
def test_measures_that_ask_who_are_the_same_to_the_last_digit(frame, monkeypatch):
    listed = Annotations.from_frame(frame)
    listed._ratings  # noqa: B018
    monkeypatch.setattr(rows, "MOST_COLLAPSED", 1000)
    collapsed = Annotations.from_frame(frame)
    compared = set()
    for name, measure in label_measures().items():
        try:
            one, other = measure(listed), measure(collapsed)
        except InputError:
            continue
        compared.add(name)
        assert repr(one.value) == repr(other.value), name
        ours, theirs = (some.confidence_interval(method="bootstrap", replicates=20, seed=1) for some in (one, other))
        assert repr(ours) == repr(theirs), name
    assert "conger-kappa" in compared
    assert ("icc" in compared) == (len(frame) == 20 * 66)


@pytest.mark.parametrize(("annotators", "labels"), [(11, 4), (7, 16), (31, 7)])
def test_places_of_annotators_do_not_overflow(annotators, labels):
    """A place of 2**30 is a number of 32 bits, and labels times that are not."""
    data = crowd(annotators, labels, density=1.0)
    ratings, listing = data._ratings, data.to_rows()
    assert ratings.label.max() < labels
    assert int((ratings.multiplicities * ratings.sizes).sum()) == len(listing.item)


def test_items_are_compared_by_who_gave_what_alone(monkeypatch):
    compared, original = [], profiles._distinct_numbers

    def counting(matrix):
        compared.append(matrix.shape)
        return original(matrix)

    monkeypatch.setattr(profiles, "_distinct_numbers", counting)
    data = crowd(900, 5)
    assert len(data._ratings.multiplicities) > 1
    # Of an annotation one number is looked at: that it was given once is no news.
    assert sum(rows * columns for rows, columns in compared) == data.n_annotations


def test_more_cells_than_a_number_has_room_for():
    item, annotator, label = (
        np.array([0, 0, 1, 1, 2, 3, 4]),
        np.array([0, 9, 0, 9, 9, 0, 9]),
        np.array([0, 7, 0, 7, 0, 7, 7]),
    )
    sizes = {"annotators": 2**31, "labels": 2**30}
    *found, multiplicities = row_profiles.listed_profiles(item, annotator, label, items=5, **sizes)
    assert sorted(multiplicities.tolist()) == [1, 1, 1, 2]
    kinds = [
        frozenset(zip(annotator.tolist(), label.tolist(), strict=True))
        for annotator, label in ((found[1][found[0] == kind], found[2][found[0] == kind]) for kind in range(4))
    ]
    assert dict(zip(kinds, multiplicities.tolist(), strict=True)) == {
        frozenset({(0, 0), (9, 7)}): 2, frozenset({(9, 0)}): 1, frozenset({(0, 7)}): 1, frozenset({(9, 7)}): 1,
    }  # fmt: skip
