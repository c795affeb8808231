"""Relations between spans, and attributes of spans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np

from assent import matching
from assent.errors import OptionError, UnsuitableData, did_you_mean
from assent.measures._named_sums import NamedSums
from assent.measures._span_pairs import Compared, PairSums, f1_of_same
from assent.measures.components import Components, Pairs
from assent.measures.registry import measure
from assent.profiles import Array
from assent.registry import Takes
from assent.text import named, shown

if TYPE_CHECKING:
    from assent.data import Spans

__all__ = ["AttributeSums", "RelationSums", "relation_f1", "span_attribute_alpha"]

#: How the arguments of two relations correspond, and which classes of aligned spans that takes.
ARGUMENTS = {"exact": (0,), "aligned": (0, 1, 2, 3)}


def _aligned(data: Spans) -> Any:
    return matching.align(
        data.document, data.annotator, data.start, data.end, data.label, parts=data.parts, shape=data.shape
    )


class RelationSums(PairSums, frozen=True, kw_only=True, eq=False):
    """Relations that two annotators both drew, by exact and by aligned arguments, and those whose arguments both found."""

    @classmethod
    def blockable(cls, options: Mapping[str, Any]) -> bool:
        """Refuse: a relation may reach from one block into another."""
        return False

    @classmethod
    def of(cls, data: Spans, **options: Any) -> Self:
        """Count relations."""
        known = data.relations
        if known is None:
            raise UnsuitableData("There are no relations between these spans: name a table of them with `relations`.")
        symmetric = _symmetric(options["symmetric"], known.types)
        compared, found = Compared.of(data), _aligned(data)
        ends = np.stack([known.head, known.tail])
        turned = np.isin(known.type, symmetric)
        ends[:, turned] = np.sort(ends[:, turned], axis=0)
        kind, head, tail = np.unique(np.stack([known.type, *ends]), axis=1)
        document, who = data.document[head], data.annotator[head]
        number = len(data.start)
        drawn = np.unique((kind * number + head) * number + tail)
        numbers: dict[str, Array] = {}
        numbers["first"], numbers["second"] = compared.marked(document, who)
        for name, classes in ARGUMENTS.items():
            chosen = np.isin(found.kind, classes)
            # Every relation, and every other annotator who has partners of both its arguments.
            mine = np.concatenate([found.first[chosen], found.second[chosen]])
            theirs = np.concatenate([found.second[chosen], found.first[chosen]])
            people = len(data.annotators)
            key = mine * people + data.annotator[theirs]
            order = np.argsort(key)
            key, theirs = key[order], theirs[order]
            others = np.repeat(np.arange(people)[None], len(kind), axis=0)
            cells = [np.searchsorted(key, end[:, None] * people + others) for end in (head, tail)]
            there = [
                (at < len(key)) & (key[np.minimum(at, len(key) - 1)] == end[:, None] * people + others)
                if len(key)
                else at < 0
                for at, end in zip(cells, (head, tail), strict=True)
            ]
            relation, other = np.nonzero(there[0] & there[1])
            partners = np.stack([theirs[at[relation, other]] for at in cells])
            again = np.isin(kind[relation], symmetric)
            partners[:, again] = np.sort(partners[:, again], axis=0)
            same = np.isin((kind[relation] * number + partners[0]) * number + partners[1], drawn)
            left, right = np.minimum(who[relation], other), np.maximum(who[relation], other)
            is_first = who[relation] < other
            where = document[relation]
            for column, rows in (
                (f"{name} matched", same & is_first),
                (f"{name} found first", is_first),
                (f"{name} found second", ~is_first),
            ):
                numbers[column] = compared.added_by(where[rows], left[rows], right[rows])
        return cls.gathered(compared, numbers, pooled=options["average"] == "pooled")

    def values(self, arguments: str, *, found: bool = False) -> Array:
        """F1 of every pair, of all relations or of those whose arguments both have: (..., pairs)."""
        by = self.by_pair()
        sides = (f"{arguments} found first", f"{arguments} found second") if found else ("first", "second")
        return f1_of_same(by[f"{arguments} matched"], by[sides[0]], by[sides[1]])


def _symmetric(said: str | None, types: Sequence[str]) -> Array:
    names = [] if said is None else [one.strip() for one in said.split(",") if one.strip()]
    for name in names:
        if name not in types:
            raise OptionError(
                f"`symmetric` names the type {shown(name)}, which no relation has; {did_you_mean(name, types)}"
            )
    return np.array([types.index(name) for name in names], dtype=np.int64)


def _mean(values: Array) -> Array:
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(known, values, 0.0).sum(-1) / known.sum(-1))


@measure(
    title="Relation F1",
    kind="spans",
    profiles=RelationSums,
    scales=["nominal"],
    references=["hripcsak2005"],
    chance_corrected=False,
    titled=lambda options, weights: f"Relation F1 ({options['arguments']} arguments)",
)
def relation_f1(
    items: RelationSums,
    *,
    arguments: Annotated[
        Literal["exact", "aligned"],
        Takes(help="Arguments are the same spans, or spans that are aligned with each other."),
    ] = "exact",
    symmetric: Annotated[
        str | None,
        Takes(help="Types of relations without a direction.", values="types", metavar="TYPE,TYPE"),
    ] = None,
    average: Annotated[
        Literal["pairs", "pooled"], Takes(help="Mean over pairs of annotators, or all pairs pooled.")
    ] = "pairs",
) -> Components:
    """How far two annotators draw the same relations between spans: same type, same head, same tail.

    Twice the relations that two annotators both drew, divided by all that they drew. Arguments are the same if they are the same span
    (``exact``: start, end and label), or if they are aligned (``aligned``: identical, in the same place, or overlapping in the best matching).
    The details hold both values, and F1 given the arguments: among relations both of whose arguments the other annotator has, too.

    When to use
    -----------
    Relations, events and coreference links on top of spans. Both values together tell disagreement on spans from disagreement on
    relations: the value given the arguments is about relations alone.

    Not when
    --------
    Chains of coreference with many links each: every link counts here.

    References
    ----------
    Hripcsak, G. and Rothschild, A. S. (2005). Agreement, the F-measure, and reliability in information retrieval. Journal of the
    American Medical Informatics Association 12(3), 296-298. https://doi.org/10.1197/jamia.M1733

    Examples
    --------
    >>> import assent
    >>> rows = [
    ...     ("d", "ada", 0, 4, "PER"),
    ...     ("d", "ada", 9, 15, "ORG"),
    ...     ("d", "ben", 0, 4, "PER"),
    ...     ("d", "ben", 9, 14, "ORG"),
    ... ]
    >>> data = assent.Spans.from_rows(rows, relations=[("works for", 0, 1), ("works for", 2, 3)])
    >>> found = assent.relation_f1(data)
    >>> found.value, found.details["aligned"]
    (0.0, 1.0)
    """
    values = items.values(arguments)
    return Components(
        observed=_mean(values),
        pairs=None
        if average == "pooled"
        else Pairs(
            first=items.first, second=items.second, items=items.shared, observed=values, expected=np.zeros_like(values)
        ),
        details={
            "exact": _mean(items.values("exact")),
            "aligned": _mean(items.values("aligned")),
            "exact given the arguments": _mean(items.values("exact", found=True)),
            "aligned given the arguments": _mean(items.values("aligned", found=True)),
        },
    )


class AttributeSums(NamedSums, frozen=True, kw_only=True, eq=False):
    """Documents by an attribute of spans that are aligned with each other."""

    @classmethod
    def of(cls, data: Spans, **options: Any) -> Self:
        """Count values of aligned spans."""
        chosen = _attribute(data, options["attribute"])
        known = data.attributes[chosen]
        found = _aligned(data)
        one, two = known.code[found.first], known.code[found.second]
        both = (one >= 0) & (two >= 0)
        number, many = len(data.documents), len(known.values)
        document = data.document[found.first]

        def added(rows: Array, amounts: Array | None = None) -> Array:
            return np.bincount(document[rows], amounts, minlength=number).astype(np.float64)

        cells = np.zeros((number, max(1, many)))
        for side in (one, two):
            np.add.at(cells, (document[both], side[both]), 1.0)
        columns = {
            "pairs": added(both),
            "agree": added(both & (one == two)),
            "without": added(~both),
            # Every span is compared with each other annotator who judged the document.
            "comparisons": np.bincount(data.document, data.judges[data.document] - 1.0, minlength=number),
            "values": cells,
        }
        return cls.by_name(data, columns, known.values)


def _attribute(data: Spans, said: str | None) -> str:
    known = list(data.attributes)
    if not known:
        raise UnsuitableData("These spans have no attributes: name their columns with `attributes`.")
    if said is None and len(known) > 1:
        raise OptionError(f"There are the attributes {named(known)}: choose one with `attribute`.")
    if said is not None and said not in known:
        raise OptionError(f"There is no attribute {shown(said)}; {did_you_mean(said, known)}")
    return said or known[0]


@measure(
    title="Attribute alpha",
    kind="spans",
    profiles=AttributeSums,
    scales=["nominal"],
    references=["krippendorff2011"],
    titled=lambda options, weights: (
        "Attribute alpha" + (f", {shown(options['attribute'])}" if options["attribute"] else "")
    ),
)
def span_attribute_alpha(
    items: AttributeSums,
    *,
    attribute: Annotated[str | None, Takes(help="Which attribute of spans.", values="a column", metavar="NAME")] = None,
) -> Components:
    """Krippendorff's alpha of an attribute of spans that are aligned with each other.

    Every two spans of two annotators that are identical, in the same place, or overlap in the best matching are compared, if both have a
    value. The details hold the number of pairs, the coverage (the share of comparisons of a span with another annotator in which it could be
    aligned), and the pairs of which one has no value.

    When to use
    -----------
    Attributes of entities and events: negated, uncertain, time, coreference status. Quote it with the coverage.

    Not when
    --------
    Alone: what only one annotator marked has no say. For labels of spans: span-label-alpha.

    References
    ----------
    Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability. University of Pennsylvania.
    https://repository.upenn.edu/asc_papers/43

    Examples
    --------
    >>> import assent
    >>> rows = [("d", who, start, start + 4, "A") for who in ("ada", "ben") for start in (0, 9, 20)]
    >>> data = assent.Spans.from_rows(rows, attributes={"negated": ["yes", "no", "no", "yes", "no", "yes"]})
    >>> found = assent.span_attribute_alpha(data)
    >>> round(found.value, 4), found.details["pairs"], found.details["coverage"]
    (0.4444, 3.0, 1.0)
    """
    sums = items.sums()
    pairs = sums["pairs"]
    total = 2.0 * pairs
    expected = (sums["values"] * (sums["values"] - 1.0)).sum(-1) / (total * (total - 1.0))
    return Components(
        observed=sums["agree"] / pairs,
        expected=expected,
        details={
            "pairs": pairs,
            "coverage": 2.0 * (pairs + sums["without"]) / sums["comparisons"],
            "without_value": sums["without"],
        },
    )
