"""Krippendorff's first alpha of units, for a single continuum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from assent.errors import UnsuitableData
from assent.measures._gamma_sums import units_of
from assent.measures._named_sums import NamedSums, known_lengths, spans_named
from assent.measures.components import Components
from assent.measures.registry import measure
from assent.registry import Takes
from assent.text import shown

if TYPE_CHECKING:
    from assent.data import Spans

__all__ = ["SquaredSums", "alpha_u_1995"]


class SquaredSums(NamedSums, frozen=True, kw_only=True, eq=False):
    """One document by the disagreement on each label, observed and expected."""

    @classmethod
    def blockable(cls, options: Mapping[str, Any]) -> bool:
        """Refuse: squared lengths do not add up over blocks."""
        return False

    @classmethod
    def of(cls, data: Spans, **options: Any) -> Self:
        """Compare the units of one document; raises UnsuitableData if there are more, or if units of a label overlap."""
        from assent.continua.stretches import overlapping
        from assent.continua.unitized_1995 import squared_differences

        if len(data.documents) > 1:
            raise UnsuitableData(
                f"alpha-u-1995 is for one document, and there are {len(data.documents):,}: use alpha-u, which adds up over documents."
            )
        data = data if options["span_label"] is None else data.only_label(options["span_label"])
        lengths = known_lengths(data, "alpha-u-1995")
        units = units_of(data, parts=True)
        beyond = [
            at[overlapping(units.kept(at))]
            for at in (np.flatnonzero(units.label == one) for one in np.unique(units.label))
        ]
        spans = np.unique(data.parts[0][np.concatenate([np.empty(0, dtype=np.int64), *beyond])])
        if len(spans):
            raise UnsuitableData(
                "alpha-u-1995 takes no units of an annotator and a label that overlap each other, and these begin inside another one: "
                f"{spans_named(data, spans)}; use gamma or span-f1."
            )
        observed, expected = squared_differences(units, float(lengths[0]), len(data.labels))
        return cls.by_name(data, {"observed": observed[None], "expected": expected[None]}, data.labels)


def _remarks(data: Spans, options: Mapping[str, Any]) -> Sequence[str]:
    return [
        "It is kept to compare with older work: squared lengths let one long slip outweigh many missed units, and a worse hit can score "
        "higher. Observed and expected are disagreement turned round (1 less it) and have no lower end.",
    ]


@measure(
    title="u-alpha of 1995",
    kind="spans",
    profiles=SquaredSums,
    scales=["nominal"],
    references=["krippendorff1995"],
    titled=lambda options, variant: (
        "u-alpha of 1995" + ("" if options["span_label"] is None else f", {shown(options['span_label'])}")
    ),
    remarks=_remarks,
)
def alpha_u_1995(
    items: SquaredSums,
    *,
    span_label: Annotated[
        str | None, Takes(help="Compare the spans of this label only.", values="a label", metavar="LABEL")
    ] = None,
) -> Components:
    """Krippendorff's alpha of units as it was before 2016, for one document: kept to compare with older work.

    Two units of a label that overlap differ by the squares of the differences of their ends, a unit in a gap of another annotator by its
    squared length; expected disagreement slides units past each other and through gaps, in the form of 2004. Labels are compared one by
    one and added up. The details hold the disagreement on each label.

    When to use
    -----------
    To compare with a value that was published with this coefficient.

    Not when
    --------
    For anything new: alpha-u replaced it. Squared lengths let one long slip outweigh many missed units; values below -1 happen; a unit that
    touches two units pays twice; and as expected disagreement grows faster than observed disagreement, a worse hit can score higher.
    It does not add up over documents, so it has no interval.

    References
    ----------
    Krippendorff, K. (1995). On the reliability of unitizing continuous data. Sociological Methodology 25, 47-76.
    https://doi.org/10.2307/271061

    Examples
    --------
    >>> import assent
    >>> rows = [("d", "ada", 1, 9, "A"), ("d", "ben", 2, 3, "A"), ("d", "ben", 4, 5, "A"), ("d", "ben", 6, 7, "A")]
    >>> round(assent.alpha_u_1995(assent.Spans.from_rows(rows, lengths={"d": 10})).value, 4)
    -0.7003
    """
    sums = items.sums()
    observed, expected = sums["observed"], sums["expected"]
    details = {f"observed disagreement on {name}": observed[..., at] for at, name in enumerate(items.labels)}
    details |= {f"expected disagreement on {name}": expected[..., at] for at, name in enumerate(items.labels)}
    return Components(observed=1.0 - observed.sum(-1), expected=1.0 - expected.sum(-1), details=details)
