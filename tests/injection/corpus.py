"""Texts that would be more than text somewhere, and for each surface a check that they are not."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from html.parser import HTMLParser
from xml.etree import ElementTree

from markdown_it import MarkdownIt

__all__ = ["CORPUS", "of_html", "of_latex", "of_markdown", "of_sheet", "of_svg", "of_text"]

#: The word in all of them: an element, an attribute, an address or a command of this name comes from the data.
MARK = "xss9"
ADDRESSES = ("href", "src", "action", "formaction", "xlink:href", "data", "style")
_TURNS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
CORPUS: tuple[str, ...] = (
    # HTML: elements, the ends of what a text may stand in, attributes, comments, templates, addresses.
    "<xss9>", "</script><xss9>", "<!--<script>xss9", "</style><xss9>", "</title><xss9>", "</textarea><xss9>", "-->]]><xss9>", "</td></tr></table><xss9>", '" onxss9="x',
    "' onxss9='x", "` onxss9=x", '"><img src=x onxss9=x>', "javascript:xss9", "&lt;xss9&gt;", "&#60;xss9&#62;", "<xss9", "<svg><xss9/>", "<![CDATA[<xss9>]]>", "\\u003cxss9\\u003e",
    "<\x00xss9>", "{{xss9}}", "${xss9}", "https://xss9.example", "xss9\u2028<xss9>",
    # Markdown: links, pictures, tables, headings, lists, code, footnotes.
    "[xss9](javascript:xss9)", "![xss9](https://xss9.example/x.png)", "<https://xss9.example>", "| xss9 | b |", "# xss9", "xss9\n# xss9", "```xss9", "~~~xss9", "`xss9", "*xss9", "__xss9__",
    "- xss9", "1. xss9", "> xss9", "[xss9]: https://xss9.example", "[^xss9]", "xss9\n---", "    xss9", "\\<xss9>", "www.xss9.example", "a@xss9.example",
    # LaTeX: commands, groups, marks, other spellings of the backslash.
    "\\input{xss9}", "\\write18{xss9}", "\\end{document}", "}\\xss9{", "$\\xss9$", "^^5cxss9", "% xss9", "#1 & xss9 \\\\", "~_^{xss9", "\\(xss9\\)", "\\verb|xss9|",
    # Spreadsheets.
    "=xss9()", "+xss9", "-xss9", "@xss9", "\t=xss9", "\r=xss9", "\n=xss9", "\uff1dxss9", "\uff0bxss9", "\uff0dxss9", "\uff20xss9", '"=xss9', "=HYPERLINK(\"https://xss9.example\")",
    # Terminals: colours, addresses, titles, the cursor, marks of direction, overwriting.
    "\x1b[31mxss9", "\x1b]8;;https://xss9.example\x07xss9", "\x1b]0;xss9\x07", "\x9b31mxss9", "xss9\x07\x08\x7f", "xss9\rok", "\u202excss9", "\u2066xss9\u2069", "\x1b[2Jxss9", "\ufeffxss9", "xss9\u200b",
    # Rich, format strings, names of files.
    "[red]xss9[/red]", "[link=https://xss9.example]xss9[/link]", "%s{0}xss9", "../../xss9", "file:///xss9", "/xss9",
)  # fmt: skip


class _Elements(HTMLParser):
    """Elements and attributes of a page, and what its scripts hold."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.wrong: list[str] = []
        self._in_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_script = tag == "script"
        if MARK in tag:
            self.wrong.append(f"<{tag}>")
        for name, value in attrs:
            address = re.sub(r"[\x00-\x20]", "", value or "").casefold()
            if MARK in name or name.startswith("on"):
                self.wrong.append(f"<{tag} {name}>")
            if name == "srcdoc":
                self.wrong += of_html(value or "")
            # A part of a page, or an option of one, may be called by a name of the data; a page never leads elsewhere by one.
            elif name in ADDRESSES and MARK in re.split("[?#]", address)[0]:
                self.wrong.append(f"<{tag} {name}={value!r}>")

    def handle_data(self, data: str) -> None:
        if self._in_script and re.search("<!--|<script", data, re.I):
            self.wrong.append("a script that may not end where it seems to")

    def handle_endtag(self, tag: str) -> None:
        self._in_script = False

    def handle_comment(self, data: str) -> None:
        if MARK in data:
            self.wrong.append("a comment")


def of_html(page: str) -> list[str]:
    """Return what a page, or a part of one, holds that is more than text."""
    parser = _Elements()
    parser.feed(page)
    parser.close()
    return parser.wrong + [f"the character {one!r}" for one in {"\x00", "\x1b"} if one in page]


def of_markdown(text: str) -> list[str]:
    """Return what a text becomes as Markdown with tables and bare addresses that is more than text."""
    rendered = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    found = of_html(rendered.render(text))
    for token in rendered.parse(text):
        inner = token.children or []
        if token.type == "inline" and any(one.type == "link_open" and MARK in str(one.attrs) for one in inner):
            found.append(f"a link in {token.content!r}")
        if token.type == "inline" and any(one.type == "image" for one in inner):
            found.append(f"a picture in {token.content!r}")
        if token.type == "fence" and MARK in token.info:
            found.append("a block of code")
    return found


def of_latex(text: str) -> list[str]:
    """Return commands of the data in LaTeX."""
    plain = text.replace("\\\\", "")
    commands = (
        r"\\" + MARK,
        r"\\input\b",
        r"\\write",
        r"\\verb\b",
        r"\^\^",
        r"\\\(",
        r"(?<!\\)%\s*" + MARK,
        r"(?<!\\)#1",
    )
    return [one for one in commands if re.search(one, plain)]


def of_text(text: str) -> list[str]:
    """Return characters that a terminal obeys, or that turn a text around."""
    obeyed = (
        one for one in sorted(set(text)) if unicodedata.category(one) in ("Cc", "Cs", "Zl", "Zp") or one in _TURNS
    )
    return [repr(one) for one in obeyed if one != "\n"]


def of_sheet(text: str, separator: str = ",") -> list[str]:
    """Return cells that a spreadsheet takes for formulas; numbers are none."""
    cells = [cell for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) for cell in row]
    return [cell for cell in cells if cell[:1] in ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20") and not re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", cell)]  # fmt: skip


def of_svg(drawn: bytes) -> list[str]:
    """Return elements and attributes of the data in a chart."""
    found = []
    for one in ElementTree.fromstring(drawn.decode()).iter():
        names = [str(one.tag), *one.attrib]
        found += [name for name in names if MARK in name or name.split("}")[-1].startswith("on")]
        found += [value for name, value in one.attrib.items() if name.endswith(("href", "src")) and MARK in value]
    return found
