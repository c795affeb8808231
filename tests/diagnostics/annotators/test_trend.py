"""Better or worse with time: against a correlation that others compute, and on annotators who do and do not change."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import pearsonr, rankdata
from tests.diagnostics.annotators.simulated import drawn, listing

from assent import InputError
from assent.analyses.annotators.relative_agreement import relative_agreement
from assent.analyses.annotators.table import AnnotatorTable
from assent.analyses.annotators.trend import moments, trend


def test_it_is_the_correlation_with_the_rank_in_time() -> None:
    rng = np.random.default_rng(0)
    who, said, _ = drawn(rng, annotators=5, items=100, each=3, shares=[1, 1, 1])
    team = AnnotatorTable.of_listing(listing(who, said, 5, 3))
    residual = relative_agreement(team).residual
    when = rng.integers(0, 40, len(team.item)).astype(float)
    when[::17] = np.nan
    found = trend(team, residual, when, least=10)
    for one in range(5):
        mine = (team.annotator == one) & ~np.isnan(when)
        ranks = rankdata(when[mine])
        expected = pearsonr(ranks, residual[mine])
        assert found.items[one] == mine.sum()
        assert found.correlation[one] == pytest.approx(expected.statistic)
        assert found.p_value[one] == pytest.approx(expected.pvalue)
        late = 2 * (ranks - 1) >= mine.sum()
        assert found.first_half[one] == pytest.approx(residual[mine][~late].mean())
        assert found.second_half[one] == pytest.approx(residual[mine][late].mean())
    assert found.without_time == len(when[::17])


def test_who_tires_is_found_and_items_that_get_harder_are_nobodys_fault() -> None:
    rng = np.random.default_rng(1)
    items = 1200
    who = np.argsort(rng.random((items, 6)), axis=1)[:, :3]
    truth = rng.integers(0, 3, (items, 1))
    progress = np.linspace(0, 1, items)[:, None]
    # All do worse on later items; one of them clicks more and more besides.
    skill = np.where(who == 2, 0.95 - 0.9 * progress, 0.95 - 0.3 * progress)
    said = np.where(rng.random(who.shape) < skill, truth, rng.integers(0, 3, who.shape))
    team = AnnotatorTable.of_listing(listing(who, said, 6, 3))
    found = trend(team, relative_agreement(team).residual, team.item.astype(float), least=10)
    assert found.p_value.argmin() == 2
    assert found.p_value[2] < 0.001
    assert found.correlation[2] < 0
    assert found.second_half[2] < found.first_half[2] - 0.1
    # RelativeAgreement is relative: beside somebody who falls behind others may seem to rise, but nobody else falls.
    assert not ((np.delete(found.p_value, 2) < 0.05) & (np.delete(found.correlation, 2) < 0)).any()


def test_few_or_unchanging_annotations_have_no_trend() -> None:
    who, said, _ = drawn(np.random.default_rng(2), annotators=3, items=8, each=3, shares=[1, 1])
    team = AnnotatorTable.of_listing(listing(who, said, 3, 2))
    assert np.isnan(trend(team, relative_agreement(team).residual, np.arange(24.0), least=10).p_value).all()
    agreed = AnnotatorTable.of_listing(listing(who, np.zeros_like(said), 3, 2))
    assert np.isnan(trend(agreed, relative_agreement(agreed).residual, np.arange(24.0), least=3).correlation).all()
    without = trend(team, relative_agreement(team).residual, np.full(24, np.nan), least=3)
    assert without.items.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["3", "1.5", None, " 2 "], [3, 1.5, np.nan, 2]),
        (["2024-01-02", "2024-01-01", ""], [86400, 0, np.nan]),
        (["2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00"], [0, 0]),
        (["2024-01-01 10:00:00", "2024-01-01 10:00:30.5"], [0, 30.5]),
        ([None, None], [np.nan, np.nan]),
    ],
)
def test_times_are_numbers_or_iso(values: list[str | None], expected: list[float]) -> None:
    assert moments(values, "when") == pytest.approx(expected, nan_ok=True)


def test_what_is_no_time_is_said() -> None:
    with pytest.raises(InputError, match='"when" holds "yesterday", which is neither a number nor a time'):
        moments(["2024-01-01", "yesterday"], "when")
    with pytest.raises(InputError, match="have a time zone and others do not"):
        moments(["2024-01-01T00:00:00Z", "2024-01-01T00:00:00"], "when")
