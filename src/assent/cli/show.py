"""Passing home of what commands print until each of them renders a document."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from assent.cli.output import print_json

if TYPE_CHECKING:
    from assent.data import Annotations

__all__ = ["describe", "number", "print_json"]


def describe(data: Annotations) -> str:
    """Say in one line what the data are."""
    return data.describe()


def number(value: float) -> str:
    """Show three digits, or that there are none."""
    return "undefined" if math.isnan(value) else f"{value:.3f}"
