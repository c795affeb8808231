"""What CONTRIBUTING.md tells to copy works, and what it names exists."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from tests.support import some

import assent
from assent.readers.exports import registry
from assent.reports.context import ReportContext, Settings

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def blocks() -> list[str]:
    """The pieces of code, without their indent."""
    found = re.findall(r"(?:^(?:       .*)?\n)+", TEXT, re.MULTILINE)
    return [dedent(one).strip() + "\n" for one in found if "def " in one]


def test_files_and_folders_that_are_named_exist() -> None:
    named = set(
        re.findall(r"(?:^|[\s`(])((?:[\w.-]+/)*[\w.-]+\.(?:py|json|md|csv|toml))(?=[\s`),.;:]|$)", TEXT, re.MULTILINE)
    )
    # NAME and WORK stand for what is new; expected.json is in the folders of the cases.
    named = {one for one in named if not re.search("NAME|WORK", one)}
    known = {path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if ".venv" not in path.parts}
    for one in some(sorted(named)):
        assert any(path == one or path.endswith(f"/{one}") for path in known), one


def test_the_coefficient_and_the_method_are_those_of_the_package() -> None:
    first, second, *_ = blocks()
    for block, file in ((first, "measures/fleiss.py"), (second, "analyses/consensus/methods/counting.py")):
        source = (ROOT / "src/assent" / file).read_text(encoding="utf-8")
        for line in some([one for one in block.splitlines() if one.startswith(("    share", "    return", "def "))]):
            assert f"{line}\n" in source


def test_every_property_has_more_examples_in_a_thorough_run() -> None:
    """A number that is written down would stay as small as it is, and the examples of most tables are the same on every run."""
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")}
    assert sum("max_examples=examples(" in text for text in sources.values()) > 5
    fixed = [path.name for path, text in sources.items() if re.search(r"max_examples=\d", text)]
    assert sorted(fixed) == ["conftest.py", "tables.py"]


def test_the_section_says_what_it_counts() -> None:
    (code,) = [one for one in blocks() if "ReportContext" in one]
    made: dict[str, Any] = {"__name__": "unanimity"}
    exec(compile(code, "CONTRIBUTING.md", "exec"), made)

    def section(rows: list[list[str | None]]) -> Any:
        return made["unanimity_section"](ReportContext(assent.Annotations.from_array(rows), Settings()))

    found = section([["a", "a"], ["a", "b"], ["b", "b"], ["a", None]])
    assert found.to_dict() == {"unanimous": 2, "disputed": 1}
    assert "On 2 of 3 items everybody agrees." in found.text()
    assert "| everybody agrees | 2 | 67 % |" in found.markdown()
    assert section([["a", None]]) is None


def test_the_reader_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry.readers()
    monkeypatch.setattr(registry, "_READERS", dict(registry._READERS))
    exec(compile(blocks()[-1], "CONTRIBUTING.md", "exec"), {"__name__": "tagger"})
    rows = [("t1", "ana", "x"), ("t1", "bob", "x"), ("t2", "ana", "y"), ("t2", "bob", "")]
    file = tmp_path / "export.jsonl"
    file.write_text(
        "".join(f'{{"tagger": 2, "text_id": "{i}", "who": "{who}", "tag": "{tag}"}}\n' for i, who, tag in rows)
    )
    found = assent.look(str(file)).to_dict()
    assert "Tagger" in str(found["notes"])
    assert registry.read_export(file).questions[0].value == ["x", "x", "y"]
