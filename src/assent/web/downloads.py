"""Files to take away from a page: its document in every form, its tables, its figures, its items, sentences for a paper."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable

from assent.atomic_files import table_text
from assent.documents import Result, rendered
from assent.documents.blocks import Block, Document, Fold, Section, Table
from assent.documents.charts import render
from assent.errors import InputError, choose
from assent.records import Struct
from assent.reports import Report
from assent.web.sessions import Session
from assent.web.verbs import Verb

__all__ = ["Download", "data_of", "made", "offered"]


class Download(Struct, frozen=True):
    """A file."""

    name: str
    kind: str
    content: bytes


def _document(format: str) -> Callable[[Result], str | bytes]:
    return lambda result: result.rendered(format)


def _sentences(result: Result) -> str:
    assert isinstance(result, Report)
    return rendered(result.reporting.document(), "text")


def _items(result: Result) -> str:
    assert isinstance(result, Report)
    if result.items is None:
        raise InputError("These data have no table of items.")
    return table_text(result.items.columns(nested=False), "csv")


def _tables(result: Result) -> bytes:
    """Return every table of a document as a CSV file, in a zip."""
    return _zipped(
        (f"{place:02d}-{table.name}.csv", _csv(table))
        for place, table in enumerate(_found(result.document().blocks), 1)
    )


def _csv(table: Table) -> bytes:
    cells = [
        [" ".join(f"{text} {remark}".strip() for text, remark in one.parts) or one.text for one in row]
        for row in table.rows
    ]
    heads = [column.title for column in table.columns]
    names = [head if heads.count(head) == 1 else f"{head} ({place})" for place, head in enumerate(heads, 1)]
    columns = zip(*cells, strict=True) if cells else ([] for _ in names)
    return table_text(dict(zip(names, map(list, columns), strict=True)), "csv").encode()


def _found(blocks: Iterable[Block]) -> Iterable[Table]:
    for block in blocks:
        if isinstance(block, Table):
            yield block
        elif isinstance(block, Section | Fold | Document):
            yield from _found(block.blocks)


def _figures(result: Result) -> bytes:
    """Return every figure as SVG and PDF, in a zip."""
    charts = result.figures()
    return _zipped(
        (f"{name}.{format}", render(chart, format)) for name, chart in charts.items() for format in ("svg", "pdf")
    )


def data_of(session: Session) -> tuple[str, bytes]:
    """Return the name and the content of the files of a session; several are a zip."""
    if len(session.files) == 1:
        return session.files[0].name.rpartition("/")[2], session.files[0].content
    return "data.zip", _zipped((one.name, one.content) for one in session.files)


def _zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return made.getvalue()


#: By name: ending, kind, what makes it of a result, and whether reports alone have it.
_FORMATS: dict[str, tuple[str, str, Callable[[Result], str | bytes], bool]] = {
    "page": ("html", "text/html; charset=utf-8", _document("html"), False),
    "markdown": ("md", "text/markdown; charset=utf-8", _document("markdown"), False),
    "latex": ("tex", "application/x-tex", _document("tex"), False),
    "json": ("json", "application/json", _document("json"), False),
    "tables": ("zip", "application/zip", _tables, False),
    "figures": ("zip", "application/zip", _figures, False),
    "items": ("csv", "text/csv; charset=utf-8", _items, True),
    "sentences": ("txt", "text/plain; charset=utf-8", _sentences, True),
}


def offered(verb: Verb) -> list[str]:
    """Return what can be taken away from a page."""
    return [name for name, (_, _, _, reports) in _FORMATS.items() if verb.name == "report" or not reports]


def made(result: Result, verb: Verb, format: str) -> Download:
    """Return a file."""
    ending, kind, make, _ = _FORMATS[choose("format", format, offered(verb))]
    content = make(result)
    stem = verb.name if format in ("page", "markdown", "latex", "json") else f"{verb.name}-{format}"
    return Download(f"{stem}.{ending}", kind, content.encode() if isinstance(content, str) else content)
