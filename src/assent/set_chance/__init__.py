"""Label sets drawn by chance, and how much they agree.

Two annotators give every item a set of labels. By chance each would draw it: first how many labels, from the set sizes
it used, then that many *different* labels, one after the other, from the labels it used (Marchal et al. 2022). The
paper simulates this. It need not be simulated: `exponential_times` finds the exact probabilities of such draws, and `agreement` what
follows for pairs of sets.
"""

from __future__ import annotations

from assent.set_chance.agreement import (
    Overlap,
    SetAgreement,
    expected_match,
    expected_overlap,
    expected_score,
    overlap,
    simulate,
    whole_sets,
)
from assent.set_chance.exponential_times import disjoint, inclusion

__all__ = [
    "Overlap",
    "SetAgreement",
    "disjoint",
    "expected_match",
    "expected_overlap",
    "expected_score",
    "inclusion",
    "overlap",
    "simulate",
    "whole_sets",
]
