"""Numbers and names as they are written everywhere."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.samples import HOSTILE

from assent import text

FLOATS = st.floats(allow_nan=True, allow_infinity=True)


@pytest.mark.parametrize(
    ("share", "written"),
    [
        (0.0, "0 %"),
        (1e-9, "1e-07 %"),
        (0.0099, "0.99 %"),
        (0.01, "1 %"),
        (0.99, "99 %"),
        (0.994, "99.4 %"),
        (0.99999, "99.9 %"),
        (1.0, "100 %"),
        (-0.25, "−25 %"),
        (1.5, "150 %"),
        (math.nan, "–"),
    ],
)
def test_a_share(share: float, written: str) -> None:
    assert text.percent(share) == written


@given(st.floats(min_value=0, max_value=1))
def test_only_nothing_is_0_and_only_everything_100_percent(share: float) -> None:
    said = text.percent(share)
    assert (said == "100 %") == (share == 1)
    assert (said == "0 %") == (share == 0)


@given(st.integers(991, 999))
def test_thousandths_near_one_are_written_as_they_are(thousandths: int) -> None:
    assert text.percent(thousandths / 1000) == f"{thousandths / 10:g} %"


@given(FLOATS, st.integers(0, 4), st.booleans())
def test_a_number_is_short_and_has_no_hyphen(known: float, digits: int, signed: bool) -> None:
    said = text.number(known, digits, signed=signed)
    assert len(said) <= 25
    assert not said.startswith("-")
    assert (said == text.DASH) == math.isnan(known)
    assert not re.fullmatch(r"−0(\.0*)?", said)


@given(FLOATS)
def test_a_count_is_short(many: float) -> None:
    assert len(text.amount(many)) <= 25


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_ends_that_differ_are_told_apart(one: float, two: float) -> None:
    low, high = sorted((one, two))
    first, _, second = text.interval(low, high).partition(" to ")
    if high - low > 2e-4:
        assert first != second
    assert len(first.removeprefix("−")) == len(second.removeprefix("−"))


@pytest.mark.parametrize(("p", "said"), [(0.05, "p = 0.05"), (1e-4, "p = 0.0001"), (0, "p < 0.0001"), (math.nan, "–")])
def test_a_p_value(p: float, said: str) -> None:
    assert text.probability(p) == said


@pytest.mark.parametrize("known", HOSTILE)
def test_a_name_by_itself_can_be_seen(known: str) -> None:
    said = text.display_name(known)
    assert said.replace("\u200c", "").replace("\u200d", "").isprintable()
    assert said.strip() == said
    assert said
    assert "  " not in said
    assert text.display_name(said, 1000) == said
    said.encode("utf-8")


def test_names_that_differ_look_different() -> None:
    known = [
        "",
        " ",
        "  ",
        "x",
        " x",
        "x ",
        "a b",
        "a  b",
        "a\tb",
        "a\u00a0b",
        "a\u200db",
        "ab",
        "\u2068ab\u2069",
        "\u200d",
    ]
    assert len({text.display_name(one) for one in known}) == len(known)
    assert len({text.display_name("prefix " * 20 + end) for end in ("one", "two")}) == 2


@pytest.mark.parametrize("known", HOSTILE)
def test_a_sentence_with_a_name_can_be_seen(known: str) -> None:
    said = text.visible(f"The label {text.quoted(known)} is rare.", sentence=True)
    assert re.sub("[\u200c\u200d\u2068\u2069]", "", said).isprintable()
    assert said.count("\u2068") == said.count("\u2069") <= 1
    assert text.for_terminal(said, 10_000).isprintable()


def test_a_name_in_another_direction_keeps_to_itself() -> None:
    said = f"The label {text.quoted('שלום')} is rare."
    assert "\u2068" in text.visible(said, sentence=True)
    assert text.for_terminal(said, 100) == 'The label "שלום" is rare.'
    # Those of a name itself are shown.
    assert text.for_terminal("\u2068a\u2069") == r"\u2068a\u2069"


@pytest.mark.parametrize("known", HOSTILE)
def test_a_terminal_sees_one_short_line(known: str) -> None:
    said = text.for_terminal(known)
    assert said.isprintable()
    assert len(text.shortened(known)) == min(48, len(known))


@pytest.mark.parametrize("limit", [2, 3, 4, 5, 10, 47])
def test_a_text_is_cut_to_the_limit(limit: int) -> None:
    assert len(text.shortened("y" * 48, limit)) == limit
    assert text.shortened("y" * limit, limit) == "y" * limit


@pytest.mark.parametrize(
    ("plain", "latex"),
    [
        ("well-known label's, so?", "well-known label's, so?"),
        ("a--b – c—", r"a-\/-b \textendash{} c\textemdash{}"),
        ("–- -–", r"\textendash{}- -\/\textendash{}"),
        ("?` !` ,,", r"?\/` !\/` ,\/,"),
        ("κ ≥ −1", r"\ensuremath{\kappa} \ensuremath{\geq} \ensuremath{-}1"),
    ],
)
def test_for_latex(plain: str, latex: str) -> None:
    assert text.for_latex(plain) == latex


def test_addresses_are_no_links_in_markdown() -> None:
    assert text.for_markdown("see https://x.org and WWW.x.org: a:b") == r"see https\://x.org and WWW\.x.org: a:b"
