"""What a reader of the numbers of judges must know."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from assent.analyses.judge.panel import Items, Panel, about_unparsed
from assent.analyses.judge.reference import Truth
from assent.analyses.judge.success import SuccessRate
from assent.analyses.judge.team import Team
from assent.data import Annotations
from assent.data.judge_names import looks_like_a_judge
from assent.engines import Rows
from assent.limits import NAMES_CLUSTERED
from assent.scales import numbers
from assent.text import counted, named, number, quoted, shown

__all__ = ["called_models", "copies", "no_rate", "notes_on_all", "notes_on_judge"]

#: A person who agrees so far with the judge, on so many items, may be the judge under another name.
SAME, SAME_ITEMS = 0.98, 20
_PART = re.compile(r"(__|::|[#|/])")


def no_rate(truth: Truth, name: str, positive: str | None, rate: SuccessRate | None) -> list[str]:
    """Say why the rate of a label that was asked for is not there."""
    if positive is None or rate is not None:
        return []
    lacking = (
        f"no item has a label of {quoted(name)} alone. Give such items with `unlabelled`."
        if len(truth.both()[0])
        else f"no item has a label of {quoted(name)} and one of the {'people' if truth.kind == 'majority' else 'reference'}."
    )
    return [f"The rate that people would have found was not estimated: {lacking}"]


def notes_on_judge(panel: Panel, items: Items, place: int, team: Team, *, without_rate: Sequence[str]) -> list[str]:
    """Say what a reader of a judge's numbers must know."""
    name = panel.judges[place]
    said = about_unparsed(panel, name)
    labelled = items.sizes > 0
    missing, every = int(items.weights[labelled & (items.judge < 0)].sum()), int(items.weights[labelled].sum())
    if missing:
        agree = team.human_human_judged
        on_these = "" if math.isnan(agree) else f"; on them people agree with each other to {number(agree, 3)}"
        said.append(
            f"{quoted(name)} labelled {every - missing:,} of the {every:,} items that people labelled, and is compared with people on these{on_these}."
        )
    said += without_rate
    own = np.setdiff1d(items.judge[items.judge >= 0], items.people[items.valid])
    if len(own) and panel.values is None:
        said.append(f"{quoted(name)} gives labels that no person gave: {named([panel.labels[i] for i in own], 5)}.")
    return said + copies(team, name)


def copies(team: Team, judge: str) -> list[str]:
    """Say who gave the judge's labels throughout."""
    alike = [
        person
        for person, value, many in team.by_person
        if value >= SAME and many >= SAME_ITEMS and not team.human_human >= 0.9
    ]
    if not alike:
        return []
    return [
        f"{named(alike)} and {quoted(judge)} gave nearly the same labels throughout: is that a person, or the judge under another name?"
    ]


def notes_on_all(data: Annotations, panel: Panel, scale: str | None) -> list[str]:
    """Say what concerns all judges."""
    said = called_models(panel.people)
    if scale is None and len(panel.labels) > 2 and numbers(panel.labels, data._decimal) is not None:
        said.append(
            "The labels are numbers and were taken as names: if they are ratings, say `scale` interval or ordinal."
        )
    if data.unit == "items" and isinstance(data._source, Rows) and data.local and data.n_items <= NAMES_CLUSTERED:
        said += _nested(data._source.item_names())
    return said


def called_models(people: Sequence[str]) -> list[str]:
    """Say which people are named as models are."""
    odd = [person for person in people if looks_like_a_judge(person)]
    verb = "is" if len(odd) == 1 else "are"
    return [f"{named(odd)} {verb} counted among the people, but named like a model: name every judge with `judge`."][
        : len(odd)
    ]


def _nested(names: Sequence[str]) -> list[str]:
    """Say if items look like parts of larger ones: text__question."""
    parts = [_PART.split(name, maxsplit=1) for name in names]
    if not names or not all(len(one) == 3 for one in parts):
        return []
    texts = {one[0] for one in parts}
    if len(names) < 1.5 * len(texts):
        return []
    return [
        f"The names of the items look like parts of {counted(len(texts), 'larger unit')}, as {shown(names[0])} does. Items of one text are not "
        "independent, and intervals and tests are then too sure of themselves: put the text into a column and name it with `cluster`."
    ]
