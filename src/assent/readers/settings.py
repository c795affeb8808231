"""A small file beside the data, `assent.toml`, that says once for all commands how they are read."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from assent.errors import OptionError, UnreadableFile, did_you_mean
from assent.text import shown

if TYPE_CHECKING:
    from assent.readers.reading import Reading

__all__ = ["NAME", "with_settings"]

NAME = "assent.toml"
#: Options that hold a list; a single text is a list of one.
_LISTS = frozenset({"annotators", "missing", "not_missing", "columns", "labels", "none", "question_columns"})
_MAPPINGS = frozenset({"rename", "merge", "only", "without"})


def with_settings(sources: Sequence[Any], reading: Reading) -> tuple[Reading, str]:
    """Return how files are to be read, with what the settings beside the first of them say where nothing else was said; and a note.

    Raises
    ------
    OptionError
        If the settings hold a key that is no option, or a value of another kind.
    """
    path = next((Path(one) for one in sources if isinstance(one, str | os.PathLike) and os.fspath(one) != "-"), None)
    if path is None:
        return reading, ""
    settings = path.parent / NAME
    try:
        settings = (path if path.is_dir() else path.parent) / NAME
        if not settings.is_file():
            return reading, ""
        said = tomllib.loads(settings.read_text("utf-8"))
    except (OSError, ValueError) as error:
        if isinstance(error, tomllib.TOMLDecodeError | UnicodeDecodeError):
            raise UnreadableFile(f"{shown(settings, 120)} is not a TOML file: {str(error).rstrip('.')}.") from None
        return reading, ""
    default = type(reading)()
    changed: dict[str, Any] = {}
    for name, value in said.items():
        if name not in reading.__struct_fields__:
            raise OptionError(
                f"{shown(settings, 120)} has the key {shown(name)}, which is no option of reading; {did_you_mean(name, reading.__struct_fields__)}"
            )
        usual = getattr(default, name)
        if getattr(reading, name) in (usual, None, ()):
            changed[name] = _checked(settings, name, value, usual)
    if not changed:
        return reading, ""
    return replace(reading, **changed), f"As {shown(settings, 120)} says: {', '.join(changed)}."


def _checked(settings: Path, name: str, value: Any, usual: Any) -> Any:
    if name in _LISTS:
        held = [value] if isinstance(value, str) else value
        if isinstance(held, list) and all(isinstance(one, str) for one in held):
            return held
        raise OptionError(f"{shown(settings, 120)}: {name} must be a list of texts.")
    if name in _MAPPINGS:
        if not isinstance(value, dict):
            raise OptionError(f"{shown(settings, 120)}: {name} must be a table, as in [{name}].")
        return {key: _entry(settings, name, key, held) for key, held in value.items()}
    kind = bool if isinstance(usual, bool) or name == "multilabel" else int if isinstance(usual, int) else str
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise OptionError(
            f"{shown(settings, 120)}: {name} is {shown(value)}; it must be {'true or false' if kind is bool else 'a number' if kind is int else 'a text'}."
        )
    return value


def _entry(settings: Path, name: str, key: str, held: Any) -> Any:
    """Return what stands under a key of a table: a text where labels are renamed, else a list of texts."""
    if isinstance(held, str):
        return held if name == "rename" else [held]
    if name != "rename" and isinstance(held, list) and all(isinstance(one, str) for one in held):
        return held
    wanted = "a text in quotation marks" if name == "rename" else "a list of texts in quotation marks"
    raise OptionError(f"{shown(settings, 120)}: {shown(key)} under [{name}] is {shown(held)}; it must be {wanted}.")
