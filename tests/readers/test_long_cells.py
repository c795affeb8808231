"""A cell that is too long for a label, a name or a text is refused before it is looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

from assent.errors import UnreadableFile
from assent.readers import opening, read

ROWS = [("1", "ann", "x"), ("1", "bob", "y" * 50), ("2", "ann", "y"), ("2", "bob", "x")]


def _csv() -> str:
    return "item,annotator,label\n" + "\n".join(map(",".join, ROWS))


def _lines() -> str:
    return "\n".join(f'{{"item": "{item}", "annotator": "{who}", "label": "{label}"}}' for item, who, label in ROWS)


@pytest.mark.parametrize(("name", "content"), [("a.csv", _csv()), ("a.jsonl", _lines()), ("a.json", f"[{_lines()}]".replace("\n", ","))])  # fmt: skip
def test_a_cell_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.setattr(opening, "LONGEST_LINE", 50)
    assert read(tmp_path / name).n_items == 2
    monkeypatch.setattr(opening, "LONGEST_LINE", 49)
    with pytest.raises(UnreadableFile, match=r'a cell of more than 0 MB in the column "label"; a table holds'):
        read(tmp_path / name)
