"""What every number of a report is, in a sentence each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assent.documents import Result
from assent.measures import find
from assent.reports.context import Measured
from assent.reports.sections.answer import AnswerSection

__all__ = ["definitions"]

_ALWAYS = {
    "item": "What was annotated: a sentence, a picture, an answer.",
    "annotation": "What one annotator said about one item: a label, or several.",
    "density": "Annotations as a share of all that there would be if every annotator had labelled every item.",
    "observed agreement": "How far annotations of the same item agree, before any correction for chance.",
    "expected agreement": "How far they would agree by chance: what chance means is what coefficients differ in.",
    "value": "Observed less expected agreement, as a share of what is possible beyond chance: 1 is full agreement, 0 is what chance "
    "gives, below 0 is less than that.",
    "interval": "Other items would have given another value. At a level of 95 %, intervals made in this way hold the value that all "
    "items together would have given in 95 of 100 studies. It does not cover the choice of annotators.",
}
#: Of labels that are compared by name.
_LABELS = {
    "specific agreement": "Where one annotation has the label, the share of the item's other annotations that have it too.",
    "share of disagreement": "Of all pairs of annotations of the same item that differ, the share that differ between these two labels; "
    "beside it, what their frequency alone explains.",
    "coincidence": "A pair of annotations of the same item. Each annotation counts once, however many an item has.",
    "bits lost": "How much less the labels tell apart after a merge: the entropy of the labels before, less that after.",
    "gain of a merge": "The coefficient after two labels are taken as one, less that before; clear if it is above 0 even as the best of "
    "all merges of two labels.",
    "agreement of an item": "The share of its pairs of annotations that have the same label.",
    "entropy of an item": "Of its labels, in bits: 0 if all are the same, 1 if two labels share it evenly.",
    "margin": "Share of an item's most frequent label less that of the second; 0 is a tie.",
    "finding": "Something that makes a coefficient say less, or something else, than it seems to. Those that rest on tests are corrected "
    "for all tests made.",
    "gain of an advice": "By how much Krippendorff's alpha could rise at most if the cause were settled.",
}
_ANNOTATORS = {
    "agreement of an annotator": "The share of the others on the same item who gave the same label.",
    "others": "The same for the others among themselves, on the same items: nobody is blamed for hard items.",
    "beyond chance": "An annotator's agreement with the others as a kappa.",
    "without": "The coefficient of all others, this annotator left out.",
    "stands out": "Surely agrees less than one would who reads a fifth of the items otherwise, at a false discovery rate of 5 %.",
    "leaning": "Labels that an annotator gives more or less often than the others do on the same items.",
    "pairwise kappa": "Cohen's kappa of two annotators on the items that both labelled.",
}
_SCALE = {
    "weighted agreement": "Agreement of an item on a scale, where near labels agree in part.",
    "spread": "How far an item's lowest and highest label are apart.",
}
_SETS = {
    "labels per annotation": "How many labels an annotation holds on average.",
    "sweep": "Augmented kappa by the weight of the primary label: at 1 secondary labels are ignored, at 0.5 both count alike.",
}
_SPARSE = {
    "SPA": "Sparse probability of agreement: the mean agreement of items, weighed by their number of annotations as the scheme says.",
    "missingness": "Whether agreement depends on how often items were annotated or on how much annotators did; measures of sparse data "
    "assume that it does not.",
}
_GROUPS = {
    "less the rest": "The value of a group less that of all other annotations together.",
    "difference between groups": "The value of the first less that of the second, with its interval; clear after Holm's correction for all "
    "comparisons.",
}
_CEILING = {
    "human ceiling": "How an annotator scores against the majority of the others, on items with three annotations or more.",
    "majority share": "The most that anything which gives each item one label can agree with the annotations.",
}


_JUDGES = {
    "alternative annotator test": "Each person is held out in turn: is the judge at least as close to the other people, but for epsilon?",
    "winning rate": "The share of people against whom the judge wins that test; from a half on it passes.",
    "advantage": "How often the judge is at least as close to the other people as the person who is held out; ties count.",
    "constant judge": "A judge that reads nothing and always gives the commonest label: what it reaches, too, says nothing.",
}
_OF_SECTIONS = {
    "annotators": _ANNOTATORS,
    "multilabel": _SETS,
    "sparse": _SPARSE,
    "groups": _GROUPS,
    "ceiling": _CEILING,
    "judges": _JUDGES,
}


def definitions(
    sections: Mapping[str, Result | None], measured: Sequence[Measured], *, scale: str | None
) -> dict[str, str]:
    """Return what every name in a report means: those of its measures, and those of the sections that it has."""
    by_name = not isinstance(sections.get("items"), AnswerSection)
    known = {**_ALWAYS, **(_LABELS if by_name else {})}
    for name, words in _OF_SECTIONS.items():
        if sections.get(name) is not None and (by_name or name != "annotators"):
            known |= words
    if scale not in (None, "nominal"):
        known |= _SCALE
    return {one.agreement.title: find(one.agreement.measure).summary for one in measured} | known
