"""Tables of labels to take annotations from: simulated in the shape of the paper's, or read from a file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assent.errors import DuplicateAnnotations, InputError, UnknownLayout, UnsuitableData
from assent.profiles import Array
from assent.text import shown
from studies.spa2022.paper import Shape

if TYPE_CHECKING:
    from assent.data import Annotations

__all__ = ["Items", "from_annotations", "from_file", "simulated"]


#: More of these in a file would take hours.
MOST_ANNOTATIONS, MOST_LABELS = 10_000_000, 1_000


@dataclass(frozen=True, eq=False)
class Items:
    """Complete data: distinct items, how many there are of each.

    Parameters
    ----------
    name : str
        Of the data set.
    counts : array (profiles, labels) of integers
        How many annotations gave an item each label.
    times : array (profiles,) of integers
        How many items have that profile.
    alpha : float, optional
        Agreement beyond chance that was simulated; None for real data.
    """

    name: str
    counts: Array
    times: Array
    alpha: float | None = None

    @cached_property
    def sizes(self) -> Array:
        """Annotations of an item of each profile: (profiles,)."""
        return np.asarray(self.counts.sum(1))

    @cached_property
    def n_annotations(self) -> int:
        """Annotations there are."""
        return int(self.times @ self.sizes)

    @cached_property
    def agreement(self) -> Array:
        """Share of pairs of annotations that agree, for profiles with two or more: (profiles,); 0 for others."""
        pairs = np.where(self.sizes > 1, self.sizes * (self.sizes - 1), 1)
        return np.asarray((self.counts * (self.counts - 1)).sum(1) / pairs)

    @cached_property
    def mean_agreement(self) -> float:
        """Probability of agreement of the complete data, each item counting once."""
        comparable = self.times * (self.sizes > 1)
        return float(comparable @ self.agreement / comparable.sum())

    @cached_property
    def groups(self) -> tuple[Array, ...]:
        """The labels of all annotations, items with as many annotations together: (annotations of an item, items) each."""
        kind = np.min_scalar_type(self.counts.shape[1])
        codes = np.arange(self.counts.shape[1], dtype=kind)
        blocks = []
        for n in np.unique(self.sizes[self.sizes > 0]):
            rows = self.sizes == n
            labels = np.repeat(np.tile(codes, int(rows.sum())), self.counts[rows].ravel()).reshape(-1, n)
            # Contiguous along the items: what is done with all items at once is then fast.
            blocks.append(np.ascontiguousarray(np.repeat(labels, self.times[rows], axis=0).T))
        return tuple(blocks)

    def drawn_variance(self, drawn: int) -> Array:
        """Variance of an item's agreement when only `drawn` of its annotations are looked at: (profiles,).

        Two of the drawn pairs share two, one or no annotation, and each case has its own probability that both agree.
        This is `agreement_variance` without replacement. It is NaN for items with fewer annotations.
        """
        c, n, m = self.counts.astype(float), self.sizes.astype(float), float(drawn)
        agreeing = (c * (c - 1)).sum(1) / 2
        triples = (c * (c - 1) * (c - 2)).sum(1)
        apart = agreeing**2 - agreeing - triples
        pairs = m * (m - 1) / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            one = triples / (n * (n - 1) * (n - 2))
            none = apart / (n * (n - 1) * (n - 2) * (n - 3) / 4)
        square = self.agreement * pairs
        square = square + (one * m * (m - 1) * (m - 2) if drawn > 2 else 0.0)
        square = square + (none * m * (m - 1) * (m - 2) * (m - 3) / 4 if drawn > 3 else 0.0)
        variance = np.maximum(square / pairs**2 - self.agreement**2, 0.0)
        return np.asarray(np.where(n >= m, variance, np.nan))


def simulated(shape: Shape, alpha: float, rng: np.random.Generator, *, shrink: int = 1) -> Items:
    """Draw a data set of a published shape with a given agreement beyond chance.

    Every item has label probabilities of its own, from a Dirichlet distribution around the shares of the labels, and its
    annotations are drawn from these. Two annotations of an item then agree with probability s + (1 - s) alpha, where
    s is the sum of the squared shares, so that alpha is Krippendorff's. The shares of the labels fall as 1, 1/2, 1/3, …

    Parameters
    ----------
    shape : Shape
    alpha : float
        Between 0 and 1.
    rng : Generator
    shrink : int
        Make this many times fewer items.
    """
    shares = 1.0 / np.arange(1, shape.classes + 1)
    shares /= shares.sum()
    sizes = _sizes(shape, shrink)
    probabilities = rng.dirichlet(shares * (1.0 / alpha - 1.0), size=len(sizes))
    counts, times = np.unique(rng.multinomial(sizes, probabilities), axis=0, return_counts=True)
    return Items(shape.name, counts, times, alpha)


def _sizes(shape: Shape, shrink: int) -> Array:
    """Return the number of annotations of every item: (items,)."""
    known = {n: items // shrink for n, items in shape.annotations if items is not None}
    spread = [n for n, items in shape.annotations if items is None]
    certain = [np.full(items, n) for n, items in known.items()]
    return np.concatenate([*certain, np.resize(spread, shape.n_items // shrink - sum(known.values()))])


def from_file(path: str | os.PathLike[str], taken: Sequence[str] = ()) -> Items:
    """Read a table of labels; it is named after the file, apart from the names that are `taken`."""
    from assent.data import Annotations
    from assent.readers import read

    try:
        data = read(path)
    except (UnknownLayout, DuplicateAnnotations) as error:
        # Their remedies are options of reading, which a study does not have.
        raise type(error)(
            f"{str(error).rstrip('.')}; or, since a study has no options for reading, write {shown(Path(path).name)} anew with the "
            "columns item, annotator and label."
        ) from None
    if not isinstance(data, Annotations):
        raise UnsuitableData(f"{shown(Path(path).name)} holds {data.kind}: this study takes labels.")
    stem = Path(path).stem
    names = [stem, *(f"{stem} ({number})" for number in range(2, len(taken) + 3))]
    return from_annotations(data, next(name for name in names if name not in taken))


def from_annotations(data: Annotations, name: str) -> Items:
    """Take annotations that were read, under a name."""
    for number, most, what in (
        (data.n_annotations, MOST_ANNOTATIONS, "annotations"),
        (len(data.labels), MOST_LABELS, "labels"),
    ):
        if number > most:
            raise InputError(
                f"{shown(name)} has {number:,} {what}: this study takes up to {most:,}, so give it a part."
            )
    profiles = data._counts
    counts = np.asarray(profiles.counts.toarray() if hasattr(profiles.counts, "toarray") else profiles.counts)
    times = np.asarray(profiles.multiplicities)
    if not (counts.sum(1) > 2).any():
        raise InputError(
            f"{shown(name)} has no item with three annotations or more: taking some of two away leaves nothing to compare."
        )
    return Items(name, counts.astype(np.int64), times.astype(np.int64))
