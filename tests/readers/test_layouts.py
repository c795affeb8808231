"""What a table is taken for, what is said about it, and that whatever the user says wins."""

from __future__ import annotations

import io
import random
from typing import Any

import polars as pl
import pytest

from assent.data import Annotations
from assent.errors import AssentError, DuplicateAnnotations, InputError, OptionError, UnknownColumn, UnknownLayout
from assent.readers import detect_by_names, read
from assent.readers.detected import counts_table
from assent.readers.overrides import Overrides


def table(content: str, **options: Any) -> Annotations:
    return read(io.BytesIO(content.encode()), **options)


def noted(data: Annotations, start: str) -> str:
    return next((note for note in data.notes if note.startswith(start)), "")


def roles(note: str) -> str:
    return note.split(" (to change this")[0]


def long(header: str) -> str:
    rows = [("i1", "ann", "x"), ("i1", "bob", "y"), ("i2", "ann", "x"), ("i2", "bob", "x"), ("i3", "bob", "y")]
    return header + "\n" + "".join(",".join(row) + "\n" for row in rows)


@pytest.mark.parametrize(
    "header",
    [
        "item,annotator,label", "unit,coder,code", "Item ID,Rater,Rating", "doc_id,worker_id,answer", "id,user,value",
        "Subject,JUDGE,Score", "textId,annotator-name,category", "tweet id,Labeller,sentiment", "task,model,response",
        "sentence_id,reviewer,grade", "example,expert,class", "comment_id,participant,choice", "HITId,WorkerId,Answer.label",
        "question,respondent,judgment", "image,observer,severity_score", "instance_id,assessor,tags", "row,username,final label",
        "abstract_id,rater,label", "essay id,coder,annotation",
    ],
)  # fmt: skip
def test_long_by_names(header: str) -> None:
    data = table(long(header))
    item, annotator, label = header.split(",")
    assert data.layout == "long"
    assert (data.n_items, data.annotators, data.labels) == (3, ("ann", "bob"), ("x", "y"))
    assert noted(data, "Read as long") == (
        f'Read as long: item = "{item}", annotator = "{annotator}", label = "{label}" '
        "(to change this, give `item`, `annotator`, `label`)."
    )


@pytest.mark.parametrize(
    ("header", "options"),
    [
        ("foo,bar,baz", {"item": "foo", "annotator": "bar", "label": "baz"}),
        ("label,item,annotator", {"item": "label", "annotator": "item", "label": "annotator"}),
        ("foo,rater,label", {}),
        ("foo,bar,baz", {"annotator": "bar", "label": "baz"}),
        ("foo,bar,baz", {"item": "foo", "annotator": "bar"}),
        ("foo,bar,baz", {"item": "foo", "label": "baz"}),
        ("item,who,label", {}),
        ("item,rater,emotion", {}),
        ("text,rater,label", {}),
    ],
)
def test_the_columns_that_are_said_lead_to_the_others(header: str, options: dict[str, str]) -> None:
    data = table(long(header), **options)
    assert (data.n_items, data.annotators, data.labels) == (3, ("ann", "bob"), ("x", "y"))
    assert bool(data.notes) == (len(options) < 3)


def test_the_likelier_name_is_taken() -> None:
    content = "id,item,user,rater,value,label\n" + "".join(
        f"{n},i{n // 2},u,{'ab'[n % 2]},9,{'xy'[n % 3 == 0]}\n" for n in range(6)
    )
    data = table(content)
    assert 'item = "item", annotator = "rater", label = "label"' in data.notes[0]


def test_three_columns_without_telling_names() -> None:
    rows = "".join(f"{'xy'[(i * j) % 2]},w{j},t{i}\n" for i in range(8) for j in range(3))
    data = table("p,q,r\n" + rows)
    assert roles(noted(data, "Read as long")) == 'Read as long: item = "r", annotator = "q", label = "p"'
    assert data.n_items == 8


def test_three_annotators_are_not_taken_for_a_long_table() -> None:
    rows = "".join(f"{p},{q},{1 + (p > 3)}\n" for p in range(8) for q in (1, 2))
    data = table("p,q,r\n" + rows)
    assert (data.layout, data.annotators) == ("wide", ("p", "q", "r"))


def test_other_columns_of_a_long_table_do_not_matter() -> None:
    content = "gold,time,item,rater,label,text\n" + "".join(
        f"g,{n},{n // 2},{n % 2},x,long text {n}\n" for n in range(6)
    )
    assert table(content).n_items == 3


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("item,label,p,q", "which column holds the annotator .* say it with `annotator`"),
        ("p,q,rater,label", "which column holds the item .* say it with `item`"),
    ],
)
def test_a_long_table_that_lacks_a_part(header: str, message: str) -> None:
    rows = {
        "item,label,p,q": "".join(f"i{n // 2},{'xy'[n % 2]},p{n},q{n}\n" for n in range(6)),
        "p,q,rater,label": "".join(f"p{n // 2},q{n // 2},{'ab'[n % 2]},{'xy'[n % 3 == 0]}\n" for n in range(6)),
    }[header]
    with pytest.raises(UnknownLayout, match=message):
        table(f"{header}\n{rows}")


@pytest.mark.parametrize(
    ("content", "item", "annotators"),
    [
        ("item,ann,bob,cy\n1,x,y,\n2,x,x,y\n", '"item"', '"ann", "bob", "cy"'),
        ("name,ann,bob\np,x,y\nq,x,x\n", '"name"', '"ann", "bob"'),
        ("ann,bob,item\nx,y,1\nx,x,2\n", '"item"', '"ann", "bob"'),
        ("ann,bob,cy\nx,y,x\nx,x,y\ny,y,x\n", "the number of the row", '"ann", "bob", "cy"'),
        ("human,model\na,b\nb,b\na,a\n", "the number of the row", '"human", "model"'),
        ("rater1,rater2\na,b\nc,d\n", "the number of the row", '"rater1", "rater2"'),
        ("Coder A,Coder B,Coder C\na,b,c\nd,e,f\n", "the number of the row", '"Coder A", "Coder B", "Coder C"'),
        ("q1,q2,q3\n1,2,3\n4,5,6\n2,3,1\n", "the number of the row", '"q1", "q2", "q3"'),
        (",ann,bob\n0,x,y\n1,x,x\n", "the first column, which has no name", '"ann", "bob"'),
        ("Unnamed: 0,ann,bob\n0,x,y\n1,x,x\n", '"Unnamed: 0"', '"ann", "bob"'),
        ("item,label,model\n1,a,b\n2,b,b\n3,a,a\n", '"item"', '"label", "model"'),
        ("id,gold,pred\n1,a,b\n2,b,b\n3,a,a\n", '"id"', '"gold", "pred"'),
        ("id,label_ann,label_bob\n1,a,b\n2,b,b\n", '"id"', '"label_ann", "label_bob"'),
        ("item,1,2\n1,5,4\n2,3,3\n", '"item"', '"1", "2"'),
    ],
)
def test_wide(content: str, item: str, annotators: str) -> None:
    data = table(content)
    assert data.layout == "wide"
    assert noted(data, "Read as wide") == (
        f"Read as wide: item = {item}, annotators = {annotators} (to change this, give `item`, `annotators`)."
    )
    assert data.n_items == len(content.splitlines()) - 1


@pytest.mark.parametrize(
    ("content", "left_out"),
    [
        ("id,text,ann,bob,timestamp\n1,t,x,y,5\n2,u,x,x,6\n", '"text", "timestamp"'),
        (",item,ann,bob\n0,1,x,y\n1,2,x,x\n", "the column without a name"),
        ("id,ann,bob,gold_label,created_at,start time,Note,URL\n1,x,y,x,3,4,n,u\n2,x,x,x,5,6,m,v\n",
         '"created_at", "start time", "Note", "URL"'),
        ("id,said,ann,bob\n" + "".join(f"{i},a sentence that goes on and on {i},x,{'xy'[i % 2]}\n" for i in range(6)), '"said"'),
    ],
)  # fmt: skip
def test_columns_that_are_no_annotators_are_left_out_and_named(content: str, left_out: str) -> None:
    data = table(content)
    assert data.annotators == ("ann", "bob")
    assert noted(data, "Left out") == (
        f"Left out as not being annotators: {left_out} (to change this, give `annotators`)."
    )
    # What was decided is named by itself.
    assert ("gold_label" in content) == any('By its name "gold_label"' in note for note in data.notes)


def test_long_labels_are_labels() -> None:
    labels = [f"a very long label that nobody would want to type {i}" for i in range(6)]
    data = table("id,ann,bob\n" + "".join(f"{i},{label},{label}\n" for i, label in enumerate(labels)))
    assert data.annotators == ("ann", "bob")


def test_annotators_that_are_said() -> None:
    content = "text,id,ann,bob,cy,gold\nt,1,x,y,z,g\nt,2,x,x,z,g\n"
    data = table(content, annotators=["gold", "ann"])
    assert (data.annotators, data.n_items) == (("ann", "gold"), 2)
    data = table(content, annotators=["ann", "bob"], item="cy", duplicates="first")
    assert (data.n_items, data.notes) == (1, ())
    assert table("topic,ann,bob\np,x,y\np,x,x\n", annotators=["ann", "bob"]).n_items == 2


def test_a_first_column_that_repeats_is_no_item() -> None:
    data = table("topic,ann,bob\np,x,y\nq,x,x\np,y,y\n")
    assert (data.n_items, data.annotators) == (3, ("ann", "bob"))
    assert '"topic"' in noted(data, "Left out")


def test_a_first_column_that_repeats_late_is_no_item() -> None:
    content = "name,ann,bob\n" + "".join(f"n{i % 6000},{'xy'[i % 2]},{'xy'[i % 2]}\n" for i in range(7000))
    data = table(content)
    assert data.n_items == 7000
    assert noted(data, 'The column "name" repeats itself')


def test_an_item_column_by_name_that_repeats_is_an_error() -> None:
    with pytest.raises(DuplicateAnnotations):
        table("item,ann,bob\n" + "".join(f"{max(i, 1)},x,{'xy'[i % 2]}\n" for i in range(8)))


def test_a_column_that_shares_no_label_is_left_out() -> None:
    data = table("item,topic,ann,bob\n1,de,x,y\n2,en,x,x\n3,en,y,y\n4,fr,y,y\n")
    assert data.annotators == ("ann", "bob")
    assert '"topic"' in noted(data, "Left out as not being annotators")
    assert not noted(table("item,a,b\n1,1.5,2.5\n2,3.5,4.5\n"), "No label")


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("rater,i1,i2,i3\nA,x,y,x\nB,x,,y\n", {}),
        ("Coder name,i1,i2,i3\nA,x,y,x\nB,x,,y\n", {}),
        (",i1,i2,i3\nrater1,x,y,x\nrater2,x,,y\n", {}),
        ("who,i1,i2,i3\nA,x,y,x\nB,x,,y\n", {"transpose": True}),
        ("i1,who,i2,i3\nx,A,y,x\nx,B,,y\n", {"transpose": True, "annotator": "who"}),
        ("i1,i2,i3\nx,y,x\nx,,y\n", {"transpose": True}),
    ],
)
def test_rows_that_are_annotators(content: str, options: dict[str, Any]) -> None:
    data = table(content, **options)
    assert (data.layout, data.n_items, data.n_annotators, data.n_annotations) == ("wide", 3, 2, 5)
    assert bool(noted(data, "Read as wide with a row for each annotator")) == ("annotator" not in options)


def test_layout_wide_takes_rows_for_items() -> None:
    assert table("rater,i1,i2,i3\nA,x,y,x\nB,x,,y\n", layout="wide").n_items == 2


def test_more_annotators_than_items_is_asked_about() -> None:
    content = (
        "," + ",".join(map(str, range(1, 13))) + "\n" + "".join(f"{who},{','.join('123' * 4)}\n" for who in "ABCD")
    )
    with pytest.raises(UnknownLayout, match=r"more columns \(12\) than rows \(4\).*`transpose`") as refused:
        table(content)
    assert {"transpose": ""} in refused.value.candidates
    assert "`transpose`" in noted(table(content, layout="wide"), "There are more annotators (12) than items (4)")
    assert table(content, transpose=True).annotators == ("A", "B", "C", "D")


@pytest.mark.parametrize(
    ("content", "labels", "items"),
    [
        ("subject,a,b,c\n1,0,0,14\n2,0,2,12\n3,3,5,6\n", ("a", "b", "c"), 3),
        ("a,b,c\n0,0,14\n0,2,12\n3,5,6\n", ("a", "b", "c"), 3),
        ("n,a,b,c\n7,0,0,14\n8,0,2,12\n9,3,5,6\n", ("a", "b", "c"), 3),
        (",1,2,3\nx,0,0,14\ny,0,2,12\nz,3,5,6\n", ("1", "2", "3"), 3),
        ("item,text,a,b\n1,t,0,3\n2,u,1,2\n3,v,2,1\n", ("a", "b"), 3),
        ("item,a,b,total\n1,0,3,3\n2,1,2,3\n3,2,1,3\n", ("a", "b"), 3),
    ],
)
def test_counts(content: str, labels: tuple[str, ...], items: int) -> None:
    data = table(content)
    assert (data.layout, data.labels, data.n_items) == ("counts", labels, items)
    assert noted(data, "Read as counts").endswith("(to change this, give `layout` wide, or `labels`).")


@pytest.mark.parametrize(
    "content",
    [
        "item,a,b\n1,0,3\n2,1,2\n",  # two rows are not enough to tell
        "item,a,b\n1,1,1\n2,1,1\n3,1,1\n",  # all alike
        "item,a,b\n1,0,3\n2,,2\n3,2,1\n",  # a gap
        "item,rater1,rater2\n1,0,3\n2,1,2\n3,2,1\n",  # named after annotators
    ],
)
def test_what_may_not_be_counts_is_wide(content: str) -> None:
    assert table(content).layout == "wide"


@pytest.mark.parametrize(
    "content",
    [
        "item,a,b\n1,1,3\n2,2,2\n3,3,1\n",  # equal sums, but no zero
        "item,a,b\n1,0,1\n2,1,0\n3,0,1\n",  # one label an item, or two annotators who never agree
        "item,a,b\n1,0,3\n2,1,2\n3,2,2\n",  # unequal sums in three rows
    ],
)
def test_what_may_be_counts_or_wide_is_asked_about(content: str) -> None:
    with pytest.raises(
        UnknownLayout, match=r"several ways.*`layout` (counts .* or `layout` wide|wide .* or `layout` counts)"
    ):
        table(content)


def test_counts_that_are_said() -> None:
    content = "item,a,b\n1,0,3\n2,1,2\n3,2,2\n"
    assert table(content, layout="counts").n_annotations == 10
    assert table("a,b\n1,3\n1,2\n", layout="counts").n_items == 2
    assert table("a,b,key\n1,3,4\n1,2,5\n", layout="counts", item="key").labels == ("a", "b")
    assert table("item,a,b\n1,0,3\n2,1,2\n3,2,1\n", layout="wide").layout == "wide"
    for cell in ("", "x", "-1", "1.5", "9" * 400):
        with pytest.raises(InputError, match=r"whole numbers, 0 or more; row 2 has .* in the column \"b\""):
            table(f"item,a,b\n1,0,3\n2,1,{cell}\n", layout="counts")


def test_counts_of_uneven_rows() -> None:
    content = "item,a,b\n" + "".join(f"{i},{i % 3},{3 - i % 3}\n" for i in range(6000)) + "last,2,2\n"
    data = table(content)
    assert (data.layout, data.n_annotations) == ("counts", 18004)
    assert noted(data, "The rows add up to between 3 and 4 annotations.")


@pytest.mark.parametrize(
    "content",
    [
        ",yes,no\nyes,20,5\nno,10,15\n",
        ",yes,no\nno,10,15\nyes,20,5\n",
        "A\\B,no,yes\nno,15,10\nyes,5,20\n",
        ",yes,no,Total\nyes,20,5,25\nno,10,15,25\nTotal,30,20,50\n",
    ],
)
def test_two_annotators_crossed(content: str) -> None:
    data = table(content)
    # The labels stand in the order of the columns.
    order = ("no", "yes") if content.startswith("A") else ("yes", "no")
    assert (data.layout, data.n_items, data.labels) == ("table", 50, order)
    # 15 times both said no, 20 times both yes, 10 times the rows said no and the columns yes.
    cells = {
        (data.labels[row[0]], data.labels[row[1]]): int(n)
        for row, n in zip(data._source.ratings, data._source.multiplicities, strict=True)
    }
    assert cells == {("no", "no"): 15, ("no", "yes"): 10, ("yes", "no"): 5, ("yes", "yes"): 20}
    assert noted(data, "Read as a table of two annotators")


def test_columns_of_counts_that_are_said() -> None:
    content = "text,year,for,against,seen\nt1,2001,3,1,9\nt2,2002,0,4,7\nt3,2003,2,1,8\n"
    data = table(content, layout="counts", labels=["for", "against"])
    assert (data.labels, data.n_items, data.n_annotations) == (("against", "for"), 3, 11)
    assert noted(data, "Left out as not being counts").endswith('"text", "year", "seen".')
    with pytest.raises(UnknownColumn, match="`labels` names the column"):
        table(content, layout="counts", labels=["for", "nobody"])
    with pytest.raises(OptionError, match="labels"):
        table(content, layout="counts", labels=["for", "for"])
    with pytest.raises(AssentError):
        table(content, layout="counts", labels=["for", "text"])


def test_a_crossed_table_that_is_said() -> None:
    assert table("yes,no\n20,5\n10,15\n", layout="table").n_items == 50
    assert table("item,1,2\n1,5,0\n2,0,5\n", layout="table").n_items == 10
    assert table("item,1,2\n1,5,0\n2,0,5\n").layout == "wide"
    for content, message in (
        (",yes,no\nyes,1,2\nmaybe,2,3\n", 'only one of them has "maybe"'),
        (",yes,no\nyes,1,2\nyes,2,3\n", 'only one of them has "no"'),
        (",yes,no\nyes,1,2\nno,2,x\n", 'whole numbers, 0 or more; row 2 has "x"'),
    ):
        with pytest.raises(InputError, match=message):
            table(content, layout="table")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"label": "anotator"}, '`label` names the column "anotator", .* did you mean "annotator"'),
        ({"item": "zzz"}, 'choose one of "item", "annotator", "label"'),
        ({"annotators": ["item", "lable"]}, '`annotators` names the column "lable", .* did you mean "label"'),
        ({"cluster": "doc"}, '`cluster` names the column "doc"'),
    ],
)
def test_a_column_that_does_not_exist(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UnknownColumn, match=message):
        table(long("item,annotator,label"), **options)


@pytest.mark.parametrize(
    "options",
    [
        {"layout": "lang"},
        {"item": "item", "label": "item"},
        {"annotators": ["item"]},
        {"annotators": ["item", "item"]},
        {"layout": "wide", "label": "label"},
        {"layout": "wide", "annotator": "annotator"},
        {"layout": "long", "annotators": ["item", "label"]},
        {"layout": "long", "transpose": True},
        {"layout": "counts", "cluster": "item"},
        {"layout": "counts", "transpose": True},
        {"layout": "table", "item": "item"},
        {"layout": "table", "annotators": ["item", "label"]},
        {"label": "label", "annotators": ["item", "annotator"]},
        {"transpose": True, "item": "item"},
        {"transpose": True, "cluster": "item"},
        {"transpose": True, "annotators": ["item", "label"]},
    ],
)
def test_options_that_do_not_fit_together(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        table(long("item,annotator,label"), **options)


@pytest.mark.parametrize(
    "content",
    [
        "a\nb\n",
        "item annotator label\n1 a x\n",
        "item,label\n1,x\n2,y\n",
        "item,text\n1,x\n2,y\n",
        "p,q\n1,x\n2,y\n3,x\n",
    ],
)
def test_tables_nobody_could_read(content: str) -> None:
    with pytest.raises(UnknownLayout, match=r"`[a-z]+`"):
        table(content)


def test_two_annotators_who_never_agree() -> None:
    assert table("human,model\nx,y\nx,y\nx,y\n").annotators == ("human", "model")
    assert table("human,model\n1,2\n3,4\n").annotators == ("human", "model")


def test_clusters() -> None:
    rows = "1,d1,a,x\n1,d1,b,y\n2,d1,a,x\n2,d1,b,x\n3,d2,a,x\n3,d2,b,x\n"
    data = table("item,doc,rater,label\n" + rows, cluster="doc")
    assert (data.unit, data.n_items) == ("doc", 3)
    assert table("item,doc,rater,label\n" + rows, item="item", cluster="item").n_items == 3
    data = table("item,doc,ann,bob\n1,d1,x,y\n2,d1,x,x\n", cluster="doc")
    assert (data.unit, data.annotators) == ("doc", ("ann", "bob"))
    data = table("no,item,ann,bob\n1,d1,x,y\n2,d1,x,x\n", item="no", cluster="item")
    assert (data.n_items, data.annotators) == (2, ("ann", "bob"))


@pytest.mark.parametrize(
    ("content", "decimal"),
    [
        ("item;rater;label\n1;a;1,5\n1;b;2\n", ","),
        ("item;ann;bob\n1;1,5;2\n2;;3,25\n", ","),
        ("item;rater;label\n1;a;1.5\n1;b;2,5\n", "."),
        ("item;rater;label\n1;a;15\n1;b;25\n", "."),
        ('item,rater,label\n1,a,"1,5"\n1,b,"2,5"\n', "."),
    ],
)
def test_the_decimal_comma(content: str, decimal: str) -> None:
    data = table(content)
    assert data._decimal == decimal
    assert bool(noted(data, "The labels are numbers with a decimal comma")) == (decimal == ",")
    assert table(content, decimal=".")._decimal == "."
    assert table(content, decimal=",")._decimal == ","
    assert "1,5" in data.labels or decimal == "."


def test_a_line_of_data_above_the_data_is_pointed_out() -> None:
    assert noted(table("1,2,3\n2,2,3\n1,1,2\n3,2,1\n"), "The first line was read as the names")
    assert noted(table("7,8,9\n2,2,3\n1,1,2\n"), "The first line was read as the names")
    assert noted(table("x,y\ny,y\nx,x\n"), "The first line was read as the names")
    assert not noted(table("ann,bob\nx,y\ny,y\n"), "The first line")


def test_header_only_and_one_row() -> None:
    for content in ("item,annotator,label\n", "item,ann,bob", "item,ann,bob\n\n\n"):
        with pytest.raises(AssentError, match="no rows"):
            table(content)
    assert table("item,ann,bob\n1,x,y\n").n_items == 1


def test_many_columns() -> None:
    heads = ",".join(f"i{n}" for n in range(3000))
    content = f"rater,{heads}\n" + "".join(
        f"{who},{','.join('xy'[n % k > 0] for n in range(3000))}\n" for who, k in (("A", 2), ("B", 3))
    )
    data = table(content)
    assert (data.n_items, data.annotators) == (3000, ("A", "B"))
    assert "3000 columns" in data.notes[0]


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("Item", "item"), ("item_id", "item"), ("ITEM-ID", "item"), ("text id", "item"), ("tweetId", "item"), ("id", "item"),
        ("document name", "item"), ("Annotator", "annotator"), ("rater_id", "annotator"), ("Worker-Name", "annotator"),
        ("labels", "label"), ("Class", "label"), ("Judgement", "label"), ("answer_id", "label"),
    ],
)  # fmt: skip
def test_names(name: str, role: str) -> None:
    assert [r for r in ("item", "annotator", "label") if detect_by_names.named(name, r)] == [role]


@pytest.mark.parametrize("name", ["text", "rater1", "label_2", "name", "", "ann", "gold", "s", "ids"])
def test_names_without_a_role(name: str) -> None:
    assert not any(detect_by_names.named(name, role) for role in ("annotator", "label"))


@pytest.mark.parametrize("name", ["rater1", "Rater 2", "coder_A", "coderB", "annotator-12", "R1", "judge #3"])
def test_names_of_one_annotator(name: str) -> None:
    assert detect_by_names.names_an_annotator(name)


@pytest.mark.parametrize("name", ["rater", "item1", "label1", "ann", "A", "1", "", "category 3", "raters"])
def test_other_names(name: str) -> None:
    assert not detect_by_names.names_an_annotator(name)


@pytest.mark.parametrize("content", [",yes,no\nyes,0.40,0.10\nno,0.20,0.30\n", ",a,b,c\na,3,1,0\nb,0,4,1\n"])
def test_what_is_nearly_a_table_of_two_annotators_is_refused(content: str) -> None:
    with pytest.raises(UnknownLayout, match=r"named like the columns.*`layout` wide"):
        table(content)
    assert table(content, layout="wide").layout == "wide"


def test_a_third_column_that_settles_what_two_disagree_on_is_asked_about() -> None:
    draw = random.Random(5)
    pairs = [(one, one if draw.random() < 0.75 else draw.choice("xyz")) for one in draw.choices("xyz", k=60)]
    rows = [[f"c{i}", *pair, draw.choice(pair)] for i, pair in enumerate(pairs)]

    def text() -> str:
        return "\n".join(",".join(row) for row in [["claim", "Ines", "Tomas", "Redaktion"], *rows])

    with pytest.raises(UnknownLayout, match="Redaktion") as refused:
        table(text())
    assert {"layout": "wide", "item": "claim", "annotators": "Ines,Tomas"} in refused.value.candidates
    # A third person now and then says what neither says.
    rows[7][3] = next(label for label in "xyz" if label not in pairs[7])
    assert table(text()).n_annotators == 3


@pytest.mark.parametrize("name", ["Max", "SD"])
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("rows", [["77,5"], ["77,5", "1,2", "2,2"]])
def test_an_annotator_whose_name_is_that_of_a_summary_is_one(name: str, first: bool, rows: list[str]) -> None:
    theirs = [f"{name},{row}" for row in rows]
    others = [f"{who},{i},{1 + i % 3}" for who in ("Ann", "Ben") for i in range(1, 9)]
    content = "\n".join(theirs + others if first else others + theirs[::-1])
    assert set(table(f"annotator,item,score\n{content}\n").annotators or ()) == {"Ann", "Ben", name}


@pytest.mark.parametrize("name", ["Max", "SD", "Mean"])
@pytest.mark.parametrize("first", [True, False])
def test_a_row_of_spreads_beside_items_is_none(name: str, first: bool) -> None:
    rows = [f"e{i},{1 + i % 5},{1 + (i + i // 7) % 5}" for i in range(20)]
    content = "\n".join([f"{name},9.5,8.5", *rows] if first else [*rows, f"{name},9.5,8.5"])
    with pytest.raises(UnknownLayout, match=f'"{name}", holds numbers that no other row holds'):
        table(f"item,Ann,Ben\n{content}\n")


def rated(column: str, texts: list[str], raters: str) -> Annotations:
    rows = [f"{text},{1 + i % 5},{1 + i % 5},{1 + (i + i // 7) % 5}" for i, text in enumerate(texts)]
    return table(f"{column},{raters}\n" + "\n".join(rows) + "\n")


def test_answers_that_were_rated_are_items_and_labels_that_were_counted_are_asked_about() -> None:
    written = [f"the {i} answer that a program wrote to it" for i in range(12)]
    for column, texts in [("response", written), ("answer", written), ("code", [f"c{i}" for i in range(21)])]:
        data = rated(column, texts, "rater1,rater2,rater3")
        assert (data.annotators, data.n_items) == (("rater1", "rater2", "rater3"), len(texts))
    with pytest.raises(UnknownLayout, match="seems to name labels"):
        rated("code", [f"c{i}" for i in range(20)], "rater1,rater2,rater3")


def test_raters_of_languages_are_raters() -> None:
    texts = [f"i{i}" for i in range(14)]
    assert rated("item", texts, "rater_en,rater_de,rater_fr").annotators == ("rater_de", "rater_en", "rater_fr")
    with pytest.raises(UnknownLayout, match="versions or languages of the same thing"):
        rated("item", texts, "label_en,label_de,label_fr")


def test_another_table_below_an_empty_row_may_be_the_same_one() -> None:
    rows = [f"i{i},{'ab'[i % 2]},{'ab'[i // 2 % 2]}" for i in range(10)]
    content = "item,Ann,Ben\n" + "\n".join([*rows, ",,", "i90,c,c", "i91,a,b"])
    with pytest.raises(AssentError, match="into a file of its own, or delete that row if the rows belong together"):
        table(content)
    assert table(content.replace(",,\n", "")).n_items == 12


@pytest.mark.parametrize("name", ["Lang", "Page", "Price"])
def test_a_surname_that_is_a_word_for_something_else_is_asked_about(name: str) -> None:
    body = "".join(f"{i},{'yn'[i % 3 == 0]},{'yn'[i % 4 == 0]},{'yn'[i % 5 == 0]}\n" for i in range(20))
    with pytest.raises(UnknownLayout, match="may be another annotator or not"):
        table(f"Satz,Meyer,Schulz,{name}\n{body}")
    # In small letters, or with other texts, it is what it is called.
    assert table(f"Satz,Meyer,Schulz,{name.lower()}\n{body}").annotators == ("Meyer", "Schulz")
    others = body.replace("y\n", "de\n").replace("n\n", "fr\n")
    assert table(f"Satz,Meyer,Schulz,{name}\n{others}").annotators == ("Meyer", "Schulz")


@pytest.mark.parametrize(
    ("names", "given"),
    [
        ("id,c1,c2,c3,consensus reached", lambda a, b, c: "yes" if a == b == c else "no"),
        ("id,c1,c2,c3,resolved by", lambda a, b, c: "" if a == b == c else "yes"),
        ("id,c1,c2,c3,is_gold", lambda a, b, c: "no"),
        ("id,c1,c2,c3,gold", lambda a, b, c: "maybe"),
    ],
)
def test_what_says_that_or_by_whom_something_was_decided_is_no_gold(names: str, given: Any) -> None:
    draw = random.Random(3)
    rows = [[draw.choice(["yes", "yes", "no"]) for _ in range(3)] for _ in range(20)]
    data = table("\n".join([names, *(f"{i},{','.join(row)},{given(*row)}" for i, row in enumerate(rows))]))
    assert data.annotators == ("c1", "c2", "c3")
    assert not data.gold


@pytest.mark.parametrize("kind", [pl.Categorical(), pl.Enum(["0", "1", "2", "4"])])
def test_counts_that_are_categories_are_read_by_their_texts(kind: pl.DataType) -> None:
    counts = pl.DataFrame({"item": ["i1", "i2", "i3"], "a": ["2", "0", "1"], "b": ["0", "2", "1"]})
    assert read(counts.with_columns(pl.col("a", "b").cast(kind)), layout="counts").n_annotations == 6
    square = pl.DataFrame({"": ["x", "y"], "x": ["4", "1"], "y": ["2", "1"]})
    assert read(square.with_columns(pl.col("x", "y").cast(kind)), layout="table").n_annotations == 16


def test_a_name_of_thousands_of_letters_does_not_hide_the_sentence() -> None:
    name = "x" * 5000
    with pytest.raises(UnknownLayout, match="none is clearly right: say `transpose`") as refused:
        table(f"{name},one,two,three\n[None],False,yes,no\n2026/03/01 10:01:00,0,1,2\n")
    assert len(str(refused.value)) < 2000
    assert name[:90] in str(refused.value)


def test_the_columns_of_a_very_wide_table_are_gone_through_a_few_times() -> None:
    """Of a table with 100,000 columns `look` took minutes: for each column all of them were put into a set."""
    looked_up = [0]

    class Name(str):
        def __hash__(self) -> int:
            looked_up[0] += 1
            return super().__hash__()

    names = [Name(f"column {number}") for number in range(1_000)]
    counts_table(names, pl.DataFrame(), Overrides(layout="counts", counts=tuple(names[1:])), guessed=False)
    assert 0 < looked_up[0] < 50 * len(names)
