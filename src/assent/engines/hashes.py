"""Numbers for the values of columns that have nothing to do with each other, by the engine's own hash function."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from assent.engines.columns import is_local, lookup

__all__ = ["PRIME", "has_hashes", "hashed", "item_keys", "new_seed", "one_item_in", "scattered"]

#: The numbers of `scattered` are below this, so that the product of two of them fits 64 bits.
PRIME = (1 << 31) - 1
#: The seed of samples of items: any will do.
_SAMPLE = 1729


def new_seed() -> int:
    """Draw a seed that whoever made the file does not know."""
    return secrets.randbits(63)


def has_hashes(frame: nw.LazyFrame[Any]) -> bool:
    """Return whether we know the engine's hash function."""
    kind = frame.implementation
    return bool(kind.is_polars() or kind.is_duckdb() or kind.is_pyspark() or kind.is_pyspark_connect())


def hashed(frame: nw.LazyFrame[Any], roles: Sequence[str], name: str, seed: int = 0) -> nw.LazyFrame[Any]:
    """Add a hash of some columns together, a whole number of 62 bits; the engine must have a hash function."""
    kind, native = frame.implementation, frame.to_native()
    if kind.is_polars():
        import polars as pl

        of = pl.col(roles[0]) if len(roles) == 1 else pl.struct(roles)
        made = native.with_columns((of.hash(seed) // 4).cast(pl.Int64).alias(name))
    elif kind.is_duckdb():
        # The hash of several values is made of theirs, so a seed beside a value would keep collisions: it goes before the text.
        # The names are ours, not the table's.
        first, *others = roles
        given = ", ".join([f"concat('{int(seed)}', {first})" if seed else first, *others])
        made = native.project(f"*, (hash({given}) >> 2)::BIGINT AS {name}")
    else:
        from pyspark.sql import functions as spark

        bits = spark.xxhash64(spark.lit(seed), *map(spark.col, roles))
        made = native.withColumn(name, spark.shiftrightunsigned(bits, 2))
    found: nw.LazyFrame[Any] = nw.from_native(made)
    return found


def item_keys(frame: nw.LazyFrame[Any]) -> tuple[nw.LazyFrame[Any], list[str]]:
    """Return rows and the columns by which those of an item are brought together.

    DuckDB groups by two hashes in about half the time that it takes with texts, Spark in somewhat less. Two of a thousand million
    items share 124 bits with a probability of 10^-20; half of the bits are not known to whoever made the file.
    """
    if is_local(frame) or not has_hashes(frame) or frame.collect_schema()["item"] != nw.String:
        return frame, ["item"]
    seeds = {"item_low": 0, "item_high": 1 + secrets.randbelow(1 << 30)}
    for name, seed in seeds.items():
        frame = hashed(frame, ["item"], name, seed)
    return frame, list(seeds)


def one_item_in(frame: nw.LazyFrame[Any], number: int) -> nw.LazyFrame[Any] | None:
    """Return the rows of about one item in so many, those whose hash says so; None if the engine has no hash function.

    The same items every time, whatever the order of the rows.
    """
    if not has_hashes(frame):
        return None
    marked = hashed(frame, ["item"], "drawn", _SAMPLE)
    return marked.filter(nw.col("drawn") % number == 0).drop("drawn")


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
    if has_hashes(frame):
        names = {role: [f"{role}_{i}" for i in range(2)] for role in roles}
        for role, both in names.items():
            for i, name in enumerate(both):
                frame = hashed(frame, [role], name, 2 * seed + i)
        return frame, {role: [nw.col(name) % (PRIME - 1) + 1 for name in both] for role, both in names.items()}
    rng = np.random.default_rng(seed)
    tables = {
        role: [dict(zip(values, rng.integers(1, PRIME, len(values)).tolist(), strict=True)) for _ in range(2)]
        for role, values in roles.items()
    }
    return frame, {role: [lookup(nw.col(role), table, 0) for table in both] for role, both in tables.items()}
