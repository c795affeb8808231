"""A table with one column an annotator gives what its cells give as rows of their own."""

from __future__ import annotations

import io

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assent
from assent.engines import WideTable
from assent.engines.wide import WIDEST, WideRows
from assent.errors import EmptyTable

CELLS = st.sampled_from(["a", "b", "c", "", "NA", "?"])


def csv(rows: list[list[str]]) -> io.BytesIO:
    lines = [",".join(["item", *(f"r{i}" for i in range(len(rows[0])))])]
    lines += [",".join([f"i{n}", *row]) for n, row in enumerate(rows)]
    return io.BytesIO(("\n".join(lines) + "\n").encode())


def told(data: assent.Annotations) -> list:
    counts, ratings, listing = data._counts, data._ratings, data.to_rows()
    return [
        data.to_dict(), data.annotators, np.asarray(counts.counts).tolist(), counts.multiplicities.tolist(),
        ratings.profile.tolist(), ratings.annotator.tolist(), ratings.label.tolist(), ratings.multiplicities.tolist(),
        listing.items, listing.item.tolist(), listing.label.tolist(), listing.annotator.tolist(),
    ]  # fmt: skip


def both(read):
    """Return what a table gives by its distinct rows, and by its cells."""
    quick = read()
    assert isinstance(quick._source, WideRows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WideTable, "kinds", lambda self: None)
        slow = read()
    assert not isinstance(slow._source, WideRows)
    return told(quick), told(slow)


@given(st.integers(2, 4).flatmap(lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=2, max_size=30)))
def test_distinct_rows_and_cells_give_the_same(rows):
    if not any(cell in "abc" and cell for row in rows for cell in row):
        return
    quick, slow = both(lambda: assent.read(csv(rows), layout="wide", item="item", missing=["?"]))
    assert quick == slow


def test_numbers_stay_numbers():
    frame = pl.DataFrame({"item": [1, 2, 3, 4], "x": [1.0, 2.5, None, 1.0], "y": [1.0, 2.0, 2.0, float("nan")]})
    path = io.BytesIO()
    frame.write_parquet(path)
    quick, slow = both(lambda: assent.read(io.BytesIO(path.getvalue()), layout="wide", item="item"))
    assert quick == slow
    assert quick[0]["labels"] == ["1", "2", "2.5"]


def test_further_columns_come_along():
    rows = [["a", "b", "one"], ["b", "b", "two"], ["a", "a", "two"]]
    data = assent.read(csv(rows), layout="wide", item="item", annotators=["r0", "r1"], columns=["r2"])
    assert isinstance(data._source, WideRows)
    assert data.to_rows("r2").columns["r2"] == ["one", "one", "two", "two", "two", "two"]


@pytest.mark.parametrize(
    "lines",
    [
        "i1,a,a\ni1,b,b\ni2,a,b",  # an item twice
        ",a,a\ni1,b,b\ni2,a,b",  # an item without a name
    ],
)
def test_items_that_are_not_told_apart_by_name_go_the_long_way(lines):
    def read():
        return assent.read(io.BytesIO(f"item,x,y\n{lines}\n".encode()), layout="wide", item="item", duplicates="first")

    assert not isinstance(read()._source, WideRows)


def test_rows_that_hardly_repeat_are_not_counted_first():
    rng = np.random.default_rng(0)
    rows = [[str(value) for value in rng.integers(0, 50, 6)] for _ in range(500)]
    assert not isinstance(assent.read(csv(rows), layout="wide", item="item")._source, WideRows)


def test_rows_of_a_crowd_are_not_compared():
    wide = np.tile(["a", "b"], (30, WIDEST // 2))
    assert isinstance(assent.Annotations.from_array(wide)._source, WideRows)
    wider = np.concatenate([wide, wide[:, :1]], axis=1)
    data = assent.Annotations.from_array(wider)
    assert not isinstance(data._source, WideRows)
    assert data._counts.multiplicities.tolist() == [30]


def test_everything_else_is_asked_of_the_cells():
    rows = [["a", "b", "a"], ["b", "b", "b"], ["a", "a", "b"], ["b", "b", "a"]] * 5
    data = assent.read(csv(rows), layout="wide", item="item")
    assert data.without_annotators(["r2"]).n_annotations == 40
    assert data._most_disputed(1).to_rows().items == ["i0"]
    assert assent.items(data).rows()


@pytest.mark.parametrize("more", [["-m", "cohen-kappa"], ["-m", "krippendorff-alpha", "--ci", "bootstrap"], []])
def test_a_measurement_never_turns_the_table(monkeypatch, tmp_path, capsys, more):
    """Turning a table into one row a cell takes more memory and time than everything else together."""
    from assent.cli.app import run

    def turned(self):
        raise AssertionError("the table was turned")

    monkeypatch.setattr(WideTable, "long", turned)
    (tmp_path / "wide.csv").write_bytes(csv([["a", "b"], ["b", "b"], ["a", "a"], ["b", "a"]] * 30).getvalue())
    with pytest.raises(SystemExit) as end:
        run(["measure", str(tmp_path / "wide.csv"), "--json", *more])
    assert end.value.code == 0, capsys.readouterr().err


#: Values of an array, the text that each is as a label, and the type of the array.
SPELLED = {
    "integers": ({3: "3", -1: "-1", 10: "10"}, np.int32),
    "floats": ({1.0: "1", -0.0: "0", 0.25: "0.25", 1e20: "1e+20", float("nan"): None}, np.float64),
    "truth": ({True: "True", False: "False"}, np.bool_),
    "texts": ({"a": "a", " b": " b", "ß": "ß"}, np.str_),
    "objects": ({"a": "a", 2: "2", 0.5: "0.5", None: None}, object),
}


@pytest.mark.parametrize("kind", SPELLED)
@pytest.mark.parametrize("wide", [2, 5])
def test_an_array_holds_the_texts_of_its_values(kind, wide):
    spelled, dtype = SPELLED[kind]
    values = list(spelled)
    drawn = np.random.default_rng(wide).integers(0, len(values), (40, wide))
    array = np.array([[values[i] for i in row] for row in drawn.tolist()], dtype=dtype)
    triples = [
        (str(who + 1), str(item + 1), spelled[values[i]])
        for item, row in enumerate(drawn.tolist())
        for who, i in enumerate(row)
    ]
    expected = told(assent.Annotations.from_triples(triples))
    for given_as in (array, array.tolist()):
        found, slow = both(lambda given_as=given_as: assent.Annotations.from_array(given_as))
        assert found == slow
        assert found[0] | {"layout": "long"} == expected[0] | {"layout": "long"}
        assert found[1:] == expected[1:]


def test_an_array_without_cells_is_empty():
    for nothing in ([], [[]], [[], []], np.zeros((0, 3)), np.zeros((3, 0))):
        with pytest.raises(EmptyTable, match="no rows"):
            assent.Annotations.from_array(nothing)
