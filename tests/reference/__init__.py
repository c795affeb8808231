"""Slow references, written from the published definitions in exact rational arithmetic.

Nothing here imports assent, numpy or any other package: these functions are what assent is tested against.
A table is a list of rows (items), each a list of labels, one per annotator (column); None is a missing label.
`times` says how many times each row counts (default: once); rows counted 0 times still lend their labels to
the vocabulary. With rational `times` every result is an exact Fraction, except under the radical and circular
weights.
"""

from .coefficients import (
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    krippendorff_alpha,
    light_kappa,
    percent_agreement,
    scott_pi,
    van_oest,
)
from .numeric import icc
from .spa import SCHEMES, spa
from .tables import Components, Label, Number, Rows, binarised, from_contingency, from_counts, vocabulary

__all__ = [
    "SCHEMES",
    "Components",
    "Label",
    "Number",
    "Rows",
    "binarised",
    "brennan_prediger",
    "cohen_kappa",
    "conger_kappa",
    "fleiss_kappa",
    "from_contingency",
    "from_counts",
    "gwet_ac",
    "icc",
    "krippendorff_alpha",
    "light_kappa",
    "percent_agreement",
    "scott_pi",
    "spa",
    "van_oest",
    "vocabulary",
]
