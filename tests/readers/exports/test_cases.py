"""Every export in `cases` is read as its expected.json says: questions, kinds, rows, counts, what is left out."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from tests.support import BESIDE, some

import assent
from assent.readers.exports import Export, ReadOptions, Source, read_export, recognise

HERE = Path(__file__).parent / "cases"
SHARED = BESIDE / "exports/cases"

#: case, file or folder in it, reader, options, what must be said (patterns, any case).
CASES = [
    ("label-studio-1", "export.json", "label-studio", {}, [
        r"3 skipped", r"1 draft", r"18 predictions are listed by id only", r"annotator annotated again: the later one counts",
        r"1 submitted annotation holds no answer at all", r"3 questions: sentiment .*topics .*stars"]),
    ("label-studio-2", "export.json", "label-studio", {}, [
        r"2 questions: ner \(spans.*tone \(labels", r"1 task was annotated by one annotator only"]),
    ("prodigy-1", "remarks.jsonl", "prodigy", {}, [
        r"2 ignored", r"1 rejected", r"1 without an answer", r"1 earlier duplicate"]),
    ("prodigy-2", "letters.jsonl", "prodigy", {}, [r"1 ignored"]),
    ("doccano-1", "export.zip", "doccano", {}, [
        r"admin labelled nothing", r"27 empty .*not annotated.*`empty` nothing", r"2 examples carry several labels"]),
    ("doccano-2", "export.zip", "doccano", {"empty": "nothing"}, [r"10 not measured \(relations\)", r"empty .*nothing found"]),
    ("argilla-1", "records.jsonl", "argilla", {}, [
        r"2 drafts", r"2 discarded", r"sentiment.*numbers.*ClassLabel.*cannot be compared"]),
    ("argilla-2", "records.json", "argilla", {}, [r"does not say which responses are drafts or discarded.*flat"]),
    ("mturk-1", "Batch_100001_batch_results.csv", "mturk", {}, [
        r"3 rejected", r"1 without an answer", r"comment.*free text|free texts? \(comment\)", r"submit.*constant",
        r"worker ids are personal data"]),
    ("potato-1", "annotation_output", "potato", {"names": True}, [
        r"sentiment.*topics \(sets.*certainty \(numbers.*worth \(numbers", r"10 free texts \(remark\)",
        r"3 answers on survey pages", r"1 annotator .*without any answer"]),
    ("labelbox-1", "export.ndjson", "labelbox", {"names": True}, [
        r"entities \(spans.*tone \(labels.*topics \(sets", r"1 skipped"]),
    ("toloka-1", "assignments_from_pool_1000001__16-12-2022.tsv", "toloka", {}, [
        r"3 control tasks .*GOLDEN", r"worker ids are personal data"]),
    ("sagemaker-1", ".", "sagemaker", {}, [r"output\.manifest holds the consolidated labels.*no annotator"]),
    ("lewidi-1", "Rude_dev.json", "lewidi", {}, [
        r"2 questions: rudeness detection .*sarcasm detection", r"soft_label and hard_label are derived"]),
    ("exist-1", "EXIST_training.json", "parallel-lists", {}, [
        r"labels_task1_1 \(labels.*labels_task1_2 \(labels.*labels_task1_3 \(sets", r"2 groups of annotators never met"]),
    ("alttest-1", ".", "alttest", {}, [r"llm_annotations\.json.*models", r"outer keys .*annotators"]),
]  # fmt: skip

#: How the reasons of expected.json are called here.
REASONS = [
    (r"draft", "draft"), (r"prediction|suggestion|a model", "model"), (r"not the latest", "duplicate"),
    (r"skipped", "skipped"), (r"ignore", "ignored"), (r"answer is reject|Rejected|REJECTED", "rejected"),
    (r"SKIPPED", "skipped"), (r"without a choice|no answer|without a value|empty label list|without any answer", "no-answer"),
    (r"relations", "not-measured"), (r"discarded", "discarded"), (r"survey", "survey-page"),
    (r"free texts|free_response", "free-text"), (r"consolidated", "gold"),
]  # fmt: skip

KINDS = {"label": "label", "set": "set", "rating": "number", "number": "number", "ranking": "ranking", "span": "spans"}


def found(case: str) -> Path | None:
    return next((where / case for where in (HERE, SHARED) if (where / case).exists()), None)


def folder(case: str) -> Path:
    return found(case) or pytest.skip(f"{case} is not here")


def expected_of(case: str) -> dict:
    return json.loads((folder(case) / "expected.json").read_text(encoding="utf-8"))


def sources_of(case: str, path: str) -> list[Path]:
    where = folder(case)
    if path == ".":
        return [p for p in sorted(where.iterdir()) if p.name not in ("expected.json", "README.md")]
    return [where / path]


def read_case(case: str, path: str, options: dict) -> Export:
    if case == "sagemaker-1":
        return read_export(folder(case), options=ReadOptions(**options))
    return read_export(*sources_of(case, path), options=ReadOptions(**options))


def rows_of(question) -> list[list]:
    if question.kind == "spans":
        rows = zip(question.document, question.annotator, question.parts, question.label, strict=True)
        return sorted([d, a, p[0][0], p[0][1], label] for d, a, p, label in rows)
    values = [list(v) if isinstance(v, tuple) else v for v in question.value]
    return sorted([i, a, v] for i, a, v in zip(question.item, question.annotator, values, strict=True))


def wanted_rows(question: dict) -> list[list]:
    if question["kind"] == "span":
        return sorted(row[:5] for row in question["rows"])
    numbers = question["kind"] in ("rating", "number")
    return sorted([i, a, str(v) if numbers else v] for i, a, v in question["rows"])


@pytest.mark.parametrize(("case", "path", "name", "options", "said"), CASES, ids=[c[0] for c in CASES])
def test_case(case, path, name, options, said):
    want = expected_of(case)
    export = read_case(case, path, options)
    questions = {q.name: q for q in export.questions}
    for asked in some(want["questions"]):
        question = questions[asked["question"]]
        assert question.kind == KINDS[asked["kind"]]
        assert rows_of(question) == wanted_rows(asked)
        if asked["kind"] == "span":
            assert len(question.seen) == len(set(question.seen)) == asked["document_annotator_pairs_seen"]
            assert {d for d, _ in question.seen} >= set(question.document)
            with_spans = set(zip(question.document, question.annotator, strict=True))
            assert sorted(set(question.seen) - with_spans) == sorted(map(tuple, asked["seen_and_empty"]))
            if question.texts:
                at = {(d, a, p[0]): question.texts[d][p[0][0] : p[0][1]]
                      for d, a, p in zip(question.document, question.annotator, question.parts, strict=True)}  # fmt: skip
                assert all(at[row[0], row[1], (row[2], row[3])] == row[5] for row in some(asked["rows"]))
        else:
            assert len(question.value) == asked["annotations"]
            assert len(set(question.item)) == asked["items"]
            labels = Counter(x for v in question.value for x in (v if isinstance(v, tuple) else (v,)))
            assert dict(labels) == asked["label_counts"]
    spoken = " ".join(export.said())
    for pattern in some(said):
        assert re.search(pattern, spoken, re.IGNORECASE), (pattern, spoken)


@pytest.mark.parametrize(("case", "path", "name", "options", "said"), CASES, ids=[c[0] for c in CASES])
def test_left_out(case, path, name, options, said):
    want = expected_of(case)
    export = read_case(case, path, options)
    counted: Counter[str] = Counter()
    for left in [*export.left_out, *export.questions[0].left_out]:
        counted[left.reason] += left.rows
    expected: Counter[str] = Counter()
    for left in want["left_out"]:
        code = next(code for pattern, code in REASONS if re.search(pattern, left["reason"]))
        expected[code] += left["rows"]
    expected["model"] += want["read"].get("model_annotations", 0)
    for name_, rows in want.get("no_answer", {}).items():
        question = next(q for q in export.questions if q.name == name_)
        assert sum(o.rows for o in question.left_out if o.reason == "no-answer") == rows
    if "no_answer" in want and export.questions[0].name in want["no_answer"]:
        expected["no-answer"] += want["no_answer"][export.questions[0].name]
    assert +counted == +expected


@pytest.mark.parametrize(("case", "path", "name", "options", "said"), CASES, ids=[c[0] for c in CASES])
def test_recognised(case, path, name, options, said):
    source = Source.of(folder(case) if case == "sagemaker-1" else sources_of(case, path)[0])
    found = recognise(source)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(("case", "path", "name", "options", "said"), CASES, ids=[c[0] for c in CASES])
def test_no_address_unless_asked_for(case, path, name, options, said):
    export = read_case(case, path, {**options, "names": False})
    shown = " ".join(export.said())
    assert "@" not in shown
    for question in export.questions:
        assert not any("@" in a for a in question.annotator)
        if question.kind == "spans":
            assert not any("@" in a for _, a in question.seen)


ON_CHARACTERS = "krippendorff-alpha nominal on characters (value = labels covering it)"
#: case, where in it, and how it is read.
WITH_SPANS = [
    ("label-studio-2", "export.json", {}), ("prodigy-2", "letters.jsonl", {}), ("doccano-2", "export.zip", {"empty": "nothing"}),
    ("brat-1", "project", {}), ("conll-1", "", {}), ("inception-1", "project.zip", {}), ("inception-2", "", {}),
    ("labelbox-1", "export.ndjson", {"names": True}),
]  # fmt: skip


@pytest.mark.parametrize(("case", "path", "options"), WITH_SPANS, ids=[case for case, *_ in WITH_SPANS])
def test_alpha_of_the_characters(case, path, options):
    asked = [one for one in expected_of(case)["questions"] if ON_CHARACTERS in one.get("agreement", {})]
    for one in some(asked):
        data = assent.read(folder(case) / path, question=one["question"], **options)
        assert assent.position_alpha(data).value == pytest.approx(one["agreement"][ON_CHARACTERS], abs=1e-12)
        assert data.offsets == one["offsets"]
