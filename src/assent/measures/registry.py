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
from assent.inference import Sample
from assent.profiles import Array, Counts, Weighting
from assent.results import Agreement
from assent.scales import SCALES, agreement_weights

__all__ = ["Components", "Measure", "all_measures", "measure"]

_REGISTRY: dict[str, Measure] = {}


@dataclass(frozen=True, kw_only=True, eq=False)
class Components:
    """Observed and expected agreement, for every replicate of the weights.

    Parameters
    ----------
    observed : array (...,)
    expected : array (...,) or 0.0
        Agreement expected by chance; 0 for a measure without chance correction.
    """

    observed: Array
    expected: Array | float = 0.0

    @property
    def value(self) -> Array:
        """(observed - expected) / (1 - expected); NaN where everything expected is agreement."""
        room = 1.0 - np.asarray(self.expected)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(room == 0, np.nan, (self.observed - self.expected) / np.where(room == 0, 1.0, room))


@dataclass(frozen=True, kw_only=True, eq=False)
class Measure:
    """A registered coefficient. Call it with data to get an `Agreement`.

    Parameters
    ----------
    name : str
        Kebab-case name, as on the command line.
    title : str
        Name in a sentence or a table.
    function : callable
        From profiles and agreement weights (and the measure's own options) to `Components`.
    profiles : type
        Kind of profile it works on.
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
    """

    name: str
    title: str
    function: Callable[..., Components]
    profiles: type[Counts]
    scales: tuple[str, ...]
    references: tuple[str, ...]
    chance_corrected: bool = True
    choices: Mapping[str, Sequence[str]]
    krippendorff: bool = False

    @property
    def text(self) -> str:
        """Documentation of the measure."""
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """First sentence of the documentation."""
        return self.text.split("\n\n")[0].replace("\n", " ")

    def unsuitable(self, data: Annotations, scale: str | None = None) -> str | None:
        """Say in one sentence what `data` lack for this measure, or None if it can take them."""
        if scale is not None and scale not in self.scales:
            return f"{self.name} takes a {' or '.join(self.scales)} scale, not {scale}: choose another measure."
        return None

    def __call__(
        self,
        data: Any,
        *,
        scale: str | None = None,
        weights: str | Array | Sequence[Sequence[float]] | None = None,
        order: Sequence[str] | None = None,
        **options: str,
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
        for reason in (self.unsuitable(data, scale),):
            if reason:
                raise UnsuitableData(reason)
        if weights is not None and self.scales == ("nominal",):
            raise OptionError(f"{self.name} compares labels for equality and takes no weights.")
        agree = agreement_weights(
            data.labels,
            scale=scale,
            weights=weights,
            ordered=data.order_given,
            decimal=data.decimal,
            krippendorff=self.krippendorff,
        )
        items = data.counts
        if items.pairable_items == 0:
            raise NothingToCompare(data.nothing_to_compare())

        def evaluate(profiles: Counts) -> Components:
            return self.function(profiles, agree, **chosen)

        def statistic(weighting: Weighting) -> Array:
            return evaluate(items.weighted_by(weighting)).value

        point = evaluate(items)
        value, observed, expected = float(point.value), float(point.observed), float(point.expected)
        # Weights that were named outright leave the scale without a say.
        settings = {"scale": (scale or "nominal") if weights is None else None, "weights": agree.name, **chosen}
        return Agreement(
            measure=self.name,
            title=self.title,
            value=value,
            observed=observed,
            expected=expected,
            items=items.pairable_items,
            annotators=data.annotator_count,
            annotations=items.pairable_annotations,
            options=settings,
            chance_corrected=self.chance_corrected,
            notes=self._notes(data, items, value),
            data=data,
            profiles=items,
            sample=Sample(statistic, items.multiplicities, items.units),
            unit=data.unit,
            on_profiles=lambda profiles: float(evaluate(profiles).value),
        )

    def _checked(self, options: Mapping[str, str]) -> dict[str, str]:
        """Fill in the defaults of the measure's own options and refuse what it does not know."""
        for option, value in options.items():
            if option not in self.choices:
                known = (
                    did_you_mean(option, self.choices)
                    if self.choices
                    else "it has no options of its own besides scale, weights and order."
                )
                raise OptionError(f"{self.name} has no option {shown(option)}: {known}")
            choose(option, str(value), self.choices[option])
        return {option: str(options.get(option, values[0])) for option, values in self.choices.items()}

    def _notes(self, data: Annotations, items: Counts, value: float) -> tuple[str, ...]:
        """Say what a reader of the number must know."""
        notes = []
        single = items.items - items.pairable_items
        if single:
            kept = " (their labels still count towards chance agreement)" if self.name == "fleiss-kappa" else ""
            noun = "item has" if single == 1 else "items have"
            notes.append(f"{single:,} {noun} one annotation, which there is nothing to compare with{kept}.")
        if np.isnan(value):
            used = np.flatnonzero(np.asarray(items.multiplicities @ items.counts).ravel())
            if len(used) == 1:
                only = shown(data.labels[int(used[0])])
                notes.append(
                    f"Undefined: every annotation is {only}. The annotators agree on everything, but with one label "
                    "in use chance alone would do the same, so there is no agreement beyond chance to measure."
                )
            else:
                notes.append("Undefined: all agreement is expected by chance, so none beyond chance can be measured.")
        return tuple(notes)


def measure(
    *,
    title: str,
    profiles: type[Counts],
    scales: Sequence[str] = SCALES,
    references: Sequence[str],
    chance_corrected: bool = True,
    choices: Mapping[str, Sequence[str]] | None = None,
    krippendorff: bool = False,
) -> Callable[[Callable[..., Components]], Measure]:
    """Register a function from profiles to components as a measure."""

    def register(function: Callable[..., Components]) -> Measure:
        made = Measure(
            name=function.__name__.replace("_", "-"),
            title=title,
            function=function,
            profiles=profiles,
            scales=tuple(scales),
            references=tuple(references),
            chance_corrected=chance_corrected,
            choices=dict(choices or {}),
            krippendorff=krippendorff,
        )
        made.__dict__["__doc__"] = inspect.getdoc(function)
        _REGISTRY[made.name] = made
        return made

    return register


def all_measures() -> Mapping[str, Measure]:
    """Return every registered measure by its name."""
    return dict(_REGISTRY)


def find(name: str) -> Measure:
    """Return the measure called `name`, in kebab-case or snake_case."""
    made = _REGISTRY.get(name.replace("_", "-"))
    if made is None:
        raise OptionError(f"There is no measure {shown(name)}: {did_you_mean(name, _REGISTRY)}")
    return made
