"""The program run in this process, with what it printed and how it ended."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.support import run

WIDE = "item,r1,r2\n1,a,a\n2,b,b\n3,a,b\n4,b,b\n5,a,a\n6,b,a\n7,a,a\n"
LONG = "item,annotator,label\n1,x,a\n1,y,a\n2,x,b\n2,y,a\n3,x,b\n3,y,b\n4,x,a\n4,y,b\n5,x,b\n5,y,b\n"
#: Four documents of "word word word word"; ben marks nothing in the last one.
SPANS = "document,annotator,start,end,label,text\n" + "".join(
    f"{row},word word word word\n"
    for row in (
        "d1,ann,0,4,A", "d1,ben,0,4,A", "d1,ann,5,9,B", "d1,ben,5,14,B", "d2,ann,0,9,A", "d2,ben,5,9,A", "d2,ben,10,14,B",
        "d3,ann,10,14,B", "d3,ben,10,14,A", "d4,ann,0,4,A", "d4,ben,,,",
    )
)  # fmt: skip
NUMBERS = "item,r1,r2\n1,1,1\n2,2,3\n3,3,3\n4,1,2\n5,5,4\n6,2,2\n"


@dataclass(frozen=True)
class Done:
    """What a run of the program left."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one object on standard output; a number that JSON does not know is an error."""
        assert self.code in (0, 1), self.err

        def refuse(name: str) -> None:
            raise ValueError(f"{name} is not JSON")

        return json.loads(self.out, parse_constant=refuse)

    @property
    def measures(self) -> dict[str, Any]:
        return {one["measure"]: one for one in self.json["measures"]}

    @property
    def only(self) -> Any:
        (one,) = self.json["measures"]
        return one


Program = Callable[..., Done]
Files = Callable[[str, "str | bytes"], str]


@pytest.fixture
def assent(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Program:
    """Run `assent` with these arguments."""
    monkeypatch.delenv("ASSENT_DEBUG", raising=False)

    def call(*arguments: str, stdin: bytes | None = None) -> Done:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            run(arguments)
        printed = capsys.readouterr()
        code = end.value.code
        return Done(code if isinstance(code, int) else 0, printed.out, printed.err)

    return call


@pytest.fixture
def file(tmp_path: Path) -> Files:
    """Write a file and return its path."""

    def write(name: str, content: str | bytes) -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


@pytest.fixture
def wide(file: Files) -> str:
    return file("wide.csv", WIDE)


@pytest.fixture
def long(file: Files) -> str:
    return file("long.csv", LONG)


@pytest.fixture
def numbers(file: Files) -> str:
    return file("numbers.csv", NUMBERS)
