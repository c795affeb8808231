"""What a person reads of a consensus, in every medium; and known labels in the library."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from tests.consensus.data import METHODS, annotations, simulated

import assent
from assent.documents.blocks import Notes, Prose, Table

HOSTILE = ["<script>alert(1)</script>", "\x1b[31mred", "a|b`*_", "\\input{x}%$", "‮turned", " ", "x" * 10_000, ""]


def tables(found: assent.Consensus) -> dict[str, Table]:
    return {block.name: block for block in found.document().blocks if isinstance(block, Table)}


@pytest.mark.parametrize("method", METHODS)
def test_every_medium(method: str) -> None:
    rows, gold = simulated(30, 3, 5, 3, 1, ragged=True)
    # With gold every method is run and compared, whichever was asked for.
    found = assent.consensus(annotations(rows), method, gold=gold if method == "dawid-skene" else None)
    for medium in ("text", "html", "markdown", "latex"):
        written = found.rendered(medium)
        assert found.title in written
        assert "i000" in written
        assert "w00" in written
        assert "L1" in written
        assert "nan" not in written.replace("annot", "")
    assert json.loads(found.json()) == found.to_dict()
    assert str(found) == found.text().rstrip("\n")
    assert found._repr_html_().startswith("<iframe srcdoc=")
    assert "Consensus" in found._repr_html_()


def test_names_of_any_kind_do_nothing() -> None:
    rows = [
        (item, who, label)
        for place, item in enumerate(HOSTILE)
        for who, label in zip(["[red]v", "<b>w", "x\x1b[2J"], HOSTILE[place:] + HOSTILE[:place], strict=False)
        if item and label
    ]
    found = assent.consensus(annotations(rows), "one-coin", gold={item: "<i>" for item in HOSTILE if item})
    assert "\x1b" not in found.text()
    assert "[red]v" in found.text()
    assert "<script>alert" not in found.html()
    assert "<script>alert" not in found.markdown()
    assert "\\input{x}" not in found.latex()
    assert max(map(len, found.text(80).splitlines())) < 1000


def test_the_tables_by_hand() -> None:
    found = assent.consensus([["a", "a", "b"], ["b", "b", "b"], ["a", "b", None]])
    first = found.document().blocks[0]
    assert isinstance(first, Prose)
    assert first.sentences == ["Majority: 2 of 3 items have a label, 1 is tied."]
    cells = {name: [[cell.text for cell in row] for row in table.rows] for name, table in tables(found).items()}
    assert cells["consensus-labels"] == [["a", "1"], ["b", "1"]]
    # The third one gave b twice, and nothing to the tied item: one of two matches.
    assert cells["consensus-annotators"] == [["3", "2", "0.500"], ["1", "3", "1.000"], ["2", "3", "1.000"]]
    item, label, confidence, votes = tables(found)["consensus-items"].rows[0]
    assert (item.text, confidence.text, votes.text) == ("3", "0.500", "–")
    assert [said for said, _ in label.parts] == ["a", "b"]
    assert label.mark == "tie"
    assert cells["consensus-items"][1] == ["1", "a", "0.667", "2 of 3"]
    last = found.document().blocks[-1]
    assert isinstance(last, Notes)
    assert found.notes[0] in last.sentences


def test_annotators_are_sorted_by_what_the_method_says_of_them() -> None:
    rows, _ = simulated(40, 4, 6, 3, 2)
    for method, score in (("dawid-skene", "accuracy"), ("mace", "competence"), ("sharpening", "weight")):
        table = tables(assent.consensus(annotations(rows), method))["consensus-annotators"]
        place = [column.title for column in table.columns].index(score)
        values = [float(row[place].text) for row in table.rows]
        assert values == sorted(values)


def test_a_document_is_not_as_long_as_the_data_and_says_so() -> None:
    found = assent.consensus([["a", "a"]] * 250 + [["a", "b"]])
    items = tables(found)["consensus-items"]
    assert (len(items.rows), items.more) == (200, "51 more items in the whole result.")
    assert items.rows[0][0].text == "251"


def test_known_labels_as_a_mapping_a_file_and_a_column(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"item": [1, 1, 2, 2, 3, 3], "annotator": list("xyxyxy"), "label": list("aabbab"), "truth": list("aaaabb")}
    )
    frame.write_csv(tmp_path / "data.csv")
    (tmp_path / "gold.csv").write_text("item,label\n1,a\n2,a\n3,b\n")
    by_name = assent.consensus(frame.drop("truth"), gold={1: "a", 2: "a", 3: "b", 4: None})
    assert by_name.gold is not None
    assert by_name.gold.n_missing == 1
    assert {one.method for one in by_name.scores} == set(METHODS)
    (majority,) = (one for one in by_name.scores if one.method == "majority")
    assert (majority.n_items, majority.n_decided, majority.n_correct) == (3, 2, 1)
    assert majority == by_name.score({"1": "a", "2": "a", "3": "b"})
    for other in (
        assent.consensus(frame.drop("truth"), gold=tmp_path / "gold.csv"),
        assent.consensus(tmp_path / "data.csv", gold_column="truth"),
        assent.consensus(assent.Annotations.from_frame(frame, columns=["truth"]), gold_column="truth"),
    ):
        assert other.scores == by_name.scores
        assert "Methods against known labels" in other.text()
    assert assent.consensus(frame).scores == ()
    assert assent.consensus(frame).gold is None


def test_a_chosen_method_is_scored_with_its_own_options() -> None:
    rows, gold = simulated(40, 3, 6, 3, 3)
    found = assent.consensus(annotations(rows), "one-coin", max_iterations=1, ties="random", seed=2, gold=gold)
    (mine,) = (one for one in found.scores if one.method == "one-coin")
    assert mine == found.score(gold)
    (other,) = (one for one in found.scores if one.method == "majority")
    assert other == assent.consensus(annotations(rows), ties="random", seed=2).score(gold)
    assert [one.accuracy for one in found.scores] == sorted((one.accuracy for one in found.scores), reverse=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gold": ["a", "b"]}, "`gold` is .*, a list: give a mapping of items to their labels, or the name of a file"),
        ({"gold": {"1": "a"}, "gold_column": "truth"}, "`gold` and `gold_column` both say where known labels are"),
        ({"gold_column": "truth"}, 'The column "truth" was not kept'),
        ({"level": 95}, "`level` is 95; it must lie between 0 and 1"),
    ],
)
def test_known_labels_that_cannot_be_used(options: dict[str, object], message: str) -> None:
    with pytest.raises(assent.OptionError, match=message):
        assent.consensus([["a", "b"]], **options)
