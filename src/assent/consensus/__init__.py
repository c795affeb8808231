"""One label for every item, and how sure it is: ways to a consensus of annotators."""

from __future__ import annotations

from assent.consensus.counting import intersection, majority
from assent.consensus.crowdtruth import crowdtruth
from assent.consensus.dawid_skene import dawid_skene
from assent.consensus.gold import GoldScore, wilson_interval
from assent.consensus.mace import mace
from assent.consensus.one_coin import one_coin
from assent.consensus.registry import Method, aggregate, all_methods, find_method
from assent.consensus.result import Consensus
from assent.consensus.sharpening import sharpening

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
