"""SVG fit to stand inside a page: only what draws, a name for those who cannot see it, and a fraction of the bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree

from assent.documents.charts import INK
from assent.text import visible

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["Link", "embedded"]

_SVG = "{http://www.w3.org/2000/svg}"
#: What draws. Anything else is left out, whoever wrote it: scripts, links, images, styles, foreign markup.
ELEMENTS = {"svg", "g", "path", "line", "text", "tspan", "rect", "circle", "defs", "clipPath"}
_PAINT = ("fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linecap")
_LETTERS = ("font-size", "font-weight", "text-anchor")
_PLACES = ("d", "transform", "x", "y", "dx", "dy", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height")
ATTRIBUTES = {*_PAINT, *_LETTERS, *_PLACES, "opacity", "viewBox", "id", "clip-path"}
#: What a child takes from its group, so that it can be said there once.
_INHERITED = (*_PAINT, *_LETTERS)
#: What is so anyway.
_USUAL = {"opacity": "1", "font-weight": "normal", "text-anchor": "start", "fill-opacity": "1", "stroke-opacity": "1"}
_NUMBER = re.compile(r"-?\d*\.\d+(?:e-?\d+)?")
_MOVE = re.compile(r"translate\((-?[\d.]+),(-?[\d.]+)\)")


class Link(NamedTuple):
    """Where a mark leads to: a place of the page, which rows are looked for there, and what they are."""

    place: str
    find: str
    said: str


def embedded(svg: str, *, name: str, title: str, links: Mapping[str, Link] | None = None) -> Markup:
    """Return an SVG for a page.

    Parameters
    ----------
    svg : str
        As `assent.documents.charts.svg` makes it.
    name : str
        Before every id in it, since ids of all charts of a page must differ.
    title : str
        What the picture is, for a screen reader; parts of it are hidden from it.
    links : mapping of str to Link, optional
        Where marks lead to, by what they say.

    Returns
    -------
    markupsafe.Markup
        Without style attributes, handlers and links of others. Text in the house's ink takes the colour of the text around it, and
        a mark says what it shows when one points at it.
    """
    from markupsafe import Markup

    made = _made(ElementTree.fromstring(svg), name, links or {})
    assert made is not None
    # What is in an image is hidden from a screen reader, and links must not be.
    made.set("role", "img" if made.find(".//a") is None else "group")
    made.set("aria-label", visible(title, sentence=True))
    # What a picture says to the eye alone needs no focus.
    made.set("focusable", "false")
    return Markup(ElementTree.tostring(made, encoding="unicode"))


def _made(element: ElementTree.Element, name: str, links: Mapping[str, Link]) -> ElementTree.Element | None:
    """Return what is kept of an element; None if that is nothing."""
    tag = element.tag.removeprefix(_SVG)
    if tag not in ELEMENTS or element.get("display") == "none":
        return None
    made = ElementTree.Element(tag, dict(_attributes(element, name)))
    made.text = element.text if tag in ("text", "tspan") else None
    for child in element:
        kept = _made(child, name, links)
        if kept is not None:
            # A group that says nothing is its children.
            made.extend(list(kept) if kept.tag == "g" and not kept.attrib else [kept])
    if tag == "text":
        _place(made)
    if tag in ("g", "svg"):
        _join_paths(made)
        _say_once(made)
        _unwrap(made)
    empty = not len(made) and not made.text
    if (tag in ("g", "defs", "text") and empty) or (tag == "path" and _draws_nothing(element)):
        return None
    said = element.get("aria-label") if tag in ("path", "line") and element.get("role") == "graphics-symbol" else None
    return made if not said else _telling(made, said, links.get(said))


def _telling(mark: ElementTree.Element, said: str, link: Link | None) -> ElementTree.Element:
    """Let a mark say what it shows, and lead somewhere."""
    if link is None:
        ElementTree.SubElement(mark, "title").text = said
        return mark
    # The tables have the same links for the keyboard: a heat map would have hundreds of stops.
    leads = ElementTree.Element(
        "a", {"href": f"#{link.place}", "tabindex": "-1", "data-find": link.find, "data-said": link.said}
    )
    ElementTree.SubElement(mark, "title").text = said
    # Said of the link it can be said of all of them once.
    leads.attrib.update({key: mark.attrib.pop(key) for key in _INHERITED if key in mark.attrib})
    leads.set("aria-label", said)
    leads.append(mark)
    return leads


def _attributes(element: ElementTree.Element, name: str) -> Iterator[tuple[str, str]]:
    for key, value in element.attrib.items():
        if key not in ATTRIBUTES or _USUAL.get(key) == value:
            continue
        if key == "id":
            value = f"{name}-{value}"
        elif "url(" in value:
            if not re.fullmatch(r"url\(#[\w-]+\)", value):
                continue
            value = value.replace("#", f"#{name}-")
        elif key in ("fill", "stroke"):
            value = "currentColor" if value == INK else value
        elif key in ("d", "transform", *_PLACES):
            value = _NUMBER.sub(lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), value)
        if not (key == "transform" and value == "translate(0,0)"):
            yield key, value.removesuffix("px")


def _draws_nothing(element: ElementTree.Element) -> bool:
    """Tell of the frames that the renderer puts before and behind each group."""
    return element.get("class") in ("background", "foreground") and not {"fill", "stroke"} & element.attrib.keys()


def _place(text: ElementTree.Element) -> None:
    """Say where a text of one line stands in the short way."""
    found = _MOVE.fullmatch(text.get("transform", ""))
    if found and not len(text):
        del text.attrib["transform"]
        text.set("x", found[1])
        text.set("y", found[2])


def _join_paths(group: ElementTree.Element) -> None:
    """Make one path of neighbours that look alike: a row of cells of one shade, or the ticks of an axis."""
    before: ElementTree.Element | None = None
    for child in list(group):
        if child.tag != "path" or len(child):
            before = None
        elif before is not None and _look(child) == _look(before):
            before.set("d", before.get("d", "") + child.get("d", ""))
            group.remove(child)
        else:
            before = child


def _look(path: ElementTree.Element) -> dict[str, str]:
    return {key: value for key, value in path.attrib.items() if key != "d"}


def _say_once(group: ElementTree.Element) -> None:
    """Move to the group what all of its children say alike."""
    if len(group) < 2:
        return
    for key in _INHERITED:
        values = {child.get(key) for child in group}
        if len(values) == 1 and None not in values and key not in group.attrib:
            group.set(key, values.pop() or "")
            for child in group:
                del child.attrib[key]


def _unwrap(group: ElementTree.Element) -> None:
    """Let a group of one group be that one, if what the outer says holds as well when said with what the inner says."""
    while len(group) == 1 and group[0].tag == "g" and not group.attrib.keys() & group[0].attrib.keys():
        inner = group[0]
        if group.tag == "svg" or "clip-path" in group.attrib:
            return
        group.remove(inner)
        group.attrib.update(inner.attrib)
        group.extend(list(inner))
