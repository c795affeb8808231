"""Honest people are left alone: unlike annotators, minority readers, the strict and the lenient, and two who click alike."""

from __future__ import annotations

import numpy as np
import pytest

from assent.analyses.annotators.annotator_clusters import annotator_clusters
from assent.analyses.annotators.leaning_model import by_chance, by_leaning
from assent.analyses.annotators.relative_agreement import beyond, relative_agreement
from assent.analyses.annotators.table import AnnotatorTable
from assent.analyses.annotators.team_spread import beyond_spread
from studies.annotators import Design, draw, judge, team_of
from studies.honest import DESIGNS, HONEST, biased_clicker, clicker, flagged, strict_flagged, thresholds

TEAMS = 25


@pytest.mark.parametrize("name", ["skill sd 0.10", "minority reader, 20 % of the items"])
def test_teams_in_which_all_do_the_work_have_hardly_anybody_who_differs(name: str) -> None:
    """The whole study is studies/honest.py: at most 5 % of such teams."""
    rng = np.random.default_rng(1)
    alarms = sum(flagged(HONEST[name], design, TEAMS, rng)[0] * TEAMS for design in DESIGNS)
    assert alarms <= 11  # of 100: a rate of 5 % would be so far off once in a hundred times


def test_who_clicks_at_random_is_found() -> None:
    rng = np.random.default_rng(2)
    assert sum(flagged(clicker, design, TEAMS, rng)[1] for design in DESIGNS) / len(DESIGNS) >= 0.95


def test_who_clicks_with_the_shares_of_the_labels_is_found() -> None:
    """With labels of 90 : 10 such a clicker agrees on 82 % of the items, and was never found."""
    rng = np.random.default_rng(2)
    assert flagged(biased_clicker, DESIGNS[1], TEAMS, rng)[1] >= 0.6


def test_a_moved_null_is_the_null_of_one_who_agreed_on_more() -> None:
    """Without a margin the p-values are those of "all alike"; the larger the margin, the less is surely beyond it."""
    rng = np.random.default_rng(3)
    team = team_of(DESIGNS[2], *clicker(DESIGNS[2], rng))
    found = relative_agreement(team)
    count = len(team.annotators)
    assert beyond(team, found, np.zeros(count)) == pytest.approx(found.p_value)
    p_values = [beyond(team, found, np.full(count, margin))[0] for margin in (0.0, 0.05, 0.1, 0.2, 0.4)]
    assert p_values == sorted(p_values)
    assert p_values[0] < 1e-6
    assert p_values[-1] > 0.2


def graded(labels: int, spread: float, rng: np.random.Generator) -> AnnotatorTable:
    """Eight annotators from lenient to strict, who see the same on every item but for noise."""
    design = Design(name="graded", n_annotators=8, n_items=200, each=8, shares=(1,) * labels)
    seen = rng.normal(size=(200, 1)) + np.linspace(-spread, spread, 8) + 0.5 * rng.normal(size=(200, 8))
    said = (seen > 0).astype(int) if labels == 2 else np.clip(np.round(1.2 * seen + 2), 0, 4).astype(int)
    return team_of(design, np.tile(np.arange(8), (200, 1)), said)


@pytest.mark.nightly
@pytest.mark.parametrize(("labels", "spread"), [(2, 0.4), (2, 0.8), (2, 1.2), (5, 0.4), (5, 0.8)])
def test_the_strict_and_the_lenient_are_no_two_groups(labels: int, spread: float) -> None:
    """They were in 33 to 98 % (two labels) and 78 to 85 % (five points) of such teams."""
    rng = np.random.default_rng(4)
    assert sum(annotator_clusters(graded(labels, spread, rng)) is not None for _ in range(20)) <= 3


def test_two_who_click_with_the_same_bias_are_no_group() -> None:
    rng = np.random.default_rng(5)
    design = Design(name="clicks", n_annotators=8, n_items=200, each=8, shares=(1, 1))
    found = 0
    for _ in range(20):
        who, said = draw(design, rng)
        team = team_of(design, who, np.where(who < 2, (rng.random(said.shape) > 0.8).astype(int), said))
        found += annotator_clusters(team) is not None
    assert found <= 3


def test_leaning_without_a_leaning_is_chance_given_the_labels_of_the_item() -> None:
    """If all give every label as often, two annotations of an item agree as any two of its labels do."""
    rng = np.random.default_rng(6)
    said = np.stack([np.roll([0, 0, 1, 1], turn) for turn in range(4)] * 10)
    design = Design(name="even", n_annotators=4, n_items=40, each=4, shares=(1, 1))
    team = team_of(design, np.tile(np.arange(4), (40, 1)), said)
    sides = np.array([1, 1, -1, -1])
    for values in by_leaning(team, sides).values():
        assert values == pytest.approx(np.full(team.kinds, 1 / 3), abs=1e-6)
    for value in by_chance(team, sides).values():
        assert value == pytest.approx(0.5)
    # The strict and the lenient differ as their leanings say: what is left is nothing.
    spread = graded(2, 0.8, rng)
    halves = np.repeat([1, -1], 4)
    made = by_leaning(spread, halves)
    agreed = np.zeros(3)
    for place, (one, other) in enumerate(((1, 1), (-1, -1), (1, -1))):
        cells = [
            np.bincount(spread.cell[halves[spread.annotator] == side], minlength=len(spread.cell_count))
            for side in (one, other)
        ]
        pairs = 12.0 if one == other else 16.0
        met = (
            np.bincount(spread.cell_item, weights=cells[0] * (cells[1] - (one == other)), minlength=spread.kinds)
            / pairs
        )
        agreed[place] = np.average(met - made[one, other], weights=spread.weight)
    assert agreed == pytest.approx(np.zeros(3), abs=0.03)


@pytest.mark.nightly
def test_the_strictest_of_a_team_that_differs_in_strictness_are_not_said_to_give_one_label() -> None:
    """With the second label on an eighth of the items, the strict give it to hardly any: 4 to 6 % of such teams had somebody flagged for that."""
    rng = np.random.default_rng(5)
    found = sum(strict_flagged(thresholds(items, count, cut=1.3), 30, rng)[1] for items, count in ((100, 5), (150, 6)))
    assert found * 30 <= 2


SMALL_TEAMS = [
    Design(name="3, 100 items", n_annotators=3, n_items=100, each=3, shares=(1, 1)),
    Design(name="4, 250 items, 85 : 15", n_annotators=4, n_items=250, each=4, shares=(85, 15)),
]


@pytest.mark.parametrize(
    ("design", "clickers"),
    # Two of three who say the same are the majority.
    [(one, clickers) for one in (*DESIGNS, *SMALL_TEAMS) for clickers in (1, 2) if 2 * clickers <= one.n_annotators],
    ids=lambda one: getattr(one, "name", str(one)),
)
def test_who_gives_one_label_to_everything_is_found_beside_another(design: Design, clickers: int) -> None:
    rng = np.random.default_rng(6)
    found = 0
    for _ in range(10):
        who, said = draw(design, rng, 0.85)
        flagged_, _ = judge(team_of(design, who, np.where(who < clickers, 0, said)))
        found += bool(flagged_[0])
    assert found >= 9


@pytest.mark.parametrize(
    ("members", "spread", "shares"),
    [(4, 0.0, (0.05, 0.01)), (4, 0.3, (0.06, 0.025)), (2, 0.3, (0.11, 0.07)), (9, 0.3, (0.055, 0.015))],
)
def test_one_more_member_is_beyond_the_spread_of_a_team_as_often_as_said(
    members: int, spread: float, shares: tuple[float, float]
) -> None:
    """What the docstring says of how rough it is: never more often than that, but for three errors of the simulation."""
    rng = np.random.default_rng(7)
    values = rng.normal(0.0, np.hypot(spread, 0.1), (4_000, members + 1))
    known = np.arange(members + 1) > 0
    p_values = np.array([beyond_spread(one, np.full(members + 1, 0.01), known)[0] for one in values])
    for level, share in zip((0.05, 0.01), shares, strict=True):
        found = np.mean(p_values <= level)
        assert level / 3 <= found <= share + 3 * np.sqrt(share * (1 - share) / len(values))


def test_one_member_says_nothing_about_a_spread() -> None:
    value, one = np.array([-5.0, 0.0, 0.1]), np.array([False, True, False])
    assert beyond_spread(value, np.full(3, 0.01), one).tolist() == [0.0, 0.0, 0.0]
