"""When the number misleads: findings about the data, each with its evidence, and the tests behind them."""

from __future__ import annotations

from assent.diagnostics.findings import Finding, findings
from assent.diagnostics.gaps import Missingness, missingness
from assent.diagnostics.symmetry import (
    SymmetryTest,
    bias_index,
    bowker,
    confusion,
    largest_kappa,
    prevalence_index,
    stuart_maxwell,
)

__all__ = [
    "Finding",
    "Missingness",
    "SymmetryTest",
    "bias_index",
    "bowker",
    "confusion",
    "findings",
    "largest_kappa",
    "missingness",
    "prevalence_index",
    "stuart_maxwell",
]
