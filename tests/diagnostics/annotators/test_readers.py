"""Who could be somebody who does the work: leanings, items read otherwise, and the likelihood ratio against one who clicks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import assent
from assent.analyses.annotators.readers import _foretold, lost_by_leaning, reads_otherwise
from assent.analyses.annotators.relative_agreement import relative_agreement
from assent.analyses.annotators.table import AnnotatorTable
from assent.profiles import Array
from studies.annotators import Design, team_of
from studies.honest import thresholds


def team_from(said: Array) -> AnnotatorTable:
    items, count = said.shape
    design = Design(name="all", n_annotators=count, n_items=items, each=count, shares=(1,) * (int(said.max()) + 1))
    return team_of(design, np.tile(np.arange(count), (items, 1)), said.astype(int))


def slow_loss(said: Array, who: int) -> float:
    """Rasch's model of one annotator, item by item: what a leaning that gives as many of the second label costs in agreement."""
    ones, size = said.sum(axis=1), said.shape[1]
    disputed = (ones > 0) & (ones < size)

    def chance(leaning: float) -> Array:
        return np.asarray(ones * np.exp(leaning) / (ones * np.exp(leaning) + size - ones))

    leaning = brentq(lambda one: chance(one)[disputed].sum() - said[disputed, who].sum(), -20, 20, xtol=1e-13)
    own = chance(leaning)
    # Agreement with the others less theirs among themselves, if the label is the second or the first.
    relative = []
    for label in (0, 1):
        same = np.where(label == 1, ones, size - ones) - 1
        rest = (ones - label, size - ones - (1 - label))
        among = sum(one * (one - 1) for one in rest) / ((size - 1) * (size - 2))
        relative.append(same / (size - 1) - among)
    return -float(np.mean(np.where(disputed, own * relative[1] + (1 - own) * relative[0], 0.0)))


@pytest.mark.parametrize("who", range(5))
def test_what_leaning_costs_is_that_of_a_model_that_is_solved_item_by_item(who: int) -> None:
    said = thresholds(300, 5)(np.random.default_rng(who)).astype(int)
    wanted = np.arange(5) == who
    found = lost_by_leaning(team_from(said), wanted)
    # Half a count is added to both sides while leanings are sought, which leaves their solution where it is.
    assert found[who] == pytest.approx(max(0.0, slow_loss(said, who)), abs=1e-6)
    assert not found[~wanted].any()


def test_who_does_not_lean_loses_nothing() -> None:
    said = np.stack([np.roll([0, 0, 1, 1], turn) for turn in range(4)] * 10)
    assert lost_by_leaning(team_from(said), np.ones(4, dtype=bool)) == pytest.approx(np.zeros(4), abs=1e-9)


@pytest.mark.parametrize("labels", [2, 3])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.2])
@pytest.mark.parametrize("leans", [False, True])
def test_the_tail_is_how_often_a_reader_looks_so_much_like_one_who_clicks(
    labels: int, share: float, leans: bool
) -> None:
    """Draw the labels of such readers: the tail is the share of those whose likelihood ratio is as low, given their labels if they lean."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, labels, (40, 1))
    known = np.array([0.3, 0.7, 0.7, 0.7])
    said = np.where(rng.random((40, 4)) < known, truth, rng.integers(0, labels, (40, 4)))
    team = team_from(said)
    foretold = _foretold(team, 0, float(relative_agreement(team).others[0]))
    assert foretold is not None
    found = foretold.tail(share, labels, leans=leans)
    chance = (1 - share) * foretold.chance + share * (1 - foretold.chance) / (labels - 1)
    chance /= chance.sum(axis=1, keepdims=True)
    given = foretold.given
    if leans:
        chance = foretold._leaning(chance)
        assert foretold.times @ chance == pytest.approx(given, abs=1e-3)
    rows = np.repeat(np.arange(len(chance)), foretold.times.astype(int))
    draws = np.array([rng.choice(labels, 60_000, p=chance[row]) for row in rows])
    clicks = (given + 0.5) / (given.sum() + 0.5 * labels)
    score = np.log(chance) - np.log(clicks)
    total = score[rows[:, None], draws].sum(axis=0)
    seen = float(score[np.arange(len(chance)), foretold.own] @ foretold.times)
    if leans:
        counts = np.stack([(draws == label).sum(axis=0) for label in range(labels)], axis=1)
        total = total[(counts == given).all(axis=1)]
        assert len(total) > 500
    drawn = float((total <= seen + 1e-9).mean())
    # Of forty items, given how often they have each label, a sum moves in steps that the approximation does not know: it is on the safe side.
    assert 0.85 * drawn - 0.001 <= found <= (1.4 if leans else 1.15) * drawn + 0.001


def test_it_is_small_for_who_clicks_and_not_for_a_reader() -> None:
    """Labels of 90 : 10: one who clicks with these shares agrees on 82 % of the items."""
    rng = np.random.default_rng(5)
    truth = rng.random((300, 1)) < 0.1
    said = np.where(rng.random((300, 5)) < 0.9, truth, ~truth).astype(int)
    said[:, 0] = rng.random(300) < 0.1
    otherwise = rng.random(300) < 0.2
    said[otherwise, 1] = 1 - said[otherwise, 1]
    team = team_from(said)
    found = reads_otherwise(team, relative_agreement(team), np.ones(5, dtype=bool), otherwise=0.2)
    assert found[0] < 1e-4
    assert found[1:].min() > 0.01
    some = reads_otherwise(team, relative_agreement(team), np.arange(5) == 0, otherwise=0.2)
    assert some[0] == found[0]
    assert np.isnan(some[1:]).all()


def test_one_label_foretells_nothing() -> None:
    team = team_from(np.zeros((20, 3), dtype=int))
    assert _foretold(team, 0, 1.0) is None
    assert np.isnan(reads_otherwise(team, relative_agreement(team), np.ones(3, dtype=bool), otherwise=0.2)).all()


def test_the_strict_and_the_lenient_are_not_flagged_and_one_who_clicks_among_them_is() -> None:
    """A continuum of thresholds had somebody who differs in 13 to 21 % of such teams."""
    rng = np.random.default_rng(6)

    def flagged(clicks: bool) -> list[list[str]]:
        made = thresholds(200, 8, clicks=clicks)
        tables = (np.where(made(rng), "yes", "no").tolist() for _ in range(25))
        return [list(assent.annotators(table).kinds) for table in tables]

    assert sum(map(bool, flagged(clicks=False))) <= 4
    assert sum("1" in names or 0 in names for names in flagged(clicks=True)) >= 21


def test_who_gives_the_second_label_seldom_but_where_the_others_do_is_not_called_a_one_label_annotator() -> None:
    rng = np.random.default_rng(7)
    item = rng.normal(size=(300, 1))
    said = item + 0.4 * rng.normal(size=(300, 6)) > np.array([1.9, 0, 0, 0.1, -0.1, 0])
    strict = assent.annotators(np.where(said, "yes", "no").tolist())
    assert 0.01 < said[:, 0].mean() < 0.05
    assert strict.n_flagged == 0
    said[:, 0] = rng.permutation(said[:, 0])
    clicks = assent.annotators(np.where(said, "yes", "no").tolist())
    assert list(clicks.kinds.values()) == ["one-label"]
