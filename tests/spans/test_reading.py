"""Tables of spans: what is recognised, counted, converted and refused."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl
import pytest
from tests.cli.conftest import SPANS, Files, Program

import assent as library

HEAD = "document,annotator,start,end,label\n"
PLAIN = HEAD + "d1,ann,0,4,A\nd1,ben,0,4,A\nd2,ann,3,6,B\nd2,ben,,,\n"


def read(text: str, **options: object) -> library.Spans:
    data = library.read(io.BytesIO(text.encode()), **options)
    assert isinstance(data, library.Spans)
    return data


def test_a_table_of_spans_is_recognised() -> None:
    data = read(PLAIN)
    assert [*data.rows()] == [
        ("d1", "ann", ((0, 4),), "A"),
        ("d1", "ben", ((0, 4),), "A"),
        ("d2", "ann", ((3, 6),), "B"),
    ]
    assert data.judged.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert data.notes[0].startswith('Read as spans: document = "document", annotator = "annotator", start = "start"')


@pytest.mark.parametrize(
    "head",
    [
        "doc_id,coder,begin,end,type",
        "item,rater,start_offset,end_offset,category",
        "text_id,worker,start_char,end_char,entity_label",
        "sentence,judge,char_start,char_end,tag",
    ],
)
def test_other_names_of_columns(head: str) -> None:
    assert [*read(PLAIN.replace(HEAD.strip(), head)).rows()] == [*read(PLAIN).rows()]


def test_columns_that_are_said_on_the_command_line(assent: Program, file: Files) -> None:
    path = file("spans.csv", PLAIN.replace(HEAD.strip(), "a,b,c,d,e"))
    said = ["--document", "a", "--annotator", "b", "--start", "c", "--end", "d", "--label", "e"]
    assert assent("measure", path, *said, "-m", "span-f1", "--json").only["value"] == pytest.approx(2 / 3)


def test_columns_that_are_said() -> None:
    text = PLAIN.replace(HEAD.strip(), "a,b,c,d,e")
    data = read(text, layout="spans", document="a", annotator="b", start="c", end="d", label="e")
    assert [*data.rows()] == [*read(PLAIN).rows()]
    with pytest.raises(
        library.InputError, match=r"which column holds the item and the annotator and the start and the end"
    ):
        read(text, layout="spans")
    with pytest.raises(library.OptionError, match="two names of one option"):
        read(text, document="a", item="a")
    with pytest.raises(library.InputError, match="`start` names the column"):
        read(PLAIN, start="begin")


def test_labels_with_times_are_no_spans() -> None:
    rows = "".join(
        f"{i},{who},{1700000000 + i},{1700000050 + i},{'yes' if i % 2 else 'no'}\n" for i in range(6) for who in "ab"
    )
    data = library.read(io.BytesIO(f"item,annotator,start,end,label\n{rows}".encode()))
    assert isinstance(data, library.Annotations)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("d1,ann,4,0,A\nd1,ben,0,4,A\nd2,ann,9,3,B\nd2,ben,0,4,A\n", "row 1 (end 0 comes before start 4)"),
        ("d1,ann,4,0,A\nd1,ben,4,0,A\n", "row 1 (end 0 comes before start 4)"),
        ("d1,ann,zero,4,A\nd1,ben,0,4,A\nd2,ann,1,3,A\n", 'row 1 (start "zero" is no number)'),
    ],
)
def test_faults_of_spans_do_not_make_them_labels(assent: Program, file: Files, rows: str, told: str) -> None:
    done = assent("measure", file("spans.csv", HEAD + rows))
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert done.err.count("\n") == 1


def test_a_frame_of_spans() -> None:
    frame = pl.DataFrame({
        "item": ["d", "d"], "annotator": ["x", "y"], "label": ["A", "A"], "start": [0, 0], "end": [3, 4]
    })  # fmt: skip
    assert library.span_f1(frame, match="overlap").value == 1.0
    assert library.measure(frame).quoted.measure == "span-f1"


def test_no_labels() -> None:
    data = read("doc,annotator,start,end\nd,a,0,3\nd,b,0,3\n")
    assert data.labels == ("span",)
    assert any("no column of labels" in note for note in data.notes)


def test_repeats_and_empty_spans_are_left_out_and_counted() -> None:
    data = read(PLAIN + "d1,ann,0,4,A\nd1,ann,0,4,A\nd1,ann,7,7,A\n,ann,1,2,A\nd3,,1,2,A\n")
    assert {one.reason: one.rows for one in data.dropped} == {
        "the same span again by the same annotator": 2,
        "span without a character": 1,
        "no document or no annotator": 2,
    }
    assert data.n_annotations == 3


def test_discontinuous_spans() -> None:
    text = 'document,annotator,start,end,label,fragments\nd,a,0,9,X,0-3;6-9\nd,b,,,X,"[[6, 9], [0, 3]]"\nd,c,0,9,X,\n'
    data = read(text)
    assert [parts for *_, parts, _ in data.rows()] == [((0, 9),), ((0, 3), (6, 9)), ((0, 3), (6, 9))]
    assert {(one.first, one.second): one.value for one in library.span_f1(data).pairs} == {
        ("a", "b"): 1.0, ("a", "c"): 0.0, ("b", "c"): 0.0
    }  # fmt: skip


def test_decimals_are_steps() -> None:
    data = read("document,annotator,start,end,label\nr,a,0.25,1.5,x\nr,b,0.25,1.5,x\nr,b,2,3,x\n")
    assert data.start.tolist() == [25, 25, 200]
    assert data.offsets == "steps of 0.01"


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("d1,ann,9,3,A\n", "row 5 (end 3 comes before start 9)"),
        ("d1,ann,-2,3,A\n", "row 5 (start -2 is below 0)"),
        ("d1,ann,x,3,A\n", 'row 5 (start "x" is no number)'),
        ("d1,ann,1,,A\n", "row 5 (no end)"),
        ("d1,ann,1,2,\n", "row 5 (no label)"),
        ("d1,ann,1,9000000000000000000,A\n", "row 5 (end 9000000000000000000 is too large)"),
        ("d1,ann,1,99999999999999999999999,A\n", 'row 5 (end "99999999999999999999999" is too large)'),
        ("d1,ann,1,inf,A\n", 'row 5 (end "inf" is no number)'),
        ("d1,ann,9,3,A\nd2,ben,-1,2,B\n", "row 5 (end 3 comes before start 9) and row 6 (start -1 is below 0)"),
    ],
)
def test_rows_that_cannot_be_spans(assent: Program, file: Files, rows: str, told: str) -> None:
    done = assent("measure", file("spans.csv", PLAIN + rows), "--layout", "spans", "-m", "span-f1")
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert done.err.count("\n") == 1
    assert "correct these rows, or remove them." in done.err


def test_many_wrong_rows_are_not_all_listed(assent: Program, file: Files) -> None:
    done = assent("measure", file("spans.csv", PLAIN + "d1,ann,9,3,A\n" * 50), "--layout", "spans")
    assert done.code == 2
    assert "row 12" in done.err
    assert "row 13" not in done.err
    assert len(done.err) < 600


def test_one_annotator(assent: Program, file: Files) -> None:
    path = file("spans.csv", HEAD + "d1,ann,0,4,A\nd2,ann,0,4,A\n")
    done = assent("measure", path, "--layout", "spans", "-m", "span-f1")
    assert (done.code, done.out) == (2, "")
    assert 'by one annotator, "ann"' in done.err
    assert 'by one annotator, "ann"' in assent("look", path, "--json").json["refused"]


def test_nobody_judged_the_same_document(assent: Program, file: Files) -> None:
    done = assent("measure", file("spans.csv", HEAD + "d1,ann,0,4,A\nd2,ben,0,4,A\n"), "--layout", "spans")
    assert done.code == 2
    assert "No document was judged by two annotators" in done.err


# --- lengths and texts ---------------------------------------------------------------------------------------------


def test_lengths(assent: Program, file: Files) -> None:
    lengths = file("lengths.csv", "document,length\nd1,10\nd2,6\nd9,3\n")
    path = file("spans.csv", PLAIN)
    assert library.read(path, lengths=lengths).lengths == {"d1": 10, "d2": 6}
    assert assent("measure", path, "--lengths", lengths, "-m", "span-f1", "--json").only["value"] == pytest.approx(
        2 / 3
    )
    short = file("short.csv", "document,length\nd1,3\nd2,6\n")
    done = assent("measure", path, "--lengths", short)
    assert done.code == 2
    assert "row 1 (end 4 is beyond the document's 3) and row 2 (end 4 is beyond the document's 3)" in done.err
    for wrong in ("document,length\nd1,x\n", "a,b\nd1,3\n", "document,length\nd7,3\n", "document,length\nd1,9\nd1,8\n"):
        assert assent("measure", path, "--lengths", file("wrong.csv", wrong)).code == 2


def test_the_last_end_is_the_length_on_request(assent: Program, file: Files) -> None:
    path = file("spans.csv", PLAIN)
    assert library.read(path).lengths == {}
    data = library.read(path, length="last-end")
    assert data.lengths == {"d1": 4, "d2": 6}
    assert any("end of the last span" in note for note in data.notes)
    assert assent("measure", path, "--length", "middle").code == 2


def test_texts_in_a_folder(assent: Program, tmp_path: Path, file: Files) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "d1.txt").write_bytes(b"Ann \r\nsaid")
    (folder / "d2").write_bytes(b"Ben spoke")
    path = file("spans.csv", PLAIN)
    data = library.read(path, texts=str(folder))
    assert data.lengths == {"d1": 10, "d2": 9}
    assert any("3 spans have white space at an edge" in note for note in data.notes)
    trimmed = library.read(path, texts=str(folder), trim=True)
    assert [parts for *_, parts, _ in trimmed.rows()] == [((0, 3),), ((0, 3),), ((4, 6),)]
    assert any("White space at the edges of 3 spans was taken away" in note for note in trimmed.notes)
    done = assent("measure", path, "--texts", str(folder), "--trim", "-m", "span-f1", "--json")
    assert done.only["value"] == pytest.approx(2 / 3)
    (folder / "d2").write_bytes(b"Ben")
    done = assent("measure", path, "--texts", str(folder))
    assert (done.code, "row 3 (end 6 is beyond the document's 3)" in done.err) == (2, True)
    assert assent("measure", path, "--texts", str(tmp_path / "nowhere")).code == 2
    assert assent("measure", path, "--trim").code == 2


def test_a_column_of_texts_that_spans_cover(assent: Program, file: Files) -> None:
    text = "document,annotator,start,end,label,text\nd,a,0,3,X,Ann\nd,b,0,4,X,Ann \ne,a,2,5,X,Ben\ne,b,2,5,X,Ben\n"
    data = read(text, trim=True)
    assert [parts for *_, parts, _ in data.rows()] == [((0, 3),), ((0, 3),), ((2, 5),), ((2, 5),)]
    done = assent("measure", file("spans.csv", text.replace("0,3,X,Ann", "0,3,X,Anna")))
    assert (done.code, done.out) == (2, "")
    assert 'row 1 ("Anna" is 4 characters long, and start to end is 3)' in done.err


def test_quoted_text_is_held_against_the_text(assent: Program, tmp_path: Path, file: Files) -> None:
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "d.txt").write_text("Ann and Ben")
    text = "document,annotator,start,end,label,text\nd,a,0,3,X,Ann\nd,b,8,11,X,Bob\n"
    done = assent("measure", file("spans.csv", text), "--texts", str(tmp_path / "t"))
    assert done.code == 2
    assert 'row 2 (the text says "Ben", not "Bob")' in done.err


def test_a_column_of_document_texts() -> None:
    data = read(SPANS)
    assert data.texts == dict.fromkeys(("d1", "d2", "d3", "d4"), "word word word word")
    assert data.lengths["d1"] == 19


@pytest.mark.parametrize(("offsets", "start", "end"), [("codepoints", 2, 5), ("utf-16", 3, 6), ("bytes", 5, 9)])
def test_units_of_offsets(tmp_path: Path, offsets: str, start: int, end: int) -> None:
    (tmp_path / "d.txt").write_text("\N{GRINNING FACE} né", encoding="utf-8")
    text = "\N{GRINNING FACE} néz"
    (tmp_path / "d.txt").write_text(text, encoding="utf-8")
    rows = HEAD + f"d,a,{start},{end},X\nd,b,{start},{end},X\n"
    data = read(rows, layout="spans", offsets=offsets, texts=str(tmp_path))
    assert text[2:5] == "néz"
    assert (data.start.tolist(), data.end.tolist(), data.offsets) == ([2, 2], [5, 5], "code points")
    if offsets != "codepoints":
        plain = read(rows, layout="spans", offsets=offsets)
        assert plain.start.tolist() == [start, start]
        assert any("would be turned into code points" in note for note in plain.notes)
        with pytest.raises(library.InputError, match=r"row 1 \(.* 1 is inside a character\)"):
            read(rows.replace(f"d,a,{start}", "d,a,1"), layout="spans", offsets=offsets, texts=str(tmp_path))


def test_offsets_of_tokens(assent: Program, file: Files) -> None:
    path = file("spans.csv", HEAD + "d,a,0,2,X\nd,b,1,2,X\ne,a,3,4,Y\ne,b,3,4,Y\nf,a,0,1,X\nf,b,0,1,X\n")
    one = assent("measure", path, "--offsets", "tokens", "-m", "span-f1", "--match", "token", "--json").only
    assert one["value"] == pytest.approx(2 * 3 / 7)
    assert "Offsets count tokens." in one["notes"]
    assert assent("measure", path, "--offsets", "letters").code == 2
    assert assent("measure", path, "--offsets", "tokens", "--trim").code == 2


# --- the measures on the command line ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "broken", ['document,start,end\n"d,0,3\nd,4,7,9,9\n', "", "document,start\nd,1\n", "document,start,end\nd,x,3\n"]
)
def test_tokens_that_cannot_be_read_are_refused_in_one_sentence(assent: Program, file: Files, broken: str) -> None:
    path = file("spans.csv", "document,annotator,start,end,label\nd,a,0,3,X\nd,b,0,3,X\n")
    done = assent("measure", path, "-m", "span-f1", "--match", "token", "--tokens", file("tokens.csv", broken))
    assert done.code == 2
    assert done.err.startswith("assent: The tokens in ")
    assert done.err.count("\n") == 1


def test_tokens(assent: Program, file: Files) -> None:
    path = file("spans.csv", SPANS)
    blank = assent("measure", path, "-m", "span-f1", "--match", "token", "--json").only
    rows = "".join(f"d{n},{at},{at + 4}\n" for n in range(1, 5) for at in (0, 5, 10, 15))
    tokens = file("tokens.csv", f"document,start,end\n{rows}")
    given = assent("measure", path, "-m", "span-f1", "--match", "token", "--tokens", tokens, "--json").only
    # d1: A 1, B 1 of 1 and 2; d2: A 1 of 2 and 1, B 0 of 0 and 1; d3: 0 of 1 and 1; d4: 0 of 1 and 0.
    assert blank["value"] == given["value"] == pytest.approx(2 * 3 / 12)
    for wrong in ("document,start\nd1,0\n", "document,start,end\nd1,x,4\n", "document,start,end\nd1,0,4\nd1,3,6\n"):
        done = assent("measure", path, "-m", "span-f1", "--match", "token", "--tokens", file("wrong.csv", wrong))
        assert (done.code, done.out) == (2, "")
    assert assent("measure", path, "-m", "span-f1", "--match", "token", "--tokens", "nowhere.csv").code == 2
    assert assent("measure", file("bare.csv", PLAIN), "-m", "span-f1", "--match", "token").code == 2


def test_options_that_do_not_go_together(assent: Program, file: Files) -> None:
    path = file("spans.csv", PLAIN)
    for wrong in (
        ["--iou", "0.7"], ["--match", "iou", "--iou", "1.5"], ["--tokens", "x.csv"], ["--span-label", "Z"], ["--reference", "zoe"],
        ["--scale", "ordinal"], ["--weights", "linear"], ["--match", "exactly"], ["--cluster", "label"], ["--transpose"],
    ):  # fmt: skip
        done = assent("measure", path, "--layout", "spans", "-m", "span-f1", *wrong)
        assert (done.code, done.out) == (2, ""), wrong
        assert done.err.count("\n") == 1


def test_options_of_spans_for_labels_are_refused(assent: Program, file: Files) -> None:
    path = file("labels.csv", "item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n")
    for wrong in (["--lengths", path], ["--texts", "."], ["--trim"], ["--offsets", "bytes"], ["--length", "last-end"]):
        done = assent("measure", path, *wrong)
        assert done.code == 2
        assert "this was not read as spans" in done.err
    done = assent("measure", path, "-m", "span-f1")
    assert (done.code, "span-f1 is about spans, and the data are labels" in done.err) == (2, True)


def test_one_label_and_a_reference(assent: Program, file: Files) -> None:
    path = file("spans.csv", SPANS)
    one = assent("measure", path, "-m", "span-f1", "--span-label", "A", "--json").only
    assert one["value"] == pytest.approx(2 * 1 / (3 + 3))
    assert one["options"]["span_label"] == "A"
    one = assent("measure", path, "-m", "span-f1", "--reference", "ann", "--json").only
    assert one["details"] == {"precision": 1 / 5, "recall": 1 / 5}
    apart = assent("measure", path, "-m", "span-f1", "--by-label", "--json").only["by_label"]
    assert [(part["label"], part["value"]) for part in apart] == [("A", pytest.approx(1 / 3)), ("B", 0.0)]
    one = assent("measure", path, "-m", "span-semeval", "--scheme", "partial", "--reference", "ann", "--json").only
    counts = {name: one["details"][name] for name in ("correct", "incorrect", "partial", "missed", "spurious")}
    assert counts == {"correct": 2.0, "incorrect": 0.0, "partial": 2.0, "missed": 1.0, "spurious": 1.0}
    assert one["value"] == pytest.approx(2 * 3 / 10)


def test_documents_without_a_span(assent: Program, file: Files) -> None:
    path = file("spans.csv", PLAIN + "d3,ann,,,\nd3,ben,,,\n")
    command = ["measure", path, "-m", "span-f1", "--average", "documents", "--json"]
    assert assent(*command).only["value"] == 0.5
    one = assent(*command, "--empty", "1").only
    assert one["value"] == pytest.approx(2 / 3)
    assert any("counts as 1" in note for note in one["notes"])
    one = assent("measure", path, "-m", "span-f1", "--empty", "1", "--json").only
    assert one["value"] == pytest.approx(2 / 3)
    assert any("changes nothing here" in note for note in one["notes"])
    nothing = file("nothing.csv", HEAD + "d3,ann,,,\nd3,ben,,,\nd4,ann,,,\nd4,ben,,,\n")
    one = assent("measure", nothing, "--layout", "spans", "-m", "span-f1", "--json").only
    assert (one["value"], one["ci"]["low"]) == (None, None)
    assert any(note.startswith("Undefined") for note in one["notes"])


def test_one_document_in_which_two_marked_nothing() -> None:
    data = library.Spans.from_rows([("d", "ann", 0, 4, "A")], judged=[("d", "ben"), ("d", "cem")])
    assert library.span_f1(data, average="documents").value == 0.0
    assert library.span_f1(data, average="documents", empty="1").value == pytest.approx(1 / 3)


def test_a_label_that_one_annotator_alone_could_give(assent: Program, file: Files) -> None:
    path = file("spans.csv", PLAIN + "d3,ann,0,4,C\n")
    done = assent("measure", path, "-m", "span-f1", "--span-label", "C")
    assert (done.code, done.out) == (2, "")
    assert 'There is no label "C" in documents that two annotators judged; choose one of "A", "B".' in done.err


def test_what_is_said_without_a_measure(assent: Program, file: Files) -> None:
    found = assent("measure", file("spans.csv", SPANS), "--json").json
    assert found["chosen"]["quote"] == "span-f1"
    assert found["data"]["kind"] == "spans"
    assert found["data"]["offsets"] == "code points"
    assert any("both marked" in reason for reason in found["chosen"]["reasons"])


def test_a_look_at_spans(assent: Program, file: Files) -> None:
    found = assent("look", file("spans.csv", SPANS), "--json").json
    assert found["layout"] == "spans"
    assert {one["name"]: one["role"] for one in found["columns"]}["start"] == "start"
    (seen,) = found["questions"]
    assert (seen["kind"], seen["items"], seen["annotators"], seen["annotations"]) == ("spans", 4, 2, 10)
    assert seen["labels"] == [{"label": "A", "annotations": 6}, {"label": "B", "annotations": 4}]
    import shlex

    assert assent(*shlex.split(found["commands"][0]["command"])[1:], "--json").code == 0


def test_a_report_on_spans(assent: Program, file: Files, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = assent("report", file("spans.csv", SPANS), "-o", str(page), "--json")
    assert done.json["verdict"]
    assert "Span F1" in page.read_text("utf-8")


# --- cleaning ----------------------------------------------------------------------------------------------------


def test_cleaning(assent: Program, file: Files) -> None:
    path = file("spans.csv", PLAIN + "d1,cem,0,4,a\nd1,cem,0,4,A\n")
    assert library.read(path, ignore_case=True).labels == ("A", "B")
    merged = library.read(path, merge={"X": ["A", "a"]})
    assert (merged.labels, merged.n_annotations) == (("B", "X"), 4)
    assert {one.reason: one.rows for one in merged.dropped} == {"the same span again by the same annotator": 1}
    assert library.read(path, rename={"B": "C"}).labels == ("A", "C", "a")
    alone = library.read(path, only={"labels": ["A"]}, without={"annotators": ["cem"], "items": ["d2"]})
    assert [*alone.rows()] == [("d1", "ann", ((0, 4),), "A"), ("d1", "ben", ((0, 4),), "A")]
    assert any("left out as asked" in one.reason for one in alone.dropped)
    for wrong in (["--rename", "A=B"], ["--merge", "Z=A"], ["--only", "people=ann"], ["--without", "items=d9"]):
        assert assent("measure", path, *wrong).code == 2
    assert assent("measure", path, "--without", "annotators=cem", "-m", "span-f1", "--json").only["value"] == 2 / 3


def test_rows_in_python_are_checked() -> None:
    with pytest.raises(library.InputError, match=r"row 1 \(5 to 5\) and row 2 \(4 to 3\)"):
        library.Spans.from_rows([("d", "a", 0, 3, "X"), ("d", "a", 5, 5, "X"), ("d", "b", 4, 3, "X")])


def test_spans_of_an_export_are_taken_if_spans_are_asked_for(tmp_path: Path) -> None:
    for who, tag in (("ada", "O"), ("ben", "I-MISC")):
        (tmp_path / f"{who}.conll").write_text(
            f"EU B-ORG\nrejects O\nGerman B-MISC\ncall {tag}\n\nPeter B-PER\nB. I-PER\n"
        )
    files = [str(tmp_path / f"{who}.conll") for who in ("ada", "ben")]
    found = library.read(*files, layout="spans")
    assert isinstance(found, library.Spans)
    assert found.n_annotations == 6
    assert library.span_f1(found).value == pytest.approx(2 / 3)


PARTS = "document,annotator,start,end,label,fragments\nd1,ann,,,A,0-3;6-9\n"


def test_parts_count_the_steps_that_offsets_count() -> None:
    data = read(PARTS + 'd1,ben,0.5,1.5,A,\nd1,cem,,,A,"[[0.5, 1], [2, 3.5]]"\n')
    assert [one[2] for one in data.rows()] == [((0, 30), (60, 90)), ((5, 15),), ((5, 10), (20, 35))]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("d1,ben,0,8,A,0-3;6-9", "row 2 (end 8, and the fragments end at 9)"),
        ("d1,ben,1,9,A,0-3;6-9", "row 2 (start 1, and the fragments begin at 0)"),
        ("d1,ben,0,9,A,0-99999999999999999999999", 'row 2 (fragments "0-99999999999999999999999")'),
        ('d1,ben,,,A,"[[0, 1e400]]"', 'row 2 (fragments "[[0, 1e400]]")'),
        ('d1,ben,,,A,"[[true, 4]]"', 'row 2 (fragments "[[true, 4]]")'),
    ],
)
def test_parts_that_cannot_be(assent: Program, file: Files, row: str, told: str) -> None:
    done = assent("measure", file("spans.csv", PARTS + row + "\n"), "--layout", "spans")
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith(f'spans.csv" cannot be used: {told}; correct these rows, or remove them.\n')


def test_parts_in_utf_16_lie_between_characters(assent: Program, file: Files, tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/d1.txt").write_text("\N{GRINNING FACE}bc de fg", "utf-8")
    rows = PARTS.replace("0-3;6-9", "0-3;5-7") + "d1,ben,,,A,0-1;5-7\n"
    given = ["--layout", "spans", "--texts", str(tmp_path / "texts"), "--offsets", "utf-16"]
    done = assent("measure", file("spans.csv", rows), *given)
    assert done.code == 2
    assert "row 2 (UTF-16 units 1 is inside a character)" in done.err


def test_white_space_at_the_edges_of_parts_is_taken_away(assent: Program, file: Files, tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/d1.txt").write_text("abc de fgh", "utf-8")
    path = file("spans.csv", PARTS.replace("0-3;6-9", "0-4;7-10") + "d1,ben,,,A,0-3;6-10\n")
    given = ["--layout", "spans", "--texts", str(tmp_path / "texts"), "--trim", "-m", "span-f1", "--json"]
    found = assent("measure", path, *given).json
    assert found["measures"][0]["value"] == 1.0
    assert "White space at the edges of 2 spans was taken away." in found["data"]["notes"]


QUOTED = "document,annotator,start,end,label,text\n"


def test_quotes_of_one_place_are_the_same(assent: Program, file: Files) -> None:
    path = file("spans.csv", QUOTED + "d1,ann,0,3,A,the\nd1,ben,0,3,A,cat\nd1,ben,4,7,A,dog\n")
    done = assent("measure", path)
    assert done.code == 2
    assert 'row 2 ("cat", and row 1 has "the" in the same place)' in done.err


def test_one_word_that_is_quoted_from_several_places_is_no_text_of_the_document() -> None:
    data = read(QUOTED + "d1,ann,0,3,A,the\nd1,ben,4,7,A,the\n")
    assert not data.texts
    assert len([*data.rows()]) == 2


def test_quotes_are_held_against_given_texts_if_they_are_all_the_same(
    assent: Program, file: Files, tmp_path: Path
) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/d1.txt").write_text("the cat sat", "utf-8")
    given = ["--texts", str(tmp_path / "texts"), "-m", "span-f1", "--json"]
    wrong = assent("measure", file("spans.csv", QUOTED + "d1,ann,0,3,A,a dog\nd1,ben,4,7,A,a dog\n"), *given)
    assert wrong.code == 2
    assert 'row 1 (the text says "the", not "a dog")' in wrong.err
    whole = assent(
        "measure", file("whole.csv", QUOTED + "d1,ann,0,3,A,the cat sat\nd1,ben,4,7,A,the cat sat\n"), *given
    )
    assert whole.code == 0


def test_a_column_that_is_taken_for_texts_of_documents_is_said() -> None:
    data = read(QUOTED + "d1,ann,0,3,A,the cat sat\nd1,ben,4,7,A,the cat sat\n")
    assert data.texts == {"d1": "the cat sat"}
    assert 'The column "text" is the same in all rows of a document and is taken for its text.' in data.notes


def test_two_files_that_could_be_the_text_of_a_document(assent: Program, file: Files, tmp_path: Path) -> None:
    path = file("spans.csv", PLAIN)
    folder = tmp_path / "texts"
    for name in ("d1.txt", "d1.xml", "less/d1.txt", "d2.json", "more/d2.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("some text " + name, "utf-8")
    assert read(PLAIN, texts=str(folder)).texts == {"d1": "some text d1.txt", "d2": "some text d2.json"}
    for name in ("d1.txt", "d1.xml"):
        (folder / name).rename(folder / "more" / name)
    done = assent("measure", path, "--texts", str(folder))
    assert done.code == 2
    assert 'may be the text of "d1"' in done.err
    gone = assent("measure", path, "--texts", str(tmp_path / "nowhere"))
    assert gone.code == 2
    assert "is no folder" in gone.err
