"""Pooled Dawid-Skene, the rating model, and learning from known labels: against literal versions, and what they must do."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
import pytest
from scipy.special import digamma, gammaln
from tests.consensus import slow
from tests.consensus.data import Row, annotations, probabilities, scores, simulated

import assent
from assent.analyses.consensus.methods.pooled_dawid_skene import LEAST, MOST, START, STEPS
from assent.analyses.consensus.methods.rating_model import (
    SEVERITIES,
    SEVERITY_DOUBT,
    SLIP,
    SPREAD_DOUBT,
    SPREADS,
    USUAL_SPREAD,
)
from assent.errors import OptionError, UnsuitableData


def pooled(rows: Sequence[Row], rounds: int, known: dict[str, str] | None = None) -> tuple[dict, list[float]]:
    """Coordinate ascent, one number at a time."""
    labels, items, people = (slow.names(rows, place) for place in (2, 0, 1))
    known = known or {}

    def settle(posterior: dict) -> dict:
        return {
            item: {c: float(c == known[item]) for c in labels} if item in known else row
            for item, row in posterior.items()
        }

    posterior, common, trace = settle(slow.vote_shares(rows)), {}, []
    for turn in range(rounds):
        counts = {
            (who, true, label): sum(posterior[i][true] for i, w, given in rows if w == who and given == label)
            for who in people
            for true in labels
            for label in labels
        }
        if turn == 0:
            for true in labels:
                every = {label: sum(counts[who, true, label] for who in people) for label in labels}
                for label in labels:
                    share = (every[label] + 1 / len(labels)) / (sum(every.values()) + 1)
                    common[true, label] = min(max(START * share, LEAST), MOST)
        for _ in range(STEPS):
            moved = {}
            for true in labels:
                mass = sum(common[true, label] for label in labels)
                below = sum(digamma(sum(counts[who, true, c] for c in labels) + mass) - digamma(mass) for who in people)
                for label in labels:
                    alpha = common[true, label]
                    above = sum(digamma(counts[who, true, label] + alpha) - digamma(alpha) for who in people)
                    moved[true, label] = min(max(alpha * above / below, LEAST), MOST)
            common = moved
        prior = {c: max(sum(posterior[i][c] for i in items) / len(items), slow.FLOOR) for c in labels}
        logs, cost = {}, 0.0
        for who in people:
            for true in labels:
                mass = sum(common[true, label] for label in labels)
                total = sum(counts[who, true, label] for label in labels)
                cost += gammaln(total + mass) - gammaln(mass)
                for label in labels:
                    after = counts[who, true, label] + common[true, label]
                    logs[who, true, label] = digamma(after) - digamma(total + mass)
                    cost -= gammaln(after) - gammaln(common[true, label])
                    cost += counts[who, true, label] * logs[who, true, label]
        bound = -cost
        for item in items:
            joint = {
                true: math.log(prior[true]) + sum(logs[who, true, given] for i, who, given in rows if i == item)
                for true in labels
            }
            posterior[item], value = slow.normalised(joint)
            bound += joint[known[item]] if item in known else value
        posterior = settle(posterior)
        trace.append(bound)
    return posterior, trace


@pytest.mark.parametrize("rounds", [1, 2, 15])
@pytest.mark.parametrize("taught", [False, True])
def test_pooled_is_the_slow_one(rounds: int, taught: bool) -> None:
    rows, truth = simulated(18, 3, 6, 3, seed=4, ragged=True)
    known = {item: truth[item] for item in sorted(truth)[:5]} if taught else None
    found = assent.consensus(
        annotations(rows), "pooled-dawid-skene", max_iterations=rounds, tolerance=0, gold=known, learn=taught
    )
    posterior, trace = pooled(rows, rounds, known)
    for item, row in posterior.items():
        assert probabilities(found)[item] == pytest.approx(row, abs=1e-8), item
    assert found.trace == pytest.approx(trace, rel=1e-9)


def test_the_bound_never_falls() -> None:
    rows, _ = simulated(60, 3, 20, 4, seed=2, ragged=True)
    trace = assent.consensus(annotations(rows), "pooled-dawid-skene", max_iterations=200).trace
    assert all(after >= before - 1e-8 for before, after in itertools.pairwise(trace))


@pytest.mark.nightly
def test_few_items_each_are_no_problem() -> None:
    """200 annotators of 7 items each: borrowing from the others beats a matrix of one's own by far."""
    right = {"dawid-skene": 0, "pooled-dawid-skene": 0}
    for seed in range(3):
        rows, truth = simulated(500, 3, 200, 5, seed=seed)
        for name in right:
            right[name] += assent.consensus(annotations(rows), name, ties="random").score(truth).n_correct
    assert right["pooled-dawid-skene"] > right["dawid-skene"] + 100


def rated(
    seed: int, items: int, each: int, severity: Sequence[float], spread: float
) -> tuple[list[Row], dict[str, str]]:
    """Annotators who see the true step moved and blurred."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, items)
    rows = []
    for item, step in enumerate(truth.tolist()):
        for who in rng.choice(len(severity), each, replace=False).tolist():
            seen = step + severity[who] + spread * rng.normal()
            rows.append((f"i{item}", f"w{who}", str(int(np.clip(round(seen), 1, 5)))))
    return rows, {f"i{item}": str(step) for item, step in enumerate(truth.tolist())}


def ratings_by_hand(rows: Sequence[Row], rounds: int) -> tuple[dict, dict]:
    """EM with every severity and spread that is tried, one after the other."""
    labels, items, people = (slow.names(rows, place) for place in (2, 0, 1))
    normal = NormalDist()

    def chance(given: int, true: int, severity: float, spread: float) -> float:
        above = 1.0 if given == len(labels) - 1 else normal.cdf((given + 0.5 - true - severity) / spread)
        below = 0.0 if given == 0 else normal.cdf((given - 0.5 - true - severity) / spread)
        return (above - below + SLIP / len(labels)) / (1 + SLIP)

    tried = [(float(b), float(s)) for b in SEVERITIES for s in SPREADS]
    tables = {
        one: [[math.log(chance(g, t, *one)) for g in range(len(labels))] for t in range(len(labels))] for one in tried
    }
    posterior, chosen = slow.vote_shares(rows), {}
    for _ in range(rounds):
        prior = {c: max(sum(posterior[i][c] for i in items) / len(items), slow.FLOOR) for c in labels}
        for who in people:
            mine = [(item, labels.index(given)) for item, w, given in rows if w == who]
            best = None
            for one in tried:
                fit = (
                    -0.5 * (one[0] / SEVERITY_DOUBT) ** 2 - 0.5 * (math.log(one[1] / USUAL_SPREAD) / SPREAD_DOUBT) ** 2
                )
                for item, given in mine:
                    fit += sum(posterior[item][labels[t]] * tables[one][t][given] for t in range(len(labels)))
                if best is None or fit > best[0] + 1e-9:
                    best = (fit, one)
            chosen[who] = best[1] if best else (0.0, 1.0)
        for item in items:
            given = [(who, labels.index(label)) for i, who, label in rows if i == item]
            joint = {
                c: math.log(prior[c]) + sum(tables[chosen[who]][t][g] for who, g in given) for t, c in enumerate(labels)
            }
            posterior[item], _ = slow.normalised(joint)
    return posterior, chosen


def test_ratings_are_the_slow_ones() -> None:
    rows, _ = rated(3, 25, 3, [0.0, 0.0, -0.8, 0.4], 0.5)
    found = assent.consensus(annotations(rows), "rating-model", max_iterations=4, tolerance=0)
    posterior, chosen = ratings_by_hand(rows, 4)
    for item, row in posterior.items():
        assert probabilities(found)[item] == pytest.approx(row, abs=1e-7), item
    assert scores(found, "severity") == pytest.approx({who: one[0] for who, one in chosen.items()})
    assert scores(found, "spread") == pytest.approx({who: one[1] for who, one in chosen.items()})


def test_severities_are_found_and_taken_into_account() -> None:
    severity = [0.0, 0.0, 0.1, -0.1, -1.2, -1.0]
    rows, truth = rated(5, 400, 3, severity, 0.4)
    found = assent.consensus(annotations(rows), "rating-model", ties="random")
    for who, wanted in enumerate(severity):
        assert scores(found, "severity")[f"w{who}"] == pytest.approx(wanted, abs=0.35)
    # A third of the annotators is strict, so that majorities are often a step too low.
    assert found.score(truth).accuracy > assent.consensus(annotations(rows), ties="random").score(truth).accuracy + 0.05


def test_order_matters_and_must_be_known() -> None:
    rows = [
        (item, who, {"1": "low", "2": "mid", "3": "top"}.get(label, "top"))
        for item, who, label in rated(1, 30, 3, [0.0] * 4, 0.4)[0]
    ]
    with pytest.raises(UnsuitableData, match="give it with `order`"):
        assent.consensus(annotations(rows), "rating-model")
    found = assent.consensus(annotations(rows).ordered(["low", "mid", "top"]), "rating-model")
    assert found.converged


@pytest.mark.parametrize("method", ["dawid-skene", "pooled-dawid-skene", "rating-model"])
def test_known_labels_are_kept_and_teach(method: str) -> None:
    """One third is right and two thirds say 2 for 1: known labels turn the others round."""
    rng = np.random.default_rng(1)
    rows, truth = [], {}
    for item in range(120):
        step = int(rng.integers(1, 4))
        truth[f"i{item}"] = str(step)
        rows += [(f"i{item}", "w0", str(step))]
        rows += [(f"i{item}", f"w{who}", str(min(step + 1, 3))) for who in (1, 2)]
    known = {item: truth[item] for item in sorted(truth)[:40]}
    data = annotations(rows)
    found = assent.consensus(data, method, gold=known, learn=True)
    decided = dict(zip(found.items, found.decided, strict=True))
    assert all(decided[item] == label for item, label in known.items())
    hidden = {item: label for item, label in truth.items() if item not in known}
    assert found.score(hidden).accuracy > 0.95
    assert assent.consensus(data, method).score(hidden).accuracy < 0.7
    own = next(one for one in found.scores if one.method == method)
    assert own.n_items == 40
    assert own.accuracy > 0.9
    assert any("not learnt from" in note for note in found.notes)


def test_learning_needs_known_labels_and_a_method_that_learns() -> None:
    table = [["a", "a", "b"], ["b", "b", "b"]]
    with pytest.raises(OptionError, match="`gold`"):
        assent.consensus(table, "dawid-skene", learn=True)
    with pytest.raises(OptionError, match="dawid-skene or pooled-dawid-skene"):
        assent.consensus(table, "majority", gold={"1": "a"}, learn=True)


def test_a_score_that_learnt_is_not_a_score_on_what_was_learnt() -> None:
    """Annotators who click: learning makes the known items right and the others no better, and the score says so."""
    rng = np.random.default_rng(3)
    rows = [(f"i{item}", f"w{who}", "abc"[rng.integers(3)]) for item in range(90) for who in range(3)]
    truth = {f"i{item}": "abc"[rng.integers(3)] for item in range(90)}
    found = assent.consensus(annotations(rows), "pooled-dawid-skene", gold=truth, learn=True, ties="random")
    assert found.score(truth).accuracy == 1.0
    own = next(one for one in found.scores if one.method == "pooled-dawid-skene")
    assert own.accuracy < 0.6
