r"""How numbers, counts, lists and names are written: once, so that the terminal, the page, Markdown and LaTeX say the same.

Labels and names of annotators are written by strangers: they may hold terminal escapes, line breaks, HTML, TeX commands or ten
thousand characters. The functions whose names begin with ``for_`` take such a text and return one that shows what it says
and does nothing else.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence

__all__ = [
    "DASH",
    "amount",
    "counted",
    "escaped",
    "for_latex",
    "for_markdown",
    "for_terminal",
    "interval",
    "level",
    "listed",
    "named",
    "number",
    "percent",
    "percent_interval",
    "probability",
    "quoted",
    "shown",
    "value",
    "visible",
]

#: What stands for a number that is undefined.
DASH = "–"
FEWEST_DIGITS, MOST_DIGITS = 2, 4
#: Longer texts are cut to this many characters.
LONGEST = 48
#: They join letters and emoji, and cannot be seen for themselves.
_JOINERS = "\u200c\u200d"
#: They keep the direction of a name from turning the words around it.
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"


def number(known: float | None, digits: int = 2, *, signed: bool = False) -> str:
    """Show a number with a minus that is one; a dash if it is undefined.

    Examples
    --------
    >>> number(-0.125), number(None), number(-0.0001), number(0.5, signed=True)
    ('−0.12', '–', '0.00', '+0.50')
    """
    if known is None or known != known:
        return DASH
    written = f"{known:.{digits}f}"
    if not math.isinf(known) and not float(written):
        return written.lstrip("-")
    return f"+{written}" if signed and known > 0 else written.replace("-", "−")


def value(known: float | None, low: float | None = None, high: float | None = None, *, signed: bool = False) -> str:
    """Show a coefficient with as many digits as it takes to tell the ends of its interval apart, two at least.

    Examples
    --------
    >>> value(0.5591, 0.48, 0.62), value(0.5591, 0.5581, 0.5602), value(None)
    ('0.56', '0.559', '–')
    """
    return number(known, _digits(low, high), signed=signed)


def interval(low: float | None, high: float | None, *, digits: int | None = None, signed: bool = False) -> str:
    """Show an interval.

    Examples
    --------
    >>> interval(0.48, 0.62), interval(0.5581, 0.5602), interval(None, None), interval(-0.1, 0.2, digits=3)
    ('0.48 to 0.62', '0.558 to 0.560', '–', '−0.100 to 0.200')
    """
    if low is None or high is None or low != low or high != high:
        return DASH
    places = _digits(low, high) if digits is None else digits
    return f"{number(low, places, signed=signed)} to {number(high, places, signed=signed)}"


def percent(share: float | None, *, signed: bool = False) -> str:
    """Show a share in percent: no digits, but never 0 or 100 % for what is neither.

    Examples
    --------
    >>> percent(0.0004), percent(0.5), percent(0.9996), percent(1), percent(None), percent(0.07, signed=True)
    ('0.04 %', '50 %', '99.9 %', '100 %', '–', '+7 %')
    """
    if share is None or share != share:
        return DASH
    size = abs(share)
    if 0 < size < 0.01:
        written = f"{100 * size:.2g}"
    elif 0.99 < size < 1:
        written = f"{math.floor(1000 * size) / 10:g}"
    else:
        written = f"{100 * size:.0f}"
    sign = "−" if share < 0 else "+" if signed and share > 0 else ""
    return f"{sign}{written} %"


def percent_interval(low: float | None, high: float | None) -> str:
    """Show an interval of a share.

    Examples
    --------
    >>> percent_interval(0.48, 0.62), percent_interval(None, None)
    ('48 to 62 %', '–')
    """
    if low is None or high is None or low != low or high != high:
        return DASH
    return f"{percent(low).removesuffix(' %')} to {percent(high)}"


def level(confidence: float) -> str:
    """Show a confidence level.

    Examples
    --------
    >>> level(0.95), level(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * confidence:g} %"


def probability(p_value: float | None) -> str:
    """Show a p-value.

    Examples
    --------
    >>> probability(0.0312), probability(1e-9), probability(None)
    ('p = 0.031', 'p < 0.0001', '–')
    """
    if p_value is None or p_value != p_value:
        return DASH
    return f"p = {p_value:.2g}" if p_value >= 0.0001 else "p < 0.0001"


def amount(many: float | None) -> str:
    """Show a count; halves and thirds of pairs are rounded.

    Examples
    --------
    >>> amount(1200), amount(None)
    ('1,200', '–')
    """
    return DASH if many is None or many != many else f"{many:,.0f}"


def counted(many: int, noun: str, plural: str | None = None) -> str:
    """Show a number of things.

    Examples
    --------
    >>> counted(1, "item"), counted(1200, "item"), counted(2, "study", "studies")
    ('1 item', '1,200 items', '2 studies')
    """
    return f"{many:,} {noun if many == 1 else plural or noun + 's'}"


def listed(texts: Sequence[str], most: int = 3) -> str:
    """Join a few of many texts, as they are.

    Examples
    --------
    >>> listed(["a", "b"]), listed(["a", "b", "c", "d", "e"]), listed([])
    ('a and b', 'a, b, c and 2 more', '')
    """
    some = list(texts[:most]) if len(texts) > most + 1 else list(texts)
    if len(some) < len(texts):
        return f"{', '.join(some)} and {len(texts) - len(some):,} more"
    return " and ".join(filter(None, [", ".join(some[:-1]), *some[-1:]]))


def named(names: Sequence[object], most: int = 3) -> str:
    """Name a few of many things of the data, each quoted, fit for a sentence.

    Examples
    --------
    >>> named(["a", "b"]), named(["a", "b", "c", "d", "e"])
    ('"a" and "b"', '"a", "b", "c" and 2 more')
    """
    return listed([shown(one) for one in names], most)


def escaped(text: object) -> str:
    """Return `text` with control characters escaped, for a place where it stands without quote marks."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in str(text))


def shown(text: object, limit: int = 40) -> str:
    r"""Return `text` fit for a message: quoted, control characters escaped, shortened.

    Whatever comes from a file may hold terminal escapes, newlines or ten thousand characters.

    Examples
    --------
    >>> shown("a\x1b[31mb")
    '"a\\x1b[31mb"'
    >>> shown("x" * 50, limit=5)
    '"xxxxx…"'
    """
    text = str(text)
    return f'"{escaped(text[:limit])}{"…" if len(text) > limit else ""}"'


def quoted(text: object, limit: int = 40) -> str:
    """Return a name of the data within a sentence of a document: as `shown`, in its own direction of writing.

    Examples
    --------
    >>> quoted("positive"), quoted(" ")
    ('"positive"', '" "')
    """
    name = shown(text, limit)
    return f"{_ISOLATE}{name}{_END_ISOLATE}" if any(unicodedata.bidirectional(c) in ("R", "AL") for c in name) else name


def visible(text: object) -> str:
    r"""Return a text with its control and other invisible characters escaped, but for those that join letters.

    Examples
    --------
    >>> visible("a\x1b[31m\u202eb")
    'a\\x1b[31m\\u202eb'
    >>> visible("\N{WOMAN}\u200d\N{PERSONAL COMPUTER}") == "\N{WOMAN}\u200d\N{PERSONAL COMPUTER}"
    True
    """
    text = str(text)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _JOINERS else escaped(c) for c in text)


def for_terminal(text: str, limit: int = LONGEST) -> str:
    r"""Return `text` as one line of printable characters.

    Characters that cannot be seen become Python escapes such as ``\n``, blanks at either end become ``␣``, and the middle of a
    long text becomes ``…``.

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
    text = text.replace(_ISOLATE, "").replace(_END_ISOLATE, "") if _ISOLATE in text else text
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
    "–": "--",
    "−": r"\ensuremath{-}",
    "×": r"\ensuremath{\times}",
    "±": r"\ensuremath{\pm}",
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
    plain = for_terminal(text, limit)
    marked = [_LATEX.get(c, c) for c in plain]
    # A lone hyphen or apostrophe needs no braces, and "well-known" reads better without them.
    for i, c in enumerate(plain):
        if c in "-`'" and plain[i + 1 : i + 2] not in ("-", "`", "'"):
            marked[i] = c
    return "".join(marked)


def _digits(low: float | None, high: float | None) -> int:
    """Return how many digits it takes to tell the two ends apart."""
    if low is None or high is None or low != low or high != high:
        return FEWEST_DIGITS
    enough = (n for n in range(FEWEST_DIGITS, MOST_DIGITS) if number(low, n) != number(high, n))
    return next(enough, FEWEST_DIGITS if high == low else MOST_DIGITS)
