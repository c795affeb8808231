"""The same annotations give the same report wherever they live."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from tests.report.model.studies import long_rows

import assent

FRAME = pl.DataFrame(long_rows(items=80), schema=["item", "annotator", "label", "group", "text"], orient="row")


def content(native: Any) -> dict[str, Any]:
    data = assent.Annotations.from_frame(native, columns=["group", "text"])
    made = assent.make_report(data, by="group", text="text", task="standard").to_dict()
    del made["made"], made["appendix"]["seconds"]
    # Rows of a database have no order: what depends on it, the pairs of groups and permutations, is left out.
    made["groups"]["differences"] = made["sparse"]["missingness"] = None
    return made


@pytest.mark.parametrize("engine", ["pandas", "pyarrow", "duckdb"])
def test_the_report_is_the_same(engine: str) -> None:
    native: Any = FRAME.to_pandas() if engine == "pandas" else FRAME.to_arrow()
    if engine == "duckdb":
        import duckdb

        native = duckdb.from_arrow(native)
    ours, theirs = content(native), content(FRAME)
    assert ours["verdict"] == theirs["verdict"]
    for part in ours:
        assert ours[part] == approximately(theirs[part]), part


def approximately(value: Any) -> Any:
    """Compare numbers to the twelfth digit: sums in another order differ in the last bit."""
    if isinstance(value, dict):
        return {key: approximately(one) for key, one in value.items()}
    if isinstance(value, list):
        return [approximately(one) for one in value]
    return pytest.approx(value, abs=1e-12) if isinstance(value, float) else value
