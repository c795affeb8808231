"""Layers of annotations in one document as UIMA tools have them, and the questions that they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import field
from msgspec.structs import replace

from assent.errors import EmptyTable
from assent.readers.exports.gathering import Gathering
from assent.readers.exports.model import Answers, Kind, LeftOut, Spans
from assent.readers.exports.options import ReadOptions
from assent.records import Struct

__all__ = [
    "AnnotatedText",
    "Layer",
    "Work",
    "aliases",
    "is_technical",
    "layered_questions",
    "listed",
    "short_names",
    "within",
]

#: Layers that hold the text's structure or the tool's bookkeeping.
_TECHNICAL = frozenset(
    f"de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.{name}"
    for name in (
        "Token",
        "Sentence",
        "TokenForm",
        "Paragraph",
        "Heading",
        "Div",
        "Document",
        "NGram",
        "Split",
        "CompoundPart",
    )
)
_TECHNICAL_PREFIXES = (
    "uima.cas.",
    "uima.tcas.",
    "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.",
    "de.tudarmstadt.ukp.dkpro.core.api.transform.type.",
    "de.tudarmstadt.ukp.clarin.webanno.api.type.",
    "org.dkpro.core.api.xml.type.",
    "org.dkpro.core.api.pdf.type.",
)
#: Features of built-in layers that say more about what another one says.
_SECONDARY = frozenset({"identifier", "coarseValue"})


def aliases(annotators: Iterable[str], options: ReadOptions) -> dict[str, str]:
    """Return what each annotator is called: an e-mail address becomes A1, A2, … unless names were asked for."""
    gathering = Gathering(options)
    gathering.annotators.extend(annotators)
    return gathering.aliases()


def within(texts: Mapping[str, str], room: int) -> dict[str, str]:
    """Return as many of the texts, in their order, as there is room for.

    Examples
    --------
    >>> within({"a": "four", "b": "seven..", "c": "two"}, 8)
    {'a': 'four', 'c': 'two'}
    """
    if sum(map(len, texts.values())) <= room:
        return dict(texts)
    kept = {}
    for name, text in texts.items():
        if len(text) <= room:
            room -= len(text)
            kept[name] = text
    return kept


def settled(question: Spans, options: ReadOptions) -> Spans:
    """Return the question with documents without a span as not seen, if that was asked for."""
    if options.empty != "missing":
        return question
    found = set(zip(question.document, question.annotator, strict=True))
    seen = [pair for pair in question.seen if pair in found]
    gone = len(question.seen) - len(seen)
    left_out = LeftOut(reason="no-answer", rows=gone, detail="documents without a span")
    return replace(question, seen=seen, left_out=(*question.left_out, left_out)) if gone else question


def listed(names: Iterable[str], limit: int = 4) -> str:
    """Return names for a note: a few of them, and how many more there are.

    Examples
    --------
    >>> listed(["a", "b", "c"], limit=2)
    'a; b; and 1 more'
    """
    names = list(names)
    shown = "; ".join(names[:limit])
    return shown if len(names) <= limit else f"{shown}; and {len(names) - limit:,} more"


def is_technical(layer: str) -> bool:
    """Return whether a layer is the text's structure or the tool's own and never an answer."""
    return layer in _TECHNICAL or layer.startswith(_TECHNICAL_PREFIXES)


class Layer(Struct, kw_only=True):
    """The annotations of one layer in one document.

    Parameters
    ----------
    features : list of str
        Those whose values are labels.
    spans : list of (begin, end, values)
        In code points; `values` has one text for each feature, empty if the annotator gave none.
    whole : list of values
        The annotations of a layer whose annotations belong to the document as a whole; each value is a tuple of texts.
    """

    features: list[str] = field(default_factory=list)
    spans: list[tuple[int, int, tuple[str, ...]]] = field(default_factory=list)
    whole: list[tuple[tuple[str, ...], ...]] | None = None


class AnnotatedText(Struct, kw_only=True):
    """What one annotator did to one document.

    Parameters
    ----------
    unmeasured : Counter
        Annotations of other kinds by (what, layer), such as ``("relations", "…Dependency")``.
    impossible : Counter
        Spans outside the text by layer.
    wide : bool
        Whether the text holds characters that UTF-16 counts twice.
    """

    text: str
    layers: dict[str, Layer] = field(default_factory=dict)
    unmeasured: Counter[tuple[str, str]] = field(default_factory=Counter)
    impossible: Counter[str] = field(default_factory=Counter)
    wide: bool = False


class Work(Struct, frozen=True, kw_only=True):
    """A document that somebody annotated."""

    document: str
    annotator: str
    content: AnnotatedText


def short_names(layers: Iterable[str]) -> dict[str, str]:
    """Return a short name for each layer: the last part, or all of it where two would be the same.

    Examples
    --------
    >>> short_names(["a.b.Mood", "a.Tone", "c.Mood"])
    {'a.b.Mood': 'a.b.Mood', 'a.Tone': 'Tone', 'c.Mood': 'c.Mood'}
    """
    last = {layer: layer.rsplit(".", 1)[-1] or layer for layer in layers}
    times = Counter(last.values())
    return {layer: name if times[name] == 1 else layer for layer, name in last.items()}


class _Schema(Struct, kw_only=True):
    """All features that a layer has in any document."""

    features: dict[str, None] = field(default_factory=dict)
    whole: bool = False


def _schemas(works: Iterable[Work]) -> dict[str, _Schema]:
    found: dict[str, _Schema] = {}
    for work in works:
        for name, layer in work.content.layers.items():
            schema = found.setdefault(name, _Schema())
            schema.features.update(dict.fromkeys(layer.features))
            schema.whole = schema.whole or layer.whole is not None
    return found


def layered_questions(
    works: list[Work], *, gold: list[Work], initial: list[Work], texts: Mapping[str, str], options: ReadOptions
) -> tuple[list[Answers | Spans], list[LeftOut], list[str]]:
    """Return the questions that the layers are, one a layer and feature, what is not measured, and what must be said.

    Parameters
    ----------
    works : list of Work
        Of the annotators; each one is a document that was seen.
    gold : list of Work
        Of the curators.
    initial : list of Work
        The documents as they were imported; what nobody changed since then is no question.
    texts : mapping of document to text
        Those that are handed over with the questions.

    Raises
    ------
    EmptyTable
        If there is no question.
    """
    schemas = {name: s for name, s in _schemas([*works, *gold]).items() if not is_technical(name)}
    titles = short_names(schemas)
    questions: list[Answers | Spans] = []
    unchanged: list[str] = []
    for layer, schema in schemas.items():
        if schema.whole:
            questions.extend(_whole(layer, titles[layer], f, works, gold, options) for f in schema.features)
            continue
        features = sorted(schema.features, key=lambda f: f in _SECONDARY)
        with_values = [f for f in features if any(_has_values(w.content.layers.get(layer), f) for w in [*works, *gold])]
        # A layer whose annotations have no value anywhere still says where something is.
        asked: list[str | None] = [*with_values] or [None]
        for feature in asked:
            title = f"{titles[layer]} {feature}" if feature else titles[layer]
            if _is_unchanged(layer, feature, works, initial):
                unchanged.append(title)
            else:
                questions.append(settled(_spans(layer, title, feature, works, gold, texts), options))
    if not questions:
        raise EmptyTable(
            "Nobody annotated a span or a document in a layer that could be measured"
            + (f" ({', '.join(unchanged)} came with the document and nobody changed it)" if unchanged else "")
            + "; check that the right project was exported."
        )
    found = [f"{titles[name]} ({', '.join(schema.features) or 'no features'})" for name, schema in schemas.items()]
    others = dict.fromkeys(key for w in works for key in w.content.unmeasured if key[0] != "slots")
    found.extend(f"{layer.rsplit('.', 1)[-1]} (of {what})" for what, layer in others)
    notes = [f"Layers found: {', '.join(found)}."]
    if unchanged:
        notes.append(f"Not asked: {', '.join(unchanged)}, which came with the document and which nobody changed.")
    left_out = _not_measured(works)
    if left_out:
        notes.append("Relations, chains and slots are counted, but not measured.")
    if any(w.content.wide for w in works):
        notes.append("The offsets count UTF-16 units in the file; they were converted to code points.")
    return questions, left_out, notes


def _not_measured(works: list[Work]) -> list[LeftOut]:
    counts: Counter[tuple[str, str]] = Counter()
    for work in works:
        counts.update(work.content.unmeasured)
    return [
        LeftOut(reason="not-measured", rows=rows, detail=f"{what}: {layer.rsplit('.', 1)[-1]}")
        for (what, layer), rows in counts.items()
    ]


def _has_values(layer: Layer | None, feature: str) -> bool:
    if layer is None or feature not in layer.features:
        return False
    at = layer.features.index(feature)
    return any(values[at] for _, _, values in layer.spans)


def _rows(content: AnnotatedText, layer: str, feature: str | None) -> list[tuple[int, int, str]]:
    found = content.layers.get(layer)
    if found is None:
        return []
    at = found.features.index(feature) if feature in found.features else None
    return sorted((b, e, values[at] if at is not None else "") for b, e, values in found.spans)


def _is_unchanged(layer: str, feature: str | None, works: list[Work], initial: list[Work]) -> bool:
    before = {w.document: _rows(w.content, layer, feature) for w in initial}
    if not any(before.values()):
        return False
    return all(_rows(w.content, layer, feature) == before.get(w.document, []) for w in works)


def _spans(
    layer: str, title: str, feature: str | None, works: list[Work], gold: list[Work], texts: Mapping[str, str]
) -> Spans:
    document: list[str] = []
    annotator: list[str] = []
    parts: list[tuple[tuple[int, int], ...]] = []
    label: list[str] = []
    for work in works:
        for begin, end, value in _rows(work.content, layer, feature):
            document.append(work.document)
            annotator.append(work.annotator)
            parts.append(((begin, end),))
            label.append(value)
    impossible = sum(w.content.impossible[layer] for w in works)
    notes = []
    unlabelled = label.count("")
    if feature and unlabelled:
        notes.append(f"{unlabelled:,} of {len(label):,} annotations have no value; their label is empty.")
    repeats = sum(n - 1 for n in Counter(zip(document, annotator, parts, label, strict=True)).values())
    if repeats:
        notes.append(
            f"{repeats:,} annotations repeat one of the same annotator with the same place and label; "
            "they are stacked annotations and each one counts."
        )
    return Spans(
        name=title,
        document=document,
        annotator=annotator,
        parts=parts,
        label=label,
        seen=[(w.document, w.annotator) for w in works],
        texts=texts,
        lengths={w.document: len(w.content.text) for w in [*gold, *works]},
        gold={
            w.document: tuple((((begin, end),), value) for begin, end, value in _rows(w.content, layer, feature))
            for w in gold
        },
        left_out=(LeftOut(reason="impossible-span", rows=impossible, detail="outside the text"),) if impossible else (),
        notes=tuple(notes),
        stacked=True,
    )


def _whole(layer: str, title: str, feature: str, works: list[Work], gold: list[Work], options: ReadOptions) -> Answers:
    def values(work: Work) -> list[str]:
        found = work.content.layers.get(layer)
        if found is None or found.whole is None or feature not in found.features:
            return []
        at = found.features.index(feature)
        return [text for one in found.whole for text in one[at]]

    given = [(w, values(w)) for w in works]
    right = {w.document: values(w) for w in gold}
    several = any(len(v) > 1 for v in [*(v for _, v in given), *right.values()])
    kind: Kind = "set" if several else "label"

    def value(found: list[str]) -> object:
        return tuple(sorted(set(found))) if several else found[0]

    # No value at all is a set, too, but no label.
    answered = given if several and options.empty == "nothing" else [(w, v) for w, v in given if v]
    without = len(given) - len(answered)
    return Answers(
        name=f"{title} {feature}",
        kind=kind,
        item=[w.document for w, _ in answered],
        annotator=[w.annotator for w, _ in answered],
        value=[value(v) for _, v in answered],
        gold={document: value(v) for document, v in right.items() if v},
        left_out=(LeftOut(reason="no-answer", rows=without, detail="documents without a value"),) if without else (),
        notes=("The annotations belong to the document as a whole: one answer a document.",),
    )
