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
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.default.parallelism", "1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep all tests of Spark on one worker: each worker would start a Java machine of its own."""
    if "pyspark" in item.name or "spark" in getattr(item, "fixturenames", ()):
        item.add_marker(pytest.mark.xdist_group("spark"))


@pytest.fixture(params=ENGINES)
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
        return lambda frame: connection.from_arrow(frame.to_arrow())
    if name == "ibis":
        import ibis

        return lambda frame: ibis.memtable(frame.to_arrow())
    session = request.getfixturevalue("spark")
    return lambda frame: session.createDataFrame(frame.to_arrow().cast(_plain_text(frame.to_arrow().schema)))


@pytest.fixture(params=["duckdb", pytest.param("spark", id="pyspark")])
def engine(request: pytest.FixtureRequest) -> str:
    """The name of an engine that the program knows; Spark is running already."""
    if request.param == "spark":
        request.getfixturevalue("spark")
    name: str = request.param
    return name


def _plain_text(schema: Any) -> Any:
    """Spark does not know Arrow's large strings."""
    import pyarrow as pa

    return pa.schema(
        [pa.field(one.name, pa.string() if pa.types.is_large_string(one.type) else one.type) for one in schema]
    )
