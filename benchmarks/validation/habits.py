"""Why packages differ: what each of them does that assent does not, and which of it explains a difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from .ours import BY_ID
from .predictions import predicted

__all__ = ["REASONS", "explain", "same"]

#: Every reason for a difference, in the order of the page.
REASONS = {
    # The value.
    "ranks": "Labels that are numbers are weighted by their rank, 1, 2, 3 and so on; assent takes the numbers themselves, as "
    "irrCAC's `raw` and NLTK do. With the order option assent takes ranks, too, and gives the same value.",
    "alphabet": "Words are weighted in the order of the alphabet: high, low, mid. assent refuses to weight words unless their "
    "order is given; told the wrong order, it gives the same value.",
    "unused-left-out": "A label that nobody used does not count, and the package cannot be told of it. assent counts it if the order option "
    "names it: it is one more label to hit by chance, and one more step on a scale.",
    "gwet-ordinal": "Gwet's ordinal weights depend on the number of labels between two labels, Krippendorff's ordinal distance on "
    'the number of annotations between them. assent follows Krippendorff; with `weights="ordinal"` it gives the same value.',
    "singles-left-out": "Items with a single label are left out altogether; in assent, as in Gwet's handbook and in irrCAC, their labels "
    "count towards chance agreement (Fleiss' kappa of Krippendorff's table: 0.76117 with them, 0.76248 without).",
    "gaps-as-label": "A missing label (NaN) counts as one more label, so that two annotators who both skip an item agree, and one who "
    "skips it disagrees. assent leaves such pairs out.",
    "complete-items": "Every item that any annotator skipped is left out; assent uses whatever two annotators both labelled.",
    "all-agree": "Percent agreement is the share of items on which all annotators agree; in assent it is the mean share of pairs "
    "of annotations that agree, which is the same for two annotators only.",
    "by-annotations": "An item counts as often as it has annotations; in assent's percent agreement every item counts the same. "
    '`assent.spa(scheme="annotations")` gives the same value.',
    "alpha-of-irr": "A defect of R irr and its port: coincidences are not divided by the number of annotators less one unless a label "
    "is missing, so that alpha's correction for small samples is wrong for three or more annotators and complete data.",
    "alpha-triangle": "A defect of pyirr: it takes the coincidences above the wrong diagonal unless there are four or five labels, and puts them "
    "in order by a sort that is not stable.",
    "alpha-of-pycm": "A defect of pycm's weighted alpha: expected agreement squares the mean of one annotator's share of a label "
    "and the other's share of another label, where the product of the two labels' pooled shares belongs.",
    # The standard error and the interval.
    "by-n": "The large-sample standard error divides by N where assent, like irrCAC's `raw`, divides by N - 1: times the root of "
    "N / (N - 1) it is the same.",
    "normal": "The interval takes 1.96 standard errors, the quantile of the normal distribution; assent takes that of the t "
    "distribution with N - 1 degrees of freedom.",
    "null": "The standard error is the one that holds if there is no agreement beyond chance: right for a test of that, for which R irr, its "
    "port and statsmodels have it, and wrong for an interval, for which interrater takes it on request (`parametric_null`). That of "
    "assent holds for the agreement that was found.",
    "chance-known": "The standard error is Cohen's first one (1960), which takes chance agreement as known; Fleiss, Cohen and "
    "Everitt corrected it in 1969. The interval takes 1.96 of it.",
    "single-labels": "Gwet's standard errors take the share of items with two or more labels as known, and an item with a single label as far "
    "from the mean. assent takes both as part of the sample. On Krippendorff's table the jackknife agrees with it for AC1 (0.1429 by "
    "Gwet, 0.1247 here, 0.1252 by the jackknife); for Fleiss' kappa with quadratic weights it lies between (0.1460, 0.1164, 0.1345): "
    "with twelve items a linearised standard error can be too small.",
    "alpha-raw": "irrCAC's standard error of alpha, from raw data, leaves out alpha's correction for small samples in some places "
    "and not in others.",
    "alpha-dist": "irrCAC's standard error of alpha, from counts, lacks the factor 2 of the derivative of a squared share.",
    "pi-for-alpha": "The standard error of alpha is that of Scott's pi, without alpha's correction for small samples.",
    "cut-at-1": "The interval is cut at 1. So is that of assent; here its ends are compared before they are cut.",
    "icc-a-k": "R irr's port takes the interval of ICC(A,k) with the degrees of freedom that belong to a true value of 0; assent, like "
    "pingouin, with those of the estimate, as McGraw and Wong say.",
    # No number.
    "one-label": "All annotations have one label, so that agreement beyond chance is 0 / 0. assent says that it is undefined, and why; "
    "others say 1, or end with an exception.",
    "no-gaps": "It takes no missing labels and ends with an exception.",
    "no-zero": "It takes no 0 on a ratio scale and ends with an exception. Two zeros do not differ, and assent, like the package "
    "krippendorff, counts them so.",
    "index": "A defect of pyirr: with more than five labels the wrong diagonal leaves too few coincidences, and it ends with an exception.",
}

#: What each function of each package may be found to do. A name ends where it differs from that of other functions.
HABITS = {
    ("R irr", ""): ("null",),
    ("R irrCAC", ""): ("single-labels", "alpha-raw", "alpha-dist"),
    ("agreement", ""): ("ranks", "singles-left-out"),
    ("interrater", ""): ("ranks", "singles-left-out", "null"),
    ("irrCAC", "raw.CAC.krippendorff"): ("alphabet", "gwet-ordinal", "alpha-raw", "cut-at-1"),
    ("irrCAC", "raw."): ("alphabet", "single-labels", "cut-at-1"),
    ("irrCAC", "table.CAC.krippendorff"): ("ranks", "by-n", "pi-for-alpha"),
    ("irrCAC", "table."): ("ranks", "by-n"),
    ("nltk", ""): ("unused-left-out",),
    ("pycm", "weighted_alpha"): ("ranks", "alpha-of-pycm"),
    ("pycm", ""): ("ranks", "chance-known"),
    ("pyirr", "agree"): ("all-agree", "complete-items"),
    ("pyirr", "kripp_alpha"): ("alpha-of-irr", "alpha-triangle"),
    ("pyirr", "intraclass"): ("icc-a-k",),
    ("pyirr", ""): ("ranks", "unused-left-out", "null", "complete-items"),
    ("raterkit", ""): ("ranks", "by-annotations"),
    ("scikit-learn", ""): ("ranks", "alphabet"),
    ("statsmodels", "std_kappa0"): ("ranks", "alphabet", "gaps-as-label", "null"),
    ("statsmodels", ""): ("ranks", "alphabet", "gaps-as-label", "by-n", "normal"),
}


def same(theirs: float | None, ours: float | None, decimals: int | None, *, error: str | None = None) -> bool:
    """Tell whether two numbers are equal to the digits that the other one is given with."""
    if error is not None:
        return False
    if theirs is None or ours is None:
        return theirs is ours
    return abs(theirs - ours) <= (1e-9 if decimals is None else 0.5 * 10.0**-decimals * (1 + 1e-6))


def explain(answer: Mapping[str, Any]) -> tuple[list[str], bool]:
    """Find the reasons for a difference.

    Parameters
    ----------
    answer : mapping
        The question with table, measure, options, category and quantity, and what a package said to it.

    Returns
    -------
    reasons : list of str
        Keys of `REASONS`; as few as reproduce the package's number. Empty if it is not understood.
    reproduced : bool
        Whether they reproduce it to its digits; there is nothing to reproduce where there is no number.
    """
    data = BY_ID[answer["table"]]
    error: str | None = answer["error"]
    if data.one_label:
        return ["one-label"], False
    if error is not None:
        if "0 as a category" in error:
            return ["no-zero"], False
        if error.startswith("IndexError") and answer["package"] == "pyirr":
            return ["index"], False
        return (["no-gaps"] if not data.complete else []), False
    for habits in _subsets(answer["package"], answer["via"]):
        if same(answer["number"], predicted(answer, frozenset(habits)), answer["decimals"]):
            return list(habits), True
    return [], False


def _subsets(package: str, via: str) -> Iterator[tuple[str, ...]]:
    """Yield the habits of a function, first one at a time, then two, and so on."""
    known = max(
        (key for key in HABITS if key[0] == package and via.startswith(key[1])),
        key=lambda key: len(key[1]),
        default=None,
    )
    habits = HABITS[known] if known else ()
    for number in range(1, len(habits) + 1):
        yield from combinations(habits, number)
