"""From a data set to what the function of a measure takes: one preparation for each kind of data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from assent.data import Annotations, Dataset, as_dataset
from assent.data.dataset import kind_in_words
from assent.errors import NothingToCompare, OptionError, UnsuitableData, choose
from assent.profiles import Array, Counts, Profiles, Ratings
from assent.records import Struct
from assent.scales import SCALES, AgreementWeights, agreement_weights, for_two_labels, no_scale_of_sets, set_weights
from assent.text import counted, shown

if TYPE_CHECKING:
    from assent.inference.pseudo import PaddedProfiles
    from assent.measures.registry import Measure

__all__ = ["Prepared", "Weights", "as_dataset", "preparation", "prepares"]

#: Agreement weights by name, or a matrix of labels x labels.
Weights = str | Array | Sequence[Sequence[float]] | None

#: What one must know of a measure for single labels that was asked about sets of labels.
WHOLE_SETS = (
    "Each whole set of labels counts as one label here, so sets that share some labels disagree altogether: soft-match, boot-match, "
    "boot-f1, augmented-kappa and krippendorff-alpha with the `distance` masi see what they share."
)
#: Why there is no value, where nothing else is known.
ALL_BY_CHANCE = "Undefined: all agreement is expected by chance, so none beyond chance can be measured."


class Prepared(Struct, frozen=True, kw_only=True, eq=False):
    """Data as a measure takes them.

    Parameters
    ----------
    data : Dataset
        What is measured, after any change that the measure asks for.
    profiles : Profiles
        The items.
    arguments : tuple
        What the function takes beside the profiles and its own options.
    settings : mapping
        How the data were looked at, for the options of the result.
    variant : str
        What tells variants of the measure apart in its title, such as the name of the weights.
    notes : callable
        From the values of pairs to what a reader must know.
    padded : callable, optional
        Makes the profiles with one pseudo-item among them, for a tilted interval, and the arguments that go with them.
    undefined : callable
        Says why there is no value, if there is none.
    unit : str
        What a new sample would draw anew; that of the data if empty.
    least_units : int
        With fewer of them there is no interval.
    """

    data: Dataset
    profiles: Profiles
    arguments: tuple[Any, ...] = ()
    settings: Mapping[str, Any]
    variant: str = ""
    notes: Callable[[Sequence[float] | Array], tuple[str, ...]]
    padded: Callable[[], tuple[PaddedProfiles, tuple[Any, ...]]] | None = None
    undefined: Callable[[], str] = lambda: ALL_BY_CHANCE
    unit: str = ""
    least_units: int = 2


class Preparation(Protocol):
    """How data of a kind are prepared for a measure."""

    def unsuitable(self, measure: Measure, data: Any, scale: str | None) -> str | None:
        """Say in one sentence what the data lack for the measure and what to use instead; None if it can take them."""
        ...

    def prepare(
        self,
        measure: Measure,
        data: Any,
        options: Mapping[str, Any],
        *,
        scale: str | None,
        weights: Weights,
        order: Sequence[str] | None,
    ) -> Prepared:
        """Prepare the data."""
        ...


_PREPARATIONS: dict[str, Preparation] = {}


def prepares(kind: str) -> Callable[[type[Preparation]], type[Preparation]]:
    """Register how data of a kind are prepared; without one, `Dataset.profiles` is all there is to it."""

    def register(made: type[Preparation]) -> type[Preparation]:
        _PREPARATIONS[kind] = made()
        return made

    return register


def preparation(kind: str) -> Preparation:
    """Return how data of a kind are prepared."""
    return _PREPARATIONS.get(kind, _PLAIN)


class PlainPreparation:
    """Data of a kind that needs nothing but its profiles."""

    #: What an item of the data is called.
    item = "item"

    def unsuitable(self, measure: Measure, data: Dataset, scale: str | None) -> str | None:
        if scale is not None:
            return f"{measure.name} is about {kind_in_words(data.kind)}, which are on no scale: leave the scale out."
        if measure.n_annotators is not None and data.n_annotators != measure.n_annotators:
            return f"{measure.name} is for {measure.n_annotators} annotators, and there are {data.n_annotators}."
        return None

    def check(
        self, measure: Measure, data: Any, *, scale: str | None, weights: Weights, order: Sequence[str] | None
    ) -> None:
        """Refuse data that the measure cannot take, and what only measures of labels take."""
        reason = self.unsuitable(measure, data, scale)
        if reason:
            raise UnsuitableData(reason)
        for name, given in (("weights", weights), ("order", order)):
            if given is not None:
                raise OptionError(f"{measure.name} is about {kind_in_words(data.kind)} and takes no {name}.")

    def prepare(
        self,
        measure: Measure,
        data: Any,
        options: Mapping[str, Any],
        *,
        scale: str | None,
        weights: Weights,
        order: Sequence[str] | None,
    ) -> Prepared:
        self.check(measure, data, scale=scale, weights=weights, order=order)
        items = data.profiles(measure.profiles, **options)
        if items.pairable_items == 0:
            raise NothingToCompare(data._nothing_to_compare())
        single = items.n_items - items.pairable_items
        have = counted(single, f"{self.item} has", f"{self.item}s have")
        notes = (f"{have} one annotation, which there is nothing to compare with.",) if single else ()
        remarks = () if measure.remarks is None else tuple(measure.remarks(data, options))
        return Prepared(
            data=data,
            profiles=items,
            arguments=self.arguments(data),
            settings={"scale": None, "weights": "identity"},
            notes=lambda pair_values: (*notes, *remarks),
            padded=self.padded(data, items),
        )

    def padded(self, data: Any, items: Profiles) -> Callable[[], tuple[PaddedProfiles, tuple[Any, ...]]] | None:
        """Return how a pseudo-item is added to the profiles; None for kinds that have none."""
        made: PaddedProfiles | None = items.padded() if hasattr(items, "padded") else None
        return None if made is None else lambda: (made, self.arguments(data))

    def arguments(self, data: Any) -> tuple[Any, ...]:
        """Return what the function of a measure takes after the profiles."""
        return ()


_PLAIN = PlainPreparation()


@prepares("labels")
class _Labels:
    """Labels, one or several an annotation, on a scale or with weights."""

    def unsuitable(self, measure: Measure, data: Annotations, scale: str | None) -> str | None:
        if scale is not None and scale not in measure.scales:
            return f"{measure.name} takes the scale {' or '.join(measure.scales)}, not {scale}: choose another measure."
        if scale not in (None, "nominal") and data.kind == "label-sets":
            return no_scale_of_sets(scale)
        count = data.n_annotators
        if measure.profiles is Ratings and count is None:
            return (
                f"{measure.name} must know who gave which label, and the table says only how many did: "
                "use fleiss-kappa, krippendorff-alpha or gwet-ac."
            )
        if measure.n_annotators is not None and count != measure.n_annotators:
            found = "it is not known how many there are" if count is None else f"there are {count}"
            others = (
                "fleiss-kappa, conger-kappa or krippendorff-alpha"
                if "nominal" in measure.scales
                else "icc or krippendorff-alpha"
            )
            return f"{measure.name} is for {measure.n_annotators} annotators and {found}: use {others}."
        return None

    def prepare(
        self,
        measure: Measure,
        data: Annotations,
        options: Mapping[str, Any],
        *,
        scale: str | None,
        weights: Weights,
        order: Sequence[str] | None,
    ) -> Prepared:
        if order is not None:
            data = data.ordered(order)
        scale = None if scale is None else choose("scale", scale, SCALES)
        reason = self.unsuitable(measure, data, scale)
        if reason:
            raise UnsuitableData(reason)
        if weights is not None and measure.scales == ("nominal",):
            raise OptionError(f"{measure.name} compares labels for equality and takes no weights.")
        if weights is not None and data.kind == "label-sets":
            raise OptionError(
                "Sets of labels take no weights: leave them out, or use krippendorff-alpha with a distance of sets."
            )
        distance = options.get("distance", "nominal")
        if distance != "nominal" and (scale not in (None, "nominal") or weights is not None):
            raise OptionError(f"distance {distance} is for sets of labels and goes with no scale and no weights.")
        if options.get("tree") is not None and distance != "taxonomy":
            raise OptionError("`tree` is for the `distance` taxonomy: add it, or leave the tree out.")
        data = data._as_sets() if measure.label_sets else data
        # Ranks stay only where they count.
        data = data if options.get("primary") is not None else data._without_ranks()
        scale = scale or measure.scales[0]
        own = distance not in ("nominal", "jaccard", "masi")
        if own:
            return _by_distance(measure, data, options, distance)
        agree: AgreementWeights = (
            set_weights(data._parts, distance)
            if distance != "nominal"
            else agreement_weights(
                data.labels,
                scale=scale,
                weights=weights,
                ordered=data._order_given,
                decimal=data._decimal,
                krippendorff=measure.krippendorff,
            )
        )
        items = _profiles(measure, data, options)
        return Prepared(
            data=data,
            profiles=items,
            arguments=(agree,),
            # Weights that were named outright leave the scale without a say.
            settings={"scale": scale if weights is None else None, "weights": agree.name},
            variant=agree.name,
            notes=lambda pair_values: _notes(measure, data, items, options, pair_values, agree.name),
            padded=lambda: _padded(measure, data, items, agree, distance),
            undefined=lambda: _undefined(measure, data),
        )


def _by_distance(measure: Measure, data: Annotations, options: Mapping[str, Any], distance: str) -> Prepared:
    """Prepare labels that a distance of their own compares."""
    from assent.measures._by_distance import distance_notes, distance_weights

    items = _profiles(measure, data, options)
    assert isinstance(items, Counts)
    near = distance_weights(data, items, distance, tree=options.get("tree"))
    return Prepared(
        data=data,
        profiles=items,
        arguments=(near,),
        settings={"scale": None, "weights": "identity"},
        notes=lambda pair_values: (*_notes(measure, data, items, options, pair_values), *distance_notes(near)),
        undefined=lambda: _undefined(measure, data),
    )


def _padded(
    measure: Measure, data: Annotations, items: Counts | Ratings, agree: AgreementWeights, distance: str
) -> tuple[PaddedProfiles, tuple[AgreementWeights]]:
    """Add a pseudo-item to the profiles: half of it in agreement, half of it not."""
    from assent.inference.pseudo import with_pseudo_item

    sets = data._parts if measure.label_sets or distance != "nominal" else None
    # A matrix of one's own may be about labels that are no steps.
    steps = sets is None and agree.name not in ("identity", "custom")
    made = with_pseudo_item(items, sets, steps=steps)
    if distance != "nominal" and made.sets is not None:
        return made, (set_weights(made.sets, distance),)
    return made, (agree if len(data.labels) > 1 else for_two_labels(agree),)


def _everything(measure: Measure, data: Annotations) -> Counts | Ratings:
    """Take all items in the form that a measure works on, so that they are counted in no other."""
    return data._counts if measure.profiles is Counts else data._ratings


def _profiles(measure: Measure, data: Annotations, options: Mapping[str, Any]) -> Counts | Ratings:
    """Take the profiles a measure works on."""
    if _everything(measure, data).pairable_items == 0:
        raise NothingToCompare(data._nothing_to_compare())
    single = measure.keeps_single_annotations(options)
    if measure.profiles is Counts:
        return data._counts if single else data._comparable_counts
    if measure.complete:
        whole = data._ratings.complete()
        if not whole.n_items:
            raise NothingToCompare(
                f"No item was labelled by all {data.n_annotators} annotators, and {measure.name} needs such items: "
                "use krippendorff-alpha, which does not."
            )
        return whole
    return data._ratings if single else data._comparable_ratings


def _have(number: int) -> str:
    return counted(number, "item has", "items have")


#: What a coefficient of two annotators is where there are more, by its option `average`.
MEAN_OF_PAIRS = {
    "overlap": "It is the mean over pairs of annotators; a pair counts by the items that both labelled (all alike with `average` plain).",
    "plain": "It is the mean over pairs of annotators, which all count alike.",
}


def _notes(
    measure: Measure,
    data: Annotations,
    items: Profiles,
    options: Mapping[str, Any],
    pair_values: Sequence[float] | Array,
    weights: str | None = None,
) -> tuple[str, ...]:
    """Say what a reader of the number must know."""
    apart = measure.label_sets or options.get("distance", "nominal") != "nominal"
    notes = [] if apart else data._about_sets(WHOLE_SETS)
    everything = _everything(measure, data)
    single = everything.n_items - everything.pairable_items
    # An option that fills the gaps of such items gives them something to be compared with.
    if single and options.get("incomplete") != "category":
        whose = "its label still counts" if single == 1 else "their labels still count"
        kept = f" ({whose} towards chance agreement)" if measure.keeps_single_annotations(options) else ""
        notes.append(f"{_have(single)} one annotation, which there is nothing to compare with{kept}.")
    if measure.complete and everything.pairable_items > items.n_items:
        left = everything.pairable_items - items.n_items
        notes.append(
            f"{measure.title} uses items that all annotators labelled: {counted(left, 'other is', 'others are')} left out."
        )
    notes += [text for (option, chosen), text in measure.warnings.items() if options.get(option) == chosen]
    notes += [] if measure.remarks is None else measure.remarks(data, {**options, "weights": weights})
    if len(pair_values):
        notes += [MEAN_OF_PAIRS[options["average"]]] if "average" in options else []
        undefined = sum(bool(np.isnan(one)) for one in pair_values)
        if undefined and undefined < len(pair_values):
            pairs = counted(undefined, "pair of annotators has", "pairs of annotators have")
            verb = "is" if undefined == 1 else "are"
            notes.append(f"{pairs} an undefined value (all one label) and {verb} left out of the mean.")
    if "nominal" not in measure.scales and measure.interval is not None:
        notes.append("It is a ratio of variances: there is no observed and no expected agreement to show.")
    return tuple(notes)


def _undefined(measure: Measure, data: Annotations) -> str:
    """Say why there is no value."""
    everything = _everything(measure, data)
    used = np.flatnonzero(np.asarray(everything.multiplicities @ everything.counts).ravel())
    if len(used) == 1:
        return (
            f"Undefined: every annotation is {shown(data.labels[int(used[0])])}. The annotators agree on everything, but with one "
            "label in use chance alone would do the same, so there is no agreement beyond chance to measure."
        )
    if "nominal" in measure.scales:
        return ALL_BY_CHANCE
    return "Undefined: the labels do not vary enough to tell items from annotators."
