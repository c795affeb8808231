"""What monitoring says is what the values say."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from tests.monitoring.simulated import drawn, rows

import assent
from assent.errors import OptionError
from assent.inference.betting import confidence_sequence
from assent.limits import TRAJECTORY_POINTS


@pytest.fixture(scope="module")
def values():
    return drawn((700, 0.84), seed=5)


@pytest.fixture(scope="module")
def data(values):
    return rows(values, ("ann", "bob", "cyd"))


def test_agreement_is_percent_agreement_and_alpha_is_alpha(values):
    two = rows(values)
    result = assent.monitor(two)
    assert result.agreement == assent.percent_agreement(two).value == values.mean()
    alpha = assent.krippendorff_alpha(two)
    assert result.alpha.value == pytest.approx(alpha.value, abs=1e-12)
    assert result.alpha_interval.low == pytest.approx(alpha.confidence_interval().low, abs=1e-12)


@pytest.mark.parametrize("method", ["mixture", "betting"])
def test_the_trajectory_is_the_sequence_at_its_points(values, data, method):
    result = assent.monitor(data, method=method, window=50)
    path = result.trajectory
    low, high = confidence_sequence(values, method=method)
    at = path.items - 1
    np.testing.assert_allclose(path.low, low[at], atol=1e-12)
    np.testing.assert_allclose(path.high, high[at], atol=1e-12)
    np.testing.assert_allclose(path.agreement, (np.cumsum(values) / np.arange(1, 701))[at])
    for items, recent in zip(path.items, path.recent, strict=True):
        assert np.isnan(recent) if items < 50 else recent == values[items - 50 : items].mean()
    assert (result.low, result.high) == (path.low[-1], path.high[-1])
    assert path.items[0] == 1
    assert path.items[-1] == 700
    assert len(path.items) <= TRAJECTORY_POINTS + 5


@pytest.mark.parametrize("method", ["mixture", "betting"])
@pytest.mark.parametrize("target", [0.7, 0.75, 0.81, 0.84, 0.9])
def test_an_alert_is_the_first_item_at_which_the_whole_sequence_is_on_one_side(values, data, method, target):
    result = assent.monitor(data, method=method, target=target)
    low, high = confidence_sequence(values, method=method)
    if method == "betting":
        # These targets are on the grid, and the ends are refuted themselves.
        above, below = low >= target, high <= target
    else:
        above, below = low > target, high < target
    expected = [(kind, int(side.argmax()) + 1) for kind, side in (("above", above), ("below", below)) if side.any()]
    assert sorted((one.kind, one.n_items) for one in result.alerts) == sorted(expected)
    assert result.standing == ("above" if above[-1] else "below" if below[-1] else "undecided")
    for alert in result.alerts:
        assert alert.item == f"t{alert.n_items}"
        assert alert.agreement == pytest.approx(values[: alert.n_items].mean())
        assert alert.n_items in result.trajectory.items


def test_first_above_then_below():
    result = assent.monitor(rows(drawn((300, 0.97), (900, 0.4), seed=2)), target=0.8)
    assert [one.kind for one in result.alerts] == ["above", "below"]
    assert result.standing == "below"


def test_a_sequence_that_touches_its_target_again_is_no_news():
    values = drawn((400, 0.8), seed=8)
    low, _ = confidence_sequence(values)
    above = low > 0.72
    # It comes and goes, and is told once.
    assert (np.diff(above.astype(int)) == 1).sum() > 1
    assert [one.n_items for one in assent.monitor(rows(values), target=0.72).alerts] == [int(above.argmax()) + 1]


def test_without_a_target_there_is_no_standing(data):
    result = assent.monitor(data)
    assert (result.target, result.standing, result.alerts) == (None, None, ())


def test_one_item_is_enough_to_begin():
    result = assent.monitor([["x", "x"]], target=0.8)
    assert (result.n_items, result.agreement, result.high) == (1, 1.0, 1.0)
    assert result.standing == "undecided"
    assert np.isnan(result.recent)
    assert np.isnan(result.alpha.value)
    json.dumps(result.to_dict(), allow_nan=False)
    assert "1 item." in result.text()


def test_all_agree_and_all_disagree():
    assert assent.monitor(rows(np.ones(300, int))).high == 1.0
    assert assent.monitor(rows(np.zeros(300, int))).low == 0.0


def test_json_has_every_key_and_no_nan(data):
    result = assent.monitor(data, target=0.8, window=1000)
    both = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert list(both) == ["data", "monitor"]
    found = both["monitor"]
    assert set(found) == {
        *("items", "agreement", "sequence", "about", "target", "standing", "alerts", "window", "recent", "drift", "annotators"),
        *("alpha", "waiting", "further", "duplicates", "sentences", "notes", "stopped", "trajectory"),
    }  # fmt: skip
    assert found["recent"] is None
    assert found["alpha"]["anytime_valid"] is False
    assert set(found["trajectory"][0]) == {"items", "moment", "agreement", "low", "high", "recent"}


def test_sentences_say_what_to_know(data):
    said = " ".join(assent.monitor(data, target=0.7).sentences)
    for part in (
        "the first two annotations agree on",
        "The 95 % confidence sequence reaches from",
        "cleared the target of 0.7",
        "It is not corrected for chance, and a target is on this scale too.",
        "however often you look",
        "about the mean of what it has been so far",
        "right for one look and not for many",
        "No change over time was noticed.",
    ):
        assert part in said


def test_a_sequence_by_adaptive_bets_says_that_it_needs_a_constant():
    changing = rows(drawn((2000, 0.95), (2000, 0.5), seed=3))
    assert "provided that agreement does not change" in " ".join(assent.monitor(changing, method="betting").sentences)
    assert "use `method` mixture" in assent.monitor(changing, method="betting").sentences[0]
    assert "use `method` mixture" not in assent.monitor(changing).sentences[0]


def test_it_is_said_if_the_first_two_are_always_the_same():
    """In a complete wide table the stream is about the first two columns."""
    result = assent.monitor([["x", "x", "y"]] * 20 + [[None, "x", "x"]])
    assert any('are "1" and "2" on 20 of 21 items' in note for note in result.notes)
    assert assent.monitor([["x", "x"]] * 20).notes == ()


def test_rows_that_begin_with_a_gap_stay_in_their_place():
    result = assent.monitor([[None, "x", "x"], ["x", "x", None], ["y", "x", None]])
    assert [point["agreement"] for point in result.trajectory.to_dict()] == pytest.approx([1, 1, 2 / 3])


def test_sets_of_labels_agree_if_they_are_the_same():
    text = b"item,annotator,label\n1,a,p;q\n1,b,q;p\n2,a,p\n2,b,p;q\n"
    assert assent.monitor(assent.read(io.BytesIO(text), multilabel=False)).agreement == 0.0
    result = assent.monitor(assent.read(io.BytesIO(text), separator=";"))
    assert result.agreement == 0.5
    assert any("same ones" in note for note in result.notes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": 80}, "share of items"),
        ({"target": 0}, "between 0 and 1"),
        ({"level": 95}, "confidence level"),
        ({"window": 1}, "2 items at least"),
        ({"method": "wald"}, "mixture, betting"),
    ],
)
def test_options_that_cannot_be(options, message):
    with pytest.raises(OptionError, match=message):
        assent.monitor([["x", "x"]], **options)


def test_more_labels_than_alpha_can_take_are_said(monkeypatch, data):
    monkeypatch.setattr("assent.analyses.monitor.assembling.MOST_PAIR_CELLS", 1)
    result = assent.monitor(data)
    assert result.alpha is None
    assert any("alpha is left out" in note for note in result.notes)
    assert result.to_dict()["monitor"]["alpha"] is None
    assert "Krippendorff" not in " ".join(result.sentences)


def test_long_streams_are_looked_at_in_blocks(monkeypatch, values, data):
    whole = assent.monitor(data, target=0.7)
    monkeypatch.setattr("assent.analyses.monitor.sequence._BLOCK", 64)
    pieces = assent.monitor(data, target=0.7)
    assert pieces.alerts == whole.alerts
    np.testing.assert_array_equal(pieces.trajectory.low, whole.trajectory.low)
