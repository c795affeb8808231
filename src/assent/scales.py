"""How near two labels are: scales of measurement and the agreement weights that follow from them.

Two families carry the same names in the literature and are easily mixed up, so they are kept apart here:

* a **scale** (`nominal`, `ordinal`, `interval`, `ratio`) is the level of measurement. It chooses the distance
  of Krippendorff's alpha, whose ordinal distance depends on how often each label was used, and the default
  weights of all other measures;
* **weights** (`identity`, `linear`, `quadratic`, `ordinal`, `radical`, `ratio`, `circular`, `bipolar`) are Gwet's
  agreement weights, which depend on the labels alone. A matrix of one's own works too.

Every kind of weights answers two questions, and measures ask nothing else: `pairs` (how much do the annotations
of one item agree among themselves?) and `between` (how much would labels drawn from two distributions agree?).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol, cast

import numpy as np

from assent.errors import OptionError, UnsuitableData, choose
from assent.label_sets import LabelSets
from assent.limits import LABELS_IN_PAIRS
from assent.profiles import Array, Matrix
from assent.records import Struct
from assent.text import shown

__all__ = [
    "SCALES", "WEIGHTS", "AgreementWeights", "Dense", "Identity", "MidRanks", "Scores", "agreement_weights", "for_two_labels",
    "no_scale_of_sets", "set_weights", "unit_of",
]  # fmt: skip

SCALES = ("nominal", "ordinal", "interval", "ratio")
#: Differences up to this, or down to one part in it, can be squared twice.
SQUARED = 1e60
#: The weights a scale stands for outside Krippendorff's alpha.
DEFAULT_WEIGHTS = {"nominal": "identity", "ordinal": "ordinal", "interval": "quadratic", "ratio": "ratio"}


def no_scale_of_sets(scale: str | None) -> str:
    """Return why sets of labels are not compared on a scale."""
    return f"Sets of labels are on no {scale} scale: leave the scale out."


class AgreementWeights(Protocol):
    """How near labels are, from 0 (as far apart as can be) to 1 (the same)."""

    @property
    def name(self) -> str:
        """Name of the weights, as `weights` takes it."""
        ...

    @property
    def varying(self) -> bool:
        """True if the weights depend on the data and so differ by replicate."""
        ...

    def given(self, totals: Array) -> tuple[AgreementWeights, Array]:
        """Return the weights for data with these `totals` of features, and the totals as they need them."""
        ...

    def pairs(self, counts: Matrix) -> Array:
        """Sum the agreement of all ordered pairs of annotations of each profile: (..., profiles)."""
        ...

    def of(self, first: Array, second: Array) -> Array:
        """Return the agreement of pairs of labels given by their positions: the shape of both."""
        ...

    def features(self, counts: Matrix) -> Matrix:
        """Return what `between` needs to know of each row of label counts: (profiles, features)."""
        ...

    def between(self, first: Array, second: Array) -> Array:
        """Sum the agreement of all pairs, one from each of two groups of labels given by features."""
        ...


class Identity(Struct, frozen=True):
    """Labels agree when they are the same."""

    name = "identity"
    varying = False

    def given(self, totals: Array) -> tuple[Identity, Array]:
        """Return these weights: they do not depend on the data."""
        return self, totals

    def pairs(self, counts: Matrix) -> Array:
        """Sum the agreement of all ordered pairs of annotations of each profile."""
        if isinstance(counts, np.ndarray):
            # Whole numbers would be turned into fractions twice.
            held = np.asarray(counts, dtype=np.float64)
            return np.asarray(np.vecdot(held, held - 1.0))
        return cast(Array, np.asarray(counts.power(2).sum(axis=1) - counts.sum(axis=1), dtype=np.float64).ravel())

    def of(self, first: Array, second: Array) -> Array:
        """Return the agreement of pairs of labels given by their positions."""
        return np.asarray(first == second, dtype=np.float64)

    def features(self, counts: Matrix) -> Matrix:
        """Return the counts themselves."""
        return counts

    def between(self, first: Array, second: Array) -> Array:
        """Sum the agreement of all pairs, one from each group."""
        added: Array = np.add.reduce(first * second, -1)
        return added


def unit_of(values: Array) -> float:
    """Return the unit to compare numbers in: half of their range where that is too large or too small to be squared, else 1.

    Examples
    --------
    >>> unit_of(np.array([1.0, 5.0])), unit_of(np.array([1e200, -1e200]))
    (1.0, 1e+200)
    """
    half = float(values.max() / 2.0 - values.min() / 2.0) if len(values) else 0.0
    return 1.0 if not half or 1.0 / SQUARED < half < SQUARED else half


class Scores(Struct, frozen=True, eq=False):
    """Labels are numbers; their disagreement is the squared difference over the squared range.

    Moments (how many, their sum, their sum of squares) say all, so neither many distinct values nor continuous
    ones need a matrix of labels x labels.

    Parameters
    ----------
    scores : array (labels,), or (..., labels) if `varying`
    span : array (...,)
        The largest difference of two scores.
    """

    scores: Array
    span: Array
    name: str = "quadratic"
    varying: bool = False

    @classmethod
    def from_values(cls, values: Sequence[float]) -> Scores:
        """Take the labels' own values; their middle is moved to 0, for precision."""
        scores = np.asarray(values, dtype=np.float64)
        # Agreement is the same in any unit.
        scores = scores / unit_of(scores)
        low, high = scores.min(), scores.max()
        span = high - low
        return cls(scores - (low + span / 2), np.asarray(span if span > 0 else 1.0))

    def given(self, totals: Array) -> tuple[Scores, Array]:
        """Return these weights: they do not depend on the data."""
        return self, totals

    def pairs(self, counts: Matrix) -> Array:
        """Sum the agreement of all ordered pairs of annotations of each profile."""
        sizes = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
        sums, squares = _apply(counts, self.scores), _apply(counts, self.scores**2)
        apart = 2.0 * (sizes * squares - sums**2) / np.asarray(self.span**2)[..., None]
        apart = apart.reshape(sums.shape)
        return np.asarray(sizes * (sizes - 1.0) - apart)

    def of(self, first: Array, second: Array) -> Array:
        """Return the agreement of pairs of labels given by their positions."""
        return np.asarray(1.0 - ((self.scores[first] - self.scores[second]) / self.span) ** 2)

    def features(self, counts: Matrix) -> Matrix:
        """Return how many labels there are, the sum of their scores and the sum of the squares."""
        basis = np.stack([np.ones_like(self.scores), self.scores, self.scores**2], axis=-1)
        return np.asarray(counts @ basis)

    def between(self, first: Array, second: Array) -> Array:
        """Sum the agreement of all pairs, one from each group."""
        m0, m1, m2 = first[..., 0], first[..., 1], first[..., 2]
        n0, n1, n2 = second[..., 0], second[..., 1], second[..., 2]
        return np.asarray(m0 * n0 - (m2 * n0 - 2.0 * m1 * n1 + m0 * n2) / self.span**2)


class MidRanks(Struct, frozen=True):
    """Krippendorff's ordinal distance: how many annotations lie between two labels.

    The distance of two labels is the difference of their mid-ranks among all annotations that can be compared,
    so the weights are known only when the data are.
    """

    name = "ordinal (Krippendorff)"
    varying = True

    def given(self, totals: Array) -> tuple[Scores, Array]:
        """Return the mid-ranks of labels that occur `totals` (..., labels) times; their mean is moved to 0."""
        ranks = np.cumsum(totals, axis=-1) - totals / 2.0 - totals.sum(-1)[..., None] / 2.0
        span = ranks[..., -1] - ranks[..., 0]
        # One label alone has no span; its disagreement is 0 whatever it is divided by.
        scores = Scores(ranks, np.where(span == 0, 1.0, span), name=self.name, varying=True)
        moments = [totals.sum(-1), (totals * ranks).sum(-1), (totals * ranks**2).sum(-1)]
        return scores, np.stack(moments, axis=-1)

    def pairs(self, counts: Matrix) -> Array:
        """Refuse: the distance is known only from the data."""
        raise TypeError("Krippendorff's ordinal distance needs the label totals: call given(totals) first.")

    def of(self, first: Array, second: Array) -> Array:
        """Refuse: the distance is known only from the data."""
        raise TypeError("Krippendorff's ordinal distance needs the label totals: call given(totals) first.")

    def features(self, counts: Matrix) -> Matrix:
        """Return the counts themselves."""
        return counts

    def between(self, first: Array, second: Array) -> Array:
        """Refuse: the distance is known only from the data."""
        raise TypeError("Krippendorff's ordinal distance needs the label totals: call given(totals) first.")


class Dense(Struct, frozen=True, eq=False):
    """A matrix of labels x labels says how near each two are."""

    matrix: Array
    name: str = "custom"
    varying = False

    def given(self, totals: Array) -> tuple[Dense, Array]:
        """Return these weights: they do not depend on the data."""
        return self, totals

    def pairs(self, counts: Matrix) -> Array:
        """Sum the agreement of all ordered pairs of annotations of each profile."""
        near = np.asarray(counts @ self.matrix)
        both = (counts * near).sum(axis=1) if isinstance(counts, np.ndarray) else counts.multiply(near).sum(axis=1)
        return cast(Array, np.asarray(both).ravel() - np.asarray(counts @ np.diag(self.matrix)).ravel())

    def of(self, first: Array, second: Array) -> Array:
        """Return the agreement of pairs of labels given by their positions."""
        return np.asarray(self.matrix[first, second])

    def features(self, counts: Matrix) -> Matrix:
        """Return the counts themselves."""
        return counts

    def between(self, first: Array, second: Array) -> Array:
        """Sum the agreement of all pairs, one from each group."""
        return np.asarray(((first @ self.matrix) * second).sum(-1))


def _apply(counts: Matrix, scores: Array) -> Array:
    """Sum scores (..., labels) over the annotations of each profile: (..., profiles)."""
    return np.asarray((counts @ scores.T).T)


def _scaled(apart: Array) -> Array:
    """Turn disagreements into agreement weights: the largest becomes 0."""
    largest = apart.max(initial=0.0)
    return 1.0 - apart / largest if largest > 0 else np.ones_like(apart)


def _linear(x: Array) -> Array:
    return _scaled(np.abs(x[:, None] - x))


def _quadratic(x: Array) -> Array:
    return _scaled((x[:, None] - x) ** 2)


def _ordinal(x: Array) -> Array:
    steps = np.abs(np.subtract.outer(np.arange(len(x)), np.arange(len(x))))
    return _scaled(steps * (steps + 1) / 2.0)


def _radical(x: Array) -> Array:
    return _scaled(np.sqrt(np.abs(x[:, None] - x)))


def _ratio(x: Array) -> Array:
    total = x[:, None] + x
    return _scaled(((x[:, None] - x) / np.where(total == 0, 1.0, total)) ** 2)


def _circular(x: Array) -> Array:
    # One step beyond the largest label is the smallest again.
    around = x.max() - x.min() + 1.0
    return _scaled(np.sin(np.pi * (x[:, None] - x) / around) ** 2)


def _bipolar(x: Array) -> Array:
    total = x[:, None] + x
    room = (total - 2 * x.min()) * (2 * x.max() - total)
    return _scaled((x[:, None] - x) ** 2 / np.where(room == 0, 1.0, room))


_FAMILIES: dict[str, Callable[[Array], Array]] = {
    "linear": _linear,
    "quadratic": _quadratic,
    "ordinal": _ordinal,
    "radical": _radical,
    "ratio": _ratio,
    "circular": _circular,
    "bipolar": _bipolar,
}
WEIGHTS = ("identity", *_FAMILIES)


def numbers(labels: Sequence[str], decimal: str = ".") -> list[float] | None:
    """Return the labels as finite numbers, or None if one of them is not a number."""
    try:
        values = list(map(float, labels if decimal == "." else (label.replace(decimal, ".") for label in labels)))
    except ValueError:
        return None
    # float() also reads "1_000" and "nan", which nobody means as a number on a scale.
    return None if "_" in "".join(labels) or not all(map(math.isfinite, values)) else values


def agreement_weights(
    labels: Sequence[str],
    *,
    scale: str | None = None,
    weights: str | Array | Sequence[Sequence[float]] | None = None,
    ordered: bool = False,
    decimal: str = ".",
    krippendorff: bool = False,
) -> AgreementWeights:
    """Choose the agreement weights of `labels`.

    Parameters
    ----------
    labels : sequence of str
        The labels, in order.
    scale : str, optional
        Level of measurement: nominal (default), ordinal, interval or ratio.
    weights : str or array (labels, labels), optional
        Agreement weights by name, or a matrix of one's own. They win over the scale.
    ordered : bool
        The order of the labels was given by the user, so that ranks 1, 2, … stand for texts.
    decimal : str
        The decimal mark of numeric labels.
    krippendorff : bool
        The weights are for Krippendorff's alpha: an ordinal scale means his distance, not Gwet's weights.
    """
    if weights is None and scale in (None, "nominal"):
        return Identity()
    scale = choose("scale", scale or "nominal", SCALES)
    if weights is not None and not isinstance(weights, str):
        return _custom(labels, weights)
    if weights is None and krippendorff:
        if scale == "ordinal":
            _distinct(_positions(labels, "an ordinal scale", ordered=ordered, decimal=decimal), labels)
            return MidRanks()
        if scale == "interval":
            return Scores.from_values(_values(labels, scale, decimal))
    name = choose("weights", weights or DEFAULT_WEIGHTS[scale], WEIGHTS)
    if name == "identity":
        return Identity()
    if weights is None and scale in ("interval", "ratio"):
        positions = np.asarray(_values(labels, scale, decimal))
    else:
        positions = _positions(labels, f"{name} weights", ordered=ordered, decimal=decimal)
    if name == "ordinal":
        _distinct(positions, labels)
    if name == "ratio" and (positions < 0).any():
        raise UnsuitableData("A ratio scale needs labels that are not negative: use `scale` interval instead.")
    if name == "quadratic":
        return Scores.from_values(positions.tolist())
    if len(labels) > LABELS_IN_PAIRS:
        raise UnsuitableData(
            f"There are {len(labels):,} distinct labels and {name} weights compare each with each; "
            f"up to {LABELS_IN_PAIRS:,} can be compared so: use `scale` interval, which needs no such comparison."
        )
    return Dense(_FAMILIES[name](positions), name)


def for_two_labels(agree: AgreementWeights) -> AgreementWeights:
    """Return such weights for one label and another: however near labels are measured, two alone are as far apart as can be."""
    if isinstance(agree, Scores):
        return Scores(np.array([-0.5, 0.5]), np.asarray(1.0), name=agree.name)
    return Dense(np.eye(2), agree.name) if isinstance(agree, Dense) else agree


def set_weights(sets: LabelSets, distance: str) -> Dense:
    """Return how near whole sets of labels are by a distance between sets.

    Parameters
    ----------
    sets : LabelSets
    distance : {"jaccard", "masi"}
    """
    from assent.set_distances import jaccard, masi

    if len(sets.members) > LABELS_IN_PAIRS:
        raise UnsuitableData(
            f"There are {len(sets.members):,} distinct sets of labels and {distance} compares each with each; up to "
            f"{LABELS_IN_PAIRS:,} can be compared so: use `distance` nominal, or boot-f1."
        )
    near = {"jaccard": jaccard, "masi": masi}[distance]
    return Dense(near(sets.membership), distance)


def _values(labels: Sequence[str], scale: str, decimal: str) -> list[float]:
    """Return the labels' own values, which interval and ratio scales cannot do without."""
    values = numbers(labels, decimal)
    if values is None:
        odd = next(label for label in labels if numbers([label], decimal) is None)
        article = "An" if scale == "interval" else "A"
        raise UnsuitableData(
            f"{article} {scale} scale needs labels that are numbers, and {shown(odd)} is not one: "
            "use `scale` ordinal with `order` for ordered names, or `scale` nominal."
        )
    return values


def _positions(labels: Sequence[str], what: str, *, ordered: bool, decimal: str) -> Array:
    """Return where the labels stand on a line: ranks in the given order, else their own values."""
    if ordered:
        return np.arange(1.0, len(labels) + 1.0)
    values = numbers(labels, decimal)
    if values is None:
        listed = ",".join(labels[:3]) + (",…" if len(labels) > 3 else "")
        raise UnsuitableData(
            f"The labels are names, so their order is not known, and {what} cannot do without it: "
            f"give it with `order`, as in `order` {shown(listed, 60)}."
        )
    return np.asarray(values)


def _distinct(positions: Array, labels: Sequence[str]) -> None:
    """Refuse to rank two labels that are the same number."""
    order = np.argsort(positions, kind="stable")
    same = np.flatnonzero(np.diff(positions[order]) == 0)
    if len(same):
        first, second = labels[int(order[same[0]])], labels[int(order[same[0] + 1])]
        raise UnsuitableData(
            f"The labels {shown(first)} and {shown(second)} are one number written in two ways and cannot be ranked: "
            "write them alike, or give the order with `order`."
        )


def _custom(labels: Sequence[str], weights: Array | Sequence[Sequence[float]]) -> Dense:
    """Check a user's own matrix."""
    try:
        matrix = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise OptionError("weights must be a square matrix of numbers, one row and one column a label.") from None
    if matrix.shape != (len(labels), len(labels)):
        raise OptionError(
            f"weights has the shape {' x '.join(map(str, matrix.shape))}, but there are {len(labels)} labels "
            f"({', '.join(shown(label, 12) for label in labels[:8])}): it needs one row and one column a label."
        )
    if not np.isfinite(matrix).all() or matrix.min() < 0 or matrix.max() > 1:
        raise OptionError("weights must lie between 0 (as far apart as can be) and 1 (the same).")
    if not (np.diag(matrix) == 1).all() or not np.array_equal(matrix, matrix.T):
        raise OptionError("weights must be symmetric and 1 on the diagonal: a label agrees with itself.")
    return Dense(matrix)
