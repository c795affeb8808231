"""A number against the one of last week: the difference of two results, of which one is a file.

The items of the earlier result are not there any more, so the two are taken as independent, and the interval of the difference is put
together from their two intervals (MOVER; Zou & Donner 2008): each end is as far off as the two ends that pull it there, in squares.

References
----------
Zou, G. Y. and Donner, A. (2008). Construction of confidence limits about effect measures: a general approach. Statistics in Medicine
27(10), 1693-1702. https://doi.org/10.1002/sim.3095
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assent.errors import InputError, UnreadableFile
from assent.limits import LARGEST_BASELINE
from assent.measures.results import Interval
from assent.records import Struct, plain
from assent.text import interval as shown_interval
from assent.text import number, shown

__all__ = ["JUDGE_KAPPA", "Against", "Earlier", "against", "read_baseline"]

#: What the mean kappa of a judge with people is called in a result, before the name of the judge.
JUDGE_KAPPA = "judge-kappa "

#: Options of a measure that say how certain something is drawn, not what is measured.
_INCIDENTAL = frozenset({"seed", "replicates", "simulations"})


class Earlier(Struct, frozen=True, kw_only=True):
    """A coefficient as a file has it.

    Parameters
    ----------
    value, low, high, level : float
        NaN if it is undefined or unknown.
    """

    measure: str
    value: float
    low: float
    high: float
    level: float
    options: Mapping[str, Any]


class Against(Struct, frozen=True, kw_only=True):
    """How much a number differs from its baseline.

    Parameters
    ----------
    value, baseline : float
        Now and then.
    difference, low, high : float
        Now less then, and its interval; NaN if undefined.
    file : str
        Where the baseline stands.
    note : str
        Why there is no interval, or what makes the two hard to compare.
    """

    measure: str
    title: str
    value: float
    baseline: float
    difference: float
    low: float
    high: float
    level: float
    file: str
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as plain values."""
        return {
            "measure": self.measure,
            "value": plain(self.value),
            "baseline": plain(self.baseline),
            "difference": plain(self.difference),
            "ci": {"low": plain(self.low), "high": plain(self.high), "level": self.level, "method": "mover"},
            "file": self.file,
            "note": self.note,
        }

    @property
    def sentence(self) -> str:
        """How the two compare."""
        if math.isnan(self.difference):
            return f"{self.title} cannot be compared with the baseline: {self.note}"
        told = f"{self.title} is {number(self.value)}; the baseline was {number(self.baseline)} (difference {number(self.difference, signed=True)}"
        if math.isnan(self.low):
            return f"{told}). {self.note}"
        where = shown_interval(self.low, self.high, digits=2, signed=True)
        word = "higher" if self.low > 0 else "lower" if self.high < 0 else "no clear change"
        return f"{told}, {where}): {word}.{' ' + self.note if self.note else ''}"


def read_baseline(path: str | os.PathLike[str]) -> tuple[Earlier, ...]:
    """Read the coefficients of an earlier result, as `--json` printed it.

    Raises
    ------
    UnreadableFile
        If the file is not there, is no JSON or holds no coefficient.
    """
    name = shown(os.fspath(path), 200)
    try:
        if os.path.getsize(path) > LARGEST_BASELINE:
            raise UnreadableFile(f"{name} is too large for a result: give what `json` printed, not the data.")
        with open(path, encoding="utf-8") as file:
            held = json.load(file)
    except OSError as error:
        raise UnreadableFile(
            f"{name} cannot be read ({error.strerror or 'no such file'}): `baseline` is a JSON file of an earlier run."
        ) from None
    except (ValueError, RecursionError):
        raise UnreadableFile(f"{name} is no JSON: `baseline` is what an earlier run printed with `json`.") from None
    found = tuple(_coefficients(held))
    if not found:
        raise UnreadableFile(
            f"{name} holds no coefficient with a value: `baseline` is what an earlier run printed with `json`."
        )
    return found


def _coefficients(held: Any, depth: int = 0) -> Iterator[Earlier]:
    """Find coefficients anywhere in a result; those of single labels, pairs or groups are none."""
    if depth > 6:
        return
    if isinstance(held, list):
        for one in held:
            yield from _coefficients(one, depth + 1)
    elif isinstance(held, Mapping):
        if isinstance(held.get("measure"), str) and "value" in held and "label" not in held and "baseline" not in held:
            ci = held.get("ci") if isinstance(held.get("ci"), Mapping) else held
            options = held.get("options")
            yield Earlier(
                measure=held["measure"],
                value=_number(held["value"]),
                low=_number(ci.get("low")),  # type: ignore[union-attr]
                high=_number(ci.get("high")),  # type: ignore[union-attr]
                level=_number(ci.get("level")),  # type: ignore[union-attr]
                options=dict(options) if isinstance(options, Mapping) else {},
            )
            return
        for key, one in held.items():
            if key not in ("by_label", "pairs", "groups", "baseline", "leave_one_out"):
                yield from _coefficients(one, depth + 1)


def _number(held: Any) -> float:
    return float(held) if isinstance(held, int | float) and not isinstance(held, bool) else math.nan


def against(
    earlier: Sequence[Earlier],
    path: str | os.PathLike[str],
    *,
    measure: str,
    title: str,
    value: float,
    interval: Interval | None,
    options: Mapping[str, Any],
) -> Against:
    """Hold a coefficient against the one of the same name in a baseline."""
    name = os.fspath(path)
    same = [one for one in earlier if one.measure == measure]
    if not same:
        known = ", ".join(dict.fromkeys(shown(one.measure) for one in earlier[:5]))
        raise InputError(
            f"{shown(name, 200)} has no {measure} to compare with, only {known}: measure the same coefficient."
        )
    then = next((one for one in same if _alike(one.options, options)), same[0])
    level = math.nan if interval is None else interval.level
    low, high, note = math.nan, math.nan, ""
    change = value - then.value
    if math.isnan(change):
        note = "one of the two is undefined."
    elif interval is None or any(map(math.isnan, (interval.low, interval.high, then.low, then.high))):
        note = "One of the two has no interval, so it cannot be told whether that is chance."
    else:
        low = change - math.hypot(value - interval.low, then.high - then.value)
        high = change + math.hypot(interval.high - value, then.value - then.low)
        if abs(then.level - level) > 1e-9:
            note = f"Its interval was made at the level {then.level:g}, this one at {level:g}: use the same."
    different = [key for key in sorted({*then.options, *options}) if _differs(key, then.options, options)]
    if different:
        note = f"{note} The baseline was measured with another {different[0]}.".strip()
    return Against(
        measure=measure, title=title, value=value, baseline=then.value, difference=change, low=low, high=high, level=level, file=name, note=note
    )  # fmt: skip


def _differs(key: str, then: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    return key not in _INCIDENTAL and key in then and key in now and then[key] != now[key]


def _alike(then: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    return not any(_differs(key, then, now) for key in {*then, *now})
