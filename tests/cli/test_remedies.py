"""What a refusal offers works: each command that `assent look` shows for a table that is not read as it is can be copied and run."""

from __future__ import annotations

import json
import random
import shlex

import pytest
from tests.cli.conftest import Files, Program

DRAW = random.Random(5)
TITLED = "".join(f"{i},{DRAW.choice('ab')},{DRAW.choice('ab')}\n" for i in range(12))
RESTARTING = "".join(f"d{i // 4},{i % 4},{who},{DRAW.choice('xy')}\n" for i in range(16) for who in ("ann", "bob"))
SENTENCES = "".join(f"d{i // 4},{i % 4},{DRAW.choice('xy')},{DRAW.choice('xy')}\n" for i in range(16))
CRITERIA = "".join(
    f"p{i},r{j},{DRAW.randint(1, 4)},{DRAW.randint(1, 4)},{DRAW.randint(1, 9)}\n" for i in range(10) for j in range(3)
)
ACCENTS = "".join(f"{i};{DRAW.choice(('été', 'là'))};{DRAW.choice(('été', 'là'))}\n" for i in range(12))
SCRIPT = "".join(f"{i},{DRAW.choice(('正面', '负面'))},{DRAW.choice(('正面', '负面'))}\n" for i in range(12))
REFUSED: dict[str, tuple[str | bytes, str]] = {
    "titles with as many separators": ("Double coding,,\n,,\nid,ann,bob\n" + TITLED, "--skip-rows 2"),
    "titles without separators": ("Double coding, round\n\nid,ann,bob\n".replace(",", "", 1) + TITLED, "--skip-rows 2"),
    "titles above semicolons": ("Double coding\nid;ann;bob\n" + TITLED.replace(",", ";"), "--skip-rows 1"),
    "numbers that start again": ("doc,sentence,coder,label\n" + RESTARTING, "--item doc,sentence"),
    "numbers that start again, wide": ("doc,sentence,ann,bob\n" + SENTENCES, "--item doc,sentence"),
    "questions below each other": ("item,question,coder,answer\n" + RESTARTING, "--questions question"),
    "an annotator twice": ("item,coder,label\n" + "".join(f"{i},{w},x\n{i},{w},y\n" for i in range(2) for w in "ab"), "--duplicates last"),
    "several qualities": ("paper,reviewer,clarity,soundness,rating\n" + CRITERIA, "--label soundness"),
    "accents of an older program": (("id;ann;bob\n" + ACCENTS).encode("latin-1"), "--encoding latin-1"),
    "Chinese of an older program": (("id,ann,bob\n" + SCRIPT).encode("gb18030"), "--encoding gb18030"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_each_command_that_is_offered_runs(name: str, assent: Program, file: Files) -> None:
    content, expected = REFUSED[name]
    path = file("table.csv", content)
    assert assent("measure", path).code == 2
    done = assent("look", path, "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert found["refused"]
    commands = [one["command"] for one in found["commands"]]
    assert any(expected in command for command in commands)
    for command in commands:
        assert assent(*shlex.split(command)[1:]).code == 0, command


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("q1,w1,a\nq1,w2,a\nq2,w1,b\nq2,w2,a\nq1,w3,a\nq2,w3,b\n", "put a line of names above it"),
        ("t,c1,c2\n" + "".join(f"t{i},{i % 2},1\n" for i in range(8)) + "Total,4,8\n", "delete it"),
        ("id,c1,c2\n1,a,a\n2,a,b\n3,b,b\nSource: notes\n", "delete it if it stands below the table"),
    ],
)
def test_what_must_be_changed_in_the_file_has_no_command(content: str, said: str, assent: Program, file: Files) -> None:
    path = file("table.csv", content)
    assert said in assent("measure", path).err
    done = assent("look", path, "--json")
    assert done.code == 2 or json.loads(done.out)["commands"] == []
