"""Which public functions have a page, and what their forms ask for: found in their signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import assent
from assent.documents import Result
from assent.errors import OptionError, choose
from assent.label_distances import NAMED
from assent.option_texts import comma_separated
from assent.records import Struct
from assent.registry import Option
from assent.text import shown

__all__ = ["Field", "Verb", "converted", "own_fields", "reading_fields", "verbs"]

#: Options whose values are names of something in the data, and of what.
_NAMES = {
    "columns": (
        "item", "annotator", "label", "cluster", "text", "by", "time", "repeat", "run", "gold_column", "judge_column", "seat", "longer",
        "own", "swapped", "rank", "object", "score", "left", "right", "winner", "best", "worst", "questions", "document", "start", "end",
    ),
    "annotators": ("judge", "between", "from_annotator", "runs"),
    "labels": ("label_pair", "positive", "label_against_rest", "has_label"),
    "questions": ("question",),
    "measures": ("measure", "measures"),
    "methods": ("method",),
}  # fmt: skip
_SOURCES = {name: source for source, names in _NAMES.items() for name in names}
#: Options of reading that name files, engines and addresses: nothing that a request names is opened.
_OUTSIDE = frozenset({"engine", "master", "lengths", "texts", "columns"})
#: A distance can be a function of any package: a request has those that this one brings.
DISTANCES = ("nominal", "jaccard", "masi", *NAMED)
#: What a page does not ask for: it has its own way to the title, and no exit code.
_APART = frozenset(
    {"command", "progress", "ready", "stage", "title", "titles", "baseline", "gate", "fail_under", "tree"}
)
#: Functions whose answer other pages hold, and which are no command.
_WITHIN = frozenset({"missingness"})
#: Largest numbers: what a request asks for is bounded.
_MOST = {
    "replicates": 20_000,
    "points": 501,
    "simulations": 99_999,
    "permutations": 99_999,
    "show": 100,
    "window": 10**6,
}
_CHOICES = re.compile(r'\{("[^{}]*")\}')
_HEAD = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: : (.*))?$")


class Field(Struct, frozen=True, kw_only=True):
    """A control of a form.

    Parameters
    ----------
    name : str
        Of the option, in the address and on the command line.
    kind : {"flag", "yes-no", "whole", "number", "choice", "text", "names", "pairs"}
    help : str
        One sentence or a few, with options in backquotes.
    source : str
        Whose names it takes: columns, annotators, labels, questions, measures or methods; empty if others.
    """

    name: str
    kind: str
    choices: tuple[str, ...] = ()
    default: Any = None
    help: str = ""
    source: str = ""

    @property
    def title(self) -> str:
        """What the control is called."""
        return self.name.replace("_", " ")


class Verb(Struct, frozen=True, kw_only=True):
    """A public function with a page of its own.

    Parameters
    ----------
    name : str
        The function, the command and the last part of the address.
    summary : str
        The first line of its docstring.
    fields : tuple of Field
        What its form asks for.
    several : bool
        It takes several data sets.
    more : bool
        It passes further options on, to a measure or a method.
    optional : bool
        It runs without data.
    """

    name: str
    function: Callable[..., Any]
    summary: str
    fields: tuple[Field, ...] = ()
    several: bool = False
    more: bool = False
    optional: bool = False

    @property
    def by_measure(self) -> bool:
        """It passes further options on to a measure: its own, the scale and the weights."""
        return self.more and bool(self.takes & {"measure", "measures"}) and not self.several

    @property
    def by_method(self) -> bool:
        """It takes one of several methods, which have options of their own."""
        return any(one.name == "method" and one.kind == "text" for one in self.fields)

    @property
    def reads(self) -> bool:
        """It reads the files by itself, as runs of a judge are read: data that no other page can take may be right for it."""
        return "reading" in inspect.signature(self.function).parameters

    @property
    def takes(self) -> frozenset[str]:
        """Names of its options."""
        return frozenset(one.name for one in self.fields)


@cache
def verbs() -> Mapping[str, Verb]:
    """Return the public functions that make a document of some data, by name, in the order of the help."""
    found = {}
    for name in assent.__all__:
        # Coefficients and classes are no pages; functions are known by what their signature says they return.
        if not name.islower() or name not in assent._HOMES:
            continue
        function = getattr(assent, name)
        if not inspect.isfunction(function):
            continue
        parameters = list(inspect.signature(function).parameters.values())
        first = parameters[0] if parameters else None
        anything = first is not None and first.name == "data" and first.annotation == "Any"
        if first is not None and anything and name not in _WITHIN and _is_document(inspect.signature(function)):
            found[name] = _verb(name, function, first)
    return {name: found[name] for name in sorted(found, key=_place)}


def _is_document(signature: inspect.Signature) -> bool:
    """Tell whether a function returns a document, or anything, as one does that leaves it to the kind of data."""
    named = str(signature.return_annotation).split(" | ")
    kinds = [getattr(assent, one) for one in named if one in assent._HOMES]
    return named == ["Any"] or any(inspect.isclass(one) and issubclass(one, Result) for one in kinds)


#: The pages people come for, in this order; any other public function follows by name.
_FIRST = ("report", "items", "annotators", "labels", "measure", "explain", "compare", "judge", "repeat", "consensus", "plan")  # fmt: skip


def _place(name: str) -> tuple[int, str]:
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST), name)


def _verb(name: str, function: Callable[..., Any], first: inspect.Parameter) -> Verb:
    signature = inspect.signature(function)
    return Verb(
        name=name,
        function=function,
        summary=(inspect.getdoc(function) or "").split("\n\n")[0].replace("\n", " "),
        # A level of 0.05 is that of a test: the confidence level of the page is not meant.
        fields=tuple(
            one
            for one in fields_of(function)
            if one.name not in _APART | reading_names() and (one.name != "level" or one.default == 0.95)
        ),
        several=first.kind is inspect.Parameter.VAR_POSITIONAL,
        more=any(one.kind is inspect.Parameter.VAR_KEYWORD for one in signature.parameters.values()),
        optional=first.default is None,
    )


@cache
def reading_names() -> frozenset[str]:
    """Return the names of all options of reading, but for `only`, which several functions have for their own."""
    return frozenset(inspect.signature(assent.read).parameters) - {"sources"}


@cache
def reading_fields() -> Mapping[str, Field]:
    """Return what can be said on how files are read, by name; nothing that opens another file."""
    return {one.name: one for one in fields_of(assent.read) if one.name not in _OUTSIDE}


def fields_of(function: Callable[..., Any]) -> list[Field]:
    """Return the options of a function that a form can ask for.

    Examples
    --------
    >>> {one.name: one.kind for one in fields_of(assent.ceiling)}
    {'scale': 'choice', 'ci': 'choice', 'level': 'number', 'replicates': 'whole', 'seed': 'whole'}
    """
    described = documented(function)
    made = []
    for name, one in inspect.signature(function).parameters.items():
        if name in ("data", "sources", "options", "reading") or one.kind is inspect.Parameter.VAR_KEYWORD:
            continue
        kind, text = described.get(name, ("", ""))
        asked = _kind(str(one.annotation), _quoted(kind), several=one.kind is inspect.Parameter.VAR_POSITIONAL)
        if asked:
            default = None if one.default is inspect.Parameter.empty else one.default
            choices = _quoted(kind) or _quoted(str(one.annotation).replace("'", '"'))
            made.append(
                Field(name=name, kind=asked, choices=choices, default=default, help=text, source=_SOURCES.get(name, ""))
            )
    return made


def _quoted(text: str) -> tuple[str, ...]:
    """Return the names within braces, or within a `Literal`."""
    found = _CHOICES.search(text.replace("Literal[", "{").replace("]", "}") if "Literal[" in text else text)
    return tuple(re.findall(r'"([^"]*)"', found[1])) if found else ()


def _kind(annotation: str, choices: tuple[str, ...], *, several: bool) -> str:
    """Return which control fits an annotation; empty for what a form cannot ask for, such as a file or a function."""
    if "PathLike" in annotation or annotation in ("Any", "Weights") or "Callable" in annotation:
        return ""
    if "Mapping" in annotation:
        return "pairs" if annotation.startswith("Mapping[str, ") and "Any" not in annotation else ""
    if several or annotation.startswith(("Sequence[str]", "tuple[str, str]", "str | Sequence[str]")):
        return "names"
    if annotation.startswith("bool"):
        return "yes-no" if "None" in annotation else "flag"
    if annotation.startswith("Literal") or (annotation.startswith("str") and choices):
        return "choice"
    for start, kind in (("int", "whole"), ("float | str", "text"), ("float", "number"), ("str", "text")):
        if annotation.startswith(start):
            return kind
    return ""


def documented(function: Callable[..., Any]) -> dict[str, tuple[str, str]]:
    """Return what the docstring of a function says of each parameter: its type, and a text.

    Examples
    --------
    >>> documented(assent.compare)["level"], documented(assent.plan)["power"][0]
    (('float', ''), 'float')
    """
    text = inspect.getdoc(function) or ""
    body = text.partition("Parameters\n----------\n")[2].partition("\n\nReturns\n")[0]
    made: dict[str, tuple[str, str]] = {}
    names: list[str] = []
    kind = ""
    said: list[str] = []
    for line in [*body.splitlines(), "end"]:
        head = _HEAD.match(line)
        if head and not line.startswith(" "):
            # Marks of literals are for those who read the source.
            made |= dict.fromkeys(names, (kind, " ".join(said).replace("``", "")))
            names, kind, said = [one.lstrip("*") for one in head[1].split(", ")], head[2] or "", []
        elif line.strip():
            said.append(line.strip())
    return made


def own_fields(options: Mapping[str, Option]) -> list[Field]:
    """Return the options that a measure or a method has of its own."""
    return [
        Field(
            name=name,
            kind="choice" if one.choices else "text",
            choices=DISTANCES if name == "distance" else one.choices,
            default=None if one.default is None else str(one.default),
            help=one.takes.help,
        )
        for name, one in options.items()
        # Nothing that a request names is opened.
        if "file" not in (one.takes.values or "")
    ]


def converted(field: Field, texts: list[str]) -> Any:
    """Return the value of an option from the texts of an address."""
    text = texts[-1]
    if field.name == "distance":
        return choose("distance", text, DISTANCES)
    if field.kind == "flag":
        return _yes(field.name, text)
    if field.kind == "yes-no":
        return _yes(field.name, text)
    if field.kind in ("whole", "number"):
        try:
            value = int(text) if field.kind == "whole" else float(text)
        except ValueError:
            what = "whole number" if field.kind == "whole" else "number"
            raise OptionError(f"`{field.name}` is {shown(text)}; it must be a {what}.") from None
        most = _MOST.get(field.name)
        if most is not None and value > most:
            raise OptionError(f"`{field.name}` is {shown(text)}; on the page it can be {most:,} at most.")
        return value
    if field.kind == "names":
        return tuple(one for text in texts for one in comma_separated(text))
    return text


def _yes(name: str, text: str) -> bool:
    if text not in ("yes", "no"):
        raise OptionError(f"`{name}` is {shown(text)}; it must be yes or no.")
    return text == "yes"
