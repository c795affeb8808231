"""CoNLL column files: a token a line, its tag in the last column, one file for each annotator."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from assent.errors import UnknownLayout, UnreadableFile
from assent.readers.exports._layers import aliases, listed, settled, within
from assent.readers.exports.model import Answers, Export, Spans
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Member, Source
from assent.readers.exports.texts import open_text, read_text
from assent.records import Struct
from assent.text import shown

__all__ = ["Conll", "Sentence", "Tagged", "as_bio2", "entities", "parse_conll", "scheme", "written"]

_SUFFIXES = frozenset({".conll", ".conll03", ".iob", ".iob2", ".bio", ".bio2", ".bioes", ".bilou", ".bmes", ".io"})
_MAYBE = frozenset({*_SUFFIXES, ".tsv", ".txt", ".tags", ".ner", ".data", ".col", ".train", ".test", ".dev", ""})
_TAG = re.compile(r"O|[BIESLUMW]-\S+")
_START = "-DOCSTART-"
_LOOK = 1 << 14
#: What is written without a blank before it.
_CLOSING = frozenset(".,;:!?…%、。，．：；！？")
_COUNTS_TOKENS = "The offsets count tokens, not characters; the documents are the sentences, counted from 0."
_COUNTS_CHARACTERS = (
    "The offsets count characters of the text that the tokens make, with a blank between two of them but none before a full stop and the "
    "like; `offsets` tokens counts tokens. The documents are the sentences, counted from 0."
)
_CLITICS = frozenset({"n't", "'s", "'re", "'ve", "'ll", "'d", "'m"})
#: What the first letter of a tag does: begin, continue, end, stand alone.
_BEGIN, _INSIDE, _END, _SINGLE = "B", "IM", "EL", "SUW"


class Sentence(NamedTuple):
    """The tokens of a sentence, their tags, and the lines on which they stand."""

    lines: Sequence[int]
    tokens: list[str]
    tags: list[str]


class Tagged(Struct, frozen=True, kw_only=True):
    """A file of one annotator.

    Parameters
    ----------
    title : str
        Of the file, for messages.
    starts : int
        How many lines ``-DOCSTART-`` there are, which are no tokens.
    """

    title: str
    sentences: list[Sentence]
    columns: int
    starts: int


def _cells(line: str, tabs: bool) -> list[str]:
    # A token may be a blank that is neither a space nor a tab.
    return line.rstrip("\t ").split("\t") if tabs else re.split(r"[ \t]+", line.strip(" \t"))


def _is_comment(line: str, cells: list[str]) -> bool:
    return line.startswith("#") and (len(cells) < 2 or _TAG.fullmatch(cells[-1]) is None)


def parse_conll(text: str, title: str) -> Tagged:
    r"""Return the sentences of a column file.

    Raises
    ------
    UnreadableFile
        If a line has not as many columns as the others.

    Examples
    --------
    >>> for sentence in parse_conll("Mira\tB-PER\nleft\tO\n\nBye\tO\n", "a file").sentences:
    ...     print(list(sentence.lines), sentence.tokens, sentence.tags)
    [1, 2] ['Mira', 'left'] ['B-PER', 'O']
    [4] ['Bye'] ['O']
    """
    text = text.replace("\r\n", "\n")
    parser = _Parser(title, tabs="\t" in text and any("\t" in line.strip() for line in text.split("\n")))
    number = 1
    for block in text.split("\n\n"):
        if not parser.regular(block, number):
            parser.lines(block, number)
        number += block.count("\n") + 2
    if not parser.sentences:
        raise UnreadableFile(f"{title} holds no token with a tag.")
    return Tagged(title=title, sentences=parser.sentences, columns=parser.columns, starts=parser.starts)


class _Parser:
    """Takes a file in blocks between empty lines."""

    def __init__(self, title: str, *, tabs: bool) -> None:
        self.title, self.tabs = title, tabs
        self.sentences: list[Sentence] = []
        self.columns = self.first = self.starts = 0

    def regular(self, block: str, number: int) -> bool:
        """Take a block at once that is one sentence and nothing else; return whether it is."""
        if not self.columns or block.startswith("#") or "\n#" in block or _START in block:
            return False
        mark = "\t" if self.tabs else " "
        # Line ends become cells of their own; they are where they belong only if each line has as many cells.
        cells = block.replace("\n", f"{mark}\n{mark}").split(mark)
        width, many = self.columns + 1, block.count("\n") + 1
        if len(cells) != many * width - 1 or cells[width - 1 :: width].count("\n") != many - 1:
            return False
        if not self.tabs and ("" in cells or "\t" in block):
            return False
        tags = cells[width - 2 :: width]
        if any(not tag or tag != tag.strip() for tag in set(tags)):
            return False
        self.sentences.append(Sentence(range(number, number + many), cells[::width], tags))
        return True

    def lines(self, block: str, start: int) -> None:
        """Take a block line by line."""
        current: list[tuple[int, str, str]] = []
        for number, line in enumerate(block.split("\n"), start):
            if not line.strip():
                self._finish(current)
                current = []
                continue
            if line.startswith(_START):
                self.starts += 1
                continue
            cells = _cells(line, self.tabs)
            if line[0] == "#" and _is_comment(line, cells):
                continue
            self.columns, self.first = self.columns or len(cells), self.first or number
            if len(cells) < 2:
                raise UnreadableFile(
                    f"{self.title}, line {number:,}: {shown(line)} is a token without a tag; add the tag."
                )
            if len(cells) != self.columns:
                raise UnreadableFile(
                    f"{self.title}, line {number:,}: {len(cells):,} columns where line {self.first:,} has "
                    f"{self.columns:,}; correct the file."
                )
            current.append((number, cells[0], cells[-1].strip()))
        self._finish(current)

    def _finish(self, rows: list[tuple[int, str, str]]) -> None:
        if rows:
            lines, tokens, tags = zip(*rows, strict=True)
            self.sentences.append(Sentence(lines, list(tokens), list(tags)))


_OUTSIDE = ("O", "")


@lru_cache(maxsize=4096)
def _parted(tag: str) -> tuple[str, str]:
    if tag == "O":
        return _OUTSIDE
    letter, _, kind = tag.partition("-")
    return letter, kind


def _starts(before: tuple[str, str], now: tuple[str, str]) -> bool:
    """Return whether a new entity begins at a tag."""
    letter, kind = now
    if letter == "O":
        return False
    return letter in _BEGIN + _SINGLE or before[0] == "O" or before[0] in _END + _SINGLE or before[1] != kind


def entities(tags: Iterable[str]) -> list[tuple[int, int, str]]:
    """Return the entities of a sentence as (first token, token behind the last, kind), in whatever scheme.

    A continuing tag without a beginning begins an entity, as in the shared tasks' own evaluation.

    Examples
    --------
    >>> entities(["I-PER", "I-PER", "O", "B-LOC", "B-LOC"])
    [(0, 2, 'PER'), (3, 4, 'LOC'), (4, 5, 'LOC')]
    >>> entities(["S-PER", "B-LOC", "I-LOC", "E-LOC", "U-ORG"])
    [(0, 1, 'PER'), (1, 4, 'LOC'), (4, 5, 'ORG')]
    """
    found: list[tuple[int, int, str]] = []
    before, begin = _OUTSIDE, -1
    at = -1
    for at, tag in enumerate(tags):
        now = _OUTSIDE if tag == "O" else _parted(tag)
        if now is before is _OUTSIDE:
            continue
        starts = _starts(before, now)
        if begin >= 0 and (now[0] == "O" or starts):
            found.append((begin, at, before[1]))
            begin = -1
        if starts:
            begin = at
        before = now
    if begin >= 0:
        found.append((begin, at + 1, before[1]))
    return found


def as_bio2(tags: list[str]) -> list[str]:
    """Return the tags of a sentence in the scheme in which every entity begins with B.

    Examples
    --------
    >>> as_bio2(["I-PER", "E-PER", "O", "S-LOC"])
    ['B-PER', 'I-PER', 'O', 'B-LOC']
    """
    result = ["O"] * len(tags)
    for begin, end, kind in entities(tags):
        result[begin:end] = [f"B-{kind}"] + [f"I-{kind}"] * (end - begin - 1)
    return result


def scheme(sentences: Iterable[list[str]]) -> tuple[str, int]:
    """Return the scheme of the tags, and how many tags are not as the scheme has them.

    Examples
    --------
    >>> scheme([["B-PER", "I-PER", "O"]]), scheme([["O", "I-PER", "B-PER"]]), scheme([["NOUN", "VERB"]])
    (('BIO2', 0), ('IOB1', 0), ('plain', 0))
    """
    # Each sentence begins behind a tag outside of entities.
    tags = [tag for sentence in sentences for tag in ("O", *sentence)]
    if not all(map(_TAG.fullmatch, set(tags))):
        return "plain", 0
    letters: set[str] = set()
    lone_inside = lone_begin = begins = 0
    pairs = Counter((tags[n - 1], tag) for n, tag in enumerate(tags) if tag != "O")
    for (last, tag), times in pairs.items():
        before, now = _parted(last), _parted(tag)
        letters.add(now[0])
        same = before[0] != "O" and before[1] == now[1]
        if now[0] in (*_INSIDE, *_END) and (not same or before[0] in _END + _SINGLE):
            lone_inside += times
        if now[0] == "B":
            begins += times
            # In IOB1 only an entity right behind another one of its kind begins with B.
            lone_begin += 0 if same else times
    if letters & set("SE"):
        return "BIOES", lone_inside
    if letters & set("LU"):
        return "BILOU", lone_inside
    if letters & set("MW"):
        return "BMEWO", lone_inside
    if lone_inside and not begins:
        return "IO", 0
    if lone_inside and not lone_begin:
        return "IOB1", 0
    return "BIO2", lone_inside


def _looks_tagged(member: Member) -> float:
    """Return how sure it is that a file is a column file, from its first lines."""
    if member.suffix not in _MAYBE:
        return 0.0
    try:
        with open_text(member, newline="") as file:
            start = file.read(_LOOK)
    except UnreadableFile:
        return 0.0
    lines = start.replace("\r\n", "\n").split("\n")
    if len(start) == _LOOK:
        lines.pop()
    try:
        found = parse_conll("\n".join(lines), member.title)
    except UnreadableFile:
        return 0.0
    known = member.suffix in _SUFFIXES
    tags = {tag for sentence in found.sentences for tag in sentence.tags}
    if all(map(_TAG.fullmatch, tags)):
        # Codes such as S-1 look like tags; hardly any text has no token outside of entities.
        return 1.0 if known or (sum(len(one.tags) for one in found.sentences) > 3 and "O" in tags) else 0.0
    return 0.6 if known and all(" " not in tag for tag in tags) else 0.0


@reader(name="conll", title="CoNLL columns", rank=420)
class Conll:
    """Column files with the same tokens, one for each annotator."""

    @staticmethod
    def recognises(source: Source) -> float:
        """Return how sure it is that all files that could be column files are."""
        found = [score for m in source.members[:50] if (score := _looks_tagged(m))]
        return max(found, default=0.0)

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return the questions ``tag`` (a label for each token) and ``entities`` (spans of tokens)."""
        members, passed = _tagged(source)
        names = [options.annotator_in(m.name) or m.stem for m in members]
        if len(set(names)) < len(names):
            # ada/train.conll beside ben/train.conll
            names = [m.name.split("/")[0] if "/" in m.name else m.stem for m in members]
        if len(set(names)) < len(names):
            raise UnknownLayout(
                f"{source.title} holds several files of one annotator; name one file for each, or say where the annotator's "
                "name stands with `annotator_from_name`."
            )
        if not members:
            raise UnreadableFile(f"{source.title} holds no file with tokens and tags in columns.")
        files = [parse_conll(read_text(m), m.title) for m in members]
        _check_label_studio(files, members)
        if len(files) < 2:
            raise UnknownLayout(
                f"{files[0].title} holds the tags of one annotator; name the files of all annotators, one each."
            )
        for file in files[1:]:
            _check_tokens(files[0], file)
        return _export(names, files, options, [m.name for m in passed])


def _tagged(source: Source) -> tuple[list[Member], list[Member]]:
    """Return the files of the annotators, and those that might have been but are texts of another kind.

    A broken file is among the first, so that nobody is left out unsaid.
    """
    if source.kind in ("file", "files"):
        return list(source), []
    tagged = {m.name for m in source if _looks_tagged(m)}
    suffixes = {m.suffix for m in source if m.name in tagged}
    found = [
        m for m in source if m.name in tagged or m.suffix in _SUFFIXES or (m.suffix == ".tsv" and ".tsv" in suffixes)
    ]
    return found, [m for m in source if m.suffix in suffixes and m not in found]


def _check_label_studio(files: list[Tagged], members: list[Member]) -> None:
    for file, member in zip(files, members, strict=True):
        if file.columns == 4 and re.search(rb"(?m)^\S+ -X- _ \S+\s*$", member.head(4096)):
            raise UnreadableFile(
                f"{file.title} is CoNLL from Label Studio, which puts the annotations of all annotators one after another "
                "without their names; export JSON instead."
            )


def _check_tokens(one: Tagged, other: Tagged) -> None:
    """Raise an error with the line where two files have not the same tokens."""
    for first, second in zip(one.sentences, other.sentences, strict=False):
        if first.tokens == second.tokens:
            continue
        for line, token, there, its in zip(first.lines, first.tokens, second.lines, second.tokens, strict=False):
            if token != its:
                raise UnreadableFile(
                    f"{other.title}, line {there:,}: the token is {shown(its)}, but {shown(token)} in {one.title}, "
                    f"line {line:,}; the files must have the same tokens."
                )
        ours, theirs = len(first.tokens), len(second.tokens)
        raise UnreadableFile(
            f"{other.title}, line {second.lines[min(ours, theirs) - 1] + 1:,}: the sentence has {theirs:,} tokens, but {ours:,} "
            f"in {one.title}; the files must have the same tokens."
        )
    if len(one.sentences) != len(other.sentences):
        shorter, longer = sorted((one, other), key=lambda file: len(file.sentences))
        line = longer.sentences[len(shorter.sentences)].lines[0]
        raise UnreadableFile(
            f"{longer.title}, line {line:,}: {shorter.title} ends before this sentence; the files must have the same tokens."
        )


def _export(names: list[str], files: list[Tagged], options: ReadOptions, passed: list[str]) -> Export:
    called = aliases(names, options)
    tags = [[sentence.tags for sentence in file.sentences] for file in files]
    schemes = list(map(scheme, tags))
    # A file without an entity is in any scheme, and one in IOB1 without two entities side by side looks like IO.
    marked = [name for (name, _), file in zip(schemes, tags, strict=True) if any(set(one) - {"O"} for one in file)]
    kinds = dict.fromkeys("IOB1" if name == "IO" and "IOB1" in marked else name for name in marked or ["BIO2"])
    mixed, plain = len(kinds) > 1 and "plain" not in kinds, "plain" in kinds
    # The same entity has other tags in another scheme, which is no disagreement.
    asked = [[as_bio2(sentence) for sentence in file] for file in tags] if mixed else tags
    sentences = [sentence.tokens for sentence in files[0].sentences]
    texts = [written(sentence) for sentence in sentences]
    places = [f"{s}-{t}" for s, sentence in enumerate(sentences) for t in range(len(sentence))]
    people = [called[name] for name in names]
    tag_notes = (
        ["Measured for each token, most of which are O; entities measures the names as a whole."] if not plain else []
    )
    if mixed:
        tag_notes.append(f"The files are in different schemes ({', '.join(kinds)}); the tags were compared as BIO2.")
    label = Answers(
        name="tag",
        kind="label",
        item=places * len(files),
        annotator=[person for person in people for _ in places],
        value=[tag for file in asked for sentence in file for tag in sentence],
        notes=tuple(tag_notes),
    )
    notes = ["The annotator is the name of the file; the tokens of all files are the same."]
    if any(file.starts for file in files):
        notes.append("-DOCSTART- is not a token.")
    if passed:
        notes.append(f"Not read, because there are no tags in columns: {listed(passed)}.")
    questions: tuple[Answers | Spans, ...] = (label,)
    if plain:
        notes.append("The tags do not mark where entities begin and go on, so that only tokens can be compared.")
    else:
        notes.append(f"The tags are in the scheme {' and '.join(kinds)}.")
        found = _entities(
            people, tags, None if options.offsets == "tokens" else texts, sum(wrong for _, wrong in schemes)
        )
        questions = (label, settled(found, options))
    tokens = dict(zip(places, chain.from_iterable(sentences), strict=True))
    return Export(
        format=f"CoNLL columns, {len(files)} files with {len(sentences):,} sentences and {len(places):,} tokens",
        questions=questions,
        texts=within({**{str(s): one.text for s, one in enumerate(texts)}, **tokens}, options.keep_texts),
        names={alias: name for name, alias in called.items() if alias != name},
        notes=tuple(notes),
    )


class Written(NamedTuple):
    """The text that tokens make, and where each of them begins and ends in it."""

    text: str
    starts: list[int]
    ends: list[int]


def written(tokens: Sequence[str]) -> Written:
    """Return the text that tokens make: a blank between two, none before a full stop, after a bracket, or in Chinese.

    Examples
    --------
    >>> written(["(", "it", "'s", "small", ")", "."])
    Written(text="(it's small).", starts=[0, 1, 3, 6, 11, 12], ends=[1, 3, 5, 11, 12, 13])
    """
    parts: list[str] = []
    starts, ends, end, last = [], [], 0, _Joins(left=True, right=True, wide=(False, False))
    # A token that is empty takes up a place, too.
    for token in (one or " " for one in tokens):
        joins = _joins(token)
        if not (joins.left or last.right or (last.wide[1] and joins.wide[0])):
            parts.append(" ")
            end += 1
        parts.append(token)
        starts.append(end)
        end += len(token)
        ends.append(end)
        last = joins
    return Written("".join(parts), starts, ends)


class _Joins(NamedTuple):
    """Whether a token stands without a blank behind the one before it, or before the next, or beside others of its script."""

    left: bool
    right: bool
    wide: tuple[bool, bool]


@lru_cache(4096)
def _joins(token: str) -> _Joins:
    kinds = {unicodedata.category(mark) for mark in token}
    left = token.lower().replace("’", "'") in _CLITICS or set(token) <= _CLOSING or kinds <= {"Pe", "Pf"}
    return _Joins(left, kinds <= {"Ps", "Pi"}, (_is_wide(token[0]), _is_wide(token[-1])))


def _is_wide(character: str) -> bool:
    """Return whether it is of a script that has no blanks between words, such as Chinese."""
    return unicodedata.east_asian_width(character) in "WF" and unicodedata.category(character)[0] in "LP"


def _entities(people: list[str], tags: list[list[list[str]]], texts: list[Written] | None, wrong: int) -> Spans:
    """Return the entities, in characters of these texts or else in tokens."""
    found = [
        (str(s), person, begin, end, kind)
        for person, file in zip(people, tags, strict=True)
        for s, sentence in enumerate(file)
        for begin, end, kind in entities(sentence)
    ]
    notes = [_COUNTS_TOKENS if texts is None else _COUNTS_CHARACTERS]
    if wrong:
        notes.append(f"{wrong:,} tags go on with an entity that did not begin before; each one begins an entity here.")
    parts: list[tuple[tuple[int, int], ...]] = (
        [((begin, end),) for _, _, begin, end, _ in found]
        if texts is None
        else [((texts[int(s)].starts[begin], texts[int(s)].ends[end - 1]),) for s, _, begin, end, _ in found]
    )
    return Spans(
        name="entities",
        document=[row[0] for row in found],
        annotator=[row[1] for row in found],
        parts=parts,
        label=[row[4] for row in found],
        seen=[(str(s), person) for person, file in zip(people, tags, strict=True) for s in range(len(file))],
        texts={str(s): one.text for s, one in enumerate(texts or ())},
        lengths={str(s): len(one) for s, one in enumerate(tags[0] if texts is None else [one.text for one in texts])},
        tokens={str(s): [*zip(one.starts, one.ends, strict=True)] for s, one in enumerate(texts or ())},
        notes=tuple(notes),
        offsets="code points" if texts is not None else "tokens",
    )
