"""Documents in LaTeX go through real compilers: pdfLaTeX where it can take them, XeLaTeX and LuaLaTeX always."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import polars as pl
import pytest
from tests.documents.samples import every_block

import assent
from assent.documents import latex
from assent.documents.blocks import Column, Document, Table, words
from assent.examples import example
from assent.text import for_latex

NEEDED = ("amsmath.sty", "array.sty", "booktabs.sty", "longtable.sty")
#: None of them is known to pdfLaTeX as it is; all of them can be spelled.
SPELLED = "≤ ≥ ≠ α Ω Tiếng Việt x⁴ H₂O ﬁ ★ → a\u202fb"
#: None of them can.
BEYOND = ("дa", "שלום", "中文", "🙂")


def _rows() -> list[tuple[str, str, str]]:
    drawn = random.Random(3)
    labels = ["да", "≤ 5 %", "naïve", "中文", "שלום", "🙂 {$x^2$} \\input{x}"]
    return [
        (f"item {i}", who, labels[i % 6] if drawn.random() < 0.7 else drawn.choice(labels))
        for i in range(40)
        for who in ("ana", "бен", "cem")
    ]


@cache
def _reports() -> dict[str, str]:
    story, sets = example("story"), example("multi-label")
    frame = pl.DataFrame(_rows(), schema=["item", "annotator", "label"], orient="row")
    return {
        "story": assent.report(story.data(), **story.settings).latex(),
        "sets": assent.report(sets.data(), **sets.settings).latex(),
        "spans": assent.report(_spans()).latex(),
        "rankings": assent.report(_rankings()).latex(),
        "letters": assent.report(assent.Annotations.from_frame(frame), title=f"{SPELLED} дa").latex(),
        "explanations": assent.explain(
            _special(), "cohen-kappa", "krippendorff-alpha", "gwet-ac", "conger-kappa"
        ).latex(),
        "every block": latex.render(every_block(SPELLED, figure=False)),
    }


def _special() -> list[list[str]]:
    """Labels of two annotators that TeX would take for something else."""
    labels = ["a_b", "50%", "$x$", "#1", "{", "~^", "\\end{document}", "\\\\", "&", "[x]", "``", "^^41", SPELLED]
    return [[one, labels[(i * 7) % len(labels)] if i % 3 else one] for i, one in enumerate(labels * 2)]


def _spans() -> assent.Spans:
    text = "Ada met Grace in Paris on Monday."
    rows = [
        (f"d{i}", who, start, start + length, label)
        for i in range(8)
        for who, length in (("ana", 3), ("ben", 3 + i % 2))
        for start, label in ((0, "person"), (8, "person"), (17, "place"))
    ]
    frame = pl.DataFrame(rows, schema=["document", "annotator", "start", "end", "label"], orient="row")
    return assent.read(frame.with_columns(text=pl.lit(text)), layout="spans")


def _rankings() -> assent.Rankings:
    drawn = random.Random(1)
    rows = []
    for who in ("ana", "ben", "cem", "dora"):
        order = list("ABCDEF")
        drawn.shuffle(order)
        rows += [(who, one, rank) for rank, one in enumerate(order, 1)]
    frame = pl.DataFrame(rows, schema=["annotator", "object", "rank"], orient="row")
    return assent.read(frame, layout="rankings")


NAMES = ("story", "sets", "spans", "rankings", "letters", "explanations", "every block")


@pytest.fixture(scope="module")
def compiled() -> Callable[[str, str, Path], str]:
    def run(program: str, body: str, folder: Path) -> str:
        found = shutil.which(program)
        if found is None:
            pytest.skip(f"there is no {program} to compile with")
        for one in NEEDED:
            if not subprocess.run(["kpsewhich", one], capture_output=True, text=True).stdout.strip():
                pytest.skip(f"TeX is here without {one}")
        packages = "\\usepackage{amsmath}\\usepackage{array}\\usepackage{booktabs}\\usepackage{longtable}"
        if program == "pdflatex":
            packages = "\\usepackage[T1]{fontenc}" + packages
        file = folder / "report.tex"
        whole = f"\\documentclass{{article}}\n{packages}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
        file.write_text(whole, encoding="utf-8")
        command = [found, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", file.name]
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=300)
        said = done.stdout.decode("utf-8", "replace")
        return "" if done.returncode == 0 else "\n".join(re.findall(r"^!.*(?:\n.*){4}", said, re.M)) or said[-1000:]

    return run


@pytest.mark.nightly
@pytest.mark.parametrize("program", ["pdflatex", "xelatex", "lualatex"])
@pytest.mark.parametrize("name", NAMES)
def test_reports_compile(name: str, program: str, tmp_path: Path, compiled: Callable[[str, str, Path], str]) -> None:
    body = _reports()[name]
    if program == "pdflatex" and "compile it with XeLaTeX or LuaLaTeX" in body:
        assert name == "letters"
        assert "Unicode character" in compiled(program, body, tmp_path)
    else:
        assert compiled(program, body, tmp_path) == ""


@pytest.mark.nightly
@pytest.mark.parametrize("program", ["pdflatex", "xelatex", "lualatex"])
def test_a_file_is_compiled_as_it_is_and_fits_the_page(program: str, tmp_path: Path) -> None:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"there is no {program} to compile with")
    story = example("story")
    assent.report(story.data(), **story.settings).save(tmp_path / "report.tex")
    (tmp_path / "paper.tex").write_text(
        "\\documentclass{article}\\usepackage{amsmath}\\usepackage{array}\\usepackage{booktabs}\\usepackage{longtable}\n"
        "\\begin{document}\\input{report}\nAfterwards.\\end{document}\n"
    )
    for name in ("report", "paper"):
        command = [found, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", f"{name}.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=300)
        assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-1000:]
        wide = re.findall(r"Overfull \\hbox \(([\d.]+)pt", (tmp_path / f"{name}.log").read_text("utf-8", "replace"))
        # An inch to the right of the text is still on the page; tables and code went on beyond its edge.
        assert max(map(float, wide), default=0) < 72


@pytest.mark.nightly
@pytest.mark.parametrize("program", ["xelatex", "lualatex"])
def test_a_letter_that_the_font_lacks_is_not_left_out_in_silence(program: str, tmp_path: Path) -> None:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"there is no {program} to compile with")
    for name, text in (("known", SPELLED), ("lacking", BEYOND[1])):
        (tmp_path / f"{name}.tex").write_text(latex.render_file(every_block(text, figure=False)), encoding="utf-8")
        command = [found, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", f"{name}.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=300)
        assert (
            ("Missing character" in done.stdout.decode("utf-8", "replace"))
            == (name == "lacking")
            == (done.returncode > 0)
        )


@pytest.mark.nightly
@pytest.mark.parametrize("program", ["pdflatex", "xelatex", "lualatex"])
def test_options_are_printed_as_they_are_typed(
    program: str, tmp_path: Path, compiled: Callable[[str, str, Path], str]
) -> None:
    # LuaLaTeX joins two hyphens across braces: it printed a dash in place of those of --scale.
    reader = shutil.which("pdftotext")
    if reader is None:
        pytest.skip("there is no pdftotext to read the page with")
    asked = "set --scale, a---b; ?`u !`v"
    assert compiled(program, for_latex(asked), tmp_path) == ""
    page = subprocess.run([reader, "-layout", "report.pdf", "-"], cwd=tmp_path, capture_output=True, check=True)
    # A backtick is printed as the quotation mark that TeX makes of it.
    assert asked in page.stdout.decode().replace("‘", "`")


@pytest.mark.nightly
def test_what_is_said_to_be_known_is_known(tmp_path: Path, compiled: Callable[[str, str, Path], str]) -> None:
    from assent.documents.tex_letters import known

    letters = [chr(c) for c in range(0xA1, 0x2200) if chr(c).isprintable() and known(chr(c))]
    assert len(letters) > 200
    assert compiled("pdflatex", "\n\n".join(letters), tmp_path) == ""


def test_a_table_that_is_wider_than_the_page_breaks_its_lines() -> None:
    few = Table("t", "", [Column("name", "name"), Column("value")], [[words("ann"), words("0.5")]])
    assert r"\begin{longtable}{lr}" in latex.render(Document("", [few]))
    titles = [Column("what was said of it", "text"), *(Column(f"a long title {i}") for i in range(6))]
    wide = latex.render(
        Document("", [Table("t", "", titles, [[words("word " * 30), *(words("0.5") for _ in range(6))]])])
    )
    assert r"{\footnotesize\setlength{\tabcolsep}{3pt}" in wide
    assert r"\begin{longtable}{>{\raggedright\arraybackslash}p{" in wide
    assert r"\shortstack[r]{a \\ long \\ title \\ 0}" in wide


def test_a_file_ends_where_it_began() -> None:
    document = Document("Title", [])
    file = latex.render_file(document)
    assert file.count(r"\begin{document}") == file.count(r"\end{document}") == 1
    assert file.endswith("\\AssentEnd\n")
    assert latex.render(document).partition("\n\n")[2] in file


def test_the_head_says_which_compiler_it_takes() -> None:
    plain = latex.render(every_block("a b", figure=False))
    assert "XeLaTeX" not in plain
    assert "XeLaTeX" not in latex.render(every_block(SPELLED, figure=False))
    for one in BEYOND:
        head = latex.render(every_block(one, figure=False)).partition("\n\n")[0]
        assert "compile it with XeLaTeX or LuaLaTeX" in head
        assert head.isascii()
