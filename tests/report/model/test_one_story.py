"""One report tells one story: the same number, word and interval everywhere, on the scale, and what misleads first."""

from __future__ import annotations

import math
import re

import numpy as np
import polars as pl
import pytest

import assent
from assent.data import Annotations
from assent.examples import EXAMPLES
from assent.reports.sections.special import given_together, in_common


def two(*cells: int) -> Annotations:
    """Two annotators with labels yes and no: both yes, yes-no, no-yes, both no."""
    return Annotations.from_contingency([[cells[0], cells[1]], [cells[2], cells[3]]], labels=["yes", "no"])


def sets(rows: list[list[str]]) -> Annotations:
    triples = [(f"i{i}", f"w{j}", label) for i, row in enumerate(rows) for j, label in enumerate(row)]
    frame = pl.DataFrame(triples, schema=["item", "annotator", "label"], orient="row")
    return Annotations.from_frame(frame, separator=";")


def rated(shift: float = 0.55, items: int = 150) -> Annotations:
    """Ratings on five points; the second annotator is stricter."""
    rng = np.random.default_rng(5)
    truth = rng.normal(3, 1.2, items)[:, None]
    said = np.clip(np.rint(truth + np.array([0.0, -shift, 0.1, 0.2]) + rng.normal(0, 0.5, (items, 4))), 1, 5)
    return Annotations.from_array(said.astype(int).astype(str).tolist())


def test_twenty_items_and_one_disagreement() -> None:
    """Kappa 0.000 is no knowledge: the interval is wide, and nobody is told that the task is subjective."""
    data = Annotations.from_array([["safe", "safe"]] * 19 + [["safe", "unsafe"]])
    kappa = assent.cohen_kappa(data)
    interval = kappa.confidence_interval()
    assert kappa.value == pytest.approx(0.0)
    assert interval.low < 0 < 0.7 < interval.high <= 1
    assert [one.key for one in assent.advise(data)] == ["few-items"]
    assert any("fewer than 5" in note for note in interval.notes)


def test_the_paradox_is_named_first() -> None:
    """80, 10, 10, 0: one label dominates; that comes before any word for kappa, and advice says the same."""
    made = assent.report(two(80, 10, 10, 0))
    verdict = made.to_dict()["verdict"]
    assert verdict["sentence"].startswith("One label dominates")
    assert "80 % agreement" in verdict["sentence"]
    assert "AC1 is 0.76" in verdict["sentence"]
    assert "poor" not in verdict["sentence"]
    assert [one["key"] for one in made.to_dict()["advice"]] == ["prevalence"]


def test_ratings_that_were_read_as_names_are_said_in_the_verdict() -> None:
    verdict = assent.report(rated()).to_dict()["verdict"]
    assert "were compared as names" in verdict["misleads"]
    assert "`scale` ordinal" in verdict["next"]
    assert assent.report(rated(), scale="ordinal").to_dict()["verdict"]["misleads"] is None


def words_of(count: int) -> Annotations:
    """Three who place items on a scale of words, a step apart at most."""
    names = ["never", "rarely", "sometimes", "often", "always"][:count]
    draw = np.random.default_rng(8)
    place = np.clip(draw.integers(0, count, 90)[:, None] + draw.integers(-1, 2, (90, 3)), 0, count - 1)
    return Annotations.from_array(np.array(names)[place].tolist())


def measured_numbers() -> Annotations:
    """Three who measure forty things, each a little off."""
    draw = np.random.default_rng(9)
    values = draw.normal(50, 15, 40)[:, None] + draw.normal(0, 4, (40, 3))
    return Annotations.from_array([[f"{one:.1f}" for one in row] for row in values])


@pytest.mark.parametrize(
    ("data", "says"),
    [(words_of(5), "`scale` ordinal `order`"), (measured_numbers(), "`scale` interval"), (rated(), "`scale` ordinal")],
)
def test_words_of_a_scale_and_measured_numbers_are_ratings_too(data: Annotations, says: str) -> None:
    """The verdict begins with it, names nobody and no labels for what may be a matter of a step, and advice says so as well."""
    made = assent.report(data)
    verdict = made.to_dict()["verdict"]
    assert "were compared as names" in verdict["sentence"].split(". ")[0]
    assert says in verdict["next"]
    assert verdict["causes"] == []
    [note] = assent.advise(data).to_dict()["notes"]
    assert "were compared as names" in note
    assert says in note
    assert note in made.markdown().replace("--scale", "`scale`").replace("--order", "`order`")
    assert assent.advise(data, scale="nominal").notes == ()


def test_three_words_and_codes_are_taken_as_names_without_a_word() -> None:
    codes = [["110", "110"], ["250", "250"], ["110", "999"], ["999", "999"], ["250", "110"]] * 8
    for data in (words_of(3), Annotations.from_array(codes)):
        assert "as names" not in assent.report(data).to_dict()["verdict"]["sentence"]
        assert assent.advise(data).notes == ()


def test_one_next_step_in_the_verdict_and_the_advice() -> None:
    """Not sure yet to reach the target: both ask for more items. One disagreement in twenty: so does the verdict."""
    unclear = assent.report(two(60, 8, 8, 42)).to_dict()
    assert unclear["verdict"]["next"].startswith("Collect about")
    assert [one["key"] for one in unclear["advice"]] == ["none"]
    assert unclear["advice"][0]["first_step"].startswith("Have more items annotated")
    few = assent.report(two(19, 1, 0, 0)).to_dict()
    assert few["verdict"]["sentence"].startswith("One label dominates")
    assert [one["key"] for one in few["advice"]] == ["few-items"]
    assert few["verdict"]["next"].startswith("Collect more items")
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 90)[:, None]
    said = np.where(rng.random((90, 4)) < 0.06, 1 - truth, truth)
    said[:, 3] = 1 - said[:, 3]
    swapped = assent.report(Annotations.from_array(np.array(["no", "yes"])[said].tolist())).to_dict()
    assert swapped["verdict"]["next"] == swapped["advice"][0]["first_step"]
    assert "buttons or codes" in swapped["verdict"]["next"]


def test_one_who_is_strict_makes_nobody_else_lenient() -> None:
    """Beside the mean of the others, of whom one is strict, all others rate higher: who is named is the strict one."""
    draw = np.random.default_rng(4)
    truth = draw.normal(3, 1, 140)[:, None] + np.array([0.0, 0.05, -0.05, -1.1])
    data = Annotations.from_array(
        np.clip(np.rint(truth + draw.normal(0, 0.4, (140, 4))), 1, 5).astype(int).astype(str).tolist()
    )
    made = assent.report(data, scale="ordinal").to_dict()
    [advice] = made["advice"]
    assert advice["evidence"]["annotators"] == ["4"]
    assert [row["shift"]["clear"] for row in made["annotators"]["rows"]] == [True] * 4
    told = assent.annotators(data, scale="ordinal").text()
    assert 'Nobody stands out among 4 annotators judged but for being strict or lenient: "4" rates' in " ".join(
        told.split()
    )


def test_sets_that_are_all_the_same_are_not_said_to_be_luck() -> None:
    rows = [
        ["joy;fear", "fear;joy", "joy;fear"],
        ["anger", "anger", "anger"],
        ["fear;sad;joy", "sad;joy;fear", "joy;sad;fear"],
    ] * 12
    made = assent.report(sets(rows)).to_dict()
    assert made["verdict"]["next"].startswith("No problem found")
    assert {one["key"] for one in made["coefficients"]["findings"]} & {"lucky-f1", "many-labels"} == set()


def test_who_is_only_swapped_round_does_not_lean() -> None:
    """Two who take a for b, b for c and c for a where they differ use all labels alike: the direction is said, and no leaning."""
    turned = {"a": "b", "b": "c", "c": "a"}
    rows = [[one, one] for one in "abc" for _ in range(30)] + [[one, turned[one]] for one in "abc" for _ in range(12)]
    [finding] = [
        one
        for one in assent.report(rows).to_dict()["coefficients"]["findings"]
        if one["key"] == "asymmetric-disagreement"
    ]
    assert "draw that line differently" in finding["sentence"]
    assert "leans" not in finding["sentence"]


def test_of_people_who_score_alike_none_is_the_best() -> None:
    told = assent.ceiling([["a"] * 3, ["b"] * 3] * 10).text()
    assert "best of" not in told
    assert "majority of the others" in told


def test_no_value_has_no_word() -> None:
    assert '"moderate"' not in assent.report(two(20, 0, 0, 0)).text()


def test_measured_numbers_are_not_looked_at_as_labels() -> None:
    """No two are the same: no label, no majority and no dispute to speak of, and what has no parts is not said to have undefined ones."""
    data = measured_numbers()
    made = assent.report(data, scale="interval")
    told = " ".join(made.text().split())
    assert "different numbers were compared by how far apart they are" in told
    assert "gives the same number" in told
    for word in ("against the majority", "items are disputed", "Coincidences", "undefined"):
        assert word not in told
    assert made.to_dict()["labels"]["by_label"]
    assert "majority" not in assent.ceiling(data, scale="interval").text()


def test_how_near_people_are_is_not_a_matter_of_the_range_of_the_numbers() -> None:
    """One item that is far from all others, and on which they are as near, makes the range and not the doubt."""
    draw = np.random.default_rng(6)
    values = draw.normal(50, 5, 60)[:, None] + draw.normal(0, 2, (60, 3))
    values[0] += 1000
    found = assent.ceiling([[f"{one:.2f}" for one in row] for row in values], scale="interval").distance
    assert found is not None
    assert found.ends is not None
    assert found.value - found.ends[0] < 0.5
    assert found.ends[1] - found.value < 0.5


def test_on_a_scale_everything_is_on_the_scale() -> None:
    made = assent.report(rated(), scale="ordinal").to_dict()
    verdict, [advice] = made["verdict"], made["advice"]
    assert advice["key"] == "severity"
    assert advice["evidence"]["annotators"][0] == "2"
    assert advice["measure"] == verdict["title"]
    assert f"{verdict['value']:.2f}" in advice["sentence"]
    rows = {row["annotator"]: row for row in made["annotators"]["rows"]}
    assert rows["2"]["shift"]["value"] < -0.4
    assert rows["2"]["shift"]["spread"] > 0
    # Weighted agreement, not equality: the headline is 0.7, and so is everybody's agreement beyond chance.
    assert all(row["coefficient"]["value"] > 0.5 for row in rows.values())
    assert [one["label"] for one in made["data"]["label_shares"]] == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize("data", [two(80, 10, 10, 0), two(40, 6, 4, 50), rated(), rated(0.0)])
def test_one_number_one_word_one_interval(data: Annotations) -> None:
    """Advice quotes the coefficient of the verdict with its interval; `measure` and `report` use the same word."""
    made = assent.report(data).to_dict()
    verdict = made["verdict"]
    measured = assent.measure(data)
    assert measured.quoted.measure == verdict["measure"]
    assert measured.measures[0].interval is not None
    assert verdict["low"] == pytest.approx(measured.measures[0].interval.low)
    assert verdict["high"] == pytest.approx(measured.measures[0].interval.high)
    assert verdict["word"] in " ".join(str(block) for block in measured.document().blocks)
    for one in made["advice"]:
        assert one["measure"] == verdict["title"]
        if one["evidence"].get("low") is not None and one["key"] != "guideline":
            assert one["evidence"]["low"] == pytest.approx(verdict["low"])
            assert one["evidence"]["high"] == pytest.approx(verdict["high"])


def test_the_scale_of_words_follows_the_coefficient() -> None:
    data = rated()
    assert assent.report(data, scale="ordinal").to_dict()["verdict"]["scale"] == "Krippendorff 2004"
    assert assent.report(two(40, 6, 4, 50)).to_dict()["verdict"]["scale"] == "Landis & Koch 1977"
    both = assent.report(data, scale="ordinal", words="landis-koch").to_dict()["verdict"]["sentence"]
    assert "tentative" in both
    assert "substantial on the scale of Landis & Koch 1977" in both
    assert "Landis & Koch" in assent.measure(data, scale="ordinal", words="landis-koch").text()


def test_the_share_of_disagreement_is_one_number() -> None:
    """With one who clicks, labels are judged without them; both shares are said, and whose they are."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 5, 250)
    said = np.repeat(truth[:, None], 5, axis=1)
    moved = (rng.random((250, 5)) < 0.35) & (said < 2)
    said = np.where(moved, 1 - said, said)
    said[:, 0] = rng.integers(0, 5, 250)
    data = Annotations.from_array(np.array(list("abcde"))[said].tolist())
    made = assent.report(data).to_dict()
    guideline = next(one for one in made["advice"] if one["key"] == "guideline")
    share = next(one for one in made["labels"]["disputed"] if {one["first"], one["second"]} == {"a", "b"})["share"]
    assert f"{round(100 * share)} % of that of all" in guideline["sentence"]


def test_equal_sets_are_no_disagreement() -> None:
    rng = np.random.default_rng(5)
    rows = []
    for _ in range(60):
        given = [
            str(one) for one in rng.choice(["anger", "fear", "joy", "sad"], size=rng.integers(1, 4), replace=False)
        ]
        rows.append([";".join(given), ";".join(given), ";".join(given[::-1])])
    made = assent.report(sets(rows)).to_dict()
    assert made["verdict"]["value"] == pytest.approx(1.0)
    assert made["items"]["full"] == 60
    assert made["annotators"]["flagged"] == 0
    assert [one["key"] for one in made["advice"]] == ["none"]


def test_alpha_with_masi_stands_beside_measures_that_few_know() -> None:
    rng = np.random.default_rng(1)
    rows = [[";".join(sorted(rng.choice(list("abcd"), 2, replace=False))) for _ in range(3)] for _ in range(40)]
    made = assent.report(sets(rows))
    assert "Krippendorff's alpha (MASI), which other papers give, is" in made.to_dict()["verdict"]["sentence"]
    results = made.markdown().split("### Results")[1].split("###")[0]
    assert "Krippendorff's alpha (MASI) was" in results


def test_few_sets_leave_the_usual_measure_first() -> None:
    rng = np.random.default_rng(1)
    rows = [["ab"[one], "ab"[one]] for one in rng.integers(0, 2, 99)] + [["a;b", "a"]]
    data = sets(rows)
    verdict = assent.report(data).to_dict()
    assert verdict["verdict"]["measure"] == "krippendorff-alpha"
    assert "0.5 % of the annotations hold several labels" in " ".join(verdict["coefficients"]["reasons"])
    measures = [one["measure"] for one in verdict["coefficients"]["measures"]]
    assert measures[:3] == ["krippendorff-alpha", "cohen-kappa", "percent-agreement"]


def test_on_a_scale_strong_agreement_is_more_than_any_two_steps_have() -> None:
    """Any two of five steps agree by 0.8 or so; nobody is to read of strong agreement where alpha is 0.6."""
    made = assent.report(rated(), scale="ordinal").to_dict()
    alpha = made["verdict"]["value"]
    known = made["items"]["strong"] + made["items"]["weak"]
    assert 0 < made["items"]["weak"] < known <= 150
    assert made["items"]["strong"] < alpha * 150


def test_two_annotators_have_one_interval_everywhere() -> None:
    for cells in ((80, 10, 10, 0), (19, 0, 1, 0), (28, 4, 6, 22)):
        made = assent.report(two(*cells)).to_dict()
        quoted = made["coefficients"]["measures"][0]["ci"]
        for row in made["annotators"]["rows"]:
            assert row["coefficient"]["low"] == pytest.approx(quoted["low"])
            assert row["coefficient"]["high"] == pytest.approx(quoted["high"])


def test_pairs_of_labels_are_counted() -> None:
    data = sets([["a;b", "b;a"], ["a;b", "c"], ["c", "c"], ["b", "a;c"], ["a;b", "a"]])
    first = given_together(data)[0]
    assert (first.first, first.second, first.n_annotations) == ("a", "b", 4)
    assert first.share == pytest.approx(0.4)
    # Five annotations hold a pair. a is given 6 times, b 5, c 4: of all pairs of different labels, a with b are 30 of 74.
    assert first.by_chance == pytest.approx(5 * 30 / 74)


def test_labels_in_common_over_represent_frequent_ones() -> None:
    rng = np.random.default_rng(2)
    said = rng.choice(["a", "b", "c"], (200, 2), p=[0.7, 0.2, 0.1])
    assert in_common(sets([[*row.tolist()] for row in said] + [["a;b", "a"]])).startswith("Labels in common")
    found = assent.consensus(said.tolist(), "intersection")
    assert any('"a" makes up' in note for note in found.notes)


def test_entropy_and_counts_of_items_are_there() -> None:
    made = assent.report([["a", "a", "a"], ["b", "b", "b"], ["a", "b", "c"], ["a", "a", "b"]]).to_dict()
    share = np.array([6, 5, 1]) / 12
    assert made["data"]["label_entropy"]["bits"] == pytest.approx(float(-(share * np.log2(share)).sum()))
    assert made["data"]["label_entropy"]["largest"] == pytest.approx(math.log2(3))
    assert (made["items"]["strong"], made["items"]["weak"]) == (2, 2)


def test_the_matrix_of_labels_and_published_figures_are_there_to_paste() -> None:
    made = assent.report(two(40, 6, 4, 50)).to_dict()["how_to_report"]
    assert "| yes | 40 | 6 |" in made["markdown_matrix"].replace("**", "")
    assert r"\begin{tabular}" in made["latex_matrix"]
    assert all(one["source"] and "http" in one["source"] for one in made["published"])


def test_the_same_schemes_of_spa_are_one_row() -> None:
    rows = [["a", "a", None], ["b", None, "b"], [None, "a", "b"], ["a", "a", None], ["b", "b", None], [None, "b", "b"]]
    made = assent.report(Annotations.from_array(rows * 5))
    section = made.sections["sparse"]
    assert section is not None
    assert len(section.shown) == 1  # type: ignore[attr-defined]


def test_not_sure_yet_is_a_result() -> None:
    rng = np.random.default_rng(11)
    truth = rng.integers(0, 2, 40)
    said = np.where(rng.random((40, 5)) < 0.93, truth[:, None], 1 - truth[:, None])
    said[:, 0] = np.where(rng.random(40) < 0.70, truth, 1 - truth)
    report = assent.annotators(np.array(["no", "yes"])[said].tolist())
    assert report.n_flagged == 0
    assert bool(report.unsure[0])
    assert "Not sure yet" in report.text()
    assert next(row for row in report.rows() if row["annotator"] == "1")["unsure"]


def test_a_team_that_answers_at_random_a_third_of_the_time_is_not_judged() -> None:
    """Random answers of everybody, hard items, a subjective task: the pattern is described, and no cause is chosen."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 4, (200, 1))
    said = np.where(rng.random((200, 5)) < 0.65, truth, rng.integers(0, 4, (200, 5)))
    [advice] = assent.advise(np.array(list("abcd"))[said].tolist())
    assert advice.title == "Disagreement is spread evenly"
    assert "little care by everybody" in advice.compatible
    assert "label twice" in advice.decides


@pytest.mark.parametrize("scheme", ["flat", "annotations", "annotations-m1", "edges"])
def test_spa_counts_near_labels_in_part(scheme: str) -> None:
    """Item by item and pair by pair, by hand."""
    table = [["1", "2", None], ["1", "1", "3"], ["5", "4", "5"], [None, "2", "2"]]
    data = Annotations.from_array(table).ordered(["1", "2", "3", "4", "5"])
    total, weights = 0.0, 0.0
    for row in table:
        said = [int(one) for one in row if one is not None]
        pairs = [(a, b) for i, a in enumerate(said) for b in said[i + 1 :]]
        agreed = np.mean([1 - (abs(a - b) * (abs(a - b) + 1) / 2) / 10 for a, b in pairs])
        n = len(said)
        weight = {"flat": 1, "annotations": n, "annotations-m1": n - 1, "edges": n * (n - 1) / 2}[scheme]
        total, weights = total + weight * float(agreed), weights + weight
    assert assent.spa(data, scheme=scheme, scale="ordinal").value == pytest.approx(total / weights)


def test_published_figures_are_of_coefficients_that_were_measured() -> None:
    def shown(name: str) -> str:
        return assent.report(EXAMPLES[name].data(), seed=0).markdown()

    assert "Agreement that others published" not in shown("rankings")
    told = shown("multi-label")
    assert "Boot-match" in told.split("Agreement that others published")[1].split("## ")[0]
    assert "psychiatric" not in told


def test_two_tables_of_a_paper_have_labels_of_their_own() -> None:
    how = assent.report(EXAMPLES["lecture"].data(), seed=0).to_dict()["how_to_report"]
    labels = [re.findall(r"\\label\{(.*?)\}", how[name]) for name in ("latex_table", "latex_matrix")]
    assert labels == [["tab:agreement"], ["tab:labels"]]


def test_a_note_on_groups_is_about_what_is_shown() -> None:
    made = assent.report(EXAMPLES["story"].data(), by="kind", seed=0)
    said = made.sections["groups"].notes[-1]
    assert "clear, and bold, where" in said
    assert "less than 5 % of all dealings" in said


def test_the_histogram_of_a_scale_says_that_near_labels_agree_in_part() -> None:
    for name, scale, near in (("ordinal-bias", "ordinal", True), ("story", "nominal", False)):
        made = assent.report(EXAMPLES[name].data(), scale=scale, seed=0).sections["items"].document()
        figure = made.figures()["items"]
        assert ("near labels agreeing in part" in figure.caption) is near
        assert ("near labels agree in part" in str(figure.draw(800).to_dict())) is near
