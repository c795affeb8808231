"""WebAnno TSV 3: one token a line, the layers of spans, relations and chains in columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import compress, count, repeat
from operator import gt, ne

from assent.errors import UnreadableFile
from assent.readers.exports._layers import AnnotatedText, Layer
from assent.readers.exports._offsets import Utf16, utf16_length
from assent.records import Struct
from assent.text import shown

__all__ = ["MARK", "Placing", "is_webanno_tsv", "parse_webanno_tsv", "token_places"]

MARK = "#FORMAT=WebAnno TSV 3."
"""How a file begins."""

_ANY_VERSION = re.compile(r"#FORMAT=WebAnno TSV (\d+)")
_PLACE = re.compile(r"\d+-\d+(\.\d+)?\t(\d{1,15})-(\d{1,15})", re.ASCII)
_PLACES = re.compile(r"\d{1,15}-\d{1,15}(?:\t\d{1,15}-\d{1,15})*", re.ASCII)
_IDENTIFIED = re.compile(r"(?s)((?:[^\\]|\\.)*)\[(\d+)\]")
#: What cells hold that are not one value of one token as it stands.
_SEVERAL = re.compile(r"[|\]\\]").search
#: Cells of tokens without an annotation.
_NOTHING = frozenset({"_", ""})
#: Into so many parts the sentences of a document are split that are not all regular.
_PARTS = 16
#: More between two sentences than any document leaves out.
_LONGEST_GAP = 1 << 20
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}
_ESCAPE = re.compile(r"(?s)\\(->|.)")


def is_webanno_tsv(head: bytes) -> bool:
    """Return whether a file that begins with `head` is WebAnno TSV, of any version that says so."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"#FORMAT=WebAnno TSV")


def unescaped(text: str) -> str:
    r"""Return `text` with the reserved characters that a backslash stands before.

    Examples
    --------
    >>> unescaped(r"a\|b\->c\_")
    'a|b->c_'
    """
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda m: _CONTROLS.get(m[1], m[1]), text)


def split_unescaped(text: str, separator: str) -> list[str]:
    r"""Return the parts of `text` between separators that no backslash stands before.

    Examples
    --------
    >>> split_unescaped(r"a\|b|c", "|")
    ['a\\|b', 'c']
    """
    if "\\" not in text:
        return text.split(separator)
    parts, begin, at = [], 0, 0
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == separator:
            parts.append(text[begin:at])
            begin = at + 1
        at += 1
    return [*parts, text[begin:]]


class _Column(Struct, frozen=True, kw_only=True):
    """A column behind the first three."""

    layer: str
    kind: str
    """span, empty (a span without features), role, target, relation (a feature), head, chain"""
    feature: str = ""


def _columns(kind: str, declaration: str) -> list[_Column]:
    layer, *features = declaration.split("|")
    columns: list[_Column] = []
    if kind == "SP":
        linked = False
        for feature in features:
            if linked:
                columns.append(_Column(layer=layer, kind="target", feature=feature))
                linked = False
            elif feature.startswith("ROLE_"):
                columns.append(_Column(layer=layer, kind="role", feature=feature))
                linked = True
            elif feature:
                columns.append(_Column(layer=layer, kind="span", feature=feature))
        return columns or [_Column(layer=layer, kind="empty")]
    if kind == "RL":
        columns = [
            _Column(layer=layer, kind="head" if f.startswith("BT_") else "relation", feature=f) for f in features if f
        ]
        return columns or [_Column(layer=layer, kind="head")]
    return [_Column(layer=layer, kind="chain", feature=f) for f in features if f] or [
        _Column(layer=layer, kind="chain")
    ]


class _Place:
    """From where to where a span goes, in UTF-16 units, and its values; it grows with the rows."""

    __slots__ = ("begin", "end", "values")

    def __init__(self, begin: int, end: int) -> None:
        self.begin, self.end = begin, end
        self.values: dict[str, str] = {}


Placing = Callable[
    [str, str, str, tuple[int, ...], tuple[str, ...]], tuple[list[int], list[int], list[tuple[int, str]]] | None
]


def token_places(
    numbers: str, places: str, tokens: str, sizes: tuple[int, ...], sentences: tuple[str, ...]
) -> tuple[list[int], list[int], list[tuple[int, str]]] | None:
    """Return where tokens begin and end, and pieces of text with their places; None if a row is not that of a token.

    Parameters
    ----------
    numbers, places, tokens : str
        The first three cells of all rows, with tabs between rows.
    sizes : tuple of int
        Rows of each sentence.
    sentences : tuple of str
        Their texts as they are written.
    """
    if not _PLACES.fullmatch(places) or not _PLACES.fullmatch(numbers):
        return None
    offsets = list(map(int, places.replace("-", "\t").split("\t")))
    begins, ends = offsets[::2], offsets[1::2]
    if any(map(gt, begins, ends)):
        return None
    words = tokens.split("\t")
    if "\\" in tokens:
        words = list(map(unescaped, words))
    pieces: list[tuple[int, str]] = []
    at = 0
    for size, sentence in zip(sizes, sentences, strict=True):
        here = slice(at, at + size)
        pieces.extend(_pieces(sentence, begins[here], ends[here], words[here]))
        at += size
    return begins, ends, pieces


def _pieces(
    sentence: str, begins: Sequence[int], ends: Sequence[int], words: Sequence[str]
) -> Iterable[tuple[int, str]]:
    """Return the text of a sentence and its place, or those of its tokens if they do not lie in it where their places say."""
    for text in dict.fromkeys((unescaped(sentence), sentence)):
        at = text.find(words[0]) if words[0] else 0
        start = begins[0] - utf16_length(text[:at]) if at >= 0 else -1
        if start >= 0 and _fits(text, start, begins, ends, words):
            return [(start, text)]
    return zip(begins, words, strict=True)


def _fits(text: str, start: int, begins: Sequence[int], ends: Sequence[int], words: Sequence[str]) -> bool:
    """Return whether the tokens lie in the sentence where their places say."""
    if text.isascii():
        return [text[b - start : e - start] for b, e in zip(begins, ends, strict=True)] == list(words)
    counting = Utf16.of(text, start)
    return all(
        text[counting.code_point(b) - start : counting.code_point(e) - start] == word
        for b, e, word in zip(begins, ends, words, strict=True)
    )


class _Parser:
    def __init__(self, title: str, placing: Placing) -> None:
        self.title = title
        self.placing = placing
        self.columns: list[_Column] = []
        self.by_layer: list[tuple[str, int, int, list[_Column]]] = []
        """Layer, its first cell, the one behind its last, its columns."""
        self.places: dict[str, list[_Place]] = {}
        self.numbered: dict[tuple[str, str], _Place] = {}
        self.sentence: list[str] = []
        self.tokens: list[tuple[int, int, str]] = []
        self.pieces: list[tuple[int, str]] = []
        self.result = AnnotatedText(text="")

    def problem(self, number: int, what: str) -> UnreadableFile:
        return UnreadableFile(f"{self.title}, line {number:,}: {what}; export the document again as WebAnno TSV 3.3.")

    def declare(self, kind: str, declaration: str, number: int) -> None:
        if not declaration.split("|")[0]:
            raise self.problem(number, "a layer without a name")
        columns = _columns(kind, declaration)
        first = len(self.columns) + 3
        self.by_layer.append((columns[0].layer, first, first + len(columns), columns))
        self.columns.extend(columns)
        if kind == "SP":
            layer = self.result.layers.setdefault(columns[0].layer, Layer())
            layer.features.extend(c.feature for c in columns if c.kind == "span" and c.feature not in layer.features)
            self.places.setdefault(columns[0].layer, [])

    def blocks(self, blocks: Sequence[str], start: int) -> None:
        """Take blocks between empty lines, many at once where they are regular."""
        if self.regular(blocks):
            return
        if len(blocks) == 1:
            self.lines(blocks[0], start)
            return
        step = -(-len(blocks) // _PARTS)
        for first in range(0, len(blocks), step):
            some = blocks[first : first + step]
            self.blocks(some, start)
            start += sum(block.count("\n") + 2 for block in some)

    def regular(self, blocks: Sequence[str]) -> bool:
        """Take blocks at once if each is a sentence with rows of tokens alone; return whether they are."""
        sentences, bodies = [], []
        for block in blocks:
            head, rest = [], block.strip("\n")
            while rest.startswith("#"):
                line, _, rest = rest.partition("\n")
                head.append(line)
            if not rest or "\n#" in rest or any(line.startswith("#T_") for line in head):
                return False
            sentences.append("\n".join([line[6:] for line in head if line.startswith("#Text=")]))
            bodies.append(rest)
        rows = "\n".join(bodies)
        width = len(self.columns) + 4
        # Line ends become cells of their own; they are where they belong only if each line has as many cells.
        cells = rows.removesuffix("\t").replace("\t\n" if rows.endswith("\t") else "\n", "\t\n\t").split("\t")
        breaks = cells[width - 1 :: width]
        if len(cells) != (len(breaks) + 1) * width - 1 or not len(breaks) == breaks.count("\n") == rows.count("\n"):
            return False
        sizes = tuple([body.count("\n") + 1 for body in bodies])
        numbers, places, tokens = ("\t".join(cells[c::width]) for c in range(3))
        placed = self.placing(numbers, places, tokens, sizes, tuple(sentences))
        if placed is None:
            return False
        begins, ends, pieces = placed
        self.pieces.extend(pieces)
        marked = {n for c in range(3, width - 1) for n in compress(count(), map(ne, cells[c::width], repeat("_")))}
        for n in sorted(marked):
            self.layers(cells[n * width : n * width + width - 1], begins[n], ends[n])
        return True

    def lines(self, block: str, start: int) -> None:
        """Take a block line by line."""
        for number, line in enumerate(block.split("\n"), start):
            if not line.strip():
                self.finish_sentence()
            elif line.startswith("#T_") and line[5:6] == "=" and line[3:5] in ("SP", "RL", "CH"):
                self.declare(line[3:5], line[6:].strip(), number)
            elif line.startswith("#Text="):
                if self.tokens:
                    self.finish_sentence()
                self.sentence.append(line[6:])
            elif not line.startswith("#"):
                self.row(line, number)
        self.finish_sentence()

    def row(self, line: str, number: int) -> None:
        cells = line.split("\t")
        if len(cells) == len(self.columns) + 4 and not cells[-1]:
            cells.pop()
        if len(cells) != len(self.columns) + 3:
            raise self.problem(
                number,
                f"{len(cells):,} columns where the header declares {len(self.columns) + 3:,} with token and place",
            )
        place = _PLACE.fullmatch(f"{cells[0]}\t{cells[1]}")
        if place is None:
            raise self.problem(number, f"{shown(' '.join(cells[:2]))} is no token with its place")
        begin, end = int(place[2]), int(place[3])
        if end < begin:
            raise self.problem(number, f"a token from {begin:,} to {end:,}")
        if place[1] is None:
            self.tokens.append((begin, end, unescaped(cells[2])))
        self.layers(cells, begin, end)

    def layers(self, cells: list[str], begin: int, end: int) -> None:
        for layer, first, behind, columns in self.by_layer:
            found = cells[first:behind]
            if not _NOTHING.issuperset(found):
                self.layer(layer, list(zip(found, columns, strict=True)), begin, end)

    def layer(self, layer: str, cells: list[tuple[str, _Column]], begin: int, end: int) -> None:
        first = cells[0][1]
        if all(c.kind == "span" and not _SEVERAL(cell) for cell, c in cells):
            values = self.place(layer, None, begin, end).values
            values.update([(c.feature, "" if cell == "*" else cell) for cell, c in cells if cell not in _NOTHING])
            return
        if first.kind in ("head", "relation"):
            heads = next((cell for cell, column in cells if column.kind == "head"), cells[0][0])
            self.result.unmeasured["relations", layer] += len(split_unescaped(heads, "|"))
            return
        if first.kind == "chain":
            self.result.unmeasured["links of chains", layer] += len(split_unescaped(cells[0][0], "|"))
            return
        for cell, column in cells:
            if column.kind == "target":
                slots = sum(one not in ("_", "*", "") for one in re.split(r"[|;]", cell))
                self.result.unmeasured["slots", layer] += slots
        # A host of slots may have no feature of its own; then its roles, or else their targets, tell where it is.
        telling = [(cell, c) for cell, c in cells if c.kind in ("span", "empty")] or cells
        columns = [(split_unescaped(cell, "|"), c) for cell, c in telling]
        for at in range(max([len(parts) for parts, _ in columns])):
            place: _Place | None = None
            for parts, column in columns:
                if at >= len(parts) or parts[at] in ("_", ""):
                    continue
                value, number = parts[at], None
                if value[-1] == "]" and column.kind != "target" and (numbered := _IDENTIFIED.fullmatch(value)):
                    value, number = numbered[1], numbered[2]
                if place is None:
                    place = self.place(layer, number, begin, end)
                if column.kind == "span":
                    place.values[column.feature] = "" if value == "*" else unescaped(value)

    def place(self, layer: str, number: str | None, begin: int, end: int) -> _Place:
        if number is None:
            found = _Place(begin, end)
            self.places[layer].append(found)
            return found
        known = self.numbered.get((layer, number))
        if known is None:
            known = self.numbered[layer, number] = _Place(begin, end)
            self.places[layer].append(known)
        known.begin, known.end = min(known.begin, begin), max(known.end, end)
        return known

    def finish_sentence(self) -> None:
        if self.tokens:
            begins, ends, words = zip(*self.tokens, strict=True)
            self.pieces.extend(_pieces("\n".join(self.sentence), begins, ends, words))
        self.sentence, self.tokens = [], []

    def finish(self) -> AnnotatedText:
        wide: list[int] = []
        text: list[str] = []
        reached = 0
        for begin, piece in sorted(self.pieces):
            if begin < reached:
                continue
            if begin - reached > _LONGEST_GAP:
                raise UnreadableFile(
                    f"{self.title} has nothing between {reached:,} and {begin:,}; export the document again."
                )
            # What stood between two sentences is not in the file; it was white space.
            text.append(("\n" if reached else " ") * (begin - reached))
            text.append(piece)
            wide.extend(Utf16.wide_places(piece, begin))
            reached = begin + utf16_length(piece)
        counting = Utf16(wide)
        result = self.result
        result.text, result.wide = "".join(text), counting.differs
        for layer, places in self.places.items():
            found = result.layers[layer]
            for place in places:
                values = tuple([place.values.get(feature, "") for feature in found.features])
                found.spans.append((counting.code_point(place.begin), counting.code_point(place.end), values))
        return result


def parse_webanno_tsv(text: str, title: str, *, placing: Placing = token_places) -> AnnotatedText:
    r"""Return what a file in WebAnno TSV 3 holds.

    Parameters
    ----------
    text : str
        Of the file, without a byte order mark.
    title : str
        Of the file, for messages.
    placing : function
        `token_places`, or what remembers its answers: the annotators of a document have the same tokens.

    Raises
    ------
    UnreadableFile
        If it is another version, or a line is not what the header declares.

    Examples
    --------
    >>> lines = [
    ...     "#FORMAT=WebAnno TSV 3.3",
    ...     "#T_SP=custom.Mood|value",
    ...     "",
    ...     "#Text=So sad",
    ...     "1-1\t0-2\tSo\t_\t",
    ...     "1-2\t3-6\tsad\tlow\t",
    ... ]
    >>> parse_webanno_tsv("\n".join(lines), "a file").layers["custom.Mood"].spans
    [(3, 6, ('low',))]
    """
    text = text.lstrip().replace("\r\n", "\n")
    version = _ANY_VERSION.match(text)
    if version is None or version[1] != "3":
        said = f"WebAnno TSV {version[1]}" if version else "no WebAnno TSV 3"
        raise UnreadableFile(f"{title} is {said}, which is not read; export the document again as WebAnno TSV 3.3.")
    parser = _Parser(title, placing)
    head, _, body = text.partition("\n\n")
    parser.lines(head, 1)
    parser.blocks(body.rstrip("\n").split("\n\n"), head.count("\n") + 3)
    return parser.finish()
