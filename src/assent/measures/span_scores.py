"""F1 of the spans of two annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from assent.errors import OptionError
from assent.measures._span_pairs import MatchSums, SchemeSums
from assent.measures._span_tokens import WHITESPACE
from assent.measures.components import Components, Pairs
from assent.measures.registry import measure
from assent.profiles import Array
from assent.registry import Takes, number
from assent.text import shown

if TYPE_CHECKING:
    from assent.data import Spans

__all__ = ["span_f1", "span_semeval"]

Average = Annotated[
    Literal["pairs", "pooled", "documents"],
    Takes(help="Mean over pairs of annotators; all pairs pooled; or mean over documents, then pairs."),
]
SpanLabel = Annotated[
    str | None, Takes(help="Compare the spans of this label only.", values="a label", metavar="LABEL")
]
Reference = Annotated[
    str | None,
    Takes(
        help="Compare everybody with this annotator, and give precision and recall.",
        values="an annotator",
        metavar="NAME",
    ),
]
HALF = 0.5


def _mean(values: Array) -> Array:
    """Mean over pairs that have a value."""
    known = ~np.isnan(values)
    return np.asarray(np.where(known, values, 0.0).sum(-1) / known.sum(-1))


def _pairs(items: MatchSums, values: Array) -> Pairs:
    return Pairs(
        first=items.first, second=items.second, items=items.shared, observed=values, expected=np.zeros_like(values)
    )


def _sides(items: MatchSums) -> dict[str, Array]:
    """Return precision and recall of those who are compared with a reference."""
    by = items.by_pair()
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "precision": _mean(by["matched"] / by["first"]),
            "recall": _mean(by.get("back", by["matched"]) / by["second"]),
        }


def _titled(options: Mapping[str, Any], weights: str) -> str:
    how = f"IoU {options['iou']:g}" if options["match"] == "iou" else options["match"]
    said = [how, *([options["average"]] if options["average"] != "pairs" else [])]
    label = f" of {shown(options['span_label'])}" if options["span_label"] is not None else ""
    return f"Span F1{label} ({', '.join(said)})"


def _remarks(data: Spans, options: Mapping[str, Any]) -> Sequence[str]:
    said = []
    if options["empty"] == "1":
        said.append(
            "A document in which neither annotator marked anything counts as 1, as in SemEval-2021 task 5."
            if options["average"] == "documents"
            else "`empty` 1 is about a mean over documents, and changes nothing here: add `average` documents."
        )
    return said


@measure(
    title="Span F1",
    kind="spans",
    profiles=MatchSums,
    scales=["nominal"],
    references=["hripcsak2005"],
    chance_corrected=False,
    titled=_titled,
    remarks=_remarks,
    warnings={
        ("match", "covered"): "A span counts as found if it meets any span of the other annotator: joining and splitting cost nothing.",
        ("match", "character"): "Long spans weigh more than short ones, and where one span ends and the next begins is not seen.",
        ("match", "token"): "A token counts when one of its characters is touched; long spans weigh more than short ones.",
        ("match", "overlap-any"): "Labels are ignored: this is about finding something, not about naming it.",
        ("match", "boundary"): "Labels are ignored: this is about finding the places, not about naming them.",
        ("average", "documents"): "Short documents count as much as long ones.",
    },
)  # fmt: skip
def span_f1(
    items: MatchSums,
    *,
    match: Annotated[
        Literal["exact", "boundary", "overlap", "overlap-any", "covered", "iou", "soft", "character", "token"],
        Takes(help="When two spans count as the same.", metavar="RULE"),
    ] = "exact",
    iou: Annotated[
        float,
        number("iou", least=0.0, most=1.0, must="lie between 0 and 1", help="Least overlap, as a share of the union."),
    ] = HALF,
    average: Average = "pairs",
    empty: Annotated[
        Literal["skip", "1"],
        Takes(help="What a document without any span counts in a mean over documents."),
    ] = "skip",
    tokens: Annotated[
        str,
        Takes(
            help="What a token is: what stands between blanks, or a table of document, start and end.",
            values="whitespace, or a file",
            metavar="whitespace|FILE",
        ),
    ] = WHITESPACE,
    span_label: SpanLabel = None,
    reference: Reference = None,
) -> Components:
    """How far two annotators mark the same spans: the share of their spans that both marked.

    Twice the spans that two annotators matched, divided by all that they marked. It is the same whoever is taken for the
    reference. ``match`` says when two spans are the same: ``exact`` (start, end and label), ``boundary`` (start and end),
    ``overlap`` (label, and a character in common), ``overlap-any`` (a character in common), ``iou`` (label, and so much of
    what they cover together), ``soft`` (the IoU itself is added up), all one to one in the best matching; ``covered`` (meets any
    span of the label, not one to one); ``character`` and ``token`` (positions with labels). More than two annotators: the mean over
    pairs, unless ``average`` names another mean. Documents are what a new sample would draw: intervals are over documents.

    When to use
    -----------
    Named entities and other spans whose places matter: exact, with overlap beside it. Nobody can count the spans that were not
    marked, and where these are many, kappa tends to F1; so exact F1 needs no correction for chance as far as finding goes.

    Not when
    --------
    Spans are vague (arguments, toxic passages): overlap or IoU, and gamma beside it. Amount of text matters more than
    spans: alpha-u. Never quote covered or character alone.

    References
    ----------
    Hripcsak, G. and Rothschild, A. S. (2005). Agreement, the F-measure, and reliability in information retrieval. Journal of the
    American Medical Informatics Association 12(3), 296-298. https://doi.org/10.1197/jamia.M1733

    Examples
    --------
    >>> import assent
    >>> data = assent.Spans.from_rows(
    ...     [
    ...         ("d1", "ada", 0, 4, "PER"),
    ...         ("d1", "ada", 9, 15, "LOC"),
    ...         ("d1", "ben", 0, 4, "PER"),
    ...         ("d1", "ben", 9, 12, "LOC"),
    ...         ("d1", "ben", 20, 22, "ORG"),
    ...     ]
    ... )
    >>> assent.span_f1(data).value, assent.span_f1(data, match="overlap").value
    (0.4, 0.8)
    """
    if iou != HALF and match != "iou":
        raise OptionError("`iou` is for `match` iou: add that, or leave it out.")
    if tokens != WHITESPACE and match != "token":
        raise OptionError("`tokens` is for `match` token: add that, or leave it out.")
    values = items.values()
    return Components(
        observed=_mean(values),
        pairs=None if average == "pooled" else _pairs(items, values),
        details={} if reference is None else _sides(items),
    )


@measure(
    title="Span F1 after SemEval-2013",
    kind="spans",
    profiles=SchemeSums,
    scales=["nominal"],
    references=["segurabedmar2013"],
    chance_corrected=False,
    titled=lambda options, weights: f"SemEval-2013 F1 ({options['scheme']})",
    remarks=lambda data, options: (
        [] if options["reference"] is not None
        else ["Without a `reference`, spans of the second annotator of a pair alone are missed, those of the first spurious; F1 is the same either way."]
    ),
)  # fmt: skip
def span_semeval(
    items: SchemeSums,
    *,
    scheme: Annotated[
        Literal["strict", "exact", "partial", "type"],
        Takes(help="What counts as correct.", metavar="strict|exact|partial|type"),
    ] = "strict",
    average: Average = "pairs",
    span_label: SpanLabel = None,
    reference: Reference = None,
) -> Components:
    """F1 of spans by the four schemes of SemEval-2013, from one alignment.

    Every span has at most one partner: an identical span, else one in the same place, else one that overlaps it, in the best matching.
    ``strict`` asks for place and label; ``exact`` for the place; ``partial`` for the place, an overlap counting half; ``type`` for the
    label and an overlap. The details hold how many are correct, incorrect, partial, missed and spurious, precision and recall.

    When to use
    -----------
    A model's entities against a reference, to be compared with other work that quotes these schemes.

    Not when
    --------
    The agreement of people: span-f1, which needs no reference. Other programs match greedily, and differ where spans are nested.

    References
    ----------
    Segura-Bedmar, I., Martínez, P. and Herrero-Zazo, M. (2013). SemEval-2013 task 9: extraction of drug-drug interactions from
    biomedical texts. Proceedings of SemEval 2013, 341-350. https://aclanthology.org/S13-2056/

    Examples
    --------
    >>> import assent
    >>> data = assent.Spans.from_rows([("d", "gold", 0, 4, "X"), ("d", "model", 0, 5, "X"), ("d", "model", 7, 9, "Y")])
    >>> round(assent.span_semeval(data, scheme="partial", reference="gold").value, 3)
    0.333
    """
    values, by = items.values(), items.by_pair()
    counts = {name: by[name].sum(-1) for name in ("correct", "incorrect", "partial", "first", "second")}
    aligned = counts["correct"] + counts["incorrect"] + counts["partial"]
    return Components(
        observed=_mean(values),
        pairs=None if average == "pooled" else _pairs(items, values),
        details={
            "correct": counts["correct"],
            "incorrect": counts["incorrect"],
            "partial": counts["partial"],
            "missed": counts["second"] - aligned,
            "spurious": counts["first"] - aligned,
            **_sides(items),
        },
    )
