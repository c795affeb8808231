"""The same annotations in the forms in which people have them give the same number on the command line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from tests.cli.conftest import Files, Program
from tests.reference.coefficients import krippendorff_alpha
from tests.support import some

#: What four people said of each of 20 texts; alpha is 0.605 by hand and by the slow reference.
GIVEN = [line.split() for line in """
pos neu neu pos/neg neg neg neu/neu neg neu neu/neg pos neg pos/pos pos pos pos/pos pos pos pos/pos pos pos pos/neu pos pos pos/pos pos neu pos
neu neu neu neu/neu neu neu neu/neu pos pos pos/neg neg neg neg/pos pos neu pos/neg neu neg neg/neg neg neg neg/neg neg neg neg/neu neu neu neu
neu neu neg neu/neg neg neg neg
""".replace("\n", "/").strip("/").split("/")]  # fmt: skip
#: How many gave each of three labels, by 2 to 6 people; alpha is 0.632.
COUNTS = [
    [3, 1, 1], [0, 3, 1], [0, 1, 5], [4, 1, 0], [0, 3, 1], [0, 0, 5], [3, 1, 0], [0, 3, 0], [0, 0, 5], [4, 1, 0],
    [1, 0, 1], [0, 0, 5], [4, 0, 0], [0, 4, 0], [1, 0, 5], [3, 0, 0], [1, 3, 0], [0, 0, 4], [4, 0, 0], [0, 5, 0],
]  # fmt: skip
TEXTS = [f"The {i + 1}th of the twenty remarks that came in." for i in range(20)]


def alpha(rows: Sequence[Sequence[str]]) -> float:
    found = krippendorff_alpha(rows)
    assert found.observed is not None
    assert found.expected is not None
    return float((found.observed - found.expected) / (1 - found.expected))


def sheet(rows: Iterable[dict[str, Any]]) -> str:
    rows = list(rows)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def annotations() -> list[dict[str, Any]]:
    """The rows of Label Studio's CSV and JSON-MIN."""
    return [
        {
            "annotation_id": 100 + 4 * i + j, "annotator": j + 1, "created_at": f"2026-03-01T10:{i:02d}:{j:02d}.000000Z", "id": i + 1,
            "lead_time": 3.5 + (4 * i + j) % 7, "sentiment": label, "text": TEXTS[i], "updated_at": f"2026-03-01T10:{i:02d}:{j + 4:02d}.000000Z",
        }
        for i, row in enumerate(GIVEN)
        for j, label in enumerate(row)
    ]  # fmt: skip


def tasks() -> list[dict[str, Any]]:
    return [
        {
            "id": i + 1, "inner_id": i + 1, "project": 2, "data": {"text": TEXTS[i]}, "predictions": [], "drafts": [], "total_annotations": 4,
            "annotations": [
                {
                    "id": 100 + 4 * i + j, "completed_by": j + 1, "was_cancelled": False, "ground_truth": False, "lead_time": 3.5,
                    "created_at": f"2026-03-01T10:{i:02d}:{j:02d}.000000Z", "updated_at": f"2026-03-01T10:{i:02d}:{j:02d}.000000Z",
                    "result": [{"id": f"r{i}{j}", "from_name": "sentiment", "to_name": "text", "type": "choices", "value": {"choices": [label]}}],
                }
                for j, label in enumerate(row)
            ],
        }
        for i, row in enumerate(GIVEN)
    ]  # fmt: skip


def decided(row: list[str]) -> str:
    return max(sorted(set(row)), key=row.count)


def wide(*, final: bool) -> str:
    return sheet(
        {"Text": text, **dict(zip(("Anna", "Ben", "Cleo", "Dan"), row, strict=True))} | ({"Final label": decided(row)} if final else {})
        for text, row in zip(TEXTS, GIVEN, strict=True)
    )  # fmt: skip


FORMS = {
    "export.json": json.dumps(tasks()),
    "min.json": json.dumps(annotations()),
    "export.csv": sheet(annotations()),
    "sheet.csv": wide(final=False),
    "final.csv": wide(final=True),
}


def test_the_tables_have_the_numbers_that_they_are_for() -> None:
    assert alpha(GIVEN) == pytest.approx(0.605, abs=5e-4)
    assert alpha([[*row, decided(row)] for row in GIVEN]) == pytest.approx(0.673, abs=5e-4)
    assert alpha([[k for k, n in zip("abc", row, strict=True) for _ in range(n)] for row in COUNTS]) == pytest.approx(
        0.632, abs=5e-4
    )


@pytest.mark.parametrize("name", FORMS)
def test_every_form_gives_the_same_alpha(name: str, assent: Program, file: Files) -> None:
    found = assent("measure", file(name, FORMS[name]), "--measure", "krippendorff-alpha", "--json").json
    assert (found["data"]["items"], found["data"]["annotators"], found["data"]["annotations"]) == (20, 4, 80)
    assert found["data"]["labels"] == ["neg", "neu", "pos"]
    assert [one["value"] for one in some(found["measures"])] == pytest.approx([alpha(GIVEN)], abs=1e-12)


def test_a_gate_between_does_not_pass_with_the_decision_as_an_annotator(assent: Program, file: Files) -> None:
    gate = ("--measure", "krippendorff-alpha", "--fail-under", "0.65")
    assert assent("measure", file("final.csv", FORMS["final.csv"]), *gate).code == 1


def test_counts_of_unequal_sums(assent: Program, file: Files) -> None:
    rows = sheet(
        {"text": f"t{i}", **dict(zip(("praise", "blame", "other"), row, strict=True))} for i, row in enumerate(COUNTS)
    )
    found = assent("measure", file("counts.csv", rows), "--measure", "krippendorff-alpha", "--json").json
    assert found["data"]["layout"] == "counts"
    assert found["measures"][0]["value"] == pytest.approx(0.632, abs=5e-4)
