"""The public names: each resolves, is documented, and is seen by a type checker and by the documentation."""

from __future__ import annotations

import ast
import importlib.metadata
import inspect
import re
from pathlib import Path

import pytest

import assent
from assent import errors
from assent.analyses import by_kind
from assent.data import Dataset

HOME = Path(assent.__file__).parent
NAMES = [name for name in assent.__all__ if name != "__version__"]
ERRORS = [one for one in vars(errors).values() if inspect.isclass(one) and issubclass(one, Exception)]


@pytest.mark.parametrize("name", NAMES)
def test_it_resolves_and_is_documented(name: str) -> None:
    found = getattr(assent, name)
    assert callable(found)
    text = inspect.getdoc(found) or ""
    assert text.split("\n\n")[0].endswith("."), f"{name} has no sentence that says what it is"
    # What a class inherits is no documentation of its own.
    assert not inspect.isclass(found) or found.__doc__


def test_all_is_in_order_without_repetition() -> None:
    assert sorted(set(assent.__all__), key=str) == sorted(assent.__all__)
    assert "__version__" in assent.__all__


def test_dir_shows_the_public_names_and_no_others() -> None:
    measures = {name.replace("-", "_") for name in assent.all_measures()}
    assert dir(assent) == sorted({*assent.__all__, *measures})


def test_a_star_import_brings_in_the_public_names() -> None:
    there: dict[str, object] = {}
    exec("from assent import *", there)
    assert set(there) - {"__builtins__"} == set(assent.__all__)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'assent' has no attribute 'no_such_name'"):
        assent.no_such_name  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'no_such_name'"):
        from assent import no_such_name  # noqa: F401


def test_a_type_checker_sees_every_public_name() -> None:
    """Lazy names are imported for type checkers; both lists must say the same."""
    tree = ast.parse((HOME / "__init__.py").read_text())
    seen = {"__version__"}
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            for statement in node.body:
                assert isinstance(statement, ast.ImportFrom)
                seen |= {alias.asname or alias.name for alias in statement.names}
    assert {name for name in seen if not name.startswith("_") or name == "__version__"} == set(assent.__all__)


def test_the_package_says_that_it_is_typed() -> None:
    assert (HOME / "py.typed").is_file()
    assert (HOME / "py.typed").read_text() == ""


def test_the_version_is_that_of_the_installed_package() -> None:
    assert assent.__version__ == importlib.metadata.version("assent")
    assert re.fullmatch(r"\d+\.\d+\.\d+([.a-z]+\d+)?", assent.__version__)


def test_the_program_is_installed() -> None:
    entries = {entry.name: entry.value for entry in importlib.metadata.entry_points(group="console_scripts")}
    assert entries["assent"] == "assent.cli:main"


def drawn_tree() -> dict[str, str | None]:
    """Every class in the drawing of the errors module, with the one it hangs from."""
    parents: dict[str, str | None] = {}
    at_depth: dict[int, str] = {}
    for line in (errors.__doc__ or "").splitlines():
        found = re.fullmatch(r"    ([│├└─ ]*)(\w+)(?: {2,}\S.*)?", line)
        if found:
            depth = len(found[1]) // 4
            at_depth[depth] = found[2]
            parents[found[2]] = at_depth[depth - 1] if depth else None
    return parents


@pytest.mark.parametrize("error", ERRORS, ids=lambda one: one.__name__)
def test_an_error_is_an_assent_error_and_stands_in_the_drawing_under_its_parent(error: type[Exception]) -> None:
    assert issubclass(error, assent.AssentError)
    assert error.__name__ in errors.__all__
    parent = drawn_tree()[error.__name__]
    assert (parent is None) == (error is assent.AssentError)
    if parent is not None:
        assert getattr(errors, parent) in error.__bases__
    assert (error.__doc__ or "").endswith(".")


def test_the_drawing_shows_no_error_that_is_not_there() -> None:
    assert set(drawn_tree()) == {error.__name__ for error in ERRORS}


def test_errors_of_options_and_packages_are_what_python_calls_them() -> None:
    assert issubclass(assent.OptionError, ValueError)
    assert issubclass(errors.MissingDependency, ImportError)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", '"plain"'),
        ("a\x1b[31mb", r'"a\x1b[31mb"'),
        ("a\nb\tc\0", r'"a\nb\tc\x00"'),
        ("\u202eabc\x9b", r'"\u202eabc\x9b"'),
        ("é🙂", '"é🙂"'),
        ("\ud800", r'"\ud800"'),
        ("x" * 41, '"' + "x" * 40 + '…"'),
        (3.5, '"3.5"'),
    ],
)
def test_what_comes_from_a_file_is_shown_escaped_and_shortened(text: object, shown: str) -> None:
    assert errors.shown(text) == shown


def test_the_nearest_name_is_offered_or_all_are_listed() -> None:
    assert errors.did_you_mean("Lable", ["item", "label"]) == 'did you mean "label"?'
    assert errors.did_you_mean("LABEL", ["item", "Label"]) == 'did you mean "Label"?'
    assert errors.did_you_mean("zzz", ["item", "label"]) == 'choose one of "item", "label".'
    assert errors.did_you_mean("zzz", map(str, range(20))).endswith('"11", ….')


@pytest.mark.parametrize("question", ["items", "labels"])
def test_what_other_kinds_of_data_are_answered_with_is_in_the_type_of_the_function(question: str) -> None:
    by_kind.answer(
        question, assent.Spans.from_rows([("d", who, 0, 1, "x") for who in ("ann", "bob")]), always=False
    )  # registers all of them
    typed = set(inspect.signature(getattr(assent, question)).return_annotation.split(" | "))
    answered = {
        inspect.signature(one).return_annotation for (asked, _), one in by_kind._ANSWERS.items() if asked == question
    }
    assert answered
    assert answered < typed


def test_every_kind_of_data_is_in_the_type_of_read() -> None:
    kinds = {
        name for name in assent.__all__ if isinstance(one := getattr(assent, name), type) and issubclass(one, Dataset)
    }
    assert len(kinds) == 5
    assert set(inspect.signature(assent.read).return_annotation.split(" | ")) == kinds


def test_a_measure_that_is_registered_later_is_found_and_no_other_name_is() -> None:
    from assent.measures.registry import MEASURES

    MEASURES.add("registered-later", assent.fleiss_kappa)
    try:
        assert assent.measures.registered_later is assent.fleiss_kappa
    finally:
        MEASURES.forget("registered-later")
    with pytest.raises(AttributeError, match=r"module 'assent\.measures' has no attribute 'registered_later'"):
        assent.measures.registered_later  # noqa: B018
