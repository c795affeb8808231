"""The house's dataclasses are those of the standard library, but for when they are compiled."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import inspect
import pickle
import pkgutil
from dataclasses import field

import pytest

import assent
from assent import records


def made(dataclass, **options):
    """Make a class, and one that inherits from it."""

    @dataclass(**options)
    class Named:
        """It has a name, a number and a list."""

        name: str
        number: float = field(default=1.5, repr=False)
        more: list[int] = field(default_factory=list, compare=False)

    @dataclass(**options)
    class Sized(Named):
        """It also has a size."""

        size: int = 3

        def __post_init__(self) -> None:
            self.__dict__["seen"] = True

    return Named, Sized


WAYS = [
    {},
    {"eq": False},
    {"kw_only": True},
    {"frozen": True},
    {"frozen": True, "kw_only": True},
    {"frozen": True, "eq": False, "repr": False},
]


@pytest.mark.parametrize("options", WAYS, ids=str)
@pytest.mark.parametrize("which", [0, 1])
def test_it_does_what_the_standard_library_does(options, which):
    ours, theirs = (made(one, **options)[which] for one in (records.dataclass, dataclasses.dataclass))
    assert str(inspect.signature(ours)) == str(inspect.signature(theirs))
    assert [one.name for one in dataclasses.fields(ours)] == [one.name for one in dataclasses.fields(theirs)]
    assert ours.__match_args__ == theirs.__match_args__
    for name in ("frozen", "eq", "repr", "init"):
        assert getattr(ours.__dataclass_params__, name) == getattr(theirs.__dataclass_params__, name)
    said = []
    for cls in (ours, theirs):
        one, same, other = cls(name="a"), cls(name="a", more=[1]), cls(name="b", number=2.0)
        assert one.more is not same.more
        hashes = cls.__hash__ is not None
        changed = dataclasses.replace(one, name="c")
        said.append(
            (
                repr(one).rpartition(".")[2] if options.get("repr", True) else "",
                one == same, one == other, one != "a", hashes, hashes and hash(one) == hash(same),
                dataclasses.asdict(changed), vars(copy.copy(other)), hasattr(one, "seen"),
            )
        )  # fmt: skip
        for change in (lambda one=one: setattr(one, "name", "d"), lambda one=one: delattr(one, "name")):
            if options.get("frozen"):
                with pytest.raises(dataclasses.FrozenInstanceError):
                    change()
            else:
                change()
        with pytest.raises(TypeError):
            cls()
        with pytest.raises(TypeError):
            cls(name="a", unknown=1)
    assert said[0] == said[1]


def test_nothing_is_compiled_before_it_is_used():
    named, _ = made(records.dataclass, frozen=True)
    assert isinstance(vars(named)["__init__"], records._Initialiser)
    named("a")
    assert inspect.isfunction(vars(named)["__init__"])


def test_others_inherit_from_it():
    named, _ = made(records.dataclass, frozen=True)

    @dataclasses.dataclass(frozen=True)
    class Other(named):  # type: ignore[valid-type]
        """As a package of somebody may write it."""

        other: int = 0

    class Plain(named):  # type: ignore[valid-type]
        """It is no dataclass: what is no field can be set."""

    assert Other("a", other=2).other == 2
    one = Plain("a")
    one.whatever = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.name = "b"


def test_instances_are_pickled():
    result = assent.krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"]]).confidence_interval()
    assert pickle.loads(pickle.dumps(result)) == result


def every_class():
    for module in pkgutil.walk_packages(assent.__path__, "assent."):
        if module.name.endswith("__main__"):
            continue
        for one in vars(importlib.import_module(module.name)).values():
            if inspect.isclass(one) and one.__module__ == module.name and dataclasses.is_dataclass(one):
                yield one


def test_every_class_has_the_signature_of_its_fields():
    """What the house's dataclass does not know, such as fields that are no arguments, no class of the house uses."""
    found = [one for one in every_class() if isinstance(inspect.getattr_static(one, "__dataclass_fields__"), dict)]
    assert len(found) > 300
    for one in found:
        fields = dataclasses.fields(one)
        assert all(each.init and each.hash is None for each in fields), one
        if "__init__" in vars(one):
            in_order = [each for each in fields if not each.kw_only] + [each for each in fields if each.kw_only]
            assert list(inspect.signature(one).parameters) == [each.name for each in in_order], one
        assert one.__doc__, one
