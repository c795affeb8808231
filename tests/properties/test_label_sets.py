"""Sets of labels: what every measure of them must be, for random tables and against slow references."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.properties.tables import STABLE, near, numbers, tables
from tests.reference import label_sets as reference
from tests.support import every, examples

import assent
from assent import Annotations, Measure, OptionError
from assent.errors import UnsuitableData

MEASURES = {
    "augmented-kappa": assent.augmented_kappa,
    "soft-match": assent.soft_match,
    "boot-match": assent.boot_match,
    "boot-f1": assent.boot_f1,
    "boot-precision": assent.boot_precision,
    "boot-recall": assent.boot_recall,
}
BOOT = {"boot-match": "match", "boot-f1": "f1", "boot-precision": "precision", "boot-recall": "recall"}
every_one = pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
every_boot = pytest.mark.parametrize("name", BOOT)

LETTERS = "abcd"
MORE = settings(STABLE, max_examples=examples(15))

Set = tuple[str, ...]
Table = tuple[tuple[Set | None, ...], ...]


@lru_cache(maxsize=4096)
def made(rows: Table, *, ranked: bool = True) -> Annotations:
    """Annotations of a table: one row an item, one cell an annotator."""
    cells = [
        {"item": i, "annotator": f"r{a}", "label": ";".join(cell) or "[]"}
        for i, row in enumerate(rows)
        for a, cell in enumerate(row)
        if cell is not None
    ]
    return Annotations.from_frame(pl.DataFrame(cells), separator=";", ranked=ranked)


@st.composite
def set_tables(draw: st.DrawFn, *, annotators: int | None = None, gaps: bool = True, least: int = 0) -> Table:
    """Tables of two to four annotators, of sets of up to three labels, with empty sets and gaps unless told otherwise.

    At least one label is in use; a table of empty sets alone has a test of its own.
    """
    width = annotators or draw(st.integers(2, 4))
    cell = st.lists(st.sampled_from(LETTERS), min_size=least, max_size=3, unique=True).map(tuple)
    cells = st.one_of(cell, cell, cell, st.none()) if gaps else cell
    first = draw(st.tuples(cell.filter(bool), *[cell] * (width - 1)))
    rest = draw(st.lists(st.tuples(*[cells] * width), max_size=6))
    return (first, *rest)


# One label each: Cohen's kappa


@every_one
@MORE
@given(rows=tables())
def test_of_one_label_each_is_cohens_kappa(measure: Measure, rows: Any) -> None:
    data = Annotations.from_array(rows)
    assert numbers(measure(data)) == near(numbers(assent.cohen_kappa(data)))


@every_one
@MORE
@given(rows=tables(labels=("a", "b", "c", "[]")))
def test_the_empty_set_is_a_category_of_its_own(measure: Measure, rows: Any) -> None:
    assume(any(cell not in (None, "[]") for row in rows for cell in row))
    sets = tuple(tuple(None if cell is None else () if cell == "[]" else (cell,) for cell in row) for row in rows)
    assert numbers(measure(made(sets))) == near(numbers(assent.cohen_kappa(Annotations.from_array(rows))))


@every_one
def test_empty_sets_alone_are_one_label_and_undefined(measure: Measure) -> None:
    agreement = measure(made((((), ()), ((), ()), ((), None))))
    assert (agreement.observed, agreement.expected) == (1, 1)
    assert math.isnan(agreement.value)
    assert any(note.startswith("Undefined: every annotation is") for note in agreement.notes)


@MORE
@given(rows=set_tables(least=1))
def test_with_everything_on_the_primary_label_it_is_cohens_kappa_of_primary_labels(rows: Table) -> None:
    primary = [[None if cell is None else cell[0] for cell in row] for row in rows]
    found = assent.augmented_kappa(made(rows), primary=1)
    assert numbers(found) == near(numbers(assent.cohen_kappa(Annotations.from_array(primary))))


@MORE
@given(rows=set_tables())
def test_without_a_primary_label_ranks_do_not_matter(rows: Table) -> None:
    for measure in MEASURES.values():
        assert numbers(measure(made(rows))) == near(numbers(measure(made(rows, ranked=False))))


@MORE
@given(rows=set_tables())
def test_half_for_the_primary_of_two_labels_is_the_same_share_for_both(rows: Table) -> None:
    pairs = tuple(tuple(None if cell is None else cell[:2] for cell in row) for row in rows)
    data = made(pairs)
    assert numbers(assent.augmented_kappa(data, primary=0.5)) == near(numbers(assent.augmented_kappa(data)))


# Who says everything


@MORE
@given(rows=set_tables(annotators=2, gaps=False, least=1))
def test_agreement_with_somebody_who_gives_every_label_is_undefined_never_complete(rows: Table) -> None:
    labels = tuple(sorted({label for row in rows for cell in row for label in cell}))
    data = made(tuple((labels, row[1]) for row in rows))
    agreement = assent.boot_match(data)
    assert (agreement.observed, agreement.expected) == near((1, 1))
    assert math.isnan(agreement.value)
    assert any("expected by chance" in note or "agree on everything" in note for note in agreement.notes)
    # What makes soft match too kind.
    assert math.isnan(soft := assent.soft_match(data).value) or soft == near(1)


# Invariance


@every_one
@settings(STABLE, max_examples=examples(15))
@given(rows=set_tables(), seed=st.integers(0, 99))
def test_neither_names_nor_order_nor_copies_change_anything(measure: Measure, rows: Table, seed: int) -> None:
    options = {"primary": 0.7} if measure.name == "augmented-kappa" else {}
    here = numbers(measure(made(rows), **options))
    renamed = dict(zip(LETTERS, ("z", "ä b", "C", "a.1"), strict=True))
    other = tuple(
        tuple(None if cell is None else tuple(renamed[label] for label in cell) for cell in row) for row in rows
    )
    assert numbers(measure(made(other), **options)) == near(here)
    shuffled = random.Random(seed).sample(rows, len(rows))
    assert numbers(measure(made(tuple(shuffled)), **options)) == near(here)
    assert numbers(measure(made((*rows, *rows, *rows)), **options)) == near(here)


@pytest.mark.parametrize("name", ["augmented-kappa", "soft-match", "boot-match", "boot-f1"])
@MORE
@given(rows=set_tables())
def test_the_order_of_annotators_does_not_matter(name: str, rows: Table) -> None:
    turned = tuple(row[::-1] for row in rows)
    assert numbers(MEASURES[name](made(turned))) == near(numbers(MEASURES[name](made(rows))))


@MORE
@given(rows=set_tables())
def test_precision_is_recall_the_other_way_round(rows: Table) -> None:
    turned = made(tuple(row[::-1] for row in rows))
    for reference_, other in (("first", "second"), ("second", "first")):
        precision = numbers(assent.boot_precision(made(rows), reference=reference_))
        assert numbers(assent.boot_recall(made(rows), reference=other)) == near(precision)
        assert numbers(assent.boot_precision(turned, reference=other)) == near(precision)


# Slow references


def value(number: Any) -> float:
    return math.nan if number is None else float(number)


def pair_of(name: str, **options: Any) -> Callable[[reference.Both], Any]:
    if name == "augmented-kappa":
        primary = options.get("primary")
        return lambda both: reference.augmented(both, None if primary is None else Fraction(primary))
    if name == "soft-match":
        return reference.soft_match
    place = 0 if options.get("reference", "first") == "first" else 1
    chance = options.get("expected", "exact")
    return lambda both: reference.boot(both, BOOT[name], reference=place, chance=chance)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("augmented-kappa", {}),
        ("augmented-kappa", {"primary": 0.625}),
        ("soft-match", {}),
        *((name, options) for name in BOOT for options in ({}, {"expected": "permute"})),
        ("boot-precision", {"reference": "second"}),
        ("boot-recall", {"reference": "second"}),
    ],
    ids=str,
)
@MORE
@given(rows=set_tables(), average=st.sampled_from(["overlap", "plain"]))
def test_it_is_what_the_papers_formulas_give(name: str, options: dict[str, Any], rows: Table, average: str) -> None:
    agreement = MEASURES[name](made(rows), average=average, **options)
    slow = reference.over_pairs(rows, pair_of(name, **options), average)
    # Expected agreement so near to 1 that nothing is left beyond it is rounding in one and a fraction in the other.
    assert agreement.value == near(value(slow), 1e-9)
    if len(rows[0]) == 2:
        both = [(row[0], row[1]) for row in rows if row[0] is not None and row[1] is not None]
        parts = pair_of(name, **options)(both)
        assert (agreement.observed, agreement.expected) == near((float(parts.observed), float(parts.expected)))


def test_a_larger_table_of_four_annotators() -> None:
    draw = random.Random(11)
    cells = [(), *((a,) for a in LETTERS), *((a, b) for a in LETTERS for b in LETTERS if a != b)]
    rows = tuple(
        tuple(draw.choice(cells) if draw.random() < 0.8 else None for _ in range(4)) if i else ((),) * 4
        for i in range(60)
    )
    for name, measure in MEASURES.items():
        slow = reference.over_pairs(rows, pair_of(name))
        assert measure(made(rows)).value == near(value(slow))


# Simulated and exact chance


def drawn(rng: np.random.Generator) -> Table:
    """A random data set of two annotators with sets of up to three of three to six labels."""
    labels = "abcdef"[: int(rng.integers(3, 7))]
    shares = rng.dirichlet(np.ones(len(labels)), 2)
    sizes = rng.dirichlet(np.ones(4), 2)
    cells: list[list[Set]] = [
        [
            tuple(rng.choice(list(labels), int(rng.choice(4, p=sizes[who])), replace=False, p=shares[who]))
            for who in (0, 1)
        ]
        for _ in range(20)
    ]
    return tuple(tuple(tuple(map(str, cell)) for cell in row) for row in cells)


@pytest.mark.nightly
@pytest.mark.parametrize("name", every(2, BOOT))
def test_simulated_and_exact_chance_agree(name: str) -> None:
    """Scores lie between 0 and 1, so a mean of e has a variance of at most e (1 - e); that of a match is just that."""
    rng, simulations, distances = np.random.default_rng(2022), 50, []
    for seed in range(200):
        data = made(drawn(rng))
        exact = MEASURES[name](data).expected
        simulated = MEASURES[name](data, expected="simulate", simulations=simulations, seed=seed)
        spread = math.sqrt(exact * (1 - exact) / (simulations * simulated.n_items))
        if spread < 1e-6:
            assert simulated.expected == near(exact)
            continue
        distances.append((simulated.expected - exact) / spread)
    assert len(distances) > 150
    assert max(map(abs, distances)) < 4
    assert abs(np.mean(distances)) < 4 / math.sqrt(len(distances))
    if name == "boot-match":
        assert 0.8 < np.std(distances) < 1.2


def test_a_simulation_is_the_same_for_the_same_seed_and_says_that_it_is_one() -> None:
    data = made(drawn(np.random.default_rng(1)))
    first, again, other = (assent.boot_f1(data, expected="simulate", simulations=20, seed=seed) for seed in (5, 5, 6))
    assert first.expected == again.expected != other.expected
    assert any("simulated" in note for note in first.notes)


# What cannot be


@pytest.mark.parametrize("primary", [0.49, 1.01, 0, -1, math.nan, math.inf, "much", None])
def test_the_weight_of_the_primary_label_lies_between_a_half_and_one(primary: Any) -> None:
    data = made(((("a", "b"), ("b", "a")), (("b",), ("a",))))
    if primary is None:
        assert assent.augmented_kappa(data, primary=None).value == assent.augmented_kappa(data).value
        return
    with pytest.raises(OptionError, match=r"must lie between 0\.5 and 1"):
        assent.augmented_kappa(data, primary=primary)


def test_a_primary_label_that_nobody_named_has_no_weight() -> None:
    data = made(((("a", "b"), ("b", "a")), (("b",), ("a",))), ranked=False)
    with pytest.raises(UnsuitableData, match=r"`rank`.*`ranked`"):
        assent.augmented_kappa(data, primary=0.6)


@pytest.mark.parametrize(
    "options", [{"expected": "guess"}, {"simulations": 1}, {"simulations": "x"}, {"seed": -1}, {"reference": "third"}]
)
def test_options_that_cannot_be(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        assent.boot_precision(made(((("a",), ("b",)), (("b",), ("b",)))), **options)


def test_order_in_a_cell_means_nothing_unless_it_is_said() -> None:
    rows: Sequence[Any] = ((("a", "b"), ("b", "a")), (("c",), ("c",)))
    assert made(tuple(rows), ranked=False).labels == ("a;b", "c")
    assert made(tuple(rows), ranked=True).labels == ("a;b", "b;a", "c")
