"""Where a text is cut: boundary similarity, WindowDiff and Pk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from msgspec.structs import replace

from assent.measures._named_sums import known_lengths
from assent.measures._span_pairs import Compared, PairSums
from assent.measures.components import Components, Pairs
from assent.measures.registry import measure
from assent.profiles import Array
from assent.registry import number

if TYPE_CHECKING:
    from assent.data import Spans

__all__ = ["BoundarySums", "WindowSums", "boundary_similarity", "pk", "window_diff"]

Near = Annotated[
    int,
    number(
        "near",
        least=1,
        whole=True,
        must="be at least 1",
        help="Boundaries less than so many positions apart are near misses.",
        values="1 or more",
    ),
]
Window = Annotated[
    int | None,
    number(
        "window",
        least=1,
        whole=True,
        must="be at least 1",
        help="Positions of a window (k); half the mean length of a segment unless given.",
        values="1 or more",
    ),
]


def _boundaries(data: Spans, lengths: Array) -> dict[tuple[int, int], Array]:
    """Return the boundaries inside a document that each annotator of it set, by document and annotator."""
    span, begin, end = data.parts
    document = np.tile(data.document[span], 2)
    place = np.concatenate([begin, end])
    inside = (place > 0) & (place < lengths[document])
    who = np.tile(data.annotator[span], 2)
    rows = np.unique(np.stack([document[inside], who[inside], place[inside]]), axis=1)
    owner = rows[0] * len(data.annotators) + rows[1]
    judged = data.judged[:, 0] * len(data.annotators) + data.judged[:, 1]
    low, high = np.searchsorted(owner, judged), np.searchsorted(owner, judged, side="right")
    return {
        (document, annotator): rows[2, first:last]
        for (document, annotator), first, last in zip(data.judged.tolist(), low.tolist(), high.tolist(), strict=True)
    }


def _rows(compared: Compared) -> list[tuple[int, int, int]]:
    return list(zip(compared.document.tolist(), compared.first.tolist(), compared.second.tolist(), strict=True))


class BoundarySums(PairSums, frozen=True, kw_only=True, eq=False):
    """Every two annotators by the boundaries that both have and the edits between the others."""

    @classmethod
    def blockable(cls, options: Mapping[str, Any]) -> bool:
        """Refuse: blocks begin at a boundary, which would not be compared."""
        return False

    @classmethod
    def of(cls, data: Spans, **options: Any) -> Self:
        """Compare boundaries."""
        from assent.continua.segments import boundary_edits, edit_cost

        compared = Compared.of(data)
        found = _boundaries(data, known_lengths(data, "boundary-similarity"))
        edits = [
            boundary_edits(found[document, one], found[document, two], options["near"])
            for document, one, two in _rows(compared)
        ]
        many, weight, both = (np.array(column, dtype=np.float64) for column in zip(*edits, strict=True))
        cost = [edit_cost(found[document, one], found[document, two]) for document, one, two in _rows(compared)]
        numbers = {"weight": weight, "all": many + both, "cost": np.array(cost, dtype=np.float64)}
        return cls.gathered(compared, numbers, pooled=False)


class WindowSums(PairSums, frozen=True, kw_only=True, eq=False):
    """Every two annotators by windows that differ."""

    #: What is compared in a window: whether there is a boundary, or how many.
    PRESENCE = False
    window: int = 0

    @classmethod
    def blockable(cls, options: Mapping[str, Any]) -> bool:
        """Refuse: a window may reach over the end of a block."""
        return False

    @classmethod
    def of(cls, data: Spans, **options: Any) -> Self:
        """Compare windows."""
        from assent.continua.segments import window_counts, window_errors

        lengths = known_lengths(data, "A window over segments")
        compared = Compared.of(data)
        found = _boundaries(data, lengths)
        window = options["window"] or half_segment(data, found)
        counts = {
            (document, who): window_counts(one, int(lengths[document]), window)
            for (document, who), one in found.items()
        }
        rows = _rows(compared)
        errors = [
            window_errors(counts[document, one], counts[document, two], presence=cls.PRESENCE)
            for document, one, two in rows
        ]
        windows = [len(counts[document, one]) for document, one, _ in rows]
        numbers = {"errors": np.array(errors, dtype=np.float64), "windows": np.array(windows, dtype=np.float64)}
        return replace(cls.gathered(compared, numbers, pooled=False), window=window)


class PresenceSums(WindowSums, frozen=True, kw_only=True, eq=False):
    """Every two annotators by windows of which only one has a boundary."""

    PRESENCE = True


def half_segment(data: Spans, boundaries: Mapping[tuple[int, int], Array]) -> int:
    """Return half the mean length of a segment, rounded, two at least."""
    text = sum(data.lengths[data.documents[document]] for document, _ in boundaries)
    segments = sum(len(one) + 1 for one in boundaries.values())
    return max(2, round(text / segments / 2))


def _mean(items: PairSums, values: Array, *, error: bool) -> Components:
    """Return the mean over pairs that have a value; of an error the value is that, and agreement what is left."""
    known = ~np.isnan(values)
    mean = np.where(known, values, 0.0).sum(-1) / known.sum(-1)
    pairs = Pairs(
        first=items.first, second=items.second, items=items.shared, observed=values, expected=np.zeros_like(values)
    )
    if not error:
        return Components(observed=mean, pairs=pairs)
    return Components(observed=1.0 - mean, coefficient=mean, pairs=pairs)


def _about_windows(data: Spans, options: Mapping[str, Any]) -> Sequence[str]:
    window = options["window"] or half_segment(data, _boundaries(data, known_lengths(data, "A window over segments")))
    return [
        f"Windows of {window:,} positions; another window gives another value, so quote it. It is a rate of errors: 0 is best.",
        "A boundary is wherever a span begins or ends inside a document; labels are ignored.",
    ]


@measure(
    title="Boundary similarity",
    kind="spans",
    profiles=BoundarySums,
    scales=["nominal"],
    references=["fournier2013", "bookstein2002"],
    chance_corrected=False,
    remarks=lambda data, options: [
        "A boundary is wherever a span begins or ends inside a document; labels are ignored."
    ],
)
def boundary_similarity(items: BoundarySums, *, near: Near = 2) -> Components:
    """How far two annotators cut a text in the same places, near misses counting in part.

    One less the weight of the edits that turn one's boundaries into the other's, over all edits and shared boundaries. A boundary that
    only one set weighs 1; two that are less than ``near`` positions apart are one edit, which weighs their distance over ``near``. Documents
    are added up for each pair of annotators; more than two annotators: the mean over pairs. The details hold what the cheapest way to turn one's
    boundaries into the other's costs, setting or removing one costing 1 and moving one 0.5 a position (``hamming``, the generalised
    Hamming distance).

    When to use
    -----------
    A text is cut into segments (topics, sentences, turns) and only the cuts count. Positions are those of the offsets: where these
    count characters a near miss of two is next to nothing; choose ``near`` by what a slip is.

    Not when
    --------
    Labels count, or most of the text is in no segment: alpha-u, gamma or span-f1. It is not corrected for chance.

    References
    ----------
    Fournier, C. (2013). Evaluating text segmentation using boundary edit distance. ACL 2013, 1702-1712.
    https://aclanthology.org/P13-1167
    Bookstein, A., Kulyukin, V. A. and Raita, T. (2002). Generalized Hamming distance. Information Retrieval 5, 353-375.
    https://doi.org/10.1023/A:1020499411651

    Examples
    --------
    >>> import assent
    >>> rows = [("d", "ada", 0, 4, "s"), ("d", "ada", 4, 12, "s"), ("d", "ben", 0, 5, "s"), ("d", "ben", 5, 12, "s")]
    >>> assent.boundary_similarity(assent.Spans.from_rows(rows, lengths={"d": 12})).value
    0.5
    """
    by = items.by_pair()
    made = _mean(items, 1.0 - by["weight"] / by["all"], error=False)
    return replace(made, details={"hamming": by["cost"].mean(-1)})


@measure(
    title="WindowDiff (error)",
    kind="spans",
    profiles=WindowSums,
    scales=["nominal"],
    references=["pevzner2002"],
    chance_corrected=False,
    remarks=_about_windows,
)
def window_diff(items: WindowSums, *, window: Window = None) -> Components:
    """Share of windows in which two annotators set different numbers of boundaries: 0 is best.

    A window of ``window`` positions is moved over the text, from the first position to the last that it fits; all documents are added up
    for each pair of annotators, and pairs are averaged. The window is half the mean length of a segment unless it is given.

    When to use
    -----------
    To compare with published values of text segmentation, with the window stated.

    Not when
    --------
    For anything else: boundary-similarity needs no window. Boundaries near the ends of the text count less, and programs differ in their
    default window and in the number of windows.

    References
    ----------
    Pevzner, L. and Hearst, M. A. (2002). A critique and improvement of an evaluation metric for text segmentation. Computational
    Linguistics 28(1), 19-36. https://doi.org/10.1162/089120102317341756

    Examples
    --------
    >>> import assent
    >>> rows = [("d", "ada", 0, 4, "s"), ("d", "ada", 4, 11, "s"), ("d", "ben", 0, 5, "s"), ("d", "ben", 5, 10, "s")]
    >>> assent.window_diff(assent.Spans.from_rows(rows, lengths={"d": 12}), window=3).value
    0.3
    """
    by = items.by_pair()
    return _mean(items, by["errors"] / by["windows"], error=True)


@measure(
    title="Pk (error)",
    kind="spans",
    profiles=PresenceSums,
    scales=["nominal"],
    references=["beeferman1999"],
    chance_corrected=False,
    remarks=_about_windows,
)
def pk(items: PresenceSums, *, window: Window = None) -> Components:
    """Share of windows of which one annotator sets a boundary inside and the other none: 0 is best.

    A window of ``window`` positions is moved over the text, as for window-diff, and what is compared is whether there is a boundary in it
    at all. The window is half the mean length of a segment unless it is given.

    When to use
    -----------
    To compare with published values of text segmentation, with the window stated.

    Not when
    --------
    For anything else: it misses boundaries that are close together, and near misses cost more than false ones; boundary-similarity.

    References
    ----------
    Beeferman, D., Berger, A. and Lafferty, J. (1999). Statistical models for text segmentation. Machine Learning 34, 177-210.
    https://doi.org/10.1023/A:1007506220214

    Examples
    --------
    >>> import assent
    >>> rows = [("d", "ada", 0, 4, "s"), ("d", "ada", 4, 11, "s"), ("d", "ben", 0, 5, "s"), ("d", "ben", 5, 10, "s")]
    >>> round(assent.pk(assent.Spans.from_rows(rows, lengths={"d": 12}), window=4).value, 4)
    0.3333
    """
    by = items.by_pair()
    return _mean(items, by["errors"] / by["windows"], error=True)
