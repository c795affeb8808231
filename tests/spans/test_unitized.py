"""Alphas of units, positions, segmentations and labels in the same place: equal to the long way, and what must not change them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.reference.unitizing import Marks, Unitized, pk, said, string, window_diff

import assent
from assent.continua.segments import boundary_edits, window_counts, window_errors
from assent.inference.derivatives import influence
from assent.profiles import Multiplicities

ORACLES = Path(__file__).parents[1] / "oracles" / "spans"
#: Measures of what hangs on spans have tests of their own (test_links).
LINKED = ("relation-f1", "span-attribute-alpha")
SPANS = [one for one in assent.all_measures().values() if one.kind == "spans" and one.name not in LINKED]
of_spans = pytest.mark.parametrize("measure", SPANS, ids=[one.name for one in SPANS])


def marks_of(
    rng: np.random.Generator, documents: int, annotators: int, *, nested: bool = False, alike: bool = False
) -> Marks:
    """Random documents; some annotators marked nothing, and not everybody judged everything."""
    made: Marks = {}
    for document in range(documents):
        length = int(rng.integers(15, 40))
        people = sorted(rng.permutation(annotators)[: int(rng.integers(2, annotators + 1))].tolist())
        marks = {}
        for who in people:
            cuts = np.sort(rng.integers(0, length + 1, (int(rng.integers(0, 5)), 2)), axis=1)
            if not nested:
                flat = np.unique(rng.integers(0, length + 1, 2 * int(rng.integers(0, 4))))
                cuts = flat[: len(flat) // 2 * 2].reshape(-1, 2)
            spans = {(int(a), int(b), str(rng.choice(list("XYZ")))) for a, b in cuts if a < b}
            if alike and marks:
                # The same places as somebody else, most labels too.
                spans = {
                    (a, b, label if rng.random() < 0.8 else "X")
                    for a, b, label in next(iter(marks.values()))
                    if rng.random() < 0.9
                }
            marks[f"a{who}"] = sorted(spans)
        made[f"d{document}"] = (length, marks)
    return made


def spans_of(marks: Marks) -> assent.Spans:
    return assent.Spans.from_rows(
        [(name, who, *span) for name, (_, people) in marks.items() for who, spans in people.items() for span in spans],
        judged=[(name, who) for name, (_, people) in marks.items() for who in people],
        lengths={name: length for name, (length, _) in marks.items()},
    )


@pytest.mark.parametrize("seed", range(40))
def test_alphas_of_units_are_those_of_all_positions(seed: int) -> None:
    marks = marks_of(np.random.default_rng(seed), 3, 4)
    data, slow = spans_of(marks), Unitized(marks)
    assert assent.alpha_u(data).value == pytest.approx(slow.u(), abs=1e-12)
    assert assent.alpha_u_binary(data).value == pytest.approx(slow.binary(), abs=1e-12)
    found = assent.alpha_cu(data)
    assert (found.value, found.details["coverage"]) == pytest.approx(slow.cu(), abs=1e-12, nan_ok=True)
    for label in data.labels:
        found = assent.alpha_ku(data, span_label=label)
        every = assent.alpha_ku(data).details
        assert (every[f"alpha of {label}"], every[f"coverage of {label}"]) == pytest.approx(
            (found.value, found.details["coverage"]), nan_ok=True
        )
        if slow.met_own(label):
            assert (found.value, found.details["coverage"]) == pytest.approx(slow.ku(label), abs=1e-12, nan_ok=True)
        else:
            assert math.isnan(found.value)


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("what", ["labels", "marked"])
def test_positions_are_items(seed: int, what: str) -> None:
    marks = marks_of(np.random.default_rng(seed), 3, 3, nested=True)
    people = sorted({who for _, some in marks.values() for who in some})
    rows = []
    for length, some in marks.values():
        values = {who: said(spans, length) for who, spans in some.items()}
        rows += [[None if who not in values else values[who][at] or "none" for who in people] for at in range(length)]
    if what == "marked":
        rows = [[one if one in (None, "none") else "some" for one in row] for row in rows]
    data = spans_of(marks)
    assert assent.position_alpha(data, said=what).value == pytest.approx(
        assent.krippendorff_alpha(rows).value, abs=1e-12
    )
    kappa = assent.position_kappa(data, said=what)
    slow = {(one.first, one.second): one.value for one in assent.cohen_kappa(rows, average="plain").pairs}
    assert [one.value for one in kappa.pairs] == pytest.approx(list(slow.values()), abs=1e-12, nan_ok=True)
    assert kappa.value == pytest.approx(assent.cohen_kappa(rows, average="plain").value, abs=1e-12)


def test_kappa_of_positions_tends_to_f1_with_more_text_outside() -> None:
    """Hripcsak and Rothschild (2005): 40 positions marked by both, 10 and 20 by one."""
    held = json.loads((ORACLES / "hripcsak_limit.json").read_text("utf-8"))
    wanted = [one for one in held["expected"] if one["measure"] == "position-kappa"]
    assert len(wanted) == 4
    for one in wanted:
        rows = [("d", "a", 0, 50, "X"), ("d", "b", 10, 70, "X")]
        data = assent.Spans.from_rows(rows, lengths={"d": 70 + one["params"]["neither"]})
        assert assent.position_kappa(data).value == pytest.approx(one["value"], abs=1e-12)


@pytest.mark.parametrize("seed", range(25))
def test_labels_in_the_same_place_are_a_table_of_places(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = {(f"d{rng.integers(3)}", int(start), int(start) + 2) for start in rng.integers(0, 12, 14)}
    people = ["a", "b", "c"]
    table, rows = [], []
    for document, start, end in sorted(places):
        labels: list[str | None] = []
        for who in people:
            given = sorted(set(rng.choice(list("XYZ"), int(rng.integers(0, 3))).tolist()))
            rows += [(document, who, start, end, label) for label in given]
            labels.append("+".join(given) or None)
        table.append(labels)
    data = assent.Spans.from_rows(rows, judged=[(f"d{i}", who) for i in range(3) for who in people])
    alpha, kappa = assent.span_label_alpha(data), assent.span_label_kappa(data)
    assert alpha.value == pytest.approx(assent.krippendorff_alpha(table).value, abs=1e-12)
    assert kappa.value == pytest.approx(assent.cohen_kappa(table, average="plain").value, abs=1e-12)
    pairs = sum(a is not None and b is not None for row in table for a, b in combinations(row, 2))
    marked = [sum(one is not None for one in row) for row in table]
    assert alpha.details["pairs"] == kappa.details["pairs"] == pairs
    assert alpha.details["coverage"] == pytest.approx(sum(n for n in marked if n > 1) / sum(marked))
    assert kappa.details["coverage"] == pytest.approx(assent.span_f1(data, match="boundary", average="pooled").value)


def _segmentations() -> Iterator[Any]:
    for at, one in enumerate(json.loads((ORACLES / "segmentation_nltk.json").read_text("utf-8"))["expected"]):
        if one["measure"] in ("windowdiff", "pk"):
            yield pytest.param(one, id=f"{at}-{one['measure']}")


@pytest.mark.parametrize("wanted", [*_segmentations()])
def test_windows_are_those_of_nltk(wanted: dict[str, Any]) -> None:
    given = wanted["params"]
    one, two = ([at + 1 for at, sign in enumerate(given[side]) if sign == "1"] for side in "ab")
    counts = [window_counts(np.array(some), len(given["a"]), given["k"]) for some in (one, two)]
    errors = window_errors(counts[0], counts[1], presence=wanted["measure"] == "pk") / len(counts[0])
    assert errors == pytest.approx(wanted["value"], abs=wanted["tol"])


@pytest.mark.parametrize("seed", range(20))
def test_segmentations_are_strings(seed: int) -> None:
    rng = np.random.default_rng(seed)
    length, k = int(rng.integers(10, 40)), int(rng.integers(2, 6))
    cuts = [np.unique(rng.integers(1, length, int(rng.integers(1, 6)))).tolist() for _ in range(2)]
    rows = [
        ("d", who, start, end, "s")
        for who, some in zip("ab", cuts, strict=True)
        for start, end in zip([0, *some], [*some, length], strict=True)
    ]
    data = assent.Spans.from_rows(rows, lengths={"d": length})
    one, two = (string(some, length) for some in cuts)
    assert assent.window_diff(data, window=k).value == pytest.approx(window_diff(one, two, k), abs=1e-12)
    assert assent.pk(data, window=k).value == pytest.approx(pk(one, two, k), abs=1e-12)
    edits, weight, both = boundary_edits(np.array(cuts[0]), np.array(cuts[1]))
    assert assent.boundary_similarity(data).value == pytest.approx(1 - weight / (edits + both), abs=1e-12)


@pytest.mark.parametrize(
    ("one", "two", "near", "value"),
    [
        # segeval 2.0.11, boundary_similarity of masses, n_t = near
        ([3, 1, 9, 3, 3], [1, 2, 16], 2, 0.2),
        ([2, 6, 2, 2, 5, 1, 6], [4, 2, 1, 2, 15], 2, 0.125),
        ([3, 1, 1, 6, 1], [2, 4, 4, 1, 1], 2, 0.4),
        ([3, 3, 2, 1, 7, 7, 1], [1, 9, 7, 2, 2, 2, 1], 2, 0.2222222222222222),
        ([3, 4, 1, 2, 4, 4], [9, 1, 4, 4], 2, 0.5),
        ([1, 7, 5], [6, 2, 1, 3, 1], 3, 0.2),
        ([2, 2, 3, 9], [3, 2, 1, 1, 3, 6], 3, 0.4666666666666667),
        ([2, 2, 3, 1, 1, 2, 11], [4, 2, 2, 2, 1, 9, 2], 3, 0.6190476190476191),
        ([2, 10, 14], [10, 14, 2], 3, 0.1111111111111111),
        ([10, 1, 11], [3, 2, 5, 4, 8], 3, 0.2),
        ([5, 2, 3, 6, 1, 1], [1, 5, 5, 7], 4, 0.25),
        ([2, 1, 2, 1, 5, 2], [1, 1, 2, 3, 5, 1], 4, 0.5416666666666666),
        ([3, 9, 1], [1, 2, 2, 3, 2, 1, 2], 4, 0.2916666666666667),
        ([2, 2, 6, 3, 6], [4, 3, 1, 8, 2, 1], 4, 0.2916666666666667),
        ([2, 6, 6, 1, 6, 4], [2, 5, 1, 1, 7, 9], 4, 0.39285714285714285),
    ],
)
def test_boundary_similarity_is_that_of_segeval(one: list[int], two: list[int], near: int, value: float) -> None:
    edits, weight, both = boundary_edits(np.cumsum(one)[:-1], np.cumsum(two)[:-1], near)
    assert 1 - weight / (edits + both) == pytest.approx(value, abs=1e-9)


def random_data(seed: int, documents: int = 6) -> assent.Spans:
    return spans_of(marks_of(np.random.default_rng(seed), documents, 3, alike=True))


def few(measure: assent.Measure) -> dict[str, Any]:
    """Options that make a measure fast, and give it a value."""
    return {
        name: value
        for name, value in (("samples", 4), ("span_label", "X" if measure.name == "alpha-ku" else None))
        if name in measure.parameters and value is not None
    }


@of_spans
def test_it_takes_many_weights_at_once_and_its_influence_is_its_derivative(measure: assent.Measure) -> None:
    if measure.name == "alpha-u-1995":
        pytest.skip("for one document")
    found = measure(random_data(3), **few(measure)).sample
    weights = np.ones(len(found.multiplicities)) + 0.2 * np.random.default_rng(0).random((5, len(found.multiplicities)))
    together = found.statistic(Multiplicities(weights))
    assert together == pytest.approx([float(found.statistic(Multiplicities(row))) for row in weights], abs=1e-9)
    plain, steps = np.ones(len(found.multiplicities)), 1e-3 * np.eye(len(found.multiplicities))

    def at(times: int) -> Any:
        return found.statistic(Multiplicities(plain + times * steps))

    differences = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * 1e-3)
    assert influence(found.statistic, plain) == pytest.approx(differences, abs=1e-7)


@of_spans
def test_names_and_the_order_of_rows_change_nothing(measure: assent.Measure) -> None:
    """Documents keep their order: chance samples are drawn for one after the other."""
    if measure.name in ("alpha-u-1995", "gamma-cat"):
        pytest.skip("for one document, or dependent on which of equal alignments is taken")
    rng = np.random.default_rng(1)
    marks = marks_of(rng, 4, 3, alike=True)
    people = {"a0": "a0 x", "a1": "a1 x", "a2": "a2 x"}
    labels = {"X": "Q", "Y": "R", "Z": "S"}
    rows = [
        (f"{name} x", people[who], start, end, labels[label])
        for name, (_, some) in marks.items()
        for who, spans in some.items()
        for start, end, label in spans
    ]
    renamed = assent.Spans.from_rows(
        [rows[i] for i in rng.permutation(len(rows))],
        judged=[(f"{name} x", people[who]) for name, (_, some) in marks.items() for who in some],
        lengths={f"{name} x": length for name, (length, _) in marks.items()},
    )
    options = few(measure)
    there = {**options, **({"span_label": labels[options["span_label"]]} if "span_label" in options else {})}
    before, after = measure(spans_of(marks), **options), measure(renamed, **there)
    assert after.value == pytest.approx(before.value, abs=1e-12)


@pytest.mark.parametrize("name", ["gamma", "span-label-alpha", "span-label-kappa"])
def test_moving_all_offsets_changes_nothing(name: str) -> None:
    measure = assent.all_measures()[name]
    marks = marks_of(np.random.default_rng(2), 5, 3, alike=True)
    rows = [(n, who, *one) for n, (_, some) in marks.items() for who, spans in some.items() for one in spans]
    judged = [(n, who) for n, (_, some) in marks.items() for who in some]
    moved = [(n, who, start + 12_345, end + 12_345, label) for n, who, start, end, label in rows]
    values = [measure(assent.Spans.from_rows(some, judged=judged), **few(measure)).value for some in (rows, moved)]
    assert values[0] == pytest.approx(values[1], abs=1e-12)


@pytest.mark.parametrize("name", ["alpha-u", "gamma", "position-kappa", "boundary-similarity"])
def test_a_jackknife_leaves_out_documents(name: str) -> None:
    measure = assent.all_measures()[name]
    data = random_data(9)
    found = measure(data, **few(measure))
    documents = len(data.documents)
    left = found.sample.statistic(Multiplicities(1.0 - np.eye(documents)))
    error = math.sqrt((documents - 1) / documents * ((left - left.mean()) ** 2).sum())
    assert found.standard_error("jackknife") == pytest.approx(math.hypot(error, found.drawing_error))
    if name != "gamma":
        every = np.ones(len(data.start), dtype=bool)
        for at in range(documents):
            without = data.kept(every, documents=np.arange(documents) != at)
            assert left[at] == pytest.approx(measure(without).value, abs=1e-12)


ROWS = [("d1", "ada", 0, 9, "A"), ("d1", "ada", 5, 12, "B"), ("d1", "ben", 0, 4, "A")]


@pytest.mark.parametrize("name", ["alpha-u", "alpha-u-binary", "alpha-cu", "alpha-ku"])
def test_units_of_an_annotator_that_overlap_are_refused_by_name(name: str) -> None:
    with pytest.raises(
        assent.InputError, match=r'these begin inside another one: "ada" in "d1" from 5 to 12; use gamma'
    ):
        assent.all_measures()[name](assent.Spans.from_rows(ROWS, lengths={"d1": 20}))


def test_overlapping_units_of_a_table_are_told_by_their_rows(tmp_path: Path) -> None:
    # The rows of the file are in another order than spans are held in; the fourth repeats the third.
    rows = [("d2", "ben", 7, 9, "A"), ("d1", "ada", 5, 12, "B"), ("d1", "ben", 0, 4, "A"), ("d1", "ben", 0, 4, "A")]
    rows += [("d1", "ada", 0, 9, "A"), ("d1", "cem", 0, 4, "A")]
    path = tmp_path / "spans.csv"
    path.write_text("document,annotator,start,end,label\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    data = assent.read(path, length="last-end")
    with pytest.raises(assent.InputError, match=r'"ada" in "d1" from 5 to 12 \(row 2\); use gamma'):
        assent.alpha_u(data)
    left = data.without_annotators(["ben"])
    with pytest.raises(assent.InputError, match=r'"ada" in "d1" from 5 to 12 \(row 2\); use gamma'):
        assent.alpha_u(left)


def test_overlapping_units_of_one_document_in_blocks_are_told_where_they_are_in_the_document() -> None:
    rows = [("d1", who, 10 * at, 10 * at + 4, "A") for at in range(30) for who in ("ada", "ben")]
    data = assent.Spans.from_rows([*rows, ("d1", "ada", 202, 205, "B")], lengths={"d1": 400})
    with pytest.raises(assent.InputError, match=r'"ada" in "d1" from 202 to 205;'):
        assent.alpha_u(data)


def test_one_label_of_overlapping_units_can_be_compared() -> None:
    data = assent.Spans.from_rows(ROWS, lengths={"d1": 20})
    alone = assent.Spans.from_rows([row for row in ROWS if row[4] == "A"], lengths={"d1": 20})
    assert assent.alpha_u(data, span_label="A").value == assent.alpha_u(alone).value


@pytest.mark.parametrize(
    "name", ["alpha-u", "alpha-cu", "alpha-u-1995", "position-alpha", "position-kappa", "window-diff", "pk"]
)
def test_lengths_that_are_not_known_are_asked_for(name: str) -> None:
    data = assent.Spans.from_rows([("d1", "ada", 0, 4, "A"), ("d1", "ben", 0, 4, "A")])
    with pytest.raises(
        assent.InputError, match=r'the length of "d1" is not known: give `texts` or `lengths`, or `length`'
    ):
        assent.all_measures()[name](data)


@pytest.mark.parametrize("name", ["boundary-similarity", "window-diff", "pk"])
def test_observed_is_agreement_also_where_the_value_is_a_rate_of_errors(name: str) -> None:
    found = assent.all_measures()[name](random_data(0))
    assert 0 < found.value < 1
    assert found.observed == pytest.approx(found.value if name == "boundary-similarity" else 1 - found.value)


def test_the_alpha_of_1995_is_for_one_document() -> None:
    with pytest.raises(assent.InputError, match="is for one document, and there are 6: use alpha-u"):
        assent.alpha_u_1995(random_data(0))


def test_the_alpha_of_1995_takes_no_units_of_a_label_that_overlap() -> None:
    rows = [("d", "ada", 0, 9, "A"), ("d", "ada", 5, 12, "B"), ("d", "ben", 0, 9, "A")]
    assert np.isfinite(assent.alpha_u_1995(assent.Spans.from_rows(rows, lengths={"d": 50})).value)
    overlapping = assent.Spans.from_rows([*rows, ("d", "ada", 5, 20, "A")], lengths={"d": 50})
    with pytest.raises(assent.InputError, match=r'begin inside another one: .*"d".*; use gamma or span-f1'):
        assent.alpha_u_1995(overlapping)


def test_a_worse_hit_can_score_higher_by_the_alpha_of_1995() -> None:
    """Why it is kept for comparison only: five units of 5 against one unit; an exact hit, then one and five characters too long."""
    units = [("d", "ada", 20 * at, 20 * at + 5, "A") for at in range(5)]
    values = [
        assent.alpha_u_1995(assent.Spans.from_rows([*units, ("d", "ben", 0, end, "A")], lengths={"d": 100})).value
        for end in (5, 6, 10)
    ]
    assert values[0] < values[1] < values[2]


@pytest.mark.parametrize("name", ["gamma", "gamma-cat"])
def test_gamma_of_one_document_is_that_of_the_whole_and_its_interval_that_of_blocks(name: str) -> None:
    rng = np.random.default_rng(4)
    begin = 12 * np.arange(60)
    rows = [
        ("d", who, int(at + rng.integers(0, 3)), int(at + rng.integers(5, 9)), str(rng.choice(list("AAB"))))
        for who in ("ada", "ben")
        for at in begin
        if rng.random() < 0.9
    ]
    measure = assent.all_measures()[name]
    found = measure(assent.Spans.from_rows(rows, lengths={"d": 730}), samples=10)
    again = assent.Spans.from_rows([*rows, ("e", "ada", 0, 5, "A")], judged=[("e", "ben")], lengths={"d": 730, "e": 10})
    # The first document of two is not cut; chance is drawn for both of them.
    sums = measure(again, samples=10).profiles
    whole = found.profiles.sums()
    for one in ("cost", "units", "mean_units", "apart", "weight"):
        assert float(whole[one]) == pytest.approx(sums.terms[0, sums.parts[one]])
    interval = found.confidence_interval(method="jackknife")
    assert interval.n_units == 20
    assert interval.low < found.value < interval.high
    assert interval.standard_error > found.drawing_error > 0


def test_nobody_marked_anything() -> None:
    judged = [(document, who) for document in ("d", "e") for who in ("ada", "ben")]
    data = assent.Spans.from_rows([], judged=judged, lengths={"d": 5, "e": 9})
    for measure in SPANS:
        if measure.name not in ("window-diff", "pk", "alpha-u-1995"):
            found = measure(data)
            assert math.isnan(found.value), measure.name
            assert found.undefined.startswith("Undefined"), measure.name


def test_groups_are_counted_in_whole_numbers() -> None:
    rows = [(f"d{at % 7}", who, 9 * at, 9 * at + 4, "A") for at in range(60) for who in "abc"]
    assert assent.gamma(assent.Spans.from_rows(rows), samples=2).details["groups"] == 60


def test_gamma_does_not_depend_on_names_or_on_where_offsets_begin() -> None:
    rng = np.random.default_rng(4)
    rows = [
        (f"d{document}", who, int(start), int(start) + int(rng.integers(1, 6)), str(rng.choice([*"XYZ"])))
        for document in range(5)
        for who in "abc"
        for start in rng.choice(40, 4, replace=False)
    ]
    called = {
        "a": "z",
        "b": "b",
        "c": "a",
        "X": "Q",
        "Y": "B",
        "Z": "A",
        "d0": "f",
        "d1": "e",
        "d2": "d",
        "d3": "c",
        "d4": "b",
    }
    other = [
        (called[document], called[who], start + 1000, end + 1000, called[label])
        for document, who, start, end, label in rows
    ]
    for model in ("shuffle", "statistical"):
        for measure in (assent.gamma, assent.gamma_cat):
            one, two = (
                measure(assent.Spans.from_rows(some), expected=model, samples=20) for some in (rows, other[::-1])
            )
            assert two.value == pytest.approx(one.value, abs=1e-12)
            assert two.details == pytest.approx(one.details, abs=1e-12)


@pytest.mark.parametrize("name", ["position-alpha", "position-kappa"])
def test_a_span_without_a_label_is_nothing_marked(name):
    """A missing label is not a label; whether something is marked is another question."""
    rows = [("d", "ada", 0, 8, "A"), ("d", "ben", 2, 8, "A"), ("d", "ben", 10, 14, "")]
    lengths = {"d": 20}
    found, without, other = (
        assent.measure(assent.Spans.from_rows(one, lengths=lengths), name)
        for one in (rows, rows[:2], [*rows[:2], ("d", "ben", 10, 14, "B")])
    )
    assert found.value == without.value != other.value
    assert "1 span without a label counts as nothing marked." in found.text()
    said = [
        assent.measure(assent.Spans.from_rows(one, lengths=lengths), name, said="marked").value
        for one in (rows, [*rows[:2], ("d", "ben", 10, 14, "B")])
    ]
    assert said[0] == said[1]


@pytest.mark.parametrize("name", ["position-alpha", "position-kappa"])
def test_spans_that_have_no_labels_at_all_are_marked(name):
    rows = [("d", "ada", 0, 8), ("d", "ben", 2, 8)]
    unlabelled, labelled = (
        assent.measure(assent.Spans.from_rows([(*row, label) for row in rows], lengths={"d": 20}), name)
        for label in ("", "A")
    )
    assert unlabelled.value == labelled.value


@pytest.mark.parametrize(
    ("options", "title", "several"),
    [
        ({}, "Position alpha", True),
        ({"span_label": "A"}, 'Position alpha of "A"', False),
        ({"said": "marked"}, "Position alpha, marked or not", False),
        ({"said": "marked", "span_label": "A"}, 'Position alpha of "A", marked or not', False),
    ],
)
def test_what_is_compared_at_a_position_is_said(options: dict[str, str], title: str, several: bool) -> None:
    data = assent.Spans.from_rows([("d", "ada", 0, 8, "A"), ("d", "ben", 2, 8, "B")], lengths={"d": 20})
    found = assent.position_alpha(data, **options)
    assert found.title == title
    assert any(note.startswith("Several labels") for note in found.notes) == several


def test_two_who_mark_nothing_have_no_kappa_and_are_left_out_of_the_mean() -> None:
    """Ada and Cid mark the same, Ben and Dan nothing: 1, and 0 of those who do with those who do not."""
    rows = [("d", "ada", 0, 8, "A"), ("d", "cid", 0, 8, "A")]
    data = assent.Spans.from_rows(rows, lengths={"d": 20}, judged=[("d", "ben"), ("d", "dan")])
    found = assent.position_kappa(data)
    assert sorted(pair.value for pair in found.pairs if not math.isnan(pair.value)) == pytest.approx([0, 0, 0, 0, 1])
    assert found.value == pytest.approx(1 / 5)


@pytest.mark.parametrize(
    "name", ["position-alpha", "position-kappa", "alpha-u", "alpha-u-binary", "alpha-cu", "alpha-u-1995"]
)
def test_between_the_parts_of_a_span_nothing_is_marked(name: str) -> None:
    rows = [("d", "ada", 0, 9, "A"), ("d", "ada", 12, 15, "B")]
    rows += [("d", "ben", 1, 3, "A"), ("d", "ben", 5, 6, "B"), ("d", "ben", 13, 15, "A")]
    apart = [("d", "ada", 0, 3, "A"), ("d", "ada", 7, 9, "A"), *rows[1:]]
    measure, lengths = assent.all_measures()[name], {"d": 20}
    found = measure(assent.Spans.from_rows(rows, fragments={0: [(0, 3), (7, 9)]}, lengths=lengths))
    assert found.value == pytest.approx(measure(assent.Spans.from_rows(apart, lengths=lengths)).value, abs=1e-12)
    assert found.value != pytest.approx(measure(assent.Spans.from_rows(rows, lengths=lengths)).value, abs=1e-3)


@pytest.mark.parametrize("name", ["alpha-u", "position-alpha", "boundary-similarity"])
@pytest.mark.parametrize("place", [(-1, 3), (3, 6)])
def test_a_span_that_reaches_beyond_its_document_is_refused(name: str, place: tuple[int, int]) -> None:
    rows = [("d", "ada", *place, "A"), ("d", "ben", 0, 5, "A")]
    with pytest.raises(assent.AssentError, match=f'beyond its document: "ada" in "d" from {place[0]} to {place[1]}'):
        assent.all_measures()[name](assent.Spans.from_rows(rows, lengths={"d": 5}))


@pytest.mark.parametrize("measure", [one for one in SPANS if one.name != "alpha-u-1995"], ids=lambda one: one.name)
@pytest.mark.parametrize("documents", [1, 2])
def test_documents_in_which_nobody_marked_anything_are_undefined_without_a_warning(
    measure: assent.Measure, documents: int
) -> None:
    judged = [(f"d{i}", who) for i in range(documents) for who in ("ann", "bob")]
    data = assent.Spans.from_rows([], judged=judged, lengths={f"d{i}": 0 for i in range(documents)})
    found = measure(data)
    assert math.isnan(found.value)
    assert found.undefined.startswith("Undefined")
    assert math.isnan(found.confidence_interval().low)
