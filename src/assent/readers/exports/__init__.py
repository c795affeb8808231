"""Exports of annotation tools, as they come out of the tool: recognised by content, read into questions and answers."""

from __future__ import annotations

from assent.readers.exports.model import Answers, Export, Kind, LeftOut, Spans
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import Reader, read_export, reader, readers, recognise
from assent.readers.exports.sources import Limits, Member, Source

__all__ = [
    "Answers",
    "Export",
    "Kind",
    "LeftOut",
    "Limits",
    "Member",
    "ReadOptions",
    "Reader",
    "Source",
    "Spans",
    "read_export",
    "reader",
    "readers",
    "recognise",
]
