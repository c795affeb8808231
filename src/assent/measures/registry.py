"""What a measure is, and the list of all of them.

A coefficient is one small function from profiles to `Components`; decorated with `measure` it is in the library,
on the command line, in the documentation and under the common checks without another edit.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import field

from assent.data import Dataset, as_annotations
from assent.data.coerce import of_sequences
from assent.data.dataset import kind_in_words
from assent.errors import OptionError, UnsuitableData, did_you_mean
from assent.inference.derivatives import PartedStatistic
from assent.inference.sample import PaddedSample, Sample
from assent.measures import _span_preparation  # noqa: F401 - registers how spans are prepared
from assent.measures._preparation import Weights, as_dataset, preparation
from assent.measures.components import Components, Pairs
from assent.measures.results import Agreement, PairAgreement
from assent.profiles import Array, Profiles
from assent.records import Struct, cached_property
from assent.references import Reference, cite
from assent.registry import Option, Registry, check_options, options_of
from assent.scales import SCALES
from assent.text import number, shown

__all__ = ["MEASURES", "Measure", "all_measures", "find", "measure", "refuse_unowned"]

#: Every measure by its name.
MEASURES: Registry[Measure] = Registry("measure", "assent.measures", "assent.measures")


#: How to say that a table holds a kind of data which its columns do not show.
_READ_AS: Mapping[str, str] = {
    "rankings": ", or say where the rankings are (`object` with `rank` or `score`, or `layout` rank-matrix)",
    "preferences": ", or say where the votes are (`left`, `right` and `winner`)",
    "best-worst": ", or say where the choices are (`shown`, `best` and `worst`)",
}


class Measure(Struct, frozen=True, kw_only=True, eq=False, dict=True):
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
    kind : str
        Kind of data it takes: labels, spans, …
    profiles : type
        Form of the items it works on: for labels `Counts` (how many gave each label) or `Ratings` (who gave which).
    scales : tuple of str
        Levels of measurement it can take; a nominal-only measure takes no weights either.
    references : tuple of str
        Keys of the works that define it.
    chance_corrected : bool
        False if its expected agreement is 0 by definition.
    lowest : float
        The least value it can have.
    krippendorff : bool
        The scale means Krippendorff's distances, not Gwet's weights.
    uses_single_annotations : bool or callable
        Items with one annotation count towards chance agreement; else they are as good as not there. It may depend on the
        measure's own options.
    n_annotators : int or None
        The number of annotators it is for, if not any.
    complete : bool
        Only items that every annotator labelled count.
    interval : callable, optional
        From profiles, confidence level and options to (low, high): an interval of its own in place of the linearised one.
    warnings : mapping of (option, value) to str
        What a reader must know when an option of its own has this value.
    titled : callable, optional
        From options and the name of the weights to the name of the variant, for a measure that has several.
    label_sets : bool
        It compares sets of labels, which may overlap; a single label is a set of one.
    missing_at_random : bool
        It assumes that what is missing has nothing to do with agreement.
    graded : bool
        Words such as "moderate" are customary for its values.
    remarks : callable, optional
        From data and options to what a reader must know besides; where labels have weights, ``weights`` is their name.
    pairwise : bool
        It compares every two annotators, of whom there must not be too many.
    """

    name: str
    aliases: tuple[str, ...] = ()
    title: str
    function: Callable[..., Components]
    kind: str = "labels"
    profiles: type[Profiles]
    scales: tuple[str, ...] = SCALES
    references: tuple[str, ...] = ()
    chance_corrected: bool = True
    lowest: float
    krippendorff: bool = False
    uses_single_annotations: bool | Callable[[Mapping[str, str]], bool] = False
    n_annotators: int | None = None
    complete: bool = False
    interval: Callable[..., tuple[float, float]] | None = None
    warnings: Mapping[tuple[str, str], str] = field(default_factory=dict)
    titled: Callable[[Mapping[str, str], str], str] | None = None
    label_sets: bool = False
    missing_at_random: bool = False
    graded: bool = True
    remarks: Callable[[Any, Mapping[str, Any]], Sequence[str]] | None = None
    pairwise: bool = False

    def __repr__(self) -> str:
        """Say what it is called, and what it is."""
        return f"{self.title} ({self.name}): {self.summary}"

    @cached_property
    def parameters(self) -> Mapping[str, Option]:
        """Its own options, from the signature of its function."""
        return options_of(self.function)

    @property
    def options(self) -> dict[str, tuple[str, ...]]:
        """Its own options and what each of them takes, the default first if it is a name."""
        return {name: option.values for name, option in self.parameters.items()}

    @property
    def choices(self) -> dict[str, tuple[str, ...]]:
        """Its own options that take a name, and these names, the default first."""
        return {name: option.choices for name, option in self.parameters.items() if option.choices}

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

    def unsuitable(self, data: Dataset, scale: str | None = None) -> str | None:
        """Say in one sentence what `data` lack for this measure and what to use instead; None if it can take them."""
        if self.kind not in data.kinds:
            other = _READ_AS.get(self.kind, "")
            return (
                f"{self.name} is about {kind_in_words(self.kind)}, and the data are {kind_in_words(data.kind)}: "
                f"choose another measure{other}."
            )
        return preparation(self.kind).unsuitable(self, data, scale)

    def __call__(
        self,
        data: Any,
        *more: Any,
        scale: str | None = None,
        weights: Weights = None,
        order: Sequence[str] | None = None,
        **options: Any,
    ) -> Agreement:
        """Measure the agreement in `data`.

        Parameters
        ----------
        data : Annotations, or whatever `Annotations` can be made from
            A path, a DataFrame, a list of records, a mapping of annotator to labels, a 2-D array of items x annotators; or the labels
            of the first annotator, item by item.
        *more : sequence
            The labels of the other annotators, for the same items in the same order.
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
        dataset = of_sequences(data, *more) if more else as_dataset(data)
        chosen = self._checked(options)
        if self.kind not in dataset.kinds:
            raise UnsuitableData(self.unsuitable(dataset) or "")
        prepared = preparation(self.kind).prepare(self, dataset, chosen, scale=scale, weights=weights, order=order)
        items, arguments = prepared.profiles, prepared.arguments

        def evaluate(profiles: Profiles, given: tuple[Any, ...] = arguments) -> Components:
            # A replicate without a pair to compare has no value: 0 / 0, which is NaN.
            with np.errstate(divide="ignore", invalid="ignore"):
                return self.function(profiles, *given, **chosen)

        def statistic_of(profiles: Profiles, given: tuple[Any, ...] = arguments) -> PartedStatistic:
            return PartedStatistic(
                lambda weighting: evaluate(profiles.weighted_by(weighting), given).value,
                lambda weighting: evaluate(profiles.weighted_by(weighting), given).parts,
                # The chance of sets is a long sum over labels, also over those that nobody gave.
                at_once=not self.label_sets,
            )

        def value_of(profiles: Profiles) -> Array:
            return np.asarray(evaluate(profiles).value)

        def padded() -> PaddedSample:
            assert prepared.padded is not None
            made, given = prepared.padded()
            # A label more than there is, or sets of one label that nobody gave, may change what chance is.
            same = made.sets is None and all(one is other for one, other in zip(given, arguments, strict=True))
            return PaddedSample(
                statistic_of(made.profiles, given),
                made.weights,
                made.profiles.units,
                made.unit_weights,
                plain=items.multiplicities if same else None,
            )

        def own_interval(level: float) -> tuple[float, float]:
            assert self.interval is not None
            return self.interval(items, *arguments, level, **chosen)

        point = evaluate(items)
        known = float(point.value)
        undefined = (point.undefined or prepared.undefined()) if math.isnan(known) else ""
        said = prepared.notes([] if point.pairs is None else point.pairs.values)
        drawn = float(point.drawing_error)
        return Agreement(
            measure=self.name,
            title=self.title if self.titled is None else self.titled(chosen, prepared.variant),
            value=known,
            observed=float(point.observed),
            expected=float(point.expected),
            n_items=items.pairable_items,
            n_annotators=dataset.n_annotators,
            n_annotations=items.pairable_annotations,
            options={**prepared.settings, **chosen},
            chance_corrected=self.chance_corrected,
            lowest=self.lowest,
            notes=(*said, *(_about_drawing(drawn) if drawn else ()), *([undefined] if undefined else [])),
            undefined=undefined,
            pairs=() if point.pairs is None else _named(point.pairs, prepared.data),
            data=prepared.data,
            profiles=items,
            sample=Sample(
                statistic_of(items), items.multiplicities, items.units, None if items.all_pairable else items.pairable
            ),
            unit=prepared.unit or dataset.unit,
            least_units=prepared.least_units,
            drawing_error=drawn,
            details={name: float(one) for name, one in point.details.items()},
            own_interval=None if self.interval is None else own_interval,
            on_profiles=value_of,
            padded=None if prepared.padded is None else padded,
        )

    @property
    def each_label(self) -> str:
        """How agreement on one label is measured: alone, against the rest, or not at all (empty)."""
        if "span_label" in self.parameters:
            return "alone"
        return "against the rest" if self.kind == "labels" and not self.label_sets and "nominal" in self.scales else ""

    def by_label(self, data: Any, **options: Any) -> dict[str, Agreement]:
        """Measure the agreement on each label against all the others taken as one; of spans, on those of each label alone.

        Examples
        --------
        >>> import assent
        >>> by_label = assent.fleiss_kappa.by_label([["a", "a"], ["b", "c"], ["c", "b"], ["a", "a"]])
        >>> round(by_label["a"].value, 3), round(by_label["b"].value, 3)
        (1.0, -0.333)
        """
        if "span_label" in self.parameters:
            spans = as_dataset(data)
            options.pop("weights", None)
            return {label: self(spans, **{**options, "span_label": label}) for label in getattr(spans, "labels", ())}
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
        return {label: self(data._binarize(label), **options) for label in data.single_labels}

    def _checked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in the defaults of the measure's own options and refuse what it does not know."""
        return check_options(
            self.name, self.parameters, options, ("scale", "weights", "order") if self.kind == "labels" else ()
        )


def _about_drawing(error: float) -> list[str]:
    return (
        [f"Drawing samples alone has a standard error of {number(error, 4)}, which is part of the interval."]
        if error > 0
        else []
    )


def _named(pairs: Pairs, data: Dataset) -> tuple[PairAgreement, ...]:
    """List the pairs of annotators by name."""
    names = data.annotators or ()
    values = pairs.values
    return tuple(
        PairAgreement(
            first=names[int(pairs.first[i])],
            second=names[int(pairs.second[i])],
            n_items=round(float(pairs.items[i])),
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
    references: Sequence[str | Reference] = (),
    aliases: Sequence[str] = (),
    **more: Any,
) -> Callable[[Callable[..., Components]], Measure]:
    """Register a function from profiles to components as a measure; the options are those of `Measure`."""

    def register(function: Callable[..., Components]) -> Measure:
        made = Measure(
            name=function.__name__.replace("_", "-"),
            title=title,
            function=function,
            profiles=profiles,
            scales=tuple(scales),
            references=tuple(map(cite, references)),
            aliases=tuple(aliases),
            **{"lowest": -1.0 if more.get("chance_corrected", True) else 0.0, **more},
        )
        made.__dict__["__doc__"] = inspect.getdoc(function)
        MEASURES.add(made.name, made, aliases)
        return made

    return register


def all_measures() -> Mapping[str, Measure]:
    """Return every registered measure by its name."""
    return MEASURES.all()


def find(name: str) -> Measure:
    """Return the measure called `name`, in kebab-case or snake_case, or known by it."""
    if not isinstance(name, str):
        raise OptionError(
            f'A measure is named by a text, as "cohen-kappa", not by a {type(name).__name__}: name several one after the other.'
        )
    if name.replace("_", "-").casefold() == "weighted-kappa":
        # The nearest name is another coefficient, and without weights this one would be, too.
        raise OptionError(
            "Weighted kappa is cohen-kappa with weights: name that, and give `weights`, linear or quadratic."
        )
    return MEASURES.find(name)


def refuse_unowned(chosen: Sequence[Measure], given: Mapping[str, Any]) -> None:
    """Refuse an option that no measure at hand has."""
    for option in given:
        if not any(option in one.parameters for one in chosen):
            owners = [one.name for one in all_measures().values() if option in one.parameters]
            if option in ("measure", "measures"):
                raise OptionError(f"Write measures behind the data, without a name: measure(data, {chosen[0].name!r}).")
            if not owners:
                known = {name for one in chosen for name in one.parameters}
                told = did_you_mean(option, known) if known else "the measures at hand have no options of their own."
                raise OptionError(f"No measure has an option {shown(option)}: {told}")
            raise OptionError(f"`{option}` is an option of {', '.join(owners)}: name one of them as the `measure`.")
