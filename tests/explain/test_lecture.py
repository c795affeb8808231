"""Worked examples from teaching material: every line that stands on the slides comes out, with the misprints put right.

Where a slide rounds a number (0.339, 0.37) ours shows one digit more after ≈, or the whole number after =.
"""

from __future__ import annotations

import pytest
from tests.explain.checking import check, formulas, lines
from tests.support import some

import assent
from assent.analyses.explain import Explanation, explain

LABELS = {2: ["Pos", "Neg"], 3: ["Pos", "Neu", "Neg"]}


def of(table: list[list[int]], labels: list[str] | None = None, **options: str) -> Explanation:
    labels = labels or LABELS[len(table)]
    data = assent.Annotations.from_contingency(table, labels=labels, annotators=("Ann. 1", "Ann. 2"))
    return explain(data, "cohen-kappa", order=labels, **options)


SENTIMENT = [[20, 5], [10, 15]]
THREE = [[35, 8, 2], [5, 10, 10], [0, 7, 23]]

EXAMPLES = {
    "sentiment": (
        of(SENTIMENT),
        "0.40",
        [
            "Pos     20    5     25",
            "Neg     10   15     25",
            "total   30   20     50",
            "Aₒ = (20 + 15) / 50 = 35 / 50 = 0.70",
            "P(both Pos) = 25/50 × 30/50 = 0.50 × 0.60 = 0.30",
            "P(both Neg) = 25/50 × 20/50 = 0.50 × 0.40 = 0.20",
            "Aₑ = 0.30 + 0.20 = 0.50",
            "κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.70 − 0.50) / (1 − 0.50) = 0.20 / 0.50 = 0.40",
        ],
    ),
    "entities": (
        of([[30, 10], [8, 32]], ["Entity", "Not"]),
        "0.55",
        [
            "Entity      30   10     40",
            "Not          8   32     40",
            "total       38   42     80",
            "Aₒ = (30 + 32) / 80 = 62 / 80 = 0.775",
            "P(both Entity) = 40/80 × 38/80 = 0.50 × 0.475 = 0.2375",
            "P(both Not) = 40/80 × 42/80 = 0.50 × 0.525 = 0.2625",
            "Aₑ = 0.2375 + 0.2625 = 0.50",
            "κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.775 − 0.50) / (1 − 0.50) = 0.275 / 0.50 = 0.55",
        ],
    ),
    "three classes": (
        of([[30, 5, 5], [3, 20, 2], [2, 3, 30]]),
        "0.697",
        [
            "Aₒ = (30 + 20 + 30) / 100 = 80 / 100 = 0.80",
            "P(both Pos) = 40/100 × 35/100 = 0.40 × 0.35 = 0.14",
            "P(both Neu) = 25/100 × 28/100 = 0.25 × 0.28 = 0.07",
            "P(both Neg) = 35/100 × 37/100 = 0.35 × 0.37 = 0.1295",
            "Aₑ = 0.14 + 0.07 + 0.1295 = 0.3395",
            "κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.80 − 0.3395) / (1 − 0.3395) = 0.4605 / 0.6605 ≈ 0.6972",
        ],
    ),
    "high agreement, low kappa": (
        of([[2, 3], [3, 92]], ["Toxic", "Safe"]),
        "0.37",
        [
            "Aₒ = (2 + 92) / 100 = 94 / 100 = 0.94",
            "P(both Toxic) = 5/100 × 5/100 = 0.05 × 0.05 = 0.0025",
            "P(both Safe) = 95/100 × 95/100 = 0.95 × 0.95 = 0.9025",
            "Aₑ = 0.0025 + 0.9025 = 0.905",
            "κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.94 − 0.905) / (1 − 0.905) = 0.035 / 0.095 ≈ 0.3684",
        ],
    ),
    "symmetric disagreement": (
        of([[40, 10], [10, 40]]),
        "0.60",
        [
            "Aₒ = (40 + 40) / 100 = 80 / 100 = 0.80",
            "Aₑ = 0.25 + 0.25 = 0.50",
            "κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.80 − 0.50) / (1 − 0.50) = 0.30 / 0.50 = 0.60",
        ],
    ),
    "asymmetric disagreement": (
        of([[40, 18], [2, 40]]),
        "0.61",
        [
            "P(both Pos) = 58/100 × 42/100 = 0.58 × 0.42 = 0.2436",
            "P(both Neg) = 42/100 × 58/100 = 0.42 × 0.58 = 0.2436",
            "Aₑ = 0.2436 + 0.2436 = 0.4872",
            "κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.80 − 0.4872) / (1 − 0.4872) = 0.3128 / 0.5128 ≈ 0.6100",
        ],
    ),
    "balanced": (
        of([[43, 7], [8, 42]]),
        "0.70",
        [
            "Aₒ = (43 + 42) / 100 = 85 / 100 = 0.85",
            "Aₑ = 0.255 + 0.245 = 0.50",
            "κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.85 − 0.50) / (1 − 0.50) = 0.35 / 0.50 = 0.70",
        ],
    ),
    "imbalanced": (
        of([[80, 10], [5, 5]]),
        "0.32",
        [
            "Aₒ = (80 + 5) / 100 = 85 / 100 = 0.85",
            "P(both Pos) = 90/100 × 85/100 = 0.90 × 0.85 = 0.765",
            "P(both Neg) = 10/100 × 15/100 = 0.10 × 0.15 = 0.015",
            "Aₑ = 0.765 + 0.015 = 0.78",
            "κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.85 − 0.78) / (1 − 0.78) = 0.07 / 0.22 ≈ 0.3182",
        ],
    ),
    "per category, overall": (
        of(THREE),
        "0.51",
        [
            "Aₒ = (35 + 10 + 23) / 100 = 68 / 100 = 0.68",
            "Aₑ = 0.18 + 0.0625 + 0.105 = 0.3475",
            "κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.68 − 0.3475) / (1 − 0.3475) = 0.3325 / 0.6525 ≈ 0.5096",
        ],
    ),
    "per category, positive": (
        of(THREE, label_against_rest="Pos"),
        "0.69",
        [
            "both Pos = 35",
            "first Pos, second not = 8 + 2 = 10",
            "first not, second Pos = 5 + 0 = 5",
            "both not = 10 + 10 + 7 + 23 = 50",
            "Pos               35               10     45",
            "any other label    5               50     55",
            "Aₒ = (35 + 50) / 100 = 85 / 100 = 0.85",
            "P(both Pos) = 45/100 × 40/100 = 0.45 × 0.40 = 0.18",
            "P(both any other label) = 55/100 × 60/100 = 0.55 × 0.60 = 0.33",
            "Aₑ = 0.18 + 0.33 = 0.51",
            "κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.85 − 0.51) / (1 − 0.51) = 0.34 / 0.49 ≈ 0.6939",
        ],
    ),
    "per category, neutral": (
        of(THREE, label_against_rest="Neu"),
        "0.20",
        [
            "both Neu = 10",
            "first Neu, second not = 5 + 10 = 15",
            "first not, second Neu = 8 + 7 = 15",
            "both not = 35 + 2 + 0 + 23 = 60",
            "Aₒ = (10 + 60) / 100 = 70 / 100 = 0.70",
            "P(both Neu) = 25/100 × 25/100 = 0.25 × 0.25 = 0.0625",
            "P(both any other label) = 75/100 × 75/100 = 0.75 × 0.75 = 0.5625",
            "Aₑ = 0.0625 + 0.5625 = 0.625",
            "κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.70 − 0.625) / (1 − 0.625) = 0.075 / 0.375 = 0.20",
        ],
    ),
    "per category, negative": (
        of(THREE, label_against_rest="Neg"),
        "0.57",
        [
            "both Neg = 23",
            "first Neg, second not = 0 + 7 = 7",
            "first not, second Neg = 2 + 10 = 12",
            "both not = 35 + 8 + 5 + 10 = 58",
            "Aₒ = (23 + 58) / 100 = 81 / 100 = 0.81",
            "P(both Neg) = 30/100 × 35/100 = 0.30 × 0.35 = 0.105",
            "P(both any other label) = 70/100 × 65/100 = 0.70 × 0.65 = 0.455",
            "Aₑ = 0.105 + 0.455 = 0.56",
            "κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.81 − 0.56) / (1 − 0.56) = 0.25 / 0.44 ≈ 0.5682",
        ],
    ),
    "five items in code": (
        explain(
            [["pos", "pos"], ["neg", "neg"], ["pos", "neu"], ["neg", "neg"], ["neu", "neu"]],
            "cohen-kappa",
            order=["pos", "neu", "neg"],
        ),
        "0.706",  # the slide prints 0.600
        [
            "Aₒ = (1 + 1 + 2) / 5 = 4 / 5 = 0.80",
            "Aₑ = 0.08 + 0.08 + 0.16 = 0.32",
            "κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.80 − 0.32) / (1 − 0.32) = 0.48 / 0.68 ≈ 0.7059",
        ],
    ),
    "five items of a guideline": (
        explain([[0, 0], [1, 1], [1, 0], [0, 0], [2, 2]], "cohen-kappa"),
        "0.6875",
        [
            "Aₒ = (2 + 1 + 1) / 5 = 4 / 5 = 0.80",
            "P(both 0) = 2/5 × 3/5 = 0.40 × 0.60 = 0.24",
            "P(both 1) = 2/5 × 1/5 = 0.40 × 0.20 = 0.08",
            "P(both 2) = 1/5 × 1/5 = 0.20 × 0.20 = 0.04",
            "Aₑ = 0.24 + 0.08 + 0.04 = 0.36",
            "κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.80 − 0.36) / (1 − 0.36) = 0.44 / 0.64 = 0.6875",
        ],
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_line_comes_out(name: str) -> None:
    explanation, _, wanted = EXAMPLES[name]
    shown = lines(explanation)
    assert [line for line in wanted if line not in shown] == []
    # In the order of the board, too.
    places = [shown.index(line) for line in wanted]
    assert places == sorted(places)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_value_is_the_one_on_the_slide(name: str) -> None:
    explanation, value, _ = EXAMPLES[name]
    digits = len(value.partition(".")[2])
    assert f"{explanation.value:.{digits}f}" == value


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_printed_equality_is_false(name: str) -> None:
    for formula in some(formulas(EXAMPLES[name][0])):
        check(formula)


WORDS = {
    "sentiment": "κ = 0.40 is fair",
    "entities": "κ = 0.55 is moderate",
    "three classes": "κ ≈ 0.70 is substantial",
    "high agreement, low kappa": "κ ≈ 0.37 is fair",
    "symmetric disagreement": "κ = 0.60 is moderate",
    "asymmetric disagreement": "κ ≈ 0.61 is substantial",
    "balanced": "κ = 0.70 is substantial",
    "imbalanced": "κ ≈ 0.32 is fair",
    "per category, overall": "κ ≈ 0.51 is moderate",
    "per category, positive": "κ ≈ 0.69 is substantial",
    "per category, neutral": "κ = 0.20 is slight",
    "per category, negative": "κ ≈ 0.57 is moderate",
}


@pytest.mark.parametrize(("name", "words"), WORDS.items())
def test_the_word_is_the_one_on_the_slide(name: str, words: str) -> None:
    said = EXAMPLES[name][0].interpretation
    assert said is not None
    assert said.startswith(words)
    assert said.endswith("(Landis & Koch 1977).")


def test_observed_agreement_of_five_items() -> None:
    labels = ["Positive", "Negative", "Neutral"]
    table = [[labels[0]] * 2, [labels[1]] * 2, [labels[0], labels[2]], [labels[1]] * 2, [labels[2]] * 2]
    assert "Aₒ = (1 + 2 + 1) / 5 = 4 / 5 = 0.80" in lines(explain(table, "percent-agreement", order=labels))


def test_the_whole_board() -> None:
    """The first example as it is printed, from the first to the last character."""
    assert of(SENTIMENT).text() == (
        """\
Cohen's kappa

Step 1: Observed agreement
Rows are the labels of "Ann. 1", columns those of "Ann. 2".
Observed agreement Aₒ is the share of items on which both chose the same label, the diagonal.

        Pos  Neg  total
 ──────────────────────
 Pos     20    5     25
 Neg     10   15     25

 total   30   20     50

    Aₒ = (20 + 15) / 50 = 35 / 50 = 0.70

Step 2: Expected agreement
By chance means: each annotator keeps their own shares of the labels, the margins of the table, but gives them to items at random.
Expected agreement Aₑ is the chance that both then choose the same label, one term per label.
    P(both Pos) = 25/50 × 30/50 = 0.50 × 0.60 = 0.30
    P(both Neg) = 25/50 × 20/50 = 0.50 × 0.40 = 0.20
    Aₑ = 0.30 + 0.20 = 0.50

Step 3: Agreement beyond chance
κ is the agreement beyond chance, as a share of all that could be beyond chance.
    κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.70 − 0.50) / (1 − 0.50) = 0.20 / 0.50 = 0.40
κ = 0.40 is fair; its interval reaches from slight to substantial (Landis & Koch 1977).
"""
    )
