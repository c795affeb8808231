"""Measures of spans on the command line: their own options, with the values of the library."""

import pytest
from tests.cli.conftest import SPANS, Files, Program, assent, file  # noqa: F401

import assent as library

OPTIONS = [
    ("gamma", "--position-weight", "3", 3.0),
    ("gamma", "--label-weight", "2", 2.0),
    ("gamma", "--samples", "7", 7),
    ("gamma", "--expected", "statistical", "statistical"),
    ("gamma", "--shift", "half", "half"),
    ("gamma-cat", "--label-weight", "0.5", 0.5),
    ("boundary-similarity", "--near", "3", 3),
    ("window-diff", "--window", "4", 4),
    ("pk", "--window", "5", 5),
    ("position-alpha", "--said", "marked", "marked"),
    ("position-kappa", "--span-label", "A", "A"),
]


@pytest.mark.parametrize(("name", "option", "text", "value"), OPTIONS)
def test_their_own_options(
    assent: Program,  # noqa: F811
    file: Files,  # noqa: F811
    name: str,
    option: str,
    text: str,
    value: object,
) -> None:
    path = file("spans.csv", SPANS)
    one = assent("measure", path, "-m", name, option, text, "--ci", "none", "--json").only
    own = option[2:].replace("-", "_")
    assert one["options"][own] == value
    assert one["value"] == pytest.approx(library.all_measures()[name](path, **{own: value}).value, abs=1e-12)
    assert one["value"] is not None
