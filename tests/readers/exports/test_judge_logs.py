"""Scores of Langfuse, feedback of LangSmith and logs of Inspect: read by question, item and who scored; or refused. Content is made up, keys are the tools' own."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from typing import Any

import pytest
from tests.reference.coefficients import krippendorff_alpha

import assent
from assent.errors import AssentError

GIVEN = [("pass", "pass"), ("pass", "fail"), ("fail", "fail"), ("fail", "fail"), ("pass", "pass"), ("fail", "pass")] * 3


def alpha() -> float:
    found = krippendorff_alpha(GIVEN)
    assert found.observed is not None
    assert found.expected is not None
    return float((found.observed - found.expected) / (1 - found.expected))


def scores(*, snake: bool = False) -> list[dict[str, Any]]:
    rows = []
    for i, (human, judge) in enumerate(GIVEN):
        for source, author, label in (("ANNOTATION", "u1", human), ("EVAL", None, judge)):
            for name, kind in (("correct", "CATEGORICAL"), ("style", "NUMERIC")):
                row = {
                    "id": f"s{i}{source}{name}", "timestamp": f"2026-03-01T10:{i:02d}:00.000Z", "name": name,
                    "value": (1 if label == "pass" else 0) if kind == "CATEGORICAL" else 1 + i % 5,
                    "stringValue": label if kind == "CATEGORICAL" else None, "dataType": kind, "source": source, "authorUserId": author,
                    "traceId": f"trace-{i}", "observationId": None, "comment": None, "configId": None,
                }  # fmt: skip
                names = {"stringValue": "string_value", "dataType": "data_type", "authorUserId": "author_user_id", "traceId": "trace_id", "observationId": "observation_id"}  # fmt: skip
                rows.append({names.get(k, k) if snake else k: v for k, v in row.items()})
    return rows


def as_csv(rows: list[dict[str, Any]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


FORMS = {
    "scores.csv": as_csv(scores()),
    "scores.json": json.dumps(scores()),
    "scores.jsonl": "".join(json.dumps(row) + "\n" for row in scores(snake=True)),
    "page.json": json.dumps({"data": scores(), "meta": {"page": 1}}),
}


@pytest.mark.parametrize("name", FORMS)
def test_scores_of_langfuse(name: str, tmp_path: Any) -> None:
    path = tmp_path / name
    path.write_text(FORMS[name])
    every = assent.read_all(path)
    assert list(every) == ["correct", "style"]
    correct = every["correct"]
    assert (correct.n_items, correct.annotators, correct.labels) == (18, ("EVAL", "u1"), ("fail", "pass"))
    assert correct.to_dict()["models"] == ["EVAL"]
    assert float(assent.krippendorff_alpha(correct)) == pytest.approx(alpha(), abs=1e-12)
    assert assent.read(path, question="style").labels == ("1", "2", "3", "4", "5")


def feedback() -> list[dict[str, Any]]:
    return [
        {"id": f"f{i}{kind}{key}", "created_at": "2026-03-01T10:00:00Z", "modified_at": f"2026-03-01T10:{i:02d}:00Z", "run_id": f"run-{i}", "key": key,
         "score": float(label == "pass") if key == "correct" else 1 + i % 5, "value": label if key == "correct" else None, "comment": None,
         "correction": None, "feedback_source": {"type": kind, "metadata": None, "user_id": user}}
        for i, (human, judge) in enumerate(GIVEN)
        for kind, user, label in (("app", "u1", human), ("auto_eval", None, judge))
        for key in ("correct", "style")
    ]  # fmt: skip


@pytest.mark.parametrize("lines", [False, True])
def test_feedback_of_langsmith(lines: bool, tmp_path: Any) -> None:
    path = tmp_path / "feedback.json"
    # Somebody changed their mind, somebody wrote a comment alone, and one value is no label.
    earlier = {**feedback()[0], "value": "fail", "modified_at": "2026-02-01T10:00:00Z"}
    comment = {**feedback()[0], "run_id": "run-99", "score": None, "value": None, "comment": "hm"}
    rows = [*feedback(), earlier, comment, {**comment, "value": {"a": 1}}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) if lines else json.dumps(rows, indent=1))
    every = assent.read_all(path)
    assert list(every) == ["correct", "style"]
    correct = every["correct"]
    assert (correct.n_items, correct.annotators, correct.labels) == (18, ("auto_eval", "u1"), ("fail", "pass"))
    said = correct.to_dict()
    assert (said["format"], said["models"]) == ("LangSmith feedback", ["auto_eval"])
    assert [(one["name"], one["kind"]) for one in said["questions"]] == [("correct", "label"), ("style", "number")]
    left = {one["reason"].split(" (")[0]: one["rows"] for one in said["dropped"]}
    assert left == {"earlier duplicate": 1, "no answer": 1, "not measured": 1}
    assert float(assent.krippendorff_alpha(correct)) == pytest.approx(alpha(), abs=1e-12)


def log(**changes: Any) -> dict[str, Any]:
    samples = [
        {"id": i, "epoch": 1, "input": f"Question {i}?", "target": "x", "messages": [], "output": {}, "metadata": {},
         "scores": {"match": {"value": "C" if a == "pass" else "I", "answer": "x", "explanation": "x"},
                    "model_graded_qa": {"value": "C" if b == "pass" else "I", "answer": "x"}, "f1": {"value": 0.25 * (i % 4)}}}
        for i, (a, b) in enumerate(GIVEN)
    ]  # fmt: skip
    return {
        "version": 2,
        "status": "success",
        "eval": {"task": "quiz", "model": "openai/gpt-4o-mini"},
        "plan": {},
        "results": {},
        "stats": {},
        "samples": samples,
    } | changes


def test_a_log_of_inspect(tmp_path: Any) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log(), indent=2))
    every = assent.read_all(path)
    assert list(every) == ["quiz", "quiz (numbers)"]
    assert (every["quiz"].annotators, every["quiz"].labels, every["quiz"].n_items) == (
        ("match", "model_graded_qa"),
        ("C", "I"),
        18,
    )
    assert float(assent.krippendorff_alpha(every["quiz"])) == pytest.approx(alpha(), abs=1e-12)


def archive(path: Any, **changes: Any) -> None:
    whole = log(**changes)
    samples = whole.pop("samples")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("_journal/start.json", json.dumps({"version": 2, "eval": whole["eval"], "plan": {}}))
        for sample in samples:
            file.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
        file.writestr("summaries.json", "[]")
        file.writestr("header.json", json.dumps(whole))


def test_a_log_of_inspect_in_an_archive(tmp_path: Any) -> None:
    (tmp_path / "log.json").write_text(json.dumps(log()))
    archive(tmp_path / "log.eval")
    one, other = (assent.read_all(tmp_path / name) for name in ("log.json", "log.eval"))
    assert list(other) == list(one) == ["quiz", "quiz (numbers)"]
    for name, data in one.items():
        assert (other[name].n_items, other[name].n_annotations) == (data.n_items, data.n_annotations)
    assert float(assent.krippendorff_alpha(other["quiz"])) == pytest.approx(alpha(), abs=1e-12)
    archive(tmp_path / "none.eval", samples=[])
    with pytest.raises(AssentError, match="holds no samples"):
        assent.read(tmp_path / "none.eval")


@pytest.mark.parametrize(
    "content",
    [
        json.dumps({k: v for k, v in log().items() if k != "samples"}),
        json.dumps(log(samples=[{"id": 1, "scores": {}}])),
        json.dumps(log(samples=[1, None])),
        json.dumps([*scores()[:4], {"something": "else"}]),
        "".join(json.dumps(row) + "\n" for row in [*feedback(), {"something": "else"}]),
    ],
)
def test_what_holds_no_scores_is_refused(content: str, tmp_path: Any) -> None:
    path = tmp_path / "broken.json"
    path.write_text(content)
    with pytest.raises(AssentError):
        assent.read(path)
