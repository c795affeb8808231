"""The way through a document, once for all renderers that write one block after the other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from assent.documents import blocks
from assent.documents.cut import fitted_cards, lines
from assent.limits import Surface

__all__ = ["Markup", "Walk"]

Piece = TypeVar("Piece")


class Walk(Generic[Piece]):
    """A renderer: what it makes of each kind of block is the method of that name, from the block and its depth to pieces."""

    surface: Surface

    def pieces(self, parts: Iterable[blocks.Block], depth: int) -> Iterator[Piece]:
        """Yield what is made of some blocks."""
        for block in parts:
            yield from getattr(self, block.kind)(block, depth)

    @abstractmethod
    def said(self, text: str) -> str:
        """Return a sentence, escaped."""

    @abstractmethod
    def data(self, text: str) -> str:
        """Return a text of the data, escaped and cut."""

    @abstractmethod
    def title(self, text: str, depth: int) -> Iterator[Piece]:
        """Yield a heading."""

    @abstractmethod
    def line(self, text: str, *, strong: bool = False) -> Piece:
        """Return a paragraph, which is escaped."""

    @abstractmethod
    def table(self, block: blocks.Table, depth: int) -> Iterator[Piece]:
        """Yield a table."""

    @abstractmethod
    def formulas(self, block: blocks.Formulas, depth: int) -> Iterator[Piece]:
        """Yield arithmetic."""

    def document(self, block: blocks.Document, depth: int) -> Iterator[Piece]:
        """Yield a document, or a chapter of one."""
        yield from self.title(block.title, depth)
        if block.summary:
            yield self.line(self.said(block.summary))
        yield from self.pieces(block.blocks, depth + 1)

    def section(self, block: blocks.Section, depth: int) -> Iterator[Piece]:
        """Yield a section."""
        yield from self.title(block.title, depth)
        if block.takeaway:
            yield self.line(self.said(block.takeaway))
        yield from self.pieces(block.blocks, depth + 1)

    def headline(self, block: blocks.Headline, depth: int) -> Iterator[Piece]:
        """Yield the verdict."""
        yield self.line(self.said(block.whole), strong=True)
        if block.figure is not None:
            yield from self.figure(block.figure, depth)
        if block.next:
            yield self.line(f"Next: {self.said(block.next)}")

    def heading(self, block: blocks.Heading, depth: int) -> Iterator[Piece]:
        """Yield a heading within a section."""
        return self.title(block.text, depth)

    def prose(self, block: blocks.Prose, depth: int) -> Iterator[Piece]:
        """Yield paragraphs."""
        return (self.line(self.said(one), strong=block.strong) for one in block.sentences)

    def figure(self, block: blocks.Figure, depth: int) -> Iterator[Piece]:
        """Yield nothing: charts are for pages."""
        return iter(())

    def fold(self, block: blocks.Fold, depth: int) -> Iterator[Piece]:
        """Yield what a page folds."""
        yield from self.title(block.summary, depth)
        yield from self.pieces(block.blocks, depth)

    @abstractmethod
    def marked(self, block: blocks.Marked, depth: int) -> Iterator[Piece]:
        """Yield a text as several annotators marked it."""

    def told_facts(self, block: blocks.Facts) -> list[str]:
        """Return facts as sentences, escaped."""
        return [
            f"{self.said(what)}: {self.said(many)}{f' ({self.said(remark)})' if remark else ''}"
            for what, many, remark in block.facts
        ]

    def card_head(self, card: blocks.Card) -> tuple[str, str]:
        """Return the title of a card and the mark beside it, escaped."""
        title = self.data(card.title) if card.data else self.said(card.title)
        return title, f"({self.said(card.mark)})" if card.mark else ""


class Markup(Walk[str]):
    """A renderer that writes markup: Markdown or LaTeX."""

    @abstractmethod
    def bold(self, text: str) -> str:
        """Return a text in bold; nothing stays nothing."""

    @abstractmethod
    def listed(self, items: Sequence[str], *, ordered: bool = False) -> str:
        """Return a list."""

    @abstractmethod
    def verbatim(self, block: blocks.Code) -> str:
        """Return code."""

    def line(self, text: str, *, strong: bool = False) -> str:
        """Return a paragraph."""
        return self.bold(text) if strong else text

    def defined(self, terms: Iterable[tuple[str, str]], *, strong: bool = False) -> str:
        """Return a list of names and what they mean."""
        return self.listed(
            [f"{self.line(self.said(term), strong=strong)}: {self.said(means)}" for term, means in terms]
        )

    def notes(self, block: blocks.Notes, depth: int) -> Iterator[str]:
        """Yield a list."""
        yield self.listed([self.said(one) for one in block.sentences])

    def facts(self, block: blocks.Facts, depth: int) -> Iterator[str]:
        """Yield a list."""
        yield self.listed(self.told_facts(block))

    def terms(self, block: blocks.Terms, depth: int) -> Iterator[str]:
        """Yield a list."""
        yield self.defined(block.terms, strong=True)

    def cards(self, block: blocks.Cards, depth: int) -> Iterator[str]:
        """Yield a list, and what was left out."""
        cards, more = fitted_cards(block, self.surface)
        heads = [self.card_head(card) for card in cards]
        said = [
            " ".join(filter(None, [self.bold(title), mark, *map(self.said, card.sentences)]))
            for card, (title, mark) in zip(cards, heads, strict=True)
        ]
        yield self.listed(said, ordered=block.ordered)
        yield self.said(more)

    @abstractmethod
    def whole(self, text: str) -> str:
        """Return a text of the data, escaped and not cut."""

    def marked(self, block: blocks.Marked, depth: int) -> Iterator[str]:
        """Yield a list of the texts with brackets."""
        yield f"{self.bold(self.data(block.title))} ({self.said(block.remark)})"
        yield self.listed([f"{self.data(who)}: {self.whole(text)}" for who, text in block.told()])

    def code(self, block: blocks.Code, depth: int) -> Iterator[str]:
        """Yield a text to be copied."""
        if block.title:
            yield from self.title(block.title, depth)
        if block.code:
            yield self.verbatim(block)
        else:
            yield from map(self.said, filter(str.strip, lines(block.text)))
