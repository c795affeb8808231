"""A document as one HTML file: everything in it, nothing fetched, and whatever comes from the data escaped."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from assent._version import __version__
from assent.documents.blocks import (
    Cell,
    Column,
    Document,
    Figure,
    Find,
    Headline,
    Section,
    Table,
    tables_with_rows_to_find,
)
from assent.documents.cut import fitted, fitted_cards, lines, parts
from assent.documents.embedding import Link
from assent.limits import HTML
from assent.records import Struct, cached_property
from assent.text import counted, shortened, spans, visible

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["asset", "environment", "fragments", "prose", "render"]

#: With more chapters than this charts are drawn once, which halves the time and the size.
FEW_CHAPTERS = 3
#: Characters that stand side by side in a table, and those that a gap between columns takes.
ACROSS, BETWEEN = 104, 3
#: Characters of a line in columns that are broken into lines.
ROOM = {"name": 14, "words": 14, "text": 28}
#: The page has its own padding.
_CLOSE = 2
#: Rows of a table that are printed, unless everything is.
ON_PAPER = 10
#: Options of the command line in a sentence.
_FLAG = re.compile(r"(?<![^\s(])(--[a-z]+(?:-[a-z]+)*)(?![\w-])")
#: Blanks in "95 %" and in "p < 0.01".
_SIGNS = re.compile(r"(?<=\d) (?=%)|(?<=\bp) (?=[<=])|(?<=\bp [<=]) (?=\d)")


def _contents(chapter: Document) -> list[tuple[str, bool, str]]:
    """Return what the list of contents leads to: id, whether it is a chapter, title."""
    made = []
    for block in chapter.blocks:
        if isinstance(block, Headline):
            made.append((f"{chapter.name}verdict", False, "Verdict"))
        elif isinstance(block, Section):
            made.append((f"{chapter.name}{block.name}", False, block.title))
        elif isinstance(block, Document):
            made.append((f"{block.name}title", True, block.title))
    return made


def render(document: Document) -> str:
    """Return a document as a page.

    Every value is escaped unless it is markup already, as SVG of our own is. The style and the script of the page are allowed by
    their hashes and nothing else is, so that text of a file which slipped through as markup would still not run.
    """
    from assent.documents.charts import undrawable

    templates = environment()
    missing = undrawable() if document.figures() else ""
    style, script = (templates.loader.get_source(templates, name)[0] for name in ("style.css", "script.js"))
    policy = (
        f"default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    )
    chapters = sum(isinstance(block, Document) for block in document.blocks)
    finder = _finding()
    return str(
        templates.get_template("document.html").render(
            style=style,
            script=script,
            policy=policy,
            version=__version__,
            undrawn=f"Charts are left out: a chart needs {missing}." if missing else "",
            chapter=document,
            picture=lambda figure, chapter: _picture(figure, chapter, finder(chapter), twice=chapters <= FEW_CHAPTERS),
            **_helpers(finder),
        )
    )


def fragments(
    document: Document, picture: Callable[[Figure, Document], tuple[Markup, Markup | None] | None]
) -> list[tuple[str, str]]:
    """Return each block of a document as a piece of a page, with a name: that of a section, or its place.

    Parameters
    ----------
    picture : callable
        From a figure and its chapter to what stands in its place, for a wide page and for a phone (None: the same).
    """
    template, finder = environment().get_template("fragment.html"), _finding()
    return [
        (
            getattr(block, "name", "") or f"{block.kind}-{place}",
            str(template.render(blocks_shown=[block], chapter=document, picture=picture, **_helpers(finder))),
        )
        for place, block in enumerate(document.blocks)
    ]


def asset(name: str) -> str:
    """Return the style sheet or the script of every page, by its name among the templates."""
    templates = environment()
    return str(templates.loader.get_source(templates, name)[0])


def _helpers(finder: Callable[[Document], _Finder]) -> dict[str, Any]:
    """Return what the templates call."""
    return {
        "contents_of": _contents,
        "prose": prose,
        "kept": _kept,
        "cut": lambda text: shortened(text, HTML.cell),
        "short": shortened,
        "fitted": lambda table: _roomy(fitted(table, HTML)),
        "fitted_cards": lambda block: fitted_cards(block, HTML),
        "parts": lambda cell: parts(cell, HTML),
        "on_paper": ON_PAPER,
        "link": lambda find, chapter: finder(chapter).link(find),
        "given": lambda row, chapter: finder(chapter).given(row),
    }


def _finding() -> Callable[[Document], _Finder]:
    """Return what leads to rows of a table, which is looked up once for each chapter."""
    known: dict[str, _Finder] = {}

    def finder(chapter: Document) -> _Finder:
        if chapter.name not in known:
            known[chapter.name] = _Finder.of(chapter)
        return known[chapter.name]

    return finder


def prose(text: str) -> Markup:
    """Return a sentence, escaped, in which a number and its sign stay on one line and options and commands look like code."""
    from markupsafe import Markup, escape

    seen = _SIGNS.sub("\u00a0", visible(text, sentence=True))
    code = Markup("<code>{}</code>")
    made = []
    for one, named in spans(seen):
        # Every second part is an option of the command line.
        apart = [one] if named else _FLAG.split(one)
        made += [code.format(part) if named or place % 2 else escape(part) for place, part in enumerate(apart)]
    return Markup("").join(made)


def _roomy(table: Table) -> Table:
    """Return a table without its optional columns, the last of them first, as long as it is wider than the page."""
    room = [_room(column, [row[place] for row in table.rows]) for place, column in enumerate(table.columns)]
    kept = list(range(len(room)))
    for place in reversed(range(len(room))):
        if sum(room[one] + BETWEEN for one in kept) <= ACROSS:
            break
        if table.columns[place].optional:
            kept.remove(place)
    columns = [table.columns[place] for place in kept]
    return replace(table, columns=columns, rows=[[row[place] for place in kept] for row in table.rows])


def _room(column: Column, cells: Sequence[Cell]) -> int:
    """Return how many characters a column takes; names and texts are broken into lines, whatever they say."""
    if column.holds != "number":
        return ROOM[column.holds]
    return max([0 if column.data else len(column.title), *(len(cell.text) for cell in cells)])


def _kept(text: str) -> Markup:
    """Return a text, escaped, that keeps its lines and tabs."""
    from markupsafe import Markup, escape

    shown = ("\t".join(map(visible, line.split("\t"))) for line in lines(text))
    return Markup(escape("\n".join(shown)))


def _shown(value: Any) -> Any:
    """Return what a template writes: in a text that is not markup everything can be seen, whoever wrote it."""
    return visible(value, sentence=True) if isinstance(value, str) and not hasattr(value, "__html__") else value


class _Finder(Struct, frozen=True, dict=True):
    """What leads to rows of a table of a chapter. Labels and annotators are numbers on the page, whatever they are called."""

    place: str
    rows: Sequence[Sequence[tuple[str, str]]]
    labels: Mapping[str, int]
    annotators: Mapping[str, int]

    @classmethod
    def of(cls, chapter: Document) -> _Finder:
        """Take the first table of a chapter whose rows can be found."""
        table = next(iter(tables_with_rows_to_find(chapter.blocks)), None)
        if table is None:
            return cls("", (), {}, {})
        rows = fitted(table, HTML).given
        labels = dict.fromkeys(label for row in rows for _, label in row)
        annotators = dict.fromkeys(who for row in rows for who, _ in row if who)
        return cls(
            f"{chapter.name}table-{table.name}",
            rows,
            {label: i for i, label in enumerate(labels)},
            {who: i for i, who in enumerate(annotators)},
        )

    def given(self, row: Sequence[tuple[str, str]]) -> str:
        """Return who gave which label, as the page has it."""
        return " ".join(f"{self.annotators.get(who, '')}.{self.labels[label]}" for who, label in row)

    def _holding(self, find: Find) -> Sequence[Sequence[tuple[str, str]]]:
        """Return the rows that hold the first of what is looked for: of a crowd hardly any, and a crowd is looked for one by one."""
        if find.annotators:
            return self._rows_by[0].get(find.annotators[0], ())
        return self._rows_by[1].get(find.labels[0], ()) if find.labels else self.rows

    @cached_property
    def _rows_by(self) -> tuple[dict[str, list[Sequence[tuple[str, str]]]], ...]:
        """The rows that hold each annotator, and each label."""
        found: tuple[dict[str, list[Sequence[tuple[str, str]]]], ...] = ({}, {})
        for row in self.rows:
            for by, held in zip(found, map(set, zip(*row, strict=True)), strict=False):
                for one in held:
                    by.setdefault(one, []).append(row)
        return found

    def link(self, find: Find | None) -> Link | None:
        """Return where rows that are looked for stand; None if there are none."""
        many = 0 if find is None else sum(find.fits(row) for row in self._holding(find))
        if find is None or not many:
            return None
        wanted = [f"l{self.labels[one]}" for one in find.labels] + [
            f"a{self.annotators[one]}" for one in find.annotators
        ]
        return Link(self.place, " ".join(wanted), f"{counted(many, 'listed item')} {find.said}")


def _picture(figure: Figure, chapter: Document, finder: _Finder, *, twice: bool) -> tuple[Markup, Markup | None] | None:
    """Draw a figure for a page of some width and, if it is drawn anew for that, for a phone; None if there is nothing to draw."""
    from assent.documents.charts import NARROW, WIDE, undrawable

    if undrawable():
        return None
    wide = figure.draw(WIDE)
    if wide is None:
        return None
    narrow = figure.draw(NARROW - _CLOSE) if figure.twice and twice else None
    place = f"{chapter.name}{figure.name}"
    links = {tip: link for tip, find in figure.find.items() if (link := finder.link(find)) is not None}
    first = _svg(wide, f"{place}-w", figure.title, links)
    return first, None if narrow is None else _svg(narrow, f"{place}-n", figure.title, links)


def _svg(chart: Any, name: str, title: str, links: Mapping[str, Link]) -> Markup:
    from assent.documents.charts import svg
    from assent.documents.embedding import embedded

    return embedded(svg(chart, padding=_CLOSE), name=name, title=title, links=links)


@cache
def environment(package: str = "assent.documents") -> Any:
    """Return the templates of a package: whatever they write is escaped, and everything in it can be seen."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader(package, "templates"),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
