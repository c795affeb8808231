"""What exports hold that is easily read as something else."""

import pytest
from tests.readers.exports.test_variants import as_json, as_lines, as_zip, doccano, left, result, rows, several, spans

from assent.readers.exports import ReadOptions, read_export
from assent.readers.exports.gathering import looks_like_free_text


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
