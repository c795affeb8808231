"""The page on choosing a coefficient names what the program quotes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from docs.generate import DECISIONS, LAST

import assent
from assent.examples import example

PAGE = (Path(__file__).parents[2] / "docs" / "choosing.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "row", "options"),
    [
        ("spans", 0, {}),
        ("rankings", 1, {}),
        ("multi-label", 2, {}),
        ("multi-label", 2, {"ambiguity": False}),
        ("shrout-fleiss", 3, {"scale": "interval"}),
        ("story", 5, {}),
        ("lecture", 6, {}),
    ],
)
def test_the_figure_and_the_table_name_what_is_quoted(name: str, row: int, options: dict[str, Any]) -> None:
    measured = assent.measure(example(name).data(), **options)
    quoted = measured.quoted
    assert quoted is not None
    title = assent.all_measures()[quoted.measure].title.partition(" (")[0].casefold()
    names = {title, quoted.measure}
    in_figure = " ".join([*DECISIONS, LAST][row][1:]).casefold()
    assert any(one in in_figure for one in names)
    assert any(f"[{one}]" in PAGE.casefold() for one in names)
