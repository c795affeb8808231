"""What is wrong with an annotator, in a sentence with the numbers and what to do first."""

from __future__ import annotations

from collections.abc import Sequence

from assent.analyses.annotators.annotator_clusters import AnnotatorClusters
from assent.analyses.annotators.flag_reasons import Swap
from assent.records import Struct
from assent.text import counted, named, percent, probability, shown

__all__ = ["GROUPS", "SHORT", "Case", "leans_where", "reason", "two_readings"]

#: Kinds of annotators who stand out, in two or three words.
SHORT = {
    "one-label": "one label for nearly all",
    "other-school": "reads otherwise",
    "swapped-labels": "exchanges labels",
    "chance": "hardly beyond chance",
    "low-agreement": "differs",
}
#: A heading for groups who read alike.
GROUPS = "Groups who read the guidelines differently"


class Case(Struct, frozen=True, kw_only=True):
    """The numbers of a flagged annotator.

    Parameters
    ----------
    n_items : int
        Shared items.
    own, expected, others : float
        Agreement with the others, by chance, and of the others among themselves (NaN if that is not known).
    by_partner : bool
        The others' agreement is that of the partners with third annotators, on other items.
    label, share, others_share
        The label used most, its share, and its share among the others.
    group : tuple of (int, float) or None
        Size of the annotator's group and agreement within it.
    leaning : str
        Where the annotator leans, in a few words; empty for one who does not.
    """

    kind: str
    annotator: str
    n_items: int
    own: float
    expected: float
    others: float
    by_partner: bool
    label: str
    share: float
    others_share: float
    swap: Swap | None
    labels: Sequence[str]
    group: tuple[int, float] | None
    corrected: float
    leaning: str


def reason(case: Case) -> tuple[str, str]:
    """Say why an annotator is flagged, and what to do first."""
    who, items = shown(case.annotator), counted(case.n_items, "item")
    sure = f"({probability(case.corrected)}, corrected for all annotators)"
    if case.kind == "one-label":
        return (
            f"{who} says {shown(case.label)} on {percent(case.share)} of {items}; the others say it on {percent(case.others_share)} of "
            f"the same items {sure}.",
            "Look at some of these items with them: it may be the tool, the guideline, or haste.",
        )
    low = f"{who} agrees with the others on {percent(case.own)} of {items}"
    reached = (
        f"the annotators they share them with agree with others on {percent(case.others)} of theirs"
        if case.by_partner
        else f"the others agree among themselves on {percent(case.others)} of the same items"
    )
    if case.kind == "other-school" and case.group is not None:
        size, within = case.group
        return (
            f"{low}, but on {percent(within)} with {counted(size - 1, 'annotator')} who read as they do; {reached} {sure}.",
            "Settle which reading the guidelines mean.",
        )
    if case.kind == "swapped-labels" and case.swap is not None:
        return (
            f"{low}, and would on {percent(case.swap.agreement)} if {_swaps(case.swap, case.labels)}; {reached} {sure}.",
            "Check the buttons or codes they used, with them: if labels were exchanged, they can be put right.",
        )
    if case.kind == "chance":
        how_much = "hardly more than" if case.own > case.expected else "no more than"
        return (
            f"{low}, {how_much} chance alone would make it ({percent(case.expected)}); {reached} {sure}.",
            "Look at some of their items with them; gold items, or items given twice, would tell haste from another reading.",
        )
    lean = f" They lean: {case.leaning}." if case.leaning else ""
    return (
        f"{low}; {reached} {sure}.{lean}",
        "Go through the items they decided differently, with them: they may be right.",
    )


def _swaps(swap: Swap, labels: Sequence[str]) -> str:
    """Say which labels stand for which."""
    known = dict(swap.labels)
    said, done = [], set[int]()
    for given, meant in swap.labels:
        if given in done:
            continue
        done.add(given)
        if known.get(meant) == given:
            done.add(meant)
            said.append(f"{shown(labels[given], 20)} and {shown(labels[meant], 20)} were exchanged")
        else:
            said.append(f"{shown(labels[given], 20)} stood for {shown(labels[meant], 20)}")
    return ", ".join(said[:3]) + (f" and {len(said) - 3} more" if len(said) > 3 else "")


def leans_where(uses: Sequence[tuple[str, float, float]]) -> str:
    """Say which labels an annotator gives more or less often than the others: label, share, share of the others."""
    said = [f"{shown(label, 20)} {percent(share)}, others {percent(others)}" for label, share, others in uses[:3]]
    return "; ".join(said) + (f"; {len(uses) - 3} more" if len(uses) > 3 else "")


def two_readings(found: AnnotatorClusters, annotators: Sequence[str], labels: Sequence[str]) -> str:
    """Say which groups of annotators read differently, and what to do first."""
    groups = "; ".join(named([annotators[i] for i in group], 6) for group in found.groups)
    within = " and ".join(percent(one) for one in found.within)
    differ = ""
    if found.differ is not None:
        first, second, share = found.differ
        differ = (
            f" They differ most where the first say {shown(labels[first])} and the second {shown(labels[second])} "
            f"({percent(share)} of all comparisons)."
        )
    return (
        f"{counted(len(found.groups), 'group')} of annotators read differently ({probability(found.p_value)}): {groups}. Two of one "
        f"group agree on {within} of the items, two of different groups on {percent(found.between)}.{differ} First settle which reading "
        "the guidelines mean."
    )
