"""Alphas of unitized continua: how much of the text is marked, and as what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from assent.errors import OptionError, UnsuitableData, did_you_mean
from assent.measures._gamma_sums import units_of
from assent.measures._named_sums import NamedSums, known_lengths, spans_named
from assent.measures.components import Components
from assent.measures.registry import measure
from assent.profiles import Array
from assent.registry import Takes
from assent.text import shown

if TYPE_CHECKING:
    from assent.continua.stretches import Stretches
    from assent.data import Spans

__all__ = ["MetSums", "UnitizedSums", "alpha_cu", "alpha_ku", "alpha_u", "alpha_u_binary"]


class UnitizedSums(NamedSums, frozen=True, kw_only=True, eq=False):
    """Documents by how long annotators say the same and different things, and what is taken off for small samples."""

    def apart_by_chance(self) -> Mapping[str, Array]:
        """Return the lengths over which things differ by chance, and over which one is a gap."""
        sums = self.sums()
        total, gaps = sums["total"], sums["lengths"][..., 0]
        return {
            "apart": _room(sums, total**2 - (sums["lengths"] ** 2).sum(-1)),
            "gap_apart": _room(sums, gaps * (total - gaps)),
        }

    @classmethod
    def of(cls, data: Spans, **options: Any) -> Self:
        """Cut the documents wherever a span begins or ends; raises UnsuitableData if spans of an annotator overlap."""
        from assent.continua.unitized import unitized_sums

        lengths = known_lengths(data, "Alpha of units")
        data = data if options.get("span_label") is None else data.only_label(options["span_label"])
        columns = unitized_sums(_stretches(data, lengths), len(data.labels))
        return cls.by_name(data, columns, data.labels)


class MetSums(UnitizedSums, frozen=True, kw_only=True, eq=False):
    """The same, and how long units meet units of other annotators, label by label."""

    def apart_by_chance(self) -> Mapping[str, Array]:
        """Return nothing: what two annotators both marked is not known of a document that nobody has seen."""
        return {}

    @classmethod
    def of(cls, data: Spans, **options: Any) -> Self:
        """Cut the documents wherever a span begins or ends; a label is compared with all others."""
        from assent.continua.unitized import met_sums, unitized_sums

        known = _stretches(data, known_lengths(data, "Alpha of units"))
        columns = {**unitized_sums(known, len(data.labels)), **met_sums(known, len(data.labels))}
        return cls.by_name(data, columns, data.labels)


def _stretches(data: Spans, lengths: Array) -> Stretches:
    from assent.continua.stretches import Stretches, overlapping

    units = units_of(data, parts=True)
    beyond = overlapping(units)
    if len(beyond):
        spans = np.unique(data.parts[0][beyond])
        raise UnsuitableData(
            "Alpha of units takes no units of an annotator that overlap each other, and these begin inside another one: "
            f"{spans_named(data, spans)}; use gamma or span-f1, or alpha-u of one label (`span_label`)."
        )
    return Stretches.of(units, lengths)


def _room(sums: Mapping[str, Array], of: Array) -> Array:
    """Return the length expected by chance, over that of pairs of values, of which `of` is the sum of products."""
    total = sums["total"]
    return np.asarray(total * of / (total**2 - sums["correction"]))


SpanLabel = Annotated[
    str | None, Takes(help="Compare the spans of this label only.", values="a label", metavar="LABEL")
]


def _about(data: Spans, options: Mapping[str, Any]) -> Sequence[str]:
    return ["u-alpha compares lengths: where a unit ends and the next of the same label begins is not seen."]


def _titled(name: str) -> Callable[[Mapping[str, Any], str], str]:
    return lambda options, _: name + ("" if options["span_label"] is None else f", {shown(options['span_label'])}")


@measure(
    title="u-alpha",
    kind="spans",
    profiles=UnitizedSums,
    scales=["nominal"],
    references=["krippendorff2016"],
    aliases=["u-alpha"],
    titled=_titled("u-alpha"),
    remarks=_about,
)
def alpha_u(items: UnitizedSums, *, span_label: SpanLabel = None) -> Components:
    """Agreement beyond chance on how long each label, or none, is said of a text.

    Every annotator cuts the text into units and gaps. Disagreement is the length over which two annotators say different things, a gap
    being one of the things; expected disagreement pairs all lengths with each other, without pairing a unit with itself. A corpus
    adds up over documents. Observed and expected are shown as agreement.

    When to use
    -----------
    Content analysis: a text is cut into parts that do not overlap and each gets a code. It answers whether annotators say the same about
    the same amount of text; alpha-u-binary and alpha-cu split it into finding and naming.

    Not when
    --------
    Units of one annotator overlap: gamma or span-f1. The units themselves count, not the amount of text: one unit of twenty characters and
    four of five next to each other are the same here. A value for characters in all but small texts: it tends to position-alpha.

    References
    ----------
    Krippendorff, K., Mathet, Y., Bouvry, S. and Widlöcher, A. (2016). On the reliability of unitizing textual continua: further
    developments. Quality & Quantity 50(6), 2347-2364. https://doi.org/10.1007/s11135-015-0266-1

    Examples
    --------
    >>> import assent
    >>> rows = [("d", "ada", 1, 9, "A"), ("d", "ben", 2, 3, "A"), ("d", "ben", 4, 5, "A"), ("d", "ben", 6, 7, "A")]
    >>> round(assent.alpha_u(assent.Spans.from_rows(rows, lengths={"d": 10})).value, 4)
    0.1818
    """
    sums = items.sums()
    expected = _room(sums, sums["total"] ** 2 - (sums["lengths"] ** 2).sum(-1))
    return Components(observed=1.0 - sums["apart"] / sums["total"], expected=1.0 - expected / sums["total"])


@measure(
    title="u-alpha, marked or not",
    kind="spans",
    profiles=UnitizedSums,
    scales=["nominal"],
    references=["krippendorff2016"],
    titled=_titled("u-alpha, marked or not"),
    remarks=_about,
)
def alpha_u_binary(items: UnitizedSums, *, span_label: SpanLabel = None) -> Components:
    """Agreement beyond chance on which parts of a text are marked at all, whatever the label.

    Like alpha-u with two things to say: unit or gap.

    When to use
    -----------
    Is it agreed which text is relevant? Beside alpha-cu, which asks whether what both marked has the same label.

    Not when
    --------
    Units of one annotator overlap, or the units count and not the amount of text: gamma or span-f1.

    References
    ----------
    Krippendorff, K., Mathet, Y., Bouvry, S. and Widlöcher, A. (2016). On the reliability of unitizing textual continua: further
    developments. Quality & Quantity 50(6), 2347-2364. https://doi.org/10.1007/s11135-015-0266-1

    Examples
    --------
    >>> import assent
    >>> rows = [("d", "ada", 0, 8, "A"), ("d", "ben", 2, 8, "B")]
    >>> round(assent.alpha_u_binary(assent.Spans.from_rows(rows, lengths={"d": 20})).value, 4)
    0.7975
    """
    sums = items.sums()
    gaps, total = sums["lengths"][..., 0], sums["total"]
    expected = _room(sums, gaps * (total - gaps))
    return Components(observed=1.0 - 2.0 * sums["gap_apart"] / total, expected=1.0 - 2.0 * expected / total)


def _met(sums: Mapping[str, Array]) -> tuple[Array, Array]:
    """Return how long units meet units, and what products of lengths are divided by."""
    met = sums["met"].sum(-1)
    return met, met - sums["mets"].sum(-1) / met


@measure(
    title="cu-alpha",
    kind="spans",
    profiles=MetSums,
    scales=["nominal"],
    references=["krippendorff2016"],
    aliases=["cu-alpha"],
)
def alpha_cu(items: MetSums) -> Components:
    """Agreement beyond chance on labels, where two annotators both marked something.

    Gaps are left out: only lengths over which units of two annotators meet are compared. ``coverage``, in the details, is their share of
    all text; quote it with the value. With three or more annotators the length that a unit brings to the correction for small samples is
    the mean over the others of what meets theirs, which gives the values printed in the literature; programs differ here.

    When to use
    -----------
    Beside alpha-u-binary: is it the labels, once something was found?

    Not when
    --------
    Alone, or with little coverage: what only one annotator marked has no say. Units of one annotator overlap: span-label-alpha.

    References
    ----------
    Krippendorff, K., Mathet, Y., Bouvry, S. and Widlöcher, A. (2016). On the reliability of unitizing textual continua: further
    developments. Quality & Quantity 50(6), 2347-2364. https://doi.org/10.1007/s11135-015-0266-1

    Examples
    --------
    >>> import assent
    >>> rows = [("d", "ada", 0, 8, "A"), ("d", "ada", 9, 12, "B"), ("d", "ben", 2, 8, "A"), ("d", "ben", 8, 11, "A")]
    >>> found = assent.alpha_cu(assent.Spans.from_rows(rows, lengths={"d": 20}))
    >>> round(found.value, 4), round(found.details["coverage"], 4)
    (0.2143, 0.4)
    """
    sums = items.sums()
    met, base = _met(sums)
    expected = (met**2 - (sums["met"] ** 2).sum(-1)) / base
    return Components(
        observed=sums["same"].sum(-1) / met,
        expected=1.0 - expected / met,
        details={"coverage": met / sums["total"]},
    )


@measure(
    title="(k)u-alpha",
    kind="spans",
    profiles=MetSums,
    scales=["nominal"],
    references=["krippendorff2016"],
    aliases=["ku-alpha"],
    titled=_titled("(k)u-alpha"),
)
def alpha_ku(
    items: MetSums,
    *,
    span_label: SpanLabel = None,
) -> Components:
    """Agreement beyond chance on one label, where two annotators both marked something.

    How reliably a label is told from the others where units meet. Without ``span_label`` there is no value; the details hold that of each
    label. ``coverage`` is the share of the label's text that meets a unit of another annotator; without any the value is undefined.

    When to use
    -----------
    Beside alpha-cu: which label is the trouble?

    Not when
    --------
    With little coverage; for finding units of a label: span-f1 of that label.

    References
    ----------
    Krippendorff, K., Mathet, Y., Bouvry, S. and Widlöcher, A. (2016). On the reliability of unitizing textual continua: further
    developments. Quality & Quantity 50(6), 2347-2364. https://doi.org/10.1007/s11135-015-0266-1

    Examples
    --------
    >>> import assent
    >>> rows = [("d", "ada", 0, 8, "A"), ("d", "ada", 9, 12, "B"), ("d", "ben", 2, 8, "A"), ("d", "ben", 8, 11, "A")]
    >>> found = assent.alpha_ku(assent.Spans.from_rows(rows, lengths={"d": 20}), span_label="B")
    >>> round(found.value, 4), round(found.details["coverage"], 4)
    (0.0, 0.6667)
    """
    sums = items.sums()
    met, base = _met(sums)
    own, same = sums["met"], sums["same"]
    together = (own * met[..., None] - sums["mets"]) / base[..., None]
    alike = (own**2 - sums["mets"]) / base[..., None]
    apart = 1.0 - alike / together
    observed, expected = same / own, 1.0 - apart
    coverage = own / sums["lengths"][..., 1:]
    if span_label is None:
        values = Components(observed=observed, expected=expected).value
        # A value for each label, and none for all of them.
        none = met * np.nan
        details = {f"alpha of {name}": values[..., at] for at, name in enumerate(items.labels)}
        details |= {f"coverage of {name}": coverage[..., at] for at, name in enumerate(items.labels)}
        why = "Undefined for all labels together: choose one with `span_label`, or see the details for each."
        return Components(observed=none, expected=none, undefined=why, details=details)
    if span_label not in items.labels:
        raise OptionError(f"There is no label {shown(span_label)}; {did_you_mean(span_label, items.labels)}")
    at = items.labels.index(span_label)
    return Components(observed=observed[..., at], expected=expected[..., at], details={"coverage": coverage[..., at]})
