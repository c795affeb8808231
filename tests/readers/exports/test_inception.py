"""INCEpTION and WebAnno: projects, folders of documents, the exports of the agreement page."""

import io
import json
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.readers.exports.span_scores import check_agreement, check_question, is_read_or_refused, pairwise
from tests.readers.exports.test_cas import NER, cas, made_with_cassis, span
from tests.support import BESIDE

from assent.errors import EmptyTable, UnknownLayout, UnreadableFile
from assent.readers.exports import Answers, Export, LeftOut, ReadOptions, Source, Spans, read_export, recognise

CASES = Path(__file__).parent / "cases"
CASE = CASES / "inception-1"
EXPECTED = json.loads((CASE / "expected.json").read_text(encoding="utf-8"))
REAL = BESIDE / "exports/cases/inception-2"


def zipped(files: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def packed(files: dict[str, str | bytes]) -> Source:
    return Source.of_bytes("export.zip", zipped(files))


def unpacked() -> dict[str, bytes]:
    with zipfile.ZipFile(CASE / "project.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def project(*states: tuple[str, str, str]) -> str:
    documents = dict.fromkeys(document for document, _, _ in states)
    return json.dumps({
        "name": "P",
        "source_documents": [{"name": name} for name in documents],
        "annotation_documents": [{"name": d, "user": u, "state": s} for d, u, s in states],
    })  # fmt: skip


def tsv(*labels: str, layer: str = NER, tokens: str = "Mira left Lindau") -> str:
    """Return a document with a label for each token; none has the header of its layer."""
    begin, lines = 0, []
    for number, (token, label) in enumerate(zip(tokens.split(), labels, strict=False), 1):
        lines.append(f"1-{number}\t{begin}-{begin + len(token)}\t{token}\t{label}\t" if labels else "")
        begin += len(token) + 1
    if not labels:
        begin = 0
        for number, token in enumerate(tokens.split(), 1):
            lines.append(f"1-{number}\t{begin}-{begin + len(token)}\t{token}\t")
            begin += len(token) + 1
    header = [f"#T_SP={layer}|value"] if labels else []
    return "\n".join(["#FORMAT=WebAnno TSV 3.3", *header, "", "", f"#Text={tokens}", *lines]) + "\n"


def rows(question) -> list:
    return sorted(
        (d, a, *p[0], label)
        for d, a, p, label in zip(question.document, question.annotator, question.parts, question.label, strict=True)
    )


def spoken(export: Export) -> str:
    return " ".join(export.said())


# --- projects -------------------------------------------------------------------------------------------------------


def check_case(export: Export) -> None:
    (question,) = export.questions
    assert question.name == "NamedEntity value"
    check_question(question, EXPECTED["questions"][0])
    assert set(export.left_out) == {
        LeftOut(reason="gold", rows=2, detail="curation (CURATION_USER)"),
        LeftOut(reason="not-measured", rows=6, detail="INITIAL_CAS"),
        LeftOut(reason="ignored", rows=1, detail="state IGNORE (locked)"),
    }
    for part in (
        "The curation (2 documents) is gold, not an annotator.",
        "INITIAL_CAS is the document as it was imported and nobody's work.",
        "Still in progress: 1 document (cleo, letter-04.txt); included, as on INCEpTION's own agreement page; `finished_only`",
        "Locked and left out: 1 document (cleo, letter-05.txt).",
        "Never opened: 1 document (cleo, letter-06.txt).",
        "UTF-16",
    ):
        assert part in spoken(export)


def test_case():
    check_case(read_export(CASE / "project.zip"))


def test_the_case_unpacked(tmp_path):
    with zipfile.ZipFile(CASE / "project.zip") as archive:
        archive.extractall(tmp_path)
    check_case(read_export(tmp_path))


def test_the_case_repacked_with_a_top_folder():
    files = {f"Letters/{name}": content for name, content in unpacked().items()}
    files["__MACOSX/Letters/._exportedproject.json"] = b"\0"
    files["Letters/.DS_Store"] = b"\0"
    check_case(read_export(packed(files)))


def test_finished_only():
    export = read_export(CASE / "project.zip", options=ReadOptions(finished_only=True))
    check_agreement(export.questions[0], EXPECTED["alternatives"]["finished documents only"])
    assert LeftOut(reason="unfinished", rows=1, detail="state IN_PROGRESS") in export.left_out


def test_the_curation_is_gold():
    (question,) = read_export(CASE / "project.zip").questions
    assert isinstance(question, Spans)
    assert set(question.gold) == {"letter-01.txt", "letter-02.txt"}
    curated = [(d, p, label) for d, found in question.gold.items() for p, label in found]
    with_gold = replace(
        question,
        document=question.document + [d for d, _, _ in curated],
        annotator=question.annotator + ["CURATION"] * len(curated),
        parts=question.parts + [p for _, p, _ in curated],
        label=question.label + [label for _, _, label in curated],
        seen=question.seen + [(d, "CURATION") for d in question.gold],
    )
    found = pairwise(with_gold)
    for pair, wanted in EXPECTED["alternatives"]["pairs with the curation"].items():
        assert found[pair] == tuple(wanted[k] for k in ("documents", "spans_a", "spans_b", "matched"))


def test_documents_without_a_span_can_count_as_not_seen():
    (question,) = read_export(CASE / "project.zip", options=ReadOptions(empty="missing")).questions
    assert len(question.seen) == 13
    assert question.left_out == (LeftOut(reason="no-answer", rows=3, detail="documents without a span"),)


def test_texts_beyond_the_room_are_not_kept():
    (question,) = read_export(CASE / "project.zip", options=ReadOptions(keep_texts=100)).questions
    assert 0 < sum(map(len, question.texts.values())) <= 100
    assert len(question.lengths) == 6


def test_java_objects_are_never_opened():
    files = unpacked()
    changed = {name: b"PK\x03\x04 broken" if name.endswith(".ser") else content for name, content in files.items()}
    check_case(read_export(packed(changed)))


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"annotation_ser/a.txt/ada.ser": b"\xac\xed"}, "backup of an INCEpTION project.*export again with UIMA CAS JSON"),
        ({}, "backup of an INCEpTION project.*export again with UIMA CAS JSON"),
        ({"annotation/a.txt/ada.txt": "Mira left Lindau"}, r"\(1 \.txt\) hold no annotations; export again with UIMA CAS JSON"),
        ({"annotation/a.txt/ada.zip": zipped({"ada.txt": "a"})}, "export again with UIMA CAS JSON"),
    ],
)  # fmt: skip
def test_projects_without_readable_annotations(files, said):
    source = packed({"exportedproject.json": project(("a.txt", "ada", "FINISHED")), "source/a.txt": "Mira", **files})
    assert recognise(source).name == "inception"
    with pytest.raises(UnreadableFile, match=said):
        read_export(source)


def test_inner_zips_of_2021_and_of_now():
    data = {"ada": cas(span(NER, 3, 7, value="PER")), "ben": cas(span(NER, 3, 7, value="LOC"))}
    source = packed({
        "exportedproject123.json": project(("a.txt", "ada", "FINISHED"), ("a.txt", "ben", "FINISHED")),
        "annotation/a.txt/webanno1234export.zip": zipped({"ada.json": json.dumps(data["ada"])}),
        "annotation/a.txt/ben.zip": zipped({"a.txt.json": json.dumps(data["ben"])}),
        "curation/a.txt/webanno5export.zip": zipped({"CURATION_USER.json": json.dumps(data["ada"])}),
    })  # fmt: skip
    (question,) = read_export(source).questions
    assert rows(question) == [("a.txt", "ada", 2, 6, "PER"), ("a.txt", "ben", 2, 6, "LOC")]
    assert question.gold == {"a.txt": ((((2, 6),), "PER"),)}


def test_inner_zips_with_xmi():
    xmi, types, _ = made_with_cassis()
    inner = {name: zipped({f"{name}.xmi": xmi, "TypeSystem.xml": types}) for name in ("ada", "ben")}
    source = packed({
        "exportedproject.json": project(),
        "annotation/a.txt/webanno1export.zip": inner["ada"],
        "annotation/a.txt/webanno2export.zip": inner["ben"],
    })  # fmt: skip
    export = read_export(source)
    assert [q.name for q in export.questions] == [
        "NamedEntity value", "NamedEntity identifier", "Tags tags", "Tone tone"
    ]  # fmt: skip
    assert len(rows(export.questions[0])) == 6
    assert "UIMA CAS XMI" in export.format
    tone = export.questions[3]
    assert isinstance(tone, Answers)
    assert (tone.kind, tone.item, tone.annotator, tone.value) == (
        "label",
        ["a.txt", "a.txt"],
        ["ada", "ben"],
        ["formal", "formal"],
    )


def test_layers_of_documents_are_labels():
    def one(*tones: str | None) -> str:
        return json.dumps(cas(*({"%TYPE": "custom.Tone", **({"tone": t} if t else {})} for t in tones)))

    files = {
        "exportedproject.json": project(),
        "annotation/a.txt/ada.json": one("formal"), "annotation/a.txt/ben.json": one("casual"),
        "annotation/b.txt/ada.json": one("formal"), "annotation/b.txt/ben.json": one(None), "annotation/c.txt/ada.json": one(),
        "curation/a.txt/CURATION_USER.json": one("formal"),
    }  # fmt: skip
    (question,) = read_export(packed(files)).questions
    assert isinstance(question, Answers)
    assert question.kind == "label"
    assert sorted(zip(question.item, question.annotator, question.value, strict=True)) == [
        ("a.txt", "ada", "formal"), ("a.txt", "ben", "casual"), ("b.txt", "ada", "formal")
    ]  # fmt: skip
    assert question.gold == {"a.txt": "formal"}
    assert question.left_out == (LeftOut(reason="no-answer", rows=2, detail="documents without a value"),)
    files["annotation/c.txt/ben.json"] = one("formal", "angry")
    (question,) = read_export(packed(files)).questions
    assert question.kind == "set"
    assert question.value[-1] == ("angry", "formal")
    assert question.gold == {"a.txt": ("formal",)}
    (question,) = read_export(packed(files), options=ReadOptions(empty="nothing")).questions
    assert question.value.count(()) == 2


def test_what_nobody_changed_since_the_import_is_no_question():
    pos = "de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS"

    def one(value: str | None, tag: str = "NN") -> str:
        spans = [{"%TYPE": pos, "begin": 3, "end": 7, "PosValue": tag}]
        if value:
            spans.append(span(NER, 3, 7, value=value))
        return json.dumps(cas(*spans))

    files = {
        "exportedproject.json": project(("a", "ada", "FINISHED"), ("a", "ben", "IN_PROGRESS")),
        "annotation/a/INITIAL_CAS.json": one(None), "annotation/a/ada.json": one("PER"), "annotation/a/ben.json": one(None),
    }  # fmt: skip
    export = read_export(packed(files))
    assert [q.name for q in export.questions] == ["NamedEntity value"]
    assert "Not asked: POS PosValue, which came with the document and which nobody changed." in spoken(export)
    assert "Of these 1 is as imported." in spoken(export)
    assert export.questions[0].seen == [("a", "ada"), ("a", "ben")]
    changed = {**files, "annotation/a/ben.json": one(None, "NE")}
    assert [q.name for q in read_export(packed(changed)).questions] == ["POS PosValue", "NamedEntity value"]
    del files["annotation/a/INITIAL_CAS.json"]
    assert [q.name for q in read_export(packed(files)).questions] == ["POS PosValue", "NamedEntity value"]
    with pytest.raises(EmptyTable, match="POS PosValue came with the document and nobody changed it"):
        read_export(packed({**files, "annotation/a/INITIAL_CAS.json": one(None), "annotation/a/ada.json": one(None)}))


def test_labels_given_to_imported_spans_are_a_question():
    files = {
        "exportedproject.json": project(),
        "annotation/a/INITIAL_CAS.tsv": tsv("*", "_", "*"),
        "annotation/a/ada.tsv": tsv("PER", "_", "LOC"), "annotation/a/ben.tsv": tsv("PER", "_", "*"),
    }  # fmt: skip
    (question,) = read_export(packed(files)).questions
    assert [row[1:] for row in rows(question)] == [
        ("ada", 0, 4, "PER"), ("ada", 10, 16, "LOC"), ("ben", 0, 4, "PER"), ("ben", 10, 16, "")
    ]  # fmt: skip
    assert "1 of 4 annotations have no value; their label is empty." in question.notes


def test_a_layer_without_any_value_is_asked_for_its_places():
    files = {
        "exportedproject.json": project(),
        "annotation/a/ada.tsv": tsv("*", "_", "_"),
        "annotation/a/ben.tsv": tsv(),
    }
    (question,) = read_export(packed(files)).questions
    assert question.name == "NamedEntity"
    assert rows(question) == [("a", "ada", 0, 4, "")]
    assert question.seen == [("a", "ada"), ("a", "ben")]


def test_layers_of_one_name_keep_their_whole_names():
    files = {
        "exportedproject.json": project(),
        "annotation/a/ada.tsv": tsv("X", "_", "_", layer="one.Span"), "annotation/a/ben.tsv": tsv("Y", "_", "_", layer="two.Span"),
    }  # fmt: skip
    assert [q.name for q in read_export(packed(files)).questions] == ["one.Span value", "two.Span value"]


def test_states():
    files = {
        "exportedproject.json": project(
            ("a", "ada", "FINISHED"), ("a", "ben", "NEW"), ("b", "ada", "NEW"), ("b", "ben", "FINISHED"), ("a", "idle@x.example", "NEW")
        ),
        "annotation/a/ada.tsv": tsv("PER", "_", "_"), "annotation/a/ben.tsv": tsv(), "annotation/b/ben.tsv": tsv(),
    }  # fmt: skip
    export = read_export(packed(files))
    assert export.questions[0].seen == [("a", "ada"), ("b", "ben")]
    assert LeftOut(reason="unfinished", rows=1, detail="state NEW (never opened)") in export.left_out
    assert "Never opened: 2 documents (ada, b; ben, a)." in spoken(export)
    assert "Opened no document: A1." in spoken(export)
    assert "@" not in spoken(export)


def test_e_mail_addresses_are_hidden():
    files = {
        "exportedproject.json": project(),
        "annotation/a/ada@x.example.tsv": tsv("PER", "_", "_"),
        "annotation/a/b@x.example.tsv": tsv(),
    }
    export = read_export(packed(files))
    assert export.questions[0].seen == [("a", "A1"), ("a", "A2")]
    assert export.names == {"A1": "ada@x.example", "A2": "b@x.example"}
    named = read_export(packed(files), options=ReadOptions(names=True))
    assert ("a", "ada@x.example") in named.questions[0].seen


def test_nobody_worked():
    with pytest.raises(EmptyTable, match="no document that an annotator worked on"):
        read_export(packed({"exportedproject.json": project(), "annotation/a/INITIAL_CAS.tsv": tsv()}))
    with pytest.raises(EmptyTable, match="Nobody annotated a span"):
        read_export(
            packed({"exportedproject.json": project(), "annotation/a/ada.tsv": tsv(), "annotation/a/ben.tsv": tsv()})
        )


@pytest.mark.parametrize(
    "described", ["[]", '{"annotation_documents": 3}', '{"annotation_documents": [1, {"name": 3, "user": []}]}']
)
def test_a_strange_description_does_no_harm(described):
    files = {
        "exportedproject.json": described,
        "annotation/a/ada.tsv": tsv("PER", "_", "_"),
        "annotation/a/ben.tsv": tsv(),
    }
    assert len(read_export(packed(files)).questions[0].seen) == 2


# --- folders of documents -------------------------------------------------------------------------------------------


@pytest.mark.skipif(not REAL.exists(), reason="the files of INCEpTION's own tests are not here")
def test_files_of_inception():
    expected = json.loads((REAL / "expected.json").read_text(encoding="utf-8"))
    export = read_export(REAL)
    questions = {q.name: q for q in export.questions}
    for wanted in expected["questions"]:
        check_question(questions[wanted["question"]], wanted)
    assert next(iter(questions)) == "NamedEntity value"
    assert export.left_out == (LeftOut(reason="not-measured", rows=2, detail="relations: Dependency"),)
    assert "The annotator is the name of the file, the document the folder." in spoken(export)
    assert "NamedEntity (identifier, value), POS (PosValue, coarseValue), Dependency (of relations)" in spoken(export)


def test_annotators_in_folders_where_the_texts_say_so():
    other = "So said Okafor"
    files = {
        "ada/x.tsv": tsv("PER", "_", "_"), "ada/y.tsv": tsv("_", "_", "PER", tokens=other),
        "ben/x.tsv": tsv("LOC", "_", "_"), "ben/y.tsv": tsv("_", "_", "LOC", tokens=other),
    }  # fmt: skip
    export = read_export(packed(files))
    assert rows(export.questions[0]) == [
        ("x", "ada", 0, 4, "PER"), ("x", "ben", 0, 4, "LOC"), ("y", "ada", 8, 14, "PER"), ("y", "ben", 8, 14, "LOC")
    ]  # fmt: skip
    assert "annotator is the folder" in spoken(export)
    alone = read_export(packed({name: content for name, content in files.items() if name.endswith("x.tsv")}))
    assert rows(alone.questions[0]) == [("x", "ada", 0, 4, "PER"), ("x", "ben", 0, 4, "LOC")]


def test_annotation_and_curation_folders_alone():
    files = {
        "p/annotation/a/ada.tsv": tsv("PER", "_", "_"),
        "p/annotation/a/ben.tsv": tsv(),
        "p/annotation/b/ben.tsv": tsv(),
    }
    assert rows(read_export(packed(files)).questions[0]) == [("a", "ada", 0, 4, "PER")]
    files = {name.removeprefix("p/"): content for name, content in files.items()}
    files["curation/a/CURATION_USER.tsv"] = tsv("LOC", "_", "_")
    (question,) = read_export(packed(files)).questions
    assert rows(question) == [("a", "ada", 0, 4, "PER")]
    assert question.gold == {"a": ((((0, 4),), "LOC"),)}


def test_files_of_one_document(tmp_path):
    for name, label in (("ada", "PER"), ("ben", "LOC")):
        (tmp_path / f"{name}.tsv").write_text(tsv(label, "_", "_"))
    export = read_export(tmp_path / "ada.tsv", tmp_path / "ben.tsv")
    assert [row[1:] for row in rows(export.questions[0])] == [("ada", 0, 4, "PER"), ("ben", 0, 4, "LOC")]


def test_xmi_in_a_folder():
    xmi, types, _ = made_with_cassis()
    source = packed({"a/ada.xmi": xmi, "a/ben.xmi": xmi, "a/TypeSystem.xml": types})
    assert recognise(source).name == "webanno"
    assert len(read_export(source).questions) == 4


@pytest.mark.parametrize(
    ("files", "error", "said"),
    [
        ({"a/ada.tsv": tsv("PER", "_", "_")}, UnknownLayout, "one document of one annotator"),
        ({"a/x.tsv": tsv(), "a/y.tsv": tsv(tokens="other text")}, UnknownLayout, "are not the same text"),
        ({"a/x.tsv": tsv(), "a/y.tsv": "#FORMAT=WebAnno TSV 2.0\n"}, UnreadableFile, "is WebAnno TSV 2"),
        ({"a/x.tsv": tsv(), "a/y.tsv": " # webanno.custom.Span | f1\n"}, UnreadableFile, "no WebAnno TSV 3"),
        ({"a/x.xmi": "<xmi:XMI/>", "a/y.xmi": "<xmi:XMI/>"}, UnreadableFile, r"without its TypeSystem\.xml"),
        ({"a/x.xmi": "<!DOCTYPE a><xmi:XMI/>", "a/TypeSystem.xml": "<a/>"}, UnreadableFile, "document type"),
    ],
)  # fmt: skip
def test_what_is_refused(files, error, said):
    with pytest.raises(error, match=said):
        read_export(packed(files))


# --- the agreement page ---------------------------------------------------------------------------------------------

PAGE = "doc,user,begin,end,text,label\na,ada,0,4,Mira,PER\na,ada,0,4,Mira,PER\na,ben,0,4,Mira,LOC\nb,ada,10,16,Lindau,\na,CURATION_USER,0,4,Mira,PER\n"


def test_spans_of_the_agreement_page():
    source = Source.of_bytes("agreement.csv", PAGE.encode())
    assert recognise(source).name == "inception-agreement"
    export = read_export(source)
    (question,) = export.questions
    assert rows(question) == [
        ("a", "ada", 0, 4, "PER"),
        ("a", "ada", 0, 4, "PER"),
        ("a", "ben", 0, 4, "LOC"),
        ("b", "ada", 10, 16, ""),
    ]
    assert sorted(question.seen) == [("a", "ada"), ("a", "ben"), ("b", "ada")]
    assert question.gold == {"a": ((((0, 4),), "PER"),)}
    assert "counts as not having seen it" in spoken(export)
    assert "UTF-16" in spoken(export)
    everything = read_export(source, options=ReadOptions(empty="nothing")).questions[0]
    assert sorted(everything.seen) == [("a", "ada"), ("a", "ben"), ("b", "ada"), ("b", "ben")]


def test_the_agreement_page_as_json():
    records = [{"doc": "a", "user": "ada", "begin": 0, "end": 4, "text": "Mira", "label": "PER"},
               {"doc": "a", "user": "AnnotationSet[id=ben, displayName=Ben]", "begin": 0, "end": 4, "text": "Mira", "label": None}]  # fmt: skip
    (question,) = read_export(Source.of_bytes("agreement.json", json.dumps(records).encode())).questions
    assert rows(question) == [("a", "ada", 0, 4, "PER"), ("a", "ben", 0, 4, "")]


def test_documents_of_the_agreement_page():
    text = "doc,user,label\na,ada,formal\na,ben,casual\nb,ada,\na,CURATION_USER,formal\n"
    (question,) = read_export(Source.of_bytes("agreement.csv", text.encode())).questions
    assert isinstance(question, Answers)
    assert (question.kind, question.item, question.value) == ("label", ["a", "a"], ["formal", "casual"])
    assert question.gold == {"a": "formal"}
    assert question.left_out == (LeftOut(reason="no-answer", rows=1, detail=""),)
    (several,) = read_export(Source.of_bytes("agreement.csv", f"{text}a,ada,angry\n".encode())).questions
    assert several.kind == "set"
    assert several.value == [("angry", "formal"), ("casual",)]


DIAGNOSIS = """Type,Collection,Document,Layer,Feature,Position,Flags,ada,ben,cleo,CURATION_USER
SpanPosition,p,a,custom.Name,value,0-4 [Mira],"COMPLETE, USED",PER,LOC,PER,PER
SpanPosition,p,a,custom.Name,value,9-12 [x],USED,PER,<no annotation>,<no label>,<no annotation>
SpanPosition,p,b,custom.Name,value,0-4 [Mira],USED,<no annotation>,PER,<not evaluated>,LOC
SpanPosition,p,b,custom.Name,value,5-8 [y],"STACKED, DIFFERENCE","PER, LOC",PER,PER,PER
"""


def test_the_diagnosis_of_the_agreement_page():
    export = read_export(Source.of_bytes("diff.csv", DIAGNOSIS.encode()))
    (question,) = export.questions
    assert isinstance(question, Answers)
    assert (question.name, question.kind) == ("Name value", "label")
    assert list(zip(question.item, question.annotator, question.value, strict=True)) == [
        ("a: 0-4 [Mira]", "ada", "PER"), ("a: 0-4 [Mira]", "ben", "LOC"), ("a: 0-4 [Mira]", "cleo", "PER"),
        ("a: 9-12 [x]", "ada", "PER"), ("a: 9-12 [x]", "cleo", "<no label>"), ("b: 0-4 [Mira]", "ben", "PER"),
    ]  # fmt: skip
    assert question.gold == {"a: 0-4 [Mira]": "PER", "b: 0-4 [Mira]": "LOC"}
    assert question.left_out == (LeftOut(reason="no-answer", rows=3, detail=""),)
    assert [(left.reason, left.rows) for left in export.left_out] == [("not-measured", 1)]
    # Before there were flags, nothing was printed as Java prints it, and every position was compared.
    old = "\n".join(DIAGNOSIS.replace("<no annotation>", "null").splitlines()[:3]).replace(",Flags", "")
    old = old.replace(',"COMPLETE, USED"', "").replace(",USED", "")
    assert read_export(Source.of_bytes("diff.csv", old.encode())).questions[0].value == [
        "PER",
        "LOC",
        "PER",
        "PER",
        "<no label>",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PAGE.replace("0,4", "x,4"), 'line 2: begin and end are "x" and "4", not whole numbers'),
        (PAGE.replace("a,ada", "a,"), "line 2: there is no doc or no user"),
        (
            "Type,Collection,Document,Layer,Feature,Position,Flags,ada,ben\nS,,,N,v,0-4,USED,PER,LOC\n",
            "line 2: there is no document",
        ),
    ],
)
def test_agreement_pages_that_are_refused(text, said):
    with pytest.raises(UnreadableFile, match=said):
        read_export(Source.of_bytes("agreement.csv", text.encode()))


# --- broken files ---------------------------------------------------------------------------------------------------


@given(
    st.sampled_from(
        ["exportedproject.json", "annotation/letter-02.txt/ada.tsv", "curation/letter-01.txt/CURATION_USER.tsv"]
    ),
    st.integers(0, 700),
    st.integers(0, 8),
    st.binary(max_size=8) | st.sampled_from([b"\t", b"|", b"[1]", b"\n", b"null", b"{}"]),
)
def test_broken_members_are_read_or_refused(name, at, gone, new):
    files = unpacked()
    files[name] = files[name][:at] + new + files[name][at + gone :]
    assert is_read_or_refused(lambda: read_export(packed(files)))


@given(st.integers(0, 20_000), st.binary(min_size=1, max_size=4))
def test_broken_zips_are_read_or_refused(at, new):
    data = (CASE / "project.zip").read_bytes()
    at %= len(data)
    assert is_read_or_refused(
        lambda: read_export(Source.of_bytes("project.zip", data[:at] + new + data[at + len(new) :]))
    )


@given(st.integers(0, len(PAGE)), st.integers(0, 4), st.sampled_from(["", ",", '"', "\n", "\0", "9" * 30, "x", "é"]))
def test_broken_agreement_pages_are_read_or_refused(at, gone, new):
    assert is_read_or_refused(
        lambda: read_export(
            Source.of_bytes("agreement.csv", (PAGE[:at] + new + PAGE[at + gone :]).encode()),
            format="inception-agreement",
        )
    )


def test_no_document_stays_in_memory_after_it_was_read():
    words = " ".join(f"word{n}" for n in range(50_000))
    text = tsv(*["_"] * 49_999, "PER", tokens=words)
    files = zipped({"d.txt/ann.tsv": text, "d.txt/bob.tsv": text})
    small = tsv("_", "PER", "_")
    read_export(packed({"d.txt/ann.tsv": small, "d.txt/bob.tsv": small}))  # makes whatever is made once
    tracemalloc.start()
    found = read_export(Source.of_bytes("export.zip", files))
    held, _ = tracemalloc.get_traced_memory()
    del found
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held > len(words) > 10 * kept
