"""Documents to render: one with every kind of block, in which any text can stand at every place."""

from __future__ import annotations

from typing import Any

from assent.documents import Document, Result
from assent.documents.blocks import (
    Block,
    Card,
    Cards,
    Cell,
    Code,
    Column,
    Facts,
    Figure,
    Fold,
    Formula,
    Formulas,
    Heading,
    Headline,
    Notes,
    Prose,
    Section,
    Table,
    Terms,
    between,
    coefficient,
    count,
    crossed,
    joined,
    name,
    names,
    share,
    words,
)
from assent.text import for_latex, quoted

#: Texts that a stranger may have written, each meant to do something other than be shown.
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</title></style></script><svg onload=alert(1)>",
    "javascript:alert(1)",
    "{{ 7*7 }} {% raw %}",
    "a|b",
    "\\|",
    "100%_$",
    "\\input{/etc/passwd}",
    "\\end{verbatim}\\end{document}",
    "\\end{longtable}",
    "\\\\",
    "^^5cinput",
    "\x1b[31mred\x1b[0m",
    "\x1b]8;;http://x/\x07link",
    "\x9b31m",
    "line\nbreak\r\n| a | b |\n\n# heading",
    "tab\tnul\0",
    "\b\b\bbackspace",
    "next\x85line\u2028separator",
    "\u202eabc",
    "\u2066abc",
    "\u2068abc\u2069",
    "שלום",
    "مرحبا بالعالم",
    "می\u200cخواهم",
    "a\u200db",
    "\u200d",
    "\N{WOMAN}\u200d\N{PERSONAL COMPUTER}",
    "🙂",
    "日本語のラベル",
    "e\u0301\u0301\u0301\u0301",
    "\ud800",
    "\ufeffbom",
    "no\u00a0break",
    "`some code` ``` `````",
    "**bold** *it* __b__ _i_ ~~s~~",
    "[link](javascript:alert(1))",
    "![image](http://x/y.png)",
    "<http://x/>",
    "https://example.org/label www.example.org",
    "&lt;b&gt; &#60;",
    "- item",
    "1. item",
    "# heading #",
    "> quote",
    "===",
    "---",
    "-- --- –- ?` !` ,, `` ''",
    "    code",
    "[x]",
    "*",
    "$x^2$",
    "~^{}#&%_$\\",
    "[bold]rich[/bold] :smile:",
    "",
    " ",
    " x ",
    "a  b",
    "x" * 10_000,
    "y\n" * 5_000,
]


def chart(width: int) -> Any:
    """Draw two bars."""
    import altair

    data = altair.Data(values=[{"label": "<b>one</b>", "n": 3}, {"label": "two", "n": 5}])
    return altair.Chart(data, width=width - 80).mark_bar().encode(x="n:Q", y="label:N")


def numbers_table(*, rows: int = 3, total: bool = False) -> Table:
    """Return a table with a column of each kind of number."""
    columns = [
        Column("Annotator", "name"),
        Column("Agreement", meaning="How far the annotator agrees with the others."),
        Column("95 % interval"),
        Column("Items"),
        Column("Share", optional=True),
        Column("Remark", "text", optional=True),
    ]
    lines = [
        [
            name(f"annotator {i}"),
            coefficient(0.7 - i / 7),
            between(0.6 - i / 7, 0.8 - i / 7),
            count(1000 * i + 1),
            share(i / 1000),
            words("agrees less than most others", tone="warning" if i % 2 else "", mark="see below"),
        ]
        for i in range(rows)
    ]
    if total:
        lines.append([words("All"), coefficient(0.55), between(0.5, 0.6), count(3003), share(1.0), words("")])
    return Table("annotators", "How far each annotator agrees", columns, lines, total=total)


def every_block(text: str = "positive", *, figure: bool = True) -> Document:
    """Return a document with every kind of block, and `text` wherever a name of the data or of the user may stand."""
    said = f"The label {quoted(text)} is used 12 times (5 %), p < 0.01; see `assent items`."
    table = Table(
        "hostile",
        f"Labels such as {quoted(text)}",
        [
            Column(text, "name", data=True),
            Column("Used", meaning=said),
            Column("Note", "text"),
            Column(text, data=True),
        ],
        [
            [name(text), count(3), words(text, mark=text), Cell(text=text, data=True)],
            [name(text), count(None), names([(text, "twice"), ("other", text)]), coefficient(0.5, tone="strong")],
            [name("linked"), count(5), joined(text, "or", text), Cell(text=text, link="data")],
            [words("Sum"), count(8), words(""), coefficient(0.123)],
        ],
        more=f"Rows of {quoted(text)} are left out.",
        total=True,
    )
    pictures: list[Block] = [Figure("bars", chart, f"Bars of {quoted(text)}", said, plain=lambda _: [f"## {text}"])]
    formula = Formula(
        ["κ", "= (Pₒ − Pₑ) / (1 − Pₑ)", f"= 0.5 of {quoted(text)}"],
        [r"\kappa", r"= \frac{P_o - P_e}{1 - P_e}", rf"= 0.5 \text{{ of {for_latex(text)}}}"],
    )
    lengthy = Formula(["Pₒ", *["= 1 / 2 + 1 / 3 + 1 / 6 − 0"] * 5], ["P_o", *[r"= \frac{1}{2} + 1"] * 5])
    blocks: list[Block] = [
        Headline(said, "Why", (f"annotators mix up {quoted(text)}", "few items"), said, "below the target", "bad"),
        Section(
            "data",
            f"The data of {quoted(text)}",
            said,
            [
                Facts([("Items", "1,200", ""), ("Labels", "3", f"one is {quoted(text)}")]),
                Heading(f"About {quoted(text)}"),
                Prose([said, text]),
                Prose([said], strong=True),
                Notes([said, text]),
                *(pictures if figure else []),
                table,
                numbers_table(total=True),
            ],
        ),
        Section(
            "more",
            "More",
            "",
            [
                Cards([Card(text, [said, text], "warning", text, data=True), Card("Ours", [said])]),
                Cards([Card("First", [said], "step"), Card("Second", [])], ordered=True),
                Code("plain", "To copy", f"first line {text}\n\n\tindented {text}\n", language="python"),
                Code("words", f"In words {quoted(text)}", f"One line: {text}\nAnother line", code=False),
                Formulas([formula, lengthy]),
                Terms([(f"Term {quoted(text)}", said)]),
                Fold("Folded", [Prose([f"Inside the fold: {quoted(text)}"])]),
                crossed(
                    table="crossed",
                    caption="Labels crossed",
                    corner="Label",
                    rows=[name(text), name("b")],
                    columns=[name(text), name("b")],
                    cells=[[count(1), count(2)], [count(3), count(4)]],
                ),
            ],
        ),
        Document(text, [Section("inner", "Inner", said, [Prose([said])])], name="q1-", summary=said),
    ]
    return Document(text, blocks, summary=said, label="Agreement report", terms={"kappa": said}, made="2025-01-31")


class Sample(Result, frozen=True, kw_only=True):
    """A result that holds one text."""

    text_: str = "positive"

    def to_dict(self) -> dict[str, Any]:
        return {"label": self.text_, "value": 0.5, "undefined": None}

    def document(self) -> Document:
        return every_block(self.text_, figure=False)
