"""brat standoff: a folder for each annotator, in it an .ann beside the .txt of each document."""

from __future__ import annotations

import codecs
import re
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from pathlib import PurePosixPath

from msgspec import field
from msgspec.structs import replace

from assent.errors import UnknownLayout, UnreadableFile
from assent.readers.exports._layers import aliases, listed, settled, within
from assent.readers.exports._offsets import Utf16
from assent.readers.exports.gathering import is_email
from assent.readers.exports.model import Export, LeftOut, Spans
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Member, Source
from assent.readers.exports.texts import read_text
from assent.records import Struct
from assent.text import shown

__all__ = ["Brat", "Standoff", "parse_ann"]

Parts = tuple[tuple[int, int], ...]

#: What a line that is no span is, by its first letter.
_KINDS = {
    "R": "relations",
    "E": "events",
    "A": "attributes",
    "M": "attributes",
    "N": "normalizations",
    "#": "notes",
    "*": "equivalences",
}
_PLACE = re.compile(r"(\d{1,15}) (\d{1,15})")
_SUFFIXED = re.compile(r"\.ann[._-]?\w+$", re.IGNORECASE)
_REMEDY = (
    "put each annotator's files into a folder of the annotator's name and name the folder above them, "
    "or say where the name stands with `annotator_from_name`"
)


class Standoff(Struct, kw_only=True):
    """The content of an .ann file.

    Parameters
    ----------
    spans : list of (parts, label, quoted text)
    others : Counter
        Lines that are no spans, by kind.
    """

    spans: list[tuple[Parts, str, str]] = field(default_factory=list)
    others: Counter[str] = field(default_factory=Counter)


def parse_ann(text: str, title: str) -> Standoff:
    r"""Return the spans of an .ann file and count its other lines.

    Raises
    ------
    UnreadableFile
        If a line is none that brat writes.

    Examples
    --------
    >>> parse_ann("T1\tLOC 13 18;19 26\tNorth Harbour\nA1\tUncertain T1\n", "a file")
    Standoff(spans=[(((13, 18), (19, 26)), 'LOC', 'North Harbour')], others=Counter({'attributes': 1}))
    """
    found = Standoff()
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip("\r")
        if not line.strip():
            continue
        if line[0] == "T":
            found.spans.append(_span(line, title, number))
        elif line[0] in _KINDS:
            found.others[_KINDS[line[0]]] += 1
        else:
            raise UnreadableFile(
                f"{title}, line {number:,}: {shown(line)} is no line that brat writes; correct the file."
            )
    return found


def _span(line: str, title: str, number: int) -> tuple[Parts, str, str]:
    _, *rest = line.split("\t", 2)
    label, _, places = rest[0].partition(" ") if rest else ("", "", "")
    matches = [_PLACE.fullmatch(place.strip()) for place in places.split(";")]
    parts = tuple([(int(m[1]), int(m[2])) for m in matches if m])
    if not label or len(parts) < len(matches):
        raise UnreadableFile(
            f"{title}, line {number:,}: {shown(line)} names no label with its places; correct the file."
        )
    return tuple(sorted(parts)) if len(parts) > 1 else parts, label, rest[1] if len(rest) > 1 else ""


def _clean(text: str) -> str:
    return re.sub(r"\s", " ", text)


def _quoted(text: str, parts: Parts) -> str:
    """Return what brat quotes of a text for a span: its parts with a blank between them."""
    return _clean(" ".join(text[begin:end] for begin, end in parts))


def _countings(text: str, *, marked: bool) -> dict[str, Callable[[int], int]]:
    """Return the ways in which a program may have counted the characters of a text, as functions to code points."""
    found: dict[str, Callable[[int], int]] = {}
    wide = Utf16.of(text)
    if wide.differs:
        found["UTF-16 units"] = wide.code_point
    doubled = [m.start() - n for n, m in enumerate(re.finditer("\r\n", text))]
    if doubled:
        found["one character for each line end"] = lambda at: at + bisect_left(doubled, at)
    elif "\n" in text:
        single = [m.start() + n for n, m in enumerate(re.finditer("\n", text))]
        found["two characters for each line end"] = lambda at: at - bisect_left(single, at - 1)
    if marked:
        found["the byte order mark"] = lambda at: max(at - 1, 0)
    return found


def _settled(found: Standoff, text: str, *, marked: bool) -> tuple[str | None, list[tuple[Parts, str, str]], int]:
    """Return in which way the offsets were counted if not in code points, the spans in code points, and how many differ."""

    def differing(spans: list[tuple[Parts, str, str]]) -> int:
        # Most spans have one part and stand in one line.
        unlike = [s for s in spans if s[2] and (len(s[0]) > 1 or text[s[0][0][0] : s[0][0][1]] != s[2])]
        return sum(_clean(quote) != _quoted(text, parts) for parts, _, quote in unlike)

    wrong = differing(found.spans)
    if wrong:
        for name, convert in _countings(text, marked=marked).items():
            spans = [
                (tuple((convert(begin), convert(end)) for begin, end in parts), label, quote)
                for parts, label, quote in found.spans
            ]
            # Another way to count is believed only if every span then quotes what it marks.
            if not differing(spans):
                return name, spans, 0
    return None, found.spans, wrong


class _Layout(Struct, frozen=True, kw_only=True):
    """Which file is whose: by (document, annotator)."""

    anns: dict[tuple[str, str], Member]
    texts: dict[tuple[str, str], str]
    annotators: list[str]
    marked: bool = False
    """Whether a text begins with a byte order mark, which some programs count."""


def _layout(source: Source, options: ReadOptions) -> _Layout:
    if options.annotator_from_name is not None:
        return _named_layout(source, options.annotator_from_name, options)
    anns = [m for m in source if m.suffix == ".ann"]
    if not anns:
        suffixed = next((m.name for m in source if _SUFFIXED.search(m.name)), None)
        if suffixed is None:
            raise UnreadableFile(
                f"{source.title} holds no .ann file, which brat writes for each document and annotator."
            )
        raise UnknownLayout(
            f"{source.title} has the annotators of a document in the endings of its files ({shown(suffixed)}); {_REMEDY}."
        )
    texts = {m.name: read_text(m) for m in source if m.suffix == ".txt"}
    marked = any(m.head(3) == codecs.BOM_UTF8 for m in source if m.suffix == ".txt")
    candidates: list[_Layout] = []
    for depth in range(min(len(PurePosixPath(m.name).parts) for m in anns) - 1):
        layout = replace(_at_depth(anns, texts, depth), marked=marked)
        if len({d for d, _ in layout.anns}) == len(layout.anns):
            continue
        if not _disputed_text(layout):
            return layout
        candidates.append(layout)
    if not candidates:
        raise UnknownLayout(f"{source.title} does not show whose each .ann file is: no document has two; {_REMEDY}.")
    raise UnreadableFile(
        f"{source.title}: the text of {shown(_disputed_text(candidates[0]))} is not the same for all annotators, so that "
        "their offsets cannot be compared; give all of them the same .txt."
    )


def _at_depth(anns: list[Member], texts: dict[str, str], depth: int) -> _Layout:
    """Return the layout in which the annotators are the folders at a depth."""

    def key(name: str) -> tuple[str, str]:
        parts = PurePosixPath(name).parts
        # One folder above all annotators (a zip's top folder) says nothing of a document.
        above = parts[:depth] if several else ()
        return str(PurePosixPath(*above, *parts[depth + 1 :]).with_suffix("")), parts[depth]

    several = len({PurePosixPath(m.name).parts[:depth] for m in anns}) > 1
    found = {key(m.name): m for m in anns}
    return _Layout(
        anns=found,
        texts={key(name): text for name, text in texts.items() if len(PurePosixPath(name).parts) > depth + 1},
        annotators=list(dict.fromkeys(a for _, a in found)),
    )


def _disputed_text(layout: _Layout) -> str | None:
    """Return a document whose text is not the same everywhere; how its lines end does not matter."""
    known: dict[str, str] = {}
    documents = {d for d, _ in layout.anns}
    for (document, _), text in layout.texts.items():
        plain = text.replace("\r\n", "\n")
        if document in documents and known.setdefault(document, plain) != plain:
            return document
    return None


def _named_layout(source: Source, pattern: str, options: ReadOptions) -> _Layout:
    anns: dict[tuple[str, str], Member] = {}
    for member in source:
        if member.suffix != ".ann" and not _SUFFIXED.search(member.name):
            continue
        annotator = options.annotator_in(member.name)
        if annotator is None:
            raise UnknownLayout(f"The annotator is not to be found in {member.title} with {shown(pattern)}; change it.")
        document = re.sub(r"\.ann$", "", re.sub(pattern, "", member.name, count=1)).strip("/._-")
        if (document, annotator) in anns:
            raise UnknownLayout(
                f"{shown(pattern)} makes two files the work of {shown(annotator)} on {shown(document)}."
            )
        anns[document, annotator] = member
    texts = {(m.name.removesuffix(".txt"), ""): read_text(m) for m in source if m.suffix == ".txt"}
    return _Layout(anns=anns, texts=texts, annotators=list(dict.fromkeys(a for _, a in anns)))


@reader(name="brat", title="brat", rank=20)
class Brat:
    """Folders or a zip of .ann and .txt files, a folder for each annotator."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether there are .ann files, also with the annotator in the ending."""
        names = [m.name for m in source]
        if any(name.lower().endswith(".ann") for name in names):
            return True
        # doc.ann1 beside doc.txt
        return any(_SUFFIXED.search(n) and f"{_SUFFIXED.sub('', n)}.txt" in names for n in names)

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return the one question ``entities``."""
        return _read(source, options)


def _read(source: Source, options: ReadOptions) -> Export:
    layout = _layout(source, options)
    called = aliases(layout.annotators, options)
    documents = sorted({d for d, _ in layout.anns} | {d for d, a in layout.texts if a in layout.annotators})
    texts = _texts(layout, documents)
    rows: list[tuple[str, str, Parts, str]] = []
    others: Counter[str] = Counter()
    countings: Counter[str] = Counter()
    differing = repeated = impossible = 0
    for (document, annotator), member in sorted(layout.anns.items()):
        found = parse_ann(read_text(member), member.title)
        others.update(found.others)
        spans, text = found.spans, texts.get(document)
        if text is not None:
            counting, spans, wrong = _settled(found, text, marked=layout.marked)
            differing += wrong
            if counting:
                countings[counting] += 1
        seen: set[tuple[Parts, str]] = set()
        length = len(text) if text is not None else sys.maxsize
        for parts, label, _ in spans:
            if any(begin >= end or end > length for begin, end in parts):
                impossible += 1
            elif (parts, label) in seen:
                repeated += 1
            else:
                seen.add((parts, label))
                rows.append((document, annotator, parts, label))
    left_out = [LeftOut(reason="not-measured", rows=n, detail=what) for what, n in sorted(others.items())]
    if repeated:
        left_out.insert(0, LeftOut(reason="duplicate", rows=repeated, detail="identical span twice by one annotator"))
    if impossible:
        left_out.insert(0, LeftOut(reason="impossible-span", rows=impossible, detail="empty or outside the text"))
    texts = _without_last_break(texts, rows)
    kept = within(texts, options.keep_texts)
    question = Spans(
        name="entities",
        document=[row[0] for row in rows],
        annotator=[called[row[1]] for row in rows],
        parts=[row[2] for row in rows],
        label=[row[3] for row in rows],
        seen=[(d, called[a]) for d, a in sorted(layout.anns)],
        texts=kept,
        lengths={d: len(t) for d, t in texts.items()},
        left_out=tuple(left_out),
        notes=tuple(_notes(layout, documents, called, countings, differing, others)),
    )
    names = {alias: name for name, alias in called.items() if alias != name}
    return Export(format="brat standoff", questions=(settled(question, options),), texts=kept, names=names)


def _notes(
    layout: _Layout,
    documents: list[str],
    called: dict[str, str],
    countings: Counter[str],
    differing: int,
    others: Counter[str],
) -> list[str]:
    missing = [(a, d) for a in layout.annotators for d in documents if (d, a) not in layout.anns]
    notes = []
    if missing:
        notes.append(
            f"No .ann, so not annotated: {listed(f'{called[a]}, {d}' for a, d in missing)}; "
            "an empty .ann is annotated with nothing found."
        )
    idle = sorted({a for _, a in layout.texts} - {*layout.annotators, ""})
    if idle:
        notes.append(
            f"No .ann at all, so no annotator: {listed('an e-mail address' if is_email(a) else a for a in idle)}."
        )
    if others:
        *first, last = sorted(others)
        notes.append(
            f"{', '.join(first)}{' and ' if first else ''}{last} are not part of the span measure.".capitalize()
        )
    notes.extend(
        f"{count:,} .ann {'file counts' if count == 1 else 'files count'} {way}; the offsets were converted."
        for way, count in countings.items()
    )
    if differing:
        one = differing == 1
        notes.append(
            f"{differing:,} {'span quotes' if one else 'spans quote'} another text than the one at "
            f"{'its' if one else 'their'} offsets; the offsets were taken."
        )
    notes.append("Two annotators are compared over the documents that both have an .ann for.")
    return notes


def _without_last_break(texts: dict[str, str], rows: list[tuple[str, str, Parts, str]]) -> dict[str, str]:
    """Return the texts without the line break that ends a file, which is no position that could be marked, unless somebody did."""
    reach: dict[str, int] = {}
    for document, _, parts, _ in rows:
        reach[document] = max(reach.get(document, 0), *(end for _, end in parts))
    short = {document: text.removesuffix("\n").removesuffix("\r") for document, text in texts.items()}
    return {d: short[d] if reach.get(d, 0) <= len(short[d]) else text for d, text in texts.items()}


def _texts(layout: _Layout, documents: list[str]) -> dict[str, str]:
    """Return the text of each document; with plain line ends where the annotators' copies differ in them."""
    found: dict[str, str] = {}
    for (document, _), text in sorted(layout.texts.items()):
        if found.setdefault(document, text) != text:
            found[document] = text.replace("\r\n", "\n")
    return {document: found[document] for document in documents if document in found}
