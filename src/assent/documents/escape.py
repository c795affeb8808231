r"""Text from a file made safe for a terminal, for Markdown and for LaTeX.

Labels and names of annotators are written by strangers: they may hold terminal escapes, line breaks, HTML, TeX commands
or ten thousand characters. Each function here takes such a text and returns one that shows what it says and does
nothing else. Characters that cannot be seen become Python escapes such as ``\n``, blanks at either end become ``␣``,
and the middle of a long text becomes ``…``.
"""

from __future__ import annotations

import re

from assent.errors import escaped

__all__ = ["for_latex", "for_markdown", "for_terminal"]

#: Longer texts are cut to this many characters.
LONGEST = 48


def for_terminal(text: str, limit: int = LONGEST) -> str:
    r"""Return `text` as one line of printable characters.

    Parameters
    ----------
    text : str
    limit : int
        Cut a longer text to this many characters.

    Examples
    --------
    >>> print(for_terminal("a\x1b[31mb\n"))
    a\x1b[31mb\n
    >>> for_terminal(" x")
    '␣x'
    >>> for_terminal("https://example.org/labels/positive", limit=20)
    'https://exa…positive'
    """
    if len(text) > limit:
        # Both ends are kept: names that are long by a common prefix differ at their end.
        tail = max(0, limit // 2 - 2)
        text = f"{text[: max(1, limit - 1 - tail)]}…{text[len(text) - tail :]}"
    inner = text.strip(" ")
    left = len(text) - len(text.lstrip(" "))
    text = "␣" * left + inner + "␣" * (len(text) - left - len(inner))
    return escaped(text)


#: What Markdown, or the HTML that may stand in it, would take as more than a character.
_MARKDOWN = {**{c: f"\\{c}" for c in "\\`*_{}[]#|~$!"}, "&": "&amp;", "<": "&lt;", ">": "&gt;"}


def for_markdown(text: str, limit: int = LONGEST) -> str:
    r"""Return `text` as Markdown that shows it, in a paragraph as well as in the cell of a table.

    Parameters
    ----------
    text : str
    limit : int
        Cut a longer text to this many characters.

    Examples
    --------
    >>> print(for_markdown("a|b *c* <script>"))
    a\|b \*c\* &lt;script&gt;
    """
    marked = "".join(_MARKDOWN.get(c, c) for c in for_terminal(text, limit))
    # At the start of a line these would begin a list or underline a heading.
    marked = re.sub(r"^(\d{1,9})([.)])(?=\s|$)", r"\1\\\2", marked)
    return re.sub(r"^([-+=])(?=[-+=\s]|$)", r"\\\1", marked)


_LATEX = {
    **{c: f"\\{c}" for c in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # After the end of a table's row these two would be taken as its options.
    "[": "{[}",
    "*": "{*}",
    '"': r"\char34{}",
    # Braces keep TeX from joining two of them into another character.
    "-": "-{}",
    "`": "`{}",
    "'": "'{}",
    "␣": r"\textvisiblespace{}",
    "…": r"\ldots{}",
    "−": r"\ensuremath{-}",
    "×": r"\ensuremath{\times}",
    "≈": r"\ensuremath{\approx}",
    "²": r"\ensuremath{^2}",
    "ₒ": r"\ensuremath{_o}",
    "ₑ": r"\ensuremath{_e}",
    "₁": r"\ensuremath{_1}",
    "₂": r"\ensuremath{_2}",
    "α": r"\ensuremath{\alpha}",
    "δ": r"\ensuremath{\delta}",
    "κ": r"\ensuremath{\kappa}",
    "π": r"\ensuremath{\pi}",
}


def for_latex(text: str, limit: int = LONGEST) -> str:
    r"""Return `text` as LaTeX that shows it, in a paragraph, in ``\text{…}`` and in the cell of a table.

    Letters beyond ASCII stay as they are: pdfLaTeX knows those of European languages, XeLaTeX and LuaLaTeX those
    that the font has.

    Parameters
    ----------
    text : str
    limit : int
        Cut a longer text to this many characters.

    Examples
    --------
    >>> print(for_latex("100%_$"))
    100\%\_\$
    >>> print(for_latex(r"\input{x}"))
    \textbackslash{}input\{x\}
    """
    shown = for_terminal(text, limit)
    marked = [_LATEX.get(c, c) for c in shown]
    # A lone hyphen or apostrophe needs no braces, and "well-known" reads better without them.
    for i, c in enumerate(shown):
        if c in "-`'" and shown[i + 1 : i + 2] not in ("-", "`", "'"):
            marked[i] = c
    return "".join(marked)
