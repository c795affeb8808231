"""Who leans where: an annotator's use of each label against the others' use of it on the same items.

If all annotators were alike, an annotator's label would be any one of the item's labels with equal chances. So the number of
times they give a label is a sum of independent chances, one an item, and its distribution is known. With two
annotators this is McNemar's test of each label; in general it is that of Mantel and Haenszel, with items as strata.

References
----------
Mantel, N. and Haenszel, W. (1959). Statistical aspects of the analysis of data from retrospective studies of disease. Journal of
the National Cancer Institute 22(4), 719-748. https://doi.org/10.1093/jnci/22.4.719
"""

from __future__ import annotations

import numpy as np

from assent.analyses.annotators.correction import holm_by_group
from assent.analyses.annotators.saddlepoint import lower_tail
from assent.analyses.annotators.table import AnnotatorTable, Block
from assent.profiles import Array, distinct
from assent.records import Struct, cached_property

__all__ = ["LabelBias", "label_bias"]


class LabelBias(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Use of labels, for every annotator and every label that they or others gave to their items.

    Parameters
    ----------
    annotator, label : array (uses,)
        Ordered by annotator, then label.
    times : array (uses,) of integers
        How often the annotator gave the label to items that others labelled too.
    share, others : array (uses,)
        Share of these items to which the annotator gave it, and mean share of the others who did.
    p_value, corrected : array (uses,)
        Two-sided, as it is, and corrected for all labels of the annotator by Holm's method.
    """

    annotator: Array
    label: Array
    times: Array
    share: Array
    others: Array
    p_value: Array
    corrected: Array

    def of(self, annotator: int) -> slice:
        """Return where an annotator's labels stand."""
        place = min(annotator, len(self._bounds) - 2)
        return slice(self._bounds[place], self._bounds[place + 1])

    @cached_property
    def _bounds(self) -> list[int]:
        """Where the labels of each annotator begin, and of one beyond the last, who has none."""
        last = int(self.annotator.max(initial=-1))
        return list(np.searchsorted(self.annotator, np.arange(last + 3)).tolist())


def label_bias(team: AnnotatorTable) -> LabelBias:
    """Compare every annotator's use of every label to the others' on the same items."""
    parts = [_of_block(team, block) for block in team.blocks()]
    annotator, label, times, share, others, p_value = (np.concatenate(part) for part in zip(*parts, strict=True))
    return LabelBias(
        annotator=annotator,
        label=label,
        times=times,
        share=share,
        others=others,
        p_value=p_value,
        corrected=holm_by_group(p_value, annotator),
    )


def _of_block(team: AnnotatorTable, block: Block) -> tuple[Array, ...]:
    use, annotator, label = block.uses
    number = len(label)
    each = block.times[block.row]
    times = np.bincount(use, weights=block.own * each, minlength=number)
    theirs = np.bincount(use, weights=block.theirs * each, minlength=number)
    items = team.shared[annotator + block.first]
    p_value = _two_sided(use, number, team.cell_count[block.cell], block.size, block.own, each)
    return annotator + block.first, label, times.astype(np.int64), times / items, theirs / items, p_value


def _two_sided(use: Array, number: int, count: Array, size: Array, own: Array, times: Array) -> Array:
    """Return twice the smaller tail of how often each label is given, 1 at most: (uses,).

    Parameters
    ----------
    use : array (meetings,)
        Which annotator and label.
    number : int
        How many of them there are.
    count, size : array (meetings,)
        Annotations of the item that have the label, and all of them: their ratio is the chance.
    own : array (meetings,) of bool
        The label was given.
    times : array (meetings,)
        To how many items.
    """
    open_ = count < size
    use, count, size, own, times = use[open_], count[open_], size[open_], own[open_], times[open_]
    given = np.bincount(use, weights=own * times, minlength=number)
    # Items with the same chance go together: there are few different ones.
    largest = int(size.max(initial=0)) + 1
    fractions, fraction = distinct(count * largest + size, largest**2)
    cells, cell = distinct(use * len(fractions) + fraction, number * len(fractions))
    items = np.bincount(cell, weights=times, minlength=len(cells))
    place, which = np.divmod(cells, max(1, len(fractions)))
    chance = ((fractions // largest) / np.maximum(fractions % largest, 1))[which]
    # What is given too often is looked at from the other side: how often it is not given, which is too seldom.
    above = given > np.bincount(place, weights=items * chance, minlength=number)
    chance = np.where(above[place], 1.0 - chance, chance)
    given = np.where(above, np.bincount(place, weights=items, minlength=number) - given, given)
    expected = np.bincount(place, weights=items * chance, minlength=number)

    def cumulants(point: Array) -> tuple[Array, Array, Array]:
        tilted = chance * np.exp(point)[place]
        mass = 1.0 - chance + tilted
        hit = tilted / mass
        height = np.bincount(place, weights=items * np.log(mass), minlength=number) - point * expected
        slope = np.bincount(place, weights=items * hit, minlength=number) - expected
        return height, slope, np.bincount(place, weights=items * hit * (1.0 - hit), minlength=number)

    tail = lower_tail(
        cumulants,
        given - expected,
        span=1.0,
        lowest=-expected,
        log_chance=np.bincount(place, weights=items * np.log1p(-chance), minlength=number),
    )
    return np.minimum(2.0 * tail, 1.0)
