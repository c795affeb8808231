"""One label for every item, and how sure it is: ways to a consensus of annotators."""

from __future__ import annotations

from assent.analyses.consensus.counting import intersection, majority
from assent.analyses.consensus.crowdtruth import crowdtruth
from assent.analyses.consensus.dawid_skene import dawid_skene
from assent.analyses.consensus.gold import GoldScore, wilson_interval
from assent.analyses.consensus.mace import mace
from assent.analyses.consensus.one_coin import one_coin
from assent.analyses.consensus.registry import Method, aggregate, all_methods, find_method
from assent.analyses.consensus.result import Consensus
from assent.analyses.consensus.sharpening import sharpening

__all__ = [
    "Consensus",
    "GoldScore",
    "Method",
    "aggregate",
    "all_methods",
    "crowdtruth",
    "dawid_skene",
    "find_method",
    "intersection",
    "mace",
    "majority",
    "one_coin",
    "sharpening",
    "wilson_interval",
]
