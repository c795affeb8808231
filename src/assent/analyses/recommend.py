"""Which measures fit the data, and which one to quote."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isnan
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
from msgspec import field

from assent.data import Annotations, Dataset
from assent.data.dataset import kind_in_words
from assent.errors import UnsuitableData
from assent.limits import ANNOTATORS_COMPARED, SPANS_ALIGNED
from assent.measures import all_measures, find
from assent.records import Struct
from assent.scales import numbers
from assent.text import number, percent

if TYPE_CHECKING:
    from assent.data import BestWorst, Preferences, Rankings, Spans
    from assent.data.distance_labels import DistanceLabels
    from assent.data.held_spans import HeldSpans

__all__ = ["AS_NAMES", "Recommendation", "gamma_takes_long", "recommend"]

#: Up to so many annotators an own chance term for each of them is worth a row.
FEW_ANNOTATORS = 12
#: With fewer annotations than this share that hold several labels, the usual measures come first.
FEW_SETS = 0.05

AS_NAMES: Final = "The labels are numbers and were compared as names: set `scale` to ordinal or interval if their order means something."
"""What is said of labels that are numbers, unless the value that they have as steps is said beside."""


class Recommendation(Struct, frozen=True, kw_only=True):
    """What to measure, and why.

    Parameters
    ----------
    quote : str
        The measure to quote.
    measures : tuple of str
        All measures worth showing, the one to quote first.
    reasons : tuple of str
        One sentence each.
    options : mapping of str to mapping
        Options of single measures that the data ask for.
    """

    quote: str
    measures: tuple[str, ...]
    reasons: tuple[str, ...]
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def to_dict(self) -> dict[str, object]:
        """Return the choice as plain values."""
        return {"quote": self.quote, "measures": list(self.measures), "reasons": list(self.reasons)}


#: How measures are chosen, by kind of data.
_RECOMMENDERS: dict[str, Callable[..., Recommendation]] = {}
Recommender = TypeVar("Recommender", bound=Callable[..., Recommendation])


def recommends(kind: str) -> Callable[[Recommender], Recommender]:
    """Register how measures are chosen for data of a kind; without it, all that take them are measured."""

    def register(function: Recommender) -> Recommender:
        _RECOMMENDERS[kind] = function
        return function

    return register


def recommend(
    data: Dataset, *, scale: str | None = None, weighted: bool = False, ambiguity: bool | None = None
) -> Recommendation:
    """Choose the measures that fit the data: their kind, the number of annotators, the gaps and the scale.

    Parameters
    ----------
    scale : str, optional
        Level of measurement; nominal if not given.
    weighted : bool
        The user named agreement weights.
    ambiguity : bool, optional
        For sets of labels: several labels of an item can all be true (True), or they are doubt about the one true label (False).
        It is taken as the former if not given, and the reasons say so.

    Examples
    --------
    >>> import assent
    >>> data = assent.Annotations.from_array([["a", "a"], ["b", "a"], ["b", "b"]])
    >>> recommend(data).quote
    'cohen-kappa'
    """
    choose = next((_RECOMMENDERS[kind] for kind in data.kinds if kind in _RECOMMENDERS), _all_that_fit)
    return choose(data, scale=scale, weighted=weighted, ambiguity=ambiguity)


def _all_that_fit(data: Dataset, *, scale: str | None, weighted: bool, ambiguity: bool | None) -> Recommendation:
    """Take every measure for this kind of data, in the order in which they are registered."""
    fitting = tuple(name for name, one in all_measures().items() if one.unsuitable(data, scale) is None)
    if not fitting:
        raise UnsuitableData(f"There is no measure of agreement on {kind_in_words(data.kind)} that fits these data.")
    return Recommendation(quote=fitting[0], measures=fitting, reasons=())


@recommends("labels")
def _for_labels(data: Annotations, *, scale: str | None, weighted: bool, ambiguity: bool | None) -> Recommendation:
    """Choose measures for single labels."""
    count = data.n_annotators
    complete = count is not None and data.n_annotations == data.n_items * count
    reasons = []
    if scale == "interval" and complete and not weighted:
        names = ["icc", "krippendorff-alpha", *(["lin-concordance"] if count == 2 else [])]
        reasons.append(
            "Numbers from the same annotators for every item: the intraclass correlation is what readers expect; "
            "Krippendorff's alpha on an interval scale says nearly the same and also takes gaps."
        )
    elif count == 2:
        names = ["cohen-kappa", "krippendorff-alpha", "gwet-ac", "percent-agreement"]
        reasons.append(
            "Two annotators: Cohen's kappa is what readers expect; Krippendorff's alpha does not reward annotators who lean "
            "differently, and Gwet's AC stays stable when one label dominates."
        )
        if not complete:
            reasons.append(
                "Some items have a label of one annotator only; Cohen's kappa uses those that both labelled."
            )
    else:
        names = ["krippendorff-alpha", "fleiss-kappa", "gwet-ac", "percent-agreement"]
        if count is not None and count <= FEW_ANNOTATORS:
            names.insert(2, "conger-kappa")
        who = "An unknown number of annotators" if count is None else f"{count:,} annotators"
        gaps = "" if complete or count is None else ", not all of whom labelled every item"
        reasons.append(
            f"{who}{gaps}: Krippendorff's alpha takes any number of annotators, gaps and every scale, and corrects for few "
            "items; Fleiss' kappa is the usual other choice, and Gwet's AC stays stable when one label dominates."
        )
    fitting = tuple(name for name in names if find(name).unsuitable(data, scale) is None)
    if scale is None and not weighted and len(data.labels) > 2 and numbers(data.labels, data._decimal) is not None:
        reasons.append(AS_NAMES)
    return Recommendation(quote=fitting[0], measures=fitting, reasons=tuple(reasons))


@recommends("distance-labels")
def _for_distance(data: DistanceLabels, *, scale: str | None, weighted: bool, ambiguity: bool | None) -> Recommendation:
    """Take Krippendorff's alpha with the distance of the data: all other measures compare labels by name."""
    reason = (
        f"Labels are compared by a distance ({data.distance}): Krippendorff's alpha takes any distance, number of annotators and gaps, while other "
        "coefficients would compare them by name."
    )
    alpha = "krippendorff-alpha"
    return Recommendation(quote=alpha, measures=(alpha,), reasons=(reason,), options={alpha: data.options})


@recommends("rankings")
def _for_rankings(data: Rankings, *, scale: str | None, weighted: bool, ambiguity: bool | None) -> Recommendation:
    """Choose measures for rankings: the mean correlation, and what readers know beside it."""
    names = ["mean-spearman", "mean-kendall", "kendall-w", "rbo", "tau-ap", "weighted-tau"]
    if data.incomplete:
        names.remove("kendall-w")
        reasons = [
            "Not everybody ranked the same objects: the mean rank correlation compares every two annotators on what both ranked; rbo also takes "
            "lists of different objects."
        ]
    else:
        reasons = [
            "Everybody ranks the same objects: the mean rank correlation is 0 for random orders whatever the number of annotators, while Kendall's W "
            "then is one over that number; rbo, tau-ap and weighted-tau count the top for more."
        ]
    fitting = tuple(name for name in names if find(name).unsuitable(data, scale) is None) or ("kendall-w",)
    return Recommendation(quote=fitting[0], measures=fitting, reasons=tuple(reasons))


@recommends("preferences")
def _for_preferences(data: Preferences, *, scale: str | None, weighted: bool, ambiguity: bool | None) -> Recommendation:
    """Take the one measure of preferences."""
    reason = (
        "Votes between two objects: chance is the same whichever object stood left, and ties and gaps are allowed for."
    )
    return Recommendation(quote="preference-agreement", measures=("preference-agreement",), reasons=(reason,))


@recommends("best-worst")
def _for_best_worst(data: BestWorst, *, scale: str | None, weighted: bool, ambiguity: bool | None) -> Recommendation:
    """Take the one measure of best-worst choices."""
    reason = "It says how far single choices agree; the scores rest on many of them, and their split-half reliability is to be quoted beside it."
    return Recommendation(quote="best-worst-agreement", measures=("best-worst-agreement",), reasons=(reason,))


@recommends("label-sets")
def _for_sets(data: Annotations, *, scale: str | None, weighted: bool, ambiguity: bool | None) -> Recommendation:
    """Choose measures for sets of labels, after Marchal et al. (2022)."""
    distance = {"krippendorff-alpha": {"distance": "masi"}}
    if len(data.annotators or ()) > ANNOTATORS_COMPARED:
        reason = f"Sets of labels from {data.n_annotators:,} annotators: Krippendorff's alpha with the MASI distance needs no pairs."
        return Recommendation(
            quote="krippendorff-alpha", measures=("krippendorff-alpha",), reasons=(reason,), options=distance
        )
    chance = (
        "Observed F1 and soft match are not to be quoted alone: annotators who give more labels agree more often by luck, and only the boot- "
        "measures take that away. Augmented kappa counts two equal sets of two labels as half an agreement, so it is below 1 however well "
        "sets agree."
    )
    several = _with_several(data)
    usual: list[str] = []
    if ambiguity is None and several < FEW_SETS:
        whole = find("krippendorff-alpha")(data, distance="nominal")
        quote = "krippendorff-alpha"
        usual = ["cohen-kappa" if data.n_annotators == 2 else "fleiss-kappa", "percent-agreement"]
        why = (
            f"Only {percent(several)} of the annotations hold several labels: Krippendorff's alpha is what readers expect. MASI lets sets that share "
            f"labels agree in part; with each set a label of its own alpha would be {'undefined' if isnan(whole.value) else number(whole.value)}, and so the kappa and percent agreement take them (say `ambiguity` if the sets are the point)."
        )
    elif ambiguity is False:
        quote = "augmented-kappa"
        why = (
            "Several labels are doubt about the one true label: augmented kappa shares each vote out among them "
            "(say `ambiguity=True` if several labels of an item can all be true)."
        )
    elif any(2 * one.mean_labels >= len(data.single_labels) > 2 for one in data.set_shares()):
        quote = "boot-f1"
        why = (
            "The sets are so large that a label in common comes by itself: boot-f1 asks for all labels of an item, and boot-precision and "
            "boot-recall say who gives too many or too few."
        )
    else:
        quote = "boot-match"
        why = (
            "Several labels of an item can all be true: boot-match says how reliable one common label per item is, boot-f1 how far all "
            "labels agree, and boot-precision and boot-recall who gives too many or too few"
            + ("." if ambiguity else " (say `ambiguity=False` if they are doubt about a single true one).")
        )
    others = [
        *usual,
        "boot-match",
        "boot-f1",
        "boot-precision",
        "boot-recall",
        "augmented-kappa",
        "soft-match",
        "krippendorff-alpha",
    ]
    names = (quote, *(name for name in others if name != quote))
    return Recommendation(quote=quote, measures=names, reasons=(why, chance), options=distance)


def _with_several(data: Annotations) -> float:
    """Return the share of annotations that hold several labels."""
    given = np.asarray(data._counts.multiplicities @ data._counts.counts).ravel()
    return float(given[data._parts.sizes > 1].sum() / max(1.0, float(given.sum())))


#: What is worth a row for spans: what it is called, and the question that it answers.
SPAN_QUESTIONS = {
    "span-f1": ("Span F1 (exact)", "how many spans two annotators both marked, with the same ends and label"),
    "gamma": ("Gamma", "how near their spans lie to each other, beyond chance, where ends are vague"),
}


def gamma_takes_long(data: Spans, most: float = SPANS_ALIGNED) -> bool:
    """Tell whether aligning the spans, observed and by chance, takes long: each further annotator makes it threefold."""
    return float((3.0 ** (data.judges[data.document] - 2)).sum()) > most


#: What is worth a row if it was read with the spans.
_HANGING = {
    "relation-f1": "Relation F1 says how many relations two annotators both drew between the same spans.",
    "span-attribute-alpha": "Attribute alpha says how far they agree on the attribute of spans that are aligned with each other.",
}


@recommends("spans")
def _for_spans(data: Spans | HeldSpans, *, scale: str | None, weighted: bool, ambiguity: bool | None) -> Recommendation:
    """Choose measures for spans: those that are found and those that are near."""
    from assent.data import Spans

    known = all_measures()
    names = tuple(name for name in SPAN_QUESTIONS if name in known and known[name].unsuitable(data, scale) is None)
    if not names:
        raise UnsuitableData("There is no measure of agreement on spans that fits these data: leave the scale out.")
    reasons = tuple("{} says {}.".format(*SPAN_QUESTIONS[name]) for name in names)
    # Spans that live in an engine would have to come here to be aligned.
    long = isinstance(data, Spans) and gamma_takes_long(data)
    if (long or not data.local) and "gamma" in names:
        names = tuple(name for name in names if name != "gamma")
        why = "would bring here" if not data.local else "would take long for"
        reasons = (*reasons[: len(names)], f"Gamma {why} {data.n_annotations:,} spans: ask for it by name.")
    for name, there in (
        ("relation-f1", getattr(data, "relations", None) is not None),
        ("span-attribute-alpha", len(getattr(data, "attributes", ())) == 1),
    ):
        if there:
            names, reasons = (*names, name), (*reasons, _HANGING[name])
    return Recommendation(quote=names[0], measures=names, reasons=reasons)
