"""Items, annotators and reports on labels that a distance compares: against a slow reference, and what is refused."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.tables import MANY
from tests.rankings import distances
from tests.rankings.test_distances import TEXTS, TREE, annotated

import assent
from assent import Annotations
from assent.errors import OptionError
from assent.label_distances import levenshtein
from assent.measures import _by_distance

#: Items x annotators; the labels of some are missing.
TABLES = st.lists(
    st.lists(st.sampled_from(["a", "ab", "abc", "xyz", "xy z", None]), min_size=3, max_size=3), min_size=2, max_size=8
).filter(lambda rows: sum(sum(one is not None for one in row) > 1 for row in rows) > 0)


def of_table(rows: list[list[str | None]]) -> Annotations:
    return Annotations.from_triples(
        [(f"j{k}", str(i), one) for i, row in enumerate(rows) for k, one in enumerate(row) if one is not None]
    )


def mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else math.nan


def expected_distance(rows: list[list[str | None]]) -> float:
    """Mean distance of any two annotations of items that have two or more."""
    flat = [one for row in rows if sum(one is not None for one in row) > 1 for one in row if one is not None]
    return mean([levenshtein(a, b) for a, b in combinations(flat, 2)])


def same(first: float | None, second: float) -> bool:
    return math.isnan(second) if first is None else first == pytest.approx(second, abs=1e-12)


@MANY
@given(rows=TABLES)
def test_items_have_the_mean_distance_of_their_pairs(rows: list[list[str | None]]) -> None:
    made = assent.items(of_table(rows), distance="levenshtein").to_dict()
    chance = expected_distance(rows)
    assert same(made["expected_distance"], chance)
    seen = {one["item"]: one for one in made["items"]}
    weighted = 0.0
    number = 0
    for at, row in enumerate(rows):
        given = [one for one in row if one is not None]
        if not given:
            assert str(at) not in seen
            continue
        apart = mean([levenshtein(a, b) for a, b in combinations(given, 2)])
        one = seen[str(at)]
        assert same(one["distance"], apart)
        assert same(one["agreement"], 1 - apart / chance if chance else math.nan)
        assert (one["annotations"], sum(one["counts"].values())) == (len(given), len(given))
        if len(given) > 1:
            weighted += len(given) * apart
            number += len(given)
    # In the mean over annotations it is alpha.
    alpha = assent.krippendorff_alpha(of_table(rows), distance="levenshtein").value
    assert same(made["alpha"], alpha)
    assert same(made["alpha"], 1 - weighted / number / chance if chance else math.nan)
    order = [-1.0 if one["distance"] is None else one["distance"] for one in made["items"]]
    assert all(one >= two - 1e-9 for one, two in pairwise(order))


def test_labels_of_one_letter_more_are_near_and_not_others() -> None:
    data = annotated([["a cat sat", "a cat sat."], ["dogs bark", "rain in Spain"], ["one", "one"]])
    found = assent.items(data, distance="levenshtein", top=2)
    assert [one.item for one in found.items] == ["1", "0"]
    assert found.items[1].agreement > 0.8
    assert (found.total, found.matching) == (3, 3)
    assert [one.item for one in assent.items(data, distance="levenshtein", max_agreement=0.5).items] == ["1"]
    assert [one.item for one in assent.items(data, distance="levenshtein", only=["2"]).items] == ["2"]
    shown = assent.items(data, distance="levenshtein", sort="item", who=True)
    assert [one.item for one in shown.items] == ["0", "1", "2"]
    assert shown.items[0].given == [("j0", "a cat sat"), ("j1", "a cat sat.")]
    assert "a cat sat." in str(shown)


def test_so_many_texts_that_pairs_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    data = annotated([[" ".join(rng.choice(list("abcdefgh"), 4)) for _ in range(3)] for _ in range(60)])
    whole = assent.items(data, distance="rouge-l")
    monkeypatch.setattr(_by_distance, "DISTANCES_COMPUTED", 3)
    drawn = assent.items(data, distance="rouge-l")
    assert [one.distance for one in drawn.items] == [one.distance for one in whole.items]
    assert drawn.expected_distance == pytest.approx(whole.expected_distance, abs=0.02)
    for found in (drawn, assent.annotators(data, distance="rouge-l")):
        assert "Monte Carlo error" in " ".join(found.notes)
    assert "Monte Carlo error" not in " ".join(whole.notes)
    many = [one.n_annotations * one.agreement for one in drawn.items]
    assert sum(many) / sum(one.n_annotations for one in drawn.items) == pytest.approx(drawn.alpha.value)


def test_a_function_is_called_once_for_each_pair() -> None:
    rng = np.random.default_rng(1)
    data = annotated([[str(one) for one in row] for row in rng.normal(size=(12, 2))])
    distances.CALLS = 0
    assent.krippendorff_alpha(data, distance="tests.rankings.distances:apart")
    once = distances.CALLS
    assent.items(data, distance="tests.rankings.distances:apart")
    assert 2 * once == distances.CALLS


def test_places_in_a_tree_of_labels_and_of_sets() -> None:
    rows = [["cat", "dog"], ["car", "cat"], ["cat", "cat"]]
    found = assent.items(annotated(rows), distance="taxonomy", tree=TREE)
    assert [one.item for one in found.items] == ["1", "0", "2"]
    sets = Annotations.from_array([[{"cat", "dog"}, {"cat"}], [{"car"}, {"dog"}], [{"car"}, {"car"}]])
    found = assent.items(sets, distance="taxonomy", tree=TREE)
    assert [one.item for one in found.items] == ["2", "1", "3"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"distance": "masi"}, "sets of labels"),
        ({"distance": "levenshtien"}, "did you mean levenshtein"),
        ({"distance": "taxonomy"}, "needs the tree"),
        ({"tree": TREE}, "for the `distance` taxonomy"),
        ({"distance": "levenshtein", "scale": "ordinal"}, "and so does `scale`"),
        ({"distance": "levenshtein", "label_pair": ("a", "b")}, "`label_pair` does not fit"),
        ({"distance": "levenshtein", "sort": "entropy"}, "disagreement"),
        ({"distance": "levenshtein", "top": 0}, "1 or more"),
    ],
)
def test_what_does_not_go_with_a_distance_is_refused(options: dict[str, object], why: str) -> None:
    with pytest.raises(OptionError, match=why):
        assent.items(annotated(TEXTS), **options)  # type: ignore[arg-type]


def test_rankings_have_no_distance_of_labels() -> None:
    with pytest.raises(OptionError, match="these are rankings"):
        assent.items(assent.Rankings.from_matrix([[1, 2], [2, 1]]), distance="levenshtein")


def to_the_others(rows: list[list[str | None]], who: int) -> list[float]:
    """Mean distance of an annotator to the others, on each item that they share."""
    shared = [(row[who], [one for k, one in enumerate(row) if k != who and one is not None]) for row in rows]
    return [mean([levenshtein(own, one) for one in others]) for own, others in shared if own is not None and others]


def agreement_of(rows: list[list[str | None]], who: int) -> float:
    chance = expected_distance(rows)
    return 1 - mean(to_the_others(rows, who)) / chance if chance else math.nan


def jackknife(values: list[float]) -> float:
    if len(values) < 2 or any(map(math.isnan, values)):
        return math.nan
    return math.sqrt((len(values) - 1) / len(values) * sum((one - mean(values)) ** 2 for one in values))


@MANY
@given(rows=TABLES)
def test_annotators_have_their_mean_distance_to_the_others(rows: list[list[str | None]]) -> None:
    made = assent.annotators(of_table(rows), distance="levenshtein").to_dict()
    # Items with one annotation are as good as not there.
    rows = [row for row in rows if sum(one is not None for one in row) > 1]
    assert same(made["expected_distance"], expected_distance(rows))
    total, number = 0.0, 0
    for one in made["annotators"]:
        who = int(one["annotator"][1:])
        apart = to_the_others(rows, who)
        assert one["items"] == len(apart)
        assert same(one["distance"]["value"], mean(apart))
        assert same(one["agreement"]["value"], agreement_of(rows, who))
        left = [rows[:i] + rows[i + 1 :] for i in range(len(rows))]
        if len(apart) > 1:
            error = float(np.std(apart, ddof=1)) / math.sqrt(len(apart))
            assert one["distance"]["standard_error"] == pytest.approx(error, abs=1e-7)
            expected = jackknife([agreement_of(some, who) for some in left])
            found = one["agreement"]["standard_error"]
            assert (found is None) == math.isnan(expected)
            assert found is None or found == pytest.approx(expected, abs=1e-7)
        else:
            assert one["distance"]["low"] is one["agreement"]["low"] is None
        total += sum(apart)
        number += len(apart)
    alpha = assent.krippendorff_alpha(of_table(rows), distance="levenshtein").value
    assert same(made["overall"], alpha)
    assert math.isnan(alpha) or alpha == pytest.approx(1 - total / number / expected_distance(rows))
    order = [-1.0 if one["distance"]["value"] is None else one["distance"]["value"] for one in made["annotators"]]
    assert all(one >= two - 1e-9 for one, two in pairwise(order))


def test_intervals_of_annotators_are_cut_to_what_there_is_and_rest_on_clusters() -> None:
    import polars as pl

    rng = np.random.default_rng(3)
    rows = [
        {"item": str(i), "annotator": who, "label": "".join(rng.choice(list("abc"), 3)), "document": f"d{i // 4}"}
        for i in range(24)
        for who in ("ann", "bob", "cem")
    ]
    frame = pl.DataFrame(rows)
    by_item = assent.annotators(Annotations.from_frame(frame), distance="levenshtein")
    clustered = assent.annotators(Annotations.from_frame(frame, cluster="document"), distance="levenshtein")
    assert [one.distance.value for one in by_item.annotators] == [one.distance.value for one in clustered.annotators]
    assert by_item.annotators[0].distance.standard_error != clustered.annotators[0].distance.standard_error
    assert "over document" in " ".join(clustered.notes)
    for one in (*by_item.annotators, *clustered.annotators):
        assert 0 <= one.distance.low < one.distance.value < one.distance.high <= 1
        assert -1 <= one.agreement.low < one.agreement.value < one.agreement.high <= 1
    # Each cluster counts as one unit, whichever of its items differ.
    first = clustered.annotators[0]
    own = [row for row in rows if row["annotator"] == first.annotator]
    others = {(row["item"], row["annotator"]): row["label"] for row in rows}
    apart = {
        row["item"]: mean(
            [
                levenshtein(row["label"], others[row["item"], who])
                for who in ("ann", "bob", "cem")
                if who != row["annotator"]
            ]
        )
        for row in own
    }
    left = [mean([apart[row["item"]] for row in own if row["document"] != f"d{k}"]) for k in range(6)]
    assert first.distance.standard_error == pytest.approx(jackknife(left))


def test_annotators_who_always_agree_have_no_interval() -> None:
    made = assent.annotators(annotated([["a", "a"], ["bcd", "bcd"]]), distance="levenshtein")
    assert [(one.distance.value, one.agreement.value) for one in made.annotators] == [(0.0, 1.0)] * 2
    assert all(math.isnan(one.agreement.low) for one in made.annotators)
    alike = assent.annotators(annotated([["a", "a"], ["a", "a"]]), distance="levenshtein").to_dict()
    assert alike["annotators"][0]["agreement"]["value"] is None
    assert "every annotation is" in " ".join(alike["notes"])


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"measure": "fleiss-kappa"}, "and so does `measure`"),
        ({"scale": "ordinal"}, "and so does `scale`"),
        ({"time": "when"}, "`time` does not fit"),
        ({"level": 1.0}, "between 0 and 1"),
    ],
)
def test_what_annotators_do_not_take_with_a_distance(options: dict[str, object], why: str) -> None:
    with pytest.raises(OptionError, match=why):
        assent.annotators(annotated(TEXTS), distance="levenshtein", **options)  # type: ignore[arg-type]


def test_a_report_quotes_alpha_with_the_distance_and_compares_nothing_by_name() -> None:
    data = annotated(TEXTS)
    alpha = assent.krippendorff_alpha(data, distance="rouge-l")
    made = assent.report(data, distance="rouge-l", task="standard")
    found = made.to_dict()
    assert found["kind"] == "distance-labels"
    assert found["verdict"]["value"] == pytest.approx(alpha.value)
    assert found["verdict"]["title"] == "Krippendorff's alpha (rouge-l)"
    (only,) = found["coefficients"]["measures"]
    assert only["details"]["sigma"] == alpha.details["sigma"]
    assert only["details"]["ks"] == alpha.details["ks"]
    assert "sigma 100 %, KS 0.87" in " ".join(found["coefficients"]["reasons"])
    assert "(sigma), and KS was 0.87" in found["how_to_report"]["results"]
    assert found["annotators"] == assent.annotators(data, distance="rouge-l").to_dict()
    assert [one["item"] for one in found["items"]["items"]] == [
        one.item for one in assent.items(data, distance="rouge-l").items
    ]
    assert found["appendix"]["settings"]["distance"] == "rouge-l"
    # What compares labels by name is not there, and so are the words for it.
    for name in ("labels", "multilabel", "sparse", "advice", "ceiling", "groups", "judges"):
        assert not found[name]
    assert "the same label" not in str(made)
    for text in ("it rains in Spain", "rain in Spain", "j0"):
        assert text in made.markdown()
    assert assent.report(data).to_dict()["kind"] == "single"


def test_a_report_shows_the_content_of_items_and_several_questions() -> None:
    import polars as pl

    rows = [(i, f"j{k}", text, f"question {i}") for i, item in enumerate(TEXTS) for k, text in enumerate(item)]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "asked"], orient="row")
    data = Annotations.from_frame(frame, columns=["asked"])
    made = assent.report(data, distance="levenshtein", text="asked")
    assert "question 2" in made.markdown()
    both = assent.report({"one": data, "two": annotated(TEXTS)}, distance="levenshtein").to_dict()
    assert [one["verdict"]["title"] for one in both["questions"]] == ["Krippendorff's alpha (levenshtein)"] * 2
    for name, value in (("anonymise", True), ("by", "asked"), ("judge", "j0"), ("scale", "ordinal")):
        with pytest.raises(OptionError, match=name):
            assent.report(data, distance="levenshtein", **{name: value})  # type: ignore[arg-type]


def test_a_report_calls_a_function_as_often_as_one_measurement() -> None:
    rng = np.random.default_rng(1)
    data = annotated([[str(one) for one in row] for row in rng.normal(size=(12, 2))])
    distances.CALLS = 0
    assent.krippendorff_alpha(data, distance="tests.rankings.distances:apart")
    once = distances.CALLS
    assent.report(data, distance="tests.rankings.distances:apart")
    assert 2 * once == distances.CALLS
