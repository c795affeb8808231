import pytest
from tests.engines.test_row_profiles import crowd

from assent import Annotations
from assent.engines import collect, track_transfers
from assent.errors import InputError


@pytest.mark.nightly_on_spark
@pytest.mark.parametrize("native", ["duckdb", "pyspark", "polars-lazy"], indirect=True)
def test_one_item_of_each_kind_is_not_fetched_where_that_is_too_much(native, monkeypatch):
    frame = crowd(300)
    rows = frame.height
    monkeypatch.setattr(collect, "MOST_ANNOTATIONS", rows - 1)
    data = Annotations.from_frame(native(frame))
    if data.local:
        assert len(data._ratings.multiplicities) == len(data._counts.multiplicities) == 300
        return
    for profiles, remedy in (
        ("_ratings", "ask a measure that works on label counts"),
        ("_counts", "merge rare labels"),
    ):
        seen = []
        with (
            track_transfers(seen.append),
            pytest.raises(InputError, match=rf"each kind, and bringing {rows:,} of them.*{remedy}"),
        ):
            getattr(data, profiles)
        assert [(one.question, one.rows) for one in seen] == [("size of kinds", 1)]
    monkeypatch.setattr(collect, "MOST_ANNOTATIONS", rows)
    assert len(data._ratings.multiplicities) == 300
