"""Judges that rank objects, or prefer one of two, beside people."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import spearmanr

import assent
from assent import Preferences, Rankings
from assent.errors import OptionError
from assent.inference.intervals import _skewed, unskewed


def lists(noise: dict[str, float], *, seed: int = 0, number: int = 40) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {
        who: np.array([np.argsort(np.argsort(truth + rng.normal(0, spread, 6))) + 1 for truth in _truths(number)])
        for who, spread in noise.items()
    }


def _truths(number: int) -> list[np.ndarray]:
    rng = np.random.default_rng(99)
    return [rng.permutation(6).astype(float) for _ in range(number)]


def rankings(places: dict[str, np.ndarray]) -> Rankings:
    return Rankings.from_rows(
        [
            (f"q{q}", who, f"s{o}", float(place))
            for who, some in places.items()
            for q, row in enumerate(some)
            for o, place in enumerate(row)
        ]
    )


PEOPLE = {"ann": 1.0, "bob": 1.0, "cleo": 1.2}


def test_rankings_of_a_judge_are_compared_by_rank_correlations() -> None:
    places = lists({**PEOPLE, "gpt": 1.0})
    found = assent.judge(rankings(places), judge="gpt", replicates=50).judges[0]

    def mean(one: str, two: str) -> float:
        return float(np.mean([spearmanr(a, b).statistic for a, b in zip(places[one], places[two], strict=True)]))

    among = np.mean([mean(*pair) for pair in combinations(PEOPLE, 2)])
    beside = np.mean([mean(who, "gpt") for who in PEOPLE])
    assert found.team.human_human == pytest.approx(among)
    assert found.team.human_judge == pytest.approx(beside)
    assert found.team.difference is not None
    assert found.team.difference.value == pytest.approx(beside - among)
    for who, value, shared in found.team.by_person:
        assert (value, shared) == (pytest.approx(mean(who, "gpt")), 40)
    without = []
    for left in range(40):
        kept = {who: np.delete(some, left, axis=0) for who, some in places.items()}
        one = assent.judge(rankings(kept), judge="gpt", replicates=1).judges[0].team.difference
        assert one is not None
        without.append(one.value)
    spread = math.sqrt(39 / 40 * ((np.array(without) - np.mean(without)) ** 2).sum())
    assert found.team.difference.standard_error("jackknife") == pytest.approx(spread)


def test_who_is_closer_in_a_list_is_the_literal_comparison() -> None:
    places = lists({**PEOPLE, "gpt": 1.5}, seed=3)
    found = assent.judge(rankings(places), judge="gpt", replicates=1).judges[0].alt_test
    for one in found.humans:
        others = [who for who in PEOPLE if who != one.annotator]
        counts = [0, 0, 0]
        for q in range(40):
            person, judge = (
                np.mean([spearmanr(places[who][q], places[other][q]).statistic for other in others])
                for who in (one.annotator, "gpt")
            )
            counts[0 if person > judge + 1e-9 else 2 if judge > person + 1e-9 else 1] += 1
        assert [one.human_closer, one.tie, one.judge_closer] == counts


def votes(noise: dict[str, float], *, seed: int = 0, number: int = 120, ties: float = 0.0) -> Preferences:
    rng = np.random.default_rng(seed)
    better = np.random.default_rng(98).integers(0, 2, number)
    rows = []
    for who, wrong in noise.items():
        for pair in range(number):
            left, right = (f"a{pair}", f"b{pair}") if (pair + len(who)) % 2 else (f"b{pair}", f"a{pair}")
            won = "ab"[int(better[pair] ^ (rng.random() < wrong))] + str(pair)
            rows.append((who, left, right, "tie" if rng.random() < ties else won))
    return Preferences.from_rows(rows)


@pytest.mark.parametrize("ties", [0.0, 0.2])
def test_preferences_of_a_judge_are_compared_by_their_coefficient(ties: float) -> None:
    data = votes({"ann": 0.1, "bob": 0.1, "cleo": 0.15, "gpt": 0.2}, ties=ties)
    found = assent.judge(data, judge="gpt", replicates=50).judges[0]
    each = {
        who: assent.preference_agreement(data.only_annotators([who, "gpt"])).value for who in ("ann", "bob", "cleo")
    }
    assert {who: value for who, value, _ in found.team.by_person} == pytest.approx(each)
    assert found.team.human_judge == pytest.approx(np.mean(list(each.values())))
    among = [assent.preference_agreement(data.only_annotators(pair)).value for pair in combinations(each, 2)]
    assert found.team.human_human == pytest.approx(np.mean(among))
    plain = found.to_dict()
    assert plain["team"]["coefficient"] == "coefficient of preferences"
    assert plain["pool"] is plain["errors"] is plain["soft_labels"] is None
    assert found.constant.label in ("left", "right")
    assert abs(found.constant.team.human_judge) < 0.3


def test_gates_and_pages_of_judges_that_rank_or_prefer() -> None:
    good = votes({"ann": 0.15, "bob": 0.15, "cleo": 0.15, "gpt": 0.02}, number=300)
    found = assent.judge(good, judge="gpt", gate=["noninferior", "alt-test", "kappa"], fail_under=0.3, replicates=50)
    assert [one.outcome for one in found.gates] == ["pass", "pass", "pass"]
    assert all("constant" not in one.sentence or "does not" in one.sentence for one in found.gates)
    for made in (found, assent.judge(rankings(lists({**PEOPLE, "gpt": 1.0})), judge="gpt", replicates=20)):
        page = made.html()
        assert "Could it stand in for a person?" in page
        assert "Where does it err?" not in page
        assert "kappa" not in made.text().replace("`gate` kappa", "").replace("Gate kappa", "")


def test_a_judge_that_always_gives_the_same_order_is_the_bar_where_lists_share_objects() -> None:
    rng = np.random.default_rng(1)
    fixed = {
        who: np.array([np.argsort(np.argsort(np.arange(6) + rng.normal(0, 0.8, 6))) + 1 for _ in range(40)])
        for who in ("ann", "bob", "cleo", "gpt")
    }
    found = assent.judge(rankings(fixed), judge="gpt", gate=["alt-test"], replicates=20)
    assert found.judges[0].constant.label == "the same order"
    assert found.judges[0].constant.alt_test.passed
    assert found.gates[0].outcome == "unclear"
    apart = [
        (f"q{q}", who, f"q{q} s{o}", float(place))
        for who, some in fixed.items()
        for q, row in enumerate(some)
        for o, place in enumerate(row)
    ]
    told = assent.judge(Rankings.from_rows(apart), judge="gpt", replicates=20).notes
    assert any("no bar to pass" in note for note in told)


def test_one_person_and_unknown_judges() -> None:
    data = votes({"ann": 0.1, "gpt": 0.1})
    found = assent.judge(data, judge="gpt", replicates=1).judges[0]
    assert found.team.difference is None
    assert "one person only" in found.team.reason
    assert not math.isnan(found.team.human_judge)
    with pytest.raises(OptionError, match="no annotator"):
        assent.judge(data, judge="claude")
    with pytest.raises(OptionError, match="Every annotator is a judge"):
        assent.judge(data, judge=["ann", "gpt"])


@pytest.mark.parametrize("skew", [-2.0, -0.5, -0.1, 0.0, 0.1, 0.5, 2.0])
def test_what_allows_for_skewness_only_grows_and_can_be_undone(skew: float) -> None:
    quantiles = np.linspace(-8, 8, 401)
    made = [_skewed(one, skew) for one in quantiles]
    assert (np.diff(made) > 0).all() or skew
    assert (np.diff(made) > -1e-12).all()
    assert [unskewed(one, skew) for one in made] == pytest.approx(quantiles, abs=1e-6)
