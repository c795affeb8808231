"""Options as texts: from what stands on a command line or in an address, and back; what some of them say of themselves."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from typing import Any, overload

from assent.errors import OptionError
from assent.text import shown

__all__ = [
    "DISTANCE_HELP",
    "TREE_HELP",
    "comma_joined",
    "comma_separated",
    "named_groups",
    "reading_flags",
    "reading_options",
]

#: What the options that name a distance and a tree say of themselves, wherever they are.
DISTANCE_HELP = "levenshtein, token-jaccard, rouge-l, boxes, keypoints, taxonomy or package.module:function."
TREE_HELP = "Tree of the labels for the distance taxonomy: a CSV file of child and parent, or a JSON file."
#: Options that hold several names, separated by commas.
_LISTS = ("annotators", "labels", "question_columns", "attributes")
#: Options that can be given several times, once a text.
_REPEATED = ("missing", "not_missing", "none")
#: Flags that say no.
_NO = {"multilabel": "--single-label"}


def reading_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that say how to read a table as `assent.read` takes them.

    Parameters
    ----------
    given : mapping
        Texts by the names of options, and lists of texts where one can be given several times.

    Examples
    --------
    >>> made = reading_options({"item": "id", "annotators": "a,b", "rename": ["1=yes"], "without": ["labels=?"]})
    >>> made["annotators"], made["rename"], made["without"]
    (['a', 'b'], {'1': 'yes'}, {'labels': ['?']})
    """
    said = dict(given)
    said |= {name: comma_separated(said[name]) for name in _LISTS if said.get(name) is not None}
    said |= {name: [] for name in ("labels", "question_columns", "attributes") if said.get(name) is None}
    said |= {name: said.get(name) or () for name in _REPEATED}
    said["rename"] = dict(_pair("rename", one) for one in said.get("rename") or ())
    merges = (_pair("merge", one) for one in said.get("merge") or ())
    said["merge"] = {new: comma_separated(old) for old, new in merges}
    for name in ("only", "without"):
        pairs = [_pair(name, one, first=True) for one in said.get(name) or ()]
        said[name] = {
            kind: [one for key, some in pairs if key == kind for one in comma_separated(some)] for kind, _ in pairs
        }
    return said


def reading_flags(reading: Any, apart: Collection[str] = ()) -> list[str]:
    """Return what a `Reading` says, as flags of a command, but for some options."""
    flags: list[str] = []
    default = type(reading)()
    for name in reading.__struct_fields__:
        value = getattr(reading, name)
        if name in _NO and value is False and name not in apart:
            flags.append(_NO[name])
        if name in apart or value == getattr(default, name) or value in ((), [], {}, None, False):
            continue
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            flags.append(flag)
        elif name == "rename":
            flags += [f"{flag}={old}={new}" for old, new in value.items()]
        elif name == "merge":
            flags += [f"{flag}={comma_joined(old)}={new}" for new, old in value.items()]
        elif name in ("only", "without"):
            flags += [f"{flag}={kind}={comma_joined(some)}" for kind, some in value.items()]
        elif isinstance(value, int):
            flags += [flag, str(value)]
        elif name in _REPEATED:
            flags += [f"{flag}={text}" for text in value]
        else:
            flags += [flag, value if isinstance(value, str) else comma_joined(value)]
    return flags


def _pair(option: str, text: str, *, first: bool = False) -> tuple[str, str]:
    """Split what stands before and after an equals sign: the last one, as labels may hold one, or the first."""
    before, sign, after = text.partition("=") if first else text.rpartition("=")
    if not sign or not before or not after:
        raise OptionError(f"`{option}` is {shown(text)}; it must be two texts with = between them.")
    return before.strip() if first else before, after


@overload
def comma_separated(text: str) -> list[str]: ...
@overload
def comma_separated(text: str | None) -> list[str] | None: ...
def comma_separated(text: str | None) -> list[str] | None:
    """Split a list of names by commas; a name that holds a comma is quoted as in a CSV file. None stays None."""
    if text is None:
        return None
    # To the parser a line end would be the end of the row; the names of columns may hold one.
    ends: dict[str, str | int | None] = dict(
        zip("\r\n", (one for one in map(chr, range(0xE000, 0xF8FF)) if one not in text), strict=False)
    )
    try:
        parts = next(csv.reader([text.translate(str.maketrans(ends))], skipinitialspace=True), [])
    except csv.Error:
        raise OptionError(
            f"{shown(text)} is no list of names: quote a name that holds a comma as in a CSV file."
        ) from None
    for end, one in ends.items():
        parts = [part.replace(str(one), end) for part in parts]
    return parts


def comma_joined(names: Sequence[str]) -> str:
    """Join names by commas, quoted as in a CSV file where they hold one."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue()


def named_groups(given: Sequence[str]) -> dict[str, list[str]]:
    """Take choices of annotators apart: names before an equals sign, annotators between commas.

    Examples
    --------
    >>> named_groups(["ann,gpt", "new=ann,gpt-2"])
    {'ann + gpt': ['ann', 'gpt'], 'new': ['ann', 'gpt-2']}
    """
    made: dict[str, list[str]] = {}
    for text in given:
        title, sign, some = text.partition("=")
        chosen = comma_separated(some if sign else text)
        name = title.strip() if sign else " + ".join(chosen)
        if name in made:
            raise OptionError(f"`group` {shown(name)} is given twice: name each choice once.")
        made[name] = chosen
    return made
