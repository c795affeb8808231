"""`assent monitor`: what it prints, writes and ends with."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest
from tests.cli.conftest import Files, Program
from tests.cli.test_terminal import EVIL, harmless, quoted
from tests.explain.test_escape import balanced
from tests.monitoring.simulated import csv_text, drawn, rows

import assent as library
from assent.documents.charts import svg
from assent.limits import HTML

HOSTILE = [
    *EVIL,
    "<script>alert(1)</script>",
    "</svg><img src=x onerror=alert(1)>",
    "[bold red]x[/]",
    "{{ 7 * 7 }}",
    "]]>&lt;",
]


@pytest.fixture
def labels(file: Files) -> str:
    return file("labels.csv", csv_text(rows(drawn((300, 0.9), (300, 0.5), seed=1), ("ann", "bob", "cyd"))))


def test_the_chart_and_the_sentences(assent: Program, labels: str) -> None:
    done = assent("monitor", labels, "--target", "0.8")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Agreement while annotation runs\n1,200 annotations of 600 items by 3 annotators\n")
    for part in (
        "━ agreement so far",
        "░ 95 % sequence",
        "┄ target 0.8",
        "600 items",
        "fell below",
    ):
        assert part in done.out
    assert re.search(
        r"^Since about item (29|30)\d \(\"t\d+\"\) agreement went from 0\.[89]\d to 0\.[45]\d ", done.out, re.MULTILINE
    )
    assert "\x1b" not in done.out


def test_json_is_what_the_library_says(assent: Program, labels: str) -> None:
    found = assent("monitor", labels, "--target", "0.8", "--window", "50", "--json").json
    assert list(found) == ["data", "monitor"]
    expected = library.monitor(labels, target=0.8, window=50)
    assert found == json.loads(json.dumps(expected.to_dict()))
    assert found["monitor"]["stopped"] is None


def test_a_time_column(assent: Program, file: Files) -> None:
    text = "item,annotator,label,at\n1,a,x,2024-02-02\n2,a,x,2024-01-01\n2,b,x,2024-01-02\n1,b,y,2024-02-03\n"
    found = assent("monitor", file("labels.csv", text), "--time", "at", "--json").json["monitor"]
    assert [(one["moment"], one["agreement"]) for one in found["trajectory"]] == [
        ("2024-01-02", 1.0),
        ("2024-02-03", 0.5),
    ]
    bad = assent("monitor", file("labels.csv", text.replace("2024-01-02", "tomorrow")), "--time", "at")
    assert (bad.code, bad.out) == (2, "")
    assert 'annotation 3 (item "2", annotator "b") has the time "tomorrow"' in bad.err


@pytest.mark.parametrize(("limit", "code"), [("0.8", 1), ("0.7", 0), ("0.5", 0)])
def test_below_what_it_must_reach_is_1(assent: Program, labels: str, limit: str, code: int) -> None:
    """At 0.7 the sequence holds the limit: that it falls short is not settled."""
    done = assent("monitor", labels, "--fail-under", limit)
    assert done.code == code
    assert done.err.startswith("assent: Agreement is below 0.8: even the upper end") == bool(code)
    assert assent("monitor", labels, "--target", limit).code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--target", "0.8", "--fail-under", "0.8"), "give one of them"),
        (("--target", "80"), "share of items"),
        (("--every", "1"), "add --follow"),
        (("--idle", "1"), "add --follow"),
        (("--time", "when"), "no column"),
        (("--method", "wald"), "mixture, betting"),
        (("--follow", "--layout", "wide"), "one row per annotation"),
        (("--follow", "--transpose"), "--transpose does not fit"),
        (("--follow", "--not-missing", "NA", "--cluster", "item"), "--cluster does not fit"),
        (("--follow", "--duplicates", "last"), "counted already"),
        (("--follow", "--every", "0"), "above 0"),
        (("--html", "no/such/folder/x.html"), "folder"),
    ],
)
def test_bad_usage_is_2_and_one_sentence(
    assent: Program, labels: str, arguments: tuple[str, ...], message: str
) -> None:
    done = assent("monitor", labels, *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_following_needs_one_file(assent: Program, labels: str) -> None:
    for files in ((labels, labels), ("-",)):
        assert "follows one file" in assent("monitor", *files, "--follow").err


def test_following_a_file_that_is_complete_gives_the_same(assent: Program, labels: str) -> None:
    arguments = ("--target", "0.8", "--json")
    read = assent("monitor", labels, *arguments).json
    followed = assent("monitor", labels, *arguments, "--follow", "--idle", "0", "--every", "0.01")
    assert followed.code == 0
    found = followed.json
    stopped = found["monitor"].pop("stopped")
    assert stopped["reason"] == "idle"
    assert stopped["offset"] == Path(labels).stat().st_size
    assert set(found["data"]) == set(read["data"])
    del read["monitor"]["stopped"], found["monitor"]["sentences"], read["monitor"]["sentences"]
    people = [sorted(one["monitor"].pop("annotators"), key=lambda who: who["annotator"]) for one in (read, found)]
    assert people[0] == people[1]
    assert found == read
    assert "assent: 600 items, agreement" in followed.err
    assert "fell below the target" in followed.err


def test_names_reach_a_terminal_escaped(assent: Program, file: Files) -> None:
    values = drawn((200, 0.95), (200, 0.3), seed=1)
    annotations = rows(values, tuple(HOSTILE[:6]))
    text = "item,annotator,label,at\n" + "".join(
        f"{quoted(row['item'] + HOSTILE[i % 6])},{quoted(row['annotator'])},{quoted(row['label'] + HOSTILE[0])},{i}\n"
        for i, row in ((k // 2, row) for k, row in enumerate(annotations))
    )
    path = file("\x1b[31mred.csv", text)
    for how in ((), ("--follow", "--idle", "0", "--every", "0.01")):
        done = assent("monitor", path, "--target", "0.8", "--time", "at", *how)
        assert done.code == 0
        assert harmless(done.out + done.err)
        assert r"\x1b[31mred" in done.out


@pytest.fixture(scope="module")
def hostile_page() -> str:
    annotations = rows(drawn((900, 0.95), (900, 0.3), seed=1), tuple(HOSTILE))
    for row in annotations:
        row["item"] += HOSTILE[int(row["item"][1:]) % len(HOSTILE)]
        row["label"] += HOSTILE[8]
    return library.monitor(annotations, target=0.8, window=40).html()


def test_nothing_from_the_data_is_markup_in_the_page(hostile_page: str) -> None:
    from html.parser import HTMLParser

    tags: list[str] = []
    attributes: list[str] = []

    class Look(HTMLParser):
        def handle_starttag(self, tag, attrs):
            tags.append(tag)
            attributes.extend(name for name, _ in attrs)

    Look(convert_charrefs=True).feed(hostile_page)
    assert tags.count("script") == 1
    assert "img" not in tags
    assert not [name for name in attributes if name.startswith("on")]
    assert not [name for name in attributes if name == "style"], "the policy forbids it"
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in hostile_page
    assert "49" not in re.findall(r"\{\{ 7 \* 7 \}\}|49(?=</th>)", hostile_page)


def test_the_page_fetches_nothing(hostile_page: str) -> None:
    assert "default-src 'none'" in html.unescape(hostile_page)
    assert not re.findall(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", hostile_page)


def test_the_page_has_the_charts_the_alerts_and_every_annotator(assent: Program, labels: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = assent("monitor", labels, "--target", "0.8", "--html", str(page))
    assert done.code == 0
    text = page.read_text(encoding="utf-8")
    # Each of the two charts is drawn for a wide page and for a phone.
    assert text.count("<svg") == 4
    for part in (
        "fell below 0.8",
        'id="alerts">Alerts</h2>',
        "Agreement of the last 100 items",
        "ann",
        "bob",
        "cyd",
        "Since about item",
    ):
        assert part in text


def test_annotators_beyond_the_table_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assent.documents.html.HTML", HTML._replace(rows=2))
    text = library.monitor(rows(drawn((60, 0.8)), tuple("abcde"))).html()
    assert "3 more rows are left out here." in text
    assert text.count('<th scope="row"') == 2


@pytest.mark.parametrize("values", [(900, 0.8), (1, 1.0)])
def test_every_medium_takes_any_name(values: tuple[int, float]) -> None:
    annotations = rows(drawn(values, (values[0], 0.3), seed=1), tuple(HOSTILE))
    for row in annotations:
        row["item"] += HOSTILE[int(row["item"][1:]) % len(HOSTILE)]
    result = library.monitor(annotations, target=0.8, window=40)
    for text in (result.text(), result.text(width=40), result.markdown()):
        assert harmless(text)
    assert balanced(result.latex())
    assert "<iframe srcdoc=" in result._repr_html_()
    assert set(result.figures()) >= {"agreement"}


@pytest.mark.parametrize("width", [800, 346])
@pytest.mark.parametrize("change", [100, 500])
def test_charts_keep_to_their_width(width: int, change: int) -> None:
    result = library.monitor(rows(drawn((change, 0.95), (600 - change, 0.3), seed=1), tuple("abc")), target=0.8)
    assert result.alerts
    assert result.shifts
    for figure in result.document().figures().values():
        found = re.search(r'<svg[^>]* width="(\d+)"', svg(figure.draw(width)))
        assert found is not None
        assert int(found[1]) <= width
