"""Dawid-Skene, one-coin and MACE against slow references and against what theory says of them."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.consensus import slow
from tests.consensus.data import METHODS, MODELS, STABLE, Row, annotations, probabilities, scores, simulated, tables

import assent
from assent.analyses.consensus import all_methods
from assent.errors import OptionError, UnsuitableData

#: Sums in another order differ by no more than this.
ROUNDING = 1e-8


def assert_same(found: dict[str, dict[str, float]], wanted: dict[str, dict[str, float]], tolerance: float) -> None:
    assert found.keys() == wanted.keys()
    for item, values in wanted.items():
        assert found[item] == pytest.approx(values, abs=tolerance), item


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("iterations", [1, 2, 25])
def test_dawid_skene_is_the_slow_one(seed: int, iterations: int) -> None:
    rows, _ = simulated(25, 4, 6, 3, seed, ragged=True)
    found = assent.consensus(annotations(rows), "dawid-skene", max_iterations=iterations, tolerance=0)
    posterior, trace, error = slow.dawid_skene(rows, iterations)
    assert_same(probabilities(found), posterior, ROUNDING)
    assert found.trace == pytest.approx(trace, rel=1e-10)
    assert found.log_likelihood == found.trace[-1]
    for who in found.annotators or ():
        matrix = found.confusion(who)
        for (i, true), (j, label) in itertools.product(enumerate(found.labels), repeat=2):
            assert matrix[i, j] == pytest.approx(error.get((who, label, true), 0.0), abs=ROUNDING)
        assert matrix.sum(axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("iterations", [1, 2, 25])
def test_one_coin_is_the_slow_one(seed: int, iterations: int) -> None:
    rows, _ = simulated(25, 4, 6, 4, seed, ragged=True)
    found = assent.consensus(annotations(rows), "one-coin", max_iterations=iterations, tolerance=0)
    posterior, trace, right = slow.one_coin(rows, iterations)
    assert_same(probabilities(found), posterior, ROUNDING)
    assert found.trace == pytest.approx(trace, rel=1e-10)
    assert scores(found, "accuracy") == pytest.approx(right, abs=ROUNDING)


@pytest.mark.parametrize("method", ["dawid-skene", "one-coin"])
@given(rows=tables())
@STABLE
def test_models_are_the_slow_ones_on_any_table(method: str, rows: list[Row]) -> None:
    """Also where a label dies out and a floor keeps it from being impossible."""
    found = assent.consensus(annotations(rows), method, max_iterations=12, tolerance=0)
    slowly = slow.dawid_skene if method == "dawid-skene" else slow.one_coin
    posterior, trace, _ = slowly(rows, found.iterations or 0)
    assert_same(probabilities(found), posterior, 1e-6)
    assert found.trace == pytest.approx(trace, rel=1e-8, abs=1e-8)


def test_a_label_that_dies_out_is_kept_at_the_floor() -> None:
    """Two items have room for two labels; the third one's frequency falls until the floor of 1e-10 holds it."""
    rows = list(zip(["1"] * 3 + ["2"] * 3, "xyzxyz", "aababc", strict=True))
    found = assent.consensus(annotations(rows), "dawid-skene", tolerance=0, max_iterations=300)
    posterior, trace, _ = slow.dawid_skene(rows, len(found.trace))
    assert found.label_scores["prior"].min() == 1e-10
    assert found.trace == pytest.approx(trace, rel=1e-12)
    assert_same(probabilities(found), posterior, 1e-14)


@pytest.mark.parametrize("smoothing", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(3))
def test_a_fitted_mace_stands_still_under_a_slow_step(seed: int, smoothing: float) -> None:
    """At the end another round changes nothing, and likelihood and probabilities are those of the definition."""
    rows, _ = simulated(20, 3, 5, 3, seed, ragged=True)
    options = {"estimation": "em", "tolerance": 1e-13, "max_iterations": 100_000, "restarts": 2, "smoothing": smoothing}
    found = assent.consensus(annotations(rows), "mace", **options)
    assert found.converged
    knows = scores(found, "competence")
    spam = {(who, label): 0.0 for who in found.annotators or () for label in found.labels}
    pairs = (found.details["pair_annotator"], found.details["pair_label"], found.details["spam"])
    for who, label, share in zip(*pairs, strict=True):
        spam[(found.annotators or ())[who], found.labels[label]] = float(share)
    posterior, likelihood = slow.mace_likelihood(rows, knows, spam)
    assert_same(probabilities(found), posterior, 1e-9)
    assert found.log_likelihood == pytest.approx(likelihood, rel=1e-10)
    new_knows, new_spam = slow.mace_step(rows, knows, spam, smoothing)
    assert new_knows == pytest.approx(knows, abs=1e-6)
    for pair, share in spam.items():
        # What somebody spams is no number of the model if he always knows.
        if share > 0 and knows[pair[0]] < 1 - 1e-6:
            assert new_spam[pair] == pytest.approx(share, abs=1e-5)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("iterations", [1, 2, 6])
def test_variational_mace_is_the_slow_one(seed: int, iterations: int) -> None:
    rows, _ = simulated(12, 3, 5, 3, seed, ragged=True)
    options = {"estimation": "variational", "restarts": 1, "tolerance": 0, "max_iterations": iterations}
    found = assent.consensus(annotations(rows), "mace", **options)
    posterior, bounds, knows = slow.variational_mace(rows, iterations)
    assert_same(probabilities(found), posterior, ROUNDING)
    assert found.trace == pytest.approx(bounds, rel=1e-9)
    assert scores(found, "competence") == pytest.approx(knows, abs=ROUNDING)


@given(tables(), st.sampled_from([{}, {"smoothing": 0.5}]))
@STABLE
def test_the_likelihood_of_dawid_skene_never_falls(rows: list[Row], options: dict[str, float]) -> None:
    found = assent.consensus(annotations(rows), "dawid-skene", tolerance=0, max_iterations=60, **options)
    assert_never_falls(found)


@given(tables())
@STABLE
def test_the_likelihood_of_one_coin_never_falls(rows: list[Row]) -> None:
    assert_never_falls(assent.consensus(annotations(rows), "one-coin", tolerance=0, max_iterations=60))


@given(tables(), st.sampled_from([{"estimation": "em"}, {"estimation": "em", "smoothing": 0.5}, {}]))
@STABLE
def test_the_likelihood_of_mace_never_falls(rows: list[Row], options: dict[str, object]) -> None:
    """Nor does the bound of the variational estimate, or the likelihood with what smoothing adds."""
    assert_never_falls(
        assent.consensus(annotations(rows), "mace", tolerance=0, max_iterations=60, restarts=3, **options)
    )


def assert_never_falls(found: assent.Consensus) -> None:
    steps = np.diff(found.trace)
    assert not any("fell" in note for note in found.notes)
    # A floor of 1e-10 under expected counts is all that can lower it.
    assert (steps >= -1e-8 * (1 + abs(found.trace[-1]))).all(), steps.min()


@pytest.mark.parametrize("method", MODELS)
def test_it_says_whether_it_converged(method: str) -> None:
    rows, _ = simulated(40, 3, 8, 3, 1)
    short = assent.consensus(annotations(rows), method, max_iterations=2)
    assert short.converged is False
    assert short.iterations == len(short.trace) == 2
    assert any(note.startswith("Not converged: after 2 iterations") for note in short.notes)
    long = assent.consensus(annotations(rows), method, max_iterations=20_000)
    assert long.converged is True
    assert (long.iterations or 0) < 20_000
    assert not any("Not converged" in note for note in long.notes)


@pytest.mark.parametrize("method", MODELS)
def test_simulated_truth_is_found_better_than_by_majority(method: str) -> None:
    """Half of the annotators guess: models find out who, votes do not."""
    lot = np.random.default_rng(3)
    truth = lot.integers(0, 3, 400)
    rows, gold = [], {}
    for item, true in enumerate(truth):
        gold[f"i{item:03}"] = f"L{true}"
        for who in lot.choice(20, 5, replace=False):
            label = true if who < 10 and lot.random() < 0.9 else lot.integers(0, 3)
            rows.append((f"i{item:03}", f"w{who:02}", f"L{label}"))
    data = annotations(rows)
    votes = assent.consensus(data, "majority").score(gold).accuracy
    found = assent.consensus(data, method)
    assert found.score(gold).accuracy > votes + 0.03
    quality = found.annotator_scores["competence" if method == "mace" else "accuracy"]
    assert quality[:10].min() > quality[10:].max()


def test_seeds_decide_the_starts_of_mace_and_the_best_is_kept() -> None:
    rows, _ = simulated(30, 3, 10, 4, 5)
    data = annotations(rows)
    first, again = (assent.consensus(data, "mace", seed=7, restarts=4) for _ in range(2))
    assert first.trace == again.trace
    values = [assent.consensus(data, "mace", seed=7, restarts=n).trace[-1] for n in (1, 2, 4, 8)]
    assert values == sorted(values)


def test_smoothing_draws_confusions_towards_the_middle() -> None:
    rows, _ = simulated(40, 3, 8, 3, 1)
    data = annotations(rows)
    sharp, smooth = (assent.consensus(data, "dawid-skene", smoothing=s).confusion("w00") for s in (0.0, 5.0))
    assert smooth.min() > sharp.min()
    assert smooth.sum(axis=1) == pytest.approx(1.0)
    assert np.abs(smooth - 1 / 3).max() < np.abs(sharp - 1 / 3).max()


def test_too_many_labels_for_confusion_matrices_are_refused_with_the_memory_they_need() -> None:
    rows = [(f"i{i}", f"w{i % 500}", f"L{i % 10_000}") for i in range(20_000)]
    with pytest.raises(UnsuitableData, match=r"would need \d+ GB for the confusion of 10,000 labels by 500 annotators"):
        assent.consensus(annotations(rows), "dawid-skene")


def peak_memory(frame: pl.DataFrame, method: str) -> tuple[assent.Consensus, int]:
    """Find a consensus, and how many bytes that took at most."""
    data = assent.Annotations.from_frame(frame)
    few = {"max_iterations": 3, "restarts": 1}
    options = {name: few[name] for name in few if name in all_methods()[method].parameters}
    tracemalloc.start()
    try:
        found = assent.consensus(data, method, **options)
        return found, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("method", [name for name in METHODS if not name.endswith("dawid-skene")])
def test_the_others_take_ten_thousand_labels(method: str) -> None:
    """Labels that nobody gave an item take no memory of their own: 20,000 x 10,000 numbers would be 1.6 GB."""
    item = np.repeat(np.arange(20_000), 3)
    annotator = np.tile(np.arange(3), 20_000)
    label = (item + ((annotator == 2) & (item % 7 == 0))) % 10_000
    found, peak = peak_memory(pl.DataFrame({"item": item, "annotator": annotator, "label": label}), method)
    assert peak < 100e6
    assert found.n_undecided == (sum(i % 7 == 0 for i in range(20_000)) if method == "intersection" else 0)


@pytest.mark.parametrize("method", METHODS)
def test_nothing_is_as_large_as_items_x_annotators(method: str) -> None:
    """20,000 x 2,000 numbers would be 320 MB."""
    lot = np.random.default_rng(1)
    item = np.repeat(np.arange(20_000), 4)
    annotator = (lot.integers(0, 500, (20_000, 4)) + 500 * np.arange(4)).ravel()
    label = np.where(lot.random(80_000) < 0.7, item % 4, lot.integers(0, 4, 80_000))
    found, peak = peak_memory(pl.DataFrame({"item": item, "annotator": annotator, "label": label}), method)
    assert len(found.items) == 20_000
    assert peak < 100e6


def test_a_label_that_nobody_gave_may_be_the_most_probable() -> None:
    """Somebody who is always wrong says what the label is not: of two labels, the other one."""
    rows = [(str(i), who, "yes" if i % 2 else "no") for i in range(20) for who in "abc"]
    rows += [(str(i), "liar", "no" if i % 2 else "yes") for i in range(20)] + [("alone", "liar", "yes")]
    found = assent.consensus(annotations(rows), "one-coin")
    assert found.decided[found.items.index("alone")] == "no"
    assert found.votes[found.items.index("alone")] == 0
    assert found.confidence[found.items.index("alone")] == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("method", MODELS)
@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("tolerance", -1.0, "`tolerance` is -1; it must lie between 0 and 1"),
        ("tolerance", 1.5, "`tolerance` is 1.5"),
        ("max_iterations", 0, "`max_iterations` is 0; it must be at least 1"),
    ],
)
def test_limits_are_checked(method: str, option: str, value: float, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        assent.consensus([["a", "b"], ["a", "a"]], method, **{option: value})


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("dawid-skene", {"smoothing": -0.1}, "`smoothing` is -0.1; it must not be negative"),
        ("mace", {"smoothing": -0.1}, "`smoothing` is -0.1; it must not be negative"),
        ("mace", {"restarts": 0}, "`restarts` is 0; it must be at least 1"),
        ("mace", {"estimation": "vb"}, '`estimation` is "vb", which is not one of variational, em'),
        ("mace", {"smoothing": 1.0}, "`smoothing` is for the `estimation` em; the variational one has priors instead"),
        ("one-coin", {"smoothing": 1.0}, "one-coin has no option `smoothing`: it is an option of dawid-skene, mace"),
        ("one-coin", {"tolerence": 1.0}, 'did you mean "tolerance"'),
        ("majority", {"seed": -1}, "`seed` is -1"),
        ("majority", {"ties": "first"}, '`ties` is "first", which is not one of none, random'),
        ("voting", {}, 'There is no consensus method "voting"'),
    ],
)
def test_options_are_checked(method: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        assent.consensus([["a", "b"], ["a", "a"]], method, **options)


@pytest.mark.parametrize("method", ["dawid-skene", "one-coin"])
def test_a_label_that_nobody_uses_is_next_to_impossible(method: str) -> None:
    """It is no hidden class that explains what the others do not."""
    rows, _ = simulated(40, 3, 8, 3, 1)
    data = annotations(rows)
    found = assent.consensus(data.ordered(["L0", "never", "L2", "L1"]), method)
    assert found.labels == ("L0", "never", "L2", "L1")
    assert found.label_scores["prior"][1] <= 1e-10
    assert found.probabilities.dense()[:, 1].max() < 1e-8
    if method == "dawid-skene":
        bare = assent.consensus(data, method)
        assert_same(
            {item: {c: p for c, p in row.items() if c != "never"} for item, row in probabilities(found).items()},
            probabilities(bare),
            1e-6,
        )
        matrix = found.confusion("w00")
        assert np.isnan(matrix[1]).all()
        assert (matrix[[0, 2, 3], 1] < 1e-12).all()
        assert np.nansum(matrix, axis=1)[[0, 2, 3]] == pytest.approx(1.0)


def test_many_numbers_from_few_annotations_are_pointed_out() -> None:
    rows, _ = simulated(20, 3, 30, 4, 1)
    found = assent.consensus(annotations(rows), "dawid-skene")
    assert any("numbers from 60 annotations" in note for note in found.notes)
    rows, _ = simulated(200, 3, 3, 2, 1)
    assert not assent.consensus(annotations(rows), "dawid-skene").notes
