"""Exports of annotation tools on the command line: the numbers to expect, what is said, and what is refused."""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from tests.cli.conftest import Done, Files, Program
from tests.readers.exports.test_cases import CASES, expected_of, folder, found, sources_of
from tests.support import some

import assent as library
from assent.data import Spans

HERE = Path(__file__).parents[1] / "readers" / "exports" / "cases"
LABEL_STUDIO = str(HERE / "label-studio-1" / "export.json")
WITH_SPANS = str(HERE / "label-studio-2" / "export.json")
MTURK = str(HERE / "mturk-1" / "Batch_100001_batch_results.csv")
DOCCANO = str(HERE / "doccano-1" / "export.zip")
LABELBOX = str(HERE / "labelbox-1" / "export.ndjson")
POTATO = str(HERE / "potato-1" / "annotation_output")
EXIST = str(HERE / "exist-1" / "EXIST_training.json")
INCEPTION = str(HERE / "inception-1" / "project.zip")
CONLL = [str(HERE / "conll-1" / f"{name}.conll") for name in ("ada", "ben", "cleo")]

#: How the cases' names of numbers are asked for.
ASKED = {
    "krippendorff-alpha nominal": ["-m", "krippendorff-alpha"],
    "krippendorff-alpha ordinal": ["-m", "krippendorff-alpha", "--scale", "ordinal"],
    "krippendorff-alpha interval": ["-m", "krippendorff-alpha", "--scale", "interval"],
    "percent-agreement": ["-m", "percent-agreement"],
    "fleiss-kappa (Gwet's form)": ["-m", "fleiss-kappa"],
    "cohen-kappa": ["-m", "cohen-kappa"],
    "krippendorff-alpha on sets, nominal distance": ["-m", "krippendorff-alpha", "--distance", "nominal"],
    "krippendorff-alpha on sets, jaccard distance": ["-m", "krippendorff-alpha", "--distance", "jaccard"],
    "krippendorff-alpha on sets, masi distance": ["-m", "krippendorff-alpha", "--distance", "masi"],
    "percent-agreement (identical sets)": ["-m", "percent-agreement"],
}
#: Options under which the cases give other values.
OTHERWISE = [
    (LABEL_STUDIO, "with --duplicates first", ["--duplicates", "first"]),
    (MTURK, "with rejected assignments", ["--keep-rejected"]),
    (DOCCANO, "empty lists counted as empty sets (wrong here, what a naive reader gets)", ["--empty", "nothing"]),
    (POTATO, "topics with 'nothing ticked' counted as the empty set", ["--question", "topics", "--empty", "nothing"]),
    (EXIST, "labels_task1_2 with '-' as missing", ["--question", "labels_task1_2", "--missing", "-"]),
    (EXIST, "labels_task1_3 with ['-'] as missing", ["--question", "labels_task1_3", "--missing", "-"]),
]

SPAN_FILES = {
    "brat-1": "project",
    "inception-1": "project.zip",
    "prodigy-2": "letters.jsonl",
    "doccano-2": "export.zip",
    "label-studio-2": "export.json",
    "labelbox-1": "export.ndjson",
}
SPANS_ONLY = [
    ("brat-1", "project"),
    ("inception-1", "project.zip"),
    ("prodigy-2", "letters.jsonl"),
    ("doccano-2", "export.zip"),
]


def files_of(case: str, path: str) -> list[str]:
    return [str(folder(case))] if case == "sagemaker-1" else [str(one) for one in sources_of(case, path)]


def flags(options: dict[str, object]) -> list[str]:
    made = []
    for name, value in options.items():
        made += [f"--{name.replace('_', '-')}"] + ([] if value is True else [str(value)])
    return made


def plural(reason: str) -> str:
    """Put an s to a reason, before what is in parentheses."""
    what, mark, detail = reason.partition(" (")
    return f"{what}s{mark}{detail}"


def check(assent: Program, arguments: list[str], wanted: dict[str, float]) -> Done:
    """Assert that every number of a case that has a name here comes out, to nine digits."""
    done = None
    for name, value in wanted.items():
        if name in ASKED:
            done = assent("measure", *arguments, *ASKED[name], "--ci", "none", "--json")
            assert done.only["value"] == pytest.approx(value, abs=1e-9), name
    assert done is not None
    return done


#: The others have spans alone, which are checked below; a case that is not here says so when its test runs.
LABELLED = [
    one
    for one in CASES
    if found(one[0]) is None or any(asked["kind"] != "span" for asked in expected_of(one[0])["questions"])
]


@pytest.mark.parametrize(("case", "path", "name", "options", "said"), LABELLED, ids=[c[0] for c in LABELLED])
def test_the_numbers_of_a_case(assent: Program, case: str, path: str, name: str, options: dict, said: list) -> None:
    files, want = files_of(case, path), expected_of(case)
    measured = [one for one in want["questions"] if one["kind"] != "span"]
    for asked in some(measured):
        done = check(assent, [*files, "--question", asked["question"], *flags(options)], asked["agreement"])
        data = done.json["data"]
        assert (data["layout"], data["question"]) == (name, asked["question"])
        assert (data["items"], data["annotations"]) == (asked["items"], asked["annotations"])
        assert data["annotators"] == len(asked["annotators"])
        assert set(data["labels"]) == set(asked["label_counts"])
        assert {one["question"] for one in want["questions"]} <= {one["name"] for one in data["questions"]}
        assert data["format"]
        assert all(one["annotations"] > 0 for one in data["questions"])
        assert asked["kind"] != "set" or data["multilabel"] is not None
    # What matters is said with the first question of labels, by words or by a count of what was left out.
    data = assent("measure", *files, *flags(options), "-m", "percent-agreement", "--json").json["data"]
    left = [f"{one['rows']} {reason}" for one in data["dropped"] for reason in (one["reason"], plural(one["reason"]))]
    spoken = " ".join([*data["notes"], *left])
    for pattern in said:
        worded = pattern.replace("without an answer", "no answers?").replace("answers on survey pages", "survey pages?")
        assert re.search(worded, spoken, re.IGNORECASE), (pattern, spoken)


@pytest.mark.parametrize(("case", "path", "name", "options", "said"), CASES, ids=[c[0] for c in CASES])
def test_a_look_at_a_case(assent: Program, case: str, path: str, name: str, options: dict, said: list) -> None:
    files, want = files_of(case, path), expected_of(case)
    options = {key: value for key, value in options.items() if key != "names"}
    done = assent("look", *files, *flags(options), "--json")
    found = done.json
    assert (done.code, found["layout"]) == (0, name)
    seen = {one["name"]: one for one in found["questions"]}
    for asked in want["questions"]:
        one = seen[asked["question"]]
        assert {label["label"]: label["annotations"] for label in one["labels"]} == asked["label_counts"]
        assert one["annotations"] == (asked["spans"] if asked["kind"] == "span" else asked["annotations"])
        assert one["refused"] is None
    assert found["commands"]
    assert found["rows"]
    text = assent("look", *files, *flags(options))
    assert text.code == 0
    assert "@" not in done.out + text.out
    assert found["refused"] is None


def test_every_command_of_a_look_runs(assent: Program) -> None:
    import shlex

    commands = [one["command"] for one in assent("look", LABEL_STUDIO, "--json").json["commands"]]
    assert len(commands) == 7
    for command in commands:
        if " report " not in command:
            assert assent(*shlex.split(command)[1:], "-m", "percent-agreement", "--json").code == 0, command


@pytest.mark.parametrize(("file", "name", "options"), OTHERWISE, ids=[one[1][:40] for one in OTHERWISE])
def test_the_other_choice(assent: Program, file: str, name: str, options: list[str]) -> None:
    where = next(one for one in Path(file).parents if (one / "expected.json").exists())
    wanted = json.loads((where / "expected.json").read_text())["alternatives"][name]
    if "sentiment" in wanted:
        for question in ("sentiment", "topics", "stars"):
            check(assent, [file, "--question", question, *options], wanted[question])
    else:
        check(assent, [file, *options], wanted)


def test_models_are_annotators_if_asked_for(assent: Program) -> None:
    files = [str(HERE / "alttest-1" / f"{who}_annotations.json") for who in ("human", "llm")]
    wanted = expected_of("alttest-1")["alternatives"]["people and both models"]
    data = check(assent, [*files, "--with-models"], wanted).json["data"]
    assert data["annotators"] == 6
    assert len(data["models"]) == 2
    assert any("are programs" in note for note in data["notes"])
    assert assent("measure", *files, "-m", "percent-agreement", "--json").json["data"]["models"] == []


def test_without_a_question_the_first_with_labels_is_measured_and_all_are_listed(assent: Program) -> None:
    data = assent("measure", WITH_SPANS, "-m", "percent-agreement", "--json").json["data"]
    assert data["question"] == "tone"
    assert [(one["name"], one["kind"], one["annotations"]) for one in data["questions"]] == [
        ("ner", "spans", 32), ("tone", "label", 11)
    ]  # fmt: skip
    assert any('this is "tone"' in note and '"ner"' in note for note in data["notes"])
    data = assent("measure", WITH_SPANS, "--question", "tone", "-m", "percent-agreement", "--json").json["data"]
    assert not any("No question was named" in note for note in data["notes"])


@pytest.mark.parametrize("case", [*SPAN_FILES, "conll-1"])
def test_the_spans_of_a_case(assent: Program, case: str) -> None:
    files = CONLL if case == "conll-1" else [str(HERE / case / SPAN_FILES[case])]
    options = ["--empty", "nothing"] if case == "doccano-2" else ["--names"] if case == "labelbox-1" else []
    for asked in some(one for one in expected_of(case)["questions"] if one["kind"] == "span"):
        wanted = asked["agreement"]
        for match, words in (("exact", "exact span and label"), ("boundary", "exact span, label ignored")):
            for average, name in (("pairs", "mean pairwise F1"), ("pooled", "pooled F1")):
                done = assent(
                    "measure", *files, *options, "--question", asked["question"],
                    "-m", "span-f1", "--match", match, "--average", average, "--json",
                )  # fmt: skip
                assert done.only["value"] == pytest.approx(wanted[f"{words}: {name}"], abs=1e-12)
        assert done.json["data"]["annotations"] == asked["spans"]


@pytest.mark.parametrize(("case", "path"), SPANS_ONLY)
@pytest.mark.parametrize("command", ["items", "annotators", "labels", "consensus"])
def test_questions_about_spans_are_answered(assent: Program, case: str, path: str, command: str) -> None:
    done = assent(command, str(HERE / case / path), "--json")
    assert done.code == 0, done.err
    assert done.json["spans" if command == "consensus" else command]


@pytest.mark.parametrize(("case", "path"), SPANS_ONLY)
@pytest.mark.parametrize("command", ["ceiling", "sweep", "advise"])
def test_questions_about_labels_refuse_spans_in_a_sentence(assent: Program, case: str, path: str, command: str) -> None:
    done = assent(command, str(HERE / case / path))
    assert (done.code, done.out) == (2, "")
    assert "spans" in done.err
    assert done.err.count("\n") == 1


def test_python_reads_spans() -> None:
    found = library.read_all(WITH_SPANS)
    assert list(found) == ["ner", "tone"]
    spans, wanted = found["ner"], expected_of("label-studio-2")["questions"][0]
    assert isinstance(spans, Spans)
    assert (spans.kind, spans.n_items, spans.n_annotations, spans.annotators) == ("spans", 6, 32, ("1", "2"))
    assert sorted([d, a, p[0][0], p[0][1], label] for d, a, p, label in spans.rows()) == sorted(
        row[:5] for row in wanted["rows"]
    )
    assert len(spans.judged) == wanted["document_annotator_pairs_seen"]
    assert spans.texts == {}
    assert json.loads(json.dumps(spans.to_dict()))["questions"][0] == {
        "name": "ner",
        "kind": "spans",
        "annotations": 32,
    }
    document, who, ((begin, end),), _ = next(spans.rows())
    with_texts = library.read_all(WITH_SPANS, columns=["text"])["ner"]
    assert isinstance(with_texts, Spans)
    assert with_texts.texts[document][begin:end] == next(
        row[5] for row in wanted["rows"] if row[:4] == [document, who, begin, end]
    )
    alone = spans.without_annotators(["2"])
    assert (alone.annotators, {who for _, who, *_ in alone.rows()}) == (("1",), {"1"})
    assert library.measure(spans).quoted.measure == "span-f1"


def test_read_all_gives_what_can_be_measured_with_its_kind() -> None:
    found = library.read_all(LABEL_STUDIO)
    assert {name: data.kind for name, data in found.items()} == {
        "sentiment": "labels", "topics": "label-sets", "stars": "labels"
    }  # fmt: skip
    with pytest.raises(library.OptionError, match="names one question"):
        library.read_all(LABEL_STUDIO, question="stars")


def test_a_set_stays_a_set_if_every_set_holds_one_label(assent: Program, file: Files) -> None:
    task = {"data": {"text": "x"}, "annotations": []}
    tasks = []
    for n, choice in enumerate(("a", "b", "a")):
        given = {"type": "choices", "from_name": "topics", "to_name": "text", "value": {"choices": [choice]}}
        both = {**given, "value": {"choices": [choice, "c"]}}
        tasks.append({**task, "id": n, "annotations": [
            {"id": 10 * n + who, "completed_by": who, "result": [given if n or who == 1 else both]} for who in (1, 2)
        ]})  # fmt: skip
    path = file("export.json", json.dumps(tasks))
    assert library.read(path).kind == "label-sets"
    without = library.read(path, missing=["c"])
    assert (without.kind, without.single_labels) == ("label-sets", ("a", "b"))


# --- forms: zip, folder, several files, gz, standard input ---------------------------------------------------------


def value_of(done: Done) -> float:
    return done.only["value"]


def test_every_form_of_a_file_gives_the_same(assent: Program, file: Files, tmp_path: Path) -> None:
    content = Path(LABEL_STUDIO).read_bytes()
    options = ("--question", "sentiment", "-m", "krippendorff-alpha", "--json")
    wanted = value_of(assent("measure", LABEL_STUDIO, *options))
    assert wanted == pytest.approx(0.3848920863309352, abs=1e-9)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("export.json", content)
        archive.writestr("__MACOSX/._export.json", b"x")
    (tmp_path / "home").mkdir()
    shutil.copy(LABEL_STUDIO, tmp_path / "home" / "export.json")
    forms = [file("a.json.gz", gzip.compress(content)), file("a.zip", packed.getvalue()), str(tmp_path / "home")]
    for form in forms:
        assert value_of(assent("measure", form, *options)) == wanted, form
    assert value_of(assent("measure", "-", *options, stdin=content)) == wanted
    with open(LABEL_STUDIO, "rb") as stream:
        assert library.read(stream, question="sentiment").n_annotations == 46


def test_several_files(assent: Program) -> None:
    done = assent("measure", *CONLL, "-m", "krippendorff-alpha", "--json")
    assert value_of(done) == pytest.approx(0.6200508773074163, abs=1e-9)
    pattern = str(Path(CONLL[0]).parent / "*.conll")
    assert value_of(assent("measure", pattern, "-m", "krippendorff-alpha", "--json")) == value_of(done)


def test_the_format_can_be_said(assent: Program) -> None:
    done = assent("measure", LABEL_STUDIO, "--format", "label-studio", "-m", "percent-agreement", "--json")
    assert done.json["data"]["layout"] == "label-studio"
    done = assent("measure", LABEL_STUDIO, "--format", "label-studios")
    assert (done.code, "did you mean label-studio?" in done.err) == (2, True)


def test_what_is_said_of_columns_makes_it_a_table(assent: Program) -> None:
    options = ("--item", "HITId", "--annotator", "WorkerId", "--label", "Answer.sentiment", "--json")
    done = assent("measure", MTURK, *options, "-m", "percent-agreement")
    assert done.json["data"]["layout"] == "long"
    assert "format" not in done.json["data"]


# --- every command ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [["measure"], ["items"], ["annotators"], ["labels"], ["ceiling"], ["consensus"], ["advise"], ["explain", "-m", "fleiss-kappa"],
     ["plan", "--half-width", "0.1"], ["monitor"]],
    ids=lambda command: command[0],
)  # fmt: skip
def test_every_command_takes_an_export(assent: Program, command: list[str]) -> None:
    done = assent(*command, LABEL_STUDIO, "--question", "sentiment", "--json")
    assert done.json["data"]["question"] == "sentiment"
    assert assent(*command, LABEL_STUDIO, "--question", "sentiment").code == 0


def test_a_report_covers_all_questions_with_labels(assent: Program, tmp_path: Path) -> None:
    page = str(tmp_path / "report.html")
    done = assent("report", LABELBOX, "--json", "-o", page)
    found = done.json
    assert [one["name"] for one in found["questions"]] == ["entities", "tone", "topics"]
    html = Path(page).read_text(encoding="utf-8")
    assert "annotators.example" not in html + done.out
    assert "Not measured" not in done.out
    alone = assent("report", LABELBOX, "--question", "tone", "--json").json
    assert alone["verdict"]["measure"]
    assert alone.get("questions") is None


def test_texts_of_items_only_on_request(assent: Program) -> None:
    text = json.loads(Path(LABEL_STUDIO).read_text())[0]["data"]["text"]
    assert text not in assent("items", LABEL_STUDIO, "--json").out
    found = assent("items", LABEL_STUDIO, "--text", "text", "--json")
    assert text in json.dumps(found.json, ensure_ascii=False)
    done = assent("items", LABEL_STUDIO, "--text", "remark")
    assert (done.code, 'no "remark" to keep' in done.err) == (2, True)


def test_gold_of_the_export(assent: Program) -> None:
    toloka = str(next((HERE / "toloka-1").glob("*.tsv")))
    data = library.read(toloka)
    assert len(data.gold) == 3
    assert set(data.gold) <= set(data.to_rows().items)
    done = assent("consensus", toloka, "--gold", "export", "--json")
    assert done.json["consensus"]["gold"]["items"] == 3
    # One annotation is marked as ground truth, and is its annotator's all the same.
    done = assent("consensus", LABEL_STUDIO, "--gold", "export", "--json")
    assert done.json["consensus"]["gold"]["items"] == 1
    done = assent("consensus", MTURK, "--gold", "export")
    assert (done.code, done.out) == (2, "")


# --- options ---------------------------------------------------------------------------------------------------------


def test_addresses_are_shown_on_request_only(assent: Program) -> None:
    hidden = assent("annotators", LABELBOX, "--question", "tone", "--json")
    assert "@" not in hidden.out
    assert "A1" in hidden.out
    assert "ada@annotators.example" in assent("annotators", LABELBOX, "--question", "tone", "--names", "--json").out


def test_finished_documents_only() -> None:
    every, finished = (library.read_all(INCEPTION, finished_only=only)["NamedEntity value"] for only in (False, True))
    assert isinstance(every, Spans)
    assert isinstance(finished, Spans)
    assert len(every.judged) - len(finished.judged) == 1


def test_finished_only_and_annotator_from_name_are_options(assent: Program, tmp_path: Path) -> None:
    assert assent("look", INCEPTION, "--finished-only", "--json").json["questions"][0]["kind"] == "spans"
    for n, name in enumerate(("ada", "ben")):
        shutil.copy(CONLL[n], tmp_path / f"tags_{name}.conll")
    files = [str(tmp_path / f"tags_{name}.conll") for name in ("ada", "ben")]
    done = assent("annotators", *files, "--annotator-from-name", r"_(\w+)\.conll", "--json")
    assert {one["annotator"] for one in done.json["annotators"]} == {"ada", "ben"}
    done = assent("measure", *files, "--annotator-from-name", "(")
    assert (done.code, "no regular expression" in done.err) == (2, True)


def test_an_unknown_question(assent: Program) -> None:
    done = assent("measure", LABEL_STUDIO, "--question", "sentimant")
    assert (done.code, done.out) == (2, "")
    assert 'no question "sentimant"; did you mean "sentiment"?' in done.err


@pytest.mark.parametrize(
    "option",
    [["--with-models"], ["--finished-only"], ["--keep-rejected"], ["--names"], ["--empty", "nothing"],
     ["--question", "a"]],
    ids=lambda option: option[0],
)  # fmt: skip
def test_what_only_exports_have_is_refused_for_a_table(assent: Program, wide: str, option: list[str]) -> None:
    done = assent("measure", wide, *option)
    assert (done.code, done.out) == (2, "")
    assert option[0] in done.err
    assert "read as a table" in done.err


QUESTIONS = "item,annotator,label,field\n" + "".join(
    f"{item},{who},{label},{field}\n"
    for field, labels in {"polite": "yyny", "true": "abba"}.items()
    for n, label in enumerate(labels)
    for item, who in [(n // 2, "xy"[n % 2])]
)


def test_questions_of_a_table(assent: Program, file: Files) -> None:
    path = file("rows.csv", QUESTIONS)
    found = library.read_all(path, questions="field")
    assert {name: data.labels for name, data in found.items()} == {"polite": ("n", "y"), "true": ("a", "b")}
    options = ("-m", "percent-agreement", "--json")
    one = assent("measure", path, "--questions", "field", "--question", "true", *options)
    assert one.json["data"]["labels"] == ["a", "b"]
    first = assent("measure", path, "--questions", "field", *options).json["data"]
    assert first["labels"] == ["n", "y"]
    assert any("No question was named" in note for note in first["notes"])
    path = file("columns.csv", "item,annotator,polite,true\n1,x,y,a\n1,y,y,b\n2,x,n,b\n2,y,n,b\n")
    one = assent("measure", path, "--question-columns", "polite,true", "--question", "true", *options)
    assert (one.json["data"]["labels"], one.only["value"]) == (["a", "b"], 0.5)
    done = assent("measure", path, "--question-columns", "polite,true", "--question", "tru")
    assert (done.code, 'did you mean "true"?' in done.err) == (2, True)
    assert list(library.read_all(path, label="polite")) == ["polite"]


# --- trouble ---------------------------------------------------------------------------------------------------------


def zipped(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return packed.getvalue()


def link() -> zipfile.ZipInfo:
    made = zipfile.ZipInfo("link.jsonl")
    made.external_attr = 0o120777 << 16
    return made


ROW = b'{"id": 1, "text": "x", "label": ["a"]}\n'
XMI = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><xmi:XMI xmlns:xmi="http://www.omg.org/XMI">&b;</xmi:XMI>'
#: Made when they are asked for: every process that collects tests would pack 192 MB.
HOSTILE: dict[str, Callable[[], bytes]] = {
    "above.zip": lambda: zipped(("../evil.jsonl", ROW), ("ada.jsonl", ROW)),
    "absolute.zip": lambda: zipped(("/tmp/evil.jsonl", ROW)),
    "backslash.zip": lambda: zipped(("a\\..\\evil.jsonl", ROW)),
    "link.zip": lambda: zipped((link(), b"/etc/passwd")),
    "bomb.zip": lambda: zipped(("ada.jsonl", b"0" * (64 << 20)), ("ben.jsonl", ROW)),
    "nested.zip": lambda: zipped(("a.zip", zipped(("b.zip", zipped(("c.zip", zipped(("ada.jsonl", ROW)))))))),
    "broken.zip": lambda: zipped(("ada.jsonl", ROW * 50))[:60],
    "empty.zip": lambda: zipped(),
    # 128 MB, of which one is packed.
    "bomb.csv.gz": lambda: gzip.compress(b"0" * (1 << 20)) * 128,
    "broken.json.gz": lambda: gzip.compress(Path(LABEL_STUDIO).read_bytes())[:-200],
    "deep.json": lambda: (
        b'[{"data": {"t": "x"}, "annotations": [' + b'{"result": ' * 5000 + b"1" + b"}" * 5000 + b"]}]"
    ),
    "cut.json": lambda: Path(LABEL_STUDIO).read_bytes()[:-300],
    "entities.xmi": lambda: XMI,
    "bytes.json": lambda: b'[{"data": {}, "annotations": [\xff\xfe]}]',
}


@cache
def hostile(name: str) -> bytes:
    return HOSTILE[name]()


@pytest.mark.parametrize("command", ["measure", "report"])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_end_in_one_sentence(
    assent: Program, file: Files, tmp_path: Path, name: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = file(name, hostile(name))
    before = {one: one.stat().st_mtime_ns for one in tmp_path.rglob("*")}
    done = assent(command, path, *(["--json"] if command == "report" else []))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("assent: ")
    assert done.err.count("\n") == 1
    assert "defect" not in done.err
    assert "Traceback" not in done.err
    assert done.err.rstrip().endswith((".", "?"))
    assert {one: one.stat().st_mtime_ns for one in tmp_path.rglob("*")} == before
    assert assent("look", path, "--json").code in (0, 2)


def test_hostile_names_do_not_reach_the_terminal(assent: Program, file: Files) -> None:
    red = "\x1b[31mred\n"
    tasks = [
        {"id": n, "data": {"text": "x"}, "annotations": [
            {"id": 10 * n + who, "completed_by": who, "result": [
                {"type": "choices", "from_name": f"tone{red}", "to_name": "text", "value": {"choices": [f"{red}{n}"]}}
            ]} for who in (1, 2)
        ]} for n in range(3)
    ]  # fmt: skip
    path = file("export.json", json.dumps(tasks))
    for arguments in (
        ("measure", path),
        ("look", path),
        ("look", path, "--json"),
        ("measure", path, "--question", f"x{red}"),
    ):
        done = assent(*arguments)
        assert "\x1b" not in done.out + done.err
        assert done.code == (2 if "--question" in arguments else 0)


# --- looks at tables -------------------------------------------------------------------------------------------------


def test_a_look_at_a_long_table(assent: Program, file: Files) -> None:
    rows = "unit,who,code,batch\n1,ann,Pos,7\n1,bob,pos,7\n2,ann,neg,8\n2,bob,-99,8\n3,ann,NA,8\n3,bob,neg,8\n"
    path = file("labels.csv", rows)
    found = assent("look", path, "--json").json
    assert (found["format"], found["layout"], found["refused"]) == ("csv", "long", None)
    assert {one["name"]: one["role"] for one in found["columns"]} == {
        "unit": "item", "who": "annotator", "code": "label", "batch": "not used"
    }  # fmt: skip
    (one,) = found["questions"]
    assert {each["label"]: each["annotations"] for each in one["labels"]} == {"neg": 2, "Pos": 1, "pos": 1, "-99": 1}
    assert [(pair["first"], pair["second"]) for pair in one["similar"]] == [("Pos", "pos")]
    assert one["missing"] == ["-99"]
    assert found["dropped"] == [{"reason": 'missing label ("NA")', "rows": 1}]
    assert found["rows"][0] == ["1", "ann", "Pos", "7"]
    commands = [each["command"] for each in found["commands"]]
    assert commands[0] == f"assent measure {path} --item unit --annotator who --label code"
    assert f"{commands[0]} --missing=-99" in commands
    assert any("--label batch" in command for command in commands)
    text = assent("look", path).out
    for said in (
        "unit",
        "annotator",
        "usually means no label",
        "case or blanks",
        "Commands to copy",
        "Would be left out",
    ):
        assert said in text


LAYOUTS = {
    "wide": ("item,r1,r2,r3\n1,a,a,b\n2,b,b,b\n3,a,c,c\n", "wide"),
    "counts": ("item,yes,no\n1,3,0\n2,1,2\n3,2,1\n", "counts"),
    "table": (",pos,neg\npos,20,5\nneg,10,15\n", "table"),
    "transposed": ("annotator,i1,i2,i3\nann,a,b,a\nbob,a,b,b\n", "wide"),
    "sets": ("item,annotator,label\n1,x,a;b\n1,y,a\n2,x,b\n2,y,b;c\n", "long"),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_first_command_of_a_look_reads_the_same(assent: Program, file: Files, name: str) -> None:
    import shlex

    content, layout = LAYOUTS[name]
    path = file(f"{name}.csv", content)
    found = assent("look", path, "--json").json
    assert (found["layout"], found["refused"]) == (layout, None)
    said = assent(*shlex.split(found["commands"][0]["command"])[1:], "-m", "percent-agreement", "--json")
    plain = assent("measure", path, "-m", "percent-agreement", "--json")
    for key in ("items", "annotators", "annotations", "labels", "layout"):
        assert said.json["data"][key] == plain.json["data"][key]
    assert said.only["value"] == plain.only["value"]
    assert assent("look", path).code == 0


def test_numbers_are_said_to_be_names(assent: Program, numbers: str) -> None:
    found = assent("look", numbers, "--json").json
    assert found["questions"][0]["numeric"]
    assert any("--scale ordinal" in one["command"] for one in found["commands"])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("item,annotator,label\n1,x,a\n1,x,b\n2,y,a\n2,y,a\n3,x,a\n", "occur more than once"),
        ("item,annotator,label\n1,x,a\n2,y,b\n3,x,a\n", "nothing to compare"),
        ("item,annotator,label\n1,x,\n1,y,\n", "No row of the table"),
        ("a\n1\n2\n", "only one column"),
    ],
)
def test_a_look_at_what_would_be_refused_says_why(assent: Program, file: Files, content: str, said: str) -> None:
    path = file("odd.csv", content)
    assert assent("measure", path).code == 2
    found = assent("look", path, "--json")
    assert found.code == 0
    assert said in found.json["refused"]
    assert found.json["columns"]
    text = assent("look", path)
    assert text.code == 0
    assert "would not be measured" in text.out


def test_there_must_be_something_to_look_at(assent: Program, tmp_path: Path) -> None:
    done = assent("look", str(tmp_path / "nothing.csv"))
    assert (done.code, done.out) == (2, "")


def test_a_look_hides_addresses_in_tables(assent: Program, file: Files) -> None:
    path = file(
        "mail.csv", "item,annotator,label\n1,ann@x.example,a\n1,bob@x.example,b\n2,ann@x.example,a\n2,bob@x.example,a\n"
    )
    for arguments in (("look", path), ("look", path, "--json")):
        assert "@" not in assent(*arguments).out
        assert "ann@x.example" in assent(*arguments, "--names").out
    wide = file("wide.csv", "item,ann@x.example,bob@x.example\n1,a,b\n2,a,a\n")
    assert "@" not in assent("look", wide, "--json").out


def test_a_look_at_other_formats(assent: Program, tmp_path: Path, file: Files) -> None:
    import polars as pl

    frame = pl.DataFrame({"item": [1, 1, 2, 2], "annotator": ["x", "y", "x", "y"], "label": ["a", "a", "b", "a"]})
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_ndjson(tmp_path / "a.jsonl")
    file("a.json", frame.write_json())
    for name in ("a.parquet", "a.jsonl", "a.json"):
        found = assent("look", str(tmp_path / name), "--json").json
        assert (found["format"], found["layout"]) == (name.split(".")[1], "long"), name
        assert found["questions"][0]["annotations"] == 4
    found = assent("look", "-", "--json", stdin=frame.write_csv().encode()).json
    assert found["layout"] == "long"
    assert found["questions"][0]["items"] == 2


def test_python_looks_too() -> None:
    found = library.look(LABEL_STUDIO)
    assert isinstance(found, library.Look)
    assert "sentiment" in found.html()
    assert found.to_dict()["layout"] == "label-studio"


def test_the_options_of_reading_are_those_of_read() -> None:
    import inspect

    from msgspec.structs import asdict

    from assent.readers.reading import Reading

    # A mapping that is not given is None to `read`, since a default must not be one that changes.
    held = {name: one or None if isinstance(one, dict) else one for name, one in asdict(Reading()).items()}
    read = {name: one.default for name, one in inspect.signature(library.read).parameters.items() if name != "sources"}
    assert read == held


def test_models_of_an_export_from_standard_input_are_judged(assent: Program) -> None:
    """The export is read a second time with its models, and standard input is there only once."""
    path = Path(__file__).parents[1] / "readers/exports/cases/argilla-2/records.json"
    piped, named = assent("judge", "-", "--json", stdin=path.read_bytes()), assent("judge", str(path), "--json")
    assert (piped.code, piped.err) == (named.code, named.err) == (0, "")
    assert json.loads(piped.out) == json.loads(named.out)
