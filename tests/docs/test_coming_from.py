"""What other packages gave for the calls of the page is what the calls here give, row by row."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy
import pandas as pd
import polars as pl
import pytest

import assent

PAGE = (Path(__file__).parents[2] / "docs" / "coming-from.md").read_text(encoding="utf-8")
ROWS = [
    (there.strip("`"), here.strip("`"))
    for there, here in re.findall(r"^\| (`.+?`) \| (`.+?`) \|$", PAGE, flags=re.MULTILINE)
]

SCORES = {"a": [1, 2, 3, 3, 2, 1, 4, 1], "b": [1, 2, 3, 3, 2, 2, 4, 1], "c": [2, 3, 3, 3, 2, 3, 4, 2]}
FRAME = pd.DataFrame(SCORES)
LETTERS = {who: ["_pqrs"[one] for one in given] for who, given in SCORES.items()}
NAN = float("nan")
#: Krippendorff's table, annotators in rows.
GAPS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
]
WORDS = (["low", "mid", "high", "low", "high", "mid", "low"], ["mid", "mid", "high", "low", "mid", "low", "low"])
SETS = [("ab", "b"), ("a", "a"), ("bc", "abc"), ("c", "c"), ("ab", "ab")]
#: R's data set anxiety, of its package irr.
ANXIETY = [
    *([3, 3, 2], [3, 6, 1], [3, 4, 4], [4, 6, 4], [5, 2, 3], [5, 4, 2], [2, 2, 1], [3, 4, 6], [5, 3, 1], [2, 3, 1]),
    *([2, 2, 1], [6, 3, 2], [1, 3, 3], [5, 3, 3], [2, 2, 1], [2, 2, 1], [1, 1, 3], [2, 3, 3], [4, 3, 2], [3, 4, 2]),
]
SPANS = pl.DataFrame(
    [("ann", "Verb", 10, 15), ("ann", "Noun", 20, 30), ("bob", "Verb", 10, 14), ("bob", "Noun", 21, 30)],
    schema=["annotator", "label", "start", "end"],
    orient="row",
).with_columns(document=pl.lit("1"))

DATA: dict[str, dict[str, Any]] = {
    "scikit-learn": {"a": WORDS[0], "b": WORDS[1]},
    "statsmodels": {
        "ratings": FRAME,
        "table": [[2, 1, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1]],
        "labels": ["low", "mid", "high", "top"],
    },
    "krippendorff": {
        "rows": GAPS,
        "counts": [[3, 0, 0], [0, 2, 1], [0, 0, 3], [0, 0, 3], [0, 3, 0]],
        "labels": [1, 2, 3],
    },
    "irrCAC": {"frame": FRAME},
    "pingouin": {
        "frame": pd.DataFrame(
            [(str(item), who, score) for who, given in SCORES.items() for item, score in enumerate(given)],
            columns=["item", "annotator", "score"],
        )
    },
    "NLTK": {
        "triples": [(who, str(item), label) for who, given in LETTERS.items() for item, label in enumerate(given)],
        "sets": [(f"c{j}", str(i), frozenset(one)) for i, row in enumerate(SETS) for j, one in enumerate(row)],
    },
    "R irr": {"two": [row[:2] for row in ANXIETY], "ratings": ANXIETY},
    "pygamma-agreement": {"spans": SPANS},
    "crowd-kit": {
        "frame": pd.DataFrame(
            [(str(item), who, label) for who, given in LETTERS.items() for item, label in enumerate(given)],
            columns=["task", "worker", "label"],
        )
    },
}

#: What the package printed for the call: see the head of the page for the versions. R was not at hand: published values of irr, and where there is none, None.
PRINTED: dict[str, list[Any]] = {
    "scikit-learn": [0.34375, 0.48780488],
    "statsmodels": [0.47826087, 0.5, 0.82978723, 0.93939394],
    "krippendorff": [0.84910714, 0.74342105, 0.81538750, 0.80281690],
    "irrCAC": [0.50685, 0.47826, 0.5, 0.49296, 0.5, 0.81955, 0.19331],
    "pingouin": [0.75147929, 0.75862069, 0.83018868, 0.90410959],
    "NLTK": [0.49369128, 0.49295775, 0.47826087, 0.5, 0.5, 0.66440678],
    "R irr": [None, None, None, None, None, 0.19799826, 0.53965688],
    "pygamma-agreement": [0.992, 1.0],
    "crowd-kit": [list("pqrrq_sp"), list("pqrrqqsp"), list("pqrrqqsp"), 0.5],
}
SECTIONS = {part.partition("\n")[0]: part for part in PAGE.split("\n## ")[1:]}


def test_every_row_has_a_number() -> None:
    assert set(SECTIONS) == set(DATA) == set(PRINTED)
    assert sum(map(len, PRINTED.values())) == len(ROWS)


@pytest.mark.parametrize("package", DATA)
def test_the_call_here_gives_what_the_package_printed(package: str) -> None:
    rows = [row for row in ROWS if f"| `{row[0]}` |" in SECTIONS[package]]
    names: dict[str, Any] = {}
    for name, made in re.findall(r"`(\w+) = (.+?)`", SECTIONS[package]):
        names[name] = eval(made, {"assent": assent, "numpy": numpy, **DATA[package]})
    for (there, here), printed in zip(rows, PRINTED[package], strict=True):
        found = eval(here, {"assent": assent, "numpy": numpy, **DATA[package], **names})
        if isinstance(printed, list):
            # A tie has no label here.
            assert [one or "_" for one in found] == printed, there
        elif printed is not None:
            near = {"irrCAC": 5e-6, "pygamma-agreement": 0.005}.get(package, 1e-8)
            assert found == pytest.approx(printed, abs=near), there
