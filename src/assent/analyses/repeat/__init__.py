"""Does a judge repeat itself? The same annotator or model, the same item, several runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.estimates import Quantity, mean_quantity
from assent.analyses.repeat.components import COMPONENTS, PairSums
from assent.analyses.repeat.notes import notes_of
from assent.analyses.repeat.result import Flip, JudgeRepeats, Majority, NoiseCeiling, Repeatability
from assent.analyses.repeat.runs import Runs, runs_of
from assent.analyses.repeat.stability import fitted_majority_change, majority_change
from assent.analyses.unparsed import failures
from assent.data import Annotations, as_annotations
from assent.data.messages import Dropped
from assent.errors import OptionError, choose
from assent.limits import FLIPS_LISTED, INTERVAL_METHODS, JUDGES_PAIRED
from assent.measures.results import Estimate, Interval
from assent.profiles import Array, distinct_rows
from assent.scales import SCALES, numbers
from assent.text import counted, named

__all__ = ["Flip", "JudgeRepeats", "Majority", "NoiseCeiling", "Repeatability", "open_runs", "repeat"]

#: Runs of which a majority is looked at: from the data up to half the runs, by a model beyond.
_MAJORITIES, _MODELLED = (1, 3, 5, 7, 9), (3, 5, 7)
#: Runs of which the reliability of a mean is said.
_MEANS = (1, 2, 3, 5, 10)

Sure = Callable[[Estimate], Interval | None]


def repeat(
    data: Any,
    *,
    run: str | None = None,
    runs: Sequence[str] | None = None,
    scale: str | None = None,
    order: Sequence[str] | None = None,
    ci: str = "etel",
    bootstrap: str = "bca",
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    **reading: Any,
) -> Repeatability:
    """Say how far judges, people or models, repeat themselves on the same items.

    Parameters
    ----------
    data : path, DataFrame, list of paths, or Annotations
        One row for each item, judge and run; or one row an item and one column a run, called run1, run2 or gpt_run_1, gpt_run_2.
        Files with one run each are given as a list, in order.
    run : str, optional
        Column that tells runs apart. Without it several rows of a judge for an item are runs in the order of the table.
    runs : sequence of str, optional
        Columns of a wide table, or annotators, that are runs of one judge, whatever they are called.
    scale : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement; nominal if not given. A change is any other label on every scale; components of variance and alpha go by
        the scale.
    order : sequence of str, optional
        The labels from lowest to highest.
    ci : {"etel", "analytic", "jackknife", "bootstrap", "none"}
        How intervals are made. All of them draw items (or clusters) anew, with all their runs.
    bootstrap : {"bca", "percentile"}
    level : float
    replicates, seed : int
        Of the bootstrap.
    **reading
        How to read a file, as `assent.read` takes it.

    Returns
    -------
    Repeatability

    Examples
    --------
    >>> import assent
    >>> rows = [
    ...     {"item": item, "annotator": "judge", "run": run, "label": label}
    ...     for item, labels in {"a": "yyy", "b": "nnn", "c": "yny", "d": "yyy"}.items()
    ...     for run, label in enumerate(labels)
    ... ]
    >>> found = assent.repeat(rows, run="run")
    >>> round(found.flip_rate.value, 3), [(flip.item, dict(flip.labels)) for flip in found.flips]
    (0.167, [('c', {'y': 2, 'n': 1})])
    """
    choose("ci", ci, (*INTERVAL_METHODS, "none"))
    scale = choose("scale", scale or "nominal", SCALES)
    if not 0 < level < 1:
        raise OptionError(f"`level` is {level}; it must lie between 0 and 1, as 0.95 does.")
    annotations = open_runs(data, run, runs, reading)
    if order is not None:
        annotations = annotations.ordered(order)
    found, unparsed = _with_verdicts(runs_of(annotations, runs), runs, scale)

    def sure(one: Estimate) -> Interval | None:
        if ci == "none":
            return None
        return one.confidence_interval(level, method=ci, kind=bootstrap, replicates=replicates, seed=seed)

    judges = tuple(_judge(found, at, scale, sure) for at in found.repeated)
    once = tuple(name for at, name in enumerate(found.judges) if at not in found.repeated)
    sums = PairSums(found, _points(found.data, scale))
    means = {name: one.sure(sure) for name, one in sums.means().items()}
    rates = _flip_rates(found)
    again = found.sizes > 1
    changed = np.flatnonzero(again & (rates > 0))
    every = _majorities(found, np.flatnonzero(again), sure, modelled=len(found.repeated) == 1)
    by_item = np.sort(np.bincount(found.item[changed], weights=rates[changed]))[::-1]
    values, how_many = np.unique(np.round(rates[again], 12), return_counts=True)
    return Repeatability(
        data=found.data,
        scale=scale,
        n_items=len(found.items),
        n_labels=int(found.sizes.sum()),
        judges=judges,
        once=once,
        flip_rate=_flips(found, np.flatnonzero(again)).sure(sure),
        majority=every,
        histogram=tuple((float(rate), int(items)) for rate, items in zip(values, how_many, strict=True)),
        flips=_listed(found, rates, changed),
        n_flips=len(changed),
        half_of_flips=int(np.searchsorted(np.cumsum(by_item), by_item.sum() / 2.0 - 1e-9) + 1) if len(changed) else 0,
        disagreement={name: one for name, one in means.items() if name not in COMPONENTS},
        components={name: means[name] for name in COMPONENTS},
        reliability=() if scale == "nominal" else tuple((k, sums.reliability(means, k)) for k in _MEANS),
        ceilings=_ceilings(found, sums, once, sure),
        notes=(*unparsed, *notes_of(found, judges, once, scale)),
    )


def open_runs(data: Any, run: str | None, runs: Sequence[str] | None, reading: Mapping[str, Any]) -> Annotations:
    """Read data in which a judge may have an item several times."""
    if isinstance(data, Annotations):
        if run is not None or reading:
            said = "run" if run is not None else next(iter(reading))
            raise OptionError(
                f"`{said}` says how to read a table, and these data were read already, one label for each item and annotator: give the "
                "file or the DataFrame itself."
            )
        return data
    from assent.readers import MISSING
    from assent.readers.opened import open_data
    from assent.readers.reading import ReadingOfRuns
    from assent.readers.runs import RunsWanted

    if run is not None and runs is not None:
        raise OptionError("`run` and `runs` both say where runs stand: give one of them.")
    held = not _is_file(data)
    files = held and isinstance(data, list | tuple) and all(map(_is_file, data)) and data
    if held and not files and (isinstance(data, np.ndarray) or (isinstance(data, list | tuple) and not _records(data))):
        return as_annotations(data)
    sources = tuple(data) if files else (data,)
    more: dict[str, Any] = {} if not held or files else {"not_missing": MISSING}
    if runs is not None and reading.get("annotators") is None:
        reading = {**reading, "annotators": tuple(runs)}
    wanted = RunsWanted(column=run) if runs is None else None
    return as_annotations(open_data(sources, ReadingOfRuns(**{**more, **reading}, runs=wanted)).one())


def _with_verdicts(found: Runs, runs: Sequence[str] | None, scale: str) -> tuple[Runs, list[str]]:
    """Take answers of judges that are no verdict as missing, and say how many and which."""
    data = found.data
    given = np.asarray(found.counts.sum(axis=0)).ravel()
    people = np.flatnonzero(~np.isin(found.judge, found.repeated))
    theirs = np.asarray(found.counts[people].sum(axis=0)).ravel()
    known = [label for at, label in enumerate(data.labels) if theirs[at] or data._order_given]
    counts = {label: int(many) for label, many in zip(data.labels, given, strict=True) if many}
    rated = sum(many for label, many in counts.items() if numbers([label], data._decimal) is not None)
    numeric = scale != "nominal" and 2 * rated > sum(counts.values())
    sure, doubtful = failures(counts, known, data._decimal if numeric else None)
    said = []
    if doubtful:
        verb = "counts as a verdict" if len(doubtful) == 1 else "count as verdicts"
        said.append(
            f"{named(doubtful, 3)} {verb} here: what says that there is none is to be left out, with `missing`."
        )
    if not sure:
        return found, said
    lost = sum(counts[one] for one in sure)
    said.append(
        f"{counted(lost, 'answer')} {'is' if lost == 1 else 'are'} no verdict and left out as missing: {named(sure, 3)}."
    )
    left = data.without_labels(sure)
    # Nobody asked for it.
    left = replace(left, dropped=(*data.dropped, Dropped(f"no verdict: {named(sure, 3)}", lost)))
    return runs_of(left, runs), said


def _is_file(data: Any) -> bool:
    return isinstance(data, str | os.PathLike) or hasattr(data, "read")


def _records(data: Sequence[Any]) -> bool:
    return bool(data) and all(isinstance(one, Mapping) for one in data)


def _points(data: Annotations, scale: str) -> Array | None:
    """Return where the labels stand on a line; None if they are names."""
    if scale == "nominal":
        return None
    known = None if data._order_given else numbers(data.labels, data._decimal)
    points = np.arange(1.0, len(data.labels) + 1.0) if known is None else np.asarray(known)
    # Variances do not depend on where zero is, and near it no digits are lost.
    return np.asarray(points - points.mean())


def _flip_rates(runs: Runs) -> Array:
    """Return for each cell the share of pairs of runs that differ; 0 where there is one run."""
    counts = runs.counts
    squares = (
        np.asarray((counts.astype(np.float64) ** 2).sum(axis=1)).ravel()
        if isinstance(counts, np.ndarray)
        else np.asarray(counts.multiply(counts).sum(axis=1), dtype=np.float64).ravel()
    )
    pairs = runs.sizes * (runs.sizes - 1.0)
    return np.asarray(np.where(pairs > 0, (runs.sizes**2 - squares) / np.where(pairs > 0, pairs, 1.0), 0.0))


def _flips(runs: Runs, cells: Array) -> Quantity:
    rates = _flip_rates(runs)
    return mean_quantity(
        runs.over_items(rates, cells), runs.over_items(np.ones(len(rates)), cells), runs.cluster, runs.data.unit
    )


def _judge(runs: Runs, at: int, scale: str, sure: Sure) -> JudgeRepeats:
    from assent.measures import find

    cells = np.flatnonzero((runs.judge == at) & (runs.sizes > 1))
    own = runs.data.only_annotators(runs.runs[at])
    alpha = find("krippendorff-alpha")(own, scale=scale)
    return JudgeRepeats(
        judge=runs.judges[at],
        n_runs=int(runs.sizes[cells].max()),
        flip_rate=_flips(runs, cells).sure(sure),
        ever_changed=float(np.mean(_flip_rates(runs)[cells] > 0)),
        alpha=alpha,
        interval=sure(alpha),
        majority=_majorities(runs, cells, sure, modelled=True),
    )


def _majorities(runs: Runs, cells: Array, sure: Sure, *, modelled: bool) -> tuple[Majority, ...]:
    """Return how often majorities of one, three, … runs differ: from the data, then by a model if there are two labels."""
    kinds, kind = distinct_rows(runs.counts[cells])
    dense = kinds if isinstance(kinds, np.ndarray) else kinds.toarray()
    patterns = [tuple(sorted(row[row > 0].tolist(), reverse=True)) for row in dense]
    sizes = dense.sum(axis=1)
    made = []
    for k in _MAJORITIES:
        enough = sizes >= 2 * k
        if not enough.any():
            break
        change = [majority_change(one, k) if fits else 0.0 for one, fits in zip(patterns, enough, strict=True)]
        if any(one is None for one in change):
            break
        values, there = np.zeros(len(runs.cell)), np.zeros(len(runs.cell))
        values[cells], there[cells] = np.asarray(change)[kind], enough[kind]
        one = mean_quantity(runs.over_items(values), runs.over_items(there), runs.cluster, runs.data.unit).sure(sure)
        made.append(Majority(n_runs=k, change=one.value, quantity=one))
    used = np.flatnonzero(dense.sum(axis=0))
    if modelled and made and len(used) == 2:
        share = float(np.mean(dense[kind, used[1]] / sizes[kind]))
        made += [
            Majority(n_runs=k, change=fitted_majority_change(share, made[0].change, k))
            for k in _MODELLED
            if k > made[-1].n_runs
        ]
    return tuple(made)


def _listed(runs: Runs, rates: Array, changed: Array) -> tuple[Flip, ...]:
    """List the items that changed, the most unstable first."""
    order = changed[np.lexsort((changed, -runs.sizes[changed], -np.round(rates[changed], 12)))][:FLIPS_LISTED]
    counts = runs.counts[order]
    dense = counts if isinstance(counts, np.ndarray) else counts.toarray()
    labels = runs.data.labels
    return tuple(
        Flip(
            item=runs.items[int(runs.item[cell])],
            judge=runs.judges[int(runs.judge[cell])],
            flip_rate=float(rates[cell]),
            labels={labels[i]: int(row[i]) for i in np.argsort(-row, kind="stable") if row[i]},
        )
        for cell, row in zip(order, dense, strict=True)
    )


def _ceilings(runs: Runs, sums: PairSums, once: Sequence[str], sure: Sure) -> tuple[NoiseCeiling, ...]:
    """Return how high agreement can be, for every two judges with repeats, and for each of them and people."""
    repeated = runs.repeated[:JUDGES_PAIRED]
    wanted = [(a, np.array([b]), runs.judges[b], False) for i, a in enumerate(repeated) for b in repeated[i + 1 :]]
    if len(once) > 1:
        people = np.array([runs.judges.index(name) for name in once])
        wanted += [(a, people, "people", True) for a in repeated]
    made = []
    for first, second, title, is_people in wanted:
        numbers_of = [one.sure(sure) for one in sums.against(first, second)]
        if numbers_of[0].n_items:
            kappa, ceiling, corrected, mine, theirs = numbers_of
            made.append(
                NoiseCeiling(
                    first=runs.judges[first],
                    second=title,
                    people=is_people,
                    kappa=kappa,
                    ceiling=ceiling,
                    corrected=corrected,
                    first_self=mine,
                    second_self=theirs,
                )
            )
    return tuple(made)
