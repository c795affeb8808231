"""Known values of gamma, alphas of units and positions: published, of other programs, and of a brute-force reference."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.support import BESIDE

import assent
from assent.continua.alignment import best_alignment
from assent.continua.candidates import Dissimilarity
from assent.continua.chance import Chance, draw_disorder
from assent.continua.units import Units

HERE = Path(__file__).parents[1] / "oracles" / "spans"
#: Values of data that may not be copied are checked where they lie.
ELSEWHERE = BESIDE / "oracles/spans"
MEASURES = ("alpha-", "position-", "gamma")
#: An alignment of equal cost may have another number of tuples.
INFORMATIVE = ("gamma-alignments",)


def _cases(*, of: tuple[str, ...]) -> list[Any]:
    files = {path.stem: path for folder in (ELSEWHERE, HERE) if folder.is_dir() for path in folder.glob("*.json")}
    cases = []
    for name, path in sorted(files.items()):
        held = json.loads(path.read_text("utf-8"))
        for at, one in enumerate(held["expected"]):
            if one["measure"].startswith(of) and held["units"] and one["measure"] not in INFORMATIVE:
                cases.append(pytest.param(held, one, id=f"{name}-{at}-{one['measure']}"))
    return cases


def _spans(held: dict[str, Any], document: str | None = None) -> assent.Spans:
    every = [(name, who) for name in held["documents"] for who in held["annotators"]]
    # One span of one file begins at -1; its values are those of the text itself.
    rows = [(name, who, max(0, start), end, label) for name, who, start, end, label in held["units"]]
    return assent.Spans.from_rows(
        [row for row in rows if document in (None, row[0])],
        judged=[(name, who) for name, who in held.get("judged", every) if document in (None, name)],
        lengths=held["documents"],
    )


def test_there_are_values() -> None:
    assert len(_cases(of=MEASURES)) >= 55


@pytest.mark.parametrize(("held", "wanted"), _cases(of=("alpha-", "position-")))
def test_alphas_and_positions(held: dict[str, Any], wanted: dict[str, Any]) -> None:
    given, name = wanted["params"], wanted["measure"]
    data = _spans(held, given.get("document"))
    label = given.get("label")
    measure, _, what = name.replace("alpha-u-1995-", "alpha-u-1995:").replace("-coverage", ":coverage").partition(":")
    coefficient = assent.all_measures()[measure]
    options = {"said": "marked"} if given.get("binary") else {}
    if wanted["value"] == "refused":
        with pytest.raises(
            assent.InputError, match=r"overlap each other, and these begin inside another one: \"\w+\" in "
        ):
            coefficient(data)
        return
    if label is not None and what not in ("observed", "expected"):
        options["span_label"] = label
    found = coefficient(data, **options)
    key = f"{what} disagreement on {label}" if what in ("observed", "expected") else what
    value = found.details[key] if what else found.value
    expected = math.nan if wanted["value"] is None else wanted["value"]
    assert value == pytest.approx(expected, abs=max(wanted["tol"], 1e-12), rel=0, nan_ok=True)


def _units(rows: list[Any], annotators: list[str]) -> Units:
    return Units.of([tuple(row) for row in rows], tuple(annotators))


@pytest.mark.parametrize(("held", "wanted"), _cases(of=("gamma",)))
def test_gamma(held: dict[str, Any], wanted: dict[str, Any]) -> None:
    given, name = wanted["params"], wanted["measure"]
    unlike = Dissimilarity(position_weight=given["alpha"], label_weight=given["beta"])
    if name == "gamma-observed-cost":
        cost = 0.0
        for document in held["documents"]:
            rows = [row[1:] for row in held["units"] if row[0] == document]
            cost += 3 * float(best_alignment(_units(rows, held["annotators"]), unlike).cost[0]) if rows else 0.0
        assert cost == pytest.approx(wanted["value"], abs=wanted["tol"], rel=0)
        return
    if "document" in given:
        held = {**held, "units": [row for row in held["units"] if row[0] == given["document"]]}
    rows = held["samples"][given["sample"]]["units"] if "sample" in given else [row[1:] for row in held["units"]]
    units = _units(rows, held["annotators"])
    observed = best_alignment(units, unlike)
    if name == "gamma-observed":
        value = observed.disorder[0]
    elif name == "gamma-cat-observed":
        apart, weight = observed.labels_apart()
        value = apart[0] / weight[0]
    else:
        low, high = (
            (units.start.min(), units.end.max()) if given.get("range") == "units" else (0, held["documents"]["d"])
        )
        chance = Chance(model=given["sampler"], samples=1000, seed=1, least=given.get("least", "mean"))
        if len(units) > 100:
            chance = Chance(model=given["sampler"], samples=60, seed=1)
        drawn = draw_disorder(units, np.array([low]), np.array([high]), unlike, chance)
        value = drawn.disorder.mean() if name == "gamma-expected" else 1 - observed.disorder[0] / drawn.disorder.mean()
    assert value == pytest.approx(wanted["value"], abs=wanted["tol"], rel=0)
