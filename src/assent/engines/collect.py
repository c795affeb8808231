"""Everything that leaves an engine passes through here, and can be watched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import narwhals as nw

from assent.engines.columns import is_local
from assent.errors import AssentError, InputError, TooMany
from assent.limits import MOST_ANNOTATIONS
from assent.records import Struct
from assent.text import shown

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "MOST_ANNOTATIONS",
    "Transfer",
    "check_amount",
    "collected",
    "listed",
    "record_transfer",
    "run_query",
    "track_transfers",
    "tuples",
]


#: Packages whose errors are those of an engine, not ours.
_ENGINES = {"duckdb": "DuckDB", "_duckdb": "DuckDB", "pyspark": "Spark", "py4j": "Spark", "ibis": "Ibis"}
_WATCHERS: list[Callable[[Transfer], None]] = []


class Transfer(Struct, frozen=True, kw_only=True):
    """What one question brought out of an engine.

    Parameters
    ----------
    question : str
        Such as ``labels``, ``annotators``, ``profiles``; ``annotations`` if rows came out one by one.
    rows : int
        How many rows of the answer.
    engine : str
        Where they lived.
    local : bool
        They were in this process already.
    """

    question: str
    rows: int
    engine: str
    local: bool


@contextmanager
def track_transfers(watcher: Callable[[Transfer], None]) -> Iterator[None]:
    """Tell `watcher` of everything that leaves an engine, until the block ends.

    Examples
    --------
    >>> import assent
    >>> from assent.engines import track_transfers
    >>> seen = []
    >>> triples = [("x", 1, "a"), ("y", 1, "a"), ("x", 2, "b"), ("y", 2, "a"), ("x", 3, "b"), ("y", 3, "b")]
    >>> with track_transfers(seen.append):
    ...     value = assent.krippendorff_alpha(assent.Annotations.from_triples(triples)).value
    >>> [(one.question, one.rows) for one in seen]
    [('labels', 2), ('annotators', 2), ('repeated pairs', 1), ('profiles', 3)]
    """
    _WATCHERS.append(watcher)
    try:
        yield
    finally:
        _WATCHERS.remove(watcher)


def collected(
    frame: nw.LazyFrame[Any], columns: Sequence[str], question: str, *, in_order: bool = False
) -> pl.DataFrame:
    """Bring an aggregate, or a few rows, over as a table of polars."""
    table: pl.DataFrame = run_query(lambda: _table(frame.select(*columns), in_order=in_order))
    record_transfer(frame, question, table.height)
    return table


def tuples(frame: nw.LazyFrame[Any], columns: Sequence[str], question: str) -> list[tuple[Any, ...]]:
    """Bring a small aggregate over as Python values."""
    return list(collected(frame, columns, question).rows())


def listed(frame: nw.LazyFrame[Any], columns: Sequence[str], rows: int) -> pl.DataFrame:
    """Bring every row over, in order; `rows` says how many there are, so that too many are not asked for."""
    check_amount(
        frame,
        rows,
        what="This needs the annotations one by one",
        instead="ask something that profiles answer, such as assent measure",
    )
    record_transfer(frame, "annotations", rows)
    table: pl.DataFrame = run_query(lambda: _table(frame.select(*columns), in_order=True))
    return table


def check_amount(frame: nw.LazyFrame[Any], rows: int, *, what: str, instead: str) -> None:
    """Refuse to bring more annotations here than memory should hold; those that are here already may be any number.

    Parameters
    ----------
    frame : LazyFrame
        Where they live.
    rows : int
        How many annotations would come over.
    what : str
        Beginning of the sentence: why they are needed.
    instead : str
        What can be asked in their place.

    Raises
    ------
    TooMany
        They are more than `MOST_ANNOTATIONS`.
    """
    if not is_local(frame) and rows > MOST_ANNOTATIONS:
        raise TooMany(
            f"{what}, and bringing {rows:,} of them here from {_name(frame)} is too much (at most {MOST_ANNOTATIONS:,}): "
            f"take a sample of the items there, or {instead}."
        )


def run_query(action: Callable[[], Any]) -> Any:
    """Have an engine do something; if it fails, say so in one sentence."""
    try:
        return action()
    except AssentError:
        raise
    except Exception as error:
        engine = _ENGINES.get(type(error).__module__.split(".")[0])
        if engine is None:
            raise
        reason = shown(_reason(error), 200)
        raise InputError(f"{engine} gave up ({reason}): check that its files are whole and its workers up.") from error


def _table(frame: nw.LazyFrame[Any], *, in_order: bool = False) -> Any:
    if not frame.implementation.is_polars():
        return frame.collect(backend="polars").to_native()
    if in_order:
        return frame.to_native().collect()
    # In pieces: as fast as the whole at once, and data larger than memory pass through.
    return frame.to_native().collect(engine="streaming")


def record_transfer(table: Any, question: str, rows: int) -> None:
    """Report that so many rows of an answer came out of the engine of a table; None is a table in this process."""
    if _WATCHERS:
        frame = None if table is None else nw.from_native(table).lazy()
        name, local = ("polars", True) if frame is None else (_name(frame), is_local(frame))
        transfer = Transfer(question=question, rows=rows, engine=name, local=local)
        for watcher in _WATCHERS:
            watcher(transfer)


def _name(frame: nw.LazyFrame[Any]) -> str:
    """Return what the engine is called."""
    name = str(frame.implementation.name).lower()
    return {"duckdb": "DuckDB", "pyspark": "Spark", "pyspark_connect": "Spark", "ibis": "Ibis"}.get(name, name)


def _reason(error: Exception) -> str:
    """Return the first line of what an engine says about a failure; Java says it one line below Python."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    java = [line.lstrip(": ") for line in lines if line.startswith(": ")]
    return (java or lines or [type(error).__name__])[0]
