"""Coefficients of numeric ratings: intraclass correlations and Kendall's W, complete tables only."""

from collections.abc import Sequence
from fractions import Fraction


def icc(rows: Sequence[Sequence[int | Fraction]], form: str) -> Fraction:
    """Shrout & Fleiss (1979): form is one of 1,1  2,1  3,1  1,k  2,k  3,k."""
    n, k = len(rows), len(rows[0])
    grand = Fraction(sum(sum(row) for row in rows), n * k)
    row_means = [Fraction(sum(row), k) for row in rows]
    column_means = [Fraction(sum(row[j] for row in rows), n) for j in range(k)]
    between_rows = k * sum((m - grand) ** 2 for m in row_means)
    between_columns = n * sum((m - grand) ** 2 for m in column_means)
    total = sum((x - grand) ** 2 for row in rows for x in row)
    bms, jms = between_rows / (n - 1), between_columns / (k - 1)
    wms = (total - between_rows) / (n * (k - 1))
    ems = (total - between_rows - between_columns) / ((n - 1) * (k - 1))
    true, whole = {
        "1,1": (bms - wms, bms + (k - 1) * wms),
        "2,1": (bms - ems, bms + (k - 1) * ems + k * (jms - ems) / n),
        "3,1": (bms - ems, bms + (k - 1) * ems),
        "1,k": (bms - wms, bms),
        "2,k": (bms - ems, bms + (jms - ems) / n),
        "3,k": (bms - ems, bms),
    }[form]
    return Fraction(true / whole)
