"""One label for every item, and how sure it is: ways to a consensus of annotators.

A new file in `methods`, or a module that an installed package names under the entry point ``assent.consensus``, adds its methods to
the library, the command line, the documentation and the comparison with known labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assent.analyses.consensus.gold import GoldComparison, GoldScore, wilson_interval
from assent.analyses.consensus.registry import METHODS, Method, Outcome, all_methods, find, method
from assent.analyses.consensus.result import Consensus
from assent.analyses.consensus.search import consensus

# For type checkers, which do not run the search.
if TYPE_CHECKING:
    from assent.analyses.consensus.methods.counting import intersection, majority
    from assent.analyses.consensus.methods.crowdtruth import crowdtruth
    from assent.analyses.consensus.methods.dawid_skene import dawid_skene
    from assent.analyses.consensus.methods.mace import mace
    from assent.analyses.consensus.methods.one_coin import one_coin
    from assent.analyses.consensus.methods.pooled_dawid_skene import pooled_dawid_skene
    from assent.analyses.consensus.methods.rating_model import rating_model
    from assent.analyses.consensus.methods.sharpening import sharpening

__all__ = [
    "METHODS",
    "Consensus",
    "GoldComparison",
    "GoldScore",
    "Method",
    "Outcome",
    "all_methods",
    "consensus",
    "crowdtruth",
    "dawid_skene",
    "find",
    "intersection",
    "mace",
    "majority",
    "method",
    "one_coin",
    "pooled_dawid_skene",
    "rating_model",
    "sharpening",
    "wilson_interval",
]


def __getattr__(name: str) -> Any:
    """Return a method by the name of its function."""
    found = None if name.startswith("_") else METHODS.all().get(name.replace("_", "-"))
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return found
