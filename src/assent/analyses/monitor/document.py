"""What monitoring found: sentences, and the document that is made of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from assent.analyses.monitor.chart import annotator_chart, chart, ranked
from assent.analyses.monitor.drift import AnnotatorDrift, Shift
from assent.analyses.monitor.plot import plotted
from assent.analyses.monitor.result import ABOUT, SCALE, Alert, Monitoring
from assent.data.messages import loss
from assent.documents import blocks
from assent.documents.blocks import Block, Cell, Column, Document, Figure, Prose, Section, Table
from assent.limits import CHANGES_SAID
from assent.text import counted, interval, level, named, number, percent, quoted

__all__ = ["document", "figure", "news", "sentences"]


def sentences(result: Monitoring) -> list[str]:
    """Say how far annotators agree so far, how that stands to the target, and what has changed."""
    crossings = [_crossed(alert, result.target or 0.0, result.level) for alert in result.alerts]
    found = [_so_far(result), *crossings, *_now(result)]
    if result.n_items:
        found += [*_changes(result), ABOUT[result.method], SCALE, *_chance(result)]
    return [*found, *_left_out(result), *_where_stopped(result)]


def document(result: Monitoring) -> Document:
    """Return where agreement stands, its alerts and changes, every annotator, and what to know."""
    data = result.data
    summary = (
        f"{counted(data.n_annotations, 'annotation')} of {counted(data.n_items, 'item')} by "
        f"{counted(data.n_annotators or 0, 'annotator')}"
    )
    inside: list[Block] = [figure(result), *_prose([*_now(result), *_chance(result)])]
    parts = [Section("standing", "Where it stands", _so_far(result), inside if result.n_items else ())]
    if result.alerts:
        parts.append(Section("alerts", "Alerts", blocks=[_alerts(result, result.target or 0.0)]))
    if result.n_items:
        parts.append(_drift(result))
    dropped = [f"Left out: {loss(one.reason, one.rows)}." for one in data.dropped]
    about = [ABOUT[result.method], SCALE] if result.n_items else []
    known = blocks.notes(about, _left_out(result), data.notes, dropped, result.notes, _where_stopped(result))
    if known:
        parts.append(Section("notes", "What to know", blocks=known))
    return Document("Agreement while annotation runs", parts, summary=summary)


def figure(result: Monitoring) -> Figure:
    """Return the chart of agreement over the items."""
    return Figure(
        "agreement",
        partial(chart, result),
        "Agreement so far with its confidence sequence, and agreement of the last items",
        f"The band is a {level(result.level)} confidence sequence: with that confidence all of it holds the agreement at the same "
        "time, however often one looks.",
        plain=lambda width: plotted(result, width=width),
    )


def _prose(said: Sequence[str]) -> list[Block]:
    return [Prose(said)] if said else []


def _alerts(result: Monitoring, target: float) -> Table:
    return blocks.table_of(
        "alerts",
        "When the whole sequence came to lie below or above the target",
        result.alerts,
        [
            (Column("the sequence", "words"), lambda one: _crossing(one, target)),
            (Column("items"), lambda one: blocks.count(one.n_items)),
            (Column("item", "name"), lambda one: blocks.name(one.item)),
            (Column("when", "name"), lambda one: _moment(one.moment)),
            (Column("agreement"), lambda one: blocks.coefficient(one.agreement)),
            (Column("sequence", "words"), lambda one: blocks.between(one.low, one.high, digits=3)),
        ],
        quiet=True,
    )


def _crossing(alert: Alert, target: float) -> Cell:
    below = alert.kind == "below"
    return blocks.words(f"{_verb(alert)} {target:g}", tone="warning" if below else "")


def _verb(alert: Alert) -> str:
    return "fell below" if alert.kind == "below" else "cleared"


def _moment(moment: str | None) -> Cell:
    return blocks.words("") if moment is None else blocks.name(moment)


def _drift(result: Monitoring) -> Section:
    """Show what has changed, and how far each annotator agrees with the other one of the first two."""
    table = blocks.table_of(
        "annotators",
        "Each annotator with the other one of the first two",
        ranked(result),
        [
            (Column("annotator", "name"), lambda one: blocks.name(one.annotator)),
            (Column("items"), lambda one: blocks.count(one.n_items)),
            (Column("agreement"), lambda one: blocks.number(one.agreement)),
            (Column(f"last {result.window:,}"), lambda one: blocks.number(one.recent)),
            (Column("before"), lambda one: blocks.number(one.earlier)),
            (Column("change, at about item", "words"), _change),
        ],
        quiet=True,
    )
    people = Figure(
        "annotators",
        partial(annotator_chart, result),
        "Agreement of each annotator over time",
        f"Agreement of each annotator with the other one of the first two, over their last {result.window:,} items. Those that changed come "
        "first.",
    )
    first, *others = _changes(result)
    return Section(
        "annotators",
        "Changes and annotators",
        first,
        [*_prose(others), table, people, *blocks.notes([_about_drift(result)])],
    )


def _change(one: AnnotatorDrift) -> Cell:
    said = [f"{number(shift.before)} to {number(shift.since)} at {shift.after + 1:,}" for shift in one.shifts]
    return blocks.words("; ".join(said), tone="warning" if said else "")


def news(result: Monitoring) -> dict[str, str]:
    """Return what has happened, alerts and changes, each under a key that stays the same while the numbers go on changing."""
    found = {f"alert {one.n_items}": _crossed(one, result.target or 0.0, result.level) for one in result.alerts}
    found |= {f"shift {one.noticed}": _shifted(one) for one in result.shifts}
    found |= {f"{one.annotator} {one.shifts[-1].noticed}": _annotator(one) for one in result.annotators if one.alone}
    return found


def _at(items: int, item: str, moment: str | None) -> str:
    """Name a place in the stream."""
    when = "" if moment is None else f", {quoted(moment)}"
    return f"item {items:,} ({quoted(item)}{when})"


def _crossed(alert: Alert, target: float, confidence: float) -> str:
    """Say when the sequence fell below the target or cleared it."""
    return (
        f"At {_at(alert.n_items, alert.item, alert.moment)} the whole {level(confidence)} sequence {_verb(alert)} the target of "
        f"{target:g}: {interval(alert.low, alert.high, digits=3)}."
    )


def _shifted(shift: Shift, what: str = "agreement") -> str:
    """Say since when agreement is another, and what it was and is."""
    return (
        f"Since about {_at(shift.after + 1, shift.item, shift.moment)} {what} went from {number(shift.before)} to "
        f"{number(shift.since)} ({shift.items_before:,} items before, {shift.items_since:,} since; noticed at item "
        f"{shift.noticed:,})."
    )


def _so_far(result: Monitoring) -> str:
    if not result.n_items:
        return "No item has two annotations yet."
    agreed = round(result.agreement * result.n_items)
    start = f"Agreement so far is {number(result.agreement)}, the mean over {counted(result.n_items, 'cluster')}."
    if result.unit == "items":
        start = f"Agreement so far is {number(result.agreement)}: the first two annotations agree on {agreed:,} of {counted(result.n_items, 'item')}."
    if not result.low <= result.agreement <= result.high:
        # NaN too: every constant is refuted. Neither can happen to a mixture.
        return f"{start} The sequence does not hold it, so agreement is not constant: use `method` mixture, which allows for that."
    return f"{start} The {level(result.level)} confidence sequence reaches from {interval(result.low, result.high, digits=3)}."


def _now(result: Monitoring) -> list[str]:
    """Say how the sequence stands to the target, and what agreement is lately."""
    said = []
    if result.target is not None and result.n_items:
        where = {
            "below": f"lies below the target of {result.target:g} as a whole",
            "above": f"lies above the target of {result.target:g} as a whole",
        }.get(
            str(result.standing),
            f"holds the target of {result.target:g}: whether agreement reaches it is not settled",
        )
        said.append(f"Now the sequence {where}.")
    if not math.isnan(result.recent) and result.n_items > result.window:
        said.append(f"In the last {result.window:,} items agreement is {number(result.recent)}.")
    return said


def _changes(result: Monitoring) -> list[str]:
    said = [_shifted(one) for one in result.shifts]
    alone = sorted(
        (one for one in result.annotators if one.alone), key=lambda one: one.shifts[-1].since - one.shifts[-1].before
    )
    said += [_annotator(one) for one in alone[:CHANGES_SAID]]
    if len(alone) > CHANGES_SAID:
        said.append(f"{counted(len(alone) - CHANGES_SAID, 'more annotator')} changed too.")
    together = [one.annotator for one in result.annotators if one.shifts and not one.alone]
    if together:
        said.append(
            f"The agreement of {named(together)} changed, and so did items without them: this is not about single annotators."
        )
    return said or ["No change over time was noticed."]


def _about_drift(result: Monitoring) -> str:
    """Say how changes are found and how often that goes wrong."""
    chance = percent(round(1.0 - result.level, 9))
    return (
        "An annotator's agreement is with the other one of the first two. Changes are sought after every ten items, and as long as "
        f"nothing changes the chance of an alarm, ever, is kept below {chance} for the whole and {chance} for all annotators together."
    )


def _annotator(one: AnnotatorDrift) -> str:
    shift = one.shifts[-1]
    others = ""
    if not math.isnan(shift.others_before) and not math.isnan(shift.others_since):
        others = (
            f" Items without {quoted(one.annotator)} went from {number(shift.others_before)} to "
            f"{number(shift.others_since)} in the same time."
        )
    return _shifted(shift, f"agreement of {quoted(one.annotator)} with the others") + others


def _chance(result: Monitoring) -> list[str]:
    """Say what alpha is, and that its interval is not for repeated looks."""
    if result.alpha is None or result.alpha_interval is None or math.isnan(result.alpha.value):
        return []
    start = f"Corrected for chance, Krippendorff's alpha of these pairs is {number(result.alpha.value)}"
    if math.isnan(result.alpha_interval.low):
        return [f"{start}."]
    ends = interval(result.alpha_interval.low, result.alpha_interval.high, digits=3)
    return [f"{start} ({ends}, a plain {level(result.level)} interval, which is right for one look and not for many)."]


def _left_out(result: Monitoring) -> list[str]:
    """Say which annotations did not enter."""
    parts = []
    if result.waiting:
        verb = "waits" if result.waiting == 1 else "wait"
        parts.append(f"{counted(result.waiting, 'item')} {verb} for a second annotation")
    if result.further:
        parts.append(f"{counted(result.further, 'annotation')} beyond the second of an item did not enter")
    if result.duplicates:
        verb = "was" if result.duplicates == 1 else "were"
        parts.append(f"{counted(result.duplicates, 'repeated annotation')} by the same annotator {verb} left out")
    text = "; ".join(parts)
    return [f"{text[:1].upper()}{text[1:]}."] if parts else []


def _where_stopped(result: Monitoring) -> list[str]:
    """Say what happened to the file that was followed, and where that ended."""
    if result.stopped is None:
        return []
    end = result.stopped
    said = list(end.events)
    if end.malformed:
        verb = "was" if end.malformed == 1 else "were"
        said.append(
            f"{counted(end.malformed, 'line')} could not be read and {verb} left out: {'; '.join(end.examples)}."
        )
    why = {"interrupted": "Interrupted", "idle": "Nothing new came, so it stopped"}.get(end.reason, "Stopped")
    sentence = f"{why} at byte {end.offset:,} (line {end.line:,}) of {quoted(end.file, 120)}."
    if end.unfinished:
        sentence += f" The line after it has no end yet ({counted(end.unfinished, 'byte')}) and was not counted."
    return [*said, sentence]
