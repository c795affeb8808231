"""The rows of the comparison: what is computed, from which table, by which packages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["PACKAGES", "ROWS", "Peer", "Row"]

#: Versions and environments; one package asks for versions of others that nobody else wants.
PACKAGES = {
    "crowd-kit": ("1.4.2", "common"),
    "irrCAC": ("0.4.4", "irrcac"),
    "krippendorff": ("0.9.0", "common"),
    "NLTK": ("3.10.4", "common"),
    "pingouin": ("0.7.0", "common"),
    "scikit-learn": ("1.9.1", "common"),
    "simpledorff": ("0.0.2", "common"),
    "statsmodels": ("0.15.0", "common"),
}

#: Values are the same but for the rounding of floats.
EQUAL = 1e-9


@dataclass(frozen=True, kw_only=True)
class Peer:
    """Another package and its answer.

    Parameters
    ----------
    package : str
    program : str
        Its function in programs.py.
    options : mapping of str to value
    tolerance : mapping of str to float
        How far the parts of its answer may be from ours; what is not named is not compared.
    lots : float
        By how many standard errors the ends of an interval may differ where both come from random numbers; 0: not compared.
    remark : str
        What it does otherwise.
    """

    package: str
    program: str
    options: Mapping[str, Any] = field(default_factory=dict)
    tolerance: Mapping[str, float] = field(default_factory=lambda: {"value": EQUAL})
    lots: float = 0.0
    remark: str = ""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One question about one table.

    Parameters
    ----------
    what : str
    table : str
        Its kind, see tables.py.
    items, quick : int
        Items of the table, and in a quick run.
    command : tuple of str
        Arguments of `assent` besides the file.
    options : mapping of str to value
        The same for the library.
    peers : tuple of Peer
        None if it is measured beside the reading of the file alone.
    goal : float, optional
        How many times as long as the reading of the file it may take.
    """

    what: str
    table: str
    items: int
    quick: int
    command: tuple[str, ...]
    options: Mapping[str, Any]
    peers: tuple[Peer, ...]
    goal: float | None = 2.0

    @property
    def aggregates(self) -> bool:
        """True if the answer is a file with a label for every item."""
        return self.command[0] == "consensus"

    @property
    def writes(self) -> str:
        """The ending of the file that is written; nothing if the answer is printed."""
        return {"consensus": ".csv", "report": ".html"}.get(self.command[0], "")


def _measure(
    what: str,
    table: str,
    items: int,
    name: str,
    *peers: Peer,
    quick: int = 1000,
    ci: str | None = None,
    **options: Any,
) -> Row:
    """Write a row that asks for a coefficient, with an interval if `ci` says which."""
    flags = [part for key, value in options.items() for part in (f"--{key}", str(value))]
    command = ("measure", "--json", "--measure", name, "--ci", ci or "none", *flags)
    asked = {"measure": name, **({"ci": ci} if ci else {}), **options}
    return Row(
        what=what, table=table, items=items, quick=min(items, quick), command=command, options=asked, peers=peers
    )


def _alone(what: str, table: str, items: int, *command: str, goal: float | None = None) -> Row:
    """Write a row that is measured beside the reading of the file alone."""
    return Row(what=what, table=table, items=items, quick=1000, command=command, options={}, peers=(), goal=goal)


def _krippendorff(level: str = "nominal") -> Peer:
    return Peer(package="krippendorff", program="krippendorff_alpha", options={"level": level})


SIMPLEDORFF = Peer(package="simpledorff", program="simpledorff_alpha")
NLTK = Peer(package="NLTK", program="nltk_alpha")
ALPHA = "krippendorff-alpha"
JUDGES = [part for i in range(10) for part in ("--judge", f"judge{i}")]
RANKED = ["--object", "object", "--rank", "rank", "--measure", "mean-kendall", "--ci", "bootstrap"]
CHOSEN = ["--annotator", "judge", "--item", "prompt", "--measure", "preference-agreement"]
ROUNDS = 100
#: Standard errors are compared in place of intervals, which stand on the t distribution here and there on the normal one.
WITH_ERROR = {"value": EQUAL, "error": EQUAL}
WITH_ENDS = {"value": EQUAL, "low": EQUAL, "high": EQUAL}

ROWS = (
    # Files of everyday size, where the start of a program is most of its time.
    _measure("alpha", "long", 25, ALPHA, _krippendorff(), SIMPLEDORFF, NLTK),
    _measure(
        "Cohen's kappa", "two", 50, "cohen-kappa",
        Peer(package="scikit-learn", program="sklearn_kappa"),
        Peer(package="statsmodels", program="statsmodels_kappa"),
        Peer(package="NLTK", program="nltk_kappa"),
    ),
    _measure("alpha", "long", 2500, ALPHA, _krippendorff(), SIMPLEDORFF, NLTK),
    # Larger ones.
    _measure("alpha", "long", 100_000, ALPHA, _krippendorff(), NLTK),
    _measure("alpha, ordinal", "numbers", 100_000, ALPHA, _krippendorff("ordinal"), scale="ordinal"),
    _measure("alpha, interval", "numbers", 100_000, ALPHA, _krippendorff("interval"), scale="interval"),
    _measure("Fleiss' kappa", "long", 100_000, "fleiss-kappa", Peer(package="statsmodels", program="statsmodels_fleiss")),
    _measure(
        "Fleiss' kappa with interval", "panel", 100_000, "fleiss-kappa",
        Peer(package="irrCAC", program="irrcac_raw", options={"measure": "fleiss"}, tolerance=WITH_ERROR),
        ci="analytic",
    ),
    _measure(
        "AC1 with interval", "panel", 100_000, "gwet-ac",
        Peer(package="irrCAC", program="irrcac_raw", options={"measure": "gwet"}, tolerance=WITH_ERROR),
        ci="analytic",
    ),
    _measure(
        "Cohen's kappa", "two", 1_000_000, "cohen-kappa",
        Peer(package="scikit-learn", program="sklearn_kappa"),
        Peer(package="statsmodels", program="statsmodels_kappa"),
    ),
    _measure(
        "Cohen's kappa with interval", "two", 1_000_000, "cohen-kappa",
        Peer(package="statsmodels", program="statsmodels_kappa", options={"interval": True}, tolerance=WITH_ERROR),
        ci="analytic",
    ),
    _measure(
        "kappa, quadratic weights", "grades", 1_000_000, "cohen-kappa",
        Peer(package="scikit-learn", program="sklearn_kappa", options={"weights": "quadratic"}),
        Peer(package="statsmodels", program="statsmodels_kappa", options={"weights": "quadratic"}),
        weights="quadratic",
    ),
    _measure("alpha", "long", 1_000_000, ALPHA, _krippendorff()),
    # With a bootstrap.
    _measure(
        "alpha, 1,000 bootstrap samples", "long", 10_000, ALPHA,
        Peer(
            package="krippendorff", program="krippendorff_bootstrap", options={"replicates": 1000},
            # The end of a 95 % interval from 1,000 samples has a standard error of its own of 0.08; this is five of their difference.
            lots=0.6,
            remark="a loop by hand",
        ),
        ci="bootstrap", bootstrap="percentile",
    ),
    _measure(
        "alpha, 1,000 bootstrap samples", "long", 1_000_000, ALPHA,
        Peer(
            package="krippendorff", program="krippendorff_alpha", options={"level": "nominal"},
            remark="the bare value",
        ),
        ci="bootstrap",
    ),
    _measure(
        "ICC(2,1) with interval", "scores", 2500, "icc",
        Peer(package="pingouin", program="pingouin_icc", tolerance=WITH_ENDS), ci="analytic",
    ),
    _measure(
        "ICC(2,1) with interval", "scores", 100_000, "icc",
        Peer(package="pingouin", program="pingouin_icc", tolerance=WITH_ENDS), ci="analytic",
    ),
    # Sets of labels: the other package compares every pair of annotations.
    _measure(
        "alpha of sets, Jaccard", "sets", 2000, ALPHA,
        Peer(package="NLTK", program="nltk_alpha", options={"distance": "jaccard"}),
        distance="jaccard", separator=";",
    ),
    _measure(
        "alpha of sets, MASI", "sets", 2000, ALPHA,
        Peer(package="NLTK", program="nltk_alpha", options={"distance": "masi"}),
        distance="masi", separator=";",
    ),
    # A label for every item.
    Row(
        what="majority", table="crowd", items=100_000, quick=1000, command=("consensus", "--method", "majority"),
        options={"method": "majority"},
        peers=(Peer(package="crowd-kit", program="crowdkit_majority", tolerance={}),), goal=2.5,
    ),
    Row(
        what=f"Dawid-Skene, {ROUNDS} rounds", table="crowd", items=100_000, quick=1000,
        command=(
            "consensus", "--method", "dawid-skene", "--tolerance", "0", "--max-iterations", str(ROUNDS),
        ),
        options={"method": "dawid-skene", "tolerance": 0, "max_iterations": ROUNDS},
        peers=(Peer(package="crowd-kit", program="crowdkit_dawid_skene", options={"rounds": ROUNDS}, tolerance={}),),
        goal=4.0,
    ),
    # Nobody else has these: they are measured beside the reading of the file.
    _alone("alpha with the usual interval", "long", 1_000_000, "measure", "--json", "--measure", ALPHA, goal=2.0),
    _alone("annotators of a crowd", "workers", 200_000, "annotators", goal=6.0),
    _alone("annotators of a team", "team", 200_000, "annotators", goal=6.0),
    _alone("report on a crowd", "workers", 200_000, "report", goal=10.0),
    _alone("report on a team", "team", 200_000, "report", goal=10.0),
    _alone("ten judges beside five people", "judged", 100_000, "judge", "--json", *JUDGES),
    _alone("F1 of spans", "spans", 42_000, "measure", "--json", "--measure", "span-f1"),
    _alone("mean Kendall tau of rankings", "rankings", 10_000, "measure", "--json", *RANKED),
    _alone("agreement of preferences", "preferences", 200_000, "measure", "--json", *CHOSEN),
)  # fmt: skip
