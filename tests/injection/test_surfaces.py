"""Whatever labels, annotators, items, columns, files, texts and options are called: on every surface it is text."""

from __future__ import annotations

import contextlib
import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.injection.corpus import CORPUS, of_html, of_latex, of_markdown, of_sheet, of_svg, of_text
from tests.support import run, some

import assent
from assent.atomic_files import table_text
from assent.documents import charts
from assent.errors import AssentError

#: Columns of each kind of data; `~` is a name of the data.
KINDS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "labels": (("item", "annotator", "label", "text", "document"), {}),
    "sets": (("item", "annotator", "label"), {"separator": "§"}),
    "spans": (("document", "annotator", "start", "end", "label", "text"), {"layout": "spans"}),
    "rankings": (("item", "annotator", "object", "rank"), {"object": "object", "rank": "rank"}),
    "preferences": (("annotator", "left", "right", "winner"), {"layout": "preferences"}),
}
VERBS = ("look", "measure", "report", "explain", "advise", "items", "annotators", "labels", "ceiling", "repeat", "judge", "consensus", "sweep", "plan", "monitor", "compare")  # fmt: skip


def rows_of(kind: str, dice: random.Random) -> list[tuple[Any, ...]]:
    """Return rows of a kind in which every name is one of the corpus."""
    who = dice.sample(CORPUS, 3)
    labels = dice.sample(CORPUS, 4)
    names = [f"{one}{i}" for i, one in enumerate(dice.sample(CORPUS, 8))]
    if kind == "preferences":
        pairs = list(itertools.combinations(labels, 2))
        return [(one, left, right, dice.choice((left, right))) for left, right in pairs for one in who]
    if kind == "rankings":
        return [(name, one, thing, rank) for name in names[:3] for one in who for rank, thing in enumerate(dice.sample(labels, 4), 1)]  # fmt: skip
    found: list[tuple[Any, ...]] = []
    for number, name in enumerate(names):
        truth = dice.choice(labels[:3])
        for one in who:
            label = truth if dice.random() < 0.6 else dice.choice(labels[:3])
            if kind == "spans":
                text = f"{CORPUS[number * 7]} and so on"
                found.append((name, one, number % 3, 4 + dice.randrange(2), label, text))
            elif kind == "sets":
                found.append((name, one, f"{label}§{labels[3]}" if dice.random() < 0.4 else label))
            else:
                found.append((name, one, label, dice.choice(CORPUS) + " a text", names[number % 2]))
    return found


def _results(kind: str, seed: int, refused: list[str]) -> Iterator[tuple[str, Any]]:
    columns, options = KINDS[kind]
    dice = random.Random(seed)
    frame = pl.DataFrame(rows_of(kind, dice), schema=list(columns), orient="row")
    kept = [one for one in ("text",) if one in columns and kind == "labels"]
    data = assent.read(frame, columns=kept, **options)
    who = data.annotators[0]
    calls: dict[str, Callable[[], Any]] = {
        name: (lambda name=name: getattr(assent, name)(data)) for name in VERBS if hasattr(assent, name)
    }
    calls |= {
        "look": lambda: assent.look(frame, **options),
        "report": lambda: assent.report(data, title=dice.choice(CORPUS)),
        "repeat": lambda: assent.repeat(
            pl.concat([frame.with_columns(run=pl.lit(one)) for one in dice.sample(CORPUS, 2)]), run="run"
        ),
        "judge": lambda: assent.judge(data, judge=who),
        "compare": lambda: assent.compare(data, data),
        "consensus": lambda: assent.consensus(data),
        "plan": lambda: assent.plan(data, half_width=0.1),
    }
    for name, call in calls.items():
        try:
            made = call()
        except (AssentError, TypeError) as error:
            refused.append(str(error))
        else:
            yield name, made


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.nightly), pytest.param(3, marks=pytest.mark.nightly)])  # fmt: skip
@pytest.mark.parametrize("kind", KINDS)
def test_results_hold_nothing_but_text(kind: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[bytes] = []
    render = charts.render

    def watched(*given: Any, **options: Any) -> bytes:
        drawn.append(render(*given, **options) if len(drawn) < 3 or seed > 1 else b"<svg/>")
        return drawn[-1]

    monkeypatch.setattr(charts, "render", watched)
    wrong: dict[tuple[str, str], list[str]] = {}
    refused: list[str] = []
    for name, result in some(_results(kind, seed, refused)):
        wrong[name, "html"] = of_html(result.html())
        wrong[name, "notebook"] = of_html(result._repr_html_())
        wrong[name, "markdown"] = of_markdown(result.markdown())
        wrong[name, "latex"] = of_latex(result.latex())
        wrong[name, "terminal"] = of_text(result.text())
        wrong[name, "json"] = of_text(result.json())
    wrong["", "refusals"] = of_text("".join(refused))
    wrong["", "charts"] = [one for picture in drawn if picture.startswith(b"<svg") for one in of_svg(picture)]
    assert {where: found for where, found in wrong.items() if found} == {}


def test_what_the_program_prints_and_writes_is_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = {}
    for number in range(0, len(CORPUS), 3):
        names = [f"{one} {i}" for i, one in enumerate(CORPUS[number : number + 3])]
        # Columns and files are called so, too.
        file = f"{CORPUS[number][:40]}.csv".replace("/", "").replace("\x00", "")
        rows = [[names[0], *("label", names[-1])], *([f"{CORPUS[(number + i) % len(CORPUS)]}{i}", names[i % 2], names[i % 3 > 0]] for i in range(6))]  # fmt: skip
        pl.DataFrame(rows[1:], schema=rows[0], orient="row").write_csv(file)
        for line in (["look"], ["items", "--layout", "wide", "-o", "out.csv", "--for-spreadsheet"], ["measure", "--layout", "wide"], ["consensus", "--layout", "wide", "-o", "c.tsv", "--for-spreadsheet"]):  # fmt: skip
            with contextlib.suppress(SystemExit):
                run([line[0], *line[1:], "--", file])
            said = capsys.readouterr()
            wrong[file, line[0]] = of_text(said.out + said.err)
        for made, separator in (("out.csv", ","), ("c.tsv", "\t")):
            if Path(made).exists():
                wrong[file, made] = of_sheet(Path(made).read_bytes().decode(), separator)
                Path(made).unlink()
    assert {where: found for where, found in wrong.items() if found} == {}


def test_cells_for_a_spreadsheet_are_no_formulas() -> None:
    columns = {one: [one] for one in CORPUS}
    for format, separator in (("csv", ","), ("tsv", "\t")):
        assert of_sheet(table_text(columns, format, for_spreadsheet=True), separator) == []
        assert of_sheet(table_text(columns, format), separator)


def test_the_corpus_would_be_seen() -> None:
    """Each check finds what it looks for where nothing is escaped."""
    whole = "".join(f"<p title='{one}'>{one}</p>" for one in CORPUS)
    assert len(of_html(whole)) > 10
    assert len(of_html("<script>{}<!--<script></script>")) == 1
    assert [one for one in CORPUS if of_markdown(one)]
    assert len(of_latex("\n".join(CORPUS))) > 4
    assert len(of_text("".join(CORPUS))) > 8
    assert of_svg(b'<svg xmlns="http://www.w3.org/2000/svg"><xss9/><a onload="x"/></svg>')
