"""Labels that a distance compares: against definitions, brute force, and each way to work it out against the other."""

from __future__ import annotations

import json
import math
import random
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.tables import MANY

import assent
from assent import Annotations
from assent.errors import InputError, OptionError
from assent.label_distances import NAMED, iou, label_distance, levenshtein, read_tree, rouge_l
from assent.measures import _by_distance

#: Free texts of unequal number; an empty answer stands as ∅. Values by a brute-force reference.
TEXTS = [
    ["a cat sat", "the cat sat", "a cat sat on the mat"],
    ["dogs bark", "dogs are barking", "dogs bark loudly"],
    ["∅", "nothing to say", "∅"],
    ["it rains in Spain", "rain in Spain", "it is raining in Spain", "Spain rains"],
]
#: alpha, alpha against different items, KS, sigma, mean distance within and between items.
OF_TEXTS = {
    "levenshtein": (0.3389870243305596, 0.38938498406264166, 0.7873015873015874, 0.8, 0.5244703825586179, 0.8689993803789322),
    "token-jaccard": (0.339640055376096, 0.3884615384615384, 0.8666666666666667, 1.0, 0.6155555555555555, 1.0),
    "rouge-l": (0.42050260702217657, 0.473015873015873, 0.8666666666666667, 1.0, 0.5287830687830688, 1.0),
}  # fmt: skip
BOXES = [
    [[[0, 0, 10, 10]], [[1, 1, 11, 11]], [[0, 0, 9, 10], [20, 20, 25, 25]]],
    [[[30, 30, 50, 60]], [[32, 28, 51, 61]]],
    [[], [[5, 5, 8, 8]], []],
    [[[0, 0, 4, 4], [10, 10, 14, 14]], [[10, 10, 14, 15], [0, 0, 4, 5]], [[0, 0, 4, 4]]],
]
OF_BOXES = {
    "boxes-best-match": (0.5349086104323582, 0.5824964583747538, 0.8, 0.8),
    "boxes": (0.4603946625231582, 0.5075029047593334, 0.8, 0.8),
}


def annotated(items: list[list[object]]) -> Annotations:
    texts = [[one if isinstance(one, str) else json.dumps(one) for one in item] for item in items]
    return Annotations.from_triples(
        [(f"j{k}", str(i), text) for i, item in enumerate(texts) for k, text in enumerate(item)]
    )


@pytest.mark.parametrize("name", OF_TEXTS)
def test_texts_are_compared_as_the_reference_does(name: str) -> None:
    found = assent.krippendorff_alpha(annotated(TEXTS), distance=name)
    keys = ("alpha_cross_item", "ks", "sigma", "observed_distance", "expected_distance_cross_item")
    assert (found.value, *(found.details[key] for key in keys)) == pytest.approx(OF_TEXTS[name], abs=1e-9)
    assert found.title == f"Krippendorff's alpha ({name})"


@pytest.mark.parametrize("name", OF_BOXES)
def test_boxes_are_compared_as_the_reference_does(name: str) -> None:
    found = assent.krippendorff_alpha(annotated(BOXES), distance=name)
    keys = ("alpha_cross_item", "ks", "sigma")
    assert (found.value, *(found.details[key] for key in keys)) == pytest.approx(OF_BOXES[name], abs=1e-9)


def test_known_distances() -> None:
    assert levenshtein("kitten", "sitting") == pytest.approx(3 / 7)
    assert levenshtein("", "abc") == 1
    assert levenshtein("a cat sat", "the cat sat") == pytest.approx(3 / 11)
    assert iou((0, 0, 10, 10), (1, 1, 11, 11)) == pytest.approx(81 / 119)
    assert iou((0, 0, 1, 1), (1, 0, 2, 1)) == 0
    points = NAMED["keypoints"]
    assert points.between(points.parse("[[0, 0], [1, 1]]"), points.parse("[[3, 4], [1, 1]]")) == pytest.approx(
        math.sqrt(12.5)
    )


def edits(first: str, second: str) -> int:
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, start=1):
        before, row = row, [i]
        for j, b in enumerate(second, start=1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (a != b)))
    return row[-1]


def common(first: str, second: str) -> int:
    row = [0] * (len(second) + 1)
    for a in first:
        before, row = row, [0]
        for j, b in enumerate(second, start=1):
            row.append(before[j - 1] + 1 if a == b else max(before[j], row[-1]))
    return row[-1]


words = st.text("abcé", max_size=80)


@MANY
@given(words, words)
def test_bit_vectors_count_what_tables_count(first: str, second: str) -> None:
    longest = max(len(first), len(second))
    assert levenshtein(first, second) == pytest.approx(edits(first, second) / longest if longest else 0)
    both = len(first) + len(second)
    wanted = 1 - 2 * common(first, second) / both if first and second else float(bool(first) != bool(second))
    assert rouge_l(first, second) == pytest.approx(wanted)


@MANY
@given(st.lists(st.lists(st.sampled_from("abcdef"), min_size=2, max_size=4), min_size=2, max_size=6))
def test_same_or_not_as_a_function_is_nominal_alpha(items: list[list[str]]) -> None:
    data = annotated(items)  # type: ignore[arg-type]
    nominal = assent.krippendorff_alpha(data)
    own = assent.krippendorff_alpha(data, distance="tests.rankings.distances:same_or_not")
    assert own.value == pytest.approx(nominal.value, nan_ok=True, abs=1e-12)
    assert own.standard_error() == pytest.approx(nominal.standard_error(), nan_ok=True, abs=1e-10)


def test_a_sample_of_pairs_is_near_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    items = []
    for _ in range(60):
        base = "".join(rng.choice("abcd") for _ in range(12))
        items.append(["".join(one if rng.random() < 0.8 else rng.choice("abcd") for one in base) for _ in range(3)])
    data = annotated(items)  # type: ignore[arg-type]
    whole = assent.krippendorff_alpha(data, distance="levenshtein")
    assert whole.details["monte_carlo_error"] == 0
    monkeypatch.setattr(_by_distance, "DISTANCES_COMPUTED", 10)
    some = assent.krippendorff_alpha(data, distance="levenshtein")
    error = some.details["monte_carlo_error"]
    assert 0 < error < 0.005
    assert abs(some.value - whole.value) < 4 * error
    assert some.observed == pytest.approx(whole.observed)
    assert some.value == assent.krippendorff_alpha(data, distance="levenshtein").value
    assert any("9,999 random pairs (seed 0)" in note for note in some.notes)
    assert any(f"moves alpha by about {error:.1g} (Monte Carlo error)" in note for note in some.notes)
    assert some.standard_error() == pytest.approx(whole.standard_error(), rel=0.1)
    drawn = [one.confidence_interval(method="bootstrap", replicates=100, seed=1) for one in (some, whole)]
    assert drawn[0].low == pytest.approx(drawn[1].low, abs=0.02)
    for key in ("sigma", "ks", "alpha_cross_item"):
        assert some.details[key] == pytest.approx(whole.details[key], abs=0.03)


def test_functions_are_called_no_more_often_than_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.rankings import distances

    rng = np.random.default_rng(0)
    data = annotated(
        [[f"{a:.6f}", f"{a + e:.6f}"] for a, e in zip(rng.random(5_000), rng.normal(0, 0.05, 5_000), strict=True)]
    )
    distances.CALLS = 0
    found = assent.krippendorff_alpha(data, distance="tests.rankings.distances:apart")
    # The check, a pair an item, and the sample.
    assert distances.CALLS <= 3 * _by_distance.CHECKED + 5_000 + 9_999
    exact = assent.krippendorff_alpha(data, scale="interval")
    assert 0.5 < found.value < exact.value < 1


def test_what_is_no_distance_is_refused_or_said() -> None:
    data = annotated(TEXTS)  # type: ignore[arg-type]
    for name, error, why in (
        ("levenstein", OptionError, "levenshtein"),
        ("taxonomy", OptionError, "needs the tree"),
        ("no.such.module:f", OptionError, "cannot be imported"),
        ("tests.rankings.distances:nothing", OptionError, "has no function"),
        ("tests.rankings.distances:never_zero", InputError, "and itself"),
        ("tests.rankings.distances:negative", InputError, "a number from 0 on"),
        ("tests.rankings.distances:broken", InputError, "ZeroDivisionError"),
        ("boxes", InputError, "no JSON list of boxes"),
    ):
        with pytest.raises(error, match=why):
            assent.krippendorff_alpha(data, distance=name)
    found = assent.krippendorff_alpha(data, distance="tests.rankings.distances:one_way")
    assert any("not the same both ways" in note for note in found.notes)
    with pytest.raises(OptionError, match="goes with no scale"):
        assent.krippendorff_alpha(data, distance="levenshtein", scale="ordinal")
    negative = annotated([[[[0, 0, 1, 1]], [[5, 5, 3, 8]]], [[], []]])
    with pytest.raises(
        InputError, match=r'item "0" by "j1" is no label for boxes: the box 5, 5, 3, 8 has a negative side'
    ):
        assent.krippendorff_alpha(negative, distance="boxes")
    unequal = annotated([[[[0, 0]], [[1, 1], [2, 2]]]])
    with pytest.raises(InputError, match="the same points must be in both"):
        assent.krippendorff_alpha(unequal, distance="keypoints")


TREE = {"cat": "animal", "dog": "animal", "animal": "thing", "car": "thing"}


def test_places_in_a_tree() -> None:
    distance = label_distance("taxonomy", tree=TREE)
    apart = {
        (a, b): distance.between(distance.parse(a), distance.parse(b))
        for a, b in product(["cat", "dog", "animal", "car"], repeat=2)
    }
    # Depths: thing 1, animal and car 2, cat and dog 3; twice the depth of the common parent over both depths.
    assert apart["cat", "dog"] == pytest.approx(1 - 4 / 6)
    assert apart["cat", "animal"] == pytest.approx(1 - 4 / 5)
    assert apart["cat", "car"] == pytest.approx(1 - 2 / 5)
    assert apart["cat", "cat"] == 0
    data = annotated([["cat", "dog"], ["cat", "cat"], ["car", "cat"], ["car", "car"]])  # type: ignore[arg-type]
    plain, tree = assent.krippendorff_alpha(data), assent.krippendorff_alpha(data, distance="taxonomy", tree=TREE)
    assert tree.value > plain.value
    labels = [label for item in (("cat", "dog"), ("cat", "cat"), ("car", "cat"), ("car", "car")) for label in item]
    observed = (apart["cat", "dog"] + 0 + apart["car", "cat"] + 0) / 4
    expected = sum(apart[a, b] for a, b in combinations(labels, 2)) / math.comb(8, 2)
    assert tree.value == pytest.approx(1 - observed / expected)
    with pytest.raises(InputError, match="not in the tree"):
        assent.krippendorff_alpha(annotated([["cat", "tree"]]), distance="taxonomy", tree=TREE)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="is for the `distance` taxonomy"):
        assent.krippendorff_alpha(data, tree=TREE)


def test_sets_of_labels_in_a_tree() -> None:
    data = Annotations.from_array([["cat;dog", "dog"], ["car", "car;cat"], ["cat", "cat"]])._as_sets()
    sets = assent.read(
        {
            "item": [1, 1, 2, 2, 3, 3],
            "annotator": list("xyxyxy"),
            "label": ["cat;dog", "dog", "car", "car;cat", "cat", "cat"],
        },
        multilabel=True,
        separator=";",
    )
    assert data.kind == sets.kind == "label-sets"
    found = assent.krippendorff_alpha(sets, distance="taxonomy", tree=TREE)
    # {cat, dog} and {dog}: cat is 1/3 from dog, dog is there; and the other way round nothing is apart.
    assert found.details["observed_distance"] == pytest.approx(((1 / 3 / 2 + 0) / 2 + (0 + (0 + 0.6) / 2) / 2 + 0) / 3)


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_label_that_is_none_is_refused_with_its_line(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"boxes.{form}"
    rows = [("1", "a", [[0, 0, 4, 4]]), ("1", "b", [[0, 0, 4, 5]]), ("2", "a", [[5, 5, 3, 8]]), ("2", "b", [])]
    if form == "csv":
        path.write_text("item,annotator,boxes\n" + "".join(f'{i},{a},"{json.dumps(b)}"\n' for i, a, b in rows))
    else:
        path.write_text("".join(json.dumps({"item": i, "annotator": a, "boxes": b}) + "\n" for i, a, b in rows))
    data = assent.read(path, item="item", annotator="annotator", label="boxes", multilabel=False)
    line = 4 if form == "csv" else 3
    with pytest.raises(InputError, match=rf'boxes\.{form}", line {line}: the label .* has a negative side'):
        assent.krippendorff_alpha(data, distance="boxes")


def test_points_that_cannot_be_compared_are_told_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text('item,annotator,points\n1,a,"[[0, 0], [1, 1]]"\n1,b,"[[0, 0]]"\n')
    data = assent.read(path, item="item", annotator="annotator", label="points", multilabel=False)
    with pytest.raises(
        InputError, match=r'points\.csv", line [23]: the label .* by "[ab]" cannot be compared with .* by'
    ):
        assent.krippendorff_alpha(data, distance="keypoints")


def test_every_pair_counts_where_several_gave_the_same_text() -> None:
    texts = [["ab", "ab", "abc", "abc", "abc"], ["xy", "xy", "x", "x"], ["ab", "xy"]]
    found = assent.krippendorff_alpha(annotated(texts), distance="levenshtein")  # type: ignore[arg-type]
    within = [levenshtein(*pair) for item in texts for pair in combinations(item, 2)]
    between = [levenshtein(a, b) for one, two in combinations(texts, 2) for a, b in product(one, two)]
    shares = [(np.mean(np.array(within) <= at + 1e-9), np.mean(np.array(between) <= at + 1e-9)) for at in within]
    assert found.details["observed_distance"] == pytest.approx(np.mean(within))
    assert found.details["expected_distance_cross_item"] == pytest.approx(np.mean(between))
    assert found.details["ks"] == pytest.approx(max(own - others for own, others in shares))


def test_one_item_has_no_distances_to_others() -> None:
    found = assent.krippendorff_alpha(annotated([["a cat", "a dog", "dogs"]]), distance="levenshtein")  # type: ignore[arg-type]
    assert found.value == pytest.approx(0.0)
    assert all(math.isnan(found.details[name]) for name in ("sigma", "ks", "alpha_cross_item"))
    assert found.details["observed_distance"] > 0
    assert any("one item to compare" in note for note in found.notes)


def test_the_last_bit_of_a_distance_decides_nothing() -> None:
    # 0.1 + 0.2 is not 0.3 in the last bit: the same distance within items and between them.
    within, between = np.array([0.1 + 0.2, 0.3]), np.array([0.3, 0.3, 0.1 + 0.2])
    assert _by_distance._closeness(within, np.ones(2), between, np.ones(3)) == (1.0, 0.0)


@pytest.mark.parametrize(
    "made",
    [
        "child,parent\n" + "".join(f"{child},{parent}\n" for child, parent in TREE.items()),
        json.dumps(TREE),
        json.dumps({"thing": {"animal": ["cat", "dog"], "car": {}}}),
        json.dumps({"thing": [{"animal": ["cat", "dog"]}, "car"]}),
    ],
)
def test_a_tree_is_read_from_any_of_its_forms(made: str, tmp_path: Path) -> None:
    path = tmp_path / "tree"
    path.write_text(made)
    assert read_tree(path) == TREE


@pytest.mark.parametrize(
    ("made", "said"),
    [
        # Without a line of names, the first pair would be lost, and "mammal" would be another root.
        ("mammal,animal\ncat,mammal\nbird,animal\n", r'line 1: "mammal" stands further down .* child,parent'),
        ("child,parent\ncat,animal\ncat,pet\n", 'line 3: "cat" has the parent "animal" already, and "pet" is another'),
        ('{"animal": ["cat"], "pet": ["cat"]}', '"cat" has the parent "animal" already'),
        ("child,parent\ncat\n", "line 2: there must be a child and its parent"),
    ],
)
def test_a_tree_that_says_two_things_is_refused(made: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "tree"
    path.write_text(made)
    with pytest.raises(OptionError, match=said):
        read_tree(path)
