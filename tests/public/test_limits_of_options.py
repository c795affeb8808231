"""What options of measures accept and refuse, on both sides of each limit."""

from __future__ import annotations

import sys
from typing import Any, get_args

import pytest

import assent  # noqa: F401 - imports the modules of the measures
from assent.errors import OptionError
from assent.registry import Takes

#: By module: the name of the type, what is accepted and what is refused.
LIMITS: list[tuple[str, str, list[Any], list[Any]]] = [
    ("gamma", "PositionWeight", [1e-6, 0.5, "2", 1e9], [0, 9e-7, -1, "inf", "x"]),
    ("gamma", "LabelWeight", [0, 0.5, "2"], [-1e-9, "nan"]),
    ("gamma", "Samples", [2, "3", 1000], [1, 0, 2.5]),
    ("gamma", "Seed", [0, "1", 2**31], [-1, 0.5]),
    ("segmentation", "Near", [1, "2"], [0, 1.5]),
    ("segmentation", "Window", [1, "2"], [0, 1.5]),
    ("preferences", "TieCredit", [0, 0.5, 1, "1"], [-1e-9, 1.1, 2]),
    ("multilabel", "Simulations", [2, "3"], [1, 0, 2.5, "x"]),
    ("multilabel", "Seed", [0, "1"], [-1, 0.5, "x"]),
    ("multilabel", "Primary", [0.5, "0.75", 1], [0.4, 1.1, "x"]),
]


@pytest.mark.parametrize(("module", "name", "accepted", "refused"), LIMITS)
def test_a_limit_is_accepted_and_what_lies_beyond_is_refused(
    module: str, name: str, accepted: list[Any], refused: list[Any]
) -> None:
    takes = next(
        one for one in get_args(getattr(sys.modules[f"assent.measures.{module}"], name)) if isinstance(one, Takes)
    )
    assert takes.check is not None
    for value in accepted:
        made = takes.check(value)
        assert made == float(value)
        assert isinstance(made, int) == (name in ("Samples", "Seed", "Near", "Window", "Simulations"))
    for value in refused:
        with pytest.raises(OptionError, match="must"):
            takes.check(value)
