"""What gamma adds up over documents: the cost of the best alignment, and what it would be by chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from assent.measures._named_sums import NamedSums
from assent.profiles import Array

if TYPE_CHECKING:
    from assent.continua.units import Units
    from assent.data import Spans

__all__ = ["GammaSums", "ranges", "units_of"]


class GammaSums(NamedSums, frozen=True, kw_only=True, eq=False):
    """Documents by what aligning their units costs, observed and expected.

    Columns: `cost` and `chance` (their difference is gamma), `chance_variance` (of the mean over samples), `groups` (of aligned units), `units`, `mean_units` (of an
    annotator); `apart` and `weight` (labels of aligned units), the same expected, and the variances and the covariance of these.
    """

    def apart_by_chance(self) -> Mapping[str, Array]:
        """Return what aligning costs by chance, and how often labels of aligned units differ then."""
        sums = self.sums()
        labels = sums["chance_weight"]
        share = sums["chance_apart"] / np.where(labels > 0, labels, 1.0)
        return {"cost": sums["chance"], "apart": sums["weight"] * share}

    @classmethod
    def of(cls, data: Spans, **options: Any) -> Self:
        """Align the units of the documents, and of samples of them."""
        return cls._made(data, data, **options)

    @classmethod
    def of_blocks(cls, whole: Spans, cut: Spans, **options: Any) -> Self:
        """Align the units of the whole document, and share out what that costs, and costs by chance, to blocks by their units."""
        return cls._made(whole, cut, **options)

    @classmethod
    def _made(cls, data: Spans, cut: Spans, **options: Any) -> Self:
        from assent.continua.alignment import best_alignment
        from assent.continua.candidates import Dissimilarity
        from assent.continua.chance import Chance, draw_disorder

        model: Literal["shuffle", "statistical"] = options["expected"]
        unlike = Dissimilarity(position_weight=options["position_weight"], label_weight=options["label_weight"])
        low, high = ranges(data)
        # Names have no say in which samples are drawn, nor in which of equal alignments is taken.
        units, place = units_of(data).nameless(low)
        observed = best_alignment(units, unlike)
        chance = Chance(model=model, samples=options["samples"], seed=options["seed"], least=options["shift"])
        named = np.argsort(place)
        drawn = draw_disorder(units, low[named], high[named], unlike, chance).kept(place)
        means, number = units.means[place], options["samples"]
        lost = drawn.apart - drawn.apart.mean(axis=1, keepdims=True)
        weighed = drawn.weight - drawn.weight.mean(axis=1, keepdims=True)
        rest = number * (number - 1)
        by_chance = {
            "chance": drawn.disorder.mean(axis=1) * means,
            "chance_variance": drawn.disorder.var(axis=1, ddof=1) / number * means**2,
            "mean_units": means,
            "chance_apart": drawn.apart.mean(axis=1),
            "chance_weight": drawn.weight.mean(axis=1),
            "apart_variance": (lost**2).sum(axis=1) / rest,
            "covariance": (lost * weighed).sum(axis=1) / rest,
            "weight_variance": (weighed**2).sum(axis=1) / rest,
        }
        # Rows are documents, or blocks of the only one, which are in the order of its spans.
        row, rows = cut.document, len(cut.documents)
        many = np.bincount(row, minlength=rows)
        if cut.blocks_of:
            by_chance = {name: column[0] * many / len(row) for name, column in by_chance.items()}
        apart, weight = (np.pad(one, (0, rows - len(one))) for one in observed.labels_apart(row))
        columns = {
            # Blocks may cut a group, which belongs to that of its first unit.
            "groups": np.bincount(row[np.unique(observed.aligned, return_index=True)[1]], minlength=rows),
            "cost": np.bincount(row, observed.unit_cost, minlength=rows),
            "units": many,
            "apart": apart,
            "weight": weight,
            **by_chance,
        }
        return cls.by_name(cut, columns)


def units_of(data: Spans, *, parts: bool = False) -> Units:
    """Return spans as units, from the first to the last part of each, or each of the `parts` as a unit."""
    from assent.continua.units import Units

    people = len(data.annotators)
    judged = data.judged[:, 0] * people + data.judged[:, 1]
    first = np.searchsorted(data.judged[:, 0], np.arange(len(data.documents)))
    span, start, end = data.parts if parts else (np.arange(len(data.start)), data.start, data.end)
    document = data.document[span]
    return Units(
        continuum=document,
        slot=np.searchsorted(judged, document * people + data.annotator[span]) - first[document],
        start=start,
        end=end,
        label=data.label[span],
        slots=data.judges,
    )


def ranges(data: Spans) -> tuple[Array, Array]:
    """Return where each document begins and ends; the first start and the last end of its units if its length is not known."""
    number = len(data.documents)
    low, high = np.full(number, np.inf), np.zeros(number)
    np.minimum.at(low, data.document, data.start)
    np.maximum.at(high, data.document, data.end)
    low = np.where(np.isfinite(low), low, 0.0)
    for at, name in enumerate(data.documents):
        if name in data.lengths:
            low[at], high[at] = 0.0, data.lengths[name]
    return low, high
