"""Numbers for the values of a column that have nothing to do with each other, by the engine's own hash function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from assent.engines.columns import lookup

__all__ = ["PRIME", "one_item_in", "scattered", "together"]

#: The numbers are below this, so that the product of two of them fits 64 bits.
PRIME = (1 << 31) - 1
#: A hash of 62 bits has two halves of this size.
_HALF = 1 << 31
#: The seed of samples of items: any will do.
_SAMPLE = 1729


def scattered(
    frame: nw.LazyFrame[Any], roles: Mapping[str, Sequence[Any]], seed: int
) -> tuple[nw.LazyFrame[Any], dict[str, list[nw.Expr]]]:
    """Give each value of some columns two numbers.

    Where the engine has no hash function that we know, the numbers are drawn and looked up. A look-up table of many thousand
    values would be searched from end to end for every row in DuckDB and Spark.

    Parameters
    ----------
    frame : LazyFrame
    roles : mapping of str to sequence
        The columns, and the values that they hold.
    seed : int
        Another one gives other numbers.

    Returns
    -------
    frame : LazyFrame
        With further columns, if need be.
    numbers : mapping of str to list of two expressions
        From 1 to `PRIME` - 1.
    """
    native = _hashed(frame, list(roles), seed)
    if native is not None:
        halves = {role: [nw.col(f"{role}_{half}") % (PRIME - 1) + 1 for half in ("low", "high")] for role in roles}
        return nw.from_native(native), halves
    rng = np.random.default_rng(seed)
    tables = {
        role: [dict(zip(values, rng.integers(1, PRIME, len(values)).tolist(), strict=True)) for _ in range(2)]
        for role, values in roles.items()
    }
    return frame, {role: [lookup(nw.col(role), table, 0) for table in both] for role, both in tables.items()}


def together(frame: nw.LazyFrame[Any], roles: Sequence[str]) -> nw.LazyFrame[Any] | None:
    """Return one hash of 64 bits a row, of some columns together, as `hash`; None if the engine has no such function."""
    kind, native = frame.implementation, frame.to_native()
    if kind.is_duckdb():
        # The names are ours, not the table's.
        hashed: Any = native.project(f"hash({', '.join(roles)}) AS hash")
    elif kind.is_pyspark() or kind.is_pyspark_connect():
        from pyspark.sql import functions as spark

        hashed = native.select(spark.xxhash64(*map(spark.col, roles)).alias("hash"))
    else:
        return None
    made: nw.LazyFrame[Any] = nw.from_native(hashed)
    return made


def one_item_in(frame: nw.LazyFrame[Any], number: int) -> nw.LazyFrame[Any] | None:
    """Return the rows of about one item in so many, those whose hash says so; None if the engine has no hash function.

    The same items every time, whatever the order of the rows.
    """
    kind, native = frame.implementation, frame.to_native()
    if kind.is_polars():
        import polars as pl

        some: Any = native.filter(pl.col("item").hash(_SAMPLE) % number == 0)
    elif kind.is_duckdb():
        some = native.filter(f"hash({_SAMPLE}, item) % {int(number)} = 0")
    elif kind.is_pyspark() or kind.is_pyspark_connect():
        from pyspark.sql import functions as spark

        some = native.where(spark.pmod(spark.xxhash64(spark.lit(_SAMPLE), spark.col("item")), spark.lit(number)) == 0)
    else:
        return None
    made: nw.LazyFrame[Any] = nw.from_native(some)
    return made


def _hashed(frame: nw.LazyFrame[Any], roles: Sequence[str], seed: int) -> Any:
    """Add the lower and the upper half of a hash of each column; None if the engine has no hash function."""
    kind, native = frame.implementation, frame.to_native()
    if kind.is_polars():
        import polars as pl

        for role in roles:
            one = pl.col(role).hash(seed) // 4
            low, high = (one % _HALF).cast(pl.Int64), (one // _HALF).cast(pl.Int64)
            native = native.with_columns(low.alias(f"{role}_low"), high.alias(f"{role}_high"))
        return native
    if kind.is_duckdb():
        for role in roles:
            # The names are ours, not the table's.
            text = f"(hash({seed}, {role}) >> 2)"
            native = native.project(
                f"*, ({text} % {_HALF})::BIGINT AS {role}_low, ({text} // {_HALF})::BIGINT AS {role}_high"
            )
        return native
    if kind.is_pyspark() or kind.is_pyspark_connect():
        from pyspark.sql import functions as spark

        for role in roles:
            bits = spark.shiftrightunsigned(spark.xxhash64(spark.lit(seed), spark.col(role)), 2)
            native = native.withColumn(f"{role}_low", bits % _HALF).withColumn(
                f"{role}_high", spark.shiftright(bits, 31)
            )
        return native
    return None
