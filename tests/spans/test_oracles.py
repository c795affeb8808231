"""Known values of agreement on spans: published, of other programs, and of a brute-force reference (tests/oracles/spans)."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.support import BESIDE

import assent
from assent.matching import CLASSES, align

HERE = Path(__file__).parents[1] / "oracles" / "spans"
#: Values of data that may not be copied are checked where they lie.
ELSEWHERE = BESIDE / "oracles/spans"


def _cases() -> list[Any]:
    files = {path.stem: path for folder in (ELSEWHERE, HERE) if folder.is_dir() for path in folder.glob("*.json")}
    cases = []
    for name, path in sorted(files.items()):
        held = json.loads(path.read_text("utf-8"))
        for at, one in enumerate(held["expected"]):
            # The value of a greedy matching is there to show that it is another one.
            if held["kind"] == "spans" and one["measure"].startswith("span-") and "greedy" not in one["params"]:
                cases.append(pytest.param(held, one, id=f"{name}-{at}-{one['measure']}"))
    return cases


def _spans(held: dict[str, Any], judged: str | None) -> assent.Spans:
    every = [(document, who) for document in held["documents"] for who in held["annotators"]]
    pairs = every if judged == "all" else [tuple(pair) for pair in held.get("judged", every)]
    return assent.Spans.from_rows([tuple(row) for row in held["units"]], judged=pairs, lengths=held["documents"])


def _errors(data: assent.Spans, first: str, second: str) -> dict[str, int]:
    data = data.only_annotators([first, second])
    found = align(data.document, data.annotator, data.start, data.end, data.label)
    made = dict(zip(CLASSES, np.bincount(found.kind, minlength=4).tolist(), strict=True))
    many = np.bincount(data.annotator, minlength=2)
    codes = [data.annotators.index(first), data.annotators.index(second)]
    alone = [int(many[code]) - len(found.kind) for code in codes]
    return {**made, "only_a": alone[0], "only_b": alone[1]}


def test_there_are_values() -> None:
    assert len(_cases()) >= 290


@pytest.mark.parametrize(("held", "wanted"), _cases())
def test_value(held: dict[str, Any], wanted: dict[str, Any]) -> None:
    options, name = dict(wanted["params"]), wanted["measure"]
    data = _spans(held, options.pop("judged", None))
    document = options.pop("document", None)
    if document is not None:
        only = np.array([one == document for one in data.documents])
        data = data.kept(np.ones(len(data.start), dtype=bool), documents=only)
    if name == "span-errors":
        assert _errors(data, options["a"], options["b"]) == wanted["value"]
        return
    pair = {options.pop("a", None), options.pop("b", None)}
    if name == "span-semeval":
        field = options.pop("field")
        made = assent.span_semeval(data, reference=held.get("reference"), **options)
        value = made.value if field == "f1" else made.details[field]
    else:
        made = assent.span_f1(data, span_label=options.pop("label", None), **options)
        pairs = [one.value for one in made.pairs]
        value = {
            "span-f1": made.value,
            "span-f1-sd": float(np.nanstd(pairs)) if pairs else math.nan,
            "span-f1-pair": next((one.value for one in made.pairs if {one.first, one.second} == pair), math.nan),
        }[name]
    assert value == pytest.approx(
        math.nan if wanted["value"] is None else wanted["value"], abs=max(wanted["tol"], 1e-12), rel=0, nan_ok=True
    )
