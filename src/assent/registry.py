"""Things that are found, not listed: coefficients, consensus methods, readers, sections of reports.

A registry knows the modules of one package, which register what they hold when they are imported, and those that other
installed packages name under an entry point.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, signature, unwrap
from typing import Annotated, Any, Generic, Literal, TypeVar, get_args, get_origin

from msgspec import field

from assent.errors import OptionError, choose, did_you_mean
from assent.records import Struct, cached_property
from assent.text import shown

__all__ = ["Option", "Registry", "Takes", "check_options", "number", "options_of"]

T = TypeVar("T")


class Registry(Struct, Generic[T], eq=False):
    """Things by name.

    Parameters
    ----------
    what : str
        What one of them is, in a sentence: "measure".
    package : str
        Its modules, but for those whose names begin with an underscore, are imported to find them.
    group : str
        Entry points of this name are loaded, too; what they name registers itself when it is imported.
    """

    what: str
    package: str
    group: str
    _made: dict[str, T] = field(default_factory=dict)
    _aliases: dict[str, str] = field(default_factory=dict)
    _looked: set[str] = field(default_factory=set)

    def add(self, name: str, made: T, aliases: Sequence[str] = ()) -> None:
        """Register something under its name and those it is also known by; none of them may be taken."""
        for one in (name, *aliases):
            known = self._aliases.get(one.casefold(), one)
            if known in self._made:
                raise OptionError(
                    f"There is a {self.what} {shown(known)} that is known as {shown(one)}: choose another name."
                )
        self._made[name] = made
        self._aliases |= {alias.casefold(): name for alias in aliases}

    def forget(self, name: str) -> None:
        """Take back a registration."""
        self._made.pop(name, None)
        self._aliases = {alias: known for alias, known in self._aliases.items() if known != name}

    def known(self) -> Mapping[str, T]:
        """Return what has been registered so far by name."""
        return self._made

    def all(self) -> Mapping[str, T]:
        """Return everything by name, in the order of registration."""
        self.look_inside()
        self._look_outside()
        return dict(self._made)

    def find(self, name: str) -> T:
        """Return what is called `name`, in kebab-case or snake_case, or known by it."""
        wanted = name.replace("_", "-").casefold()
        for look in (self.look_inside, self._look_outside):
            look()
            found = self._made.get(self._aliases.get(wanted, wanted))
            if found is not None:
                return found
        raise OptionError(f"There is no {self.what} {shown(name)}: {did_you_mean(name, [*self._made, *self._aliases])}")

    def look_inside(self) -> None:
        """Import the modules of the package, once."""
        if "inside" not in self._looked:
            self._looked.add("inside")
            package = importlib.import_module(self.package)
            for module in pkgutil.iter_modules(package.__path__):
                if not module.name.startswith("_"):
                    importlib.import_module(f"{self.package}.{module.name}")

    def _look_outside(self) -> None:
        """Load what other packages name, once; to list all installed packages takes some milliseconds."""
        if "outside" not in self._looked:
            self._looked.add("outside")
            from importlib.metadata import entry_points

            for point in entry_points(group=self.group):
                point.load()


class Takes(Struct, frozen=True, kw_only=True):
    """What an option takes, as metadata of its type: ``Annotated[float | None, Takes(values="0.5 to 1", check=…)]``.

    Parameters
    ----------
    help : str
        One sentence for the command line and the documentation.
    values : str
        What it takes, in words; not needed for a `Literal`.
    check : callable, optional
        From what was given to the value; it raises OptionError for what cannot be one.
    metavar : str
        What stands for the value on the command line.
    """

    help: str = ""
    values: str = ""
    check: Callable[[Any], Any] | None = None
    metavar: str = ""


def number(
    name: str,
    *,
    least: float = -math.inf,
    most: float = math.inf,
    whole: bool = False,
    must: str,
    help: str,
    values: str = "",
    metavar: str = "",
) -> Takes:
    """Describe an option that takes a number, or a text that is one.

    Parameters
    ----------
    name : str
        Of the option, for the message.
    least, most : float
        Both are numbers that it can be.
    whole : bool
        It is a whole number.
    must : str
        What it must be, for the message: "be at least 1".
    help, values, metavar : str
        As in `Takes`; `values` is what it must be if not given.

    Examples
    --------
    >>> number("rounds", least=1, whole=True, must="be at least 1", help="How often.").check("12")
    12
    """

    def check(value: Any) -> float:
        try:
            known = float(value) if not whole else int(str(value))
        except (TypeError, ValueError):
            raise OptionError(f"`{name}` is {shown(value)}; it must {must}.") from None
        if not (least <= known <= most and math.isfinite(known)):
            raise OptionError(f"`{name}` is {known if whole else format(known, 'g')}; it must {must}.")
        return known

    said = values or must.removeprefix("be ").removeprefix("lie ")
    return Takes(help=help, values=said, check=check, metavar=metavar or ("N" if whole else "X"))


class Option(Struct, frozen=True, kw_only=True, dict=True):
    """An option of something registered, taken from the signature of its function.

    Parameters
    ----------
    name : str
    default : object
    choices : tuple of str
        What it can be, the default first; empty if it takes a value.
    takes : Takes
    """

    name: str
    default: Any
    choices: tuple[str, ...]
    takes: Takes

    @cached_property
    def values(self) -> tuple[str, ...]:
        """What it takes: names, the default first, or a description."""
        return self.choices or (self.takes.values,)

    def checked(self, value: Any) -> Any:
        """Return a value that it can have; raises OptionError for any other."""
        if self.choices and (self.takes.check is None or value in self.choices):
            return choose(self.name, str(value), self.choices)
        if value is None:
            return self.default
        return value if self.takes.check is None else self.takes.check(value)


def options_of(function: Callable[..., Any]) -> dict[str, Option]:
    """Return the keyword-only parameters of a function as options.

    Examples
    --------
    >>> def f(items, *, average: Literal["overlap", "plain"] = "plain"): ...
    >>> options_of(f)["average"].values
    ('plain', 'overlap')
    """
    found = {}
    for name, parameter in signature(function).parameters.items():
        if parameter.kind is Parameter.KEYWORD_ONLY:
            kind = parameter.annotation
            if isinstance(kind, str):
                kind = eval(kind, getattr(unwrap(function), "__globals__", {}))
            takes = Takes()
            if get_origin(kind) is Annotated:
                kind, *metadata = get_args(kind)
                takes = next((one for one in metadata if isinstance(one, Takes)), takes)
            choices = get_args(kind) if get_origin(kind) is Literal else ()
            ordered = (parameter.default, *(one for one in choices if one != parameter.default)) if choices else ()
            found[name] = Option(name=name, default=parameter.default, choices=ordered, takes=takes)
    return found


def check_options(
    what: str, known: Mapping[str, Option], given: Mapping[str, Any], besides: Sequence[str] = ()
) -> dict[str, Any]:
    """Fill in defaults and refuse what is not known.

    Parameters
    ----------
    what : str
        Whose options they are.
    known, given : mapping
    besides : sequence of str
        Options that everything of this kind takes, for the message.
    """
    checked = {name: option.default for name, option in known.items()}
    for name, value in given.items():
        if name not in known:
            told = did_you_mean(name, [*known, *besides]) if known or besides else "it has none."
            raise OptionError(f"{what} has no option {shown(name)}: {told}")
        checked[name] = known[name].checked(value)
    return checked
