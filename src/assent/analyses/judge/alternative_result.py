"""What the alternative annotator test says of a judge."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from assent.measures.results import Estimate, Interval
from assent.records import Struct, plain

__all__ = ["ENOUGH", "AlternativeTest", "HumanTest", "MeanDifference"]

#: Share of people to win against, as published.
ENOUGH = 0.5


class HumanTest(Struct, frozen=True, kw_only=True):
    """One person held out, and who is closer to the others: the person or the judge.

    Parameters
    ----------
    human_closer, tie, judge_closer : int
        Items of each kind.
    p, p_tango : float
        That the judge is worse by epsilon or more: t-test as published, and Tango's score test.
    p_cluster : float
        The same by a t-test with errors robust to clusters; NaN without clusters.
    win, win_tango : bool
        The hypothesis is rejected, at a false discovery rate over all people.
    low, high : float
        Tango's interval of the mean difference.
    """

    annotator: str
    human_closer: int
    tie: int
    judge_closer: int
    p: float
    p_tango: float
    p_cluster: float = math.nan
    win: bool
    win_tango: bool
    win_cluster: bool | None = None
    low: float
    high: float

    @property
    def n(self) -> int:
        """Items on which the person was held out."""
        return self.human_closer + self.tie + self.judge_closer

    @property
    def advantage(self) -> float:
        """Share of items on which the judge is at least as close."""
        return (self.judge_closer + self.tie) / self.n

    @property
    def difference(self) -> float:
        """Share of items on which the person is closer, less that on which the judge is."""
        return (self.human_closer - self.judge_closer) / self.n

    def to_dict(self) -> dict[str, Any]:
        """Return the test as plain values."""
        return {
            "annotator": self.annotator,
            "n": self.n,
            "human_closer": self.human_closer,
            "tie": self.tie,
            "judge_closer": self.judge_closer,
            "advantage": self.advantage,
            "difference": self.difference,
            "ci": {"low": plain(self.low), "high": plain(self.high), "method": "tango"},
            "p": plain(self.p),
            "win": self.win,
            "p_tango": plain(self.p_tango),
            "win_tango": self.win_tango,
            "p_cluster": plain(self.p_cluster),
            "win_cluster": self.win_cluster,
        }


class MeanDifference(Struct, frozen=True, kw_only=True, eq=False):
    """How much closer people are to the other people than the judge is: the alternative annotator test without steps.

    Parameters
    ----------
    estimate : Estimate or None
        Mean over people of the share of items where the person is closer, less that where the judge is.
    upper : float
        One-sided upper bound.
    tie_share : float
        Mean share of ties.
    """

    estimate: Estimate | None = None
    interval: Interval | None = None
    upper: float = math.nan
    lower: float = math.nan
    epsilon: float
    tie_share: float = math.nan
    reason: str = ""

    @property
    def value(self) -> float:
        """The mean difference."""
        return math.nan if self.estimate is None else self.estimate.value

    @property
    def noninferior(self) -> bool | None:
        """The judge is shown to be worse by less than epsilon."""
        return None if math.isnan(self.upper) else self.upper < self.epsilon

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        interval = self.interval
        return {
            "value": plain(self.value),
            "se": None if interval is None else plain(interval.standard_error),
            "ci": None if interval is None else interval.to_dict(),
            "upper": plain(self.upper),
            "epsilon": self.epsilon,
            "noninferior": self.noninferior,
            "tie_share": plain(self.tie_share),
            "reason": self.reason or None,
        }


class AlternativeTest(Struct, frozen=True, kw_only=True, eq=False):
    """The alternative annotator test of one judge.

    Parameters
    ----------
    epsilon : float
        How much worse than a person the judge may be for its lower price.
    score : {"agreement", "squared", "span-f1"}
        How closeness to the others is scored.
    humans : tuple of HumanTest
        Those with enough items.
    skipped : tuple of (str, int)
        The others, and how many items they have.
    stability : float
        Share of resamples of items (or clusters) that give the same verdict.
    passing : float
        Share of resamples that pass.
    score_gap : float
        Mean score of the judge less that of the people.
    n_items, n_dropped : int
        Items with two people or more and a label of the judge; all others.
    """

    epsilon: float
    score: str
    humans: tuple[HumanTest, ...]
    skipped: tuple[tuple[str, int], ...]
    stability: float
    passing: float
    replicates: int
    score_gap: float
    n_items: int
    n_dropped: int
    min_items: int
    clustered: bool = False

    @property
    def winning_rate(self) -> float:
        """Share of people whom the judge can stand in for, as published."""
        return _share([one.win for one in self.humans])

    @property
    def advantage(self) -> float:
        """Mean chance that the judge is at least as close as a person."""
        return float(np.mean([one.advantage for one in self.humans])) if self.humans else math.nan

    @property
    def passed(self) -> bool | None:
        """The published verdict; None if nobody could be tested."""
        return self.winning_rate >= ENOUGH if self.humans else None

    @property
    def tango_winning_rate(self) -> float:
        """The same by Tango's test."""
        return _share([one.win_tango for one in self.humans])

    @property
    def cluster_winning_rate(self) -> float:
        """The same with errors robust to clusters; NaN without clusters."""
        return _share([bool(one.win_cluster) for one in self.humans]) if self.clustered else math.nan

    @property
    def verdict(self) -> bool | None:
        """The verdict to go by: with clusters the one that allows for them."""
        return self.cluster_winning_rate >= ENOUGH if self.clustered and self.humans else self.passed

    def to_dict(self) -> dict[str, Any]:
        """Return the test as plain values."""
        known = bool(self.humans)
        return {
            "epsilon": self.epsilon,
            "score": self.score,
            "winning_rate": plain(self.winning_rate),
            "advantage": plain(self.advantage),
            "passed": self.passed,
            "stability": plain(self.stability),
            "passing_resamples": plain(self.passing),
            "replicates": self.replicates,
            "tango": {
                "winning_rate": plain(self.tango_winning_rate),
                "passed": self.tango_winning_rate >= ENOUGH if known else None,
            },
            "cluster": {
                "winning_rate": plain(self.cluster_winning_rate),
                "passed": self.verdict if self.clustered else None,
            },
            "score_gap": plain(self.score_gap),
            "humans": plain(self.humans),
            "skipped": dict(self.skipped),
            "min_items": self.min_items,
            "items": self.n_items,
            "items_dropped": self.n_dropped,
        }


def _share(wins: list[bool]) -> float:
    return sum(wins) / len(wins) if wins else math.nan
