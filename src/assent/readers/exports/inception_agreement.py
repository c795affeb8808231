"""The agreement page of INCEpTION: what it exports for one layer and feature, a row for each annotation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from assent.errors import UnreadableFile
from assent.readers.exports.delimited_rows import Rows
from assent.readers.exports.gathering import Gathering
from assent.readers.exports.json_records import Records
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Member, Source
from assent.readers.exports.texts import as_text
from assent.text import shown

__all__ = ["AgreementPage"]

Parts = tuple[tuple[int, int], ...]

_CURATION = "CURATION_USER"
#: What a diagnosis says of a position, before a column for each annotator; old versions have no flags.
_POSITION = ("Type", "Collection", "Document", "Layer", "Feature", "Position")
_FLAGS, _USED = "Flags", "USED"
_NO_LABEL = "<no label>"
#: An annotator has nothing in a position, or was not compared; old versions print what Java does.
_NOTHING = re.compile(r"<(?!no label>).*>|null|")
#: A record of Java, as the page may write the user.
_SET = re.compile(r"AnnotationSet\[id=(.*?)(?:, displayName=.*)?\]")


@reader(name="inception-agreement", title="INCEpTION agreement page", rank=310)
class AgreementPage:
    """What INCEpTION's agreement page exports for one layer and feature: a row for each annotation."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether the columns are those of the agreement page."""
        return len(source.members) == 1 and _page_kind(source.members[0]) is not None

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return the one question that the page was exported for, or a question for each feature of a diagnosis."""
        member = source.members[0]
        kind = _page_kind(member)
        if kind == "diagnosis":
            return _diagnosis(member, options)
        if kind is None:
            raise UnreadableFile(f"{member.title} has not the columns doc, user, begin, end, text, label.")
        return _agreement(member, options, spans=kind == "spans")


def _page_kind(member: Member) -> str | None:
    peek = member.peek
    if peek.shape == "table":
        names: tuple[str, ...] = tuple(name.strip() for name in peek.header)
        if names[: len(_POSITION)] == _POSITION:
            return "diagnosis"
    elif peek.shape in ("list", "lines", "object") and peek.objects:
        names = tuple(peek.objects[0])
    else:
        return None
    known = set(names)
    if {"doc", "user", "begin", "end"} <= known <= {"doc", "user", "begin", "end", "text", "label"}:
        return "spans"
    return "whole" if known == {"doc", "user", "label"} else None


def _page_rows(member: Member) -> Iterator[tuple[str, dict[str, str | None]]]:
    """Yield where a row stands, for messages, and its cells."""
    if member.peek.shape == "table":
        rows = Rows(member)
        names = [name.strip() for name in rows.header]
        for row in rows:
            yield f"{member.title}, line {rows.line:,}", dict(zip(names, row, strict=False))
        return
    records = Records(member)
    for number, record in enumerate(records, 1):
        if not isinstance(record, dict):
            raise UnreadableFile(f"{member.title}, record {number:,}: it is no object; export it again.")
        yield f"{member.title}, record {number:,}", {key: as_text(value) for key, value in record.items()}


def _agreement(member: Member, options: ReadOptions, *, spans: bool) -> Export:
    gathering = Gathering(options)
    units: dict[tuple[str, str], int] = {}
    labels: dict[int, list[str]] = {}
    curated: dict[str, list[tuple[Parts, str]]] = {}
    name = "annotation" if spans else "label"
    documents: dict[str, None] = {}
    for where, row in _page_rows(member):
        document, user, label = row.get("doc"), row.get("user"), row.get("label") or ""
        if not document or not user:
            raise UnreadableFile(f"{where}: there is no doc or no user; export it again.")
        match = _SET.fullmatch(user)
        user = match[1] if match else user
        documents[document] = None
        parts = _parts(row, where) if spans else ((0, 0),)
        if user == _CURATION:
            curated.setdefault(document, []).append((parts, label))
            continue
        if (document, user) not in units:
            units[document, user] = gathering.unit(document, user)
        unit = units[document, user]
        if spans:
            gathering.span(name, unit, parts, label)
        else:
            labels.setdefault(unit, []).append(label)
    if curated:
        gathering.leave_out("gold", len(curated), detail="curation (CURATION_USER)")
        gathering.note(
            f"The curation ({len(curated):,} {'document' if len(curated) == 1 else 'documents'}) is gold, not an annotator."
        )
    if spans and units:
        _finish_spans(gathering, name, units, documents, curated, options)
    elif units:
        _finish_labels(gathering, name, labels, curated)
    gathering.note(
        "The agreement page counts a document that a user never opened as if the user had agreed to what was imported; "
        "the project's export tells the two apart."
    )
    return gathering.export(
        f"INCEpTION agreement page, {'spans' if spans else 'labels of documents'}", asked_of_all=False
    )


def _diagnosis(member: Member, options: ReadOptions) -> Export:
    """Return the labels that annotators gave to positions which the page compared."""
    gathering = Gathering(options)
    rows = Rows(member)
    names = [name.strip() for name in rows.header]
    flags = names.index(_FLAGS) if _FLAGS in names[: len(_POSITION) + 1] else None
    people = [(n, name) for n, name in enumerate(names) if n >= len(_POSITION) and n != flags]
    for row in rows:
        _, _, document, layer, feature, position = (cell.strip() for cell in row[: len(_POSITION)])
        if not document or not position:
            raise UnreadableFile(
                f"{member.title}, line {rows.line:,}: there is no document or no position; export it again."
            )
        told = [one.strip() for one in row[flags].split(",") if one.strip()] if flags is not None else [_USED]
        if _USED not in told:
            gathering.leave_out("not-measured", detail=f"positions that were not compared: {', '.join(told)}")
            continue
        question = gathering.question(
            f"{layer.rpartition('.')[2]} {feature}".strip(), "label", scope=f"{layer} {feature}"
        )
        item = f"{document}: {position}"
        for n, name in people:
            cell = row[n].strip()
            if name == _CURATION:
                if _NOTHING.fullmatch(cell) is None:
                    question.gold[item] = cell
            elif _NOTHING.fullmatch(cell) is None:
                gathering.answer(question.name, gathering.unit(item, name, scope=question.scope), cell)
            else:
                gathering.leave_out("no-answer", question=question.name)
    gathering.note(
        "The items are positions that INCEpTION compared; an annotator who marked nothing there gave no answer. "
        f"{_NO_LABEL} is an annotation without a label. The page's CSV, or the project, says where spans are."
    )
    return gathering.export("INCEpTION agreement page, diagnosis", asked_of_all=False)


def _parts(row: Mapping[str, str | None], where: str) -> Parts:
    begin, end = row.get("begin") or "", row.get("end") or ""
    if not (re.fullmatch(r"\d{1,15}", begin) and re.fullmatch(r"\d{1,15}", end)):
        raise UnreadableFile(f"{where}: begin and end are {shown(begin)} and {shown(end)}, not whole numbers.")
    return ((int(begin), int(end)),)


def _finish_spans(
    gathering: Gathering,
    name: str,
    units: dict[tuple[str, str], int],
    documents: Iterable[str],
    curated: Mapping[str, list[tuple[Parts, str]]],
    options: ReadOptions,
) -> None:
    question = gathering.spans(name)
    question.gold.update({d: tuple(found) for d, found in curated.items()})
    question.notes.append(
        "The offsets count UTF-16 units, because the file does not hold the texts to convert them with."
    )
    if options.empty == "nothing":
        for document in documents:
            for user in dict.fromkeys(user for _, user in list(units)):
                if (document, user) not in units:
                    units[document, user] = gathering.unit(document, user)
                gathering.seen(name, units[document, user])
        question.notes.append("A user without an annotation in a document is taken to have found nothing there.")
    else:
        question.notes.append(
            "Only annotations are listed: a user without any in a document counts as not having seen it; "
            "`empty` nothing counts it as seen."
        )


def _finish_labels(
    gathering: Gathering,
    name: str,
    labels: Mapping[int, list[str]],
    curated: Mapping[str, list[tuple[Parts, str]]],
) -> None:
    several = any(len(found) > 1 for found in labels.values())
    question = gathering.question(name, "set" if several else "label")
    without = 0
    for unit, found in labels.items():
        given = [label for label in found if label]
        if not given:
            without += 1
            continue
        gathering.answer(name, unit, tuple(sorted(set(given))) if several else given[0])
    gathering.leave_out("no-answer", without, question=name)
    for document, right in curated.items():
        given = [label for _, label in right if label]
        if given:
            question.gold[document] = tuple(sorted(set(given))) if several else given[0]
