"""Documents on terminals of several widths."""

from __future__ import annotations

import subprocess
import sys
import time
from functools import partial
from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console
from tests.documents.samples import HOSTILE, every_block, numbers_table
from tests.support import every, some

from assent.documents import Document, terminal
from assent.documents.blocks import (
    Code,
    Column,
    Formula,
    Formulas,
    Notes,
    Prose,
    Table,
    coefficient,
    count,
    crossed,
    name,
    names,
    words,
)

WIDTHS = (40, 80, 120)


def rendered(table: Table, width: int) -> list[str]:
    return terminal.render(Document("", [table]), width=width).splitlines()


@pytest.mark.parametrize("width", every(2, WIDTHS))
@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_but_lines_of_printable_characters(text: str, width: int) -> None:
    shown = terminal.render(every_block(text, figure=False), width=width, unfold=True)
    assert all(line.isprintable() for line in some(shown.split("\n")))
    shown.encode("utf-8")


@pytest.mark.parametrize("width", every(2, [10, 20, *WIDTHS]))
@pytest.mark.parametrize("text", [*HOSTILE, "label"])
def test_no_table_is_wider_than_the_terminal(text: str, width: int) -> None:
    columns = [
        Column(text, "name", data=True),
        Column("Number of items"),
        Column("Words", "words"),
        Column(text, data=True),
    ]
    cells = [[name(text), coefficient(0.698), words(text), count(1_234_567)]]
    square = crossed(
        table="t",
        caption="",
        corner="Label",
        rows=[name(text)] * 15,
        columns=[name(text)] * 15,
        cells=[[count(123_456)] * 15] * 15,
    )
    for table in (Table("t", "", columns, cells, quiet=True), square, numbers_table(total=True)):
        lines = [line for line in rendered(table, width) if not line.startswith(("·", "How"))]
        assert max(map(cell_len, lines)) <= width
        # A number is shown whole or not at all.
        for line in lines:
            assert not {"0.6…", "0.69…", "1,2…", "123…", "123,4…"} & set(line.split())


@pytest.mark.parametrize("width", range(30, 121, 5))
def test_columns_that_are_optional_go_first(width: int) -> None:
    shown = "\n".join(rendered(numbers_table(), width))
    assert "0.700" in shown
    assert "0.557" in shown
    # Never an optional one without all of the others.
    if "0.1 %" in shown:
        assert "1,001" in shown
        assert "0.46 to 0.66" in shown
    if "agrees less" in shown:
        assert "0.1 %" in shown
    missing = "too narrow" in shown
    assert missing == ("1,001" not in shown)
    if width >= 80:
        assert "agrees less" in shown


def test_a_wide_terminal_cuts_nothing() -> None:
    lines = rendered(numbers_table(), 200)
    whole = "annotator 1 0.557 0.46 to 0.66 1,001 0.1 % agrees less than most others (see below)"
    assert whole in {" ".join(line.split()) for line in lines}


def test_of_a_long_name_both_ends_are_kept() -> None:
    table = Table(
        "t", "", [Column("A", "name"), Column("B")], [[name("prefix " * 9 + e), count(1)] for e in ("one", "two")]
    )
    lines = rendered(table, 30)
    assert any("one" in line and "…" in line for line in lines)
    assert any("two" in line and "…" in line for line in lines)


def test_a_remark_on_a_name_takes_a_line_of_its_own_before_either_is_cut() -> None:
    columns = [Column("label", "name"), *[Column("Share")] * 3, Column("most confused with", "name")]
    table = Table("t", "", columns, [[name("x"), *[count(1_000)] * 3, names([("negative", "(58 %)")])]])
    lines = rendered(table, 42)
    assert any(line.split() == ["x", "1,000", "1,000", "1,000", "negative"] for line in lines)
    assert any(line.split() == ["(58", "%)"] for line in lines)
    assert "negative (58 %)" in "".join(rendered(table, 60))


def test_titles_of_ours_are_broken_between_words() -> None:
    table = Table("t", "", [Column("A", "name"), *[Column("Share of the items")] * 5], [[name("x"), *[count(1)] * 5]])
    lines = rendered(table, 40)
    assert sum(line.split().count("Share") for line in lines) == 5
    assert sum(line.split().count("items") for line in lines) == 5
    assert not any("…" in line for line in lines)


@pytest.mark.parametrize("seen", [True, False])
def test_lines_break_between_words_where_a_person_reads_and_nowhere_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, seen: bool
) -> None:
    sentence = " ".join(["Agreement is what two annotators have in common, and no more than that."] * 3)
    command = "assent measure " + " ".join(f"--only labels={letter}" for letter in "abcdef")
    printed = StringIO()
    monkeypatch.setattr(
        "rich.console.Console",
        partial(Console, file=printed, width=50, force_terminal=seen, color_system=None, legacy_windows=False),
    )
    terminal.show(Document("", [Prose([sentence]), Notes([sentence]), Code("command", "", command)]))
    lines = printed.getvalue().splitlines()
    # A command is copied: it stays on one line, which the terminal breaks where it likes.
    assert f"  {command}" in lines
    told = [line for line in some(lines) if command not in line]
    words = {"·", *sentence.split()}
    assert all(set(line.split()) <= words for line in told)
    assert (max(map(len, told)) <= 50) == seen


def test_markup_of_the_library_is_text() -> None:
    assert "[bold]x[/bold] :smile:" in terminal.render(every_block("[bold]x[/bold] :smile:", figure=False))


def test_formulas_long_and_short() -> None:
    blocks = [
        Formulas([Formula(["a" * 50], ["a"]), Formula(["b", "= " + "1 + " * 12 + "1", "= 13"], ["b", "= 13", "= 13"])])
    ]
    shown = terminal.render(Document("", blocks), width=40)
    assert "    " + "a" * 50 in shown
    assert "\n      = 13" in shown


def test_folds_are_opened_on_demand() -> None:
    document = every_block(figure=False)
    assert "Inside the fold" not in terminal.render(document)
    assert "Inside the fold" in terminal.render(document, unfold=True)


def test_ten_thousand_rows_are_cut_and_not_slow() -> None:
    document = Document("Many", [numbers_table(rows=10_000, total=True)])
    terminal.render(Document("First", [numbers_table()]))
    begin = time.perf_counter()
    shown = terminal.render(document)
    assert time.perf_counter() - begin < 0.5
    assert "9,981 more rows are left out here." in shown
    assert len(shown.splitlines()) < 40


def test_a_terminal_needs_little() -> None:
    """What draws, computes or reads files is not imported to show a document."""
    code = (
        "import sys\n"
        "from tests.documents.samples import every_block\n"
        "from assent.documents import terminal\n"
        "terminal.render(every_block())\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert "rich" in modules
    assert not modules & {"altair", "jinja2", "markupsafe", "vl_convert", "scipy", "polars", "numpy", "narwhals"}
