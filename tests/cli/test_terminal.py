"""What comes from a file reaches a terminal escaped: no colours, no cleared screens, no reversed text."""

from __future__ import annotations

import io
import sys
import time

import pytest
from tests.cli.conftest import Files, Program

CLEAR = "\x1b[2J\x1b]0;title\x07"
EVIL = [
    "\x1b[31mred",
    "\x9b2J",
    "bell\x07",
    "back\x08space",
    "\u202eabc",
    "two\nlines",
    "a\rb",
    "\x1b]8;;http://x\x1b\\link",
]


def harmless(text: str) -> bool:
    return all(character.isprintable() or character == "\n" for character in text)


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def test_labels_are_shown_escaped(assent: Program, file: Files) -> None:
    path = file(
        "evil.csv", "item,r1,r2\n" + "".join(f"{i},{quoted(label)},{quoted(label)}\n" for i, label in enumerate(EVIL))
    )
    done = assent("measure", path)
    assert done.code == 0
    assert harmless(done.out + done.err)
    assert r'"\x1b[31mred"' in done.out
    assert r'"\u202eabc"' in done.out


@pytest.mark.parametrize("label", EVIL)
def test_notes_show_labels_escaped(assent: Program, file: Files, label: str) -> None:
    same = file("same.csv", f"item,r1,r2\n1,{quoted(label)},{quoted(label)}\n2,{quoted(label)},{quoted(label)}\n")
    assert harmless(assent("measure", same).out)
    alike = file(
        "alike.csv", f"item,r1,r2\n1,{quoted(label)},{quoted(label.upper())}\n2,{quoted(label)},{quoted(' ' + label)}\n"
    )
    assert harmless(assent("measure", alike).out)


def test_missing_words_are_shown_escaped(assent: Program, file: Files) -> None:
    path = file("gaps.csv", f"item,r1,r2\n1,a,{CLEAR}\n2,b,b\n3,a,a\n")
    done = assent("measure", path, "--missing", CLEAR)
    assert "missing label" in done.out
    assert harmless(done.out)


@pytest.mark.parametrize("layout", ["wide", "long", "counts", "table"])
def test_names_of_columns_are_shown_escaped(assent: Program, file: Files, layout: str) -> None:
    texts = {
        "wide": f"item{CLEAR},r1{CLEAR},r2{CLEAR}\n1,a,a\n2,b,a\n3,a,a\n",
        "long": f"item,annotator,label,x{CLEAR}\n1,who{CLEAR},a,1\n1,y,a,1\n2,who{CLEAR},,1\n2,y,b,1\n2,z,a,1\n",
        "counts": f"item,yes{CLEAR},no\n1,3,0\n2,1,2\n3,0,3\n",
        "table": f",a{CLEAR},b\na{CLEAR},5,1\nb,2,3\n",
    }
    done = assent("measure", file("data.csv", texts[layout]), "--layout", layout)
    assert (done.code, done.err) == (0, "")
    assert harmless(done.out)


def test_an_annotator_without_labels_is_shown_escaped(assent: Program, file: Files) -> None:
    done = assent("measure", file("data.csv", f"item,annotator,label\n1,x,a\n1,y,a\n1,{CLEAR},\n2,x,a\n2,y,b\n"))
    assert "1 annotator has no label" in done.out
    assert harmless(done.out)


def test_the_name_of_a_cluster_is_shown_escaped(assent: Program, file: Files) -> None:
    path = file("data.csv", f"item,r1,r2,doc{CLEAR}\n1,a,a,p\n2,b,a,q\n3,a,a,q\n")
    done = assent("measure", path, "--cluster", f"doc{CLEAR}")
    assert done.code == 0
    assert harmless(done.out)


def test_the_name_of_a_lone_cluster_is_shown_escaped(assent: Program, file: Files) -> None:
    path = file("data.csv", f"item,r1,r2,doc{CLEAR}\n1,a,a,p\n2,b,a,p\n")
    assert harmless(assent("measure", path, "--cluster", f"doc{CLEAR}").out)


@pytest.mark.parametrize(
    "arguments",
    [
        ("-m", CLEAR),
        ("--label", CLEAR),
        ("--scale", CLEAR),
        ("--weights", CLEAR),
        ("--order", CLEAR),
        ("--order", f"{CLEAR},{CLEAR}"),
        ("--scale", "ordinal"),
        ("--layout", CLEAR),
        ("--delimiter", CLEAR),
        ("--encoding", CLEAR),
        ("--format", CLEAR),
        ("--level", CLEAR),
        ("--sheet", CLEAR),
        (f"--{CLEAR}",),
    ],
)
def test_messages_are_escaped(assent: Program, file: Files, arguments: tuple[str, ...]) -> None:
    done = assent("measure", file("data.csv", f"item,r1,r2\n1,{CLEAR},a\n2,b,b\n"), *arguments)
    assert done.code == 2
    assert harmless(done.err)


def test_duplicates_and_broken_rows_are_shown_escaped(assent: Program, file: Files) -> None:
    head = "item,annotator,label\n"
    for text in (f"{CLEAR},{CLEAR},a\n{CLEAR},{CLEAR},b\n1,x,a\n", f"1,{CLEAR},a\n2,{CLEAR},a\n", f'1,x,"{CLEAR}"x\n'):
        done = assent("measure", file("data.csv", head + text))
        assert done.code == 2
        assert harmless(done.err)


def test_the_name_of_a_file_is_shown_escaped(assent: Program, file: Files) -> None:
    done = assent("measure", file("evil\x1b[31m.csv", ""))
    assert done.code == 2
    assert r"evil\x1b[31m.csv" in done.err
    assert harmless(done.err)


def test_weights_are_shown_escaped(assent: Program, file: Files, wide: str) -> None:
    for text in (f",a,b\na,1,{CLEAR}\nb,0,1\n", f",{CLEAR}\n"):
        assert harmless(assent("measure", wide, "--weights", file("evil\x1b[31m.csv", text)).err)


def test_markup_is_not_taken_for_markup(assent: Program, file: Files) -> None:
    """Square brackets mean colours to the library that prints; here they are labels."""
    done = assent("measure", file("data.csv", "item,[red]r1,[/]r2\n1,[bold]a[/bold],b\n2,[link=x]c,b\n3,b,b\n"))
    assert done.code == 0
    for text in ("[bold]a[/bold]", "[link=x]c", "[red]r1", "[/]r2"):
        assert f'"{text}"' in done.out


def test_a_label_of_ten_thousand_characters_is_cut(assent: Program, file: Files) -> None:
    done = assent("measure", file("data.csv", f"item,r1,r2\n1,{'x' * 10_000},b\n2,b,b\n"))
    assert len(done.out) < 2000
    assert "x" * 20 + "…" in done.out


class Watched(io.StringIO):
    """Standard error where a person is watching."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("patience", "drawn"), [(60.0, False), (0.0, True)])
def test_a_bar_is_drawn_only_for_those_who_wait(monkeypatch: pytest.MonkeyPatch, patience: float, drawn: bool) -> None:
    from assent.cli import progress

    screen = Watched()
    monkeypatch.setattr(progress, "PATIENCE", patience)
    monkeypatch.setattr(sys, "stderr", screen)
    with progress.bar("Reading [bold]x[/bold]") as update:
        update(0.25, "Reading [bold]y[/bold]")
        # The bar runs beside: what is shown is awaited, what is not is given no time.
        while drawn and "25 %" not in screen.getvalue():
            time.sleep(0.01)
    assert ("[bold]y[/bold]" in screen.getvalue()) is drawn
    assert bool(screen.getvalue()) is drawn
