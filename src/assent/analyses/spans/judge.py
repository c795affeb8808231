"""A judge, such as a model, that marks spans beside people: how far it agrees with them, and they with each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from assent.analyses.by_kind import answers
from assent.analyses.gates import MARGIN, GateSettings, gates_asked, judged
from assent.analyses.judge.panel import chosen_judges
from assent.analyses.spans.differences import ERRORS, brought, differences
from assent.analyses.spans.judge_result import SpanJudge, SpanJudges, about_alternative
from assent.analyses.spans.judge_tests import Asked, Nearness, marks_nothing, tested
from assent.data import Spans
from assent.data.held_spans import HeldSpans
from assent.errors import OptionError, choose
from assent.measures._span_pairs import MATCHES
from assent.text import number, percent, quoted

__all__ = ["span_judge"]

#: People with fewer documents are not held out.
MIN_DOCUMENTS = 30


@answers("judge", "spans")
def span_judge(
    data: Spans | HeldSpans,
    *,
    judge: str | Sequence[str] = (),
    margin: float | None = None,
    epsilon: float = 0.1,
    match: str = "exact",
    min_items: int = MIN_DOCUMENTS,
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    gate: str | Sequence[str] = (),
    fail_under: float | None = None,
) -> SpanJudges:
    """Compare judges that mark spans with the people who marked the same documents.

    Examples
    --------
    >>> marks = {"ada": 4, "ben": 4, "gpt": 5}
    >>> rows = [(f"d{at}", who, at, at + length, "A") for at in range(12) for who, length in marks.items()]
    >>> found = span_judge(Spans.from_rows(rows), judge="gpt").judges[0]
    >>> found.people.value, found.with_people.value, found.classes["boundary"]
    (1.0, 0.0, 24)
    """
    choose("match", match, tuple(one for one in MATCHES if one != "token"))
    if not 0 < level < 1:
        raise OptionError(f"`level` is {level}; it must lie between 0 and 1, as 0.95 does.")
    here = brought(data)
    names = chosen_judges(here, [judge] if isinstance(judge, str) else list(judge), None)
    people = [one for one in here.annotators if one not in names]
    if len(people) < 2:
        raise OptionError(
            "There must be two people beside the judge, whose agreement with each other it is compared with."
        )
    asked = margin is not None
    settings = GateSettings(least=fail_under, margin=MARGIN if margin is None else margin)
    ask = Asked(
        match=match,
        margin=settings.margin,
        margin_given=asked,
        epsilon=epsilon,
        min_documents=min_items,
        level=level,
        replicates=replicates,
        seed=seed,
    )
    found = [_compared(here.only_annotators([*people, one]).comparable(), one, ask) for one in names]
    said = [
        "Intervals: jackknife, over documents. Who marked nothing in a document has judged it.",
        "The judge that reads nothing marks nothing.",
    ]
    if not asked:
        said.append(f"The margin is {number(settings.margin)}, as none was given: choose it before looking (`margin`).")
    for one in found:
        said.append(
            f"{quoted(one.judge)} has nothing for {one.missed:,} of {one.missable:,} comparisons with a span of a person"
            f" ({percent(one.missed / one.missable) if one.missable else '–'})."
        )
        said += [about_alternative(one)]
    made = SpanJudges(data=here, judges=tuple(found), match=match, level=level, notes=tuple(said))
    return replace(made, gates=judged(made, gates_asked(gate, fail_under), settings))


def _compared(data: Spans, judge: str, ask: Asked) -> SpanJudge:
    code = data.annotators.index(judge)
    near = Nearness.of(data, code, ask)
    names = [one for one in data.annotators if one != judge]
    test, mean = tested(data, judge, names, ask)
    classes, missed, missable = _errors(data, code)
    judged_by = data.judged[data.judged[:, 1] == code, 0]
    return SpanJudge(
        judge=judge,
        n_documents=len(judged_by),
        n_spans=int((data.annotator == code).sum()),
        with_people=near.with_people,
        people=near.people,
        with_people_interval=near.intervals[0],
        people_interval=near.intervals[1],
        difference=near.difference.value,
        interval=near.intervals[2],
        lower=near.lower,
        upper=near.upper,
        margin=ask.margin,
        by_person=near.by_person,
        classes=classes,
        missed=missed,
        missable=missable,
        alt_test=test,
        mean_difference=mean,
        constant=marks_nothing(data, judge, names, ask),
    )


def _errors(data: Spans, code: int) -> tuple[dict[str, int], int, int]:
    """Return what becomes of the judge's spans, and how many spans of people it has nothing for, of how many."""
    found = differences(data)
    here = found.data
    mine = here.annotator == code
    classes = dict(zip(ERRORS, found.of_spans[mine].sum(0).tolist(), strict=True))
    seen = np.zeros(len(here.documents), dtype=bool)
    seen[here.judged[here.judged[:, 1] == code, 0]] = True
    theirs = ~mine & seen[here.document]
    met = int(((here.annotator[found.aligned.first] == code) | (here.annotator[found.aligned.second] == code)).sum())
    return classes, int(theirs.sum()) - met, int(theirs.sum())
