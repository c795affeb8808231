"""Positions of a text as items: what each annotator says of every character or token, or that it is nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from msgspec.structs import replace

from assent import matching
from assent.measures._gamma_sums import units_of
from assent.measures._named_sums import NamedSums, known_lengths
from assent.measures._span_pairs import Compared, PairSums
from assent.measures.components import Components, Pairs
from assent.measures.registry import measure
from assent.profiles import Array
from assent.registry import Takes
from assent.text import counted, shown

if TYPE_CHECKING:
    from assent.continua.stretches import Stretches
    from assent.data import Spans

__all__ = ["PositionPairs", "PositionSums", "position_alpha", "position_kappa"]

SpanLabel = Annotated[
    str | None, Takes(help="Compare the spans of this label only.", values="a label", metavar="LABEL")
]
Said = Annotated[
    Literal["labels", "marked"],
    Takes(help="What is compared at a position: its labels, or whether it is marked at all."),
]


def _unlabelled(data: Spans) -> Array:
    """Return which spans have no label where others have one; a missing label is not a label."""
    return (
        (data.label == data.labels.index("")) & (len(data.labels) > 1)
        if "" in data.labels
        else np.zeros(len(data.start), dtype=bool)
    )


def _stretches(data: Spans, options: Mapping[str, Any], name: str) -> tuple[Spans, Stretches]:
    """Cut documents wherever a span that counts begins or ends."""
    from assent.continua.stretches import Stretches

    lengths = known_lengths(data, name)
    data = data if options["span_label"] is None else data.only_label(options["span_label"])
    units = units_of(data if options["said"] == "marked" else data.kept(~_unlabelled(data)), parts=True)
    if options["said"] == "marked":
        units = replace(units, label=np.zeros_like(units.label))
    return data, Stretches.of(units, lengths)


class PositionSums(NamedSums, frozen=True, kw_only=True, eq=False):
    """Documents by at how many positions two annotators say different things, and how often each thing is said."""

    def apart_by_chance(self) -> Mapping[str, Array]:
        """Return at how many positions things differ by chance."""
        sums = self.sums()
        return {"apart": sums["total"] - (sums["lengths"] ** 2).sum(-1) / sums["total"]}

    @classmethod
    def of(cls, data: Spans, **options: Any) -> Self:
        """Count positions."""
        from assent.continua.unitized import position_sums

        data, known = _stretches(data, options, "position-alpha")
        return cls.by_name(data, position_sums(known))


class PositionPairs(PairSums, frozen=True, kw_only=True, eq=False):
    """Every two annotators by how many positions they agree on, and how often each of them says what."""

    @classmethod
    def of(cls, data: Spans, **options: Any) -> Self:
        """Count positions."""
        data, known = _stretches(data, options, "position-kappa")
        compared = Compared.of(data)
        stretch, slot, value, meaning = known.said
        document = known.continuum[stretch]
        first = np.searchsorted(data.judged[:, 0], np.arange(len(data.documents)))
        who = data.judged[first[document] + slot, 1]
        # Two annotators who say something on the same stretch; they come by stretch and slot.
        many = np.bincount(stretch, minlength=len(known.width))
        one, two = matching.pairs_within(many)
        width = known.width[stretch[one]].astype(np.float64)
        both = compared.added_by(document[one], who[one], who[two], width)
        same = compared.added_by(document[one], who[one], who[two], width * (value[one] == value[two]))
        numbers = {"total": known.lengths[compared.document].astype(np.float64)}
        marked = compared.marked(document, who, known.width[stretch])
        numbers["agree"] = numbers["total"] - marked[0] - marked[1] + both + same
        for code in range(len(meaning)):
            here = value == code
            numbers[f"first {code}"], numbers[f"second {code}"] = compared.marked(
                document[here], who[here], known.width[stretch[here]]
            )
        return cls.gathered(compared, numbers, pooled=False)


def _titled(name: str) -> Any:
    def titled(options: Mapping[str, Any], variant: str) -> str:
        label = "" if options["span_label"] is None else f" of {shown(options['span_label'])}"
        return f"{name}{label}" + (", marked or not" if options["said"] == "marked" else "")

    return titled


def _remarks(data: Spans, options: Mapping[str, Any]) -> Sequence[str]:
    said = [
        "Positions are compared, so long spans count more than short ones; the interval draws documents, not positions."
    ]
    if options["said"] == "labels" and options["span_label"] is None:
        said.append("Several labels that an annotator gives to one position are one value together.")
        if number := int(_unlabelled(data).sum()):
            said.append(
                f"{counted(number, 'span')} without a label {'counts' if number == 1 else 'count'} as nothing marked."
            )
    return said


@measure(
    title="Position alpha",
    kind="spans",
    profiles=PositionSums,
    scales=["nominal"],
    references=["krippendorff2011"],
    titled=_titled("Position alpha"),
    remarks=_remarks,
)
def position_alpha(items: PositionSums, *, said: Said = "labels", span_label: SpanLabel = None) -> Components:
    """Krippendorff's alpha over the positions of the text: the same text in the same colour.

    Every position (character or token, as offsets count) is an item, and every annotator of the document gives it a label: that of the
    span there, several together if spans overlap, or none, which is also what a span without a label says. Documents, not positions, are
    what a new sample would draw.

    When to use
    -----------
    Annotators colour text and the amount of it matters; any number of annotators, spans that overlap.

    Not when
    --------
    Spans are things to be counted: span-f1 or gamma. Never quote the percentage of positions that agree: nearly all of them are outside of
    every span. Never leave those out either, which makes agreement look worse than chance.

    References
    ----------
    Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability. University of Pennsylvania.
    https://repository.upenn.edu/asc_papers/43

    Examples
    --------
    >>> import assent
    >>> rows = [("d", "ada", 0, 8, "A"), ("d", "ben", 2, 8, "A")]
    >>> round(assent.position_alpha(assent.Spans.from_rows(rows, lengths={"d": 20})).value, 4)
    0.7857
    """
    sums = items.sums()
    total = sums["total"]
    expected = (total**2 - (sums["lengths"] ** 2).sum(-1)) / (total * (total - 1.0))
    return Components(observed=1.0 - sums["apart"] / total, expected=1.0 - expected)


@measure(
    title="Position kappa",
    kind="spans",
    profiles=PositionPairs,
    scales=["nominal"],
    references=["cohen1960"],
    titled=_titled("Position kappa"),
    remarks=_remarks,
)
def position_kappa(items: PositionPairs, *, said: Said = "labels", span_label: SpanLabel = None) -> Components:
    """Cohen's kappa over the positions of the text, the mean over pairs of annotators.

    Every position (character or token, as offsets count) is an item with a label of each annotator, several together if spans overlap, or
    none. Chance is that of two annotators who keep their own shares of labels. Documents are what a new sample would draw.

    When to use
    -----------
    Two annotators who colour text, where the amount of it matters and each has habits of their own.

    Not when
    --------
    More than a few annotators, or changing ones: position-alpha. Spans are things to be counted: span-f1 or gamma. With few positions outside
    of spans it says something else: for rare labels it tends to the F1 of positions.

    References
    ----------
    Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20(1), 37-46.
    https://doi.org/10.1177/001316446002000104

    Examples
    --------
    >>> import assent
    >>> rows = [("d", "ada", 0, 8, "A"), ("d", "ben", 2, 8, "A")]
    >>> round(assent.position_kappa(assent.Spans.from_rows(rows, lengths={"d": 20})).value, 4)
    0.7826
    """
    by = items.by_pair()
    total = by["total"]
    values = [name.removeprefix("first ") for name in items.fields if name.startswith("first ")]
    expected = (total - sum(by[f"first {one}"] for one in values)) * (
        total - sum(by[f"second {one}"] for one in values)
    )
    expected = (expected + sum(by[f"first {one}"] * by[f"second {one}"] for one in values)) / total**2
    pairs = Pairs(
        first=items.first, second=items.second, items=items.shared, observed=by["agree"] / total, expected=expected
    )
    known = ~np.isnan(pairs.values)
    mean = np.where(known, pairs.values, 0.0).sum(-1) / known.sum(-1)
    return Components(observed=pairs.observed.mean(-1), expected=pairs.expected.mean(-1), coefficient=mean, pairs=pairs)
