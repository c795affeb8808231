from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import polars as pl
import pytest

# Spark's workers must run the Python that runs the tests.
os.environ.setdefault("PYARROW_IGNORE_TIMEZONE", "1")

ENGINES = ("polars", "polars-lazy", "pandas", "pyarrow", "duckdb", "pyspark", "ibis")


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ENGINES])
def native(request: pytest.FixtureRequest) -> Callable[[pl.DataFrame], Any]:
    """A function that puts a polars table into the engine under test."""
    name = request.param
    if name == "polars":
        return lambda frame: frame
    if name == "polars-lazy":
        return lambda frame: frame.lazy()
    if name == "pandas":
        return lambda frame: frame.to_pandas()
    if name == "pyarrow":
        return lambda frame: frame.to_arrow()
    if name == "duckdb":
        import duckdb

        connection = duckdb.connect()
        request.addfinalizer(connection.close)
        return lambda frame: connection.from_arrow(frame.to_arrow())
    if name == "ibis":
        import ibis

        return lambda frame: ibis.memtable(frame.to_arrow())
    session = request.getfixturevalue("spark")
    types = {pl.String: "string", pl.Int64: "bigint", pl.Float64: "double", pl.Boolean: "boolean"}

    def to_spark(frame: pl.DataFrame) -> Any:
        schema = ", ".join(f"{column} {types[type(dtype)]}" for column, dtype in frame.schema.items())
        return session.createDataFrame([tuple(row) for row in frame.rows()], schema=schema)

    return to_spark
