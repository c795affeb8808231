"""Every command that the pages show runs on files like those that it names, and every option that they name exists."""

from __future__ import annotations

import io
import json
import re
import shlex
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import polars as pl
import pytest
from tests.cli.conftest import Program, assent  # noqa: F401 (a fixture)
from tests.support import every, parser, some

from assent.cli.app import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = {path.name: path.read_text(encoding="utf-8") for path in [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]}
#: Commands as they stand behind a prompt, and those in the text that need no file, by page. Those of ci.md have a test of their own, with their exit codes.
SHOWN = {
    name: found
    for name, text in PAGES.items()
    if name != "ci.md"
    and (
        found := [
            *re.findall(r"^ *\$ assent (.*?)$", text, flags=re.MULTILINE),
            *(
                one
                for one in re.findall(r"`assent ([^`]*--(?:example|table) [^`]*)`", text)
                if not re.search("NAME|…", one)
            ),
        ]
    )
}
#: What does not end, asks for the web or starts Spark: its options are checked, and it has tests elsewhere.
NOT_RUN = ("serve", "--follow", "--engine spark")
#: Options of pip, pytest and the studies, and of a method that a page defines.
OTHERS = {"--no-deps", "--junitxml", "--assent-unclear", "--quick", "--data", "--power"}


def table(names: str, rows: Iterable[Iterable[object]]) -> str:
    return "\n".join([names, *(",".join(map(str, row)) for row in rows)]) + "\n"


def noisy(item: int, who: int, labels: list[str]) -> str:
    """A label that annotators mostly share."""
    return labels[(item + (item * 7 + who * 5) % 11 // 9 * (who + 1)) % len(labels)]


def long(people: str, labels: str, names: str = "item,annotator,label", more: Callable[[int, str], str] = lambda *_: "", items: int = 60) -> str:  # fmt: skip
    who = people.split()
    return table(
        names,
        (
            (f"i{item}", one, noisy(item, j, labels.split()), *filter(None, [more(item, one)]))
            for item in range(1, items + 1)
            for j, one in enumerate(who)
        ),
    )


def label_studio() -> str:
    def answer(label: str) -> dict[str, object]:
        return {"from_name": "sentiment", "to_name": "text", "type": "choices", "value": {"choices": [label]}}

    return json.dumps(
        [
            {
                "id": i,
                "data": {"text": f"text {i}"},
                "annotations": [
                    {"id": 10 * i + j, "completed_by": j, "result": [answer(noisy(i, j, ["good", "bad"]))]}
                    for j in (1, 2)
                ],
            }
            for i in range(1, 31)
        ]
    )


def zipped(content: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("project/export.json", content)
    return buffer.getvalue()


def parquet(content: str) -> bytes:
    buffer = io.BytesIO()
    pl.read_csv(io.StringIO(content)).write_parquet(buffer)
    return buffer.getvalue()


LABELS = long("ann bob cleo", "positive neutral negative")
JUDGED = long("ann bob cleo gpt-4o", "pass fail")
ANSWERS = long("ann bob cleo", "yes,it,is no,it,is,not maybe", "item,annotator,answer,question", lambda item, _: f"question {item} in words").replace("yes,it,is", "yes it is").replace("no,it,is,not", "no it is not")  # fmt: skip
VOTES = table(
    "judge,prompt,model_a,model_b,winner",
    ((who, p, "x", "y", noisy(p, j, ["x", "y"])) for p in range(40) for j, who in enumerate(["ann", "bob", "gpt-4o"])),
)
RANKED = [(q, who, s, (n + (q + j) % 4 // 3) % 4 + 1) for q in range(12) for j, who in enumerate("ab") for n, s in enumerate("wxyz")]  # fmt: skip
SPANS = table(
    "document,annotator,start,end,label",
    (
        (f"d{d}", who, 10 * n + (d + n + j) % 5 // 4, 10 * n + 6, noisy(n + d, j, ["PER", "ORG", "LOC"]))
        for d in range(6) for j, who in enumerate(["ann", "bob", "gpt-4o"]) for n in range(4)
    ),
)  # fmt: skip
SETS = table(
    "item,annotator,label",
    ((i, who, "question;answer" if (i + j) % 3 else "answer") for i in range(30) for j, who in enumerate("ab")),
)

#: Files that pages name.
FILES: dict[str, str | bytes] = {
    "labels.csv": LABELS,
    "labels.parquet": parquet(LABELS),
    "labels/one.parquet": parquet(LABELS),
    "export.json": label_studio(),
    "export.zip": zipped(label_studio()),
    "known.csv": "item,label\ni1,neutral\ni2,negative\ni3,positive\n",
    "ratings.csv": long("ann bob", "1 2 3 4 5"),
    "judge-vs-human.csv": long("human judge", "pass fail"),
    "before.csv": LABELS,
    "after.csv": long("ann bob cleo", "positive negative neutral"),
    "a.csv": long("ann bob", "x y"),
    "b.csv": long("bob ann", "x y"),
    "c.csv": long("cleo dan", "x y"),
    "rest.csv": table("item,label", ((f"r{i}", noisy(i, 3, ["pass", "fail"])) for i in range(80))),
    "verdicts.csv": table(
        "item,judge,run,verdict",
        ((i, who, run, noisy(i, run + len(who), ["pass", "fail"])) for i in range(40) for who in ("ann", "bob", "gpt-4o") for run in ((1, 2, 3) if who == "gpt-4o" else (1,))),
    ),
    "votes.csv": VOTES,
    "rankings.csv": table("query,judge,system,rank", RANKED),
    "scores.csv": table("judge,system,points", [(who, s, 10 - 2 * r) for q, who, s, r in RANKED if q == 2]),
    "matrix.csv": "object,ann,bob\nx,1,1\ny,2,3\nz,3,2\nw,4,4\n",
    "votes.soc": "# FILE NAME: v.soc\n# DATA TYPE: soc\n# NUMBER ALTERNATIVES: 3\n# NUMBER VOTERS: 3\n# ALTERNATIVE NAME 1: x\n"
    "# ALTERNATIVE NAME 2: y\n# ALTERNATIVE NAME 3: z\n2: 1,2,3\n1: 2,1,3\n",
    "choices.csv": table("who,w1,w2,w3,w4,best,worst", ((who, f"o{i}", "p", "q", "r", noisy(i, j, [*"pq"]), "r") for i in range(9) for j, who in enumerate("ab"))),
    "answers.csv": ANSWERS,
    "boxes.jsonl": "".join(json.dumps({"item": i, "annotator": who, "boxes": [[0, 0, 5 + i % 3, 5 + j]]}) + "\n" for i in range(6) for j, who in enumerate("ab")),
    "topics.csv": long("ann bob", "cat dog rose"),
    "tree.csv": "child,parent\ncat,animal\ndog,animal\nrose,plant\nanimal,thing\nplant,thing\n",
    "mypackage/texts.py": "def distance(one: str, other: str) -> float:\n    return float(one != other)\n",
    "run1.csv": long("m", "pass fail"),
    "run2.csv": long("m", "pass fail pass fail pass"),
    "run3.csv": long("m", "pass fail"),
    "columns.csv": table("item,first,second,third", ((i, *(noisy(i, j, ["pass", "fail"]) for j in range(3))) for i in range(40))),
    "spans.csv": SPANS,
    "lengths.csv": table("document,length", ((f"d{d}", 60) for d in range(6))),
    "emails.csv": SETS,
    "tweets.csv": table("tweet,anna,ben,carla,Redaktion", ((t, *given, max(given, key=given.count)) for t, given in enumerate([["ja", "ja", "nein"], ["nein", "ja", "nein"], ["nein", "ja", "ja"], ["ja", "ja", "ja"]] * 8, 1))),
}  # fmt: skip

#: Files of one page or one command, where others of that name have other columns.
OF_PAGE: dict[str, dict[str, str | bytes]] = {
    "judges.md": {"labels.csv": JUDGED, "ratings.csv": long("ann bob gpt-4o claude", "1 2 3 4 5", "item,annotator,label,text", lambda item, _: f"t{item // 4}")},
    "items.md": {"labels.csv": long("ann bob cleo", "positive neutral negative", "item,annotator,label,sentence,language", lambda item, _: f"some words {item},{['de', 'en'][item % 2]}")},
    "annotators.md": {"labels.csv": long("ann bob cleo", "a b c", "item,annotator,label,finished_at", lambda item, _: f"2024-01-{item // 4 + 1:02}")},
    "monitoring.md": {"labels.csv": long("ann bob", "a b c", "item,annotator,label,created_at", lambda item, _: f"2024-01-{item // 4 + 1:02}")},
    "--repeat": {"labels.csv": table("item,annotator,label,pass", ((i, who, noisy(i, j + n, [*"ab"]), n) for i in range(30) for j, who in enumerate("xyz") for n in (1, 2)))},
    "--by guideline": {"labels.csv": long("ann bob", "a b c", "item,annotator,label,guideline", lambda item, _: f"v{item % 2}")},
    "--group ann,gpt-4": {"labels.csv": long("ann gpt-4 gpt-5", "a b")},
    "repeat scores.csv": {"scores.csv": table("item,judge,run,score", ((i, "m", run, 1 + (i + (i + run) % 5 // 4) % 5) for i in range(30) for run in (1, 2)))},
    "scales.md": {"ratings.csv": long("ann bob", "low mid high")},
    "--rank rank": {"emails.csv": table("item,annotator,label,rank", ((i, who, label, rank) for i in range(30) for who in "ab" for rank, label in ((1, "question"), (2, "answer"))))},
    "compare before.csv after.csv -m krippendorff-alpha --label answer": {"before.csv": ANSWERS, "after.csv": ANSWERS},
}  # fmt: skip


def named(line: str) -> Iterator[str]:
    """Yield the options in a text."""
    yield from re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z]", line)


def options(command: str) -> set[str]:
    found = parser(command).commands[command]
    return {name for one in found.params for name in [*one.opts, *one.secondary_opts]} | {"--help", "--help-all"}


@pytest.mark.parametrize("page", every(2, SHOWN))
def test_the_commands_of_a_page_run(
    page: str,
    tmp_path: Path,
    assent: Program,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for shown in some(SHOWN[page]):
        line, _, comment = (one.strip() for one in shown.partition(" # "))
        if any(f" {one} " in f" {line} " for one in NOT_RUN):
            continue
        more = [files for key, files in OF_PAGE.items() if key == page or key in line]
        for name, content in {name: content for files in [FILES, *more] for name, content in files.items()}.items():
            if Path(name).name in line or Path(name).parent.name in ("labels", "mypackage") or name in ("tree.csv",):
                target = tmp_path / name
                target.parent.mkdir(exist_ok=True)
                target.write_bytes(content if isinstance(content, bytes) else content.encode())
        done = assent(*shlex.split(line.replace("'labels/*.parquet'", "labels/one.parquet")))
        gated = any(one in line for one in ("--gate", "--fail-under", "--target"))
        wanted = (
            tuple(map(int, re.findall(r"\d", comment)))
            if comment.startswith("exit code")
            else (0, 1, 3)
            if gated
            else (0,)
        )
        if line == "measure tweets.csv":
            assert " ".join(done.err.split()) in " ".join(PAGES[page].split())
            wanted = (2,)
        assert done.code in wanted, (line, done.err)


@pytest.mark.parametrize("page", PAGES)
def test_the_options_that_a_page_names_exist(page: str) -> None:
    every = OTHERS.union(*map(options, sorted(COMMANDS)), {"--version", "--install-completion"})
    text = PAGES[page]
    assert not [one for one in named(text) if one not in every]
    for line in re.findall(r"`assent ([^`]*)`|^ *\$ assent (.*?)$", text, flags=re.MULTILINE):
        words = "".join(line).partition(" # ")[0]
        command = words.split()[0] if words.split() else ""
        if command in COMMANDS:
            assert not [one for one in named(words) if one not in options(command) | OTHERS], words
