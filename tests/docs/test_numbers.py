"""Numbers that stand in the text of the pages, beside no example, are what assent gives."""

from __future__ import annotations

from pathlib import Path

import pytest

import assent
from assent.examples import example

DOCS = Path(__file__).parents[2] / "docs"


def text(page: str) -> str:
    return " ".join((DOCS / f"{page}.md").read_text(encoding="utf-8").split())


def test_two_things_are_called_ordinal() -> None:
    data = example("krippendorff").data()
    values = [assent.krippendorff_alpha(data, **one).value for one in ({"scale": "ordinal"}, {"weights": "ordinal"})]
    assert [f"{one:.3f}" for one in values] == ["0.815", "0.834"]
    assert "alpha is 0.815 with the first; packages that use the second report 0.834" in text("scales")


@pytest.mark.parametrize(("neither", "printed"), [(0, "-.24"), (1_000_000, ".727")])
def test_positions_that_nobody_marked(neither: int, printed: str) -> None:
    table = assent.Annotations.from_contingency([[40, 10], [20, neither]], labels=["marked", "not"])
    kappa = assent.cohen_kappa(table).value
    assert kappa == pytest.approx(float(printed), abs=0.005)
    assert all(printed in text(page) for page in ("spans", "spans-measures"))


@pytest.mark.parametrize(("end", "printed"), [(5, ".163"), (10, ".252")])
def test_a_worse_hit_scores_higher(end: int, printed: str) -> None:
    units = [("d", "one", start, start + 5, "x") for start in (0, 20, 40, 60, 80)]
    data = assent.Spans.from_rows([*units, ("d", "other", 0, end, "x")], lengths={"d": 100})
    assert assent.alpha_u_1995(data).value == pytest.approx(float(printed), abs=5e-4)
    assert f"{printed} for" in text("spans-measures")


@pytest.mark.parametrize(
    ("match", "printed"),
    [
        ("exact", "exact 0,"),
        ("overlap", "overlap .40"),
        ("soft", "soft .10"),
        ("covered", "covered 1,"),
        ("character", "character 1."),
    ],
)
def test_one_span_against_four_pieces(match: str, printed: str) -> None:
    rows = [("d", "one", 0, 20, "x"), *(("d", "other", start, start + 5, "x") for start in (0, 5, 10, 15))]
    assert assent.span_f1(assent.Spans.from_rows(rows), match=match).value == pytest.approx(
        float(printed.split()[1].rstrip(","))
    )
    assert printed in text("spans")


def test_how_people_score_against_the_others() -> None:
    right = 0.8
    four = right**4 + 4 * right**3 * 0.2 + 6 * right**2 * 0.2**2 / 2
    five = right**5 + 5 * right**4 * 0.2 + 10 * right**3 * 0.2**2
    assert f"one scores {right * four + 0.2 * (1 - four):.2f} against the other four" in text("labels")
    assert f"scores {five:.2f} against all five" in text("labels")


def test_what_little_noise_on_every_item_does() -> None:
    flip = (1 - 0.8**0.5) / 2
    assert 2 * flip * (1 - flip) == pytest.approx(0.1)
    three = 3 * flip**2 * (1 - flip) + flip**3
    assert f"majority of three changes on {200 * three * (1 - three):.1f} %" in text("repeats")


def test_kappas_of_two_data_sets_are_paired_by_item() -> None:
    first = [["a", "a"], ["b", "b"], ["a", "b"], ["b", "a"], ["a", "a"]] * 20
    second = [["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"], ["a", "a"]] * 20
    kappas = [assent.cohen_kappa(one) for one in (first, second)]
    paired, apart = (
        assent.difference(*kappas, paired=one).confidence_interval(method="analytic") for one in (True, False)
    )
    assert paired.high - paired.low < apart.high - apart.low
    assert "Items with the same name are [matched](compare.md)" in text("intervals")
