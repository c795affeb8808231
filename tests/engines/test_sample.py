"""Who gave which label, of a crowd that is too large: a sample of whole items, drawn where the data live, and said so."""

from __future__ import annotations

import pytest
from tests.engines.test_sorting import table

import assent
from assent.data import subsets
from assent.engines import collect, distinct_profiles, track_transfers


@pytest.fixture
def few(monkeypatch):
    """A crowd is more than five annotators, and more than 300 annotations are too many."""
    monkeypatch.setattr(collect, "MOST_ANNOTATIONS", 300)
    monkeypatch.setattr(subsets, "MOST_COLLAPSED", 5)
    monkeypatch.setattr(subsets, "SAMPLED_ANNOTATIONS", 250)


FRAME = table(400, 8, 4, gaps=0.6)


@pytest.mark.parametrize("native", ["polars-lazy", "duckdb", "pyspark"], indirect=True)
def test_a_sample_holds_whole_items_and_says_so(native, few):
    data = assent.Annotations.from_frame(native(FRAME))
    seen = []
    with track_transfers(seen.append):
        sample = data._sample_items()
    assert sample is not data
    assert 40 < sample.n_items < 200
    number = -(-data.n_annotations // 250)
    assert sample.notes[-1].startswith(
        f"Who gave which label was looked at on {sample.n_items} of {data.n_items} items, about one in {number},"
    )
    sizes = dict(FRAME.group_by("item").len().iter_rows())
    listing = sample.to_rows()
    assert {name: int(size) for name, size in zip(listing.items, listing.sizes, strict=True)}.items() <= sizes.items()
    assert all(one.rows <= sample.n_annotations for one in seen)
    assert data._sample_items()._source is sample._source


def test_other_data_are_taken_whole(few):
    small = assent.Annotations.from_frame(table(30, 8, 4))
    assert small._sample_items() is small
    team = assent.Annotations.from_frame(table(400, 3, 4))
    assert team._sample_items() is team
    counts = assent.Annotations.from_counts([[300, 10], [5, 1]], labels=["a", "b"])
    assert counts._sample_items() is counts


def test_a_team_whose_items_are_of_too_many_kinds_is_a_crowd(few, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    rows = table(400, 5, 4, gaps=0.1)
    data = assent.Annotations.from_frame(duckdb.connect().from_arrow(rows.to_arrow()))
    assert data._sample_items() is data
    monkeypatch.setattr(distinct_profiles, "MOST_KINDS", 100)
    again = assent.Annotations.from_frame(duckdb.connect().from_arrow(rows.to_arrow()))
    with pytest.raises(
        assent.InputError, match="more than 100 kinds of items, too many to be brought here: take a sample"
    ):
        _ = again._ratings
    seen = []
    with track_transfers(seen.append):
        assert again._sample_items() is not again
    tried = [one.question for one in seen].count("profiles")
    with track_transfers(seen.append):
        assert again._sample_items() is not again
    assert tried == [one.question for one in seen].count("profiles"), "what is too many is found out once"


@pytest.mark.parametrize("native", ["polars", "duckdb"], indirect=True)
def test_annotators_and_reports_of_a_crowd_rest_on_the_sample(native, few):
    data = assent.Annotations.from_frame(native(FRAME))
    sample = data._sample_items()
    report = assent.annotators(data)
    assert report.notes[0] == sample.notes[-1]
    assert report.given.sum() == sample.n_annotations
    whole = assent.report(data).to_dict()
    assert whole["data"]["annotations"] == data.n_annotations
    assert whole["data"]["notes"][-1] == sample.notes[-1]
    assert sum(row["annotations"] for row in whole["data"]["per_annotator"]["shown"]) == data.n_annotations
    assert whole["annotators"]["notes"][0] == sample.notes[-1]
    quoted = (
        whole["coefficients"]["measures"][0] if isinstance(whole["coefficients"], dict) else whole["coefficients"][0]
    )
    assert quoted["value"] == pytest.approx(assent.all_measures()[quoted["measure"]](data).value)


def test_workload_is_not_looked_at_in_a_crowd(few):
    check = assent.missingness(assent.Annotations.from_frame(FRAME))
    assert check.by_workload.method is None
    assert check.by_workload.note == "there are too many annotations to look at who gave which label."
