"""Changes over time, of all and of single annotators."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom
from tests.monitoring.simulated import drawn, rows

import assent
from assent.analyses.monitor.drift import DriftWatch, alpha_share
from assent.analyses.monitor.stream import Stream


def one_drifts(seed=1, items=900, since=500, drifter="dee", rate=0.35):
    """Four annotators of whom one begins to guess."""
    rng = np.random.default_rng(seed)
    people = ("ann", "bob", "cyd", "dee")
    found = []
    for number in range(items):
        label = "xyz"[int(rng.integers(3))]
        for who in rng.permutation(4)[:2]:
            right = rng.random() < (rate if people[who] == drifter and number >= since else 0.94)
            said = label if right else "xyz"[int(rng.integers(3))]
            found.append({"item": f"t{number + 1}", "annotator": people[who], "label": said})
    return found


def test_a_change_of_all_is_dated():
    values = drawn((600, 0.85), (400, 0.6), seed=4)
    (shift,) = assent.monitor(rows(values)).shifts
    assert abs(shift.after - 600) < 25
    assert 600 < shift.noticed < 800
    assert shift.item == f"t{shift.after + 1}"
    assert shift.before == pytest.approx(values[: shift.after].mean())
    assert shift.since == pytest.approx(values[shift.after :].mean())
    assert (shift.items_before, shift.items_since) == (shift.after, 1000 - shift.after)


def test_the_sentence_says_from_when_from_what_to_what():
    result = assent.monitor(rows(drawn((600, 0.85), (400, 0.6), seed=4)))
    (shift,) = result.shifts
    sentence = next(one for one in result.sentences if one.startswith("Since about"))
    assert f"item {shift.after + 1:,}" in sentence
    assert f"went from {shift.before:.2f} to {shift.since:.2f}" in sentence


def test_the_annotator_who_drifts_is_named_and_the_others_are_not():
    result = assent.monitor(one_drifts())
    changed = [one for one in result.annotators if one.shifts]
    assert [(one.annotator, one.alone) for one in changed] == [("dee", True)]
    (shift,) = changed[0].shifts
    assert abs(shift.after - 500) < 40
    assert shift.since < shift.before - 0.25
    # Items in which the drifter has no part stay as they were.
    assert abs(shift.others_since - shift.others_before) < 0.08
    assert any('agreement of "dee" with the others' in sentence for sentence in result.sentences)


def test_if_all_change_it_is_not_about_single_annotators():
    result = assent.monitor(rows(drawn((900, 0.95), (900, 0.4), seed=2), tuple("abcde")))
    changed = [one for one in result.annotators if one.shifts]
    assert len(changed) == 5
    assert not any(one.alone for one in changed)
    said = " ".join(result.sentences)
    assert "this is not about single annotators" in said
    assert 'agreement of "a" with the others' not in said
    assert {one["alone"] for one in result.to_dict()["monitor"]["annotators"]} == {False}


def test_an_annotator_is_counted_by_the_pairs():
    data = one_drifts(items=300)
    result = assent.monitor(data, window=40)
    pairs = [(data[i], data[i + 1]) for i in range(0, len(data), 2)]
    assert sum(one.n_items for one in result.annotators) == 2 * len(pairs)
    for one in result.annotators:
        own = [a["label"] == b["label"] for a, b in pairs if one.annotator in (a["annotator"], b["annotator"])]
        assert one.n_items == len(own)
        assert one.agreement == pytest.approx(np.mean(own))
        assert one.recent == pytest.approx(np.mean(own[-40:]))
        assert one.earlier == pytest.approx(np.mean(own[:-40]))
        places = [
            i + 1 for i, pair in enumerate(pairs) if one.annotator in (pair[0]["annotator"], pair[1]["annotator"])
        ]
        for items, moving in zip(one.places, one.moving, strict=True):
            end = places.index(items) + 1
            assert moving == pytest.approx(np.mean(own[end - 40 : end]))


def test_with_two_annotators_nobody_is_blamed():
    result = assent.monitor(rows(drawn((600, 0.9), (400, 0.5), seed=4)))
    assert result.shifts
    assert [one.shifts for one in result.annotators] == [(), ()]


@pytest.mark.parametrize("sizes", [[1] * 300, [7] * 50, [300]])
def test_a_stream_in_pieces_is_watched_as_in_one(sizes):
    data = one_drifts(since=100, items=300)
    whole = assent.monitor(data)
    stream, watch, at = Stream(), DriftWatch(0.05), 0
    for size in [*sizes, len(data)]:
        for row in data[at : at + 2 * size]:
            stream.add(row["item"], row["annotator"], row["label"])
        at += 2 * size
        watch.extend(stream)
    assert watch.shifts(stream) == whole.shifts
    assert watch.noticed == len(whole.shifts) + sum(len(one.shifts) for one in whole.annotators)
    # Annotators are listed as they appear; the table of the other one is the same.
    assert {one.annotator: one for one in watch.annotators(stream, 100)} == {
        one.annotator: one for one in whole.annotators
    }


def test_the_shares_of_annotators_sum_to_1():
    shares = [alpha_share(k) for k in range(1, 100_000)]
    assert sum(shares) == pytest.approx(1, abs=1e-4)
    assert sum(shares) < 1


@pytest.mark.nightly
def test_false_alarms_about_any_annotator_are_rare():
    rng = np.random.default_rng(40)
    streams, alarms, blamed = 200, 0, 0
    for _ in range(streams):
        stream, watch = Stream(), DriftWatch(0.05)
        for item, agree in enumerate(rng.random(400) < 0.8):
            one, other = rng.permutation(6)[:2]
            stream.add(str(item), str(one), "x")
            stream.add(str(item), str(other), "x" if agree else "y")
        watch.extend(stream)
        alarms += bool(watch.shifts(stream))
        blamed += any(one.shifts for one in watch.annotators(stream, 100))
    most = binom.ppf(0.999, streams, 0.05)
    assert alarms <= most
    assert blamed <= most
