"""Findings: the right ones, no others, with their numbers, in sentences that survive any label."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.properties.test_labels import HOSTILE
from tests.reference.coefficients import largest_kappa

import assent
from assent import Annotations, OptionError
from assent.analyses.findings.finding import KINDS, Finding
from assent.analyses.findings.search import findings
from assent.analyses.findings.symmetry import bowker
from assent.errors import UnsuitableData

PER_LABEL = [[35, 8, 2], [5, 10, 10], [0, 7, 23]]


def table(cells: Any, labels: Sequence[str] = ("Pos", "Neu", "Neg")) -> Annotations:
    names = [labels[0], labels[-1]] if len(cells) == 2 else list(labels)[: len(cells)]
    return Annotations.from_contingency(cells, labels=names, annotators=("Ann", "Bob"))


def keys(found: Sequence[Finding]) -> list[str]:
    return [one.key for one in found]


def only(data: Any, key: str, **options: Any) -> Finding:
    """The finding of this kind; there must be one."""
    [one] = [one for one in findings(data, **options) if one.key == key]
    return one


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([[2, 3], [3, 92]], ["prevalence"]),
        ([[80, 10], [5, 5]], ["prevalence"]),
        ([[40, 18], [2, 40]], ["asymmetric-disagreement"]),
        (PER_LABEL, ["weak-label"]),
        ([[40, 10], [10, 40]], []),
        ([[43, 7], [8, 42]], []),
        ([[20, 5], [10, 15]], []),
        ([[30, 10], [8, 32]], []),
        ([[30, 5, 5], [3, 20, 2], [2, 3, 30]], []),
    ],
    ids=[
        "toxicity",
        "imbalanced",
        "asymmetric",
        "per label",
        "symmetric",
        "balanced",
        "sentiment",
        "entities",
        "three classes",
    ],
)
def test_the_tables_of_the_lecture(cells: list[list[int]], expected: list[str]) -> None:
    assert keys(findings(table(cells))) == expected


def test_a_dominant_label() -> None:
    found = only(table([[2, 3], [3, 92]]), "prevalence")
    assert found.severity == "warning"
    assert not found.tested
    evidence = found.evidence
    assert evidence["label"] == "Neg"
    assert (evidence["share"], evidence["prevalence_index"]) == pytest.approx((0.95, 0.9))
    assert (evidence["observed"], evidence["expected"]) == pytest.approx((0.94, 0.905))
    coefficients = evidence["coefficients"]
    assert coefficients["cohen-kappa"] == pytest.approx(0.368, abs=5e-4)
    assert coefficients["gwet-ac"] == pytest.approx(0.934, abs=5e-4)
    assert coefficients["brennan-prediger"] == pytest.approx(0.88)
    assert (evidence["items_with_another_label"], evidence["items_agreed_on_another_label"]) == (8, 2)
    assert "94 % agreement leaves Cohen's kappa at 0.37" in found.sentence
    assert "Gwet's AC1 is 0.93 and Brennan-Prediger 0.88" in found.sentence
    assert "First look at the 8 items" in found.sentence


def test_a_dominant_label_of_several_has_no_index_of_two() -> None:
    found = only(table([[90, 3, 2], [3, 1, 1], [2, 1, 2]]), "prevalence")
    assert found.evidence["prevalence_index"] is None
    assert found.evidence["share"] == pytest.approx(190 / 210)


def test_high_agreement_on_a_dominant_label_is_no_trouble_if_kappa_is_high_too() -> None:
    assert findings(table([[180, 1], [1, 18]])) == ()


def test_disagreement_with_a_direction() -> None:
    found = only(table([[40, 18], [2, 40]]), "asymmetric-disagreement")
    assert found.tested
    evidence = found.evidence
    assert (evidence["first"], evidence["first_label"], evidence["forth"]) == ("Ann", "Pos", 18)
    assert (evidence["second"], evidence["second_label"], evidence["back"]) == ("Bob", "Neg", 2)
    assert evidence["bias_index"] == pytest.approx(0.16)
    assert evidence["bowker_p_value"] == evidence["p_value_corrected"] == pytest.approx(0.000402, abs=1e-6)
    assert evidence["bowker_method"] == "exact"
    assert evidence["same_test_as_stuart_maxwell"]
    assert evidence["kappa_max"] == pytest.approx(largest_kappa([[40, 18], [2, 40]]))
    assert evidence["kappa_of_max"] == pytest.approx(evidence["kappa"] / evidence["kappa_max"])
    assert '"Ann" says "Pos" and "Bob" "Neg" 18 times, the other way round 2 times' in found.sentence
    assert 'uses "Pos" on 58 % of the items, "Bob" on 42 %' in found.sentence


def test_the_direction_does_not_depend_on_who_comes_first() -> None:
    found = only(table([[40, 2], [18, 40]]), "asymmetric-disagreement").evidence
    assert (found["first_label"], found["second_label"], found["forth"], found["back"]) == ("Neg", "Pos", 18, 2)


def test_with_three_labels_direction_and_shares_are_two_findings() -> None:
    found = findings(table([[40, 25, 5], [4, 30, 6], [2, 8, 30]]))
    assert keys(found) == ["asymmetric-disagreement", "bias"]
    direction, shares = (one.evidence for one in found)
    assert (direction["first_label"], direction["second_label"]) == ("Pos", "Neu")
    assert (direction["forth"], direction["back"]) == (25, 4)
    assert (shares["label"], shares["first_share"], shares["second_share"]) == ("Pos", 70 / 150, 46 / 150)
    assert shares["bias_index"] == pytest.approx(0.16)
    assert shares["stuart_maxwell_degrees"] == 2
    assert shares["stuart_maxwell_p_value"] < 0.001


def test_a_circle_has_a_direction_but_equal_shares() -> None:
    assert keys(findings(table([[30, 15, 1], [1, 30, 15], [15, 1, 30]]))) == ["asymmetric-disagreement"]


def test_a_hairs_breadth_is_no_finding_however_significant() -> None:
    """In a million items 51 against 49 % is significant, and nothing to worry about."""
    cells = [[400_000, 102_000], [98_000, 400_000]]
    assert bowker(cells).p_value < 1e-10
    assert findings(table(cells)) == ()


def three_annotators(lean: float, seed: int = 1) -> Annotations:
    """Cleo calls some b's a; Ann and Bob make the same honest errors."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, size=200)[:, None]
    labels = np.where(rng.random((200, 3)) < 0.15, rng.integers(0, 3, size=(200, 3)), truth)
    labels[:, 2] = np.where((labels[:, 2] == 1) & (rng.random(200) < lean), 0, labels[:, 2])
    return Annotations.from_array(np.array(["a", "b", "c"])[labels], annotators=["Ann", "Bob", "Cleo"])


def test_of_three_annotators_the_one_who_leans_is_named() -> None:
    assert findings(three_annotators(0.0)) == ()
    found = findings(three_annotators(0.5))
    assert keys(found) == ["asymmetric-disagreement", "bias"]
    for one in found:
        assert sorted(map(sorted, one.evidence["pairs"])) == [["Ann", "Cleo"], ["Bob", "Cleo"]]
        assert 'The same is true of 1 other pair of annotators, also with "Cleo".' in one.sentence
        assert one.evidence["pairs_tested"] == 3
        assert one.evidence["p_value_corrected"] > min(
            one.evidence.get("bowker_p_value", 1), one.evidence.get("stuart_maxwell_p_value", 1)
        )


def test_a_weak_label() -> None:
    found = only(table(PER_LABEL), "weak-label")
    assert found.tested
    evidence = found.evidence
    assert evidence["label"] == "Neu"
    # The lecture's kappa of Neutral and of all labels; alpha is the same but for its small-sample correction.
    assert (evidence["value"], evidence["overall"]) == pytest.approx((0.20, 0.51), abs=0.005)
    assert (evidence["confused_with"], evidence["confused_pairs"]) == ("Neg", 17)
    assert [row["label"] for row in evidence["labels"]] == ["Neu"]
    assert evidence["labels"][0]["p_value_corrected"] < 0.01
    assert 'Agreement on "Neu" is 0.20' in found.sentence
    assert "reach 0.51" in found.sentence


def test_several_weak_labels_are_one_finding() -> None:
    cells = np.diag([60, 60, 60, 60, 10, 10])
    cells[4, 5] = cells[5, 4] = 25
    found = only(table(cells, list("abcdef")), "weak-label")
    assert [row["label"] for row in found.evidence["labels"]] == ["e", "f"]
    assert 'The same is true of "f".' in found.sentence


def test_without_annotators_labels_are_still_looked_at() -> None:
    pairs = [(i, j) for i in range(3) for j in range(3) for _ in range(PER_LABEL[i][j])]
    counts = [[(i == label) + (j == label) for label in range(3)] for i, j in pairs]
    data = Annotations.from_counts(counts, labels=["Pos", "Neu", "Neg"])
    assert keys(findings(data)) == ["weak-label"]
    skewed = Annotations.from_counts([[5, 0]] * 90 + [[4, 1]] * 8 + [[2, 3]] * 2, labels=["no", "yes"])
    assert only(skewed, "prevalence").evidence["measure"] == "krippendorff-alpha"


def test_a_rare_label() -> None:
    found = only(table([[50, 4, 1], [5, 50, 1], [1, 0, 1]]), "rare-label")
    assert found.severity == "info"
    assert not found.tested
    evidence = found.evidence
    assert (evidence["label"], evidence["annotations"]) == ("Neg", 5)
    row = evidence["labels"][0]
    assert (row["items"], row["agreed"]) == (4, 1)
    assert "given 5 times" in found.sentence
    assert "to 4 items, and two or more annotators agreed on it 1 time" in found.sentence


def test_a_rare_label_with_good_and_sure_agreement_is_none() -> None:
    cells = np.diag([600, 600, 30])
    cells[0, 1] = cells[1, 0] = 20
    assert findings(table(cells)) == ()


def test_a_capped_kappa() -> None:
    """Too few disagreements to prove a direction, but all the agreement that the shares allow is there."""
    found = only(table([[8, 5], [0, 7]]), "capped-kappa")
    assert found.severity == "info"
    assert found.evidence["kappa"] == found.evidence["kappa_max"] == pytest.approx(0.528, abs=5e-4)
    assert "could be no more than 0.53, and it is 0.53" in found.sentence


def test_coefficients_that_contradict_each_other() -> None:
    cells = np.diag([60, 40, 1, 1, 1, 1, 1, 1, 1])
    cells[0, 1], cells[1, 0] = 30, 28
    found = only(table(cells, list("abcdefghi")), "contradiction")
    coefficients = found.evidence["coefficients"]
    assert found.evidence["spread"] == pytest.approx(max(coefficients.values()) - min(coefficients.values()))
    assert found.evidence["spread"] > 0.2
    assert "Of 9 labels, 2 make up nine tenths" in found.sentence


def test_a_wide_interval() -> None:
    found = only(table([[5, 2], [2, 5]]), "wide-interval")
    evidence = found.evidence
    assert evidence["high"] - evidence["low"] > 0.6
    assert evidence["items"] == 14
    error = assent.cohen_kappa(table([[5, 2], [2, 5]])).standard_error()
    assert evidence["units_needed"] == pytest.approx(14 * (1.96 * error / 0.1) ** 2, abs=2)


def test_a_finding_and_a_plan_ask_for_the_same_number_of_items() -> None:
    rows = ["aaa", "bba", "bbb", "aba", "ccc", "aa.", "bcb", "ccc", "aaa", "bbb"]
    data = Annotations.from_array([[None if one == "." else one for one in row] for row in rows])
    found = only(data, "wide-interval")
    planned = assent.plan(data, measure="krippendorff-alpha", half_width=0.1)
    assert f"about {planned.half_width.needed.n_units} items in all" in found.sentence


def test_more_clusters_are_needed_than_there_are_even_if_three_happen_to_agree_alike() -> None:
    # All documents have the same five items, so that none differs from the next: the standard error is 0.
    rows = [
        (f"d{document}i{at}", who, label, f"d{document}")
        for document in range(3)
        for at, labels in enumerate(("pp", "pp", "pq", "qp", "qq"))
        for who, label in zip(("ann", "bob"), labels, strict=True)
    ]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "document"], orient="row")
    [found] = (one for one in findings(Annotations.from_frame(frame, cluster="document")) if one.key == "wide-interval")
    evidence = found.evidence
    assert evidence["units"] == 3
    reach = (evidence["high"] - evidence["low"]) / 2
    assert evidence["units_needed"] == math.ceil(3 * (reach / 0.1) ** 2) > 3
    assert f"about {evidence['units_needed']:,} clusters in all" in found.sentence


def test_one_item_has_no_interval_at_all() -> None:
    found = only([["a", "b"]], "wide-interval")
    assert found.evidence["low"] is None
    assert "1 item is too few" in found.sentence


def test_one_label_for_everything() -> None:
    [found] = findings([["a", "a"]] * 5)
    assert found.key == "undefined"
    assert found.evidence["observed"] == 1.0
    assert "percent agreement (100 %)" in found.sentence
    assert 'every annotation is "a"' in found.sentence


def test_nothing_to_compare() -> None:
    [found] = findings([["a", None], [None, "a"]])
    assert found.key == "undefined"
    assert "there is nothing to compare" in found.sentence


def test_numbers_are_no_categories() -> None:
    rows = [[1, 2], [3, 3], [5, 1], [2, 4]]
    assert keys(findings(rows, scale="interval")) == ["wide-interval"]
    assert only(rows, "wide-interval", scale="interval").evidence["measure"] == "krippendorff-alpha"
    assert keys(findings([[1, 1]] * 3, scale="interval")) == ["undefined"]
    with pytest.raises(UnsuitableData, match="interval scale"):
        findings([["a", "b"]], scale="interval")
    with pytest.raises(UnsuitableData, match="order"):
        findings(table(PER_LABEL), scale="ordinal")
    # On a scale near labels agree in part, so what holds for names is not looked for.
    assert findings(table(PER_LABEL).ordered(["Neg", "Neu", "Pos"]), scale="ordinal") == ()


def test_options_are_checked() -> None:
    for level in (0, 1, -1):
        with pytest.raises(OptionError, match="level"):
            findings([["a", "b"]], level=level)
    with pytest.raises(OptionError, match="scale"):
        findings([["a", "b"]], scale="nominally")
    with pytest.raises(OptionError, match="simulations"):
        findings([["a", "b"]], simulations=0)


def test_the_level_is_the_callers() -> None:
    """McNemar's exact p of 13 against 4 is 0.049."""
    cells = [[40, 13], [4, 40]]
    assert keys(findings(table(cells))) == ["asymmetric-disagreement"]
    assert findings(table(cells), level=0.01) == ()


def test_the_same_seed_gives_the_same_digits() -> None:
    data = table([[40, 25, 5], [4, 30, 6], [2, 8, 30]])
    assert findings(data, seed=4) == findings(data, seed=4)


TROUBLED = {
    "prevalence": [[2, 3], [3, 92]],
    "asymmetric-disagreement": [[40, 18], [2, 40]],
    "bias": [[40, 25, 5], [4, 30, 6], [2, 8, 30]],
    "weak-label": PER_LABEL,
    "rare-label": [[50, 4, 1], [5, 50, 1], [1, 0, 1]],
    "capped-kappa": [[8, 5], [0, 7]],
    "wide-interval": [[5, 2], [2, 5]],
}


@pytest.mark.parametrize("key", TROUBLED)
@pytest.mark.parametrize("kind", HOSTILE)
def test_any_label_and_any_name_may_stand_in_a_sentence(key: str, kind: str) -> None:
    names = HOSTILE[kind]
    cells = TROUBLED[key]
    data = Annotations.from_contingency(cells, labels=names[: len(cells)], annotators=(names[0], names[1]))
    found = only(data, key)
    assert found.sentence.isprintable()
    assert len(found.sentence) < 1200
    written = json.dumps(found.to_dict(), allow_nan=False)
    assert json.loads(written) == json.loads(json.dumps(found.to_dict()))
    if "label" in found.evidence:
        assert found.evidence["label"] in names


@pytest.mark.parametrize("key", TROUBLED)
def test_a_finding_says_what_it_is_and_what_to_do(key: str) -> None:
    found = only(table(TROUBLED[key]), key)
    assert (found.severity, found.title) == KINDS[key]
    assert "First " in found.sentence
    assert found.sentence.endswith(".")
    assert any(character.isdigit() for character in found.sentence)
    assert "nan" not in found.sentence.replace("Brennan", "")
    assert found.evidence
    assert found.tested == (key in {"asymmetric-disagreement", "bias", "weak-label"})
    assert set(found.to_dict()) == {"key", "severity", "title", "sentence", "evidence", "tested"}
    with pytest.raises(AttributeError):
        found.key = "other"  # type: ignore[misc]


def test_warnings_come_before_information() -> None:
    found = findings(table([[8, 5], [0, 7]]))
    assert keys(found) == ["wide-interval", "capped-kappa"]
    assert list(KINDS) == sorted(KINDS, key=lambda key: KINDS[key][0] != "warning")


def test_a_document_that_leans_as_a_whole_is_one_piece_of_evidence() -> None:
    """Ann and Bob differ one way in one long document; other documents show nothing."""
    rows = [(f"d{i}", "x" if i % 2 else "y", "x" if i % 2 else "y", i // 10) for i in range(200)]
    rows += [(f"e{i}", "x", "y", 99) for i in range(20)]
    frame = pl.DataFrame(
        [
            (item, who, label, cluster)
            for item, one, two, cluster in rows
            for who, label in (("Ann", one), ("Bob", two))
        ],
        schema=["item", "annotator", "label", "document"],
        orient="row",
    )
    assert keys(findings(Annotations.from_frame(frame))) == ["asymmetric-disagreement"]
    [found] = findings(Annotations.from_frame(frame, cluster="document"))
    assert found.key == "wide-interval"
    assert '21 clusters ("document") are too few' in found.sentence


def test_importing_brings_in_no_scipy() -> None:
    code = "import sys, assent.analyses.findings.search; print({'scipy', 'polars', 'typer', 'rich'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "scipy" not in done.stdout


@pytest.mark.parametrize("clusters", [False, True])
def test_a_label_has_the_interval_that_its_table_gives(clusters: bool) -> None:
    """One number, one interval: in range, and that of `assent labels`; by the t distribution of two items it was -2.4 to 4."""
    rows = (
        [["a", "a", "a"]] * 30
        + [["b", "b", "c"]] * 4
        + [["c", "c", "c"]]
        + [["a", "b", "b"]] * 2
        + [["d", "d", "a"]] * 2
    )
    cells = [
        {"item": f"i{i}", "annotator": f"w{j}", "label": label, "document": f"d{i % 13}"}
        for i, row in enumerate(rows)
        for j, label in enumerate(row)
    ]
    data = Annotations.from_frame(pl.DataFrame(cells), cluster="document" if clusters else None)
    finding = only(data, "rare-label")
    shown = {row["label"]: row for row in assent.labels(data).to_dict()["labels"]}
    assert len(finding.evidence["labels"]) >= 2
    for row in finding.evidence["labels"]:
        found = shown[row["label"]]
        assert row["value"] == pytest.approx(found["value"])
        assert (row["low"], row["high"]) == pytest.approx((found["ci"]["low"], found["ci"]["high"]))
        assert -1 <= row["low"] < row["high"] <= 1


def test_one_cluster_says_nothing_of_weak_labels_and_leads_to_no_warning() -> None:
    given = zip("0101101010111001", "59215076b86384b2", "2022221212222121", strict=True)
    rows = [(*one, "d") for one in given]
    data = pl.DataFrame(rows, schema=["item", "annotator", "label", "doc"], orient="row")
    assert "weak-label" not in keys(findings(assent.read(data, cluster="doc")))
