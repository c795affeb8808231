"""UIMA CAS as JSON (0.4) and as XMI: a document with its annotations, which are typed and refer to one another."""

from __future__ import annotations

import importlib
import io
import json
import math
import re
import warnings
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from msgspec import field

from assent.errors import MissingDependency, UnreadableFile
from assent.readers.exports._layers import AnnotatedText, Layer, is_technical
from assent.readers.exports._offsets import Utf16
from assent.records import Struct
from assent.text import shown

__all__ = ["is_cas_json", "is_xmi", "parse_cas_json", "parse_cas_xmi"]

_PRIMITIVE = frozenset(
    f"uima.cas.{name}" for name in ("String", "Boolean", "Byte", "Short", "Integer", "Long", "Float", "Double")
)
_LISTS = frozenset(
    [f"{name}[]" for name in _PRIMITIVE]
    + [f"{name}Array" for name in _PRIMITIVE]
    + ["uima.cas.StringList", "uima.cas.IntegerList", "uima.cas.FloatList"]
)
_ANNOTATION, _BASE = "uima.tcas.Annotation", "uima.cas.AnnotationBase"
_PLAIN = _PRIMITIVE | _LISTS
#: What every annotation has, or what the tool keeps for itself.
_OWN = frozenset({"sofa", "begin", "end"})
_OWN_KEYS = frozenset({"begin", "end", "sofa", "@sofa", "%ID", "%TYPE", "%FLAGS", ""})
_CAS_KEYS = (b'"%FEATURE_STRUCTURES"', b'"%VIEWS"')
_DOCTYPE = re.compile(rb"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)


def is_cas_json(head: bytes) -> bool:
    """Return whether a JSON file that begins with `head` is a CAS."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith(b"{") and (
        any(key in head for key in _CAS_KEYS) or start[1:].lstrip().startswith(b'"%TYPES"')
    )


def is_xmi(head: bytes) -> bool:
    """Return whether an XML file that begins with `head` is a CAS as XMI."""
    return b"<xmi:XMI" in head


class _Type(Struct, kw_only=True):
    """A type of the type system."""

    parent: str = ""
    ranges: dict[str, str] = field(default_factory=dict)


class _Types:
    """The types that a CAS declares, with what each one inherits."""

    def __init__(self, types: Mapping[str, _Type]) -> None:
        self._types = types

    def knows(self, name: str) -> bool:
        return name in self._types

    def lineage(self, name: str) -> list[str]:
        found = [name]
        while (parent := self._types[found[-1]].parent if found[-1] in self._types else "") and parent not in found:
            found.append(parent)
        return found

    def is_plain(self, name: str) -> bool:
        """Return whether it is a declared type of spans that refer to nothing."""
        return _ANNOTATION in self.lineage(name) and all(
            r in _PRIMITIVE or f in _OWN for f, r in self.ranges(name).items()
        )

    def ranges(self, name: str) -> dict[str, str]:
        return {
            f: r
            for one in reversed(self.lineage(name))
            if one in self._types
            for f, r in self._types[one].ranges.items()
        }


class _Found(NamedTuple):
    """A feature structure: its place if it has one, its plain values, and how many others each feature refers to."""

    begin: int | None
    end: int | None
    values: Mapping[str, tuple[str, ...]]
    references: Mapping[str, int]


def _spelled(value: object) -> str:
    """Return a plain value as text, as the tool would show it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return str(int(value))
    return str(value)


def _role(name: str, types: _Types, found: Iterable[_Found]) -> str:
    """Return what a layer is: span, whole (of the document), relation, chain or other."""
    lineage, ranges = types.lineage(name), types.ranges(name)
    references = {f for f in ranges if ranges[f] not in _PLAIN and f not in _OWN}
    references.update(f for one in found for f in one.references)
    placed = _ANNOTATION in lineage or any(one.begin is not None for one in found)
    if {"Governor", "Dependent"} <= references or {"source", "target"} <= references:
        return "relation"
    if placed and "next" in references:
        return "chain"
    if placed:
        return "span"
    # A type that is not declared (the type system may be left out) belongs to the document if it says anything.
    of_document = _BASE in lineage if types.knows(name) else any(one.values for one in found)
    if "first" in references or not of_document:
        return "other"
    return "whole"


def _is_label(feature: str) -> bool:
    return feature not in _OWN and not feature.startswith("i7n_")


def _add(result: AnnotatedText, name: str, members: list[_Found], types: _Types) -> None:
    """Add the annotations of a layer of any kind; offsets are in code points already."""
    role = _role(name, types, members)
    if role in ("relation", "chain"):
        result.unmeasured["relations" if role == "relation" else "links of chains", name] += len(members)
    if role not in ("span", "whole"):
        return
    ranges = types.ranges(name)
    # Without a type system the features are those that the annotations have.
    features = [f for f, r in ranges.items() if r in _PLAIN]
    features.extend({f: None for one in members for f in one.values if f not in ranges})
    features = [f for f in features if _is_label(f)]
    layer = result.layers[name] = Layer(features=features)
    if role == "whole":
        layer.whole = [tuple(one.values.get(f, ()) for f in features) for one in members]
        return
    slots = sum(sum(one.references.values()) for one in members)
    if slots:
        result.unmeasured["slots", name] += slots
    for begin, end, values, _ in members:
        if begin is None or end is None or not 0 <= begin <= end <= len(result.text):
            result.impossible[name] += 1
        else:
            layer.spans.append((begin, end, tuple(_one_label(values.get(f, ())) for f in features)))


def _one_label(values: tuple[str, ...]) -> str:
    return values[0] if len(values) == 1 else " | ".join(sorted(values))


def _problem(title: str, what: str) -> UnreadableFile:
    return UnreadableFile(f"{title} is no UIMA CAS JSON 0.4: {what}; export the document again.")


def parse_cas_json(data: bytes, title: str) -> AnnotatedText:
    """Return what a CAS in JSON holds.

    Parameters
    ----------
    data : bytes
        Of the file.
    title : str
        Of the file, for messages.

    Raises
    ------
    UnreadableFile
        If it is no JSON, or not a CAS.
    """
    try:
        cas = json.loads(data)
    except RecursionError:
        raise UnreadableFile(f"{title} is nested too deeply to be read.") from None
    except ValueError as error:
        where = f" (line {error.lineno:,})" if isinstance(error, json.JSONDecodeError) else ""
        raise UnreadableFile(f"{title} is not valid JSON{where}; export the document again.") from None
    if not isinstance(cas, dict):
        raise _problem(title, "it is no object")
    structures = _structures(cas.get("%FEATURE_STRUCTURES"), title)
    views = cas.get("%VIEWS")
    if not isinstance(views, dict) or not all(isinstance(view, dict) for view in views.values()):
        raise _problem(title, "there are no views")
    if not views:
        return AnnotatedText(text="")
    # One document, one text: the first view, unless the usual one is there.
    view = views.get("_InitialView") or next(iter(views.values()))
    sofa, members = view.get("%SOFA"), view.get("%MEMBERS", [])
    if not isinstance(members, list) or not all(isinstance(m, int) for m in members):
        raise _problem(title, "the members of a view are no list of numbers")
    text = structures[sofa].get("sofaString") if isinstance(sofa, int) and sofa in structures else ""
    if text is not None and not isinstance(text, str):
        raise _problem(title, "the text of the document is no text")
    text = text or ""
    counting, types = Utf16.of(text), _json_types(cas.get("%TYPES"), title)
    by_type: dict[str, list[Mapping[str, Any]] | None] = {}
    for number in members:
        one = structures.get(number)
        if one is None:
            continue
        kind = one.get("%TYPE")
        if not isinstance(kind, str):
            raise _problem(title, "a feature structure has no type")
        if kind not in by_type:
            # Most structures are tokens, which nobody asks for.
            by_type[kind] = None if is_technical(kind) else []
        found = by_type[kind]
        if found is not None:
            found.append(one)
    result = AnnotatedText(text=text, wide=counting.differs)
    for kind, raw in by_type.items():
        if raw is not None and types.is_plain(kind):
            _add_plain(result, kind, raw, types, counting)
        elif raw is not None:
            _add(result, kind, [_json_structure(one, structures, counting) for one in raw], types)
    return result


def _add_plain(result: AnnotatedText, name: str, raw: list[Mapping[str, Any]], types: _Types, counting: Utf16) -> None:
    """Add a layer of spans none of which refers to anything: most layers, and most annotations."""
    features = [f for f in types.ranges(name) if _is_label(f)]
    layer = result.layers[name] = Layer(features=features)
    length, wide, spans = len(result.text), counting.differs, layer.spans
    for one in raw:
        get = one.get
        begin, end = get("begin"), get("end")
        if begin.__class__ is not int or end.__class__ is not int:
            result.impossible[name] += 1
            continue
        if wide:
            begin, end = counting.code_point(begin), counting.code_point(end)
        if 0 <= begin <= end <= length:
            values = [get(f) for f in features]
            # Numbers that JSON does not have stand under a name of their own.
            texts = [
                v if v.__class__ is str else _plain_value(v if v is not None else get(f"#{f}"))
                for f, v in zip(features, values, strict=True)
            ]
            spans.append((begin, end, tuple(texts)))
        else:
            result.impossible[name] += 1


def _plain_value(value: object) -> str:
    return _spelled(value) if isinstance(value, str | int | float) else ""


def _structures(found: object, title: str) -> dict[int, dict[str, Any]]:
    """Return the feature structures by number; they are a list, or an object whose keys are the numbers."""
    if isinstance(found, dict):
        found = [{**one, "%ID": int(key)} for key, one in found.items() if isinstance(one, dict) and key.isdecimal()]
    if not isinstance(found, list):
        raise _problem(title, "there are no feature structures")
    structures: dict[int, dict[str, Any]] = {}
    for one in found:
        number = one.get("%ID") if isinstance(one, dict) else None
        if not isinstance(number, int):
            raise _problem(title, "a feature structure has no number")
        structures[number] = one
    return structures


def _json_types(declared: object, title: str) -> _Types:
    types: dict[str, _Type] = {}
    if declared is None:
        return _Types(types)
    if not isinstance(declared, dict):
        raise _problem(title, "the types are no object")
    for name, one in declared.items():
        if not isinstance(one, dict):
            raise _problem(title, f"the type {shown(name)} is no object")
        ranges = {f: str(r.get("%RANGE")) for f, r in one.items() if not f.startswith("%") and isinstance(r, dict)}
        types[name] = _Type(parent=str(one.get("%SUPER_TYPE") or ""), ranges=ranges)
    return _Types(types)


def _json_structure(one: Mapping[str, Any], structures: Mapping[int, Mapping[str, Any]], counting: Utf16) -> _Found:
    values: dict[str, tuple[str, ...]] = {}
    references: dict[str, int] = {}
    for key, value in one.items():
        if key in _OWN_KEYS or value is None:
            continue
        if value.__class__ is str and key[0] not in "%^@#":
            values[key] = (value,)
        elif key.startswith("@"):
            _refer(key[1:], value, structures, values, references)
        elif key[:1] not in ("%", "^") and isinstance(value, str | int | float):
            values[key.removeprefix("#")] = (_spelled(value),)
    begin, end = one.get("begin"), one.get("end")
    return _Found(
        counting.code_point(begin) if begin.__class__ is int else None,
        counting.code_point(end) if end.__class__ is int else None,
        values,
        references,
    )


def _refer(
    feature: str,
    number: object,
    structures: Mapping[int, Mapping[str, Any]],
    values: dict[str, tuple[str, ...]],
    references: dict[str, int],
) -> None:
    """Add what a feature refers to: the values of a list of plain ones, else the number of structures."""
    target = structures.get(number) if isinstance(number, int) else None
    elements = target.get("%ELEMENTS") if target is not None else None
    if target is not None and isinstance(elements, list) and target.get("%TYPE") in _LISTS:
        values[feature] = tuple(_spelled(v) for v in elements if v is not None)
    else:
        references[feature] = len(elements) if isinstance(elements, list) else 1


def parse_cas_xmi(data: bytes, typesystem: bytes | None, title: str) -> AnnotatedText:
    """Return what a CAS in XMI holds.

    Parameters
    ----------
    data : bytes
        Of the file.
    typesystem : bytes, optional
        Of the file that declares the types, ``TypeSystem.xml``.
    title : str
        Of the file, for messages.

    Raises
    ------
    UnreadableFile
        If it is no XMI, declares XML entities, or the type system is missing.
    MissingDependency
        If the package that reads XMI is not installed.
    """
    if typesystem is None:
        raise UnreadableFile(
            f"{title} comes without its TypeSystem.xml, which says what is in it; put it beside the file, "
            "or export again with UIMA CAS JSON."
        )
    for part in (data, typesystem):
        # An encoding of two bytes a character would hide a document type from the search.
        if part[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in part[:200]:
            raise UnreadableFile(f"{title} is not UTF-8; export again with UIMA CAS JSON.")
        if _DOCTYPE.search(part):
            raise UnreadableFile(f"{title} declares an XML document type, which no export does; it is not opened.")
    try:
        cassis = importlib.import_module("cassis")
    except ImportError:
        raise MissingDependency(
            f'{title} is XMI, which dkpro-cassis reads: pip install "assent[uima]", or export again with UIMA CAS JSON.'
        ) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            declared = cassis.load_typesystem(io.BytesIO(typesystem))
            cas = cassis.load_cas_from_xmi(io.BytesIO(data), typesystem=declared, lenient=True)
            return _from_cassis(cas, declared)
    except RecursionError:
        raise UnreadableFile(f"{title} is nested too deeply to be read.") from None
    except Exception as error:
        # The package lets the errors of its parsers through, of many classes.
        raise UnreadableFile(
            f"{title} cannot be read as XMI ({type(error).__name__}); export again with UIMA CAS JSON."
        ) from None


def _from_cassis(cas: Any, declared: Any) -> AnnotatedText:
    types = {
        one.name: _Type(
            parent=one.supertype.name if one.supertype is not None else "",
            ranges={f.name: f.rangeType.name for f in one.all_features},
        )
        for one in declared.get_types(built_in=True)
    }
    by_type: dict[str, list[_Found]] = {}
    for structure in cas.select_all_fs() if hasattr(cas, "select_all_fs") else cas.select_all():
        declared_type = structure.type
        if is_technical(declared_type.name):
            continue
        values: dict[str, tuple[str, ...]] = {}
        references: dict[str, int] = {}
        for feature in declared_type.all_features:
            value = structure.get(feature.name)
            if value is None or feature.name in _OWN:
                continue
            if isinstance(value, str | int | float):
                values[feature.name] = (_spelled(value),)
                continue
            elements = getattr(value, "elements", value)
            plain = isinstance(elements, list) and all(isinstance(v, str | int | float) for v in elements)
            if plain:
                values[feature.name] = tuple(_spelled(v) for v in elements)
            else:
                references[feature.name] = len(elements) if isinstance(elements, list) else 1
        place = (getattr(structure, "begin", None), getattr(structure, "end", None))
        by_type.setdefault(declared_type.name, []).append(_Found(*place, values, references))
    text = cas.sofa_string or ""
    result = AnnotatedText(text=text, wide=Utf16.of(text).differs)
    for name, members in by_type.items():
        _add(result, name, members, _Types(types))
    return result
