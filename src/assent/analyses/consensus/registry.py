"""What a way to a consensus is, and the registry of all of them.

A method is one function from votes to an `Outcome`; decorated with `method` it is in the library, on the command line, in the
documentation and among those that are scored against known labels without another edit.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import field
from msgspec.structs import replace

from assent.analyses.consensus.methods._em import Run
from assent.analyses.consensus.notes import notes_of
from assent.analyses.consensus.probabilities import Probabilities
from assent.analyses.consensus.result import Consensus
from assent.analyses.consensus.votes import Votes
from assent.data import Annotations, as_annotations
from assent.data.long_rows import LongRows
from assent.errors import OptionError, UnsuitableData, choose
from assent.profiles import Array
from assent.records import Struct, cached_property
from assent.references import Reference, cite
from assent.registry import Option, Registry, check_options, options_of

__all__ = ["METHODS", "Method", "Outcome", "all_methods", "find", "method"]

#: Every method by its name.
METHODS: Registry[Method] = Registry("consensus method", "assent.analyses.consensus.methods", "assent.consensus")

#: What to do with items whose most probable labels are several.
TIES = ("none", "random")


class Outcome(Struct, frozen=True, kw_only=True, eq=False):
    """What a method finds, before ties are dealt with and names are put to positions.

    Parameters
    ----------
    item_scores, annotator_scores, label_scores : mapping of str to array
        Numbers about each of them, by what they are called; NaN where one is undefined.
    run : Run, optional
        How the iteration went, if there was one.
    log_likelihood : float, optional
        Of the annotations under the model, if there is one.
    details : mapping
        Parameters of the model that are no number about an item, an annotator or a label.
    """

    probabilities: Probabilities
    item_scores: Mapping[str, Array] = field(default_factory=dict)
    annotator_scores: Mapping[str, Array] = field(default_factory=dict)
    label_scores: Mapping[str, Array] = field(default_factory=dict)
    run: Run | None = None
    log_likelihood: float | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


class Method(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """A way to a consensus: call it with data to get a `Consensus`.

    Parameters
    ----------
    name : str
        In kebab-case, as on the command line.
    title : str
        In a sentence.
    function : callable
        From votes and options to an outcome. An option called ``primary`` says what the primary of several ranked labels gets; one
        called ``seed`` gets the seed that all methods have.
    references : tuple of str
        Keys of `assent.references.REFERENCES`.
    asks_who : bool
        It needs to know who annotated.
    takes_sets : bool
        Annotations that hold several labels are taken apart; else a whole set counts as one label.
    learns : bool
        It learns from items whose label is known (`Votes.known`).
    """

    name: str
    title: str
    function: Callable[..., Outcome]
    references: tuple[str, ...]
    asks_who: bool
    takes_sets: bool
    learns: bool = False

    @property
    def text(self) -> str:
        """What it does, when to use it and when not."""
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        return " ".join(self.text.split("\n\n")[0].split())

    @cached_property
    def parameters(self) -> Mapping[str, Option]:
        """Its own options, from the signature of its function; all methods have ``ties`` and ``seed``."""
        return {name: option for name, option in options_of(self.function).items() if name != "seed"}

    @property
    def options(self) -> dict[str, tuple[str, ...]]:
        """Its own options and what each of them takes, the default first if it is a name."""
        return {name: option.values for name, option in self.parameters.items()}

    def __call__(self, data: Any, *, ties: str = "none", seed: int = 0, **options: Any) -> Consensus:
        """Find the consensus of annotators on every item; see `assent.consensus`."""
        data = as_annotations(data)
        return self.on(data, data.to_rows(), ties=ties, seed=seed, **options)

    def on(
        self,
        data: Annotations,
        listing: LongRows,
        *,
        ties: str,
        seed: int,
        known: Mapping[str, str] | None = None,
        **options: Any,
    ) -> Consensus:
        """Find the consensus where annotations have been listed: several methods need one listing.

        `known` are labels of items that the method learns from.
        """
        used = self.checked(options, ties=ties, seed=seed)
        if self.asks_who and data.annotators is None:
            able = " or ".join(one.name for one in all_methods().values() if not one.asks_who)
            raise UnsuitableData(
                f"{self.title} judges annotators, and the table does not say who annotated: use {able}."
            )
        primary = used.get("primary")
        if primary is not None and not data._ranked:
            raise OptionError("`primary` needs annotations that rank their labels: say how with `rank` or `ranked`.")
        votes = Votes.of(listing, data._sets if self.takes_sets else None, primary=primary)
        votes = replace(votes, ordered=data._order_given)
        if known is not None:
            self._check_learns()
            place = {name: i for i, name in enumerate(votes.names)}
            votes = replace(votes, known=np.array([place.get(known.get(one, ""), -1) for one in listing.items]))
        if "seed" in inspect.signature(self.function).parameters:
            used["seed"] = seed
        outcome = self.function(votes, **used)
        best = outcome.probabilities.best()
        label = best.label
        if ties == "random":
            label = _by_lot(label, best.tied, outcome.probabilities, seed)
            used = {**used, "seed": seed}
        held = _held(votes, label)
        return Consensus(
            data=data,
            method=self.name,
            title=self.title,
            options={"ties": ties, **used},
            items=listing.items,
            labels=votes.names,
            annotators=listing.annotators,
            label=label,
            confidence=best.probability,
            tied=best.tied,
            annotations=votes.sizes,
            votes=votes.per_item(held).astype(np.int64),
            probabilities=outcome.probabilities,
            item_scores=outcome.item_scores,
            annotator_scores={**_shares(votes, label, held), **outcome.annotator_scores} if listing.annotators else {},
            label_scores=outcome.label_scores,
            converged=None if outcome.run is None else outcome.run.converged,
            iterations=None if outcome.run is None else outcome.run.iterations,
            log_likelihood=outcome.log_likelihood,
            trace=() if outcome.run is None else outcome.run.trace,
            details=outcome.details,
            notes=(
                *notes_of(data, votes, label, best, ties=ties, seed=seed, asks_who=self.asks_who),
                *self._on_sets(data),
                *outcome.notes,
                *([] if outcome.run is None else outcome.run.notes),
            ),
        )

    def _check_learns(self) -> None:
        """Refuse to learn where nothing is learnt."""
        if not self.learns:
            able = " or ".join(one.name for one in all_methods().values() if one.learns)
            raise OptionError(f"{self.title} estimates nothing that known labels could teach it: `learn` with {able}.")

    def checked(self, options: Mapping[str, Any], *, ties: str, seed: int) -> dict[str, Any]:
        """Fill in the defaults of the method's own options; refuse what it does not know, and whose option it is."""
        choose("ties", ties, TIES)
        if seed < 0:
            raise OptionError(f"`seed` is {seed}; it must not be negative.")
        for name in options:
            owners = [one.name for one in all_methods().values() if name in one.parameters]
            if owners and self.name not in owners:
                raise OptionError(f"{self.name} has no option `{name}`: it is an option of {', '.join(owners)}.")
        return check_options(self.name, self.parameters, options, ("ties", "seed"))

    def _on_sets(self, data: Annotations) -> list[str]:
        """Say that whole sets are voted on, if they are."""
        if self.takes_sets:
            return []
        able = ", ".join(one.name for one in all_methods().values() if one.takes_sets)
        return data._about_sets(
            f"Annotations hold several labels, and each whole set counts as one label ({able} take sets apart)."
        )


def _by_lot(label: Array, tied: Array, probabilities: Probabilities, seed: int) -> Array:
    """Draw one of the equally probable labels of each tied item."""
    drawn, lot = label.copy(), np.random.default_rng(seed)
    places = np.flatnonzero(tied)
    for i, equal in zip(places, probabilities.equal_of(places), strict=True):
        drawn[i] = lot.choice(equal)
    return drawn


def _held(votes: Votes, label: Array) -> Array:
    """Return 1 for each annotation that holds the consensus label of its item: (annotations,)."""
    if len(votes.entry) == len(votes.item):
        return np.asarray(votes.label == label[votes.item], dtype=np.float64)
    held = np.zeros(len(votes.item))
    held[votes.entry[votes.label == label[votes.item[votes.entry]]]] = 1.0
    return held


def _shares(votes: Votes, label: Array, held: Array) -> dict[str, Array]:
    """Count each annotator's annotations, and the share of those on decided items that hold the consensus label."""
    number = votes.per_annotator((label[votes.item] >= 0).astype(np.float64))
    with np.errstate(invalid="ignore"):
        return {"annotations": votes.given, "matched": votes.per_annotator(held) / number}


def method(
    *,
    title: str,
    references: Sequence[str | Reference] = (),
    asks_who: bool = True,
    takes_sets: bool = False,
    learns: bool = False,
    aliases: Sequence[str] = (),
) -> Callable[[Callable[..., Outcome]], Method]:
    """Register a function from votes to an outcome as a method; the options are those of `Method`."""

    def register(function: Callable[..., Outcome]) -> Method:
        made = Method(
            name=function.__name__.replace("_", "-"),
            title=title,
            function=function,
            references=tuple(map(cite, references)),
            asks_who=asks_who,
            takes_sets=takes_sets,
            learns=learns,
        )
        made.__dict__["__doc__"] = inspect.getdoc(function)
        METHODS.add(made.name, made, aliases)
        return made

    return register


def all_methods() -> Mapping[str, Method]:
    """Return every registered method by its name."""
    return METHODS.all()


def find(name: str) -> Method:
    """Return the method called `name`, in kebab-case or snake_case, or known by it."""
    return METHODS.find(name)
