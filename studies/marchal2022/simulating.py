"""Data sets of two coders who may give an item one label or two, and all measures of them at once.

What the paper says of its simulation (section 5) is read so: in a data set of 100 items the share of items on which the coders'
sets intersect is fixed. Each coder gives each item two labels instead of one with the same probability, independently of the
other coder and of the other items. On an item where they intersect, one label is drawn for both, and each coder's second label from
the other categories. On the other items one coder, either of them, draws a set, and the other draws from the categories that
are left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType

import numpy as np

from assent.label_sets import LabelSets
from assent.measures import Measure, augmented_kappa, boot_f1, boot_match, boot_precision, boot_recall, soft_match
from assent.profiles import Array, Multiplicities, Ratings
from assent.scales import Identity

__all__ = ["AGREEMENT", "DOUBLE", "MEASURES", "SETTINGS", "Cell", "Design", "Setting", "draw_sets", "measured"]

#: Share of items on which the coders' sets intersect: low, medium and high.
AGREEMENT = (0.6, 0.75, 0.9)
#: Share of annotations with two labels.
DOUBLE = (0.0, 0.25, 0.5, 0.75, 1.0)
#: What is compared, as the paper calls it.
MEASURES: Mapping[str, Measure] = MappingProxyType(
    {
        "soft-match": soft_match,
        "augmented": augmented_kappa,
        "boot-match": boot_match,
        "boot-F1": boot_f1,
        "boot-precision": boot_precision,
        "boot-recall": boot_recall,
    }
)
ITEMS = 100


@dataclass(frozen=True)
class Setting:
    """Categories, and how often each is drawn.

    Parameters
    ----------
    name : str
    shares : tuple of float
    alike : bool
        Second labels are drawn from the other categories with equal probability, not by their shares.
    """

    name: str
    shares: tuple[float, ...]
    alike: bool = False

    @property
    def entropy(self) -> float:
        """Entropy of the shares in nats."""
        return float(-sum(share * np.log(share) for share in self.shares))


_HALVING = (1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 16)
#: The paper does not say how uneven its categories are in section 5.2: ours halve from one to the next. Nor does it say whether
#: second labels are drawn by the same shares, which changes nothing but there.
SETTINGS = (
    Setting("5 equal categories", (0.2,) * 5),
    Setting("10 equal categories", (0.1,) * 10),
    Setting("5 uneven categories", _HALVING),
    Setting("5 uneven categories, second labels alike", _HALVING, alike=True),
)


@dataclass(frozen=True)
class Design:
    """One kind of data set.

    Parameters
    ----------
    setting : Setting
    agreement : float
        Share of items on which the sets intersect.
    double : float
        Share of annotations with two labels.
    together : bool
        The coders give two labels to the same items: another reading of the text.
    """

    setting: Setting
    agreement: float
    double: float
    together: bool = False


@dataclass(frozen=True, eq=False)
class Cell:
    """What a measure gave for the data sets of a design.

    Parameters
    ----------
    observed, expected, adjusted : array (data sets,)
    """

    observed: Array
    expected: Array
    adjusted: Array

    def mean(self, part: str) -> float:
        """Return the mean of a part over data sets."""
        return float(getattr(self, part).mean())

    def error(self, part: str) -> float:
        """Return the standard error of that mean."""
        values = getattr(self, part)
        return float(values.std(ddof=1) / np.sqrt(len(values)))


def draw_sets(design: Design, data_sets: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Draw what both coders give to the items: two arrays (data sets, items, categories) of bool."""
    shares = np.asarray(design.setting.shares)
    shape = (data_sets, ITEMS, len(shares))
    agreed = np.arange(ITEMS) < round(design.agreement * ITEMS)
    double = rng.random((2, data_sets, ITEMS, 1)) < design.double
    if design.together:
        double[1] = double[0]
    # A category rings at the rate of its share; the first to ring is drawn.
    rings = rng.standard_exponential((3, *shape)) / shares
    seconds = rng.standard_exponential((2, *shape)) / (1.0 if design.setting.alike else shares)

    def drawn(coder: int, taken: Array) -> Array:
        one = _first(rings[coder], taken)
        return np.asarray(one | (double[coder] & _first(seconds[coder], taken | one)))

    nobody = np.zeros(shape, dtype=bool)
    common = _first(rings[2], nobody)
    together = [common | (double[coder] & _first(seconds[coder], common)) for coder in (0, 1)]
    # Either coder draws first, and the other from what is left.
    starts = rng.random((data_sets, ITEMS, 1)) < 0.5
    alone = drawn(0, nobody), drawn(1, nobody)
    after = drawn(0, alone[1]), drawn(1, alone[0])
    apart = np.where(starts, alone[0], after[0]), np.where(starts, after[1], alone[1])
    first, second = (np.where(agreed[:, None], *pair) for pair in zip(together, apart, strict=True))
    return first, second


def _first(rings: Array, taken: Array) -> Array:
    """Mark the first category to ring among those that are not taken."""
    left = np.where(taken, np.inf, rings)
    return np.asarray(left == left.min(axis=-1, keepdims=True))


def measured(design: Design, data_sets: int, rng: np.random.Generator) -> dict[str, Cell]:
    """Draw data sets and measure all of them with every measure.

    Items of all data sets are collapsed to the distinct pairs of sets. A data set is then a row of weights of these, and the
    measures take all rows at once.
    """
    sets, profiles, weights = _collapsed(*draw_sets(design, data_sets, rng))
    items = Ratings(
        profile=np.repeat(np.arange(len(profiles)), 2),
        annotator=np.tile([0, 1], len(profiles)),
        label=profiles.ravel(),
        multiplicities=weights.sum(axis=0),
        labels=sets.texts(),
        annotators=("first", "second"),
        origin=np.arange(len(profiles)),
        sets=sets,
        weighting=Multiplicities(weights),
    )
    found = {}
    for name, measure in MEASURES.items():
        parts = measure.function(items, Identity())
        found[name] = Cell(np.asarray(parts.observed), np.asarray(parts.expected), parts.value)
    return found


def _collapsed(first: Array, second: Array) -> tuple[LabelSets, Array, Array]:
    """Return all sets of one and two labels, the distinct pairs of them, and how often each data set has each pair."""
    count = first.shape[-1]
    members = (*((i,) for i in range(count)), *combinations(range(count), 2))
    place = {sum(1 << i for i in one): code for code, one in enumerate(members)}
    lookup = np.full(max(place) + 1, -1, dtype=np.int64)
    lookup[list(place)] = list(place.values())
    codes = [lookup[side @ (1 << np.arange(count))] for side in (first, second)]
    pairs, where = np.unique(codes[0] * len(members) + codes[1], return_inverse=True)
    cells = np.arange(len(first))[:, None] * len(pairs) + where.reshape(codes[0].shape)
    weights = np.bincount(cells.ravel(), minlength=len(first) * len(pairs)).reshape(len(first), len(pairs))
    profiles = np.stack(np.divmod(pairs, len(members)), axis=1)
    return LabelSets(tuple(f"{i + 1}" for i in range(count)), members), profiles, weights
