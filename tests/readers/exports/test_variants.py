"""Other generations, orders and gaps of the formats than the cases have."""

import csv
import io
import json
import zipfile
from typing import Any

import pytest

from assent.errors import AssentError, DuplicateAnnotations, UnreadableFile
from assent.readers import read
from assent.readers.exports import ReadOptions, Source, read_export, recognise


def as_json(value, name="export.json") -> Source:
    return Source.of_bytes(name, json.dumps(value).encode())


def as_lines(records, name="export.jsonl") -> Source:
    return Source.of_bytes(name, "\n".join(map(json.dumps, records)).encode())


def as_table(rows, name="export.csv", delimiter=",") -> Source:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows(rows)
    return Source.of_bytes(name, out.getvalue().encode())


def as_zip(files: dict[str, str]) -> Source:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return Source.of_bytes("export.zip", out.getvalue())


def several(*sources: Source) -> Source:
    return Source("files", "files", tuple(m for s in sources for m in s.members), "files")


def rows(question):
    return sorted(zip(question.item, question.annotator, question.value, strict=True))


def spans(question):
    return sorted(zip(question.document, question.annotator, question.parts, question.label, strict=True))


def left(export, reason):
    every = [*export.left_out, *(o for q in export.questions for o in q.left_out)]
    return sum(o.rows for o in every if o.reason == reason)


def result(name, kind, value, **more):
    return {"from_name": name, "to_name": "text", "type": kind, "value": value, **more}


def label_studio(annotations, **task) -> Source:
    """Tasks from (task, annotator, {question: choices}) triples."""
    tasks: dict = {}
    for number, (item, who, answers) in enumerate(annotations):
        found = tasks.setdefault(item, {"id": item, "data": {"text": "The lid rattles."}, "annotations": [], **task})
        results = [result(q, "choices", {"choices": v}) if isinstance(v, list) else v for q, v in answers.items()]
        found["annotations"].append(
            {
                "id": number,
                "completed_by": who,
                "was_cancelled": False,
                "result": results,
                "created_at": f"2026-01-{number + 1:02}",
            }
        )
    return as_json(list(tasks.values()))


# --- Label Studio ---------------------------------------------------------------------------------------------------


def test_label_studio_kinds_of_controls():
    def annotation(who, rank, side):
        return {"id": who, "completed_by": {"id": who, "email": f"u{who}@x.example", "first_name": "Ada"}, "result": [
            result("where", "taxonomy", {"taxonomy": [["Animal", "Bird"], ["Plant"]]}),
            result("better", "pairwise", {"selected": side}), result("order", "ranker", {"ranker": {"all": rank}}),
            result("size", "number", {"number": 4.0}), result("why", "textarea", {"text": ["because"]}),
            result("box", "rectanglelabels", {"x": 1, "y": 2, "rectanglelabels": ["Car"]}),
            {"type": "relation", "from_id": "a", "to_id": "b"}]}  # fmt: skip

    export = read_export(as_json([{"data": {"text": "x"}, "id": 1, "annotations": [
        annotation(1, ["a", "b"], "left"), annotation(2, ["b", "a"], "right")]}]))  # fmt: skip
    found = {q.name: q for q in export.questions}
    assert {n: q.kind for n, q in found.items()} == {
        "where": "set", "better": "label", "order": "ranking", "size": "number"}  # fmt: skip
    assert found["where"].value[0] == ("Animal / Bird", "Plant")
    assert found["order"].value == [("a", "b"), ("b", "a")]
    assert found["size"].value == ["4", "4"]
    assert left(export, "free-text") == 2
    assert left(export, "not-measured") == 4
    assert "@" not in " ".join(export.said())
    assert found["size"].annotator == ["1", "2"]


def test_label_studio_answers_about_a_region_are_not_about_the_document():
    export = read_export(label_studio([
        (1, 1, {"ner": result("ner", "labels", {"start": 4, "end": 7, "text": "lid", "labels": ["PART", "NOUN"]}, id="r1"),
                "sure": result("sure", "choices", {"start": 4, "end": 7, "choices": ["yes"]}, id="r1"), "tone": ["dry"]}),
        (1, 2, {"tone": ["dry"]})]))  # fmt: skip
    assert [q.name for q in export.questions] == ["ner", "tone"]
    ner = export.questions[0]
    assert spans(ner) == [("1", "1", ((4, 7),), "NOUN"), ("1", "1", ((4, 7),), "PART")]
    assert sorted(ner.seen) == [("1", "1"), ("1", "2")]
    assert left(export, "not-measured") == 1


@pytest.mark.parametrize(("start", "end", "said"), [(2, 7, False), (3, 8, True)])
def test_label_studio_offsets_in_utf16_are_converted(start, end, said):
    region = result("ner", "labels", {"start": start, "end": end, "text": "hello", "labels": ["X"]})
    export = read_export(as_json([{"id": 1, "data": {"note": "n", "text": "😀 hello"}, "annotations": [
        {"id": 1, "completed_by": 1, "result": [region]}]}]))  # fmt: skip
    assert spans(export.questions[0]) == [("1", "1", ((2, 7),), "X")]
    assert any("UTF-16" in s for s in export.said()) == said


def test_label_studio_predictions_are_models_only_if_asked_for():
    task = {"id": 1, "data": {"text": "x"}, "annotations": [
        {"id": 1, "completed_by": 1, "result": [result("tone", "choices", {"choices": ["a"]})]}],
        "predictions": [{"model_version": "m-1", "result": [result("tone", "choices", {"choices": ["b"]})], "score": 1}]}  # fmt: skip
    export = read_export(as_json([task]))
    assert rows(export.questions[0]) == [("1", "1", "a")]
    assert left(export, "model") == 1
    export = read_export(as_json([task]), options=ReadOptions(with_models=True))
    assert rows(export.questions[0]) == [("1", "1", "a"), ("1", "m-1", "b")]
    assert export.questions[0].models == {"m-1"}


def test_label_studio_duplicates_by_time_and_option():
    source = label_studio([(1, 1, {"tone": ["a"]}), (1, 1, {"tone": ["b"]}), (1, 2, {"tone": ["c"]})])
    assert rows(read_export(source).questions[0]) == [("1", "1", "b"), ("1", "2", "c")]
    first = read_export(source, options=ReadOptions(duplicates="first"))
    assert rows(first.questions[0]) == [("1", "1", "a"), ("1", "2", "c")]
    assert left(first, "duplicate") == 1
    with pytest.raises(DuplicateAnnotations, match="more than once"):
        read_export(source, options=ReadOptions(duplicates="error"))


def test_label_studio_storage_files_repeat_annotations():
    stored = [
        as_json({"id": n, "result": [result("tone", "choices", {"choices": [v]})], "completed_by": {"id": n, "email": "a@b.example"},
                 "task": {"id": 7, "data": {"text": "x"}}}, f"{n}")
        for n, v in ((1, "a"), (2, "b"))
    ]  # fmt: skip
    export = read_export(several(*stored, stored[0]))
    assert export.format == "Label Studio storage"
    assert rows(export.questions[0]) == [("7", "1", "a"), ("7", "2", "b")]
    assert left(export, "duplicate") == 1


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_label_studio_of_an_annotation_in_several_files_the_last_change_counts(order):
    def stored(name, *annotations):
        made = [
            {
                "id": n,
                "completed_by": n,
                "created_at": "2026-01-01T00:00:00Z",
                "updated_at": at,
                "result": [result("tone", "choices", {"choices": [v]})],
            }
            for n, v, at in annotations
        ]
        return as_json({"id": 7, "data": {"text": "x"}, "annotations": made}, name)

    first, second, third = "2026-01-01T00:00:00Z", "2026-01-01T10:00:00+02:00", "2026-01-01T09:00:00Z"
    files = [
        stored("1", (1, "a", first)), stored("2", (1, "b", second), (2, "c", second)), stored("3", (1, "d", third), (2, "c", second))
    ]  # fmt: skip
    export = read_export(several(*(files[n] for n in order)))
    assert rows(export.questions[0]) == [("7", "1", "d"), ("7", "2", "c")]
    assert left(export, "duplicate") == 3


@pytest.mark.parametrize("duplicates", ["first", "last", "error"])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("form", ["tasks", "stored", "lines"])
def test_label_studio_of_an_annotation_that_a_later_file_cancels_or_restores_the_later_state_counts(
    form, order, duplicates
):
    def annotation(n, day, tone):
        return {"id": n, "completed_by": n, "created_at": "2026-01-01T00:00:00Z", "updated_at": f"2026-01-0{day}T00:00:00Z",
                "was_cancelled": tone is None, "result": [result("tone", "choices", {"choices": [tone or "z"]})]}  # fmt: skip

    # Of each annotator the state in the first file and in the second: cancelled, restored, changed, as it was.
    states = [[(1, "a"), (2, None)], [(1, None), (2, "b")], [(1, "c"), (2, "d")], [(1, "e"), (1, "e")]]
    files = [[annotation(n, *one[k]) for n, one in enumerate(states, 1)] for k in (0, 1)]
    task = {"id": 7, "data": {"text": "x"}}
    stored = [[{**one, "task": task} for one in file] for file in files]
    if form == "lines":
        source = as_lines([record for n in order for record in stored[n]])
    elif form == "stored":
        source = several(*(as_json(record, f"{n}-{record['id']}") for n in order for record in stored[n]))
    else:
        source = several(*(as_json({**task, "annotations": files[n]}, f"{n}") for n in order))
    export = read_export(source, options=ReadOptions(duplicates=duplicates))
    assert rows(export.questions[0]) == [("7", "2", "b"), ("7", "3", "d"), ("7", "4", "e")]
    assert left(export, "skipped") == 1
    assert left(export, "duplicate") == 4
    assert any("1 annotation was skipped in a later file" in said for said in export.said()) == (order == (0, 1))


def test_label_studio_right_answers_that_are_sets_have_the_new_names_of_labels(tmp_path):
    def annotation(n, who, chosen, **more):
        return {"id": n, "completed_by": who, "result": [result("tone", "choices", {"choices": chosen})], **more}

    tasks = [
        {"id": 1, "data": {"text": "x"}, "annotations": [annotation(1, 1, ["a", "b"], ground_truth=True), annotation(2, 2, ["c"])]},
        {"id": 2, "data": {"text": "y"}, "annotations": [annotation(3, 1, ["a"], ground_truth=True), annotation(4, 2, ["a", "c"])]},
    ]  # fmt: skip
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    assert read(path).gold == {"1": ("a", "b"), "2": ("a",)}
    assert read(path, rename={"a": "A"}).gold == {"1": ("A", "b"), "2": ("A",)}
    assert read(path, rename={"a": "A"}, merge={"AB": ["A", "b"]}).gold == {"1": ("AB",), "2": ("AB",)}


def test_label_studio_legacy_completions():
    export = read_export(as_json([{"id": 1, "data": {"text": "x"}, "completions": [
        {"id": 1, "completed_by": 3, "created_at": 1600000000, "result": [result("t", "choices", {"choices": ["a"]})]},
        {"id": 2, "completed_by": 4, "skipped": True, "result": []}]}]))  # fmt: skip
    assert rows(export.questions[0]) == [("1", "3", "a")]
    assert left(export, "skipped") == 1


MINIMAL: list[dict[str, Any]] = [
    {"text": f"text {t}", "shop": "north", "id": t, "tone": tone, "stars": [{"rating": n}], "annotator": who,
     "annotation_id": 10 * t + who, "created_at": "2026", "updated_at": "2026", "lead_time": 1.0}
    for t, who, tone, n in ((1, 1, "a", 1), (1, 2, "b", 2), (2, 1, "a", 5), (2, 2, {"choices": ["a", "b"]}, 4))
]  # fmt: skip


def test_label_studio_minimal_in_any_order_and_as_a_table():
    upside = [dict(reversed(r.items())) for r in MINIMAL]
    names = sorted(MINIMAL[0])
    table = [names] + [
        [v if isinstance(v := r[n], str | int | float) else json.dumps(v) for n in names] for r in MINIMAL
    ]
    for source in (
        as_json(MINIMAL),
        as_json(upside),
        as_lines(MINIMAL),
        as_table(table),
        as_table(table, delimiter="\t"),
    ):
        export = read_export(source)
        found = {q.name: q for q in export.questions}
        assert set(found) == {"tone", "stars"}
        assert found["tone"].kind == "set"
        assert rows(found["stars"]) == [("1", "1", "1"), ("1", "2", "2"), ("2", "1", "5"), ("2", "2", "4")]


def test_label_studio_minimal_keeps_a_question_on_which_all_agree():
    agreed = [{**r, "tone": "a" if r["id"] < 9 else "b"} for r in MINIMAL]
    assert {q.name for q in read_export(as_json(agreed)).questions} == {"tone", "stars"}


# --- Prodigy --------------------------------------------------------------------------------------------------------


def prodigy(item, who, **more):
    return {"_input_hash": item, "_task_hash": item, "answer": "accept", "_annotator_id": who, "_timestamp": 1, **more}


def test_prodigy_binary_is_a_question_for_each_label():
    export = read_export(as_lines([
        prodigy(1, "d-a", label="X"), prodigy(1, "d-a", label="Y", answer="reject"), prodigy(1, "d-b", label="X", answer="reject"),
        prodigy(2, "d-b", label="X", answer="pending")]))  # fmt: skip
    assert [(q.name, rows(q)) for q in export.questions] == [
        ("X", [("1", "d-a", "accept"), ("1", "d-b", "reject")]), ("Y", [("1", "d-a", "reject")])]  # fmt: skip
    assert left(export, "unreadable") == 1


def test_prodigy_multiple_choice_keeps_the_empty_set():
    config = {"choice_style": "multiple"}
    export = read_export(as_lines([
        prodigy(1, "d-a", accept=["p"], options=[{"id": "p"}], config=config), prodigy(1, "d-b", accept=[], config=config)]))  # fmt: skip
    assert export.questions[0].kind == "set"
    assert rows(export.questions[0]) == [("1", "d-a", ("p",)), ("1", "d-b", ())]


def test_prodigy_review_is_gold_and_sessions_that_are_times_are_said():
    lines = [prodigy(n, f"2024-02-06_10-17-{n}0", accept=["p"], _view_id="choice") for n in (1, 2)]
    review = prodigy(1, "d-r", accept=["q"], _view_id="review", versions=[], sessions=[])
    export = read_export(as_lines([*lines, review]))
    assert left(export, "gold") == 1
    assert export.questions[0].gold == {"1": "q"}
    assert any("named sessions" in s for s in export.said())
    by_file = read_export(several(as_lines(lines[:1], "ada.jsonl"), as_lines(lines[1:], "ben.jsonl")))
    assert by_file.questions[0].annotator == ["ada", "ben"]


def test_prodigy_names_are_unescaped():
    assert read_export(as_lines([prodigy(1, "d-Henry%20", accept=["p"])])).questions[0].annotator == ["d-Henry"]


def test_two_tools_in_one_file_are_refused_with_the_line():
    with pytest.raises(UnreadableFile, match="line 2 of"):
        read_export(as_lines([prodigy(1, "d-a", accept=["p"]), {"id": 1, "text": "x", "label": ["a"]}]))


# --- doccano --------------------------------------------------------------------------------------------------------


def doccano(labels, key="label", text="text"):
    return "\n".join(
        json.dumps({"id": n, text: "some text", key: value, "Comments": []}) for n, value in labels.items()
    )


def test_doccano_generations():
    new = read_export(as_zip({"ada.jsonl": doccano({1: ["a"], 2: ["b"]}), "ben.jsonl": doccano({1: ["a"], 2: ["a"]})}))
    old = read_export(as_zip({"ada.jsonl": doccano({1: ["a"], 2: ["b"]}, text="data"),
                              "ben.jsonl": doccano({1: ["a"], 2: ["a"]}, text="data"),
                              "unknown.jsonl": doccano({3: []}, text="data")}))  # fmt: skip
    assert new.questions[0].kind == old.questions[0].kind == "label"
    assert rows(new.questions[0]) == rows(old.questions[0])
    assert left(old, "no-answer") == 1
    first = read_export(as_lines([{"id": 1, "text": "x", "annotations": [
        {"label": 4, "user": 1}, {"label": 5, "user": 2}], "annotation_approver": None}]))  # fmt: skip
    assert rows(first.questions[0]) == [("1", "1", "4"), ("1", "2", "5")]
    named = read_export(as_lines([{"doc_id": 1, "text": "x", "labels": ["a"], "username": "ada"}]))
    assert rows(named.questions[0]) == [("1", "ada", "a")]


def test_doccano_confirmed_only_shows_in_different_examples():
    files = {
        "ada.jsonl": doccano({1: [[0, 4, "X"]], 2: []}),
        "ben.jsonl": doccano({1: [[0, 4, "X"]]}),
        "admin.jsonl": "\n",
    }
    question = read_export(as_zip(files)).questions[0]
    assert question.kind == "spans"
    assert sorted(question.seen) == [("1", "ada"), ("1", "ben"), ("2", "ada")]
    same = {"ada.jsonl": files["ada.jsonl"], "ben.jsonl": doccano({1: [[0, 4, "X"]], 2: []})}
    assert sorted(read_export(as_zip(same)).questions[0].seen) == [("1", "ada"), ("1", "ben")]
    said = read_export(as_zip(same), options=ReadOptions(empty="nothing")).questions[0]
    assert len(said.seen) == 4


def test_doccano_tables_and_what_is_refused():
    table = "id,text,label,Comments\n1,x,a#b,\n2,y,a,\n"
    export = read_export(as_zip({"ada.csv": table, "ben.csv": table}))
    assert ("1", "ada", ("a", "b")) in rows(export.questions[0])
    assert any("#" in s for s in export.said())
    with pytest.raises(UnreadableFile, match="fastText"):
        read_export(as_zip({"ada.txt": "__label__a x\n", "ben.txt": "__label__b x\n"}))
    with pytest.raises(UnreadableFile, match="merged"):
        read_export(as_zip({"all.jsonl": doccano({1: ["a", "a"]})}))


def test_doccano_members_known_by_address_are_hidden():
    files = {"ada@x.example.jsonl": doccano({1: ["a"]}), "idle@x.example.jsonl": doccano({1: []})}
    export = read_export(as_zip(files))
    assert export.questions[0].annotator == ["A1"]
    assert "@" not in " ".join(export.said())
    assert read_export(as_zip(files), options=ReadOptions(names=True)).questions[0].annotator == ["ada@x.example"]


# --- Argilla --------------------------------------------------------------------------------------------------------


def test_argilla_one_in_both_shapes():
    responses = [
        {"user_id": "u1", "value": "a", "status": "submitted"},
        {"user_id": "u2", "value": "b", "status": "discarded"},
    ]
    turned = {k: [r[k] for r in responses] for k in responses[0]}
    ranks = [{"user_id": "u1", "value": {"rank": [2, 1], "value": ["x", "y"]}, "status": "submitted"}]
    marks = [
        {"user_id": "u1", "value": {"start": [0], "end": [3], "label": ["L"], "text": ["abc"]}, "status": "submitted"}
    ]
    for answers in (responses, turned):
        export = read_export(as_lines([{"text": "abc def", "q": answers, "q-suggestion": None, "r": ranks, "r-suggestion": None,
                                        "s": marks, "s-suggestion": None, "external_id": "e1", "metadata": "{}"}]))  # fmt: skip
        q, r, s = export.questions
        assert rows(q) == [("e1", "u1", "a")]
        assert (r.kind, r.value) == ("ranking", [("y", "x")])
        assert spans(s) == [("e1", "u1", ((0, 3),), "L")]
        assert left(export, "discarded") == 1


def test_argilla_lists_in_order_are_rankings():
    def record(n, first, second):
        return {"id": n, "fields": {"text": "x"}, "suggestions": {}, "status": "pending", "_server_id": None, "responses": {
            "order": [{"value": first, "user_id": "u1"}, {"value": second, "user_id": "u2"}]}}  # fmt: skip

    export = read_export(as_json([record("1", ["a", "b"], ["b", "a"]), record("2", ["a", "b"], ["a", "b"])]))
    assert export.questions[0].kind == "ranking"
    export = read_export(as_json([record("1", ["a", "b"], ["b"]), record("2", ["a", "b"], ["a", "b"])]))
    assert export.questions[0].kind == "set"


def test_argilla_questions_for_texts_are_told_by_their_names():
    made = [
        {"id": n, "fields": {"text": "x"}, "suggestions": {}, "_server_id": str(n), "responses": {
            "comments": [{"value": "ok", "user_id": "u"}, {"value": "fine", "user_id": "v"}],
            "tone": [{"value": "a", "user_id": "u"}, {"value": "b", "user_id": "v"}]}}
        for n in range(2)
    ]  # fmt: skip
    export = read_export(as_json(made))
    assert [question.name for question in export.questions] == ["tone"]
    assert left(export, "free-text") == 4


def test_argilla_printed_arrays_are_refused():
    with pytest.raises(UnreadableFile, match="printed"):
        read_export(
            as_table(
                [["id", "q.responses", "q.responses.users", "q.responses.status"], ["1", "['a' 'b']", "['u']", "[]"]]
            )
        )


# --- MTurk and Toloka -----------------------------------------------------------------------------------------------


def mturk(header, *lines):
    return as_table([["HITId", "AssignmentId", "WorkerId", "AssignmentStatus", *header], *lines])


def test_mturk_several_items_in_a_hit():
    export = read_export(mturk(
        ["Input.text_1", "Input.text_2", "Answer.tone_1", "Answer.tone_2"],
        ["H", "A1", "w1", "Approved", "x", "y", "a", "b"], ["H", "A2", "w2", "Rejected", "x", "y", "a", "a"]))  # fmt: skip
    assert rows(export.questions[0]) == [("H-1", "w1", "a"), ("H-2", "w1", "b")]
    assert left(export, "rejected") == 1


def test_mturk_answers_in_json_and_in_boxes():
    export = read_export(mturk(
        ["Input.text", "Answer.taskAnswers"],
        ["H", "A1", "w1", "Approved", "x", json.dumps([{"tone": {"label": "a"}, "topic": {"p": True, "q": True}}])],
        ["H", "A2", "w2", "Submitted", "x", json.dumps([{"tone": {"label": "b"}, "topic": {"p": True, "q": False}}])]))  # fmt: skip
    assert [(q.name, q.kind) for q in export.questions] == [("tone", "label"), ("topic", "set")]
    boxes = read_export(mturk(
        ["Answer.tone.a", "Answer.tone.b"], ["H", "A1", "w1", "Approved", "true", "false"],
        ["H", "A2", "w2", "Approved", "false", "true"]))  # fmt: skip
    assert rows(boxes.questions[0]) == [("H", "w1", "a"), ("H", "w2", "b")]


def test_mturk_crowd_elements_in_columns_of_their_own():
    entities = [{"label": "PER", "startOffset": 0, "endOffset": 3}]
    export = read_export(mturk(
        ["Answer.tone.label", "Answer.topics.labels", "Answer.names.entities", "Answer.list"],
        ["H", "A1", "w1", "Approved", "a", '["p", "q"]', json.dumps(entities), "[x"],
        ["H", "A2", "w2", "Approved", "b", '["p"]', "[]", "[y"]))  # fmt: skip
    tone, topics, names, plain = export.questions
    assert rows(tone) == [("H", "w1", "a"), ("H", "w2", "b")]
    assert rows(topics) == [("H", "w1", ("p", "q")), ("H", "w2", ("p",))]
    assert (spans(names), sorted(names.seen)) == ([("H", "w1", ((0, 3),), "PER")], [("H", "w1"), ("H", "w2")])
    assert rows(plain) == [("H", "w1", "[x"), ("H", "w2", "[y")]


def test_mturk_rejected_work_can_be_kept():
    source = mturk(["Answer.tone"], ["H", "A1", "w1", "Rejected", "a"], ["H", "A2", "w2", "Approved", "b"])
    assert len(read_export(source).questions[0].value) == 1
    assert len(read_export(source, options=ReadOptions(keep_rejected=True)).questions[0].value) == 2


def test_toloka_of_2016_names_the_worker_after_the_tasks():
    header = ["INPUT:image", "OUTPUT:result", "GOLDEN:result", "ASSIGNMENT:worker_id", "ASSIGNMENT:status"]
    export = read_export(as_table([
        header, ["i1", "yes", "yes", "", ""], ["i2", "no", "", "", ""], ["", "", "", "w1", "APPROVED"], [""] * 5,
        ["i1", "no", "", "", ""], ["", "", "", "w2", "EXPIRED"]], delimiter="\t"))  # fmt: skip
    assert rows(export.questions[0]) == [("i1", "w1", "yes"), ("i2", "w1", "no")]
    assert export.questions[0].gold == {"i1": "yes"}
    assert left(export, "unfinished") == 1


# --- Potato ---------------------------------------------------------------------------------------------------------


def test_potato_two_export_table_and_lines():
    table = read_export(as_table([
        ["instance_id", "user_id", "tone.a", "tone.b", "ner._spans"],
        ["i1", "u1", "true", "", json.dumps([{"name": "X", "start": 0, "end": 3}])], ["i1", "u2", "", "b", ""]]))  # fmt: skip
    lines = read_export(as_lines([
        {"instance_id": "i1", "user_id": "u1", "labels": {"tone": {"a": "true"}}, "spans": {"ner": [{"name": "X", "start": 0, "end": 3}]}},
        {"instance_id": "i1", "user_id": "u2", "labels": {"tone": {"b": "b"}}, "spans": {}, "links": []}]))  # fmt: skip
    for export in (table, lines):
        found = {q.name: q for q in export.questions}
        assert rows(found["tone"]) == [("i1", "u1", "a"), ("i1", "u2", "b")]
        assert spans(found["ner"]) == [("i1", "u1", ((0, 3),), "X")]
        assert found["ner"].seen == [("i1", "u1")]


def test_potato_one_folders_and_table():
    def line(item, label):
        return json.dumps(
            {"id": item, "displayed_text": "x", "label_annotations": {"tone": {label: "1"}}, "span_annotations": []}
        )

    folder = read_export(as_zip({
        "out/ada/annotated_instances.jsonl": line("i1", "a") + "\n" + line("consent.html", "I agree"),
        "out/ben@x.example/annotated_instances.jsonl": line("i1", "b"), "out/annotated_instances.jsonl.bak": ""}))  # fmt: skip
    assert rows(folder.questions[0]) == [("i1", "A1", "b"), ("i1", "ada", "a")]
    assert left(folder, "survey-page") == 1
    table = read_export(as_table([["user", "instance_id", "displayed_text", "tone:::a", "tone:::b"],
                                  ["u1", "i1", "x", "1", ""], ["u2", "i1", "x", "", "2"]], delimiter="\t"))  # fmt: skip
    assert rows(table.questions[0]) == [("i1", "u1", "a"), ("i1", "u2", "b")]
    with pytest.raises(UnreadableFile, match="without saying who"):
        read_export(Source.of_bytes("annotated_instances.jsonl", line("i1", "a").encode()))


def test_potato_clicks_that_were_changed():
    def state(user, several):
        labels = {f"i{n}": [[{"schema": "tone", "name": "a"}, "true"]] for n in range(20)}
        if several:
            labels["i0"].append([{"schema": "tone", "name": "b"}, "true"])
        changes = [{"schema_name": "tone", "label_name": "b", "action": "select"},
                   {"schema_name": "tone", "label_name": "a", "action": "select"}]  # fmt: skip
        return json.dumps({"user_id": user, "instance_id_to_label_to_value": labels,
                           "instance_id_to_behavioral_data": {"i0": {"annotation_changes": changes}}})  # fmt: skip

    export = read_export(
        as_zip({"o/u1/user_state.json": state("u1", True), "o/u2/user_state.json": state("u2", False)})
    )
    assert export.questions[0].kind == "label"
    assert set(export.questions[0].value) == {"a"}
    assert any("last one counts" in s for s in export.said())


# --- Labelbox, Ground Truth -----------------------------------------------------------------------------------------


def test_labelbox_first_export():
    def record(who, **more):
        return {"ID": f"l-{who}", "DataRow ID": "d1", "Labeled Data": "The lid rattles", "Created By": who, "Reviews": [], "Label": {
            "objects": [{"title": "PART", "value": "part", "data": {"location": {"start": 4, "end": 6}}}],
            "classifications": [{"title": "tone", "answer": {"title": "dry"}}, {"title": "topics", "answers": [{"title": "p"}]},
                                {"title": "why", "answer": "because"}]}, **more}  # fmt: skip

    export = read_export(as_json([record("a@x.example"), record("b@x.example"), record("c@x.example", Skipped=True)]))
    found = {q.name: q for q in export.questions}
    assert spans(found["entities"])[0] == ("d1", "A1", ((4, 7),), "PART")
    assert rows(found["tone"]) == [("d1", "A1", "dry"), ("d1", "A2", "dry")]
    assert found["topics"].kind == "set"
    assert (left(export, "skipped"), left(export, "free-text")) == (1, 2)


def test_labelbox_projects_are_kept_apart():
    def project(name, label):
        return {"name": name, "labels": [{"label_details": {"created_by": "a@x.example"}, "annotations": {
            "objects": [], "classifications": [{"name": "tone", "radio_answer": {"name": label}}]}}]}  # fmt: skip

    export = read_export(
        as_lines([{"data_row": {"id": "d"}, "projects": {"p1": project("One", "a"), "p2": project("Two", "b")}}])
    )
    assert [(q.name, q.value) for q in export.questions] == [("One: tone", ["a"]), ("Two: tone", ["b"])]


def test_ground_truth_without_people_is_refused_and_custom_jobs_are_read():
    line = {"source": "x", "job": 1, "job-metadata": {"type": "groundtruth/text-classification", "class-name": "a"}}
    with pytest.raises(UnreadableFile, match="worker-response"):
        read_export(as_lines([line], "output.manifest"))
    content = json.dumps(
        {"tone": {"label": "a"}, "ner": {"entities": [{"startOffset": 0, "endOffset": 3, "label": "X"}]}}
    )
    custom = {"source": "x", "annotationsFromAllWorkers": [{"workerId": "w1", "annotationData": {"content": content}}]}
    export = read_export(as_lines([custom], "output.manifest"))
    assert rows(export.questions[0]) == [("0", "w1", "a")]
    assert spans(export.questions[1]) == [("0", "w1", ((0, 3),), "X")]


# --- shared tasks ---------------------------------------------------------------------------------------------------


def test_lewidi_2025():
    export = read_export(as_json({"1": {"text": "x", "annotations": {"Ann1": "e,n", "Ann2": "n"}, "annotators": "Ann1,Ann1,Ann2",
                                        "soft_label": {}}, "2": {"annotations": {"Ann1": "e"}, "annotators": "Ann1", "soft_label": {}}}))  # fmt: skip
    assert rows(export.questions[0]) == [("1", "Ann1", ("e", "n")), ("1", "Ann2", ("n",)), ("2", "Ann1", ("e",))]
    numbers = read_export(
        as_json(
            {
                str(n): {"annotations": {"A": str(n - 5), "B": "0"}, "annotators": "A,B", "soft_label": {}}
                for n in range(9)
            }
        )
    )
    assert numbers.questions[0].kind == "number"


def test_lists_that_are_as_long_by_chance_are_no_answers():
    made = [
        {
            "id": n,
            "workers": list(who),
            "toxic": [1, 0, 1][: len(who)],
            "tokens": ["a", "b"],
            "late": [[], ["x", "y"]][n > 1],
        }
        for n, who in enumerate(("ab", "abc", "ab"))
    ]
    export = read_export(as_lines(made))
    assert [question.name for question in export.questions] == ["toxic"]
    assert 'not always as long as the list of annotators: "late" and "tokens".' in " ".join(export.said())
    # With nothing else to compare, records that do not fit are counted.
    for one in made:
        del one["toxic"]
    (question,) = (q for q in read_export(as_lines(made), format="parallel-lists").questions if q.name == "tokens")
    assert [(left.reason, left.rows) for left in question.left_out][:1] == [("unreadable", 1)]


def test_a_broken_record_does_not_take_a_question_away():
    made = [{"id": n, "workers": ["a", "b"], "toxic": [1, n % 2], "irony": [0, 1]} for n in range(20)]
    made[3]["irony"] = [0]
    export = read_export(as_lines(made))
    assert {one.name: len(one.value) for one in export.questions} == {"toxic": 40, "irony": 38}
    assert [(one.reason, one.rows) for one in export.questions[1].left_out][:1] == [("unreadable", 1)]


def test_parallel_lists_as_a_list_of_records():
    records = [{"id": n, "text": "x", "annotator_ids": [1, 2, 3], "ratings": [n, 5, 1], "toxic": [0, 1, 1], "gender_annotators": ["F"] * 3,
                "embedding": [0.1, 0.2]} for n in range(4)]  # fmt: skip
    for source in (as_json(records), as_lines(records)):
        export = read_export(source)
        assert {q.name: q.kind for q in export.questions} == {"ratings": "number", "toxic": "label"}
        assert ("0", "2", "1") in rows(next(q for q in export.questions if q.name == "toxic"))


@pytest.mark.parametrize(
    "settings",
    [
        {"dev": {"host": "a", "port": 1, "debug": True}, "prod": {"host": "b", "port": 2, "debug": False}},
        {"a": {"x": 1}, "b": {"y": 2}},
        {"en": {"hello": "Hello there", "bye": "Good bye"}, "de": {"hello": "Guten Tag", "bye": "Auf Wiedersehen"}},
        {"scripts": {"build": "tsc", "test": "jest"}, "dependencies": {"react": "18", "vue": "3"}},
    ],
)
def test_settings_are_not_taken_for_labels(settings):
    assert recognise(as_json(settings)) is None


def test_alttest_says_which_side_the_annotators_are():
    tables = {f"w{w}": {f"i{n}": "ab"[(n * w) % 2] for n in range(9)} for w in range(1, 4)}
    turned = {f"i{n}": {w: t[f"i{n}"] for w, t in tables.items()} for n in range(9)}
    one, other = read_export(as_json(tables, "human.json")), read_export(as_json(turned, "human.json"))
    assert rows(one.questions[0]) == rows(other.questions[0])
    assert any("outer keys were taken for the annotators" in s for s in one.said())
    assert any("inner keys were taken for the annotators" in s for s in other.said())


@pytest.mark.parametrize(("keys", "annotators"), [("78", "a,b"), ("77", "a,b"), ("78", "a,a")])
def test_lewidi_and_parallel_lists_settle_what_stands_twice(keys, annotators):
    # Duplicates are looked for only where there can be any: a key of the object or an annotator that stands twice.
    many = len(set(keys)) * len(set(annotators.split(",")))
    lewidi = {"annotations": "0,1", "annotators": annotators, "soft_label": {}}
    lists = {"annotators": annotators.split(","), "labels": ["yes", "no"]}
    for record in (lewidi, lists):
        text = "{" + ", ".join(f'"{key}": {json.dumps(record)}' for key in keys) + "}"
        export = read_export(Source.of_bytes("export.json", text.encode()))
        (question,) = export.questions
        assert len(question.value) == len(set(rows(question))) == many
        assert sum(o.rows for o in export.left_out if o.reason == "duplicate") == 4 - many


@pytest.mark.parametrize("late", ["rare", "été", "", None, 3, True])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_alttest_of_a_large_file_has_labels_that_no_first_look_shows(late, encoding):
    # A first look sees the beginnings of the objects; what stands at their ends is read all the same.
    tables = {f"w{w}": {f"item-{n}": "ab"[n % 2] for n in range(12_000)} | {"last": late} for w in range(3)}
    content = json.dumps(tables, ensure_ascii=False).encode(encoding)
    export = read_export(Source.of_bytes("human.json", content))
    (question,) = export.questions
    text = {True: "true", 3: "3"}.get(late, late)
    assert rows(question) == sorted(
        (item, who, text if item == "last" else label)
        for who, table in tables.items() for item, label in table.items() if item != "last" or text
    )  # fmt: skip


def test_alttest_of_two_files_settles_what_stands_in_both():
    first = {w: {f"i{n}": "yn"[n % 2] for n in range(6)} for w in "ab"}
    second = {w: {f"i{n}": "y" for n in range(6)} for w in "bc"}
    export = read_export(several(as_json(first, "one.json"), as_json(second, "two.json")), format="alttest")
    assert len(export.questions[0].value) == 18
    assert [(o.reason, o.rows) for o in export.left_out] == [("duplicate", 6)]


@pytest.mark.parametrize("other", [{"id": 1}, 5, []])
def test_a_record_that_is_no_row_of_json_min_is_named_by_its_line(other):
    row = {"text": "t", "id": 1, "tone": "p", "annotator": 1, "created_at": "", "updated_at": "", "lead_time": 1.0}
    lines = [json.dumps({**row, "annotation_id": n}) for n in range(9)] + [json.dumps(other)]
    source = Source.of_bytes("export.json", ("[" + ",\n".join(lines) + "]").encode())
    with pytest.raises(UnreadableFile, match="What begins on line 10 of"):
        read_export(source)


def test_alttest_models_are_marked_when_asked_for():
    tables = {f"w{w}": {f"i{n}": "ab"[(n * w) % 2] for n in range(9)} for w in range(1, 3)}
    both = several(
        as_json(tables, "human_annotations.json"),
        as_json({"gpt": tables["w1"], "llama": tables["w2"]}, "llm_annotations.json"),
    )
    assert set(read_export(both).questions[0].annotator) == {"w1", "w2"}
    asked = read_export(both, options=ReadOptions(with_models=True)).questions[0]
    assert asked.models == {"gpt", "llama"}
    assert len(asked.value) == 36


def test_numbers_and_texts_of_one_label_do_not_merge_silently():
    records = [{"id": n, "annotators": ["a", "b"], "toxic": [1, "1"] if n else [True, "true"]} for n in range(4)]
    said = read_export(as_json(records)).said()
    assert any('"1", "true" stands both as a text and as a number' in s for s in said)
    plain = [{"id": n, "annotators": ["a", "b"], "toxic": [1, 0]} for n in range(4)]
    assert not any("stands both" in s for s in read_export(as_json(plain)).said())


# --- forms ----------------------------------------------------------------------------------------------------------


def test_qualtrics_sheet():
    header = ["StartDate", "Status", "IPAddress", "Finished", "ResponseId", "Q1", "Q2_1", "Q2_2", "Q2_3", "Q3_TEXT"]
    texts = [
        "Start Date",
        "Response Type",
        "IP",
        "Finished",
        "Response ID",
        "Your age",
        "Rate - a",
        "Rate - b",
        "Rate - c",
        "Why?",
    ]
    ids = [
        "startDate",
        "status",
        "ipAddress",
        "finished",
        "_recordId",
        "QID1",
        "QID2_1",
        "QID2_2",
        "QID2_3",
        "QID3_TEXT",
    ]
    people = [
        ["2024", "IP Address", "203.0.113.9", "True", f"R_{n}", "20", "1", "2", str(n), "because"] for n in range(3)
    ]
    preview, unfinished = [*people[0]], [*people[0]]
    preview[1], unfinished[3] = "Survey Preview", "False"
    export = read_export(
        as_table([header, texts, [json.dumps({"ImportId": i}) for i in ids], preview, unfinished, *people])
    )
    assert [q.name for q in export.questions] == ["Q2"]
    question = export.questions[0]
    assert (question.kind, len(question.value), set(question.annotator)) == ("number", 9, {"R_0", "R_1", "R_2"})
    assert ("Q2_3", "R_2", "2") in rows(question)
    assert (left(export, "discarded"), left(export, "unfinished")) == (1, 1)
    assert "203.0.113.9" not in str(export)
    assert any("transposed" in s for s in export.said())


@pytest.mark.parametrize("mark", [",", "\t"])
def test_google_forms_sheet(mark):
    header = ["Timestamp", "Email Address", "Tone [r1]", "Tone [r2]", "Topics [r1]", "Topics [r2]", "Comments"]
    people = [["t", "a@x.example", "dry", "warm", "price, service", "price", "this one was rather hard to tell, I think"],
              ["t", "b@x.example", "dry", "dry", "service", "price, service", "no remarks from my side at all, really"],
              ["t", "a@x.example", "warm", "warm", "price", "service", "I have changed my mind about the first one"]]  # fmt: skip
    export = read_export(as_table([header, *people], delimiter=mark))
    tone, topics = export.questions[:2]
    assert rows(tone) == [("r1", "A1", "warm"), ("r1", "A2", "dry"), ("r2", "A1", "warm"), ("r2", "A2", "dry")]
    assert topics.kind == "set"
    assert left(export, "duplicate") == 1
    assert "@" not in " ".join(export.said())
    first = read_export(
        as_table([header, *people], delimiter=mark), options=ReadOptions(duplicates="first", names=True)
    )
    assert ("r1", "a@x.example", "dry") in rows(first.questions[0])


# --- what belongs to no tool ----------------------------------------------------------------------------------------


def test_numbered_items_of_a_form_are_one_question_though_all_agree_on_one():
    header = [
        "Timestamp",
        "Email Address",
        "Text 1: It broke.",
        "Text 2: I love it.",
        "Text 3: Well.",
        "Question 4: From where?",
    ]
    people = [("neg", "pos", "neu", "here"), ("neg", "pos", "neg", "there"), ("neu", "pos", "neu", "far")]
    sheet = [[f"1/{n}/2026 9:15:00", f"p{n}@x.example", *answers] for n, answers in enumerate(people, 1)]
    export = read_export(as_table([header, *sheet]))
    (question,) = export.questions
    assert (question.name, len(question.value)) == ("Text", 9)
    assert "Not compared, since nothing else is asked the same way: Question 4: From where?." in export.said()
    # Numbers alone are no evidence that the same is asked.
    other = [["neg", "pos", "old"], ["neu", "pos", "young"], ["neg", "pos", "old"]]
    export = read_export(
        as_table([[*header[:5]], *([*row[:2], *answers] for row, answers in zip(sheet, other, strict=True))])
    )
    assert len(export.questions) == 3


@pytest.mark.parametrize(
    "source",
    [
        as_table([["item", "annotator", "label"], ["1", "a", "x"], ["1", "b", "y"]]),
        as_table([["item", "ann", "ben"], ["1", "x", "y"]]),
        as_json([{"item": 1, "annotator": "a", "label": "x"}]),
        as_lines([{"text": "x", "label": 1}, {"text": "y", "label": 0}]),
        as_lines([{"id": 1, "text": "x", "label": "pos"}]),
        as_json({"annotations": [{"id": 1, "category_id": 2, "image_id": 3}], "images": [], "categories": []}),
        as_lines([{"tokens": ["a", "b"], "tags": ["O", "O"]}]),
        as_table([["annotator", "created_at", "label"], ["a", "2024", "x"]]),
        Source.of_bytes("x.txt", b"just a text"), Source.of_bytes("x", b""), Source.of_bytes("x", b"\x00\x01\x02"),
        Source.of_bytes("x.xml", b"<?xml version='1.0'?><a/>"),
    ],
)  # fmt: skip
def test_tables_and_others_are_left_to_the_table_reader(source):
    assert recognise(source) is None
    with pytest.raises(AssentError, match="not the export of a tool"):
        read_export(source)


def test_a_form_asks_for_a_name_and_a_table_of_annotations_has_items():
    people = ["Ida", "Jon", "Kai"]
    form = [["Timestamp", "Your name", "Email Address", *(f"Is post {k} rude?" for k in range(1, 5))]]
    form += [
        ["2024/05/01 9:00", who, f"{n}@x.example", *("Yes" if (k + n) % 2 else "No" for k in range(4))]
        for n, who in enumerate(people)
    ]
    # An address tells people apart before their names do.
    assert recognise(as_table(form)).name == "google-forms"
    [asked] = read_export(as_table(form)).questions
    assert set(asked.annotator).isdisjoint(people)
    [named] = read_export(as_table([[*row[:2], *row[3:]] for row in form])).questions
    assert sorted(set(named.annotator)) == people
    # Rows of annotations by many people, each of whom has but one.
    long = [["Timestamp", "annotator", "item", "label"]]
    long += [["2024/05/01 9:00", f"w{n}", f"i{n // 2}", "yn"[n % 3 == 0]] for n in range(12)]
    assert recognise(as_table(long)) is None
    data = read(io.BytesIO("\n".join(map(",".join, long)).encode()))
    assert (data.layout, data.n_items, data.n_annotators) == ("long", 6, 12)
