"""Relations between spans and attributes of them: against sets, and with tables that cannot be used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.conftest import Files, Program

import assent as library
from assent.errors import InputError, OptionError, UnsuitableData
from assent.matching import align

SPANS = """id,document,annotator,start,end,label,negated
T1,d1,ada,0,4,PER,no
T2,d1,ada,9,15,ORG,yes
T3,d1,ada,20,25,PER,no
T1,d1,ben,0,4,PER,no
T2,d1,ben,9,14,ORG,yes
T1,d2,ada,0,4,PER,yes
T2,d2,ada,5,9,PER,
T1,d2,ben,0,4,PER,no
T2,d2,ben,5,9,PER,no
T1,d3,ada,0,4,PER,yes
T1,d3,ben,0,4,PER,yes
"""
RELATIONS = """document,annotator,type,head,tail
d1,ada,works for,T1,T2
d1,ada,knows,T1,T3
d1,ben,works for,T1,T2
d2,ada,knows,T1,T2
d2,ben,knows,T2,T1
"""


def drawn(seed: int) -> library.Spans:
    rng = np.random.default_rng(seed)
    rows, relations = [], []
    for document in ("d1", "d2", "d3"):
        for who in ("ada", "ben", "cem"):
            first = len(rows)
            places = sorted(rng.choice(12, int(rng.integers(2, 5)), replace=False).tolist())
            # Two out of three labels are those of the place.
            rows += [
                (document, who, 5 * at, 5 * at + int(rng.integers(3, 5)), "AB"[(at + (rng.random() < 1 / 3)) % 2])
                for at in places
            ]
            for _ in range(int(rng.integers(0, 5))):
                head, tail = rng.choice(len(places), 2, replace=False)
                relations.append((str(rng.choice(["r", "s"])), first + int(head), first + int(tail)))
    return library.Spans.from_rows(rows, relations=relations)


def by_hand(data: library.Spans, kinds: tuple[int, ...], symmetric: tuple[str, ...], found: bool) -> float:
    known: Any = data.relations
    made = align(data.document, data.annotator, data.start, data.end, data.label)
    partner: dict[tuple[int, int], int] = {}
    for one, two, kind in zip(made.first.tolist(), made.second.tolist(), made.kind.tolist(), strict=True):
        if kind in kinds:
            partner[one, int(data.annotator[two])] = two
            partner[two, int(data.annotator[one])] = one

    def key(kind: int, head: int, tail: int) -> tuple[int, ...]:
        ends = sorted((head, tail)) if known.types[kind] in symmetric else [head, tail]
        return (kind, *ends)

    every = {key(*one) for one in zip(known.type.tolist(), known.head.tolist(), known.tail.tolist(), strict=True)}
    values = []
    for a in range(3):
        for b in range(a + 1, 3):
            sides, matched = [], 0
            for mine, other in ((a, b), (b, a)):
                own = [one for one in every if data.annotator[one[1]] == mine]
                has = [one for one in own if (one[1], other) in partner and (one[2], other) in partner]
                matched += sum(
                    key(kind, partner[head, other], partner[tail, other]) in every for kind, head, tail in has
                )
                sides.append(len(has) if found else len(own))
            if sum(sides):
                values.append(matched / sum(sides))
    return float(np.mean(values)) if values else float("nan")


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("symmetric", [(), ("r",)])
def test_relations_by_hand(seed: int, symmetric: tuple[str, ...]) -> None:
    data = drawn(seed)
    if not set(symmetric) <= set(data.relations.types):
        return
    said = ",".join(symmetric) or None
    for arguments, kinds in (("exact", (0,)), ("aligned", (0, 1, 2, 3))):
        found = library.relation_f1(data, arguments=arguments, symmetric=said)
        assert found.value == pytest.approx(by_hand(data, kinds, symmetric, False), nan_ok=True)
        given = found.details[f"{arguments} given the arguments"]
        assert given == pytest.approx(by_hand(data, kinds, symmetric, True), nan_ok=True)


def test_relations_stay_with_their_spans() -> None:
    data = drawn(3)
    kept = data.kept(np.ones(len(data.start), dtype=bool), documents=np.array([False, True, True]))
    parts = [[*data.documents].index(name) for name in kept.documents]
    assert len(kept.relations.type) == int(np.isin(data.document[data.relations.head], parts).sum())
    assert set(kept.document[kept.relations.head]) == set(kept.document[kept.relations.tail])


def test_on_the_command_line(assent: Program, file: Files) -> None:
    spans, relations = file("spans.csv", SPANS), file("relations.csv", RELATIONS)
    done = assent(
        "measure", spans, "--relations", relations, "-m", "relation-f1", "--symmetric", "knows", "--json"
    ).only
    assert done["value"] == pytest.approx(0.4)
    assert done["details"] == pytest.approx(
        {"exact": 0.4, "aligned": 0.8, "exact given the arguments": 1.0, "aligned given the arguments": 1.0}
    )
    aligned = assent(
        "measure", spans, "--relations", relations, "-m", "relation-f1", "--arguments", "aligned", "--json"
    ).only
    assert aligned["value"] == aligned["details"]["aligned"]
    asked = ("--attributes", "negated", "-m", "span-attribute-alpha", "--attribute", "negated")
    one = assent("measure", spans, *asked, "--json").only
    # Pairs: no no, yes yes, yes no, yes yes; one more without a value; "T3" has no partner.
    assert one["details"] == pytest.approx({"pairs": 4, "coverage": 10 / 11, "without_value": 1})
    assert one["value"] == pytest.approx(1 - 0.25 / (1 - (5 * 4 + 3 * 2) / (8 * 7)))


def test_tables_that_cannot_be_used(tmp_path: Path) -> None:
    spans, relations = tmp_path / "spans.csv", tmp_path / "relations.csv"
    spans.write_text(SPANS)
    relations.write_text(RELATIONS.replace("T3", "T9"))
    with pytest.raises(InputError, match=r'row 2 \("ada" has no span "T9" in "d1"\)'):
        library.read(str(spans), relations=str(relations))
    relations.write_text("document,annotator,type,head\nd1,ada,x,T1\n")
    with pytest.raises(InputError, match="tail cannot be told"):
        library.read(str(spans), relations=str(relations))
    with pytest.raises(InputError, match='names the column "nagated"'):
        library.read(str(spans), attributes=["nagated"])
    plain = library.read(str(spans))
    with pytest.raises(UnsuitableData, match="There are no relations"):
        library.relation_f1(plain)
    with pytest.raises(UnsuitableData, match="no attributes"):
        library.span_attribute_alpha(plain)
    relations.write_text(RELATIONS)
    with pytest.raises(OptionError, match='the type "likes"'):
        library.relation_f1(library.read(str(spans), relations=str(relations)), symmetric="likes")


def test_many_weights_at_once_and_the_jackknife() -> None:
    data = drawn(4)
    found = library.relation_f1(data)
    left = [
        library.relation_f1(data.kept(np.ones(len(data.start), dtype=bool), documents=np.arange(3) != at)).value
        for at in range(3)
    ]
    error = np.sqrt(2 / 3 * ((np.array(left) - np.mean(left)) ** 2).sum())
    assert found.standard_error("jackknife") == pytest.approx(error)


def test_nobody_marked_anything() -> None:
    judged = [(document, who) for document in ("d", "e") for who in ("ada", "ben")]
    data = library.Spans.from_rows([], judged=judged, relations=[], attributes={"negated": []})
    assert np.isnan(library.relation_f1(data).value)
    assert np.isnan(library.span_attribute_alpha(data).value)


def test_of_several_attributes_one_is_chosen() -> None:
    rows = [(f"d{at}", who, 0, 4, "A") for at in range(3) for who in ("ada", "ben")]
    attributes = {"negated": list("yynnyn"), "certain": list("yyyyyn")}
    data = library.Spans.from_rows(rows, attributes=attributes)
    with pytest.raises(OptionError, match='There are the attributes "negated" and "certain": choose one'):
        library.span_attribute_alpha(data)
    with pytest.raises(OptionError, match='There is no attribute "negate"; did you mean "negated"'):
        library.span_attribute_alpha(data, attribute="negate")
    alone = library.Spans.from_rows(rows, attributes={"certain": attributes["certain"]})
    assert library.span_attribute_alpha(data, attribute="certain").value == library.span_attribute_alpha(alone).value


def test_relations_between_spans_that_nobody_else_has_are_never_the_same() -> None:
    rows = [("d", "ada", 0, 2, "A"), ("d", "ada", 4, 6, "A"), ("d", "ben", 10, 12, "A"), ("d", "ben", 14, 16, "A")]
    found = library.relation_f1(library.Spans.from_rows(rows, relations=[("r", 0, 1), ("r", 2, 3)]))
    assert (found.details["exact"], found.details["aligned"]) == (0, 0)
    assert np.isnan(found.details["aligned given the arguments"])


def test_one_document_is_not_cut_between_the_arguments_of_a_relation() -> None:
    """Each span is related to the next: nine relations of ada, eight of ben, which are the first of them."""
    rows = [("d", who, 10 * at, 10 * at + 4, "A") for who in ("ada", "ben") for at in range(10)]
    relations = [("r", at, at + 1) for at in (*range(9), *range(10, 18))]
    found = library.relation_f1(library.Spans.from_rows(rows, relations=relations))
    assert found.value == 2 * 8 / (9 + 8)
    assert not any("There is one document" in note for note in found.notes)
