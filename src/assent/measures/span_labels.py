"""Labels of spans that two annotators put in the same place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from assent import matching
from assent.measures._named_sums import NamedSums
from assent.measures._span_pairs import Compared, PairSums
from assent.measures.components import Components, Pairs
from assent.measures.registry import measure
from assent.profiles import Array
from assent.records import Struct

if TYPE_CHECKING:
    from assent.data import Spans

__all__ = ["PlacePairs", "PlaceSums", "span_label_alpha", "span_label_kappa"]


class _Places(Struct, frozen=True, kw_only=True, eq=False):
    """Who marked which place as what: (marks,) each, in the order of places and annotators.

    A value is a label, or several that an annotator put on the same place.
    """

    place: Array
    document: Array
    annotator: Array
    value: Array
    values: int
    #: How many annotators marked each place.
    many: Array

    @classmethod
    def of(cls, data: Spans) -> Self:
        from assent.continua.stretches import joined

        rows = np.stack([data.document, data.start, data.end, data.shape])
        distinct, place = np.unique(rows, axis=1, return_inverse=True)
        people, labels = len(data.annotators), max(1, len(data.labels))
        owner, value, meaning = joined(place.ravel() * people + data.annotator, data.label, labels)
        where, who = np.divmod(owner, people)
        return cls(
            place=where,
            document=distinct[0, where],
            annotator=who,
            value=value,
            values=len(meaning),
            many=np.bincount(where, minlength=distinct.shape[1]),
        )


class PlaceSums(NamedSums, frozen=True, kw_only=True, eq=False):
    """Documents by the labels of places that two or more annotators marked."""

    def apart_by_chance(self) -> Mapping[str, Array]:
        """Return how many labels differ by chance."""
        sums = self.sums()
        return {"apart": sums["marks"] - (sums["values"] ** 2).sum(-1) / sums["marks"]}

    @classmethod
    def of(cls, data: Spans, **options: Any) -> Self:
        """Count labels of places."""
        found = _Places.of(data)
        number = len(data.documents)
        many = found.many[found.place]
        kept = many >= 2
        cells, same = np.unique(found.place[kept] * found.values + found.value[kept], return_counts=True)
        place = cells // found.values
        document = np.zeros(len(found.many), dtype=np.int64)
        document[found.place] = found.document
        weight = found.many.astype(np.float64)

        def added(at: Array, amounts: Array) -> Array:
            return np.bincount(at, amounts, minlength=number)

        marks = added(found.document, kept)
        agreed = added(document[place], same * (same - 1.0) / (weight[place] - 1.0))
        lengths = np.bincount(
            found.document[kept] * found.values + found.value[kept], minlength=number * found.values
        ).reshape(number, found.values)
        columns = {
            "apart": marks - agreed,
            "marks": marks,
            "all": added(found.document, np.ones(len(kept))),
            "pairs": added(document, weight * (weight - 1.0) / 2.0),
            "values": lengths,
        }
        return cls.by_name(data, columns)


class PlacePairs(PairSums, frozen=True, kw_only=True, eq=False):
    """Every two annotators by the labels of places that both marked."""

    @classmethod
    def of(cls, data: Spans, **options: Any) -> Self:
        """Count labels of places."""
        compared, found = Compared.of(data), _Places.of(data)
        one, two = matching.pairs_within(found.many)

        def added(amounts: Array) -> Array:
            return compared.added_by(
                found.document[one], found.annotator[one], found.annotator[two], amounts.astype(np.float64)
            )

        first, second = compared.marked(found.document, found.annotator)
        numbers = {
            "both": added(np.ones(len(one))),
            "agree": added(found.value[one] == found.value[two]),
            "marks": first + second,
        }
        for value in range(found.values):
            numbers[f"first {value}"] = added(found.value[one] == value)
            numbers[f"second {value}"] = added(found.value[two] == value)
        return cls.gathered(compared, numbers, pooled=False)


def _remarks(data: Spans, options: Mapping[str, Any]) -> Sequence[str]:
    return [
        "Only spans that two annotators put in exactly the same place are compared; the details say how many pairs that are, and which "
        "share of what was marked (coverage)."
    ]


@measure(
    title="Label alpha in the same place",
    kind="spans",
    profiles=PlaceSums,
    scales=["nominal"],
    references=["krippendorff2011"],
    remarks=_remarks,
)
def span_label_alpha(items: PlaceSums) -> Components:
    """Krippendorff's alpha of the labels of spans that annotators put in exactly the same place.

    A place (start and end) that two or more annotators marked is an item, and what they called it are its labels; several labels of one
    annotator on a place are one together. The details hold the number of pairs, and the coverage: the share of all that was marked that
    lies in such a place. Intervals are over documents.

    When to use
    -----------
    Beside span-f1: is it finding, or naming? With span-f1 by boundaries it tells exact F1 apart into the two.

    Not when
    --------
    Alone: what only one annotator marked has no say. Places seldom agree exactly: gamma-cat or alpha-cu.

    References
    ----------
    Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability. University of Pennsylvania.
    https://repository.upenn.edu/asc_papers/43

    Examples
    --------
    >>> import assent
    >>> rows = [("d", "ada", 0, 4, "PER"), ("d", "ada", 9, 15, "LOC"), ("d", "ada", 20, 25, "PER")]
    >>> rows += [("d", "ben", 0, 4, "PER"), ("d", "ben", 9, 15, "PER"), ("d", "ben", 21, 25, "PER")]
    >>> found = assent.span_label_alpha(assent.Spans.from_rows(rows))
    >>> found.value, found.details["pairs"], round(found.details["coverage"], 3)
    (0.0, 2.0, 0.667)
    """
    sums = items.sums()
    marks = sums["marks"]
    expected = (marks**2 - (sums["values"] ** 2).sum(-1)) / (marks * (marks - 1.0))
    return Components(
        observed=1.0 - sums["apart"] / marks,
        expected=1.0 - expected,
        details={"pairs": sums["pairs"], "coverage": marks / sums["all"]},
    )


@measure(
    title="Label kappa in the same place",
    kind="spans",
    profiles=PlacePairs,
    scales=["nominal"],
    references=["cohen1960"],
    remarks=_remarks,
)
def span_label_kappa(items: PlacePairs) -> Components:
    """Cohen's kappa of the labels of spans that two annotators put in exactly the same place; the mean over pairs.

    A place (start and end) that both marked is an item; several labels of one annotator on a place are one together. Chance is that of two
    annotators who keep their own shares of labels. The details hold the number of pairs of spans, and the coverage: the share of what each two
    annotators marked that lies in such a place, which is span-f1 by boundaries, pooled. Intervals are over documents.

    When to use
    -----------
    Two annotators; beside span-f1: is it finding, or naming?

    Not when
    --------
    Alone: what only one annotator marked has no say. Many annotators who seldom meet: span-label-alpha.

    References
    ----------
    Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20(1), 37-46.
    https://doi.org/10.1177/001316446002000104

    Examples
    --------
    >>> import assent
    >>> rows = [("d", "ada", 0, 4, "PER"), ("d", "ada", 9, 15, "LOC"), ("d", "ada", 20, 25, "PER")]
    >>> rows += [("d", "ben", 0, 4, "PER"), ("d", "ben", 9, 15, "LOC"), ("d", "ben", 21, 25, "PER")]
    >>> found = assent.span_label_kappa(assent.Spans.from_rows(rows))
    >>> found.value, found.details["pairs"], round(found.details["coverage"], 3)
    (1.0, 2.0, 0.667)
    """
    by = items.by_pair()
    both = by["both"]
    values = [name.removeprefix("first ") for name in items.fields if name.startswith("first ")]
    chance = sum(by[f"first {one}"] * by[f"second {one}"] for one in values) / both**2
    pairs = Pairs(
        first=items.first, second=items.second, items=items.shared, observed=by["agree"] / both, expected=chance
    )
    known = ~np.isnan(pairs.values)

    def mean(of: Array) -> Array:
        return np.asarray(np.where(known, of, 0.0).sum(-1) / known.sum(-1))

    return Components(
        observed=mean(pairs.observed),
        expected=mean(pairs.expected),
        coefficient=mean(pairs.values),
        pairs=pairs,
        details={"pairs": both.sum(-1), "coverage": 2.0 * both.sum(-1) / by["marks"].sum(-1)},
    )
