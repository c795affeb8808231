"""Intervals over documents, and over blocks of the only one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.stats import t

import assent
from assent.measures._named_sums import NamedSums


def corpus(documents: int, seed: int = 1, annotators: int = 3) -> assent.Spans:
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(documents):
        places = np.sort(rng.choice(300, 8, replace=False)) * 10
        for who in range(annotators):
            rows += [
                (f"d{d:03}", f"a{who}", int(at), int(at + rng.integers(4, 6)), "X")
                for at in places
                if rng.random() < 0.8
            ]
    return assent.Spans.from_rows(
        rows, judged=[(f"d{d:03}", f"a{w}") for d in range(documents) for w in range(annotators)]
    )


def without(data: assent.Spans, document: int) -> assent.Spans:
    return data.kept(np.ones(len(data.start), dtype=bool), documents=np.arange(data.n_items) != document)


@pytest.mark.parametrize(
    "options", [{}, {"average": "pooled"}, {"average": "documents"}, {"match": "soft"}, {"match": "covered"}]
)
def test_the_jackknife_leaves_out_documents_and_uses_t(options: dict[str, str]) -> None:
    data = corpus(12)
    found = assent.span_f1(data, **options)
    left = np.array([assent.span_f1(without(data, at), **options).value for at in range(12)])
    error = math.sqrt(11 / 12 * ((left - left.mean()) ** 2).sum())
    interval = found.confidence_interval(method="jackknife")
    assert interval.method == "jackknife"
    assert interval.standard_error == pytest.approx(error, rel=1e-9)
    reach = t.ppf(0.975, 11) * error
    assert (interval.low, interval.high) == pytest.approx((found.value - reach, found.value + reach), rel=1e-9)
    assert (interval.unit, interval.n_units) == ("documents", 12)


def test_the_linearised_error_of_one_pair_is_its_formula() -> None:
    data = corpus(15, annotators=2)
    found = assent.span_f1(data)
    by_document = [
        assent.span_f1(data.kept(np.ones(len(data.start), dtype=bool), documents=np.arange(15) == at))
        for at in range(15)
    ]
    marked = np.array([one.n_annotations for one in by_document], dtype=float)
    matched = np.array([0.0 if math.isnan(one.value) else one.value for one in by_document]) * marked / 2
    influence = (2 * matched - found.value * marked) / marked.sum()
    assert found.standard_error("analytic") == pytest.approx(math.sqrt(15 / 14 * (influence**2).sum()), rel=1e-9)


def test_bootstrap_of_documents() -> None:
    interval = assent.span_f1(corpus(20)).confidence_interval(method="bootstrap", replicates=200, seed=3)
    assert 0 < interval.low < interval.high < 1


def test_two_documents_have_no_interval() -> None:
    interval = assent.span_f1(corpus(2)).confidence_interval()
    assert math.isnan(interval.low)
    assert any("2 units (documents) are not enough" in note for note in interval.notes)


def test_a_document_of_one_judge_is_left_out_and_said() -> None:
    data = corpus(5)
    more = assent.Spans.from_rows(
        [(d, w, p[0][0], p[0][1], label) for d, w, p, label in data.rows()] + [("e", "a0", 0, 3, "X")],
        judged=[(f"d{d:03}", f"a{w}") for d in range(5) for w in range(3)],
    )
    one, two = assent.span_f1(data), assent.span_f1(more)
    assert (one.value, one.standard_error("jackknife")) == (two.value, two.standard_error("jackknife"))
    assert two.n_items == 5
    assert any("1 document was judged by one annotator" in note for note in two.notes)


def test_one_document_is_cut_into_blocks() -> None:
    rng = np.random.default_rng(7)
    rows = [
        ("d", who, int(at * 10), int(at * 10 + rng.integers(4, 6)), "X")
        for who in ("a", "b")
        for at in range(200)
        if rng.random() < 0.8
    ]
    found = assent.span_f1(assent.Spans.from_rows(rows))
    interval = found.confidence_interval()
    assert interval.n_units == 20
    assert interval.unit == "blocks of the document"
    assert (found.n_items, found.n_annotations) == (1, len(rows))
    assert interval.low < found.value < interval.high
    assert any("speaks for this document only" in note for note in found.notes)
    averaged = assent.span_f1(assent.Spans.from_rows(rows), average="documents")
    assert averaged.value == pytest.approx(found.value)


def test_one_document_that_cannot_be_cut_has_no_interval() -> None:
    rows = [("d", "a", 0, 100, "X"), *[("d", "b", at, at + 2, "X") for at in range(0, 90, 10)]]
    assert math.isnan(assent.span_f1(assent.Spans.from_rows(rows)).confidence_interval().low)


def test_pairs_of_annotators_are_not_taken_as_independent() -> None:
    """Copies of two annotators make pairs that say nothing new: the error stays what it is between these."""
    data = corpus(15, annotators=2)
    copied = [(d, f"{w}{n}", p[0][0], p[0][1], label) for d, w, p, label in data.rows() for n in range(3)]
    judged = [(f"d{d:03}", f"a{w}{n}") for d in range(15) for w in range(2) for n in range(3)]
    many = assent.span_f1(assent.Spans.from_rows(copied, judged=judged))
    # Nine of fifteen pairs are copies of the one, six are of a person with themselves.
    one = assent.span_f1(data)
    assert many.value == pytest.approx((9 * one.value + 6) / 15)
    assert many.standard_error("jackknife") == pytest.approx(9 / 15 * one.standard_error("jackknife"), rel=1e-9)


def test_a_difference_is_paired_by_document() -> None:
    """Two versions of the same documents: the interval leaves out a document of both at once."""
    rng = np.random.default_rng(2)
    rows = [
        (f"d{document}", who, 10 * at, 10 * at + 4, "A")
        for document in range(8)
        for at in range(6)
        for who in ("ada", "ben")
        if rng.random() < 0.3 + 0.08 * document
    ]
    judged = [(f"d{document}", who) for document in range(8) for who in ("ada", "ben")]
    first = assent.Spans.from_rows(rows, judged=judged)
    second = assent.Spans.from_rows(rows[: len(rows) // 2 * 2 - 5], judged=judged)
    found = assent.difference(assent.span_f1(first), assent.span_f1(second))
    assert found.shared == 8

    def value(left: int) -> float:
        keep = np.arange(8) != left
        parts = [data.kept(np.ones(len(data.start), dtype=bool), documents=keep) for data in (first, second)]
        return assent.span_f1(parts[0]).value - assent.span_f1(parts[1]).value

    values = np.array([value(left) for left in range(8)])
    assert found.standard_error("jackknife") == pytest.approx(np.sqrt(7 / 8 * ((values - values.mean()) ** 2).sum()))
    apart = assent.difference(assent.span_f1(first), assent.span_f1(second), paired=False)
    assert apart.standard_error("jackknife") > found.standard_error("jackknife")


@pytest.mark.parametrize(
    "name", ["span-f1", "gamma", "gamma-cat", "alpha-u", "alpha-u-binary", "position-alpha", "span-label-alpha"]
)
def test_the_default_allows_for_a_document_that_was_not_seen(name: str) -> None:
    """Tilted weights: the interval holds the value, is not a point where all agree, and shrinks with more documents."""
    measure = assent.all_measures()[name]
    widths = []
    for copies in (4, 40):
        rows = [
            (f"d{document}", who, 10 * at, 10 * at + 4 + (at + document) % 2, "AB"[at % 2])
            for document in range(copies)
            for at in range(5)
            for who in ("ada", "ben")
        ]
        data = assent.Spans.from_rows(rows, lengths={f"d{document}": 60 for document in range(copies)})
        found = measure(data)
        interval = found.confidence_interval()
        assert interval.method == "etel"
        assert found.value == pytest.approx(1.0)
        assert interval.high == pytest.approx(1.0)
        assert -0.1 < interval.low < 0.99
        widths.append(interval.high - interval.low)
    assert widths[1] < 0.5 * widths[0]


@pytest.mark.parametrize("options", [{}, {"average": "pooled"}, {"average": "documents"}, {"match": "covered"}])
def test_the_pseudo_document_of_f1(options: dict[str, str]) -> None:
    """Half of it is a document whose marks are all matched, half one of which none are: F1 of the two is 1 and 0."""
    profiles = assent.span_f1(corpus(12), **options).profiles
    agreeing, apart = profiles.pseudo_document()
    for row, value in ((agreeing, 1.0), (apart, 0.0)):
        one = replace(profiles, terms=row[None], multiplicities=np.ones(1), annotators=np.array([2]))
        known = one.values()
        assert np.nanmean(known) == pytest.approx(value)


def test_the_pseudo_document_of_f1_is_as_large_as_documents_are() -> None:
    """Ann marks three and two spans, Ben one and two: 2.5 and 1.5, and 2 between them."""
    spans = {"d1": ((0, 10, 20), (0,)), "d2": ((0, 10), (0, 10))}
    rows = [
        (name, who, at, at + 4, "X")
        for name, both in spans.items()
        for who, places in zip(("ann", "ben"), both, strict=True)
        for at in places
    ]
    profiles = assent.span_f1(assent.Spans.from_rows(rows)).profiles
    assert profiles.fields == ("matched", "first", "second")
    agreeing, apart = profiles.pseudo_document()
    assert (agreeing.tolist(), apart.tolist()) == ([2.0, 2.0, 2.0], [0.0, 2.5, 1.5])


@pytest.mark.parametrize(
    ("name", "beyond"),
    [
        ("gamma", 0.0),
        ("gamma-cat", 0.0),
        ("alpha-u", 0.0),
        ("alpha-u-binary", 0.0),
        # What is expected here leaves out pairs of something with itself: of 4 documents with 60 positions, or 5 places, for each of two.
        ("position-alpha", 1 / (4 * 60 * 2)),
        ("span-label-alpha", 1 / (4 * 5 * 2)),
    ],
)
def test_the_pseudo_document_of_a_coefficient(name: str, beyond: float) -> None:
    """As many of its halves as there are documents are a corpus on which all agree, and one on which they agree as by chance."""
    labels = {"ada": "ABABA", "ben": "ABBBA"}
    rows = [
        (f"d{document}", who, 10 * at, 10 * at + 4, label)
        for document in range(4)
        for who, said in labels.items()
        for at, label in enumerate(said)
    ]
    data = assent.Spans.from_rows(rows, lengths={f"d{document}": 60 for document in range(4)})
    measure = assent.all_measures()[name]
    profiles = measure(data).profiles
    made = profiles.pseudo_document()
    for row, value in zip(made, (1.0, beyond), strict=True):
        assert measure.function(replace(profiles, terms=np.tile(row, (4, 1)))).value == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "labels", "length"), [("alpha-cu", "AB", 60), ("alpha-ku", "AB", 60), ("alpha-u", "", 0)]
)
def test_where_chance_has_nothing_to_say_there_is_no_pseudo_document(name: str, labels: str, length: int) -> None:
    """Of what is met there is no chance; of documents without a length neither."""
    rows = [("d", who, 10 * at, 10 * at + 4, label) for who in ("ada", "ben") for at, label in enumerate(labels)]
    data = assent.Spans.from_rows(rows, judged=[("d", "ada"), ("d", "ben")], lengths={"d": length})
    profiles = assent.all_measures()[name](data).profiles
    assert isinstance(profiles, NamedSums)
    assert profiles.pseudo_document() is None


@pytest.mark.parametrize(
    ("options", "cut"),
    [
        ({}, True),
        ({"empty": "1"}, True),
        ({"average": "documents"}, True),
        ({"average": "documents", "empty": "1"}, False),
        ({"match": "token"}, False),
        ({"match": "token", "average": "documents", "empty": "1"}, False),
    ],
)
def test_one_document_is_cut_where_its_blocks_add_up_to_it(options: dict[str, str], cut: bool) -> None:
    rows = [
        ("d", who, 3 * at, 3 * at + 2, "X") for who in ("ann", "ben", "cid") for at in range(0, 40, 1 + (who == "cid"))
    ]
    found = assent.span_f1(assent.Spans.from_rows(rows, texts={"d": "ab " * 40}), **options)
    assert any("There is one document" in note for note in found.notes) == cut
    assert found.confidence_interval().unit == ("blocks of the document" if cut else "documents")
    # In blocks or not, there is one document.
    assert found.n_items == 1
    assert [pair.n_items for pair in found.pairs] == [1, 1, 1]


@pytest.mark.parametrize(
    "name", ["gamma", "alpha-u", "alpha-cu", "position-alpha", "position-kappa", "span-label-alpha", "span-label-kappa"]
)
def test_one_document_in_blocks_is_counted_as_one(name: str) -> None:
    rows = [("d", who, 10 * at, 10 * at + 4, "XY"[at % 3 == 0]) for who in ("ann", "ben") for at in range(8)]
    found = assent.all_measures()[name](assent.Spans.from_rows(rows, lengths={"d": 100}))
    assert any("There is one document" in note for note in found.notes)
    assert found.n_items == 1
