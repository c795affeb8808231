"""Tables as people have them, each with what a reader that was told every column found in it: never another number, or a refusal.

`tables_people_have.json` holds twelve lots and `further_tables_people_have.json` six, each written before it was tried how they are read. The
numbers are those of a few lines that know which columns are which, and of nominal alpha by its definition.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

import assent
from assent.data import Annotations
from assent.errors import AssentError
from assent.option_texts import reading_options

CASES: list[dict[str, Any]] = [
    case
    for name in ("tables_people_have.json", "further_tables_people_have.json")
    for case in json.loads(Path(__file__).with_name(name).read_text("utf-8"))
]
#: What cannot be told from the table: a decision under a name that says nothing in few rows, facts that go together, and places in a genome.
UNKNOWABLE = {
    "hidden decision column",
    "customers and churn",
    "twelfth lot, fifth part: genotypes",
    "seventeenth lot: tests of a laboratory",
    "eighteenth lot: cars by features",
}
#: Tables with a right reading that are refused in each lot, the price of never misreading one. They may only fall.
MOST_REFUSED = {
    "first": 30,
    "second": 20,
    "third": 11,
    "fourth": 1,
    "sixth": 5,
    "seventh": 0,
    "eighth": 0,
    "ninth": 0,
    "tenth": 1,
    "eleventh": 1,
    "twelfth": 0,
    "thirteenth": 2,
    "fourteenth": 0,
    "fifteenth": 0,
    "sixteenth": 1,
    "seventeenth": 0,
    "eighteenth": 0,
}


def written(case: dict[str, Any], folder: Path) -> list[Path]:
    """Write the files of a case, and return where they are."""
    paths = []
    for one in case.get("files", [case]):
        paths.append(folder / one["file"])
        paths[-1].write_bytes(one["text"].encode() if "text" in one else base64.b64decode(one["base64"]))
    return paths


def as_given(candidate: dict[str, str]) -> dict[str, Any]:
    """Return the options of a candidate as the command line takes them."""
    made: dict[str, Any] = dict(candidate)
    made |= {name: True for name in ("transpose",) if name in made}
    made |= {name: [made[name]] for name in ("without",) if name in made}
    made |= {name: int(made[name]) for name in ("skip_rows",) if name in made}
    return made


def outcome(case: dict[str, Any], folder: Path, **options: Any) -> str:
    try:
        data = assent.read(*written(case, folder), **{**case.get("options", {}), **options})
        if not isinstance(data, Annotations):
            return "refused"
        alpha = assent.krippendorff_alpha(data)
    except AssentError:
        return "refused"
    for right in case["readings"]:
        if data.n_annotations != right["annotations"] or data.n_annotators != right.get(
            "annotators", data.n_annotators
        ):
            continue
        value = None if alpha.value != alpha.value else alpha.value
        if "alpha" in right and (
            (value is None) != (right["alpha"] is None)
            or (value is not None and value != pytest.approx(right["alpha"], abs=1e-9))
        ):
            continue
        if "gold" in right and right["gold"] != bool(data.gold):
            continue
        if "said" in right and not any(right["said"] in note for note in (*data.notes, *alpha.notes, *data.labels)):
            continue
        return "right"
    return f"misread as {data.layout}: {data.n_annotators} annotators, {data.n_annotations} annotations, alpha {alpha.value}"


#: What came of the tables as they are, which several tests ask.
_OUTCOMES: dict[str, str] = {}


def as_it_is(case: dict[str, Any], folder: Path) -> str:
    """Return what comes of a table without any option; each is read once."""
    if case["name"] not in _OUTCOMES:
        _OUTCOMES[case["name"]] = outcome(case, folder)
    return _OUTCOMES[case["name"]]


def test_there_are_enough() -> None:
    assert len({case["name"] for case in CASES}) == len(CASES) >= 1000


@pytest.mark.parametrize("lot", sorted({case["lot"] for case in CASES}))
def test_all_are_read_rightly_or_refused(lot: str, tmp_path: Path) -> None:
    came = {case["name"]: as_it_is(case, tmp_path) for case in CASES if case["lot"] == lot}
    wrong = {name: one for name, one in came.items() if one not in ("right", "refused")}
    assert {name: one for name, one in wrong.items() if name not in UNKNOWABLE} == {}


def test_few_are_refused_that_could_be_read(tmp_path: Path) -> None:
    readable = [case for case in CASES if case["readings"] and not case.get("may_be_refused")]
    refused = [(case["lot"], case["name"]) for case in readable if as_it_is(case, tmp_path) == "refused"]
    for lot, most in MOST_REFUSED.items():
        assert sum(one == lot for one, _ in refused) <= most, refused
    assert {lot for lot, _ in refused} <= {*MOST_REFUSED}


@pytest.mark.nightly
def test_commands_to_copy_lead_to_the_right_reading(tmp_path: Path) -> None:
    """Of tables that are refused with candidates, one of these is right far more often than not."""
    right, wrong = 0, []
    for case in CASES:
        if not case["readings"] or as_it_is(case, tmp_path) != "refused":
            continue
        try:
            assent.read(*written(case, tmp_path), **case.get("options", {}))
        except AssentError as error:
            candidates = getattr(error, "candidates", ())
        else:
            continue
        if not candidates:
            continue
        found = [outcome(case, tmp_path, **reading_options(as_given(one))) for one in candidates]
        right += "right" in found
        wrong += [case["name"]] * ("right" not in found)
    assert right > 4 * len(wrong), wrong
