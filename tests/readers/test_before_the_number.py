"""What is said before the number: cleaning, several files, keys of several columns, settings beside the data, missing texts."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.readers.recognition.recognition_shapes import majority, wide

import assent
from assent.data import Annotations
from assent.data.natural_order import natural_order
from assent.errors import AssentError, DuplicateAnnotations, OptionError, UnknownLayout, UnsuitableData
from assent.readers import read

ROWS = "item,rater,label\n1,ann,Yes\n1,bob,yes\n2,ann,no\n2,bob,no \n3,ann,unsure\n3,bob,no\n4,ann,yes\n4,bob,maybe\n"


def annotations(content: str, **options: Any) -> Annotations:
    return read(io.BytesIO(content.encode()), **options)


def test_cleaning_is_said_and_counted() -> None:
    data = annotations(ROWS, ignore_case=True)
    assert data.labels == ("maybe", "no", "unsure", "yes")
    assert any('taken as one: "Yes" and "yes"; "no" and "no "' in note for note in data.notes)
    data = annotations(ROWS, ignore_case=True, merge={"open": ["unsure", "maybe"]}, rename={"yes": "ja"})
    assert data.labels == ("ja", "no", "open")
    assert 'Labels renamed: "yes" is "ja".' in data.notes
    data = annotations(ROWS, without={"labels": ["unsure", "maybe"]})
    assert data.n_annotations == 6
    assert data.dropped[-1].rows == 2
    assert annotations(ROWS, only={"annotators": ["ann"]}).annotators == ("ann",)
    assert annotations(ROWS, only={"items": ["1", "2"]}).labels == ("Yes", "no", "no ", "yes")
    assert annotations(ROWS, without={"items": ["3"]}).n_annotations == 6
    assert annotations(ROWS, only={"labels": ["yes", "no"]}).n_annotations == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rename": {"no": "yes"}}, "use `merge`"),
        ({"rename": {"nope": "x"}}, "no label"),
        ({"merge": {"x": ["nope"]}}, "no label"),
        ({"only": {"annotators": ["carl"]}}, "no annotator"),
        ({"only": {"people": ["ann"]}}, "annotators, labels, items"),
        ({"without": {"items": ["1", "2", "3", "4"]}}, "left"),
        ({"skip_rows": -1}, "0 or more"),
        ({"skip_rows": 10**20}, "less than 2,147,483,648"),
    ],
)
def test_cleaning_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(AssentError, match=message):
        annotations(ROWS, **options)


def test_the_same_as_methods() -> None:
    data = annotations(ROWS)
    assert data.ignore_case().labels == ("maybe", "no", "unsure", "yes")
    assert data.without_labels(["unsure"]).n_annotations == 7
    assert data.only_items(["1"]).n_annotations == 2
    assert data.without_items(["1"]).n_annotations == 6
    assert data.rename_labels({"maybe": "perhaps"}).labels[1] == "no"
    with pytest.raises(OptionError):
        data.rename_labels({"maybe": "yes"})


def test_one_file_per_annotator(tmp_path: Path) -> None:
    for who, labels in (("ann", "xyx"), ("bob", "xyy")):
        (tmp_path / f"codes_{who}.csv").write_text("id,code\n" + "".join(f"{i},{c}\n" for i, c in enumerate(labels)))
    data = read(*sorted(tmp_path.glob("*.csv")), annotator_from_name=r"_(\w+)$")
    assert (data.annotators, data.n_items, data.n_annotations) == (("ann", "bob"), 3, 6)
    assert read(*sorted(tmp_path.glob("*.csv")), annotator_from_name="(.*)").annotators == ("codes_ann", "codes_bob")
    for pattern, message in (("(", "regular expression"), ("zzz", "parentheses"), ("(zzz)", "finds nobody")):
        with pytest.raises(OptionError, match=message):
            read(*sorted(tmp_path.glob("*.csv")), annotator_from_name=pattern)


def test_items_of_several_columns() -> None:
    rows = "doc,sent,rater,label\n" + "".join(
        f"{d},{s},{r},{'xy'[(d + s) % 2]}\n" for d in (1, 2) for s in (1, 2) for r in "ab"
    )
    data = annotations(rows, item="doc,sent")
    assert (data.n_items, data.n_annotations) == (4, 8)
    with pytest.raises(DuplicateAnnotations, match=r"read as long: item = "):
        annotations(rows, item="doc")
    assert annotations(rows, item="doc,sent", cluster="doc").unit == "doc"


def test_lines_above_the_names() -> None:
    assert annotations("Codes of 2024\n\n" + ROWS, skip_rows=2).n_annotations == 8
    with pytest.raises(AssentError, match="fewer"):
        annotations(ROWS, skip_rows=99)
    with pytest.raises(OptionError, match="skip_rows"):
        annotations('[{"item": 1}]', skip_rows=1, format="json")


def test_settings_beside_the_data(tmp_path: Path) -> None:
    file = tmp_path / "codes.csv"
    file.write_text("x,y,z\n" + "".join(f"{i // 2},{'ab'[i % 2]},{'pq?'[i % 3]}\n" for i in range(12)))
    (tmp_path / "assent.toml").write_text(
        'item = "x"\nannotator = "y"\nlabel = "z"\nmissing = ["?"]\n[rename]\np = "P"\n'
    )
    data = read(file)
    assert (data.labels, data.n_items) == (("P", "q"), 6)
    assert "item, annotator, label, missing, rename" in data.notes[-1]
    # What is said outright wins.
    assert read(file, missing=["q"]).labels == ("?", "P")
    for content, message in (
        ("itme = 1", 'key "itme".*did you mean "item"'),
        ("item = 1", "must be a text"),
        ("= x", "not a TOML"),
        ("missing = [1]", "list of texts"),
    ):
        (tmp_path / "assent.toml").write_text(content)
        with pytest.raises(AssentError, match=message):
            read(file)


def test_texts_that_usually_mean_missing_are_pointed_out() -> None:
    for text in (".", "-", "nan", "None", "<NA>", "-99", "n/a", "?", "#N/A", "keine Angabe"):
        content = wide(["ann", "bob"], ("yes", "no", "maybe", text), items=40)
        data = annotations(content)
        assert text in data.labels
        note = next(note for note in data.notes if note.startswith("Labels that usually mean that there is none"))
        assert f'"{text}" (' in note
        assert "`missing`" in note
        assert text not in annotations(content, missing=[text]).labels
    assert "-99" in next(
        n for n in annotations(wide(["a1", "a2"], ("1", "2", "3", "-99"), items=40)).notes if "usually" in n
    )
    for labels in (("+", "-"), ("-1", "0", "1"), ("none", "some")):
        assert not any("usually" in n for n in annotations(wide(["ann", "bob"], labels, items=40)).notes)


def test_cells_of_blanks_are_missing_and_counted() -> None:
    data = annotations("id,ann,bob\n1,x,x\n2, ,y\n3,y,\u00a0\n4,x,   \n5,y,y\n")
    assert data.labels == ("x", "y")
    assert [(one.reason, one.rows) for one in data.dropped] == [("missing label (blanks alone)", 3)]


def test_an_adjudicated_column_does_not_change_the_number() -> None:
    names = ["ann", "bob", "cem"]
    plain = assent.krippendorff_alpha(annotations(wide(names))).value
    decided = annotations(wide(names, after={"Final label": majority}))
    assert assent.krippendorff_alpha(decided).value == plain
    assert any("is kept as gold" in note for note in decided.notes)
    with_it = annotations(wide(names, after={"Final label": majority}), annotators=[*names, "Final label"])
    assert assent.krippendorff_alpha(with_it).value > plain


LONG = "item,annotator,label,gold\n1,ann,x,x\n1,bob,y,x\n2,ann,y,y\n2,bob,y,y\n3,ann,x,\n3,bob,x,\n"


@pytest.mark.parametrize(
    ("content", "known"),
    [
        ("id,Final label,ann,bob,cem\n1,x,x,x,y\n2,y,y,y,y\n3,x,y,x,x\n4,,y,x,x\n", {"1": "x", "2": "y", "3": "x"}),
        (LONG, {"1": "x", "2": "y"}),
        ("item,annotator,label\n" + "".join(f"{i},{who},{'xy'[(i + len(who)) % 2]}\n" for i in (1, 2, 3) for who in ("ann", "bo", "gold")), {"1": "y", "2": "x", "3": "y"}),
    ],
)  # fmt: skip
def test_what_was_decided_is_gold(content: str, known: dict[str, str]) -> None:
    data = annotations(content)
    assert dict(data.gold) == known
    assert "gold" not in data.annotators
    assert set(data.rename_labels({"x": "z"}).gold.values()) == {"z", "y"}
    scored = assent.consensus(data, gold=data.gold)
    assert scored.scores[0].n_items == len(known)
    assert not assent.read(io.BytesIO(b"item,ann,bob\n1,x,x\n2,x,y\n")).gold


def test_decisions_that_contradict_themselves_are_no_gold() -> None:
    assert not annotations(LONG.replace("1,bob,y,x", "1,bob,y,y")).gold
    assert "gold" in {one.role for one in assent.look(io.BytesIO(LONG.encode())).columns}


def test_what_is_said_to_be_kept_as_gold_is_gold(tmp_path: Path) -> None:
    """Also of rows that stay in another engine, and where an annotation holds several labels."""
    pytest.importorskip("duckdb")
    path = tmp_path / "rows.parquet"
    pl.read_csv(io.BytesIO(LONG.encode())).write_parquet(path)
    sets = LONG.replace("1,ann,x,x\n", "1,ann,x,x\n1,ann,y,x\n")
    cells = 'item,ann,bob,Final label\n1,b;a,a,b;a\n2,b,b,b\n3,a;b,b,b\n4,a,"b;a",\n'
    for data, known in (
        (read(path, engine="duckdb"), {"1": "x", "2": "y"}),
        (annotations(sets, multilabel=True), {"1": "x", "2": "y"}),
        (annotations(cells, separator=";"), {"1": "a;b", "2": "b", "3": "b"}),
    ):
        assert any("is kept as gold" in note for note in data.notes)
        assert dict(data.gold) == known
        assert set(known.values()) <= {*data.labels}


@pytest.mark.parametrize("name", ["*", "^i.*$", "item"])
def test_gold_beside_columns_of_any_name(name: str) -> None:
    data = annotations(LONG.replace("item", name, 1), item=name, annotator="annotator", label="label")
    assert dict(data.gold) == {"1": "x", "2": "y"}


def test_gold_of_numbered_rows_and_missing_texts() -> None:
    content = "ann,bob,cem,Final label\nx,x,y,x\ny,y,y,y\nx,y,y,NA\nx,x,x,\ny,y,x,y\n"
    assert dict(annotations(content).gold) == {"1": "x", "2": "y", "5": "y"}
    every = annotations(content, not_missing=["NA", "N/A", "NaN", "null"])
    assert dict(every.gold) == {"1": "x", "2": "y", "3": "NA", "5": "y"}


def test_numbers_without_a_scale_are_said_with_the_ordinal_value() -> None:
    data = annotations(wide(["ann", "bob", "cem"], ("1", "2", "3", "4", "5")))
    ordinal = assent.krippendorff_alpha(data, scale="ordinal").value
    for named in ((), ("krippendorff-alpha",)):
        said = assent.measure(data, *named).beside
        assert len(said) == 1
        assert "taken as names" in said[0]
        assert f"{ordinal:.2f}" in said[0]
    assert assent.measure(data, scale="ordinal").beside == ()
    assert assent.measure(annotations(wide(["ann", "bob", "cem"]))).beside == ()


def test_words_of_a_scale_are_proposed_in_their_order() -> None:
    data = annotations(wide(["ann", "bob", "cem"], ("often", "never", "sometimes")))
    assert data.labels == ("never", "often", "sometimes")
    assert "`order` never,sometimes,often" in assent.measure(data).beside[0]
    assert natural_order(["trifft zu", "trifft nicht zu", "trifft eher zu"]) == (
        "trifft nicht zu",
        "trifft eher zu",
        "trifft zu",
    )
    assert natural_order(["d'accord", "pas d’accord", "neutre"]) == ("pas d’accord", "neutre", "d'accord")
    assert natural_order(["good", "bad"]) is None


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ("prompt,annotator,object,rank\n" + "".join(f"{p},{who},{o},{(r + p * (who == 'cid')) % 3}\n" for p in range(4) for who in ("ann", "bob", "cid") for r, o in enumerate("xyz")), "rankings"),
        ("item,annotator,left,right,winner\n" + "".join(f"{p},{who},x,y,{'xy'[(p + (who == 'cid')) % 2]}\n" for p in range(6) for who in ("ann", "bob", "cid")), "preferences"),
    ],
)  # fmt: skip
def test_an_annotator_is_left_out_of_any_kind_of_data(table: str, columns: str, tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_text(table, encoding="utf-8")
    whole = assent.read(file)
    fewer = assent.read(file, without={"annotators": ["cid"]})
    assert whole.kind == columns
    assert fewer.annotators == ("ann", "bob")
    assert fewer.dropped[-1].rows == whole.n_annotations - fewer.n_annotations > 0
    assert assent.read(file, only={"annotators": ["ann", "bob"]}).annotators == ("ann", "bob")
    with pytest.raises(UnsuitableData, match="annotators alone can be left out"):
        assent.read(file, merge={"z": ["x", "y"]})
    with pytest.raises(OptionError, match="no annotator"):
        assent.read(file, without={"annotators": ["dora"]})


def test_labels_that_were_merged_are_no_longer_said_to_be_kept_apart(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("item,ann,bob\n1,Yes,yes\n2,no,no\n3,yes,no\n4,Yes,no\n")
    assert any("kept apart" in note for note in assent.read(path).notes)
    assert not any("kept apart" in note for note in assent.read(path, merge={"Y": ["Yes", "yes"]}).notes)


def test_files_of_one_annotator_each_need_no_option_where_items_meet(tmp_path: Path) -> None:
    for who, labels in (("ann", "abab"), ("bob", "abba")):
        rows = "".join(f"i{k},{label}\n" for k, label in enumerate(labels))
        (tmp_path / f"{who}.csv").write_text(f"id,label\n{rows}")
        (tmp_path / f"part-{who}.csv").write_text(f"id,label\n{rows.replace('i', who)}")
    files = [tmp_path / "ann.csv", tmp_path / "bob.csv"]
    data = read(*files)
    assert data.annotators == ("ann", "bob")
    assert any("each of the 2 files was taken for one annotator" in note for note in data.notes)
    # The command that look gives says it outright.
    (command, *_) = assent.look(*files).commands
    assert "--annotator-from-name '(.*)'" in command.command
    with pytest.raises(UnknownLayout, match="If each file is of one annotator"):
        read(tmp_path / "part-ann.csv", tmp_path / "part-bob.csv")


def test_what_is_refused_is_offered_as_commands(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.write_text("id,pre_a,pre_b,post_a,post_b\n" + "".join(f"{k},y,n,y,{'yn'[k % 2]}\n" for k in range(6)))
    found = assent.look(path)
    assert found.refused is not None
    assert [one.distinct for one in found.columns] == [6, 1, 1, 1, 2]
    assert [one.command.split("--annotators ")[1] for one in found.commands] == ["pre_a,pre_b", "post_a,post_b"]


def test_words_of_a_scale_are_offered_as_a_command() -> None:
    table = b"id,a,b\n1,Raczej tak,Raczej nie\n2,Zdecydowanie tak,Raczej tak\n3,Raczej nie,Raczej nie\n"
    found = assent.look(io.BytesIO(table))
    assert found.questions[0].order == ("Raczej nie", "Raczej tak", "Zdecydowanie tak")
    assert any("--order 'Raczej nie,Raczej tak,Zdecydowanie tak'" in one.command for one in found.commands)


def test_objects_and_lists_in_a_file_are_taken_apart(tmp_path: Path) -> None:
    rows = [("yes", "no"), ("no", "no"), ("yes", "yes")]
    objects = [{"id": k, "labels": {"ada": a, "ben": b}} for k, (a, b) in enumerate(rows)]
    records = [{"id": k, "judges": [{"name": "ada", "verdict": a}, {"name": "ben", "verdict": b}]} for k, (a, b) in enumerate(rows)]  # fmt: skip
    lists = {"id": [0, 1, 2], "annotators": [["ada", "ben"]] * 3, "labels": [list(row) for row in rows]}
    (tmp_path / "objects.json").write_text(json.dumps(objects))
    (tmp_path / "records.json").write_text(json.dumps(records))
    pl.DataFrame(lists).write_parquet(tmp_path / "lists.parquet")
    expected = assent.krippendorff_alpha(list(rows)).value
    for name in ("objects.json", "records.json", "lists.parquet"):
        data = read(tmp_path / name)
        assert data.annotators == ("ada", "ben")
        assert assent.krippendorff_alpha(data).value == pytest.approx(expected, abs=1e-12)


def test_items_that_are_not_there_are_said() -> None:
    data = annotations(ROWS, without={"items": ["5"]})
    assert data.n_annotations == 8
    assert any('No item is called "5"' in note for note in data.notes)


def test_look_cleans_as_reading_does() -> None:
    found = assent.look(io.BytesIO(ROWS.encode()), without={"labels": ["maybe"]}, ignore_case=True)
    assert found.questions[0].labels == (("no", 3), ("yes", 3), ("unsure", 1))
    assert [one.rows for one in found.dropped] == [1]
    assert assent.look(io.BytesIO(ROWS.encode()), rename={"yes": "no"}).refused is not None
