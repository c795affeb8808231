"""Where annotators who mark spans differ: counts that add up, against sets and every matching."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.conftest import SPANS, Files, Program
from tests.reference import spans as slow
from tests.spans.test_brute_force import random_marks, spans_of
from tests.support import some

import assent
from assent.analyses.spans import ERRORS, boundaries, differences
from assent.data import Spans
from assent.errors import NothingToCompare, OptionError

SEEDS = st.integers(0, 10_000)


def random_data(seed: int) -> tuple[slow.Marks, assent.Spans]:
    rng = np.random.default_rng([seed, 7])
    marks = random_marks(rng, documents=int(rng.integers(1, 4)), people=int(rng.integers(2, 4)))
    return marks, spans_of(marks)


def by_hand(here: dict[str, set[slow.Span]]) -> dict[str, int]:
    """Classes of one document, every pair from both sides."""
    total = dict.fromkeys(ERRORS, 0)
    for a, b in combinations(sorted(here), 2):
        found = slow.classes(here[a], here[b])
        for kind in ERRORS[:4]:
            total[kind] += 2 * found[kind]
        total["only"] += found["only_a"] + found["only_b"]
    return total


def comparable(data: assent.Spans) -> bool:
    return bool((data.judges >= 2).any())


@given(SEEDS)
def test_documents_are_those_of_sets_and_all_matchings(seed: int) -> None:
    marks, data = random_data(seed)
    if not comparable(data):
        with pytest.raises(NothingToCompare):
            assent.items(data)
        return
    found = assent.items(data)
    wanted = {name: here for name, here in marks.items() if len(here) >= 2}
    assert {one.item for one in found.items} == set(wanted)
    for one in found.items:
        here = wanted[one.item]
        assert one.classes == by_hand(here)
        assert one.spans == {who: len(some) for who, some in here.items()}
        scores = [slow.f1(slow.counts(here[a], here[b], "exact")) for a, b in combinations(sorted(here), 2)]
        known = [score for score in scores if score is not None]
        assert math.isnan(one.f1) if not known else one.f1 == pytest.approx(sum(known) / len(known))
    order = [(math.isnan(one.f1), one.f1) for one in found.items if not math.isnan(one.f1)]
    assert order == sorted(order)


@given(SEEDS)
def test_everything_adds_up(seed: int) -> None:
    _, data = random_data(seed)
    if not comparable(data):
        return
    found = differences(data)
    here = found.data
    assert (found.of_spans.sum(1) == here.judges[here.document] - 1).all()
    for by, groups in ((here.document, len(here.documents)), (here.annotator, len(here.annotators))):
        assert found.counts(by, groups).sum(0).tolist() == list(found.totals.values())
    assert found.pairs[2].sum(0).tolist() == list(found.totals.values())
    if math.isnan(found.f1):
        assert not found.totals["identical"]
        return
    assert found.f1 == pytest.approx(assent.span_f1(data).value)
    assert sum(found.shares.values()) == pytest.approx(1)
    assert sum(found.costs.values()) == pytest.approx(1 - found.f1)
    assert (found.costliest is None) == (found.f1 == pytest.approx(1))


def test_what_costs_most() -> None:
    same = [("d", who, 0, 4, "A") for who in ("ann", "ben")]
    named = [("d", "ann", 5, 9, "A"), ("d", "ben", 5, 9, "B")]
    cut = [("d", "ann", 5, 9, "A"), ("d", "ben", 5, 8, "A")]
    alone = [("d", "ann", 5, 9, "A")]
    for rows, step in ((named, "naming"), (cut, "cutting"), (alone, "finding"), ([], None)):
        found = differences(assent.Spans.from_rows(same + rows))
        assert found.costliest == step
        assert found.advice().startswith("" if step is None else step.capitalize())


def test_on_the_command_line(assent: Program, file: Files) -> None:
    path = file("spans.csv", SPANS)
    found = assent("items", path, "--json").json
    assert found["total"] == 4
    assert [one["item"] for one in found["items"]][-1] == "d1"
    last = found["items"][-1]
    assert 0 < last.pop("gamma") < 1
    assert last == {
        "item": "d1",
        "annotators": 2,
        "spans": {"ann": 2, "ben": 2},
        "f1": 0.5,
        "comparisons": 4,
        "classes": {"identical": 2, "label": 0, "boundary": 2, "both": 0, "only": 0},
    }
    assert found["differences"]["classes"] == {"identical": 2, "label": 2, "boundary": 4, "both": 0, "only": 2}
    shown = assent("items", path, "--top", "2").out
    assert "Documents, the lowest F1 first" in shown
    assert "d2" in shown
    assert "d1" not in shown
    assert "not marked by the other" in shown
    assert "2 more documents are in the JSON" in shown


def covers(span: slow.Span) -> int:
    return span[1] - span[0]


@given(SEEDS)
def test_annotators_are_those_of_sets_and_all_matchings(seed: int) -> None:
    marks, data = random_data(seed)
    if not comparable(data):
        return
    found = assent.annotators(data)
    shared = [here for here in marks.values() if len(here) >= 2]
    assert {one.annotator for one in found.annotators} == {who for here in shared for who in here}
    for one in found.annotators:
        me, scores = one.annotator, []
        theirs = [here for here in shared if me in here]
        for other in data.annotators:
            both = [here for here in theirs if other in here and other != me]
            sums = np.sum([slow.counts(here[me], here[other], "exact") for here in both], axis=0) if both else None
            if sums is not None and (score := slow.f1(list(sums))) is not None:
                scores.append(score)
        assert math.isnan(one.f1) if not scores else one.f1 == pytest.approx(sum(scores) / len(scores))
        assert one.n_documents == len(theirs)
        assert one.n_spans == sum(len(here[me]) for here in theirs)
        assert one.silent == sum(not here[me] for here in theirs)
        assert one.silent_alone == sum(not here[me] and any(here.values()) for here in theirs)
        classes = dict.fromkeys(ERRORS, 0)
        missed = 0
        for here in theirs:
            for other in set(here) - {me}:
                pair = slow.classes(here[me], here[other])
                for kind in ERRORS[:4]:
                    classes[kind] += pair[kind]
                classes["only"] += pair["only_a"]
                missed += pair["only_b"]
        assert one.classes == classes
        assert one.missed == missed
        assert one.missable == sum(len(here[other]) for here in theirs for other in set(here) - {me})
        assert sum(many for many, _ in one.missed_labels.values()) == missed
        assert sum(one.classes.values()) == sum(len(here[me]) * (len(here) - 1) for here in theirs)
        assert one.longer + one.shorter <= classes["boundary"] + classes["both"]
    longer, shorter = (sum(getattr(one, way) for one in found.annotators) for way in ("longer", "shorter"))
    assert longer == shorter


def test_who_cuts_long_and_who_is_silent() -> None:
    rows = [(f"d{i}", who, 5, end, "A") for i in range(12) for who, end in (("ann", 9), ("ben", 12))]
    data = assent.Spans.from_rows(rows, judged=[(f"d{i}", "cem") for i in range(12)])
    found = assent.annotators(data)
    by_name = {one.annotator: one for one in found.annotators}
    assert (by_name["ben"].longer, by_name["ben"].shorter, by_name["ann"].shorter) == (12, 0, 12)
    assert (by_name["cem"].silent, by_name["cem"].missed_share) == (12, 1.0)
    said = " ".join(found.notes)
    assert '"ben" cuts longer than the others: 12 of 12 spans' in said
    assert '"cem" marked nothing in 12 of 12 documents in which others did' in said
    assert "not who is right" in said


@given(SEEDS)
def test_labels_are_those_of_the_measure(seed: int) -> None:
    marks, data = random_data(seed)
    if not comparable(data):
        return
    found = assent.labels(data)
    totals = found.differences.totals
    here = data.comparable()
    for one in found.labels:
        # One document has no blocks here: the value of the measure does not depend on them.
        assert one.f1 == pytest.approx(assent.span_f1(data, span_label=one.label).value, nan_ok=True)
        assert one.n_spans == sum(
            span[2] == one.label for some in marks.values() if len(some) > 1 for s in some.values() for span in s
        )
    assert sum(one.n_spans for one in found.labels) == here.n_annotations
    assert np.sum([list(one.classes.values()) for one in found.labels], axis=0).tolist() in ([*totals.values()], 0.0)
    assert 2 * sum(one.same_place for one in found.confused) == totals["label"]
    assert 2 * sum(one.near for one in found.confused) == totals["both"]
    if found.same_place is not None and len(found.labels):
        assert 2 * int(found.same_place.sum()) == totals["label"] + totals["identical"]


def test_annotators_and_labels_on_the_command_line(assent: Program, file: Files) -> None:
    path = file("spans.csv", SPANS)
    found = assent("annotators", path, "--json").json
    assert [one["annotator"] for one in found["annotators"]] == ["ann", "ben"]
    assert found["annotators"][0]["missed"] == 1
    assert "Mean exact F1 with the others" in assent("annotators", path).out
    labels = assent("labels", path, "--json").json
    assert [(one["label"], one["spans"]) for one in labels["labels"]] == [("A", 6), ("B", 4)]
    assert labels["confused"] == [{"first": "A", "second": "B", "same_place": 1, "near": 0}]
    assert labels["same_place"] == [[1, 1], [0, 0]]
    assert "Pairs of spans in the same place" in assent("labels", path).out


@given(SEEDS)
def test_offsets_apart_add_up(seed: int) -> None:
    _, data = random_data(seed)
    if not comparable(data):
        return
    found = differences(data)
    made = boundaries(found)
    assert 2 * made.n_pairs == found.totals["boundary"] + found.totals["both"]
    assert sum(made.start.values()) == sum(made.end.values()) == made.n_pairs
    assert made.one_offset <= made.one_end <= made.n_pairs
    # Each pair differs in the one end, the other, or both.
    assert made.start["0"] + made.end["0"] == made.one_end
    assert made.edges == made.trimmed == {}


TEXT = "The cat, sat on a mat. "


@pytest.mark.parametrize(
    ("one", "two", "edge", "scores"),
    [
        ((13, 22), (13, 23), "white space", (1, 1, 1)),
        ((4, 7), (4, 8), "punctuation", (0, 1, 1)),
        ((0, 7), (4, 7), "a determiner", (0, 0, 1)),
        ((16, 21), (18, 21), "a determiner", (0, 0, 1)),
        ((4, 12), (9, 12), "one word", (0, 0, 0)),
        ((0, 12), (9, 12), "several words", (0, 0, 0)),
    ],
)
def test_what_differs_at_an_end(
    one: tuple[int, int], two: tuple[int, int], edge: str, scores: tuple[float, ...]
) -> None:
    rows = [("d", "ann", *one, "A"), ("d", "ben", *two, "A")]
    made = boundaries(differences(assent.Spans.from_rows(rows, texts={"d": TEXT})))
    assert made.edges == {edge: 1}
    assert tuple(made.trimmed.values()) == scores
    assert made.f1 == 0


def test_offsets_of_tokens_are_no_places_in_a_text() -> None:
    rows = [("d", "ann", 0, 2, "A"), ("d", "ben", 0, 3, "A")]
    made = boundaries(differences(assent.Spans.from_rows(rows, texts={"d": TEXT}, offsets="tokens")))
    assert (made.one_offset, made.edges, made.trimmed) == (1, {}, {})


def test_classes_of_pairs_add_up_to_those_of_all() -> None:
    rng = np.random.default_rng(11)
    rows = [
        (f"d{document}", who, int(start), int(start + length), label)
        for document in range(5)
        for who in ("ada", "ben", "cem")
        for start, length, label in zip(
            rng.integers(0, 30, 6), rng.integers(1, 6, 6), rng.choice(["A", "B"], 6), strict=True
        )
    ]
    found = differences(assent.Spans.from_rows(rows)).to_dict()
    pairs = found["pairs"]
    assert [(one["first"], one["second"]) for one in pairs] == [("ada", "ben"), ("ada", "cem"), ("ben", "cem")]
    for kind in ("identical", "label", "boundary", "both"):
        assert 2 * sum(one[kind] for one in pairs) == found["classes"][kind]
    assert sum(one["only_first"] + one["only_second"] for one in pairs) == found["classes"]["only"]


def test_gamma_of_each_document_by_itself() -> None:
    rows = [(f"d{at}", who, 6 * at, 6 * at + 3 + at * (who == "ben"), "A") for at in range(4) for who in ("ada", "ben")]
    data = assent.Spans.from_rows(
        [*rows, ("d0", "ada", 9, 12, "B")],
        lengths={f"d{at}": 60 for at in range(5)},
        judged=[("d4", "ada"), ("d4", "ben")],
    )
    found = assent.items(data)
    for one in some(found.items):
        alone = data.kept(
            np.ones(len(data.start), dtype=bool), documents=np.array([name == one.item for name in data.documents])
        )
        if not len(alone.start):
            assert math.isnan(one.gamma)
            continue
        # Samples are other ones: the cost is the same, and chance is nearly so.
        whole = assent.gamma(alone, samples=400)
        error = 6 * whole.details["monte_carlo_error"] * (400 / 30) ** 0.5 + 1e-9
        assert one.gamma == pytest.approx(whole.value, abs=error)


def test_documents_are_chosen_by_labels_and_annotators() -> None:
    rows = [
        ("d1", "ada", 0, 4, "PER"), ("d1", "ben", 0, 4, "PER"),
        ("d2", "ada", 0, 4, "PER"), ("d2", "ben", 0, 4, "ORG"),
        ("d3", "ada", 0, 4, "ORG"), ("d3", "ben", 5, 9, "PER"), ("d3", "cid", 0, 4, "ORG"),
    ]  # fmt: skip
    spans = Spans.from_rows(rows, texts={"d2": "Bonn and on"})
    names = lambda **asked: [one.item for one in assent.items(spans, **asked).items]  # noqa: E731
    assert names(label_pair=("ORG", "PER")) == ["d2"]
    assert names(has_label="ORG") == ["d2", "d3"]
    assert names(has_label="ORG", from_annotator="ben") == ["d2"]
    assert names(from_annotator=["cid"]) == ["d3"]
    found = assent.items(spans, label_pair=("PER", "ORG"))
    assert (found.to_dict()["total"], found.to_dict()["matching"]) == (3, 1)
    assert "more documents" not in found.text()
    assert "[Bonn|PER] and on" in found.text()
    with pytest.raises(OptionError, match='no label "LOC"'):
        names(has_label="LOC")
    with pytest.raises(OptionError, match="`max_agreement` does not fit spans"):
        names(max_agreement=0.5)
