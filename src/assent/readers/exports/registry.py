"""Which readers there are, and which of them an export is for."""

from __future__ import annotations

import gc
import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from typing import Protocol, TypeVar

from assent.errors import AssentError, MissingDependency, UnreadableFile, choose
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.sources import Origin, Source
from assent.records import Struct

__all__ = ["ENTRY_POINTS", "Reader", "read_export", "reader", "readers", "recognise"]

ENTRY_POINTS = "assent.readers"
"""The group of entry points under which other packages offer readers."""


class ReadsExports(Protocol):
    """What a class must have to be a reader."""

    @staticmethod
    def recognises(source: Source) -> bool | float:
        """Return whether the export is of this format, or how sure that is, between 0 and 1."""
        ...

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return what the export holds."""
        ...


class Reader(Struct, frozen=True, kw_only=True):
    """A format that can be read.

    Parameters
    ----------
    name : str
        For the command line, such as ``label-studio``.
    title : str
        For people, such as ``Label Studio``.
    rank : int
        Of two readers that are equally sure, the one with the lower rank reads. Folders and archives known by the names
        in them come first (below 100), then first bytes (below 200), JSON keys (below 300), headers of tables (below 400),
        and shapes that other things may have, too (from 400).
    recognises, read : callable
        See `ReadsExports`.
    """

    name: str
    title: str
    rank: int
    recognises: Callable[[Source], bool | float]
    read: Callable[[Source, ReadOptions], Export]


_READERS: dict[str, Reader] = {}
_C = TypeVar("_C", bound=type[ReadsExports])


def reader(*, name: str, title: str, rank: int) -> Callable[[_C], _C]:
    """Register a class with static methods ``recognises(source)`` and ``read(source, options)`` as a reader.

    Examples
    --------
    >>> @reader(name="ours", title="Our tool", rank=900)  # doctest: +SKIP
    ... class Ours:
    ...     @staticmethod
    ...     def recognises(source): ...
    ...     @staticmethod
    ...     def read(source, options): ...
    """

    def register(cls: _C) -> _C:
        _READERS[name] = Reader(name=name, title=title, rank=rank, recognises=cls.recognises, read=cls.read)
        return cls

    return register


@cache
def _discover() -> None:
    package = importlib.import_module("assent.readers.exports")
    for module in pkgutil.iter_modules(package.__path__):
        if not module.name.startswith("_"):
            importlib.import_module(f"assent.readers.exports.{module.name}")
    for entry in entry_points(group=ENTRY_POINTS):
        try:
            entry.load()
        except Exception as error:
            raise MissingDependency(
                f"The reader {entry.name} of another package cannot be loaded ({type(error).__name__}); "
                "update or uninstall that package."
            ) from error


def readers() -> tuple[Reader, ...]:
    """Return all readers in the order in which they are asked."""
    _discover()
    return tuple(sorted(_READERS.values(), key=lambda r: (r.rank, r.name)))


def recognise(source: Source) -> Reader | None:
    """Return the reader that is surest of the export, or None if it is of no known tool.

    A reader that says True is asked in the order of the ranks and wins at once; one that is less than sure wins only if
    no other one is.
    """
    best: tuple[float, Reader] | None = None
    for candidate in readers():
        score = float(candidate.recognises(source))
        if score >= 1:
            return candidate
        if score > 0 and (best is None or score > best[0]):
            best = (score, candidate)
    return None if best is None else best[1]


def read_export(*origins: Origin | Source, options: ReadOptions | None = None, format: str | None = None) -> Export:
    """Read an export: a file, a folder, a zip, or several files that belong together.

    Parameters
    ----------
    format : str, optional
        Name of the reader, if it is not to be recognised.

    Raises
    ------
    InputError
        If it is the export of no known tool, or cannot be read.
    """
    options = options or ReadOptions()
    if len(origins) == 1 and isinstance(origins[0], Source):
        source = origins[0]
    else:
        source = Source.of(*(o for o in origins if not isinstance(o, Source)), encoding=options.encoding)
    # Many small objects and no cycles: searching for cycles again and again would cost more than reading.
    searching = gc.isenabled()
    gc.disable()
    try:
        if format is not None:
            known = {r.name: r for r in readers()}
            return known[choose("format", format, known)].read(source, options)
        found = recognise(source)
        if found is None:
            raise UnreadableFile(
                f"{source.title} is not the export of a tool that assent knows; "
                f"known are {', '.join(dict.fromkeys(r.title for r in readers()))}."
            )
        return found.read(source, options)
    except AssentError:
        raise
    except RecursionError:
        raise UnreadableFile(f"{source.title} is nested too deeply to be read.") from None
    except MemoryError:
        raise UnreadableFile(f"{source.title} does not fit into memory; split it.") from None
    finally:
        if searching:
            gc.enable()
