"""What a program holds is read as carefully as a file."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import assent
from assent import Annotations
from assent.data import as_annotations
from assent.errors import InputError, UnknownLayout

HUMAN = ["a", "b", "a", "a", "b", "b", "c", "a"]
JUDGE = ["a", "b", "b", "a", "b", "a", "c", "a"]
FRAME = pd.DataFrame({"id": range(8), "human": HUMAN, "judge": JUDGE, "score": [i / 7 for i in range(8)]})
ROWS = [
    {"doc": f"d{i}", "rater": who, "label": label}
    for who, labels in (("h", HUMAN), ("j", JUDGE))
    for i, label in enumerate(labels)
]
# By hand: 6 of 8 agree; (4 * 4 + 3 * 3 + 1 * 1) / 64 is expected by chance.
KAPPA = (6 / 8 - 26 / 64) / (1 - 26 / 64)


@pytest.mark.parametrize(
    ("human", "judge"),
    [
        (HUMAN, JUDGE), (tuple(HUMAN), JUDGE), (np.array(HUMAN), np.array(JUDGE)), (pd.Series(HUMAN), pd.Series(JUDGE)),
        (pl.Series(HUMAN), pl.Series(JUDGE)), (FRAME["human"], FRAME["judge"]), (pa.array(HUMAN).to_pylist(), JUDGE),
    ],
)  # fmt: skip
def test_two_sequences(human: object, judge: object) -> None:
    result = assent.cohen_kappa(human, judge)
    assert float(result) == pytest.approx(KAPPA, abs=1e-12)


def test_series_keep_their_names_and_must_have_one_index() -> None:
    assert assent.cohen_kappa(FRAME["human"], FRAME["judge"]).data.annotators == ("human", "judge")
    with pytest.raises(InputError, match="different indexes"):
        assent.cohen_kappa(pd.Series(HUMAN), pd.Series(JUDGE, index=range(1, 9)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((HUMAN, JUDGE[:-1]), "8 and 7 labels"),
        ((HUMAN, "abbabaca"), "Argument 2"),
        ((HUMAN, 3), "Argument 2"),
        ((HUMAN, np.zeros((8, 2))), "2 dimensions"),
        (([HUMAN, JUDGE],), "2 items and the columns 8 annotators.*cohen_kappa"),
        ((np.array([HUMAN, JUDGE]),), "2 items and the columns 8 annotators"),
        ((HUMAN,), "not rows"),
        (([None, ["a", "b"]],), 'holds "None", not rows'),
        (([["a", "b"], None],), 'holds "None", not rows'),
        ((7,), "int is not a table"),
        (({"a": HUMAN},), "at least two"),
        (({"a": HUMAN, "b": JUDGE[1:]},), '"a" has 8 values and "b" 7'),
        (({"a": HUMAN, "b": 5},), "needs a list of labels"),
        (([{"doc": 1}, 4],), "Record 2"),
    ],
)
def test_what_cannot_be_read_is_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        assent.cohen_kappa(*arguments)


def test_krippendorff_of_300_items_by_two_lists_is_refused() -> None:
    with pytest.raises(InputError, match="turn the table"):
        assent.krippendorff_alpha([HUMAN * 40, JUDGE * 40])
    assert assent.krippendorff_alpha(list(zip(HUMAN * 40, JUDGE * 40, strict=True))).n_items == 320
    assert (
        Annotations.from_array([HUMAN * 40, JUDGE * 40]).notes[0].startswith("There are more annotators (320 columns)")
    )


@pytest.mark.parametrize(
    "make", [lambda f: f, pl.from_pandas, pa.Table.from_pandas, lambda f: pl.from_pandas(f).lazy()]
)
def test_wide_frames(make) -> None:  # type: ignore[no-untyped-def]
    data = as_annotations(make(FRAME))
    assert (data.layout, data.annotators, data.labels, data.n_items) == ("wide", ("human", "judge"), ("a", "b", "c"), 8)
    assert any('"score"' in note for note in data.notes)


@pytest.mark.parametrize("make", [lambda f: f, pl.from_pandas])
def test_an_array_that_is_a_frame(make) -> None:  # type: ignore[no-untyped-def]
    data = Annotations.from_array(make(FRAME[["human", "judge"]]))
    assert (data.annotators, data.labels, data.n_items) == (("human", "judge"), ("a", "b", "c"), 8)


def test_long_frames_and_records() -> None:
    for table in (pd.DataFrame(ROWS), pl.DataFrame(ROWS), pa.Table.from_pylist(ROWS), ROWS, tuple(ROWS)):
        data = as_annotations(table)
        assert (data.layout, data.annotators, data.n_items) == ("long", ("h", "j"), 8)
        assert float(assent.cohen_kappa(table)) == pytest.approx(KAPPA, abs=1e-12)


def test_a_long_table_in_duckdb_stays_there() -> None:
    import duckdb

    data = as_annotations(duckdb.from_df(pd.DataFrame(ROWS)))
    assert (data.local, data.annotators, data.n_items) == (False, ("h", "j"), 8)


def test_mappings_and_wide_records() -> None:
    for table in (
        {"human": HUMAN, "judge": JUDGE},
        {"item": list(range(8)), "human": HUMAN, "judge": JUDGE},
        {"human": dict(enumerate(HUMAN)), "judge": dict(enumerate(JUDGE))},
        [{"id": i, "human": h, "judge": j} for i, (h, j) in enumerate(zip(HUMAN, JUDGE, strict=True))],
    ):
        data = as_annotations(table)
        assert (data.annotators, data.n_items, data.n_annotations) == (("human", "judge"), 8, 16)
    assert as_annotations({"x": ["a", "b"], "y": ["c", "d"]}).annotators == ("x", "y")


def test_rows_with_lists() -> None:
    pairs = list(zip(HUMAN, JUDGE, strict=True))
    named = [{"text": f"t{i}", "annotators": ["h", "j"], "labels": list(two)} for i, two in enumerate(pairs)]
    assert as_annotations(named).annotators == ("h", "j")
    places = [{"text": f"t{i}", "labels": list(two)} for i, two in enumerate(pairs)]
    data = as_annotations(places)
    assert (data.annotators, data.n_items) == (("1", "2"), 8)
    assert "the places in it were taken for the annotators" in data.notes[0]
    assert float(assent.cohen_kappa(places)) == pytest.approx(KAPPA, abs=1e-12)


def test_triples() -> None:
    triples = [(row["rater"], row["doc"], row["label"]) for row in ROWS]
    assert as_annotations(triples).annotators == ("h", "j")
    assert as_annotations([("a", "a", "b"), ("b", "b", "b"), ("a", "a", "b")]).n_annotators == 3
    with pytest.raises(InputError, match="Rows of three"):
        as_annotations([("x", "y", "z"), ("p", "q", "r")])


def test_sets_of_labels() -> None:
    data = as_annotations(
        [{"id": i, "p": {h}, "q": {j, "z"}} for i, (h, j) in enumerate(zip(HUMAN, JUDGE, strict=True))]
    )
    assert data._sets is not None
    assert data.single_labels == ("a", "b", "c", "z")


def test_ordered_categoricals_bring_their_order() -> None:
    kind = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    low = pd.DataFrame(
        {"item": [1, 1, 2, 2], "annotator": list("xyxy"), "label": pd.Series(["high", "low"] * 2, dtype=kind)}
    )
    data = as_annotations(low)
    assert (data.labels, data._order_given) == (("low", "mid", "high"), True)
    wide = pd.DataFrame(
        {"ann": pd.Series(["high", "low", "mid"], dtype=kind), "bob": pd.Series(["high"] * 3, dtype=kind)}
    )
    assert as_annotations(wide).labels == ("low", "mid", "high")
    enum = pl.Enum(["low", "mid", "high"])
    assert as_annotations(pl.from_pandas(wide.astype(str)).cast(enum)).labels == ("low", "mid", "high")
    plain = low.assign(label=low["label"].astype("category").cat.as_unordered())
    assert not as_annotations(plain)._order_given


@pytest.mark.parametrize("gap", [None, float("nan"), pd.NA, pd.NaT, np.nan])
def test_what_is_missing_is_no_label(gap: object) -> None:
    assert Annotations.from_array([["a", gap], ["b", "b"], ["a", "a"]]).labels == ("a", "b")
    assert Annotations.from_triples([("x", 1, gap), ("y", 1, "a"), ("x", 2, "a"), ("y", 2, "b")]).n_annotations == 3
    frame = pd.DataFrame(
        {"item": [1, 1, 2, 2], "annotator": list("xyxy"), "label": pd.Series(["a", gap, "b", "a"], dtype=object)}
    )
    assert Annotations.from_frame(frame).n_annotations == 3
    wide = pd.DataFrame({"id": [1, 2, 3], "ann": ["a", "b", "a"], "bob": pd.Series(["a", gap, "a"], dtype=object)})
    assert as_annotations(wide).n_annotations == 5


def test_a_frame_that_can_be_read_in_two_ways_is_refused() -> None:
    frame = pd.DataFrame(
        {"item": [1, 1, 2, 2] * 4, "rater": list("xy") * 8, "tone": list("abba") * 4, "topic": list("pqqr") * 4}
    )
    frame["item"] = [i // 2 for i in range(16)]
    with pytest.raises(UnknownLayout, match=r"`label` tone.*`label` topic"):
        as_annotations(frame)
    assert assent.read(frame, label="tone", item="item", annotator="rater").labels == ("a", "b")


def test_results_compare_as_numbers() -> None:
    result = assent.cohen_kappa(HUMAN, JUDGE)
    assert result > 0.5
    assert not result > 0.6
    assert result >= result.value
    assert result < 1
    assert 0.5 < result <= np.float64(0.99)
    assert result == result.value
    assert result != 2
    assert max([result, assent.percent_agreement(HUMAN, JUDGE)]).measure == "percent-agreement"
    assert assent.measure({"h": HUMAN, "j": JUDGE}) > 0.5
    with pytest.raises(TypeError):
        assert result < "x"


def test_the_module_is_the_program() -> None:
    done = subprocess.run([sys.executable, "-m", "assent", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("assent ")


def test_series_are_never_matched_by_place_against_their_index() -> None:
    human, judge = pd.Series(["x", "y", "x", "y"]), pd.Series(["x", "y", "y", "y"])
    turned = judge.sort_index(ascending=False)
    with pytest.raises(InputError, match="different indexes"):
        assent.krippendorff_alpha({"human": human, "judge": turned})
    found = assent.krippendorff_alpha({"human": human, "judge": turned.to_numpy()})
    assert found.value == assent.krippendorff_alpha({"human": list(human), "judge": list(judge)[::-1]}).value


def test_nulls_of_arrow_are_missing() -> None:
    human, judge = ["x", None, "y", "x", "y"], ["x", "x", "y", "y", "x"]
    expected = assent.cohen_kappa(human, judge).value
    assert assent.cohen_kappa(pa.array(human), pa.chunked_array([judge])).value == expected
    assert assent.cohen_kappa({"human": pa.array(human), "judge": pa.array(judge)}).value == expected


def test_two_annotators_without_a_common_label_are_refused() -> None:
    with pytest.raises(InputError, match=r'no label in common \("False" and "True"; "0" and "1"\)'):
        assent.cohen_kappa([True, False, True, True, False], [1, 0, 1, 1, 0])


def test_a_mapping_of_items_to_annotators_is_refused() -> None:
    with pytest.raises(InputError, match="outer keys are the annotators"):
        assent.krippendorff_alpha({f"doc{i}": {"ann": "x", "bob": "xy"[i % 2]} for i in range(7)})


def test_a_result_is_written_as_its_number() -> None:
    found = assent.cohen_kappa(["x", "y", "x", "y"], ["x", "y", "y", "y"])
    assert f"{found:.2f}" == "0.50"
    assert f"{found}" == str(found)


def test_what_is_missing_in_a_list_of_labels_is_no_label() -> None:
    rows = [{"id": i, "annotators": ["h", "j"], "labels": [i % 2, None if i % 3 == 0 else i % 2]} for i in range(9)]
    for held in (rows, pd.DataFrame(rows), pl.DataFrame(rows), pa.Table.from_pylist(rows)):
        data = as_annotations(held)
        assert (data.labels, data.n_annotations, data.annotators) == (("0", "1"), 15, ("h", "j"))
    with pytest.raises(InputError, match="holds a label that is missing"):
        as_annotations([{"id": i, "h": ["a", None], "j": ["a"]} for i in range(6)])


def test_records_in_a_list_and_batches_of_arrow() -> None:
    rows = [
        {"id": i, "annotations": [{"annotator": "h", "label": a}, {"annotator": "j", "label": b}]}
        for i, (a, b) in enumerate(zip(HUMAN, JUDGE, strict=True))
    ]
    batch = pa.Table.from_pandas(FRAME[["id", "human", "judge"]]).to_batches()[0]
    for held in (rows, batch):
        assert float(assent.cohen_kappa(held)) == pytest.approx(KAPPA, abs=1e-12)


def test_columns_that_are_called_numbers_and_masked_arrays() -> None:
    assert float(assent.cohen_kappa(pd.DataFrame({0: HUMAN, 1: JUDGE}))) == pytest.approx(KAPPA, abs=1e-12)
    masked = np.ma.array([*HUMAN, "z"], mask=[False] * 8 + [True])
    assert float(assent.cohen_kappa(masked, [*JUDGE, "a"])) == pytest.approx(KAPPA, abs=1e-12)


def test_an_ordered_dictionary_of_arrow_brings_its_order() -> None:
    steps = ["low", "mid", "high"]
    columns = [pa.DictionaryArray.from_arrays(pa.array(c), steps, ordered=True) for c in ([0, 1, 2, 0], [0, 2, 2, 1])]
    assert as_annotations(pa.table(columns, names=["a", "b"])).labels == tuple(steps)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({"a", "b"}, {"a", "b"}), "A set has no order"),
        (([True, False, True], [1, 0, 0]), "no label in common"),
        (([[i, "xy"[i % 2], "x"] for i in range(8)],), "Column 1 .*different in every row"),
        (([["a", 1, "x"], ["b", 1, "x"], ["a", 2, "y"], ["b", 2, "x"]],), "from_triples or Annotations.from_array"),
        ((FRAME.set_index(["id", "human"])[["judge"]],), "reset_index"),
    ],
)
def test_what_would_be_misread_is_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        assent.cohen_kappa(*arguments)


def test_more_annotators_than_items_among_triples_are_said() -> None:
    data = Annotations.from_triples([(i, who, "xy"[i % 2]) for i in range(9) for who in "ab"])
    assert any("more annotators (9) than items (2)" in note for note in data.notes)


def test_look_takes_what_a_program_holds() -> None:
    found = assent.look(FRAME)
    assert found.layout == "wide"
    assert [one.role for one in found.columns] == ["item", "labels of an annotator", "labels of an annotator", "not used"]  # fmt: skip
    assert found.commands == ()


@pytest.mark.parametrize("of", [list, np.array], ids=["lists", "array"])
def test_measured_numbers_are_neither_triples_nor_names_of_items(of):
    draw = np.random.default_rng(6)
    values = (draw.normal(50, 5, 60)[:, None] + draw.normal(0, 2, (60, 3))).round(2)
    assert assent.icc(of(values.tolist())).data.n_items == 60
