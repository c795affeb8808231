"""What monitoring found, in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assent.analyses.monitor.drift import AnnotatorDrift, Shift
from assent.analyses.monitor.result import ABOUT, SCALE, Alert, Monitoring
from assent.text import counted, named, number, shown

__all__ = ["about_drift", "at", "crossed", "news", "sentences", "shifted", "where_stopped"]

#: More annotators than this are for the table, not for sentences.
MOST_ANNOTATORS = 5


def sentences(result: Monitoring) -> list[str]:
    """Say how far annotators agree so far, how that stands to the target, and what has changed."""
    said = [_so_far(result)]
    if result.target is not None and result.items:
        said += [*(crossed(alert, result.target, result.level) for alert in result.alerts), _now(result, result.target)]
    if not math.isnan(result.recent) and result.items > result.window:
        said.append(f"In the last {result.window:,} items agreement is {number(result.recent)}.")
    if not result.items:
        return [*said, *_left_out(result), *where_stopped(result)]
    said += _changes(result)
    said += [ABOUT[result.method], SCALE]
    chance = _chance(result)
    return [*said, *([chance] if chance else []), *_left_out(result), *where_stopped(result)]


def news(result: Monitoring) -> dict[str, str]:
    """Return what has happened, alerts and changes, each under a key that stays the same while the numbers go on changing."""
    found = {f"alert {one.items}": crossed(one, result.target or 0.0, result.level) for one in result.alerts}
    found |= {f"shift {one.noticed}": shifted(one) for one in result.shifts}
    found |= {f"{one.annotator} {one.shifts[-1].noticed}": _annotator(one) for one in result.annotators if one.alone}
    return found


def at(items: int, item: str, moment: str | None) -> str:
    """Name a place in the stream."""
    when = "" if moment is None else f", {shown(moment)}"
    return f"item {items:,} ({shown(item)}{when})"


def crossed(alert: Alert, target: float, level: float) -> str:
    """Say when the sequence fell below the target or cleared it."""
    verb = "fell below" if alert.kind == "below" else "cleared"
    return (
        f"At {at(alert.items, alert.item, alert.moment)} the whole {level * 100:g} % sequence {verb} the target of {target:g}: "
        f"{_ends(alert.low, alert.high)}."
    )


def shifted(shift: Shift, what: str = "agreement") -> str:
    """Say since when agreement is another, and what it was and is."""
    return (
        f"Since about {at(shift.after + 1, shift.item, shift.moment)} {what} went from {number(shift.before)} to "
        f"{number(shift.since)} ({shift.items_before:,} items before, {shift.items_since:,} since; noticed at item "
        f"{shift.noticed:,})."
    )


def _so_far(result: Monitoring) -> str:
    if not result.items:
        return "No item has two annotations yet."
    agreed = round(result.agreement * result.items)
    start = f"Agreement so far is {number(result.agreement)}: the first two annotations agree on {agreed:,} of {counted(result.items, 'item')}."
    if not result.low <= result.agreement <= result.high:
        # NaN too: every constant is refuted. Neither can happen to a mixture.
        return f"{start} The sequence does not hold it, so agreement is not constant: use --method mixture, which allows for that."
    return f"{start} The {result.level * 100:g} % confidence sequence reaches from {_ends(result.low, result.high)}."


def _ends(low: float, high: float) -> str:
    return f"{low:.3f} to {high:.3f}"


def _now(result: Monitoring, target: float) -> str:
    if result.standing == "below":
        return f"Now the sequence lies below the target of {target:g} as a whole."
    if result.standing == "above":
        return f"Now the sequence lies above the target of {target:g} as a whole."
    return f"Now the sequence holds the target of {target:g}: whether agreement reaches it is not settled."


def _changes(result: Monitoring) -> list[str]:
    said = [shifted(one) for one in result.shifts]
    alone = sorted(
        (one for one in result.annotators if one.alone), key=lambda one: one.shifts[-1].since - one.shifts[-1].before
    )
    said += [_annotator(one) for one in alone[:MOST_ANNOTATORS]]
    if len(alone) > MOST_ANNOTATORS:
        said.append(f"{counted(len(alone) - MOST_ANNOTATORS, 'more annotator')} changed too.")
    together = [one.annotator for one in result.annotators if one.shifts and not one.alone]
    if together:
        said.append(
            f"The agreement of {named(together)} changed, and so did items without them: this is not about single annotators."
        )
    return said or ["No change over time was noticed."]


def about_drift(result: Monitoring) -> str:
    """Say how changes are found and how often that goes wrong."""
    chance = f"{(1.0 - result.level) * 100:.2g} %"
    return (
        "An annotator's agreement is with the other one of the first two. Changes are sought after every ten items, and as long as "
        f"nothing changes the chance of an alarm, ever, is kept below {chance} for the whole and {chance} for all annotators together."
    )


def _annotator(one: AnnotatorDrift) -> str:
    shift = one.shifts[-1]
    others = ""
    if not math.isnan(shift.others_before) and not math.isnan(shift.others_since):
        others = (
            f" Items without {shown(one.annotator)} went from {number(shift.others_before)} to "
            f"{number(shift.others_since)} in the same time."
        )
    return shifted(shift, f"agreement of {shown(one.annotator)} with the others") + others


def _chance(result: Monitoring) -> str | None:
    """Say what alpha is, and that its interval is not for repeated looks."""
    if result.alpha is None or result.alpha_interval is None or math.isnan(result.alpha.value):
        return None
    start = f"Corrected for chance, Krippendorff's alpha of these pairs is {number(result.alpha.value)}"
    if math.isnan(result.alpha_interval.low):
        return f"{start}."
    ends = _ends(result.alpha_interval.low, result.alpha_interval.high)
    return f"{start} ({ends}, a plain {result.level * 100:g} % interval, which is right for one look and not for many)."


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
    return [f"{_joined(parts)}."] if parts else []


def _joined(parts: Sequence[str]) -> str:
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


def where_stopped(result: Monitoring) -> list[str]:
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
    sentence = f"{why} at byte {end.offset:,} (line {end.line:,}) of {shown(end.file, 120)}."
    if end.unfinished:
        sentence += f" The line after it has no end yet ({counted(end.unfinished, 'byte')}) and was not counted."
    return [*said, sentence]
