"""The appendix: what is needed to make the report again, and what every number in it means."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from assent._version import __version__
from assent.documents import Document, Result
from assent.documents.blocks import Block, Code, Fold, Heading, Section, Terms
from assent.reports.context import Settings
from assent.text import visible

__all__ = ["AppendixSection"]

PACKAGES = ("numpy", "scipy", "polars", "narwhals", "vl-convert-python", "jinja2")


class AppendixSection(Result, frozen=True, kw_only=True):
    """How the report was made.

    Parameters
    ----------
    seconds : float
        How long it took.
    definitions : mapping of str to str
        What every name means.
    command : str or None
        The command line.
    skipped : mapping of str to str, optional
        Questions that could not be measured, and why; None if there is one question.
    """

    settings: Settings
    seconds: float
    definitions: Mapping[str, str]
    command: str | None = None
    skipped: Mapping[str, str] | None = None

    @property
    def versions(self) -> dict[str, str]:
        """Versions of everything that had a part in the numbers."""
        return {"assent": __version__, "python": platform.python_version(), **_versions()}

    @property
    def asked(self) -> dict[str, Any]:
        """The settings as plain values."""
        settings, target = self.settings, self.settings.target
        return {
            "task": None if target is None else target.name,
            "target": None if target is None else target.value,
            "scale": settings.scale,
            "distance": settings.distance,
            "level": settings.level,
            "seed": settings.seed,
            "text": settings.text,
            "by": settings.by,
            "anonymise": settings.anonymise,
            "ambiguity": settings.ambiguity,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the appendix as plain values."""
        made = {
            "settings": self.asked,
            "versions": self.versions,
            "seed": self.settings.seed,
            "seconds": self.seconds,
            "definitions": [{"name": name, "text": text} for name, text in self.definitions.items()],
            "command": self.command,
        }
        if self.skipped is not None:
            made["skipped"] = [{"name": name, "reason": why} for name, why in self.skipped.items()]
        return made

    def document(self) -> Document:
        """Return command, settings, versions and definitions."""
        blocks: list[Block] = []
        if self.command:
            blocks.append(Code("command", "Command", self.command))
        blocks += [
            Heading("Settings"),
            Terms([(key, _said(one)) for key, one in self.asked.items()]),
            Heading("Versions"),
            Terms(list(self.versions.items())),
        ]
        if self.definitions:
            blocks.append(Fold("What every number means", [Terms(list(self.definitions.items()))]))
        # The time it took is in the JSON alone: the same data and settings give the same page.
        takeaway = f"Made by assent {__version__} with seed {self.settings.seed}: the same data and settings give the same numbers."
        return Document("Appendix", [Section("appendix", "Appendix", takeaway, blocks)])


def _said(setting: Any) -> str:
    if setting is None:
        return "not given"
    if isinstance(setting, bool):
        return "yes" if setting else "no"
    return visible(setting)


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
