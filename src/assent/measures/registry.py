"""What a measure is, and the list of all of them.

A coefficient is one small function from profiles to `Components`; decorated with `measure` it is in the library,
on the command line, in the documentation and under the common checks without another edit.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assent.annotations import Annotations, as_annotations
from assent.errors import NothingToCompare, OptionError, UnsuitableData, choose, did_you_mean, shown
from assent.inference import PaddedSample, Sample, with_pseudo_item
from assent.measures.components import Components, Pairs
from assent.profiles import Array, Counts, Profiles, Ratings, Weighting
from assent.results import Agreement, PairAgreement
from assent.scales import SCALES, AgreementWeights, agreement_weights, for_two_labels, set_weights

__all__ = ["Measure", "Setting", "all_measures", "find", "measure"]

_REGISTRY: dict[str, Measure] = {}

#: What one must know of a measure for single labels that was asked about sets of labels.
WHOLE_SETS = (
    "Each whole set of labels counts as one label here, so sets that share some labels disagree altogether: soft-match, boot-match, "
    "boot-f1, augmented-kappa and krippendorff-alpha with --distance masi see what they share."
)


@dataclass(frozen=True)
class Setting:
    """An option of a measure that takes a value, not a name out of a list.

    Parameters
    ----------
    values : str
        What it takes, in words.
    check : callable
        From what was given to the value; it raises OptionError for what cannot be one.
    default : object
    """

    values: str
    check: Callable[[Any], Any]
    default: Any = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Measure:
    """A registered coefficient. Call it with data to get an `Agreement`.

    Parameters
    ----------
    name : str
        Kebab-case name, as on the command line.
    aliases : tuple of str
        Other names it is known by.
    title : str
        Name in a sentence or a table.
    function : callable
        From profiles and agreement weights (and the measure's own options) to `Components`.
    profiles : type
        Kind of profile it works on: `Counts` (how many gave each label) or `Ratings` (who gave which).
    scales : tuple of str
        Levels of measurement it can take; a nominal-only measure takes no weights either.
    references : tuple of str
        Keys of the works that define it.
    chance_corrected : bool
        False if its expected agreement is 0 by definition.
    choices : mapping of str to sequence of str
        Its own options and the values each can take, the default first.
    krippendorff : bool
        The scale means Krippendorff's distances, not Gwet's weights.
    uses_single_annotations : bool or callable
        Items with one annotation count towards chance agreement; else they are as good as not there. It may depend on the
        measure's own options.
    annotators : int or None
        The number of annotators it is for, if not any.
    complete : bool
        Only items that every annotator labelled count.
    interval : callable, optional
        From profiles, confidence level and options to (low, high): an interval of its own in place of the linearised one.
    warnings : mapping of (option, value) to str
        What a reader must know when an option of its own has this value.
    titled : callable, optional
        From options and the name of the weights to the name of the variant, for a measure that has several.
    settings : mapping of str to Setting
        Its own options that take a value.
    label_sets : bool
        It compares sets of labels, which may overlap; a single label is a set of one.
    remarks : callable, optional
        From data and options to what a reader must know besides.
    """

    name: str
    aliases: tuple[str, ...]
    title: str
    function: Callable[..., Components]
    profiles: type[Profiles]
    scales: tuple[str, ...]
    references: tuple[str, ...]
    chance_corrected: bool
    choices: Mapping[str, Sequence[str]]
    krippendorff: bool
    uses_single_annotations: bool | Callable[[Mapping[str, str]], bool]
    annotators: int | None
    complete: bool
    interval: Callable[..., tuple[float, float]] | None
    warnings: Mapping[tuple[str, str], str]
    titled: Callable[[Mapping[str, str], str], str] | None
    settings: Mapping[str, Setting]
    label_sets: bool
    remarks: Callable[[Annotations, Mapping[str, Any]], Sequence[str]] | None

    @property
    def options(self) -> dict[str, tuple[str, ...]]:
        """Its own options and what each of them takes, the default first if it is a name."""
        named = {name: tuple(values) for name, values in self.choices.items()}
        return {**named, **{name: (setting.values,) for name, setting in self.settings.items()}}

    @property
    def text(self) -> str:
        """Documentation of the measure."""
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """First sentence of the documentation."""
        return self.text.split("\n\n")[0].replace("\n", " ")

    def keeps_single_annotations(self, options: Mapping[str, str]) -> bool:
        """Tell whether items with one annotation count with these options."""
        uses = self.uses_single_annotations
        return uses(self._checked(options)) if callable(uses) else uses

    def unsuitable(self, data: Annotations, scale: str | None = None) -> str | None:
        """Say in one sentence what `data` lack for this measure and what to use instead; None if it can take them."""
        if scale is not None and scale not in self.scales:
            return f"{self.name} takes a {' or '.join(self.scales)} scale, not {scale}: choose another measure."
        if data.sets is not None and scale not in (None, "nominal"):
            return f"Sets of labels are on no {scale} scale: leave the scale out."
        count = data.annotator_count
        if self.profiles is Ratings and count is None:
            return (
                f"{self.name} must know who gave which label, and the table says only how many did: "
                "use fleiss-kappa, krippendorff-alpha or gwet-ac."
            )
        if self.annotators is not None and count != self.annotators:
            found = "it is not known how many there are" if count is None else f"there are {count}"
            return (
                f"{self.name} is for {self.annotators} annotators and {found}: "
                "use fleiss-kappa, conger-kappa or krippendorff-alpha."
            )
        return None

    def __call__(
        self,
        data: Any,
        *,
        scale: str | None = None,
        weights: str | Array | Sequence[Sequence[float]] | None = None,
        order: Sequence[str] | None = None,
        **options: Any,
    ) -> Agreement:
        """Measure the agreement in `data`.

        Parameters
        ----------
        data : Annotations, or whatever `Annotations` can be made from
            A path, a DataFrame with the columns item, annotator and label, a 2-D array of items x annotators.
        scale : {"nominal", "ordinal", "interval", "ratio"}, optional
            Level of measurement; nominal if neither it nor weights are given.
        weights : str or array (labels, labels), optional
            Agreement weights by name, or a matrix of one's own in the order of the labels.
        order : sequence of str, optional
            The labels from lowest to highest; labels that nobody used may be among them.
        **options
            The measure's own options, such as ``scheme="edges"`` of spa.

        Returns
        -------
        Agreement
        """
        data = as_annotations(data)
        if order is not None:
            data = data.ordered(order)
        chosen = self._checked(options)
        scale = None if scale is None else choose("scale", scale, SCALES)
        reason = self.unsuitable(data, scale)
        if reason:
            raise UnsuitableData(reason)
        if weights is not None and self.scales == ("nominal",):
            raise OptionError(f"{self.name} compares labels for equality and takes no weights.")
        if data.sets is not None and weights is not None:
            raise OptionError(
                "Sets of labels take no weights: leave them out, or use krippendorff-alpha with a distance of sets."
            )
        distance = chosen.get("distance", "nominal")
        if distance != "nominal" and (scale not in (None, "nominal") or weights is not None):
            raise OptionError(f"distance {distance} is for sets of labels and goes with no scale and no weights.")
        data = self._as_it_takes(data, chosen)
        scale = scale or self.scales[0]
        agree: AgreementWeights = (
            set_weights(data.as_sets().sets, distance)
            if distance != "nominal"
            else agreement_weights(
                data.labels,
                scale=scale,
                weights=weights,
                ordered=data.order_given,
                decimal=data.decimal,
                krippendorff=self.krippendorff,
            )
        )
        items = self._profiles_of(data, chosen)

        def evaluate(profiles: Profiles, near: AgreementWeights = agree) -> Components:
            # A replicate without a pair to compare has no value: 0 / 0, which is NaN.
            with np.errstate(divide="ignore", invalid="ignore"):
                return self.function(profiles, near, **chosen)

        def statistic(weighting: Weighting) -> Array:
            return evaluate(items.weighted_by(weighting)).value

        def value_of(profiles: Profiles) -> float:
            return float(evaluate(profiles).value)

        def padded() -> PaddedSample:
            made = with_pseudo_item(items, data.as_sets().sets if self.label_sets or distance != "nominal" else None)
            near = agree if len(data.labels) > 1 else for_two_labels(agree)
            if distance != "nominal" and made.sets is not None:
                near = set_weights(made.sets, distance)
            return PaddedSample(
                lambda weighting: evaluate(made.profiles.weighted_by(weighting), near).value,
                made.weights,
                made.profiles.units,
                made.unit_weights,
            )

        def own_interval(level: float) -> tuple[float, float]:
            assert self.interval is not None
            return self.interval(items, agree, level, **chosen)

        point = evaluate(items)
        value = float(point.value)
        # Weights that were named outright leave the scale without a say.
        settings = {"scale": scale if weights is None else None, "weights": agree.name, **chosen}
        return Agreement(
            measure=self.name,
            title=self.title if self.titled is None else self.titled(chosen, agree.name),
            value=value,
            observed=float(point.observed),
            expected=float(point.expected),
            items=items.pairable_items,
            annotators=data.annotator_count,
            annotations=items.pairable_annotations,
            options=settings,
            chance_corrected=self.chance_corrected,
            notes=self._notes(data, items, value, chosen, [] if point.pairs is None else point.pairs.values),
            pairs=() if point.pairs is None else _named(point.pairs, data),
            data=data,
            profiles=items,
            sample=Sample(statistic, items.multiplicities, items.units, items.pairable),
            unit=data.unit,
            own_interval=None if self.interval is None else own_interval,
            on_profiles=value_of,
            padded=padded,
        )

    def by_label(self, data: Any, **options: Any) -> dict[str, Agreement]:
        """Measure the agreement on each label against all the others taken as one.

        Examples
        --------
        >>> import assent
        >>> by_label = assent.fleiss_kappa.by_label([["a", "a"], ["b", "c"], ["c", "b"], ["a", "a"]])
        >>> round(by_label["a"].value, 3), round(by_label["b"].value, 3)
        (1.0, -0.333)
        """
        data = as_annotations(data)
        weights = options.pop("weights", None)
        plain = weights is None or (isinstance(weights, str) and weights == "identity")
        if options.pop("scale", None) not in (None, "nominal") or not plain:
            raise OptionError("A label against the rest is nominal: leave out the scale and the weights.")
        if "nominal" not in self.scales:
            raise UnsuitableData(f"{self.name} is about numbers and has no version for one label.")
        order = options.pop("order", None)
        if order is not None:
            data = data.ordered(order)
        if self.label_sets or options.get("distance", "nominal") != "nominal":
            raise UnsuitableData(
                f"A label against the rest is one label, not a set: use cohen-kappa or krippendorff-alpha instead of {self.name}."
            )
        return {label: self(data.one_against_rest(label), **options) for label in data.single_labels}

    def _as_it_takes(self, data: Annotations, options: Mapping[str, Any]) -> Annotations:
        """Return the data as sets for a measure of sets; ranks stay only where they count."""
        if self.label_sets:
            data = data.as_sets()
        return data if options.get("primary") is not None else data.without_ranks()

    def _everything(self, data: Annotations) -> Counts | Ratings:
        """Take all items in the form that this measure works on, so that they are counted in no other."""
        return data.counts if self.profiles is Counts else data.ratings

    def _profiles_of(self, data: Annotations, options: Mapping[str, str]) -> Counts | Ratings:
        """Take the profiles this measure works on."""
        if self._everything(data).pairable_items == 0:
            raise NothingToCompare(data.nothing_to_compare())
        if self.profiles is Counts:
            return data.counts if self.keeps_single_annotations(options) else data.comparable_counts
        if self.complete:
            whole = data.ratings.complete()
            if not whole.items:
                raise NothingToCompare(
                    f"No item was labelled by all {data.annotator_count} annotators, and {self.name} needs such items: "
                    "use krippendorff-alpha, which does not."
                )
            return whole
        return data.ratings if self.keeps_single_annotations(options) else data.comparable_ratings

    def _checked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in the defaults of the measure's own options and refuse what it does not know."""
        checked = {option: values[0] for option, values in self.choices.items()}
        checked |= {option: setting.default for option, setting in self.settings.items()}
        for option, value in options.items():
            if option in self.settings:
                if value is not None:
                    checked[option] = self.settings[option].check(value)
            elif option in self.choices:
                checked[option] = choose(option, str(value), self.choices[option])
            else:
                known = (
                    did_you_mean(option, self.options)
                    if self.options
                    else "it has no options of its own besides scale, weights and order."
                )
                raise OptionError(f"{self.name} has no option {shown(option)}: {known}")
        return checked

    def _notes(
        self,
        data: Annotations,
        items: Profiles,
        value: float,
        options: Mapping[str, str],
        pair_values: Sequence[float] | Array,
    ) -> tuple[str, ...]:
        """Say what a reader of the number must know."""
        notes = []
        if data.sets is not None and not self.label_sets and options.get("distance", "nominal") == "nominal":
            notes.append(WHOLE_SETS)
        everything = self._everything(data)
        single = everything.items - everything.pairable_items
        # An option that fills the gaps of such items gives them something to be compared with.
        if single and options.get("incomplete") != "category":
            kept = (
                " (their labels still count towards chance agreement)" if self.keeps_single_annotations(options) else ""
            )
            noun = "item has" if single == 1 else "items have"
            notes.append(f"{single:,} {noun} one annotation, which there is nothing to compare with{kept}.")
        if self.complete and everything.pairable_items > items.items:
            left = everything.pairable_items - items.items
            notes.append(f"{self.title} uses items that all annotators labelled: {left:,} others are left out.")
        notes += [text for (option, value_), text in self.warnings.items() if options.get(option) == value_]
        notes += [] if self.remarks is None else self.remarks(data, options)
        undefined = sum(bool(np.isnan(one)) for one in pair_values)
        if undefined and undefined < len(pair_values):
            noun = "pair of annotators has" if undefined == 1 else "pairs of annotators have"
            verb = "is" if undefined == 1 else "are"
            notes.append(f"{undefined:,} {noun} an undefined value (all one label) and {verb} left out of the mean.")
        if "nominal" not in self.scales and self.interval is not None:
            notes.append("It is a ratio of variances: there is no observed and no expected agreement to show.")
        if np.isnan(value):
            used = np.flatnonzero(np.asarray(everything.multiplicities @ everything.counts).ravel())
            if len(used) == 1:
                only = shown(data.labels[int(used[0])])
                notes.append(
                    f"Undefined: every annotation is {only}. The annotators agree on everything, but with one label "
                    "in use chance alone would do the same, so there is no agreement beyond chance to measure."
                )
            elif "nominal" in self.scales:
                notes.append("Undefined: all agreement is expected by chance, so none beyond chance can be measured.")
            else:
                notes.append("Undefined: the labels do not vary enough to tell items from annotators.")
        return tuple(notes)


def _named(pairs: Pairs, data: Annotations) -> tuple[PairAgreement, ...]:
    """List the pairs of annotators by name."""
    names = data.annotators or ()
    values = pairs.values
    return tuple(
        PairAgreement(
            first=names[int(pairs.first[i])],
            second=names[int(pairs.second[i])],
            items=round(float(pairs.items[i])),
            observed=float(pairs.observed[i]),
            expected=float(pairs.expected[i]),
            value=float(values[i]),
        )
        for i in range(len(pairs.first))
    )


def measure(
    *,
    title: str,
    profiles: type[Profiles],
    scales: Sequence[str] = SCALES,
    references: Sequence[str],
    chance_corrected: bool = True,
    choices: Mapping[str, Sequence[str]] | None = None,
    krippendorff: bool = False,
    uses_single_annotations: bool | Callable[[Mapping[str, str]], bool] = False,
    annotators: int | None = None,
    complete: bool = False,
    interval: Callable[..., tuple[float, float]] | None = None,
    aliases: Sequence[str] = (),
    warnings: Mapping[tuple[str, str], str] | None = None,
    titled: Callable[[Mapping[str, str], str], str] | None = None,
    settings: Mapping[str, Setting] | None = None,
    label_sets: bool = False,
    remarks: Callable[[Annotations, Mapping[str, Any]], Sequence[str]] | None = None,
) -> Callable[[Callable[..., Components]], Measure]:
    """Register a function from profiles to components as a measure; the options are those of `Measure`."""

    def register(function: Callable[..., Components]) -> Measure:
        made = Measure(
            name=function.__name__.replace("_", "-"),
            aliases=tuple(aliases),
            title=title,
            function=function,
            profiles=profiles,
            scales=tuple(scales),
            references=tuple(references),
            chance_corrected=chance_corrected,
            choices=dict(choices or {}),
            krippendorff=krippendorff,
            uses_single_annotations=uses_single_annotations,
            annotators=annotators,
            complete=complete,
            interval=interval,
            warnings=dict(warnings or {}),
            titled=titled,
            settings=dict(settings or {}),
            label_sets=label_sets,
            remarks=remarks,
        )
        made.__dict__["__doc__"] = inspect.getdoc(function)
        _REGISTRY[made.name] = made
        return made

    return register


def all_measures() -> Mapping[str, Measure]:
    """Return every registered measure by its name."""
    return dict(_REGISTRY)


def find(name: str) -> Measure:
    """Return the measure called `name`, in kebab-case or snake_case, or known by it."""
    wanted = name.replace("_", "-").casefold()
    made = _REGISTRY.get(wanted) or next((one for one in _REGISTRY.values() if wanted in one.aliases), None)
    if made is None:
        raise OptionError(f"There is no measure {shown(name)}: {did_you_mean(name, _REGISTRY)}")
    return made
