"""The pages about the coefficients are what their docstrings say, and what these show is true."""

from __future__ import annotations

import doctest
import importlib.util
import re
from pathlib import Path

import pytest
from tests.support import some

import assent
from assent.analyses.consensus import all_methods

ROOT = Path(__file__).parents[2]


def generator():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_is_up_to_date():
    for path, text in some(generator().pages().items()):
        assert path.exists(), f"{path.name} is not written: run python docs/generate.py"
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date: run python docs/generate.py"


def test_there_is_no_page_without_a_measure_or_a_method():
    names = {path.stem for path in (ROOT / "docs" / "measures").glob("*.md")}
    assert names == set(assent.all_measures())
    names = {path.stem for path in (ROOT / "docs" / "consensus").glob("*.md")}
    assert names == set(all_methods())


@pytest.mark.parametrize("name", assent.all_measures())
def test_the_examples_of_a_measure_run(name):
    measure = assent.all_measures()[name]
    test = doctest.DocTestParser().get_doctest(measure.text, {}, name, None, 0)
    assert test.examples
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


PAGES = [
    *sorted(path.name for path in ROOT.glob("*.md")),
    "docs/tables.md",
    "docs/consensus.md",
    "docs/exports.md",
    "docs/spans.md",
]


def links(page: str) -> list[str]:
    """Return what a page of the project links to within it."""
    return re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / page).read_text(encoding="utf-8"))


def test_pages_link_to_each_other():
    assert {"README.md", "docs/consensus.md"} <= {page for page in PAGES if links(page)}


@pytest.mark.parametrize("page", [page for page in PAGES if links(page)])
def test_links_lead_somewhere(page):
    for target in links(page):
        assert ((ROOT / page).parent / target).exists(), f"{page} links to {target}"
