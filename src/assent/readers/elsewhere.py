"""Parquet files that another engine reads: only a sample comes here, to see which column is what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import polars as pl

from assent.errors import MissingDependency, OptionError, UnreadableFile, shown
from assent.readers.formats import format_of
from assent.readers.sources import Source
from assent.readers.tables import Table

__all__ = ["ENGINES", "Engine", "opened_elsewhere"]

Engine: TypeAlias = Literal["polars", "duckdb", "spark"]
ENGINES: tuple[Engine, ...] = ("polars", "duckdb", "spark")


def opened_elsewhere(
    sources: Sequence[Source], engine: str, *, said: str | None, master: str | None, sample_rows: int
) -> tuple[Table, Any]:
    """Return a table of the first rows, and all of them as a relation of the engine.

    Parameters
    ----------
    sources
        Parquet files with the same columns.
    engine
        duckdb or spark.
    said
        The format that was said.
    master
        Address of a Spark cluster; the running session, or one on this machine, if None.
    sample_rows
        How many rows to look at.
    """
    for source in sources:
        if source.path is None or format_of(source, said) != "parquet":
            raise OptionError(
                f"The engine {engine} reads Parquet files, and {source.title} is none: leave --engine out."
            )
    paths = [str(source.path) for source in sources]
    native = _duckdb(paths, sources) if engine == "duckdb" else _spark(paths, master)
    sample = native.limit(sample_rows).pl() if engine == "duckdb" else _from_spark(native, sample_rows)
    name = sources[0].title if len(sources) == 1 else f"{sources[0].title} and {len(sources) - 1} more"
    nested = frozenset(column for column, kind in sample.schema.items() if kind.is_nested())
    return Table(name, sample, nested=nested), native


def _duckdb(paths: list[str], sources: Sequence[Source]) -> Any:
    try:
        import duckdb
    except ImportError:
        raise MissingDependency(
            "The engine duckdb needs the package duckdb; install it with pip install 'assent[duckdb]'."
        ) from None
    # A directory such as annotator=ann holds a column that its files do not have.
    partitioned = any("=" in part for source in sources if source.path for part in source.path.parts[:-1])
    try:
        return duckdb.connect().read_parquet(paths, hive_partitioning=partitioned)
    except duckdb.Error as error:
        raise UnreadableFile(
            f"DuckDB cannot read {sources[0].title} ({shown(str(error).splitlines()[0], 120)})."
        ) from None


def _spark(paths: list[str], master: str | None) -> Any:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingDependency(
            "The engine spark needs the package pyspark; install it with pip install 'assent[spark]'."
        ) from None
    session = SparkSession.getActiveSession()
    if session is None or master is not None:
        builder: Any = SparkSession.builder
        builder = builder.appName("assent").config("spark.ui.showConsoleProgress", "false")
        session = builder.master(master or "local[*]").config("spark.ui.enabled", "false").getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
    return session.read.parquet(*paths)


def _from_spark(native: Any, rows: int) -> pl.DataFrame:
    table = pl.from_arrow(native.limit(rows).toArrow())
    assert isinstance(table, pl.DataFrame)
    return table
