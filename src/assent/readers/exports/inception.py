"""INCEpTION and WebAnno: project exports and folders of annotated documents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from assent.errors import EmptyTable, UnknownLayout, UnreadableFile
from assent.readers.exports._layers import AnnotatedText, Layer, Work, aliases, layered_questions, listed, within
from assent.readers.exports.cas import is_cas_json, is_xmi, parse_cas_json, parse_cas_xmi
from assent.readers.exports.json_records import load
from assent.readers.exports.model import Export, LeftOut
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Member, Source
from assent.readers.exports.texts import read_text
from assent.readers.exports.webanno_tsv import Placing, is_webanno_tsv, parse_webanno_tsv, token_places
from assent.records import Struct
from assent.text import shown

__all__ = ["AnnotatedDocuments", "Project"]

_PROJECT = re.compile(r"(?:[^/]+/)?exportedproject\d*\.json")
_TEMPORARY = re.compile(r"webanno\d+export")
_CURATION, _INITIAL = "CURATION_USER", "INITIAL_CAS"
_AGAIN = "export again with UIMA CAS JSON as the secondary format"


class _File(Struct, frozen=True, kw_only=True):
    """One annotated document, parsed."""

    folder: str
    annotator: str
    form: str
    content: AnnotatedText


def _form(member: Member) -> str | None:
    """Return the form of a file with annotations: tsv, json, xmi or zip; None if it is none that can be read."""
    suffix = member.suffix
    if suffix in (".ser", ".log", ".conf", ".md"):
        return None
    head = member.head(2048)
    if head.startswith(b"PK\3\4"):
        return "zip"
    if is_webanno_tsv(head):
        return "tsv"
    if suffix == ".json" or head.lstrip()[:1] == b"{":
        return "json" if is_cas_json(head) else None
    return "xmi" if suffix == ".xmi" or is_xmi(head) else None


def _typesystem(members: Iterable[Member], folder: PurePosixPath) -> Member | None:
    """Return the declaration of the types that lies nearest to a file of a folder."""
    found = [m for m in members if PurePosixPath(m.name).name.lower() == "typesystem.xml"]
    beside = [m for m in found if PurePosixPath(m.name).parent == folder]
    return next(iter([*beside, *found]), None)


def _remembered() -> Placing:
    """Return what places tokens, for one reading: the annotators of a document come one after the other."""
    return lru_cache(maxsize=2)(token_places)


def _parsed(
    member: Member, form: str, siblings: Iterable[Member], placing: Placing
) -> tuple[str, str, AnnotatedText] | None:
    """Return annotator, form and content of a file; None if a zip holds nothing that can be read."""
    if form == "tsv":
        return member.stem, "WebAnno TSV", parse_webanno_tsv(read_text(member), member.title, placing=placing)
    if form == "json":
        return member.stem, "UIMA CAS JSON", parse_cas_json(member.content(), member.title)
    if form == "xmi":
        declared = _typesystem(siblings, PurePosixPath(member.name).parent)
        content = parse_cas_xmi(member.content(), declared.content() if declared else None, member.title)
        return member.stem, "UIMA CAS XMI", content
    inner = member.opened()
    for one in inner:
        kind = _form(one)
        if kind is None or kind == "zip":
            continue
        found = _parsed(one, kind, inner.members, placing)
        if found is not None:
            # Before 2022 the zip had a name of chance, and the file in it that of the annotator.
            name = found[0] if _TEMPORARY.fullmatch(member.stem) else member.stem
            return name, found[1], found[2]
    return None


def _share_text(content: AnnotatedText, known: dict[str, str]) -> None:
    """Let all annotators of a document have one text, which memory then holds only once."""
    content.text = known.setdefault(content.text, content.text)


def _pairs(pairs: Iterable[tuple[str, str]], called: Mapping[str, str]) -> str:
    return listed(f"{called.get(annotator, annotator)}, {document}" for document, annotator in pairs)


def _count(number: int, one: str) -> str:
    return f"{number:,} {one}{'' if number == 1 else 's'}"


def _export(
    files: list[tuple[str, _File]],
    options: ReadOptions,
    *,
    title: str,
    left_out: list[LeftOut],
    notes: list[str],
    called: Mapping[str, str],
) -> Export:
    """Return the export of documents that are annotated, curated, or as they were imported."""
    works: dict[tuple[str, str], Work] = {}
    gold: list[Work] = []
    initial: list[Work] = []
    repeats = 0
    for document, file in files:
        work = Work(document=document, annotator=called.get(file.annotator, file.annotator), content=file.content)
        if file.annotator == _CURATION:
            gold.append(work)
        elif file.annotator == _INITIAL:
            initial.append(work)
        elif (document, file.annotator) in works:
            repeats += 1
        else:
            works[document, file.annotator] = work
    done = list(works.values())
    if repeats:
        left_out.append(LeftOut(reason="duplicate", rows=repeats, detail="same document and annotator in another form"))
    if gold:
        left_out.append(LeftOut(reason="gold", rows=len(gold), detail="curation (CURATION_USER)"))
        notes.append(f"The curation ({_count(len(gold), 'document')}) is gold, not an annotator.")
    if initial:
        left_out.append(LeftOut(reason="not-measured", rows=len(initial), detail="INITIAL_CAS"))
        notes.append("INITIAL_CAS is the document as it was imported and nobody's work.")
    if not done:
        raise EmptyTable(f"{title} holds no document that an annotator worked on and that counts.")
    texts = within({w.document: w.content.text for w in [*gold, *done]}, options.keep_texts)
    questions, not_measured, said = layered_questions(done, gold=gold, initial=initial, texts=texts, options=options)
    emails = {alias: name for name, alias in called.items() if alias != name}
    forms = " and ".join(dict.fromkeys(file.form for _, file in files))
    return Export(
        format=f"{title}, {forms}",
        questions=tuple(questions),
        texts=texts,
        names=emails,
        left_out=(*left_out, *not_measured),
        notes=(*notes, *said),
    )


@reader(name="inception", title="INCEpTION", rank=10)
class Project:
    """A project as INCEpTION or WebAnno exports it: a zip, or the folder that was unpacked from it."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether there is the description of a project."""
        return any(_PROJECT.fullmatch(m.name) for m in source)

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return the questions of the project: its layers of spans and of documents."""
        described = next((m for m in source if _PROJECT.fullmatch(m.name)), None)
        if described is None:
            raise UnreadableFile(f"{source.title} holds no exportedproject.json and is no project of INCEpTION.")
        states, documents = _states(load(described))
        base = described.name.rpartition("/")[0]
        found: list[tuple[str, _File]] = []
        other: Counter[str] = Counter()
        texts: dict[str, str] = {}
        placing = _remembered()
        for member, document in _annotated(source, base):
            form = _form(member)
            parsed = _parsed(member, form, source.members, placing) if form else None
            if parsed is None:
                if PurePosixPath(member.name).name.lower() != "typesystem.xml":
                    other[member.suffix or "no suffix"] += 1
                continue
            _share_text(parsed[2], texts)
            found.append((document, _File(folder=document, annotator=parsed[0], form=parsed[1], content=parsed[2])))
        if not found:
            raise UnreadableFile(_nothing_readable(source, other))
        left_out: list[LeftOut] = []
        if other:
            left_out.append(LeftOut(reason="unreadable", rows=other.total(), detail=", ".join(other)))
        people = {f.annotator: None for _, f in found} | {user: None for _, user in states}
        called = aliases((p for p in people if p not in (_CURATION, _INITIAL)), options)
        kept, notes = _by_state(found, states, documents, options, left_out, called)
        return _export(
            kept, options, title="INCEpTION project", left_out=left_out, notes=notes, called=called
        )  # fmt: skip


def _annotated(source: Source, base: str) -> Iterator[tuple[Member, str]]:
    """Yield the files with annotations and curations, and the document of each."""
    above = f"{base}/" if base else ""
    for member in source:
        if not member.name.startswith(above):
            continue
        *folders, _ = member.name[len(above) :].split("/")
        if len(folders) > 1 and folders[0] in ("annotation", "curation"):
            yield member, "/".join(folders[1:])


def _states(project: Any) -> tuple[dict[tuple[str, str], str], list[str]]:
    """Return the state of each (document, annotator), and the documents, as far as the description has them."""

    def objects(key: str) -> Iterator[dict[str, Any]]:
        found = project.get(key) if isinstance(project, dict) else None
        yield from (one for one in found if isinstance(one, dict)) if isinstance(found, list) else ()

    states = {
        (one["name"], one["user"]): str(one.get("state"))
        for one in objects("annotation_documents")
        if isinstance(one.get("name"), str) and isinstance(one.get("user"), str)
    }
    documents = [one["name"] for one in objects("source_documents") if isinstance(one.get("name"), str)]
    return states, list(dict.fromkeys([*documents, *(name for name, _ in states)]))


def _nothing_readable(source: Source, other: Counter[str]) -> str:
    if other:
        kinds = ", ".join(f"{count:,} {suffix}" for suffix, count in other.most_common(3))
        return f"{source.title} is an INCEpTION project whose annotation files ({kinds}) hold no annotations; {_AGAIN}."
    return f"{source.title} is a backup of an INCEpTION project, whose annotations only INCEpTION itself can read; {_AGAIN}."


def _by_state(
    found: list[tuple[str, _File]],
    states: Mapping[tuple[str, str], str],
    documents: list[str],
    options: ReadOptions,
    left_out: list[LeftOut],
    called: Mapping[str, str],
) -> tuple[list[tuple[str, _File]], list[str]]:
    """Return the files that count, and what must be said of the others."""
    kept: list[tuple[str, _File]] = []
    by: dict[str, list[tuple[str, str]]] = {"IGNORE": [], "NEW": [], "IN_PROGRESS": []}
    for document, file in found:
        state = states.get((document, file.annotator), "")
        if state in by and file.annotator not in (_CURATION, _INITIAL):
            by[state].append((document, file.annotator))
            if state != "IN_PROGRESS" or options.finished_only:
                continue
        kept.append((document, file))
    notes = []
    if by["IGNORE"]:
        left_out.append(LeftOut(reason="ignored", rows=len(by["IGNORE"]), detail="state IGNORE (locked)"))
        notes.append(f"Locked and left out: {_count(len(by['IGNORE']), 'document')} ({_pairs(by['IGNORE'], called)}).")
    going = by["IN_PROGRESS"]
    if going and options.finished_only:
        left_out.append(LeftOut(reason="unfinished", rows=len(going), detail="state IN_PROGRESS"))
        notes.append(f"Still in progress and left out: {_count(len(going), 'document')} ({_pairs(going, called)}).")
    elif going:
        before = {d: f.content.layers for d, f in found if f.annotator == _INITIAL}
        untouched = sum(
            d in before and _same(f.content.layers, before[d]) for d, f in kept if (d, f.annotator) in set(going)
        )
        notes.append(
            f"Still in progress: {_count(len(going), 'document')} ({_pairs(going, called)}); included, as on INCEpTION's "
            "own agreement page; `finished_only` leaves such documents out."
            + (f" Of these {untouched:,} {'is' if untouched == 1 else 'are'} as imported." if untouched else "")
        )
    have = {(d, f.annotator) for d, f in found}
    people = [a for a in called if any(a == annotator for _, annotator in have)]
    never = [(d, a) for a in people for d in documents if (d, a) not in have]
    never.extend(by["NEW"])
    if by["NEW"]:
        left_out.append(LeftOut(reason="unfinished", rows=len(by["NEW"]), detail="state NEW (never opened)"))
    if never:
        notes.append(f"Never opened: {_count(len(never), 'document')} ({_pairs(never, called)}).")
    idle = [a for a in called if a not in people]
    if idle:
        notes.append(f"Opened no document: {listed(called[a] for a in idle)}.")
    if options.finished_only and not states:
        notes.append("The project says of no document whether it is finished; all were taken.")
    return kept, notes


def _same(one: Mapping[str, Layer], other: Mapping[str, Layer]) -> bool:
    """Return whether two contents say the same; a layer without annotations may be left out."""
    empty = Layer()
    return all(
        sorted(one.get(name, empty).spans) == sorted(other.get(name, empty).spans)
        and (one.get(name, empty).whole or []) == (other.get(name, empty).whole or [])
        for name in {*one, *other}
    )


@reader(name="webanno", title="WebAnno TSV or UIMA CAS", rank=110)
class AnnotatedDocuments:
    """Documents in WebAnno TSV, CAS JSON or XMI, in folders: ``document/annotator.tsv`` or ``annotator/document.tsv``."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether one of the first files is such a document."""
        likely = [m for m in source if m.suffix in (".tsv", ".json", ".xmi", ".xml", "")] or list(source)[:3]
        return any(_form(m) in ("tsv", "json", "xmi") for m in likely[:20])

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return the questions that the layers of the documents are."""
        found: list[_File] = []
        texts: dict[str, str] = {}
        placing = _remembered()
        for member in source:
            # A file that ends like the others and is none of them is refused by its parser rather than passed over.
            form = _form(member) or {".tsv": "tsv", ".xmi": "xmi"}.get(member.suffix)
            parsed = _parsed(member, form, source.members, placing) if form else None
            if parsed is None:
                continue
            _share_text(parsed[2], texts)
            name = options.annotator_in(member.name) or parsed[0]
            folder = member.name.rpartition("/")[0]
            found.append(_File(folder=folder, annotator=name, form=parsed[1], content=parsed[2]))
        if not found:
            raise UnreadableFile(f"{source.title} holds no document in WebAnno TSV 3, CAS JSON or XMI.")
        if len(found) == 1:
            raise UnknownLayout(
                f"{source.title} holds one document of one annotator; name the project's export, "
                "or a folder document/annotator.tsv with the files of all annotators."
            )
        files, notes = _arranged(found, source)
        called = aliases(
            dict.fromkeys(f.annotator for _, f in files if f.annotator not in (_CURATION, _INITIAL)), options
        )
        return _export(files, options, title="Annotated documents", left_out=[], notes=notes, called=called)


def _squeezed(file: _File) -> str:
    """Return the text without white space: TSV does not hold what stands between sentences."""
    return "".join(file.content.text.split())


def _arranged(found: list[_File], source: Source) -> tuple[list[tuple[str, _File]], list[str]]:
    """Return each file with its document: the folder it lies in or, where the texts say so, the name of the file."""

    def consistent(groups: dict[str, list[_File]]) -> tuple[bool, bool]:
        same = all(len({_squeezed(f) for f in group}) == 1 for group in groups.values())
        return same, same and any(len(group) > 1 for group in groups.values())

    by_folder: dict[str, list[_File]] = {}
    by_name: dict[str, list[_File]] = {}
    for file in found:
        # A project's folders, unpacked: the curation of a document lies beside its annotations.
        folder = re.sub(r"^(?:annotation|curation)/", "", file.folder)
        by_folder.setdefault(folder, []).append(file)
        by_name.setdefault(file.annotator, []).append(file)
    ordinary, evident = consistent(by_folder)
    if not evident and consistent(by_name)[1]:
        turned = [
            (
                f.annotator,
                _File(folder=f.folder, annotator=PurePosixPath(f.folder).name, form=f.form, content=f.content),
            )
            for f in found
        ]
        return turned, ["The annotator is the folder, the document the name of the file."]
    if not ordinary:
        document, group = next((d, g) for d, g in by_folder.items() if len({_squeezed(f) for f in g}) > 1)
        first = group[0]
        second = next(f for f in group if _squeezed(f) != _squeezed(first))
        raise UnknownLayout(
            f"{source.title}: {shown(first.annotator)} and {shown(second.annotator)} in {shown(document or '.')} are not "
            "the same text; put the files of a document into a folder, each with the name of its annotator."
        )
    shared = _shared_folders(by_folder)
    files = [
        (folder[shared:] or PurePosixPath(source.name).stem or "document", f)
        for folder, group in by_folder.items()
        for f in group
    ]
    return files, ["The annotator is the name of the file, the document the folder."]


def _shared_folders(folders: Iterable[str]) -> int:
    """Return how many characters of the folders' names are those of folders that all lie in."""
    split = [folder.split("/") for folder in folders]
    depth = 0
    while all(len(parts) > depth + 1 for parts in split) and len({parts[depth] for parts in split}) == 1:
        depth += 1
    return len("/".join(split[0][:depth])) + (1 if depth else 0)
