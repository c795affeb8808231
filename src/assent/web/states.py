"""An address as what was asked for: how the data are read, what is changed in them, and the options of a page."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

from assent.errors import OptionError, did_you_mean
from assent.option_texts import comma_joined, reading_flags, reading_options
from assent.readers.reading import Reading
from assent.records import Struct
from assent.text import shown
from assent.web.verbs import Field, Verb, converted, reading_fields

__all__ = ["LEVERS", "State"]

#: What is tried out on data that are read: the value without any of these is the one before.
CLEANING = ("rename", "merge", "ignore_case", "only", "without")
LEVERS = (*CLEANING, "order", "scale", "weights", "measure", "ci", "bootstrap", "level", "replicates", "seed")
#: Options that every page takes along, whether its function knows them or not.
SHARED = ("scale", "weights", "order", "measure", "ci", "bootstrap", "level", "replicates", "seed", "text", "by", "task", "ambiguity")  # fmt: skip
#: Options whose flags are called otherwise, or are said by a flag without a value.
_FLAGS = {"groups": "--group", "measures": "--measure", "from": "--from"}
#: Commands that order the labels of the data before their function sees them.
_ORDERED = ("report", "explain")
_NO = {"ambiguity": "--one-true-label", "paired": "--unpaired", "show_texts": "--no-text"}
#: Options that can be given several times in an address.
_REPEATED = ("missing", "not_missing", "none", "rename", "merge", "only", "without")


class State(Struct, frozen=True):
    """The query of an address: names and texts, in their order."""

    said: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, query: str) -> State:
        """Take the query of an address; what is empty was not said."""
        return cls(tuple((name, text) for name, text in parse_qsl(query, keep_blank_values=True) if text != ""))

    def texts(self, name: str) -> list[str]:
        """Return all that was said of an option."""
        return [text for one, text in self.said if one == name]

    def text(self, name: str) -> str | None:
        """Return what was said last of an option."""
        found = self.texts(name)
        return found[-1] if found else None

    def only(self, names: Iterable[str]) -> State:
        """Return what was said of some options."""
        kept = frozenset(names)
        return State(tuple(one for one in self.said if one[0] in kept))

    def without(self, names: Iterable[str]) -> State:
        """Return what was said of all other options."""
        gone = frozenset(names)
        return State(tuple(one for one in self.said if one[0] not in gone))

    def same(self, other: State) -> bool:
        """Tell whether both say the same, in whatever order."""
        return sorted(self.said) == sorted(other.said)

    @property
    def query(self) -> str:
        """The query of an address."""
        return urlencode(self.said)

    def reading(self, columns: Sequence[str] = ()) -> Reading:
        """Return how files are to be read.

        Raises
        ------
        OptionError
            For an option that has a value it cannot have.
        """
        known = reading_fields()
        given: dict[str, Any] = {}
        for name, field in known.items():
            texts = self.texts(name)
            if texts:
                if name in _REPEATED:
                    given[name] = texts
                else:
                    given[name] = texts[-1] if field.kind == "names" else converted(field, texts)
        return Reading(**reading_options({**given, "columns": list(columns)}))

    def options(self, verb: Verb, more: Sequence[Field] = ()) -> dict[str, Any]:
        """Return the options of a page's function.

        Parameters
        ----------
        more : sequence of Field
            Options that its function passes on.
        """
        return {one.name: converted(one, self.texts(one.name)) for one in (*verb.fields, *more) if self.texts(one.name)}

    def check(self, verb: Verb, more: Sequence[Field]) -> None:
        """Refuse what no part of a page knows."""
        known = _known(verb, more)
        unknown = next((name for name, _ in self.said if name not in known), None)
        if unknown is not None:
            raise OptionError(f"There is no option {shown(unknown)} here: {did_you_mean(unknown, known)}")

    def fitting(self, verb: Verb, more: Sequence[Field] = ()) -> State:
        """Return what another page takes along: what was asked of this one alone stays behind."""
        choices = {one.name: one.choices for one in verb.fields if one.choices}
        return State(
            tuple(
                (name, text) for name, text in self.only(_known(verb, more)).said if text in choices.get(name, (text,))
            )
        )

    @property
    def shared(self) -> State:
        """What is said of the data and of the number, whatever the page."""
        return self.only((*reading_fields(), *SHARED))

    def command(self, verb: Verb, files: Sequence[str], more: Sequence[Field] = ()) -> str:
        """Return the command line that says the same."""
        words = ["assent", verb.name, *files, *reading_flags(self.reading())]
        asked = _asked(verb, more if verb.more else ())
        for name in dict.fromkeys(name for name, _ in self.said):
            if name in asked:
                words += _flags(asked[name], self.texts(name))
        return shlex.join(words)

    def beyond(self, verb: Verb, more: Sequence[Field]) -> bool:
        """Tell whether the number above a page was changed in a way that its function does not know."""
        names = (*(one for one in LEVERS if one not in CLEANING), *(one.name for one in more))
        known = _asked(verb, more if verb.more else ())
        return any(self.text(name) is not None and name not in known for name in names)


def _known(verb: Verb, more: Sequence[Field]) -> list[str]:
    """Return the names of all options of a page, its own first."""
    return list(dict.fromkeys((*(one.name for one in (*verb.fields, *more)), *SHARED, *reading_fields())))


def _asked(verb: Verb, more: Sequence[Field]) -> dict[str, Field]:
    """Return the options that the command of a page takes, by name."""
    asked = {one.name: one for one in (*verb.fields, *more)}
    if "measures" in asked:
        asked["measure"] = Field(name="measure", kind="text")
    if verb.by_measure or verb.several or "measures" in asked:
        asked |= {name: Field(name=name, kind="text") for name in ("scale", "weights")}
    if verb.name in _ORDERED:
        asked["order"] = Field(name="order", kind="names")
    return asked


def _flags(field: Field, texts: Sequence[str]) -> list[str]:
    """Return an option as it is given on the command line."""
    flag = _FLAGS.get(field.name, f"--{field.name.replace('_', '-')}")
    text = texts[-1]
    if field.kind in ("flag", "yes-no"):
        # What is so anyway has no flag.
        said = flag if text == "yes" and field.default is not True else _NO.get(field.name) if text == "no" else None
        return [said] if said else []
    if field.name in ("groups", "measures", "judge"):
        return [f"{flag}={one}" for one in (texts if field.name == "groups" else converted(field, list(texts)))]
    if field.kind == "names":
        return [f"{flag}={comma_joined(converted(field, list(texts)))}"]
    return [f"{flag}={text}"]
