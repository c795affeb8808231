"""Agreement weights from any distance between labels: every two distinct labels compared, or a random sample of pairs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from msgspec import field
from msgspec.structs import replace

from assent.data import Annotations
from assent.data.distance_labels import DistanceLabels
from assent.errors import InputError
from assent.label_distances import LabelDistance, Tree, label_distance, read_tree
from assent.label_sets import LabelSets
from assent.limits import DISTANCES_COMPUTED, DISTANCES_SAMPLED
from assent.profiles import Array, Counts, Matrix
from assent.records import Struct
from assent.scales import Dense
from assent.text import percent, shown, value

__all__ = [
    "Compared",
    "MatrixDistances",
    "SampledDistances",
    "compared_labels",
    "distance_notes",
    "distance_weights",
    "to_others",
]

#: Pairs on which it is checked that a distance is the same both ways.
CHECKED = 200
#: A distance is close if fewer than this share of those between different items are closer.
CLOSE = 0.05
#: Distances that are the same in so many digits are taken as the same.
DIGITS = 12


class MatrixDistances(Dense, frozen=True, kw_only=True):
    """Every two distinct labels were compared.

    Parameters
    ----------
    largest : float
        The distance that counts as no agreement at all: the largest there is, at least 1.
    details : mapping of str to float
        What else the distances say.
    said : tuple of str
        What a reader must know of the distance.
    """

    largest: float
    details: Mapping[str, float] = field(default_factory=dict)
    said: tuple[str, ...] = ()


class SampledDistances(Struct, frozen=True, kw_only=True, eq=False):
    """Labels of the same item were compared, and random pairs of all others.

    Parameters
    ----------
    within : array (profiles,)
        Agreement of all ordered pairs of annotations of each profile.
    used : array (labels in the sample,)
    base : array (labels in the sample,)
        How often each of them was given.
    first, second : array (pairs,)
        Which of them were drawn.
    near : array (pairs,)
        Their agreement.
    largest : float
        The distance that counts as no agreement at all.
    """

    within: Array
    used: Array
    base: Array
    first: Array
    second: Array
    near: Array
    largest: float
    name: str
    details: Mapping[str, float] = field(default_factory=dict)
    said: tuple[str, ...] = ()
    varying: bool = False

    def given(self, totals: Array) -> tuple[SampledDistances, Array]:
        """Return these weights: they do not depend on the data."""
        return self, totals

    def pairs(self, counts: Matrix) -> Array:
        """Return the agreement of all ordered pairs of annotations of each profile."""
        return self.within

    def of(self, first: Array, second: Array) -> Array:
        """Refuse: most pairs were not compared."""
        raise InputError("Of so many distinct labels only a sample was compared.")

    def features(self, counts: Matrix) -> Matrix:
        """Return how often each profile has the labels in the sample, and how many labels it has."""
        sizes = np.asarray(counts.sum(axis=1), dtype=np.float64).reshape(-1, 1)
        if isinstance(counts, np.ndarray):
            return np.concatenate([counts[:, self.used], sizes], axis=1)
        from scipy.sparse import csr_array, hstack

        return csr_array(hstack([counts.tocsc()[:, self.used], csr_array(sizes)]))

    def between(self, first: Array, second: Array) -> Array:
        """Estimate the agreement of all pairs: each drawn pair counts by how often its labels are given now, compared with then."""
        left = (first[..., :-1] / self.base)[..., self.first]
        right = (second[..., :-1] / self.base)[..., self.second]
        weight = left * right
        mean = (weight * self.near).sum(-1) / weight.sum(-1)
        number = first[..., -1]
        return np.asarray(number + number * (second[..., -1] - 1.0) * mean)


class Compared:
    """Compares labels by their position, each pair once.

    Parameters
    ----------
    told : callable
        From the position of a label to what to call it where it cannot be compared.
    """

    def __init__(
        self, labels: Sequence[Any], between: Callable[[Any, Any], float], told: Callable[[int], tuple[str, str]]
    ) -> None:
        self.labels, self.between, self.told = labels, between, told
        self.known: dict[tuple[int, int], float] = {}
        self.both_ways = False
        self.said: tuple[str, ...] = ()
        self.most = math.inf

    def __call__(self, first: int, second: int) -> float:
        if first == second:
            return 0.0
        key = (first, second) if first < second else (second, first)
        if key not in self.known:
            self.known[key] = (
                (self.one_way(*key) + self.one_way(*key[::-1])) / 2.0 if self.both_ways else self.one_way(*key)
            )
        return self.known[key]

    def one_way(self, first: int, second: int) -> float:
        """Compare two labels in this order, whether that is known or not."""
        try:
            return float(self.between(self.labels[first], self.labels[second]))
        except ValueError as error:
            (the, one), (_, other) = self.told(first), self.told(second)
            raise InputError(f"{the} {one} cannot be compared with {other}: {_ended(error)}") from None


def _parsed(data: Annotations, distance: LabelDistance) -> list[Any]:
    """Take the labels as the distance does; refuse one that cannot be, with where it stands."""
    made = []
    for label in data.labels:
        try:
            made.append(distance.parse(label))
        except ValueError as error:
            the, named = _told(data, label)
            raise InputError(f"{the} {named} is no label for {distance.name}: {_ended(error)}") from None
    return made


def _told(data: Annotations, label: str) -> tuple[str, str]:
    """Return the beginning of a sentence about a label, with its line, and the label with whose it is."""
    line = None if data._locate is None else data._locate(label)
    return "The label" if line is None else f"{line}: the label", f"{shown(label)}{_where(data, label)}"


def _ended(error: ValueError) -> str:
    """Return the words of an error as the end of a sentence."""
    words = str(error).removesuffix(".")
    return words if words.endswith("?") else f"{words}."


def _where(data: Annotations, label: str) -> str:
    """Say whose label it is, and of which item."""
    if not data.local:
        return ""
    rows = data.to_rows()
    at = int(np.flatnonzero(rows.label == rows.labels.index(label))[0])
    who = (
        "" if rows.annotator is None or rows.annotators is None else f" by {shown(rows.annotators[rows.annotator[at]])}"
    )
    return f" of item {shown(rows.items[rows.item[at]])}{who}"


def _of_sets(sets: LabelSets, distance: LabelDistance) -> tuple[list[Any], Callable[[Any, Any], float]]:
    """Compare sets of labels: each label with the nearest of the other set, both ways averaged."""
    parsed = []
    for label in sets.labels:
        try:
            parsed.append(distance.parse(label))
        except ValueError as error:
            raise InputError(f"The label {shown(label)} is no label for {distance.name}: {_ended(error)}") from None

    def between(first: tuple[int, ...], second: tuple[int, ...]) -> float:
        if not first or not second:
            return float(bool(first) != bool(second))
        table = [[distance.between(parsed[a], parsed[b]) for b in second] for a in first]
        return float(sum(map(min, table)) / len(first) + sum(map(min, zip(*table, strict=True))) / len(second)) / 2.0

    return [tuple(one) for one in sets.members], between


def _checked(compared: Compared, names: Sequence[str], distance: LabelDistance) -> list[str]:
    """Check on a sample that a distance is 0 between equals and the same both ways; else take the mean of both ways, and say so."""
    rng = np.random.default_rng(0)
    number = len(compared.labels)
    for at in rng.permutation(number)[:CHECKED].tolist():
        own = compared.one_way(at, at)
        if own != 0:
            raise InputError(
                f"{distance.name} gives {own:g} for {shown(names[at])} and itself; a distance is 0 between labels that are the same."
            )
    if number < 2:
        return []
    for first, second in rng.integers(0, number, (CHECKED, 2)).tolist():
        one, other = compared.one_way(first, second), compared.one_way(second, first)
        if not math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12):
            compared.both_ways = True
            return [
                f"{distance.name} is not the same both ways ({one:.4g} and {other:.4g} for {shown(names[first])} and {shown(names[second])}): the mean of "
                "both is taken."
            ]
    return []


def distance_weights(
    data: Annotations, items: Counts, name: str, *, tree: Tree | None = None
) -> MatrixDistances | SampledDistances:
    """Compare labels by a distance.

    Parameters
    ----------
    items : Counts
        The items with two or more annotations.
    name : str
        As `assent.label_distances.label_distance` takes it.
    tree : mapping of str to str, or path, optional
        The parent of each label.
    """
    compared = compared_labels(data, name, tree=tree)
    k = len(compared.labels)
    few = k * (k - 1) // 2 <= DISTANCES_COMPUTED
    made = _matrix(compared, items, k) if few else _sampled(compared, items)
    return replace(made, name=name, said=compared.said)


def compared_labels(data: Annotations, name: str, *, tree: Tree | None = None) -> Compared:
    """Return what compares the labels of data, by their position, checked on a sample; data with this distance keep it."""
    kept = data.kept_results if isinstance(data, DistanceLabels) and (data.distance, data.tree) == (name, tree) else {}
    if "compared" in kept:
        known: Compared = kept["compared"]
        return known
    distance = label_distance(name, tree=None if tree is None else read_tree(tree))
    labels, between = (
        _of_sets(data._sets, distance) if data._sets is not None else (_parsed(data, distance), distance.between)
    )
    compared = Compared(labels, between, lambda at: _told(data, data.labels[at]))
    compared.most = distance.most
    compared.said = tuple(_checked(compared, data.labels, distance))
    kept["compared"] = compared
    return compared


def to_others(compared: Compared, item: Array, label: Array) -> Array:
    """Return the mean distance of each annotation to the others of the same item; NaN where it is alone: (annotations,).

    Their mean over annotations is the observed distance of Krippendorff's alpha, and over those of an item its mean distance.

    Parameters
    ----------
    item, label : array (annotations,) of integers
        Which item each annotation is about, and the position of its label.
    """
    made = np.full(len(item), math.nan)
    order = np.argsort(item, kind="stable")
    ends = np.flatnonzero(np.diff(item[order])) + 1
    labels = label.tolist()
    for first, last in pairwise([0, *ends.tolist(), len(order)]):
        if last - first < 2:
            continue
        rows = order[first:last].tolist()
        given = Counter(labels[row] for row in rows)
        sums = {one: sum(compared(one, other) * many for other, many in given.items()) for one in given}
        made[rows] = [sums[labels[row]] / (len(rows) - 1) for row in rows]
    return made


def _rows(items: Counts) -> list[tuple[Array, Array]]:
    """Return the labels of each profile and how often it has them."""
    if isinstance(items.counts, np.ndarray):
        return [(np.flatnonzero(row), row[row > 0]) for row in items.counts]
    table = items.counts.tocsr()
    ends = table.indptr
    return [(table.indices[a:b], table.data[a:b]) for a, b in pairwise(ends)]


def _observed(compared: Compared, items: Counts) -> tuple[Array, Array, Array]:
    """Return the sum of distances within each profile (ordered pairs); and all distances, with how many pairs have each."""
    sums, values, weights = [], [0.0], [0.0]
    for (labels, counts), times in zip(_rows(items), items.multiplicities, strict=True):
        total = 0.0
        weights[0] += float((counts * (counts - 1)).sum()) / 2.0 * times
        for i in range(len(labels)):
            for j in range(i):
                apart = compared(int(labels[i]), int(labels[j]))
                total += 2.0 * apart * counts[i] * counts[j]
                values.append(apart)
                weights.append(float(counts[i] * counts[j]) * times)
        sums.append(total)
    return np.array(sums), np.array(values), np.array(weights)


def _matrix(compared: Compared, items: Counts, k: int) -> MatrixDistances:
    table = np.zeros((k, k))
    for i in range(k):
        for j in range(i):
            table[i, j] = table[j, i] = compared(i, j)
    sums, values, weights = _observed(compared, items)
    totals = np.asarray(items.multiplicities @ items.counts, dtype=np.float64).ravel()
    together = _together(items)
    expected = np.outer(totals, totals) - together
    inside = np.triu_indices(k)
    largest = float(table.max(initial=1.0))
    return MatrixDistances(
        1.0 - table / largest,
        largest=largest,
        details=_details(
            sums, values, weights, table[inside], np.where(inside[0] == inside[1], 1.0, 2.0) * expected[inside], items
        )
        | {"expected_distance": float(totals @ table @ totals) / (totals.sum() * (totals.sum() - 1.0))},
    )


def _together(items: Counts) -> Array:
    """Return how often each two labels were given to the same item, with each annotation itself: (labels, labels)."""
    scaled = (
        items.counts * items.multiplicities[:, None]
        if isinstance(items.counts, np.ndarray)
        else items.counts.multiply(items.multiplicities[:, None]).tocsr()
    )
    both = items.counts.T @ scaled
    return np.asarray(both if isinstance(both, np.ndarray) else both.toarray(), dtype=np.float64)


def _sampled(compared: Compared, items: Counts) -> SampledDistances:
    rng = np.random.default_rng(0)
    sizes = items.sizes.astype(np.int64)
    ends = np.cumsum(items.multiplicities * sizes)
    rows = _rows(items)
    number = int(ends[-1])
    # One of all ordered pairs of two annotations: the second is any but the first.
    drawn = np.stack(np.divmod(rng.integers(0, number * (number - 1), DISTANCES_SAMPLED), number - 1))
    drawn[1] += drawn[1] >= drawn[0]
    profile = np.searchsorted(ends, drawn, side="right")
    offset = drawn - (ends - items.multiplicities * sizes)[profile]
    slot = offset % sizes[profile]
    labels = np.empty_like(drawn)
    for at, (one, place) in enumerate(zip(profile.ravel(), slot.ravel(), strict=True)):
        names, counts = rows[one]
        labels.flat[at] = names[np.searchsorted(np.cumsum(counts), place, side="right")]
    apart = np.array([compared(int(a), int(b)) for a, b in labels.T])
    sums, values, weights = _observed(compared, items)
    largest = float(np.concatenate([apart, values]).max(initial=1.0))
    used, inverse = np.unique(labels, return_inverse=True)
    first, second = inverse.reshape(labels.shape)
    totals = np.asarray(items.multiplicities @ items.counts, dtype=np.float64).ravel()
    other = (profile[0] != profile[1]) | (offset[0] // sizes[profile[0]] != offset[1] // sizes[profile[1]])
    return SampledDistances(
        within=items.sizes * (items.sizes - 1.0) - sums / largest,
        used=used,
        base=totals[used],
        first=first,
        second=second,
        near=1.0 - apart / largest,
        largest=largest,
        name="",
        details=_details(sums, values, weights, apart[other], np.ones(int(other.sum())), items, apart)
        | {"expected_distance": float(apart.mean())},
    )


def _details(
    sums: Array, values: Array, weights: Array, far: Array, times: Array, items: Counts, drawn: Array | None = None
) -> dict[str, float]:
    """Return what distances say besides alpha: sigma and KS of Braylan et al., and alpha against different items alone.

    Parameters
    ----------
    sums : array (profiles,)
        Distances of all ordered pairs of each profile, added up.
    values, weights : array
        Observed distances within items and how many pairs have them.
    far, times : array
        Those between different items.
    drawn : array, optional
        Distances of random pairs, if not all are known.
    """
    observed = float((values * weights).sum() / weights.sum())
    by_items = float(
        (items.multiplicities * sums / (items.sizes - 1.0)).sum() / (items.multiplicities * items.sizes).sum()
    )
    if not times.any():
        # One item alone has no distances to others.
        close = ks = expected = math.nan
    else:
        expected = float((far * times).sum() / times.sum())
        close, ks = _closeness(values, weights, far, times)
    made = {
        "sigma": close,
        "ks": ks,
        "alpha_cross_item": 1.0 - by_items / expected if expected > 0 else math.nan,
        "observed_distance": observed,
        "expected_distance_cross_item": expected,
        "monte_carlo_error": 0.0 if drawn is None else math.nan,
    }
    if drawn is not None and drawn.mean() > 0:
        made["monte_carlo_error"] = (
            by_items / float(drawn.mean()) * float(drawn.std() / drawn.mean()) / math.sqrt(len(drawn))
        )
    return made


def _closeness(values: Array, weights: Array, far: Array, times: Array) -> tuple[float, float]:
    """Return sigma and KS: how far distances within items are smaller than those between items. Only their order counts."""
    # The same distance, added up in another order, is not another one.
    unit = max(float(values.max()), float(far.max()))
    values, far = (np.round(one / (unit or 1.0), DIGITS) for one in (values, far))
    order = np.argsort(far, kind="stable")
    ends = np.concatenate([[0.0], np.cumsum(times[order])]) / times.sum()
    below = ends[np.searchsorted(far[order], values, side="left")]
    close = float(weights[below < CLOSE - 1e-12].sum() / weights.sum())
    sorted_values = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[sorted_values]) / weights.sum()
    upto = ends[np.searchsorted(far[order], values[sorted_values], side="right")]
    return close, float((reached - upto).max(initial=0.0))


def distance_notes(agree: MatrixDistances | SampledDistances) -> list[str]:
    """Say how labels were compared, and what else that shows."""
    found = agree.details
    said = list(agree.said)
    if isinstance(agree, SampledDistances):
        error = found["monte_carlo_error"]
        moves = "" if math.isnan(error) else f", which moves alpha by about {error:.1g} (Monte Carlo error)"
        said.append(
            "There are too many distinct labels to compare each with each: the expected distance comes from "
            f"{len(agree.near):,} random pairs (seed 0){moves}."
        )
    if math.isnan(found["sigma"]):
        return [
            *said,
            "There is one item to compare, so sigma and KS, which hold items against each other, are undefined.",
        ]
    said.append(
        f"{percent(found['sigma'])} of the distances within items are smaller than 95 % of those between different items (sigma, from the distances as they "
        f"are); KS {value(found['ks'])}; with pairs of different items as chance alpha is {value(found['alpha_cross_item'])}."
    )
    return said
