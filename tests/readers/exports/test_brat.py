"""brat folders and zips: fragments, missing and empty .ann files, layouts, ways to count characters."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.readers.exports.span_scores import check_question, is_read_or_refused, pairwise

import assent
from assent.errors import UnknownLayout, UnreadableFile
from assent.readers.exports import LeftOut, ReadOptions, Source, read_export, recognise
from assent.readers.exports.brat import parse_ann

CASE = Path(__file__).parent / "cases" / "brat-1"
EXPECTED = json.loads((CASE / "expected.json").read_text(encoding="utf-8"))


def packed(files: dict[str, str | bytes]) -> Source:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return Source.of_bytes("corpus.zip", buffer.getvalue())


def rows(source: Source, **options) -> list:
    (question,) = read_export(source, options=ReadOptions(**options)).questions
    return sorted(zip(question.document, question.annotator, question.parts, question.label, strict=True))


@pytest.mark.parametrize("where", ["project", ""], ids=["project", "folder above"])
def test_case(where):
    export = read_export(CASE / where)
    (question,) = export.questions
    assert question.name == "entities"
    check_question(question, EXPECTED["questions"][0])
    assert set(question.left_out) == {
        LeftOut(reason="duplicate", rows=1, detail="identical span twice by one annotator"),
        LeftOut(reason="not-measured", rows=14, detail="attributes"),
        LeftOut(reason="not-measured", rows=1, detail="equivalences"),
        LeftOut(reason="not-measured", rows=14, detail="notes"),
        LeftOut(reason="not-measured", rows=14, detail="relations"),
    }
    said = " ".join(export.said())
    assert "not annotated: cleo, batch2/letter-06" in said
    assert "Attributes, equivalences, notes and relations are not part of the span measure." in said
    assert "documents that both have an .ann for" in said


def test_only_documents_that_all_have():
    """The rule of bratiaa 0.1.4 gives another value, which expected.json has under alternatives."""
    (question,) = read_export(CASE / "project").questions
    everywhere = [d for d in dict(question.seen) if sum(d == seen for seen, _ in question.seen) == 3]
    kept = [n for n, d in enumerate(question.document) if d in everywhere]
    from msgspec.structs import replace

    narrowed = replace(
        question,
        seen=[pair for pair in question.seen if pair[0] in everywhere],
        **{name: [getattr(question, name)[n] for n in kept] for name in ("document", "annotator", "parts", "label")},
    )
    scores = [2 * m / (a + b) for _, a, b, m in pairwise(narrowed).values()]
    (wanted,) = EXPECTED["alternatives"].values()
    assert abs(sum(scores) / 3 - wanted["exact span and label: mean pairwise F1"]) < 1e-12


def test_the_case_as_a_zip_with_a_top_folder():
    files = {p.relative_to(CASE).as_posix(): p.read_bytes() for p in (CASE / "project").rglob("*") if p.is_file()}
    source = packed(files)
    assert recognise(source).name == "brat"
    check_question(read_export(source).questions[0], EXPECTED["questions"][0])


def test_only_sub_folders():
    source = packed({"top/ada/batch/x.ann": "T1\tA 0 1\ta\n", "top/ben/batch/x.ann": "", "top/ben/batch/y.ann": ""})
    assert rows(source) == [("batch/x", "ada", ((0, 1),), "A")]


def test_fragments_are_one_span_and_not_the_span_around_them():
    source = packed({
        "ada/x.txt": "aaa North Harbour bb",
        "ada/x.ann": "T1\tLOC 4 9;10 17\tNorth Harbour\n",
        "ben/x.txt": "aaa North Harbour bb",
        "ben/x.ann": "T1\tLOC 4 17\tNorth Harbour\nT2\tLOC 10 17;4 9\tNorth Harbour\n",
    })  # fmt: skip
    assert rows(source) == [
        ("x", "ada", ((4, 9), (10, 17)), "LOC"),
        ("x", "ben", ((4, 9), (10, 17)), "LOC"),
        ("x", "ben", ((4, 17),), "LOC"),
    ]


def test_every_kind_of_line_is_counted():
    found = parse_ann(
        "T1\tBuy 0 3\tbuy\nT2\tOrg 4 7\tfoo\nE1\tBuy:T1 Agent:T2\nR1\tof Arg1:T1 Arg2:T2\n*\tEquiv T1 T2\nA1\tNeg E1\n"
        "M2\tNeg E1\nN1\tReference T2 Wiki:1\tfoo\n#1\tAnnotatorNotes T2\tT3\tnot a span\n\n",
        "a file",
    )  # fmt: skip
    assert len(found.spans) == 2
    assert found.others == {
        "events": 1, "relations": 1, "equivalences": 1, "attributes": 2, "normalizations": 1, "notes": 1
    }  # fmt: skip


def test_missing_and_empty():
    source = packed({"ada/x.ann": "", "ben/x.ann": "", "ada/x.txt": "a", "ada/y.txt": "b", "ben/z.ann": ""})
    export = read_export(source)
    assert export.questions[0].seen == [("x", "ada"), ("x", "ben"), ("z", "ben")]
    assert "No .ann, so not annotated: ada, y; ada, z; ben, y;" in " ".join(export.said())


def test_a_folder_of_texts_is_no_annotator():
    source = packed(
        {"ada/x.ann": "T1\tA 0 4\tMira\n", "ben/x.ann": "", "original/x.txt": "Mira", "dora@x.example/x.txt": "Mira"}
    )
    export = read_export(source)
    assert export.questions[0].texts == {"x": "Mira"}
    assert export.questions[0].seen == [("x", "ada"), ("x", "ben")]
    assert "No .ann at all, so no annotator: an e-mail address; original." in " ".join(export.said())
    assert read_export(source, options=ReadOptions(empty="missing")).questions[0].seen == [("x", "ada")]


TEXT = "😀 Mira\nleft Lindau"


@pytest.mark.parametrize(
    ("text", "ann", "said"),
    [
        (TEXT, "T1\tPER 2 6\tMira\nT2\tLOC 12 18\tLindau\n", None),
        (TEXT, "T1\tPER 3 7\tMira\nT2\tLOC 13 19\tLindau\n", "UTF-16 units"),
        ("\ufeff" + TEXT, "T1\tPER 2 6\tMira\r\nT2\tLOC 12 18\tLindau\r\n", None),
        ("\ufeffab\nMira\nLindau", "T1\tPER 4 8\tMira\nT2\tLOC 9 15\tLindau\n", "byte order mark"),
        ("a Mira\nleft\nLindau", "T1\tPER 2 6\tMira\nT2\tLOC 14 20\tLindau\n", "two characters for each line end"),
        ("a Mira\r\nleft\r\nLindau", "T1\tPER 2 6\tMira\nT2\tLOC 12 18\tLindau\n", "one character for each line end"),
    ],
)  # fmt: skip
def test_the_quoted_text_tells_how_characters_were_counted(text, ann, said):
    source = packed({"ada/x.txt": text, "ada/x.ann": ann, "ben/x.ann": ""})
    export = read_export(source)
    (question,) = export.questions
    plain = text.removeprefix("\ufeff")
    assert question.texts == {"x": plain}
    assert ("converted" in " ".join(export.said())) == bool(said)
    assert (said or "") in " ".join(export.said())
    found = {(label, plain[p[0][0] : p[0][1]]) for p, label in zip(question.parts, question.label, strict=True)}
    assert {("PER", "Mira"), ("LOC", "Lindau")} == found


def test_copies_that_differ_in_their_line_ends():
    source = packed({
        "ada/x.txt": "a Mira\r\nLindau", "ada/x.ann": "T1\tPER 2 6\tMira\nT2\tLOC 8 14\tLindau\n",
        "ben/x.txt": "a Mira\nLindau", "ben/x.ann": "T1\tPER 2 6\tMira\nT2\tLOC 7 13\tLindau\n",
    })  # fmt: skip
    found = rows(source)
    assert [row[2] for row in found if row[1] == "ada"] == [row[2] for row in found if row[1] == "ben"]


def test_impossible_and_misquoted_spans():
    source = packed({"ada/x.txt": "Mira", "ada/x.ann": "T1\tA 0 9\tMira\nT2\tA 2 2\t\nT3\tA 1 2\tM\n", "ben/x.ann": ""})
    export = read_export(source)
    assert export.questions[0].left_out == (
        LeftOut(reason="impossible-span", rows=2, detail="empty or outside the text"),
    )
    assert rows(source) == [("x", "ada", ((1, 2),), "A")]
    assert "1 span quotes another text than the one at its offsets" in " ".join(export.said())


def test_annotators_below_the_batches():
    files = {f"batch{b}/{who}/1.{end}": f"text {b}" if end == "txt" else "T1\tA 0 4\ttext\n"
             for b in (1, 2) for who in ("ada", "ben") for end in ("txt", "ann")}  # fmt: skip
    assert {row[:2] for row in rows(packed(files))} == {
        ("batch1/1", "ada"), ("batch1/1", "ben"), ("batch2/1", "ada"), ("batch2/1", "ben")
    }  # fmt: skip


def test_annotators_in_the_endings_are_refused_with_the_remedy():
    source = packed({"x.txt": "a", "x.ann1": "T1\tA 0 1\ta\n", "x.ann2": ""})
    assert recognise(source).name == "brat"
    with pytest.raises(
        UnknownLayout, match=r"endings of its files .*folder of the annotator's name.*`annotator_from_name`"
    ):
        read_export(source)
    assert rows(source, annotator_from_name=r"\.ann(\d)$") == [("x", "1", ((0, 1),), "A")]


def test_one_folder_for_all_is_refused_with_the_remedy():
    source = packed({"x.txt": "a", "x.ada.ann": "T1\tA 0 1\ta\n", "x.ben.ann": ""})
    with pytest.raises(UnknownLayout, match="does not show whose each"):
        read_export(source)
    assert rows(source, annotator_from_name=r"\.(\w+)\.ann$") == [("x", "ada", ((0, 1),), "A")]


@pytest.mark.parametrize(
    ("files", "error", "said"),
    [
        ({"ada/x.txt": "a", "ada/x.ann": "", "ben/x.txt": "b", "ben/x.ann": ""}, UnreadableFile, 'the text of "x" is not the same'),
        ({"ada/x.ann": "T1\tA 0\ta\n", "ben/x.ann": ""}, UnreadableFile, "line 1: .* names no label with its places"),
        ({"ada/x.ann": "T1 A 0 1 a\n", "ben/x.ann": ""}, UnreadableFile, "line 1: "),
        ({"ada/x.ann": "\nQ1\tA 0 1\ta\n", "ben/x.ann": ""}, UnreadableFile, "line 2: .* is no line that brat writes"),
        ({"ada/x.ann": b"T1\tA 0 1\t\xff\n", "ben/x.ann": ""}, UnreadableFile, "not text in UTF-8"),
        ({"ada/x.ann": "", "ben/y.ann": ""}, UnknownLayout, "no document has two"),
        ({"x.ann": ""}, UnknownLayout, "no document has two"),
    ],
)  # fmt: skip
def test_what_is_refused(files, error, said):
    with pytest.raises(error, match=said):
        read_export(packed(files))


def test_e_mail_addresses_are_hidden():
    source = packed({"ada@x.example/x.ann": "T1\tA 0 1\ta\n", "ben@x.example/x.ann": "", "ben@x.example/y.ann": ""})
    export = read_export(source)
    assert {a for _, a in export.questions[0].seen} == {"A1", "A2"}
    assert "@" not in " ".join(export.said())
    assert export.names == {"A1": "ada@x.example", "A2": "ben@x.example"}


@given(st.binary(max_size=60), st.integers(0, 40), st.sampled_from(["ada/x.ann", "ada/x.txt"]))
def test_broken_files_are_read_or_refused(noise, at, name):
    files = {"ada/x.txt": b"a Mira\nleft \xf0\x9f\x98\x80 Lindau", "ada/x.ann": b"T1\tPER 2 6\tMira\nT2\tLOC 14 20;1 2\tLindau\n",
             "ben/x.ann": b"T1\tPER 2 6\tMira\n"}  # fmt: skip
    files[name] = files[name][:at] + noise + files[name][at:]
    assert is_read_or_refused(lambda: read_export(packed(files)))


def test_the_line_break_that_ends_a_file_is_no_position():
    wanted = EXPECTED["questions"][0]["agreement"][
        "krippendorff-alpha nominal on characters (value = labels covering it)"
    ]
    data = assent.read(CASE / "project")
    assert assent.position_alpha(data).value == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(("end", "length"), [(4, 4), (5, 5)])
def test_a_last_line_break_that_was_marked_is_one(end, length):
    source = packed({"a/d.txt": "word\n", "a/d.ann": f"T1\tX 0 {end}\tword\n", "b/d.txt": "word\n", "b/d.ann": ""})
    (question,) = read_export(source).questions
    assert question.lengths == {"d": length}
