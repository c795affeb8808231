"""From annotations to what is known of the judges among them."""

from __future__ import annotations

import inspect
import io
import os
import sys
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.baseline import JUDGE_KAPPA, Against, against, read_baseline
from assent.analyses.by_kind import answer
from assent.analyses.gates import MARGIN, GateOutcome, GateSettings, gates_asked, judged, not_lifted_by_runs
from assent.analyses.judge.alternative import MIN_ITEMS, alternative_test
from assent.analyses.judge.favour import SeatSwap, favour, seat_swap
from assent.analyses.judge.jury import compare_judges
from assent.analyses.judge.leaning import leaning, pooled, severity
from assent.analyses.judge.notes import called_models, copies, no_rate, notes_on_all, notes_on_judge
from assent.analyses.judge.panel import Items, Panel, chosen_judges
from assent.analyses.judge.reference import Truth, errors_against, truth_of_gold, truth_of_majority
from assent.analyses.judge.result import Baseline, JudgeComparison, JudgeVerdict
from assent.analyses.judge.soft import soft_verdicts
from assent.analyses.judge.success import SAMPLES, Further, SuccessRate, Verdicts, read_verdicts, success_rate
from assent.analyses.judge.team import People, Team, compared
from assent.data import Annotations, Dataset, as_annotations, as_dataset
from assent.errors import OptionError, choose
from assent.measures.paired import AVERAGES
from assent.measures.results import METHODS
from assent.profiles import Array
from assent.scales import SCALES, numbers
from assent.text import named, quoted, shown

if TYPE_CHECKING:
    from assent.analyses.judge.runs import JudgeRuns

__all__ = ["judge"]

#: How closeness to the others is scored.
CLOSENESS = ("agreement", "squared")
#: Pairs of annotators that share fewer items are left out of means.
MIN_SHARED = 10


def judge(
    data: Any,
    *,
    judge: str | Sequence[str] = (),
    judge_column: str | None = None,
    run: str | None = None,
    scale: str | None = None,
    order: Sequence[str] | None = None,
    margin: float | None = None,
    epsilon: float = 0.1,
    closeness: str | None = None,
    reference: str = "majority",
    gold: Any = None,
    gold_column: str | None = None,
    positive: str | None = None,
    unlabelled: Any = None,
    sample: str = "auto",
    seat: str | None = None,
    longer: str | None = None,
    own: str | None = None,
    swapped: str | None = None,
    average: str = "plain",
    min_items: int = MIN_ITEMS,
    ci: str = "analytic",
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    baseline: str | os.PathLike[str] | None = None,
    gate: str | Sequence[str] = (),
    fail_under: float | None = None,
    match: str | None = None,
    **reading: Any,
) -> Any:
    """Compare judges, such as language models, with the people who labelled the same items.

    Is a judge as close to the people as they are to each other; could it stand in for one of them; where does it err and lean; and what
    rate would people have found where only the judge looked? Beside every judge stands one that reads nothing and always gives the
    commonest label: what that one reaches, too, says nothing.

    Parameters
    ----------
    data : Annotations, or whatever they can be made from
        People and judges are its annotators.
    judge : str or sequence of str
        Names of the judges; those that a column marks, or the models of an export, if not given.
    judge_column : str, optional
        Column, kept beside the annotations, that says which rows are a judge's.
    run : str, optional
        Column that tells runs of a judge apart, of a file or DataFrame. The first run is compared with people; all of them say how far the
        judge repeats itself, how far it can agree with people at all, and which share of its labels each is.
    scale : {"nominal", "ordinal", "interval", "ratio"}, optional
        Nominal if not given. On any other, kappa is weighted and closeness is squared distance.
    order : sequence of str, optional
        The labels from lowest to highest.
    margin : float, optional
        How much less than people with each other a judge may agree with people, in kappa; 0.05 is taken, and said, if not given.
    epsilon : float
        Of the alternative annotator test: the published advice is 0.2 beside experts, 0.15 beside trained people, 0.1 beside a crowd.
    closeness : {"agreement", "squared"}, optional
        How closeness to the others is scored in that test, if not by the scale.
    reference : {"majority", "gold"}
        What errors are counted against.
    gold : mapping or path, optional
        Known labels by item; those of an export if not given.
    gold_column : str, optional
        Column, kept beside the annotations, that holds the known label of the item.
    positive : str, optional
        Label whose rate is estimated.
    unlabelled : path, Annotations or mapping, optional
        The judge's verdicts on items that people did not label; items of the data that only the judge labelled count as well.
    sample : {"auto", "random", "by-label"}
        How the items that people labelled were chosen.
    seat, longer, own : str, optional
        Columns, kept beside the annotations, that name the label of what is shown first, is longer, or is the judge's own.
    swapped : str, optional
        Annotator who holds the judge's verdicts (first, second, or a tie) with the seats swapped.
    average : {"plain", "overlap"}
        Pairs of annotators count alike, or by the items they share.
    min_items : int
        People with fewer items are not tested.
    ci : {"analytic", "jackknife", "bootstrap"}
    level : float
        Of intervals; and of one-sided bounds, by which claims are proven.
    replicates, seed : int
        Of resamples.
    baseline : path, optional
        JSON of an earlier result, with which the mean kappas of the judges are compared.
    gate : str or sequence of str
        Of ``noninferior``, ``alt-test``, ``kappa`` and ``no-worse``: what is to hold; the result says whether it does.
    fail_under : float, optional
        What the mean kappa of a judge with people should reach: the gate ``kappa``.
    match : str, optional
        When two spans count as the same, if the data are spans: exact unless given.
    **reading
        How to read a file, as `assent.read` takes it.

    Returns
    -------
    JudgeComparison
        Of spans `SpanJudges`, which takes the options judge, margin, epsilon, min_items, match, level, replicates, seed, gate and fail_under.

    Examples
    --------
    >>> import assent
    >>> rows = [["a", "a", "a"], ["b", "b", "b"], ["a", "b", "a"], ["b", "b", "b"], ["b", "a", "a"]]
    >>> data = assent.Annotations.from_array(rows * 10, annotators=["ann", "bob", "gpt"])
    >>> found = assent.judge(data, judge="gpt").judges[0]
    >>> round(found.team.human_human, 2), round(found.team.human_judge, 2), found.alt_test.passed
    (0.17, 0.62, True)
    """
    given = {name: value for name, value in locals().items() if name not in ("data", "reading")}
    several = None if run is None else _runs(data, run, reading)
    if several is None:
        data = _dataset(data, reading)
        if (other := answer("judge", data, **_said(given))) is not None:
            return other
    names = [judge] if isinstance(judge, str) else list(judge)
    if several is None:
        data = as_annotations(data)
        several = _called_like_runs(data, names)
    if several is not None:
        data = several.data
    if match is not None:
        raise OptionError("`match` is about spans, and the data are labels: leave it out.")
    data._check_single("and a judge is compared on single labels: read the table with `multilabel=False`.")
    _check(level, epsilon, margin, replicates, min_items)
    choose("ci", ci, METHODS)
    choose("reference", reference, ("majority", "gold"))
    choose("sample", sample, SAMPLES)
    choose("average", average, AVERAGES)
    chosen = choose("scale", scale or "nominal", SCALES)
    if order is not None:
        data = data.ordered(order)
    judges = chosen_judges(data, names, judge_column)
    if swapped is not None and (swapped not in (data.annotators or ()) or swapped in judges or len(judges) > 1):
        raise OptionError(f"`swapped` is {shown(swapped)}: it must be an annotator beside the one judge.")
    whole = data
    turned = () if swapped is None else (swapped,)
    data = (data.without_annotators(turned) if turned else data)._sample_items()
    panel = Panel.of(data, judges, scale=chosen)
    scored = choose("closeness", closeness or ("agreement" if chosen == "nominal" else "squared"), CLOSENESS)
    values = panel.values if scored == "squared" else None
    if scored == "squared" and values is None:
        raise OptionError("`closeness` squared needs numbers: say `scale` interval or ordinal.")
    _check_rate(positive, unlabelled, sample, rated=panel.values is not None)
    settings: dict[str, Any] = {"level": level, "ci": ci, "replicates": replicates, "seed": seed}
    people = People(panel, MIN_SHARED, average)
    known = _known(data, gold, gold_column, reference)
    further = None if unlabelled is None else Further.of(unlabelled, data, panel.people, known or ())
    found = []
    constants: dict[bytes, Baseline] = {}
    for place, name in enumerate(judges):
        items = panel.beside(place)
        truth = (
            truth_of_majority(items, panel.labels)
            if known is None
            else truth_of_gold(data, name, panel.people, known, panel.labels)
        )
        team, test, mean = _tested(items, people, values, margin, epsilon, min_items, settings)
        if team.difference is not None and (items.judge[items.sizes > 0] < 0).any():
            team = replace(team, on_judged=_on_own_items(panel, place, people, team, settings))
        # Judges of the same items have the same constant judge beside them.
        there = panel.verdicts[:, place] >= 0
        if (same := there.tobytes()) not in constants:
            constants[same] = _constant(there, people, values, margin, epsilon, min_items, settings)
        rate = _rate(data, truth, name, panel, positive, further, sample, level)
        wanted = [("seat", seat), ("longer", longer), ("own", own)]
        repeats, ceiling = (
            (None, None)
            if several is None
            else several.about(name, panel.people, scale=chosen, level=level, replicates=replicates, seed=seed)
        )
        found.append(
            JudgeVerdict(
                judge=name,
                n_items=int(items.weights[(items.judge >= 0) & (items.sizes > 0)].sum()),
                n_missing=int(items.weights[(items.judge < 0) & (items.sizes > 0)].sum()),
                n_humans=len(panel.people),
                team=team,
                alt_test=test,
                mean_difference=mean,
                constant=constants[same],
                errors=errors_against(truth, level=level),
                leaning=leaning(items, panel, level=level),
                severity=severity(items, panel, level=level),
                pool=pooled(items, panel, data._decimal, ordered=data._order_given),
                soft=soft_verdicts(items, level=level)
                if several is None or len(several.runs[name]) < 2
                else several.soft(name, panel.people, scale=chosen, level=level),
                rate=rate,
                favours=tuple(
                    favour(data, name, panel.people, what, column, level=level)
                    for what, column in wanted
                    if column is not None
                ),
                seats=None if swapped is None else _seats(whole, name, swapped),
                repeats=repeats,
                ceiling=ceiling,
                notes=(
                    *notes_on_judge(panel, items, place, team, without_rate=no_rate(truth, name, positive, rate)),
                    *(() if several is None else several.note(name)),
                ),
            )
        )
    result = JudgeComparison(
        data=data,
        people=panel.people,
        judges=tuple(found),
        jury=compare_judges(people, level=level),
        options={
            "scale": chosen,
            "weights": panel.agree.name,
            "score": "agreement" if values is None else "squared",
            "margin": MARGIN if margin is None else margin,
            "epsilon": epsilon,
            "reference": "majority" if known is None else "gold",
            "positive": positive,
            "cluster": None if data.unit == "items" else data.unit,
            "average": average,
            "ci": ci,
            "level": level,
            "replicates": replicates,
            "seed": seed,
        },
        notes=tuple(notes_on_all(data, panel, scale)),
    )
    if baseline is not None:
        result = replace(result, against=_against(result, baseline))
    asked = GateSettings(least=fail_under, margin=MARGIN if margin is None else margin)
    return replace(result, gates=_unmixed(judged(result, gates_asked(gate, fail_under), asked), result))


def _unmixed(outcomes: Sequence[GateOutcome], result: JudgeComparison) -> tuple[GateOutcome, ...]:
    """Let nothing pass that runs among the people may have lifted, and say of what passes which people may be models."""
    # Every gate says one thing of each judge, in their order.
    judges = cycle(result.judges)
    return tuple(
        replace(
            one, sentence=" ".join([one.sentence, *called_models(result.people), *copies(verdict.team, verdict.judge)])
        )
        if one.outcome == "pass"
        else one
        for one, verdict in zip(not_lifted_by_runs(outcomes, result.people), judges, strict=False)
    )


def _runs(data: Any, run: str, reading: Mapping[str, Any]) -> JudgeRuns:
    """Read a table with runs. Few judges have any, and the others need not wait for what is about them."""
    from assent.analyses.judge.runs import JudgeRuns

    return JudgeRuns.read(data, run, reading)


def _called_like_runs(data: Annotations, judges: Sequence[str]) -> JudgeRuns | None:
    """Take annotators that are called like runs of a judge as its runs, not as people."""
    from assent.data.judge_names import runs_of_judges

    if not runs_of_judges(data.annotators or (), judges):
        return None
    from assent.analyses.judge.runs import JudgeRuns

    return JudgeRuns.called_like_runs(data, judges)


def _said(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are not what they are unless they are given."""
    known = inspect.signature(judge).parameters
    return {name: value for name, value in given.items() if value != known[name].default}


def _dataset(data: Any, reading: Mapping[str, Any]) -> Dataset:
    """Take the data as they are, or read them as is said."""
    if not reading and not isinstance(data, str | os.PathLike):
        return as_dataset(data)
    return as_dataset(read_judged(data if isinstance(data, list | tuple) else (data,), reading))


def read_judged(sources: Sequence[Any], reading: Mapping[str, Any]) -> Any:
    """Read files; the export of a tool with the predictions of its models, which are what is to be judged."""
    from assent.readers import read

    # Standard input is there only once, and what is read is read again.
    sources = [_standard_input() if isinstance(one, str) and one == "-" else one for one in sources]
    data = read(*sources, **reading)
    if getattr(data, "export", getattr(data, "_export", None)) is None or reading.get("with_models"):
        return data
    for one in sources:
        if hasattr(one, "seek"):
            one.seek(0)
    return read(*sources, **{**reading, "with_models": True})


def _standard_input() -> io.BytesIO:
    """Return what standard input holds."""
    held = io.BytesIO(sys.stdin.buffer.read())
    held.name = "standard input"
    return held


def _against(result: JudgeComparison, baseline: str | os.PathLike[str]) -> tuple[Against, ...]:
    """Compare each judge with itself in an earlier result; one judge with the one judge of an earlier result, whatever it was called."""
    earlier = read_baseline(baseline)
    before = {one.measure for one in earlier if one.measure.startswith(JUDGE_KAPPA)}
    renamed = ""
    if len(result.judges) == len(before) == 1 and result.judges[0].coefficient not in before:
        renamed = f"The baseline is that of {quoted(min(before).removeprefix(JUDGE_KAPPA))}."
        earlier = tuple(replace(one, measure=result.judges[0].coefficient) for one in earlier if one.measure in before)
    settings = {name: result.options[name] for name in ("scale", "average")}
    found = [
        against(
            earlier,
            baseline,
            measure=one.coefficient,
            title=f"the mean kappa of {quoted(one.judge)} with people",
            value=one.team.human_judge,
            interval=one.team.judge_interval,
            options=settings,
        )
        for one in result.judges
    ]
    return tuple(replace(one, note=" ".join(filter(None, (one.note, renamed)))) for one in found)


def _check(level: float, epsilon: float, margin: float | None, replicates: int, min_items: int) -> None:
    if not 0.5 < level < 1.0:
        raise OptionError(f"`level` is {level}; it must lie between 0.5 and 1, as 0.95 does.")
    if not 0.0 <= epsilon < 1.0:
        raise OptionError(f"`epsilon` is {epsilon}; it must lie between 0 and 1, as 0.1 does.")
    if margin is not None and not 0.0 <= margin < 2.0:
        raise OptionError(f"`margin` is {margin}; it must not be negative: 0.05 is usual.")
    if replicates < 1:
        raise OptionError(f"`replicates` is {replicates}; it must be 1 or more.")
    if min_items < 1:
        raise OptionError(f"`min_items` is {min_items}; it must be 1 or more, and 30 is usual.")


def _check_rate(positive: str | None, unlabelled: Any, sample: str, *, rated: bool) -> None:
    """Refuse what says how a rate is estimated where there is none to estimate."""
    if positive is None and unlabelled is not None and not rated:
        raise OptionError("`unlabelled` is for the rate of a label: say of which with `positive`.")
    if positive is None and sample == "by-label":
        raise OptionError("`sample` by-label is about the rate of a label: say of which with `positive`.")


def _tested(
    items: Items,
    people: People,
    values: Array | None,
    margin: float | None,
    epsilon: float,
    min_items: int,
    settings: Mapping[str, Any],
) -> tuple[Team, Any, Any]:
    """Compare one judge with the people, and test it."""
    panel = people.panel
    team = compared(
        people, items, margin=MARGIN if margin is None else margin, margin_given=margin is not None, **settings
    )
    test, mean = alternative_test(
        items, panel.people, values, epsilon=epsilon, min_items=min_items, unit=panel.unit, **settings
    )
    return team, test, mean


def _on_own_items(panel: Panel, place: int, people: People, team: Team, settings: Mapping[str, Any]) -> Team:
    """Compare a judge that skipped items with the people on the items that it labelled."""
    own = panel.judged_by(place)
    return compared(
        replace(people, panel=own),
        own.beside(place),
        margin=team.margin,
        margin_given=team.margin_given,
        **settings,
    )


def _constant(there: Array, people: People, values: Array | None, *rest: Any) -> Baseline:
    """Do the same with a judge who always gives the commonest label of the people, on the items of another judge: (profiles,)."""
    panel = people.panel
    items = panel.with_verdicts(np.where(there, 0, -1))
    judged = items.valid & (items.judge >= 0)[:, None]
    rows, columns = np.nonzero(judged if judged.any() else items.valid)
    counts = np.bincount(items.people[rows, columns], weights=items.weights[rows], minlength=len(panel.labels))
    label = int(counts.argmax())
    always = items.constant(label)
    team, test, mean = _tested(always, people, values, *rest)
    errors = errors_against(truth_of_majority(always, panel.labels), level=0.95)
    return Baseline(
        label=panel.labels[label],
        team=team,
        alt_test=test,
        mean_difference=mean,
        accuracy=float("nan") if errors is None else errors.accuracy.value,
    )


def _known(data: Annotations, gold: Any, gold_column: str | None, reference: str) -> dict[str, str] | None:
    """Return known labels by item; None if errors are counted against the majority."""
    if gold_column is not None:
        from assent.analyses.consensus.gold_files import gold_beside

        if gold is not None:
            raise OptionError("`gold` and `gold_column` both say where known labels are: give one of them.")
        return gold_beside(data, gold_column).labels
    if reference == "majority" and gold is None:
        return None
    if gold is None:
        found = {str(item): str(answer) for item, answer in data.gold.items()}
        if not found:
            raise OptionError(
                "`reference` is gold, but the data hold no known labels: give a file of them with `gold`, or their column with `gold_column`."
            )
        return found
    from assent.analyses.consensus.gold_files import known_labels

    return known_labels(gold, vocabulary=data.labels).labels


def _rate(
    data: Annotations,
    truth: Truth,
    name: str,
    panel: Panel,
    positive: str | None,
    unlabelled: Further | None,
    sample: str,
    level: float,
) -> SuccessRate | None:
    """Estimate the rate that people would have found; None if there are no unlabelled items, or it was not asked for."""
    if positive is not None and positive not in truth.labels:
        from assent.errors import did_you_mean

        raise OptionError(f"`positive` is {shown(positive)}, which is no label: {did_you_mean(positive, truth.labels)}")
    own = truth.alone
    others = Verdicts(own, None if panel.values is None else panel.values[own])
    if unlabelled is not None:
        numeric = panel.values is not None and numbers(panel.labels, data._decimal) is not None
        read = read_verdicts(
            unlabelled.found,
            name,
            truth.labels,
            unlabelled.known,
            panel.longest,
            data._decimal if numeric else None,
        )
        values = None
        if others.values is not None and read.values is not None:
            values = np.concatenate([others.values, read.values])
        others = Verdicts(np.concatenate([own, read.labels]), values, read.notes)
    elif positive is None:
        return None
    if not len(others.labels):
        return None
    return success_rate(truth, others, positive=positive, values=panel.values, sample=sample, level=level)


def _seats(data: Annotations, name: str, swapped: str) -> SeatSwap:
    """Compare the judge's verdicts in both orders."""
    listing = data.only_annotators([name, swapped]).to_rows()
    assert listing.annotators is not None
    assert listing.annotator is not None
    verdicts: dict[str, list[str | None]] = {}
    for who in (name, swapped):
        said: list[str | None] = [None] * len(listing.items)
        for row in np.flatnonzero(listing.annotator == listing.annotators.index(who)):
            said[listing.item[row]] = listing.labels[listing.label[row]]
        verdicts[who] = said
    words = {one for some in verdicts.values() for one in some if one is not None}
    if not words & {"first", "second"}:
        raise OptionError(
            f"With `swapped` the verdicts must say which seat won, first or second, or a tie; they are {named(sorted(words), 5)}."
        )
    return seat_swap(verdicts[name], verdicts[swapped])
