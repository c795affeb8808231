"""Parquet files that another engine reads: only a sample comes here, to see which column is what."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from assent.errors import MissingDependency, OptionError, UnreadableFile
from assent.readers.formats import format_of
from assent.readers.sources import Origin, open_sources
from assent.readers.tables import Table
from assent.text import shown

__all__ = ["opened_elsewhere"]

#: What the address of a Spark cluster looks like.
_MASTER = re.compile(r"(local(\[.*\]|-cluster\[.*\])?|yarn|(spark|k8s)://.+)", re.ASCII)


def opened_elsewhere(
    sources: Sequence[Origin], engine: str, *, said: str | None, master: str | None, sample_rows: int
) -> tuple[Table, Any]:
    """Return a table of the first rows, and all of them as a relation of the engine.

    Parameters
    ----------
    sources
        Parquet files with the same columns, or folders of them. Addresses such as ``s3://bucket/labels`` are the engine's own
        business.
    engine
        duckdb or spark.
    said
        The format that was said.
    master
        Address of a Spark cluster; the running session, or one on this machine, if None.
    sample_rows
        How many rows to look at.
    """
    paths = [path for origin in sources for path in _paths(origin, engine, said)]
    with warnings.catch_warnings():
        # pyspark says so as soon as it is imported, to whoever cannot change it.
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        native = _duckdb(paths) if engine == "duckdb" else _spark(paths, master)
        try:
            sample = native.limit(sample_rows).pl() if engine == "duckdb" else _from_spark(native, sample_rows)
        except Exception as error:
            raise _unreadable(engine, paths, error) from None
    name = shown(paths[0], 120) if len(paths) == 1 else f"{shown(paths[0], 120)} and {len(paths) - 1} more"
    nested = frozenset(column for column, kind in sample.schema.items() if kind.is_nested())
    return Table(name, sample, nested=nested), native


def _paths(origin: Origin, engine: str, said: str | None) -> list[str]:
    """Return what the engine is to read; what is on this machine must be Parquet."""
    if isinstance(origin, str) and "://" in origin:
        return [origin]
    sources = open_sources(origin)
    for source in sources:
        if source.path is None or format_of(source, said) != "parquet":
            raise OptionError(
                f"The engine {engine} reads Parquet files, and {source.title} is none: leave `engine` out."
            )
    return [str(source.path) for source in sources]


def _unreadable(engine: str, paths: Sequence[str], error: Exception) -> UnreadableFile:
    """Say in one sentence that an engine cannot read what it was given."""
    lines = [line.strip(" :") for line in str(error).splitlines() if line.strip()]
    # What went wrong in Java stands one line below what went wrong in Python.
    reason = (
        lines[1] if len(lines) > 1 and lines[0].startswith("An error occurred while calling") else "".join(lines[:1])
    )
    name = {"duckdb": "DuckDB", "spark": "Spark"}[engine]
    return UnreadableFile(f"{name} cannot read {shown(paths[0], 120)} ({shown(reason, 160)}).")


def _base(paths: Sequence[str]) -> str | None:
    """Return the folder above one such as ``annotator=ann``, which stands for a column that the files do not have."""
    for path in paths:
        parts = Path(path).parts
        first = next((i for i, part in enumerate(parts[:-1]) if "=" in part), None)
        if first is not None:
            return str(Path(*parts[:first]))
    return None


def _duckdb(paths: list[str]) -> Any:
    try:
        import duckdb
    except ImportError:
        raise MissingDependency(
            "The engine duckdb needs the package duckdb; install it with pip install 'assent[duckdb]'."
        ) from None
    try:
        return duckdb.connect().read_parquet(paths, hive_partitioning=_base(paths) is not None)
    except duckdb.Error as error:
        raise _unreadable("duckdb", paths, error) from None


def _spark(paths: list[str], master: str | None) -> Any:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingDependency(
            "The engine spark needs the package pyspark; install it with pip install 'assent[spark]'."
        ) from None
    if master is not None and not _MASTER.fullmatch(master):
        raise OptionError(
            f"master is {shown(master, 120)}, which is no address of Spark: give spark://host:port, yarn, k8s://… or local[2]."
        )
    session = SparkSession.getActiveSession()
    if session is None:
        session = _session(SparkSession.builder, master)
    elif master not in (None, session.conf.get("spark.master", master)):
        running = shown(session.conf.get("spark.master"), 120)
        raise OptionError(
            f"master is {shown(master, 120)}, but Spark is running at {running}: stop it, or leave master out."
        )
    base = _base(paths)
    reader = session.read if base is None else session.read.option("basePath", base)
    try:
        return reader.parquet(*paths)
    except Exception as error:
        raise _unreadable("spark", paths, error) from None


def _session(builder: Any, master: str | None) -> Any:
    """Start Spark, quietly."""
    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
    if master is None or master.startswith("local"):
        # Nobody else need reach a Spark that runs on this machine alone.
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    builder = builder.appName("assent").master(master or "local[*]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except Exception as error:
        if "JAVA_GATEWAY_EXITED" in str(error):
            raise MissingDependency(
                "Spark could not start: it needs Java 17 or newer, on the PATH or named by JAVA_HOME."
            ) from None
        where = "this machine" if master is None else shown(master, 120)
        raise UnreadableFile(
            f"Spark could not start at {where}: check the address and whether the cluster is up."
        ) from None


def _from_spark(native: Any, rows: int) -> pl.DataFrame:
    table = pl.from_arrow(native.limit(rows).toArrow())
    assert isinstance(table, pl.DataFrame)
    return table
