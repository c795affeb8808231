r"""How numbers, counts, lists and names are written: once, so that the terminal, the page, Markdown and LaTeX say the same.

Labels and names of annotators are written by strangers: they may hold terminal escapes, line breaks, HTML, TeX commands or ten
thousand characters. The functions whose names begin with ``for_`` take such a text and return one that shows what it says
and does nothing else.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

__all__ = [
    "DASH",
    "Printed",
    "amount",
    "chosen",
    "counted",
    "digits_to_tell",
    "display_name",
    "escaped",
    "for_latex",
    "for_markdown",
    "for_terminal",
    "interval",
    "interval_method",
    "level",
    "listed",
    "named",
    "number",
    "percent",
    "percent_interval",
    "plus_minus",
    "probability",
    "quoted",
    "shortened",
    "shown",
    "spans",
    "value",
    "visible",
]

#: What stands for a number that is undefined.
DASH = "–"
FEWEST_DIGITS, MOST_DIGITS = 2, 4
#: Digits after which a number is as good as the bound that it is near.
MOST_TELLING = 8
#: Longer texts are cut to this many characters.
LONGEST = 48
#: They join letters and emoji, and cannot be seen for themselves.
_JOINERS = "\u200c\u200d"
#: They keep the direction of a name from turning the words around it.
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"
#: A name as `quoted` writes it; such characters within a name are escaped by then.
_ISOLATED = re.compile(f'{_ISOLATE}("[^{_ISOLATE}{_END_ISOLATE}]*"){_END_ISOLATE}')
#: An option or a command, as sentences of ours name it.
_CODE = re.compile("`((?:assent )?[a-z][a-z_]*(?:=[A-Za-z]+)?)`")
#: From here on all digits of a number are a line of their own.
_HUGE = 1e15


def number(known: float | None, digits: int = 2, *, signed: bool = False) -> str:
    """Show a number with a minus that is one; a dash if it is undefined.

    Examples
    --------
    >>> number(-0.125), number(None), number(-0.0001), number(0.5, signed=True)
    ('−0.12', '–', '0.00', '+0.50')
    """
    if known is None or known != known:
        return DASH
    written = f"{known:.{digits + 1}g}" if _HUGE <= abs(known) < math.inf else f"{known:.{digits}f}"
    if not math.isinf(known) and not float(written):
        return written.lstrip("-")
    return f"+{written}" if signed and known > 0 else written.replace("-", "−")


def value(
    known: float | None,
    low: float | None = None,
    high: float | None = None,
    *,
    signed: bool = False,
    told: Callable[[float], Any] | None = None,
) -> str:
    """Show a coefficient with as many digits as it takes to tell the ends of its interval apart, two at least.

    Parameters
    ----------
    told : callable, optional
        What is told of it beside the number, as for `digits_to_tell`.

    Examples
    --------
    >>> value(0.5591, 0.48, 0.62), value(0.5591, 0.5581, 0.5602), value(None)
    ('0.56', '0.559', '–')
    >>> value(0.796, 0.69, 0.87, told=lambda one: one < 0.8)
    '0.796'
    """
    digits = _digits(low, high)
    return number(
        known, digits if told is None or known is None else digits_to_tell(known, told, digits), signed=signed
    )


def digits_to_tell(known: float, told: Callable[[float], Any], least: int = FEWEST_DIGITS) -> int:
    """Return how many digits it takes for what is told of a number to be true of the printed number, too.

    Parameters
    ----------
    told : callable
        From a number to what is told of it, such as its word, or whether it reaches a target.
    least : int
        The fewest digits; these suffice where no sensible number of digits would.

    Examples
    --------
    >>> digits_to_tell(0.6996, lambda one: one < 0.7), digits_to_tell(0.6996, lambda one: one < 0.8)
    (4, 2)
    """
    if not math.isfinite(known):
        return least
    enough = (n for n in range(least, MOST_TELLING) if told(float(f"{known:.{n}f}")) == told(known))
    return next(enough, least)


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


def chosen(threshold: float | None) -> str:
    """Show a number that somebody chose, such as a target: two digits, or all that it has.

    Examples
    --------
    >>> chosen(0.7), chosen(0.667), chosen(-0.125), chosen(None)
    ('0.70', '0.667', '−0.125', '–')
    """
    short = number(threshold)
    if threshold is None or threshold != threshold or float(f"{threshold:.2f}") == threshold:
        return short
    return f"{threshold:.12g}".replace("-", "−")


def plus_minus(half_width: float | None) -> str:
    """Show half the width of an interval: up to three digits after the point, or as many as it needs.

    Examples
    --------
    >>> plus_minus(0.05), plus_minus(0.1321), plus_minus(0.00251), plus_minus(None)
    ('±0.05', '±0.132', '±0.0025', '–')
    """
    if half_width is None or half_width != half_width:
        return DASH
    return f"±{half_width:.2g}" if half_width < 0.01 else f"±{half_width:.3f}".rstrip("0").rstrip(".")


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
        # Rounded before, since 1000 times 0.994 may be a little less than 994.
        written = f"{math.floor(round(1000 * size, 9)) / 10:g}" if size < 0.9999 else "99.9"
    else:
        written = f"{100 * size:.0f}"
    sign = "−" if share < 0 else "+" if signed and share > 0 else ""
    return f"{sign}{written} %"


def percent_interval(low: float | None, high: float | None) -> str:
    """Show an interval of a share.

    Examples
    --------
    >>> percent_interval(0.48, 0.62), percent_interval(None, None), percent_interval(1.1e-24, 1)
    ('48 to 62 %', '–', '0 to 100 %')
    """
    if low is None or high is None or low != low or high != high:
        return DASH
    # Weights that leave an item next to nothing bring an end so near to 0.
    low, high = (0.0 if abs(end) < 1e-12 else end for end in (low, high))
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
    if many is None or many != many:
        return DASH
    return number(many, 0) if abs(many) >= _HUGE else f"{many:,.0f}".replace("-", "−")


def counted(many: int, noun: str, plural: str | None = None) -> str:
    """Show a number of things.

    Examples
    --------
    >>> counted(1, "item"), counted(1200, "item"), counted(2, "study", "studies")
    ('1 item', '1,200 items', '2 studies')
    """
    return f"{many:,} {noun if many == 1 else plural or noun + 's'}"


def interval_method(method: str) -> str:
    """Say how intervals are made, in words that a reader who does not know the name can look up.

    Examples
    --------
    >>> interval_method("etel"), interval_method("bootstrap")
    ('tilted weights (etel)', 'bootstrap')
    """
    return "tilted weights (etel)" if method == "etel" else method


def listed(texts: Sequence[Any], most: int = 3, write: Callable[[Any], str] = str) -> str:
    """Join a few of many texts, as they are, or as something writes those that are named.

    Examples
    --------
    >>> listed(["a", "b"]), listed(["a", "b", "c", "d", "e"]), listed([])
    ('a and b', 'a, b, c and 2 more', '')
    """
    some = [write(one) for one in (texts[:most] if len(texts) > most + 1 else texts)]
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
    return listed(names, most, shown)


def escaped(text: object) -> str:
    """Return `text` with control characters escaped, for a place where it stands without quote marks."""
    text = str(text)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)


def shown(text: object, limit: int = 40) -> str:
    r"""Return `text` fit for a message: quoted, control characters escaped, shortened.

    Whatever comes from a file may hold terminal escapes, newlines or ten thousand characters.

    Examples
    --------
    >>> shown("a\x1b[31mb")
    '"a\\x1b[31mb"'
    >>> shown("x" * 50, limit=5)
    '"xxxxx…"'
    >>> print(shown("`scale`"))
    "\x60scale\x60"
    """
    text = str(text)
    # In a sentence an option stands so; a name of the data must not be taken for one.
    name = _CODE.sub(r"\\x60\1\\x60", escaped(text[:limit]))
    return f'"{name}{"…" if len(text) > limit else ""}"'


def quoted(text: object, limit: int = 40) -> str:
    """Return a name of the data within a sentence of a document: as `shown`, in its own direction of writing.

    Examples
    --------
    >>> quoted("positive"), quoted(" ")
    ('"positive"', '" "')
    """
    name = shown(text, limit)
    return f"{_ISOLATE}{name}{_END_ISOLATE}" if any(unicodedata.bidirectional(c) in ("R", "AL") for c in name) else name


def visible(text: object, *, sentence: bool = False) -> str:
    r"""Return a text with its control and other invisible characters escaped, but for those that join letters.

    Parameters
    ----------
    text : str
    sentence : bool
        It is one of ours, in which names are `quoted`; what keeps their direction of writing stays.

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
    if not sentence:
        return _joined(text)
    pieces = _ISOLATED.split(text)
    return "".join(f"{_ISOLATE}{_joined(one)}{_END_ISOLATE}" if i % 2 else _joined(one) for i, one in enumerate(pieces))


def _joined(text: str) -> str:
    """Escape what cannot be seen; a joiner stays between letters or signs beyond ASCII, where it does something."""
    if text.isprintable():
        return text
    around = zip(f" {text}", text, f"{text[1:]} ", strict=False)
    return "".join(
        c if c.isprintable() or (c in _JOINERS and before > "\x7f" and after > "\x7f") else escaped(c)
        for before, c, after in around
    )


def spans(sentence: str) -> list[tuple[str, bool]]:
    """Take a sentence of ours apart: its texts, and whether each names an option or a command, which stand in backticks.

    Examples
    --------
    >>> spans("Set `scale`, as `assent measure` says.")
    [('Set ', False), ('scale', True), (', as ', False), ('assent measure', True), (' says.', False)]
    """
    made: list[tuple[str, bool]] = []
    end = 0
    for found in _CODE.finditer(sentence):
        made += [(sentence[end : found.start()], False), (found[1], True)]
        end = found.end()
    return [one for one in (*made, (sentence[end:], False)) if one[0]]


def shortened(text: str, limit: int = LONGEST) -> str:
    """Return a text of at most so many characters: both ends of a longer one, since names with a common prefix differ at their end.

    Examples
    --------
    >>> shortened("https://example.org/labels/positive", 20)
    'https://exa…positive'
    """
    if len(text) <= limit:
        return text
    tail = max(0, limit // 2 - 2)
    return f"{text[: max(1, limit - 1 - tail)]}…{text[len(text) - tail :]}"


def display_name(text: object, limit: int = LONGEST) -> str:
    r"""Return a name of the data as it stands by itself: on one line, shortened, with blanks that can be seen.

    Blanks at either end, and several in a row, would be lost on a page, and two names would look the same.

    Examples
    --------
    >>> display_name("positive"), display_name(""), display_name(" x"), display_name("a  b"), display_name("a\n")
    ('positive', '(empty)', '␣x', 'a␣␣b', 'a\\n')
    """
    text = str(text)
    blank = re.sub(r"^ +| +$| {2,}", lambda found: "␣" * len(found[0]), shortened(text, limit))
    return visible(blank) if text else "(empty)"


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
    return escaped(_line(text, limit))


def _line(text: str, limit: int) -> str:
    """Return a text shortened, with blanks at its ends that can be seen; nothing else is escaped yet."""
    text = shortened(_ISOLATED.sub(r"\1", text) if _ISOLATE in text else text, limit)
    inner = text.strip(" ")
    left = len(text) - len(text.lstrip(" "))
    return "␣" * left + inner + "␣" * (len(text) - left - len(inner))


#: What Markdown, or the HTML that may stand in it, would take as more than a character.
_MARKDOWN = {**{c: f"\\{c}" for c in "\\`*_{}[]#|~$!"}, "&": "&amp;", "<": "&lt;", ">": "&gt;"}


def for_markdown(text: str, limit: int = LONGEST, *, sentence: bool = False) -> str:
    r"""Return `text` as Markdown that shows it, in a paragraph as well as in the cell of a table.

    Parameters
    ----------
    text : str
    limit : int
        Cut a longer text to this many characters.
    sentence : bool
        It is one of ours, in which options and commands stand in backticks: they are shown as code.

    Examples
    --------
    >>> print(for_markdown("a|b *c* <script>"))
    a\|b \*c\* &lt;script&gt;
    >>> for_markdown("See `fail_under`.", sentence=True)
    'See `fail_under`.'
    """
    plain = _joined(_line(text, limit))
    marked = "".join(
        f"`{one}`" if code else "".join(_MARKDOWN.get(c, c) for c in one)
        for one, code in (spans(plain) if sentence else [(plain, False)])
    )
    # Some readers make a link of whatever looks like an address.
    marked = re.sub(r"(?<=\w):(?=//)|(?<=www)\.", r"\\\g<0>", marked, flags=re.IGNORECASE)
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
    # A kern keeps TeX from joining two of them into another character; braces do not, in LuaTeX.
    "-": r"-\/",
    "`": r"`\/",
    "'": r"'\/",
    "␣": r"\textvisiblespace{}",
    "…": r"\ldots{}",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "?": r"?\/",
    "!": r"!\/",
    ",": r",\/",
    "−": r"\ensuremath{-}",
    "×": r"\ensuremath{\times}",
    "±": r"\ensuremath{\pm}",
    "·": r"\ensuremath{\cdot}",
    "→": r"\ensuremath{\rightarrow}",
    "≤": r"\ensuremath{\leq}",
    "≥": r"\ensuremath{\geq}",
    "∞": r"\ensuremath{\infty}",
    "≈": r"\ensuremath{\approx}",
    "²": r"\ensuremath{^2}",
    "ₒ": r"\ensuremath{_o}",
    "ₑ": r"\ensuremath{_e}",
    "₁": r"\ensuremath{_1}",
    "₂": r"\ensuremath{_2}",
    "Γ": r"\ensuremath{\Gamma}",
    "Δ": r"\ensuremath{\Delta}",
    "Σ": r"\ensuremath{\Sigma}",
    "α": r"\ensuremath{\alpha}",
    "β": r"\ensuremath{\beta}",
    "γ": r"\ensuremath{\gamma}",
    "δ": r"\ensuremath{\delta}",
    "κ": r"\ensuremath{\kappa}",
    "λ": r"\ensuremath{\lambda}",
    "π": r"\ensuremath{\pi}",
    "ρ": r"\ensuremath{\rho}",
    "σ": r"\ensuremath{\sigma}",
    "τ": r"\ensuremath{\tau}",
    "ω": r"\ensuremath{\omega}",
}


#: What TeX would make another character of, with one of these behind it.
_LIGATURES = {"-": "-–—", **dict.fromkeys("`'", "`'"), "?": "`", "!": "`", ",": ","}


def for_latex(text: str, limit: int = LONGEST, *, sentence: bool = False) -> str:
    r"""Return `text` as LaTeX that shows it, in a paragraph, in ``\text{…}`` and in the cell of a table.

    Letters beyond ASCII stay as they are: pdfLaTeX knows those of European languages, XeLaTeX and LuaLaTeX those
    that the font has.

    Parameters
    ----------
    text : str
    limit : int
        Cut a longer text to this many characters.
    sentence : bool
        It is one of ours, in which options and commands stand in backticks: they are shown as code.

    Examples
    --------
    >>> print(for_latex("100%_$"))
    100\%\_\$
    >>> print(for_latex(r"\input{x}"))
    \textbackslash{}input\{x\}
    >>> print(for_latex("See `fail_under`.", sentence=True))
    See \texttt{fail\_under}.
    """
    plain = _joined(_line(text, limit))
    if sentence:
        return "".join(rf"\texttt{{{_latex(one)}}}" if code else _latex(one) for one, code in spans(plain))
    return _latex(plain)


def _latex(plain: str) -> str:
    marked = [_LATEX.get(c, c) for c in plain]
    # A lone hyphen or apostrophe needs no kern, and "well-known" reads better without one.
    for i, c in enumerate(plain):
        if c in _LIGATURES and (i + 1 == len(plain) or plain[i + 1] not in _LIGATURES[c]):
            marked[i] = marked[i].removesuffix(r"\/")
    return "".join(marked)


def _digits(low: float | None, high: float | None) -> int:
    """Return how many digits it takes to tell the two ends apart."""
    if low is None or high is None or low != low or high != high:
        return FEWEST_DIGITS
    enough = (n for n in range(FEWEST_DIGITS, MOST_DIGITS) if number(low, n) != number(high, n))
    return next(enough, FEWEST_DIGITS if high == low else MOST_DIGITS)


class Printed:
    """What defines `__str__` for a person: a notebook shows the same line. A base that defines `__repr__` stands after this one."""

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Show the line in a notebook."""
        printer.text(str(self))
