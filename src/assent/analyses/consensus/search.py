"""The consensus of annotators by one method, and every method against known labels."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal

import numpy as np
from msgspec.structs import replace

from assent.analyses.by_kind import answer
from assent.analyses.consensus.gold import GoldComparison, GoldScore, score
from assent.analyses.consensus.gold_files import Known, gold_beside, known_labels
from assent.analyses.consensus.registry import Method, all_methods, find
from assent.analyses.consensus.result import Consensus
from assent.data import Annotations, Dataset, as_annotations, as_dataset
from assent.data.long_rows import LongRows
from assent.errors import AssentError, OptionError
from assent.text import counted

__all__ = ["consensus"]

#: Called with what is under way; what it returns is entered until that is done.
Stage = Callable[[str], AbstractContextManager[None]]


def consensus(
    data: Any,
    method: str = "majority",
    *,
    ties: Literal["none", "random"] = "none",
    seed: int = 0,
    gold: Mapping[Any, Any] | str | os.PathLike[str] | None = None,
    gold_column: str | None = None,
    learn: bool = False,
    level: float = 0.95,
    stage: Stage | None = None,
    **options: Any,
) -> Any:
    """Find the consensus of annotators: one label for every item, how sure it is, and a probability for every label.

    Parameters
    ----------
    data : Annotations, path, DataFrame or 2-D array
        Whatever `assent.measure` takes.
    method : str
        One of ``assent.analyses.consensus.all_methods()``, such as majority, dawid-skene or one-coin.
    ties : {"none", "random"}
        An item whose most probable labels are several gets no label, or one of them at random.
    seed : int
        Of the lot, and of random starts.
    gold : mapping or path, optional
        Known labels by item, or a file with a column of items and one of labels: every method is scored on them.
    gold_column : str, optional
        Column of the data that holds the known label of the item; it must have been kept when they were read.
    learn : bool
        The method learns from the known labels, too: those items have their label, and annotators are judged by them. It is then scored
        on parts of them that it has not learnt from.
    level : float
        Confidence level of the intervals of these scores.
    stage : callable, optional
        Called with what is under way.
    **options
        Of the method, such as ``tolerance`` and ``max_iterations``.

    Returns
    -------
    Consensus
        Of spans a `SpanConsensus`: the method is majority (of positions) or at-least (whole spans), with the option ``least``.

    Examples
    --------
    >>> import assent
    >>> table = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", None]]
    >>> consensus = assent.consensus(table)
    >>> consensus.decided
    ['a', 'b', None]
    >>> consensus.confidence.round(2).tolist()
    [0.67, 1.0, 0.5]
    >>> consensus.tied_labels(2)
    ['a', 'b']
    >>> scored = assent.consensus(table, gold={1: "a", 2: "b", 3: "b"})
    >>> [(one.method, round(one.accuracy, 2)) for one in scored.scores[:2]]
    [('dawid-skene', 1.0), ('mace', 1.0)]
    """
    others = of_other_kind(
        data,
        method=method,
        ties=ties,
        seed=seed,
        gold=gold,
        gold_column=gold_column,
        learn=learn,
        level=level,
        **options,
    )
    if others is not None:
        return others
    chosen = find(method)
    if gold is not None and gold_column is not None:
        raise OptionError("`gold` and `gold_column` both say where known labels are: give one of them.")
    if not 0 < level < 1:
        raise OptionError(f"`level` is {level}; it must lie between 0 and 1, as 0.95 does.")
    chosen.checked(options, ties=ties, seed=seed)
    under_way = stage or (lambda what: nullcontext())
    annotations = _annotations(data, gold_column)
    known: Known | None = None
    if gold is not None:
        known = known_labels(gold, vocabulary=annotations.single_labels)
    elif gold_column is not None:
        known = gold_beside(annotations, gold_column)
    with under_way(f"Finding a consensus by {chosen.title}"):
        listing = annotations.to_rows()
        if learn and known is None:
            raise OptionError("`learn` is about known labels: give them with `gold` or `gold_column`.")
        teach = known.labels if learn and known is not None else None
        found = chosen.on(annotations, listing, ties=ties, seed=seed, known=teach, **options)
    if known is None:
        return found
    first = found.score(known.labels, level=level)
    if learn:
        with under_way("Scoring on known labels that were not learnt from"):
            decided, confidence = _held_out(annotations, listing, chosen, known.labels, ties, seed, options)
            labels = annotations.single_labels
            first = score(found.method, found.items, decided, labels, known.labels, level=level, confidence=confidence)
        told = sum(one in known.labels for one in found.items)
        note = (
            f"{chosen.title} learnt from {counted(told, 'known label')}; its score is on parts of them that it had not learnt from (five parts, "
            f"seed {seed})."
        )
        found = replace(found, notes=(*found.notes, note))
    gold_scores = _compared(found, first, listing, known, ties=ties, seed=seed, level=level, stage=under_way)
    return replace(found, gold=gold_scores)


#: Known labels are set aside in so many parts, one after the other.
PARTS = 5


def _held_out(
    data: Annotations,
    listing: LongRows,
    chosen: Method,
    known: Mapping[str, str],
    ties: str,
    seed: int,
    options: Mapping[str, Any],
) -> tuple[list[str | None], list[float]]:
    """Return the label of each item, and how sure it is, by a method that has not learnt from this item."""
    items = [one for one in listing.items if one in known]
    part = dict(zip(items, (np.random.default_rng(seed).permutation(len(items)) % PARTS).tolist(), strict=True))
    decided: dict[str, str | None] = {}
    sure: dict[str, float] = {}
    for number in sorted(set(part.values())):
        taught = {item: known[item] for item in items if part[item] != number}
        found = chosen.on(data, listing, ties=ties, seed=seed, known=taught, **options)
        for item, label, confidence in zip(found.items, found.decided, found.confidence.tolist(), strict=True):
            if part.get(item) == number:
                decided[item], sure[item] = label, confidence
    return [decided.get(one) for one in listing.items], [sure.get(one, math.nan) for one in listing.items]


#: What the options of labels are unless they are given.
UNSAID = {"ties": "none", "seed": 0, "gold_column": None, "learn": False}


def of_other_kind(data: Any, **options: Any) -> Any:
    """Return the consensus of data of another kind than labels, if its kind has one; None for labels."""
    if not isinstance(data, Dataset | str | os.PathLike):
        return None
    made = as_dataset(data)
    given = {name: one for name, one in options.items() if name not in UNSAID or one != UNSAID[name]}
    return answer("consensus", made, **given)


def _annotations(data: Any, column: str | None) -> Annotations:
    """Take the data, with a column beside them if they are yet to be read."""
    if column is not None and isinstance(data, str | os.PathLike):
        from assent.readers import read

        return as_annotations(read(data, columns=[column]))
    return as_annotations(data)


def _compared(
    found: Consensus,
    first: GoldScore,
    listing: LongRows,
    known: Known,
    *,
    ties: str,
    seed: int,
    level: float,
    stage: Stage,
) -> GoldComparison:
    """Score every method against known labels; the chosen one has the user's options, the others their own."""
    scores, failures = [], []
    for name, one in all_methods().items():
        if name == found.method:
            scores.append(first)
            continue
        try:
            with stage(f"Scoring {one.title}"):
                scores.append(one.on(found.data, listing, ties=ties, seed=seed).score(known.labels, level=level))
        except AssentError as error:
            failures.append((name, str(error)))
    return GoldComparison(
        scores=tuple(sorted(scores, key=lambda one: -one.accuracy)),
        n_items=first.n_items,
        n_unknown_items=first.n_unknown_items,
        unknown_labels=first.unknown_labels,
        n_missing=known.missing,
        failures=tuple(failures),
    )
