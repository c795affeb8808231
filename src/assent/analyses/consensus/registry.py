"""What a way to a consensus is, and the list of all of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assent.analyses.consensus.em import Run
from assent.analyses.consensus.probabilities import Probabilities
from assent.analyses.consensus.remarks import remarks
from assent.analyses.consensus.result import Consensus
from assent.analyses.consensus.votes import Votes
from assent.data import Annotations, as_annotations
from assent.data.long_rows import LongRows
from assent.errors import OptionError, UnsuitableData, choose, did_you_mean
from assent.profiles import Array
from assent.text import shown

__all__ = ["Method", "Outcome", "aggregate", "all_methods", "find_method", "method"]

_REGISTRY: dict[str, Method] = {}

#: What to do with items whose most probable labels are several.
TIES = ("none", "random")


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcome:
    """What a method finds, before ties are dealt with and names are put to positions.

    Parameters
    ----------
    probabilities : Probabilities
    item_scores, annotator_scores, label_scores : mapping of str to array
        Numbers about each of them, by what they are called; NaN where one is undefined.
    run : Run, optional
        How the iteration went, if there was one.
    log_likelihood : float, optional
        Of the annotations under the model, if there is one.
    details : mapping
        Parameters of the model that are no number about an item, an annotator or a label.
    notes : tuple of str
    """

    probabilities: Probabilities
    item_scores: Mapping[str, Array] = field(default_factory=dict)
    annotator_scores: Mapping[str, Array] = field(default_factory=dict)
    label_scores: Mapping[str, Array] = field(default_factory=dict)
    run: Run | None = None
    log_likelihood: float | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Method:
    """A way to a consensus: call it with data to get a `Consensus`.

    Parameters
    ----------
    name : str
        In kebab-case, as on the command line.
    title : str
        In a sentence.
    function : callable
        From ballots and options to an outcome.
    references : tuple of str
        Keys of `assent.references.REFERENCES`.
    asks_who : bool
        It needs to know who annotated.
    takes_sets : bool
        Annotations that hold several labels are taken apart; else a whole set counts as one label.
    """

    name: str
    title: str
    function: Callable[..., Outcome]
    references: tuple[str, ...]
    asks_who: bool
    takes_sets: bool

    @property
    def text(self) -> str:
        """What it does, when to use it and when not."""
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        return " ".join(self.text.split("\n\n")[0].split())

    @property
    def options(self) -> dict[str, Any]:
        """Names of its options, with their values if they are not given."""
        found = inspect.signature(self.function).parameters.values()
        return {one.name: one.default for one in found if one.kind is inspect.Parameter.KEYWORD_ONLY}

    def __call__(
        self, data: Any, *, ties: str = "none", seed: int = 0, _listing: LongRows | None = None, **options: Any
    ) -> Consensus:
        """Find the consensus of annotators on every item; see `aggregate`.

        Whoever runs several methods on the same data may hand over their listing, so that it is made once.
        """
        choose("ties", ties, TIES)
        if seed < 0:
            raise OptionError(f"seed is {seed}; it must not be negative.")
        for name in options:
            if name not in self.options:
                raise OptionError(self._refusal(name))
        data = as_annotations(data)
        if self.asks_who and data.annotators is None:
            raise UnsuitableData(
                f"{self.title} judges annotators, and the table does not say who annotated: use majority or intersection."
            )
        apart = data.sets if self.takes_sets else None
        listing = data.to_rows() if _listing is None else _listing
        ballots = Votes.of(listing, apart, primary=self._primary(data, options))
        used = {**self.options, **options, **({"seed": seed} if "seed" in self.options else {})}
        outcome = self.function(ballots, **used)
        best = outcome.probabilities.best()
        label = best.label
        if ties == "random":
            label = _by_lot(label, best.tied, outcome.probabilities, seed)
            used = {**used, "seed": seed}
        held = _held(ballots, label)
        return Consensus(
            method=self.name,
            title=self.title,
            options={"ties": ties, **used},
            items=listing.items,
            labels=ballots.names,
            annotators=listing.annotators,
            label=label,
            confidence=best.probability,
            tied=best.tied,
            annotations=ballots.sizes,
            votes=ballots.per_item(held).astype(np.int64),
            probabilities=outcome.probabilities,
            item_scores=outcome.item_scores,
            annotator_scores={**_shares(ballots, label, held), **outcome.annotator_scores}
            if listing.annotators
            else {},
            label_scores=outcome.label_scores,
            converged=None if outcome.run is None else outcome.run.converged,
            iterations=None if outcome.run is None else outcome.run.iterations,
            log_likelihood=outcome.log_likelihood,
            trace=() if outcome.run is None else outcome.run.trace,
            details=outcome.details,
            notes=(
                *remarks(data, ballots, label, best, ties=ties, seed=seed, asks_who=self.asks_who),
                *self._on_sets(data),
                *outcome.notes,
                *([] if outcome.run is None else outcome.run.notes),
            ),
        )

    def _refusal(self, option: str) -> str:
        """Say that there is no such option, and whose it is."""
        owners = [one.name for one in _REGISTRY.values() if option in one.options]
        whose = f"it is an option of {', '.join(owners)}" if owners else did_you_mean(option, [*self.options, "ties"])
        return f"{self.name} has no option {option}: {whose.rstrip('.')}."

    def _primary(self, data: Annotations, options: Mapping[str, Any]) -> float | None:
        """Check what the primary label of a set is to get."""
        primary: float | None = options.get("primary")
        if primary is None:
            return None
        if not 0.5 <= primary <= 1:
            raise OptionError(f"primary is {primary:g}; it must lie between 0.5 and 1.")
        if data.sets is None or not data.sets.ranked:
            raise OptionError("primary needs annotations that rank their labels: say how with --rank or --ranked.")
        return primary

    def _on_sets(self, data: Annotations) -> list[str]:
        """Say that whole sets are voted on, if they are."""
        if data.sets is None or self.takes_sets:
            return []
        able = ", ".join(one.name for one in _REGISTRY.values() if one.takes_sets)
        return [f"Annotations hold several labels, and each whole set counts as one label ({able} take sets apart)."]


def _by_lot(label: Array, tied: Array, probabilities: Probabilities, seed: int) -> Array:
    """Draw one of the equally probable labels of each tied item."""
    drawn, lot = label.copy(), np.random.default_rng(seed)
    for i in np.flatnonzero(tied):
        drawn[i] = lot.choice(probabilities.equal(int(i)))
    return drawn


def _held(ballots: Votes, label: Array) -> Array:
    """Return 1 for each annotation that holds the consensus label of its item: (annotations,)."""
    held = np.zeros(len(ballots.item))
    held[ballots.entry[ballots.label == label[ballots.item[ballots.entry]]]] = 1.0
    return held


def _shares(ballots: Votes, label: Array, held: Array) -> dict[str, Array]:
    """Count each annotator's annotations, and the share of those on decided items that hold the consensus label."""
    number = ballots.per_annotator((label[ballots.item] >= 0).astype(np.float64))
    with np.errstate(invalid="ignore"):
        return {"annotations": ballots.given, "matched": ballots.per_annotator(held) / number}


def method(
    *, title: str, references: Sequence[str], asks_who: bool = True, takes_sets: bool = False
) -> Callable[[Callable[..., Outcome]], Method]:
    """Register a function from ballots to an outcome as a method; the options are those of `Method`."""

    def register(function: Callable[..., Outcome]) -> Method:
        made = Method(
            name=function.__name__.replace("_", "-"),
            title=title,
            function=function,
            references=tuple(references),
            asks_who=asks_who,
            takes_sets=takes_sets,
        )
        made.__dict__["__doc__"] = inspect.getdoc(function)
        _REGISTRY[made.name] = made
        return made

    return register


def all_methods() -> Mapping[str, Method]:
    """Return every registered method by its name."""
    return dict(_REGISTRY)


def find_method(name: str) -> Method:
    """Return the method called `name`, in kebab-case or snake_case."""
    made = _REGISTRY.get(name.replace("_", "-").casefold())
    if made is None:
        raise OptionError(f"There is no consensus method {shown(name)}: {did_you_mean(name, _REGISTRY)}")
    return made


def aggregate(data: Any, method: str = "majority", *, ties: str = "none", seed: int = 0, **options: Any) -> Consensus:
    """Find the consensus of annotators: one label for every item, how sure it is, and a probability for every label.

    Parameters
    ----------
    data : Annotations, path, DataFrame or 2-D array
        Whatever `assent.measure` takes.
    method : str
        majority, intersection, sharpening, dawid-skene, one-coin, mace or crowdtruth.
    ties : {"none", "random"}
        An item whose most probable labels are several gets no label, or one of them by lot.
    seed : int
        Of the lot, and of random starts.
    **options
        Of the method, such as ``tolerance`` and ``max_iterations``.

    Returns
    -------
    Consensus

    Examples
    --------
    >>> table = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", None]]
    >>> consensus = aggregate(table)
    >>> consensus.decided
    ['a', 'b', None]
    >>> consensus.confidence.round(2).tolist()
    [0.67, 1.0, 0.5]
    >>> consensus.tied_labels(2)
    ['a', 'b']
    """
    return find_method(method)(data, ties=ties, seed=seed, **options)
