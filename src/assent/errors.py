"""What can go wrong, as one tree.

::

    AssentError
    ├── InputError                 the data cannot be used as they are
    │   ├── UnreadableFile         not there, not text, broken, of an unknown format
    │   ├── EmptyTable             no rows, or no label in any of them
    │   ├── UnknownLayout          it cannot be said which column is what
    │   ├── UnknownColumn          a column was named that the table does not have
    │   ├── DuplicateAnnotations   an annotator labelled an item more than once
    │   ├── NothingToCompare       no item has two annotations
    │   └── UnsuitableData         the measure needs something these data do not have
    │       └── TooMany            more than memory should hold would have to be brought here from an engine
    ├── OptionError                an option has a value that it cannot have
    └── MissingDependency          an optional package is not installed

Every message is one sentence that names what was wrong and what to do about it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence

from assent.text import shown

__all__ = [
    "AssentError",
    "DuplicateAnnotations",
    "EmptyTable",
    "InputError",
    "MissingDependency",
    "NothingToCompare",
    "OptionError",
    "TooMany",
    "UnknownColumn",
    "UnknownLayout",
    "UnreadableFile",
    "UnsuitableData",
    "choose",
    "did_you_mean",
]


class AssentError(Exception):
    """Anything that assent refuses to do, with the reason and the remedy."""


class InputError(AssentError):
    """The data cannot be used as they are; `candidates` are the likeliest remedies, as options and their values."""

    def __init__(self, message: str, *, candidates: Sequence[Mapping[str, str]] = ()) -> None:
        super().__init__(message)
        self.candidates = tuple(dict(one) for one in candidates)


class UnreadableFile(InputError):
    """A file is not there, is not text, is broken or has an unknown format."""


class EmptyTable(InputError):
    """There are no rows, or there is no label in any of them."""


class UnknownLayout(InputError):
    """It cannot be said which column is what; `candidates` are the likeliest ways."""


class UnknownColumn(InputError):
    """A column was named that the table does not have."""


class DuplicateAnnotations(InputError):
    """An annotator labelled an item more than once; `seen` says it without a remedy."""

    def __init__(self, message: str, *, seen: str = "", candidates: Sequence[Mapping[str, str]] = ()) -> None:
        super().__init__(message, candidates=candidates)
        self.seen = seen


class NothingToCompare(InputError):
    """No item has two annotations."""


class UnsuitableData(InputError):
    """A measure needs something that these data do not have."""


class TooMany(UnsuitableData):
    """More annotations would have to be brought here from an engine than memory should hold."""


class OptionError(AssentError, ValueError):
    """An option has a value that it cannot have."""


class MissingDependency(AssentError, ImportError):
    """An optional package is not installed, or cannot run here."""


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """Return a clause that offers the nearest of the `known` names, or lists them when none is near."""
    known = list(known)
    near = difflib.get_close_matches(wrong.casefold(), [k.casefold() for k in known], n=1, cutoff=0.6)
    if near:
        match = next(k for k in known if k.casefold() == near[0])
        return f"did you mean {shown(match)}?"
    listed = ", ".join(shown(k) for k in known[:12]) + (", …" if len(known) > 12 else "")
    return f"choose one of {listed}."


def choose(option: str, value: str, choices: Iterable[str]) -> str:
    """Return `value` if it is one of the `choices`, else raise an error that lists them."""
    choices = tuple(choices)
    if value in choices:
        return value
    listed = ", ".join(choices)
    hint = difflib.get_close_matches(value, choices, n=1, cutoff=0.6)
    meant = f" (did you mean {hint[0]}?)" if hint else ""
    raise OptionError(f"`{option}` is {shown(value)}, which is not one of {listed}{meant}.")
