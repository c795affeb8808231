"""Agreement on which of two objects is better, and on the best and the worst of several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from assent.measures._choices import SPLITS, kendall_u_test, split_half
from assent.measures._preparation import PlainPreparation, prepares
from assent.measures.components import Components
from assent.measures.registry import measure
from assent.profiles import Sums
from assent.registry import number
from assent.text import counted, percent, probability, value

if TYPE_CHECKING:
    from assent.data.preferences import BestWorst, Preferences

__all__ = ["best_worst_agreement", "preference_agreement"]

TieCredit = Annotated[
    float,
    number(
        "tie_credit",
        least=0,
        most=1,
        must="lie between 0 and 1",
        help="How far a tie agrees with a preference: 0, not at all, or 0.5.",
        values="a number from 0 to 1",
    ),
]


def _about_preferences(data: Preferences, options: Mapping[str, Any]) -> list[str]:
    """Say how many ties there are, and what Kendall's test says."""
    said = []
    ties = float((data.verdicts[2] == 0).mean())
    if ties:
        said.append(f"{percent(ties)} of the votes are ties, which chance allows for.")
    found = kendall_u_test(data)
    if not np.isnan(found["u_chi2"]):
        said.append(
            f"Everybody compared every two objects without a tie, so this is Kendall's u; chi-squared {found['u_chi2']:.4g} with {found['u_df']:.4g} "
            f"degrees of freedom, {probability(found['u_p'])}; the least that {counted(len(data.annotators), 'annotator')} can have is {value(found['u_min'])}."
        )
    return said


@measure(
    title="Preference agreement",
    kind="preferences",
    profiles=Sums,
    references=["kendall1940"],
    aliases=["kendall-u"],
    remarks=_about_preferences,
)
def preference_agreement(items: Sums, tests: Mapping[str, float], *, tie_credit: TieCredit = 0.0) -> Components:
    """How far annotators prefer the same of two objects, beyond chance.

    The share of pairs of annotators who agree on a pair of objects, averaged over pairs of objects. Chance is that both prefer the same
    object by tossing coins, or that both have a tie: with a share t of ties, t² + (1 - t)² / 2. It does not depend on which object stood left,
    as Cohen's kappa of "left" and "right" would. Where everybody compared all objects without ties it is Kendall's u, and its test is among the details.

    When to use
    -----------
    Votes between two answers, systems or images, with or without ties, whoever voted on what.

    Not when
    --------
    A single annotator: see how consistent each is in `assent annotators`. A scale of the objects is wanted: `assent items` has their strengths.

    References
    ----------
    Kendall, M. G. and Babington Smith, B. (1940). On the method of paired comparisons. Biometrika 31(3/4), 324-345.
    https://doi.org/10.1093/biomet/31.3-4.324

    Examples
    --------
    >>> import assent
    >>> votes = [("ada", "x", "y", "x"), ("ben", "y", "x", "x"), ("ada", "x", "z", "z"), ("ben", "x", "z", "tie")]
    >>> found = assent.preference_agreement(assent.Preferences.from_rows(votes))
    >>> found.observed, round(found.expected, 3), round(found.value, 3)
    (0.5, 0.344, 0.238)
    """
    first, second, tie = np.asarray(items.terms).T
    size = first + second + tie
    agree = sum(one * (one - 1.0) for one in (first, second, tie)) + 2.0 * tie_credit * tie * (first + second)
    # A pair that one annotator judged says nothing of agreement, nor of how many ties there are where it is measured.
    observed = items.total(agree / items.pairs * items.pairable) / items.total(items.pairable)
    ties = items.total(tie * items.pairable) / items.total(size * items.pairable)
    expected = ties**2 + (1.0 - ties) ** 2 / 2.0 + 2.0 * tie_credit * ties * (1.0 - ties)
    return Components(observed=observed, expected=expected, details={"tie_share": np.real(ties).flat[0], **tests})


def _about_choices(data: BestWorst, options: Mapping[str, Any]) -> list[str]:
    """Say how reliable the scores are."""
    mean, spread = split_half(data)
    if np.isnan(mean):
        return ["Scores of two halves of the choices cannot be compared: there are too few choices or objects."]
    # Halves that contradict each other tell nothing of the whole.
    whole = (
        f"; for all choices together that stands for {value(2 * mean / (1 + mean))} (Spearman-Brown)"
        if mean > 0
        else ""
    )
    other = split_half(data, by="annotators")[0]
    people = "" if np.isnan(other) else f" Halves of the annotators agree at {value(other)}."
    return [
        f"Scores from two random halves of the choices have a rank correlation of {value(mean)} (mean of {SPLITS} splits, standard deviation "
        f"{value(spread)}, seed 0), raw{whole}.{people}"
    ]


@measure(
    title="Best-worst agreement",
    kind="best-worst",
    profiles=Sums,
    references=["kiritchenko2017"],
    remarks=_about_choices,
)
def best_worst_agreement(items: Sums, halves: Mapping[str, float]) -> Components:
    """How far annotators choose the same best and the same worst of several objects, beyond chance.

    The share of pairs of annotators who agree on the best of a set, and on the worst, averaged over both and over sets. Chance is one over
    the number of objects shown. The details hold the split-half reliability of the scores (best less worst, over shown): the mean rank correlation of scores from
    two random halves of the choices, raw and by Spearman-Brown for all of them.

    When to use
    -----------
    Best-worst scaling. Quote the split-half reliability of the scores, which is what they are used for, and say that it is raw; this coefficient says how far single
    choices agree.

    Not when
    --------
    Two objects are shown at a time: preference-agreement.

    References
    ----------
    Kiritchenko, S. and Mohammad, S. M. (2017). Best-worst scaling more reliable than rating scales: a case study on sentiment intensity
    annotation. ACL 2017, 465-470. https://doi.org/10.18653/v1/P17-2074

    Examples
    --------
    >>> import assent
    >>> choices = [
    ...     ("ada", "wxyz", "w", "z"),
    ...     ("ben", "wxyz", "w", "y"),
    ...     ("ada", "abxy", "a", "y"),
    ...     ("ben", "abxy", "a", "y"),
    ... ]
    >>> found = assent.best_worst_agreement(assent.BestWorst.from_rows(choices))
    >>> found.observed, found.expected, round(found.value, 3)
    (0.75, 0.25, 0.667)
    """
    agree, chance, sets = (items[name] for name in ("agree", "chance", "sets"))
    return Components(observed=agree / sets, expected=chance / sets, details=halves)


@prepares("preferences")
class _Preferences(PlainPreparation):
    """Preferences, with Kendall's test."""

    item = "pair"

    def arguments(self, data: Any) -> tuple[Mapping[str, float]]:
        """Return numbers that belong to the value and do not vary with the weights."""
        return (kendall_u_test(data),)


@prepares("best-worst")
class _BestWorst(PlainPreparation):
    """Best-worst choices, with the split-half reliability of the scores."""

    item = "set"

    def arguments(self, data: Any) -> tuple[Mapping[str, float]]:
        """Return the split-half reliability of the scores."""
        mean, spread = split_half(data)
        reliability = {
            "split_half_spearman": mean,
            "split_half_sd": spread,
            # Halves in opposite order have no whole.
            "spearman_brown": 2 * mean / (1 + mean) if mean != -1 else float("nan"),
            "split_half_by_annotator": split_half(data, by="annotators")[0],
        }
        return (reliability,)
