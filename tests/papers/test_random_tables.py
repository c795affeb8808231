"""A thousand random tables: assent against the references, observed, expected and value."""

import random
from math import isnan
from typing import Any

import pytest
from tests import reference
from tests.papers.test_references import table
from tests.support import some

import assent

#: For each measure; a thousand in all.
TABLES = 50
MEASURES: list[tuple[str, dict[str, str]]] = [
    *[("percent-agreement", {"weights": weights}) for weights in ("identity", "ordinal")],
    *[
        ("fleiss-kappa", {"weights": weights})
        for weights in (
            "identity",
            "linear",
            "quadratic",
            "ordinal",
            "radical",
            "ratio",
            "circular",
            "bipolar",
        )
    ],
    *[
        (name, {"weights": weights})
        for name in ("gwet-ac", "brennan-prediger", "conger-kappa", "van-oest")
        for weights in ("identity", "quadratic", "ordinal")
    ],
    *[("krippendorff-alpha", {"scale": scale}) for scale in ("nominal", "ordinal", "interval", "ratio")],
    *[("spa", {"scheme": scheme}) for scheme in reference.SCHEMES],
    ("scott-pi", {}),
]


def random_table(seed: int, annotators: int | None = None) -> reference.Rows:
    """Tables of all shapes, with many or few missing labels, one label or many."""
    draw = random.Random(seed)
    items, some_annotators = draw.randint(2, 12), draw.randint(2, 5)
    return table(
        seed,
        items=items,
        annotators=annotators or some_annotators,
        labels=draw.choice([2, 2, 3, 4, 6]),
        missing=draw.choice([0, 0.2, 0.5]),
    )


@pytest.mark.parametrize(("name", "options"), MEASURES, ids=lambda x: x if isinstance(x, str) else "-".join(x.values()))
def test_assent(name: str, options: dict[str, Any]) -> None:
    first = TABLES * MEASURES.index((name, options))
    measure = assent.all_measures()[name]
    for seed in some(range(first, first + TABLES)):
        rows = random_table(seed, measure.n_annotators)
        expected = getattr(reference, name.replace("-", "_"))(rows, **options)
        got = measure(assent.Annotations.from_array(rows), **options)
        if expected.value is None:
            assert isnan(got.value), seed
            continue
        assert got.value == pytest.approx(float(expected), abs=1e-12), seed
        if options.get("scale", "nominal") == "nominal":
            assert got.observed == pytest.approx(float(expected.observed), abs=1e-12), seed
            assert got.expected == pytest.approx(float(expected.expected), abs=1e-12), seed
