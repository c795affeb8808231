"""Two files, two judges, two guidelines, before and after: how much agreement differs, and what changed."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from assent.analyses.compare.changes import Changes, changes_between
from assent.analyses.compare.result import Compared, Comparison, Gap, Side
from assent.analyses.difference import Difference, difference
from assent.analyses.findings.finding import holm
from assent.analyses.gates import MARGIN, GateSettings, gates_asked, judged, not_lifted_by_runs
from assent.analyses.recommend import recommend
from assent.analyses.testing import two_sided_p_value
from assent.data import Dataset
from assent.errors import AssentError, InputError, OptionError, choose, did_you_mean
from assent.limits import GROUPS_MEASURED, INTERVAL_METHODS
from assent.measures import find
from assent.measures._preparation import as_dataset
from assent.measures.registry import refuse_unowned
from assent.measures.results import Agreement
from assent.scales import SCALES
from assent.text import counted, named, quoted, shown

__all__ = ["Changes", "Compared", "Comparison", "Gap", "Side", "compare"]


def compare(
    *data: Any,
    titles: Sequence[str] | None = None,
    groups: Mapping[str, Sequence[str]] | Sequence[Sequence[str]] | None = None,
    by: str | None = None,
    measures: Sequence[str] = (),
    paired: bool | None = None,
    scale: str | None = None,
    weights: Any = None,
    order: Sequence[str] | None = None,
    ci: str = "etel",
    bootstrap: str = "bca",
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    gate: str | Sequence[str] = (),
    fail_under: float | None = None,
    margin: float = MARGIN,
    options: Mapping[str, Any] | None = None,
    **reading: Any,
) -> Comparison:
    """Compare the agreement in two or more data sets: paired where they share items, as independent samples where not.

    Parameters
    ----------
    *data : Dataset, or whatever one can be made from
        Two or more; or one, which `groups` or `by` takes apart.
    titles : sequence of str, optional
        What to call the data sets; the names of the files, or 1, 2, … if not given.
    groups : mapping of str to sequence of str, or sequence of sequences of str, optional
        Choices of annotators of one data set, such as ``[["ann", "gpt-4"], ["ann", "gpt-5"]]``: the same person with either judge.
    by : str, optional
        Column of one table whose values, such as batches or versions of a guideline, take it apart.
    measures : sequence of str
        Names of coefficients. Without any, the one that fits all data sets; Krippendorff's alpha if they differ.
    paired : bool, optional
        Match items by name; by default where any two data sets share an item.
    scale, weights, order
        As `assent.measure` takes them.
    ci : {"etel", "analytic", "jackknife", "bootstrap", "none"}
        How intervals are made, and with them tests.
    bootstrap : {"bca", "percentile"}
    level : float
    replicates, seed : int
        Of the bootstrap.
    gate : str or sequence of {"kappa", "no-worse"}
        What to judge: whether the last data set reaches `fail_under`, which asks for it by itself; whether each is no worse than the first, but
        for the `margin`.
    fail_under, margin : float
        Of the gates.
    options : mapping of str to value, optional
        What the measures take of their own, such as ``{"distance": "levenshtein"}``; each takes what it has.
    **reading
        How to read files, as `assent.read` takes it.

    Returns
    -------
    Comparison
        Differences are second less first.

    Examples
    --------
    >>> import assent
    >>> table = {"ann": list("xxyyxxyyxy"), "old": list("xyyyxxxyxx"), "new": list("xxyyxxyyxx")}
    >>> found = assent.compare(table, groups=[["ann", "old"], ["ann", "new"]], ci="analytic")
    >>> gap = found.quoted.gaps[0]
    >>> found.quoted.measure, round(gap.value, 2), gap.paired
    ('cohen-kappa', 0.4, True)
    """
    choose("ci", ci, (*INTERVAL_METHODS, "none"))
    if scale is not None:
        choose("scale", scale, SCALES)
    if not 0 < level < 1:
        raise OptionError(f"`level` is {level}; it must lie between 0 and 1, as 0.95 does.")
    gates, settings = gates_asked(gate, fail_under), GateSettings(least=fail_under, margin=margin)
    if gates and ci == "none":
        raise OptionError("`gate` judges by intervals, and `ci` none makes none.")
    called, sets = _opened(data, titles, groups, by, reading)
    if order is not None:
        sets = [one.ordered(order) for one in sets]
    told: list[str] = []
    wanted = list(measures) or _fitting(sets, scale, weighted=weights is not None, told=told)
    how: dict[str, Any] = {"method": ci, "kind": bootstrap, "replicates": replicates, "seed": seed}
    made = []
    found_measures = [find(name) for name in wanted]
    refuse_unowned(found_measures, options or {})
    for measure in found_measures:
        own = {name: given for name, given in (options or {}).items() if name in measure.parameters}
        found = [_measured(measure, one, name, scale, weights, own) for one, name in zip(sets, called, strict=True)]
        sides = tuple(
            Side(name=name, agreement=one, interval=None if ci == "none" else one.confidence_interval(level, **how))
            for name, one in zip(called, found, strict=True)
        )
        made.append(
            Compared(
                measure=measure.name, title=found[0].title, sides=sides, gaps=_gaps(sides, paired, level, how, told)
            )
        )
    changes = None
    if len(sets) == 2 and paired is not False:
        changes = changes_between(*sets, level=level, ci=ci)
    result = Comparison(
        names=tuple(called),
        data=tuple(sets),
        measures=tuple(made),
        changes=changes,
        level=level,
        notes=(*_without_common_labels(called, sets), *_pairing_notes(made[0]), *dict.fromkeys(told)),
    )
    outcomes = judged(result, gates, settings)
    for one in sets:
        outcomes = not_lifted_by_runs(outcomes, one.annotators or ())
    return result.gated(outcomes)


def _opened(
    data: Sequence[Any],
    titles: Sequence[str] | None,
    groups: Mapping[str, Sequence[str]] | Sequence[Sequence[str]] | None,
    by: str | None,
    reading: Mapping[str, Any],
) -> tuple[list[str], list[Dataset]]:
    """Return the data sets and what they are called."""
    if groups is not None and by is not None:
        raise OptionError("`groups` and `by` both take a table apart: give one of them.")
    if groups is None and by is None:
        if len(data) < 2:
            raise OptionError(
                "One data set is nothing to compare: give two, or take one apart with `group` (choices of annotators) or `by` (a column)."
            )
        sets = [_read(one, reading) for one in data]
        return _called(data, titles), sets
    if len(data) != 1:
        raise OptionError(
            f"`{'group' if by is None else 'by'}` takes one table apart, and {len(data)} were given: give one."
        )
    if by is not None:
        whole = _read(data[0], {**reading, "columns": [*reading.get("columns", ()), by]})
        return _by(whole, by)
    whole = _read(data[0], reading)
    assert groups is not None
    chosen = groups if isinstance(groups, Mapping) else {" + ".join(some): some for some in groups}
    if len(chosen) < 2:
        raise OptionError("One choice of annotators is nothing to compare: give two with `group`.")
    return list(chosen), [_only(whole, some) for some in chosen.values()]


def _read(one: Any, reading: Mapping[str, Any]) -> Dataset:
    """Take a data set as it is; read anything else."""
    if isinstance(one, Dataset):
        if reading.get("columns"):
            raise OptionError(
                "`by` names a column of a table, and these data were read already: give the file or the DataFrame."
            )
        return one
    if isinstance(one, str | os.PathLike) or hasattr(one, "read") or reading:
        from assent.readers import read

        return read(one, **reading)
    return as_dataset(one)


def _called(data: Sequence[Any], titles: Sequence[str] | None) -> list[str]:
    if titles is not None:
        if len(titles) != len(data) or len(set(titles)) < len(titles):
            raise OptionError(f"`titles` has {len(set(titles))} different names for {len(data)} data sets.")
        return list(titles)
    found = [Path(one).name if isinstance(one, str | os.PathLike) else str(at) for at, one in enumerate(data, start=1)]
    if max(Counter(found).values()) > 1:
        found = [
            os.fspath(one) if isinstance(one, str | os.PathLike) else str(at) for at, one in enumerate(data, start=1)
        ]
    times: Counter[str] = Counter()
    made = []
    for name in found:
        times[name] += 1
        made.append(name if times[name] == 1 else f"{name} ({times[name]})")
    return made


def _only(data: Dataset, names: Sequence[str]) -> Dataset:
    """Return the annotations of some annotators."""
    for name in names:
        if name not in (data.annotators or ()):
            raise OptionError(
                f"`group` names {shown(name)}, who is no annotator of these data; {did_you_mean(name, data.annotators or ())}"
            )
    if len(set(names)) < 2:
        raise OptionError(f"`group` {shown(','.join(names))} has one annotator: agreement needs two.")
    return data.only_annotators(list(names))


def _by(data: Dataset, column: str) -> tuple[list[str], list[Dataset]]:
    """Take data apart by the values of a column, in their order."""
    values = sorted(
        ((text, value) for value, text, _ in data._groups(column) if text is not None), key=lambda one: one[0]
    )
    if len(values) < 2:
        raise OptionError(
            f"`by` is {shown(column)}, a column with {'one value' if values else 'no value'}: groups need two or more."
        )
    if len(values) > GROUPS_MEASURED:
        raise OptionError(
            f"`by` is {shown(column)}, a column with {len(values):,} values; up to {GROUPS_MEASURED} can be compared."
        )
    parts = data._split_by(column, [value for _, value in values])
    return [text for text, _ in values], [mine for mine, _ in parts]


def _fitting(sets: Sequence[Dataset], scale: str | None, *, weighted: bool, told: list[str]) -> list[str]:
    """Choose a measure that all data sets can take."""
    quoted_of = [recommend(one, scale=scale, weighted=weighted).quote for one in sets]
    if len(set(quoted_of)) == 1:
        return quoted_of[:1]
    told.append(
        "The data sets would be measured differently; Krippendorff's alpha fits all of them (name another with `measure`)."
    )
    return ["krippendorff-alpha"]


def _measured(
    measure: Any, data: Dataset, name: str, scale: str | None, weights: Any, own: Mapping[str, Any]
) -> Agreement:
    try:
        made: Agreement = measure(data, scale=scale, weights=weights, **own)
    except AssentError as error:
        raise type(error)(f"On {shown(name)}: {error}") from None
    return made


def _gaps(
    sides: Sequence[Side], paired: bool | None, level: float, how: Mapping[str, Any], told: list[str]
) -> tuple[Gap, ...]:
    """Compare every two data sets, with Holm's correction."""
    made = []
    for first, second in combinations(sides, 2):
        gap, matched = _gap(first.agreement, second.agreement, paired, told)
        sure = how["method"] != "none"
        interval = gap.confidence_interval(level, **how) if sure else None
        p_value = two_sided_p_value(gap, **how) if sure else math.nan
        made.append(
            Gap(
                first=first.name,
                second=second.name,
                value=gap.value,
                interval=interval,
                p_value=p_value,
                p_corrected=math.nan,
                paired=matched,
                n_shared=(gap.shared or 0) if matched else 0,
            )
        )
    tested = [at for at, one in enumerate(made) if not math.isnan(one.p_value)]
    for at, corrected in zip(tested, holm([made[i].p_value for i in tested]), strict=True):
        made[at] = replace(made[at], p_corrected=corrected)
    return tuple(made)


def _gap(first: Agreement, second: Agreement, paired: bool | None, told: list[str]) -> tuple[Difference, bool]:
    """Return second less first, and whether items were matched."""
    if paired is not False:
        try:
            return difference(second, first), True
        except InputError as error:
            if paired:
                raise
            if not (first.data._matched_by_name and second.data._matched_by_name):
                told.append(f"Taken as independent samples: {error}")
    return difference(second, first, paired=False), False


def _without_common_labels(names: Sequence[str], sets: Sequence[Dataset]) -> list[str]:
    """Say so if two data sets have no label in common, so that their agreement is about different questions."""
    for (first, one), (second, other) in combinations(list(zip(names, sets, strict=True)), 2):
        labels = [set(getattr(some, "labels", ())) for some in (one, other)]
        if all(labels) and labels[0].isdisjoint(labels[1]):
            return [f"{quoted(first)} and {quoted(second)} have no label in common: are they about the same question?"]
    return []


def _pairing_notes(made: Compared) -> list[str]:
    """Say how items were matched."""
    matched = [one for one in made.gaps if one.paired]
    if not matched and not made.sides[0].agreement.data._matched_by_name:
        # Why they could not be matched is said by whoever tried.
        return []
    if not matched:
        return ["The data sets share no item: they are taken as independent samples of items."]
    (one, *others) = matched
    sides = [next(side.agreement for side in made.sides if side.name == name) for name in (one.first, one.second)]
    # Of one list of ranked objects annotators or objects are what is matched.
    what = sides[0].unit if sides[0].unit in ("annotators", "objects") else "items"
    numbers = [max(side.data.n_items, int(side.profiles.multiplicities.sum())) for side in sides]
    told = (
        f"{counted(one.n_shared, what.removesuffix('s'))} of {numbers[0]:,} and {numbers[1]:,} {'is' if one.n_shared == 1 else 'are'} in both "
        f"{quoted(one.first)} and {quoted(one.second)}, matched by name: the difference is paired (to change this, give `paired=False`)."
    )
    apart = [one for one in made.gaps if not one.paired]
    more = (
        [f"{named([apart[0].first, apart[0].second])} share no item and are taken as independent samples."]
        if apart
        else []
    )
    return [told, *more] if others or apart else [told]
