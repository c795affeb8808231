"""What exports hold that is easily read as something else."""

import json

import pytest
from tests.readers.exports.test_variants import (
    as_json,
    as_lines,
    as_table,
    as_zip,
    doccano,
    left,
    result,
    rows,
    several,
    spans,
)

import assent
from assent.errors import UnreadableFile, UnsuitableData
from assent.readers.exports import ReadOptions, Source, read_export
from assent.readers.exports.gathering import looks_like_free_text
from assent.readers.from_exports import _places


def tasks(*annotations, text="The lid rattles.", **task):
    """One task with annotations given as (annotator, results, more)."""
    made = [
        {"id": n, "completed_by": who, "was_cancelled": False, "result": results, **more}
        for n, (who, results, more) in enumerate(annotations)
    ]
    return as_json([{"id": 1, "data": {"text": text}, "annotations": made, **task}])


def read(source, **options):
    export = read_export(source, options=ReadOptions(**options))
    return export, {question.name: question for question in export.questions}


# --- Label Studio ---------------------------------------------------------------------------------------------------


def test_nested_choices_are_paths():
    _, found = read(tasks(*((who, [result("kind", "choices", {"choices": [["Fruit", name]]})], {})
                            for who, name in ((1, "Apple"), (2, "Pear")))))  # fmt: skip
    assert rows(found["kind"]) == [("1", "1", "Fruit / Apple"), ("1", "2", "Fruit / Pear")]


@pytest.mark.parametrize(
    ("first", "second"),
    [("2026-03-01T10:00:00.900Z", "2026-03-01T10:00:00Z"), ("2026-03-02T08:00:00Z", "2026-03-02T12:00:00+05:00")],
)
def test_the_later_of_two_annotations_is_told_by_the_clock(first, second):
    made = [
        (1, [result("t", "choices", {"choices": [v]})], {"created_at": at})
        for v, at in (("late", first), ("early", second))
    ]
    assert rows(read(tasks(*made))[1]["t"]) == [("1", "1", "late")]
    assert rows(read(tasks(*made), duplicates="first")[1]["t"]) == [("1", "1", "early")]


def test_what_was_ranked_in_part_is_the_same_question():
    orders = {1: {"rank": ["a", "b", "c"]}, 2: {"rank": ["b", "a"], "_": ["c"]}}
    _, found = read(tasks(*((who, [result("order", "ranker", {"ranker": r})], {}) for who, r in orders.items())))
    assert {name: rows(q) for name, q in found.items()} == {
        "order": [("1", "1", ("a", "b", "c")), ("1", "2", ("b", "a"))]
    }
    buckets = {1: {"good": ["a"], "bad": ["b"]}, 2: {"good": ["a", "b"], "bad": []}}
    _, found = read(tasks(*((who, [result("order", "ranker", {"ranker": r})], {}) for who, r in buckets.items())))
    assert {name: len(q.value) for name, q in found.items()} == {"order.good": 2, "order.bad": 1}


def test_rankings_say_which_question_of_which_export_they_are(tmp_path):
    path = tmp_path / "export.json"
    answers = [
        (
            who,
            [result("order", "ranker", {"ranker": {"rank": order}}), result("tone", "choices", {"choices": ["x"]})],
            {},
        )
        for who, order in ((1, ["a", "b"]), (2, ["b", "a"]))
    ]
    path.write_bytes(tasks(*answers).members[0].content())
    said = assent.read(path, question="order").to_dict()
    assert (said["kind"], said["format"], said["question"]) == ("rankings", "Label Studio JSON", "order")
    assert [(one["name"], one["kind"]) for one in said["questions"]] == [("order", "ranking"), ("tone", "label")]
    assert (said["models"], said["gold"]) == ([], 0)


def test_parts_of_a_recording_are_no_spans_of_a_text():
    part = result("who", "labels", {"start": 1, "end": 3, "labels": ["A"]}, original_length=9.5)
    tone = result("tone", "choices", {"choices": ["x"]})
    export, found = read(tasks(*((who, [part, tone], {}) for who in (1, 2))))
    assert list(found) == ["tone"]
    assert left(export, "not-measured") == 2


def test_what_holds_a_free_text_alone_is_not_without_any_answer():
    why, tone = result("why", "textarea", {"text": ["so"]}), result("tone", "choices", {"choices": ["x"]})
    export, _ = read(tasks((1, [tone], {}), (2, [why], {}), (3, [], {})))
    assert "1 submitted annotation holds no answer at all." in export.said()
    assert left(export, "no-answer") == 2


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ((1, 1), "Only one annotator.*read as Label Studio JSON, question .*assent look"),
        ((1, 2), "No item has two.*assent look"),
    ],
)
def test_an_export_without_anything_to_compare_is_not_asked_about_columns(who, said, tmp_path):
    path = tmp_path / "export.json"
    made = [
        {
            "id": n,
            "data": {},
            "annotations": [{"completed_by": one, "result": [result("t", "choices", {"choices": ["a"]})]}],
        }
        for n, one in enumerate(who)
    ]
    path.write_text(json.dumps(made))
    with pytest.raises(assent.InputError, match=said) as told:
        assent.measure(path)
    assert "column" not in str(told.value)


@pytest.mark.parametrize("value", ["NaN", "-Infinity"])
def test_what_json_does_not_have_is_named_wherever_it_stands(value):
    data = tasks((1, [result("t", "choices", {"choices": ["a"]})], {"lead_time": 12345})).members[0].content().decode()
    with pytest.raises(UnreadableFile, match=f"holds {value}, which JSON does not have .*; write null"):
        read(Source.of_bytes("export.json", data.replace("12345", value).encode()))


def test_what_spans_quote_is_no_answer_wherever_it_stands():
    fixed = {"created_at": "2026", "updated_at": "2026", "lead_time": 1.0}
    made = [
        {"id": item, "note": note, "ner": [{"start": 0, "end": 3, "text": note[:3], "labels": ["X"]}], "tone": "warm", "annotator": who,
         "annotation_id": 10 * item + who, **fixed}
        for item, note in ((1, "Bob ran"), (2, "Zoe sat"), (3, "Bob ran"), (4, "Zoe sat"))
        for who in (1, 2)
    ]  # fmt: skip
    export, found = read(as_json(made))
    assert list(found) == ["ner", "tone"]
    assert 'Taken for task data, not for answers: "note".' in export.said()


def test_a_remark_in_a_form_of_ground_truth_is_free_text():
    content = json.dumps({"tone": {"label": "a"}, "remark": "fine"})
    answers = [{"workerId": who, "annotationData": {"content": content}} for who in ("w1", "w2")]
    line = {
        "source": "x",
        "job": {"annotationsFromAllWorkers": answers},
        "job-metadata": {"type": "groundtruth/custom"},
    }
    export, found = read(as_lines([line, line]))
    assert list(found) == ["tone"]
    assert left(export, "free-text") == 4


def test_a_side_of_a_pair_is_a_label():
    sides = [
        (who, [result("better", "pairwise", {"selected": side}, to_name=["l", "r"])], {})
        for who, side in ((1, "left"), (2, "right"))
    ]
    _, found = read(tasks(*sides))
    assert found["better"].kind == "label"
    assert rows(found["better"]) == [("1", "1", "left"), ("1", "2", "right")]


def test_documents_without_a_span_are_missing_if_that_is_said():
    region = result("ner", "labels", {"start": 4, "end": 7, "text": "lid", "labels": ["PART"]})
    source = tasks((1, [region], {}), (2, [], {}))
    assert sorted(read(source)[1]["ner"].seen) == [("1", "1"), ("1", "2")]
    export, found = read(source, empty="missing")
    assert found["ner"].seen == [("1", "1")]
    assert left(export, "no-answer") == 1


def test_a_model_that_marks_no_spans_has_not_found_none():
    region = result("ner", "labels", {"start": 4, "end": 7, "text": "lid", "labels": ["PART"]})
    tone = result("tone", "choices", {"choices": ["dry"]})
    models = [{"model_version": "labels", "result": [tone]}, {"model_version": "marks", "result": [region]}]
    _, found = read(tasks((1, [region, tone], {}), predictions=models), with_models=True)
    assert sorted(found["ner"].seen) == [("1", "1"), ("1", "marks")]
    assert found["ner"].models == {"marks"}


def test_ground_truth_is_gold_and_still_somebodys():
    tone = [result("tone", "choices", {"choices": [v]}) for v in ("dry", "warm")]
    export, found = read(tasks((1, [tone[0]], {"ground_truth": True}), (2, [tone[1]], {})))
    assert rows(found["tone"]) == [("1", "1", "dry"), ("1", "2", "warm")]
    assert found["tone"].gold == {"1": "dry"}
    assert any("ground truth" in sentence for sentence in export.said())


def test_annotations_of_two_tasks_may_have_one_number():
    made = [{"id": t, "data": {"text": "x"}, "annotations": [
        {"id": n, "completed_by": n, "result": [result("t", "choices", {"choices": ["a"]})]} for n in (1, 2)]}
        for t in (7, 8)]  # fmt: skip
    export, found = read(as_json([*made, made[0]]))
    assert len(found["t"].value) == 4
    assert left(export, "duplicate") == 2


# --- what readers share ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["Ada <ada@corp.example>", "ada@corp.example (12)", "news-ada@corp.example"])
def test_addresses_inside_names_are_hidden(who):
    lines = [{"text": "x", "_input_hash": 1, "_task_hash": 2, "_annotator_id": who, "_view_id": "choice", "answer": "accept",
              "accept": ["a"], "options": []}]  # fmt: skip
    export, found = read(as_lines(lines))
    assert found["choice"].annotator == ["A1"]
    assert "@" not in " ".join(export.said())


@pytest.mark.parametrize(
    ("name", "values", "free"),
    [
        ("finalComment", ["ok", "fine"], True),
        ("comment", ["none"] * 19 + ["slow"], True),
        ("comment_tone", ["harsh", "kind"], False),
        ("reason", ["price", "delay", "quality", "other"] * 6, False),
        ("reason", ["too slow for me", "price"], True),
    ],
)
def test_free_text_is_told_by_name_and_answers(name, values, free):
    assert looks_like_free_text(name, values) is free


# --- Prodigy --------------------------------------------------------------------------------------------------------


def line(item, who, view="choice", answer="accept", **more):
    return {
        "text": "The lid.",
        "_input_hash": item,
        "_task_hash": 9,
        "_annotator_id": who,
        "_view_id": view,
        "answer": answer,
        **more,
    }


def test_prodigy_rejected_work_can_be_kept():
    source = as_lines([line(1, "d-a", accept=["x"]), line(1, "d-b", answer="reject", accept=["y"])])
    assert left(read(source)[0], "rejected") == 1
    export, found = read(source, keep_rejected=True)
    assert rows(found["choice"]) == [("1", "d-a", "x"), ("1", "d-b", "y")]
    assert left(export, "rejected") == 0


def test_prodigy_nothing_ticked_can_be_missing():
    several_ = {"config": {"choice_style": "multiple"}, "options": []}
    source = as_lines([line(1, "d-a", accept=["x"], **several_), line(1, "d-b", accept=[], **several_)])
    assert len(read(source)[1]["choice"].value) == 2
    export, found = read(source, empty="missing")
    assert rows(found["choice"]) == [("1", "d-a", ("x",))]
    assert left(export, "no-answer") == 1


def test_prodigy_blocks_without_spans_were_seen():
    marked = [{"start": 4, "end": 7, "label": "PART"}]
    source = as_lines([line(1, "d-a", "blocks", accept=["x"], spans=marked), line(1, "d-b", "blocks", accept=["x"])])
    assert sorted(read(source)[1]["spans"].seen) == [("1", "d-a"), ("1", "d-b")]


def test_prodigy_a_person_in_two_datasets_is_one_annotator():
    files = [as_lines([line(n, f"{name}-{who}", accept=["x"]) for who in ("ada", "ben")], f"{name}.jsonl")
             for n, name in enumerate(("north", "south"))]  # fmt: skip
    assert sorted(set(read(several(*files))[1]["choice"].annotator)) == ["ada", "ben"]


# --- doccano --------------------------------------------------------------------------------------------------------


def test_doccano_a_file_without_a_line_shows_that_only_confirmed_examples_are_there():
    files = {"ada.jsonl": doccano({1: [[0, 4, "X"]], 2: []}), "ben.jsonl": doccano({1: [], 2: []})}
    assert sorted(read(as_zip({**files, "admin.jsonl": "\n"}))[1]["label"].seen) == [
        ("1", "ada"), ("1", "ben"), ("2", "ada"), ("2", "ben")]  # fmt: skip
    assert read(as_zip(files))[1]["label"].seen == [("1", "ada")]


def test_doccano_who_confirmed_and_marked_nothing_found_nothing():
    files = {"ada.jsonl": doccano({1: [[0, 4, "X"]], 2: [[0, 4, "X"]]}), "ben.jsonl": doccano({1: []})}
    assert ("1", "ben") in read(as_zip(files))[1]["label"].seen


def old_doccano(start, end):
    return as_lines([{"id": 1, "text": "a 😀 lid", "annotation_approver": None, "annotations": [
        {"label": 3, "user": 1, "start_offset": start, "end_offset": end},
        {"label": 3, "user": 2, "start_offset": 0, "end_offset": 1}]}])  # fmt: skip


def test_doccano_of_2019_counts_utf16_where_that_shows():
    export, found = read(old_doccano(5, 8))
    assert spans(found["entities"]) == [("1", "1", ((4, 7),), "3"), ("1", "2", ((0, 1),), "3")]
    assert "converted" in " ".join(export.said())
    export, found = read(old_doccano(4, 7))
    assert spans(found["entities"])[0] == ("1", "1", ((4, 7),), "3")
    assert "taken to count code points" in " ".join(export.said())


# --- Argilla --------------------------------------------------------------------------------------------------------


def test_argilla_what_shares_a_rank_is_tied():
    answers = [{"user_id": "u1", "value": {"rank": [1, 2, 2], "value": ["x", "y", "z"]}, "status": "submitted"}]
    _, found = read(as_json([{"external_id": "e", "order": answers, "order-suggestion": None}]))
    assert found["order"].value == [("x", ("y", "z"))]
    assert [float(one) for one in _places(found["order"].value[0]).values()] == [1, 2, 2]


def test_argilla_suggested_spans_are_a_models():
    record = {"id": 1, "fields": {"text": "The lid"}, "responses": {"ner": [{"user_id": "u1", "value": [
        {"start": 4, "end": 7, "label": "PART"}]}]}, "suggestions": {"ner": {"value": [
            {"start": 0, "end": 3, "label": "DET"}], "agent": "m"}}}  # fmt: skip
    assert left(read(as_json([record]))[0], "model") == 1
    _, found = read(as_json([record]), with_models=True)
    assert spans(found["ner"]) == [("1", "m", ((0, 3),), "DET"), ("1", "u1", ((4, 7),), "PART")]
    assert found["ner"].models == {"m"}


def test_argilla_suggestions_for_records_without_responses_count():
    def record(number, values):
        users = values and ["u1"]
        return {"id": number, "tone.responses": values, "tone.responses.users": users, "tone.responses.status": values and ["submitted"],
                "tone.suggestion": "dry", "tone.suggestion.agent": "m", "tone.suggestion.score": 0.5}  # fmt: skip

    source = as_lines([record(1, ["dry"]), record(2, None)])
    assert left(read(source)[0], "model") == 2
    assert rows(read(source, with_models=True)[1]["tone"]) == [("1", "m", "dry"), ("1", "u1", "dry"), ("2", "m", "dry")]


# --- crowds ---------------------------------------------------------------------------------------------------------


def test_potato_a_choice_may_be_called_text_or_number():
    def state(who, name, value):
        answers = {
            "i1": [[{"schema": "form", "name": name}, value], [{"schema": "why", "name": "text_box"}, "because"]]
        }
        return as_json({"user_id": who, "instance_id_to_label_to_value": answers}, f"{who}/user_state.json")

    export, found = read(
        several(state("a", "text", "true"), state("b", "number", "number"), state("c", "image", "true"))
    )
    assert rows(found["form"]) == [("i1", "a", "text"), ("i1", "b", "number"), ("i1", "c", "image")]
    assert left(export, "free-text") == 3


HIT = ["HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "Input.text_1", "Input.text_2"]


def test_mturk_counts_what_was_asked_of_items_and_of_hits():
    source = as_table([[*HIT, "Answer.q_1", "Answer.q_2", "Answer.all"],
                       ["h", "a1", "w1", "Approved", "one", "two", "x", "", "good"],
                       ["h", "a2", "w2", "Approved", "one", "two", "x", "y", "bad"]])  # fmt: skip
    export, found = read(source)
    assert [(n, sum(o.rows for o in q.left_out)) for n, q in found.items()] == [("q", 1), ("all", 0)]
    assert export.texts["h-2"] == "two"


def test_mturk_several_items_in_one_cell_of_json():
    answers = [json.dumps([{"q_1": {"label": a}, "q_2": {"label": b}}]) for a, b in (("x", "y"), ("x", "x"))]
    source = as_table([[*HIT, "Answer.taskAnswers"],
                       *([f"h{n}", f"a{n}", "w", "Approved", "one", "two", a] for n, a in enumerate(answers))])  # fmt: skip
    _, found = read(source)
    assert rows(found["q"]) == [("h0-1", "w", "x"), ("h0-2", "w", "y"), ("h1-1", "w", "x"), ("h1-2", "w", "x")]


def test_toloka_nothing_ticked_is_no_answer_unless_said():
    source = as_table([["INPUT:text", "OUTPUT:tags", "ASSIGNMENT:worker_id", "ASSIGNMENT:status"],
                       ["one", '["a","b"]', "w1", "APPROVED"], ["one", "[]", "w2", "APPROVED"]], "t.tsv", "\t")  # fmt: skip
    export, found = read(source)
    assert rows(found["tags"]) == [("one", "w1", ("a", "b"))]
    assert left(export, "no-answer") == 1
    assert rows(read(source, empty="nothing")[1]["tags"]) == [("one", "w1", ("a", "b")), ("one", "w2", ())]


def test_labelbox_answers_about_one_of_several_choices_are_counted():
    inner = [{"name": "how", "radio_answer": {"name": "very"}}]
    label = {"label_details": {"created_by": "a@x.example"}, "annotations": {"classifications": [
        {"name": "topics", "checklist_answers": [{"name": "price", "classifications": inner}]}]}}  # fmt: skip
    export, found = read(as_lines([{"data_row": {"id": 1}, "projects": {"p": {"labels": [label]}}}]))
    assert rows(found["topics"]) == [("1", "A1", ("price",))]
    assert left(export, "not-measured") == 1


# --- others ---------------------------------------------------------------------------------------------------------


def test_alttest_one_model_beside_people():
    people = {who: {f"i{n}": ("yes", "no")[(n + k) % 2] for n in range(6)} for k, who in enumerate(("ada", "ben"))}
    files = several(as_json(people, "human_annotations.json"), as_json({"m": people["ada"]}, "llm_annotations.json"))
    assert left(read(files)[0], "model") == 6
    assert sorted(set(read(files, with_models=True)[1]["annotation"].annotator)) == ["ada", "ben", "m"]


def test_old_projects_of_inception_have_a_slash_before_names():
    lines = [
        "#FORMAT=WebAnno TSV 3.3",
        "#T_SP=custom.Mood|value",
        "",
        "#Text=So sad",
        "1-1\t0-2\tSo\t_\t",
        "1-2\t3-6\tsad\tlow\t",
    ]
    files = {f"/annotation/d.txt/{who}.tsv": "\n".join(lines) for who in ("ada", "ben")}
    _, found = read(as_zip({"exportedproject1.json": "{}", **files}))
    assert spans(found["Mood value"]) == [("d.txt", "ada", ((3, 6),), "low"), ("d.txt", "ben", ((3, 6),), "low")]


def test_more_questions_than_anybody_asks_are_not_gone_through(tmp_path):
    many = [f"Answer.c{n}" for n in range(1_001)]
    path = tmp_path / "batch.csv"
    rows = [["HITId", "AssignmentId", "WorkerId", *many], *(["h", who, who, *["x"] * len(many)] for who in ("v", "w"))]
    path.write_text("\n".join(map(",".join, rows)))
    with pytest.raises(UnsuitableData, match=r"1,001 questions.*`question`"):
        assent.read_all(path)
    assert "1,001 questions" in (assent.look(path).refused or "")
    assert assent.read(path, question="c7").n_annotations == 2


@pytest.mark.parametrize(("others", "place"), [((9, 12), (2, 4)), ((8, 11), (3, 5))])
def test_label_studio_a_quotation_that_fits_both_countings_is_placed_as_the_others_are(others, place):
    def region(start, end, text):
        return result("ner", "labels", {"start": start, "end": end, "text": text, "labels": ["X"]})

    source = tasks((1, [region(3, 5, "aa"), region(others[0], others[1], "Ana")], {}), text="😀 aaaa, Ana")
    assert spans(read(source)[1]["ner"]) == [("1", "1", (place,), "X"), ("1", "1", ((8, 11),), "X")]


def test_batches_of_a_crowd_are_joined_by_an_input(tmp_path):
    head = "HITId,AssignmentId,WorkerId,AssignmentStatus,Input.id,Answer.tone\n"
    paths = [tmp_path / f"{n}.csv" for n in (1, 2)]
    for n, path in enumerate(paths):
        rows = [
            f"h{n}{i},a{n}{i},w{n},{'Rejected' if n and not i else 'Approved'},id{i},{'dry' if i else 'wet'}"
            for i in range(3)
        ]
        path.write_text(head + "\n".join(rows))
    assert assent.read(*paths).n_items == 5
    data = assent.read(*paths, item="Input.id")
    assert (data.n_items, data.n_annotations, data.layout) == (3, 5, "mturk")
    assert assent.read(*paths, item="Input.id", keep_rejected=True).n_annotations == 6
    with pytest.raises(UnreadableFile, match="name another with `item`"):
        assent.read(*paths, item="Input.key")
