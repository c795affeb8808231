"""The check that decides whether the fast parser can be trusted."""

from __future__ import annotations

import pytest

from assent.readers import csv_checks
from assent.readers.csv_checks import rectangular, regular

CHUNKS = [1, 3, 8, 1 << 22]


@pytest.fixture(params=CHUNKS, autouse=True)
def chunk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_checks, "_CHUNK", request.param)


@pytest.mark.parametrize(
    "content",
    [
        b"", b"a,b\n", b"a,b", b"a,b\r\n1,2\r\n", b'"a","b"\n"1","2"\n', b'a,b\n"x,y","p\nq"\n', b'a,b\n"",""""\n',
        b'a,b\n"x""y","z"\r\n', b'"\r","a\r\n"\n', b'a,"b"', b'"a\n\n\n",b\n', b"\n\na,b\n\n",
    ],
)  # fmt: skip
def test_regular(content: bytes) -> None:
    assert regular(content, separator=",")
    assert regular(b"\xef\xbb\xbf" + content, separator=",", start=3)


@pytest.mark.parametrize(
    "content",
    [
        b'a"b\n', b'"a"b\n', b'"a\n', b'a,"b', b'"', b'"a""', b'""a"', b'a ,"b" ,c\n', b"a\rb\n", b"a,b\r", b"a\r\r\n",
        b'a,b\n"x";"y"\n', b'"a"\rb\n',
    ],
)  # fmt: skip
def test_irregular(content: bytes) -> None:
    assert not regular(content, separator=",")


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        (b"a,b,c\n1,2,3\n4,5,6", 3), (b"a,b\r\n1,2\r\n\r\n3,\r\n", 2), (b"\n\na,b\n,\n\n", 2), (b'a,b\n"x,y\n,z",2\n', 2),
        (b'"a,""b",c\n"\n",""\n', 2), (b"a\n1\n\n2", 1), (b"", 2),
    ],
)  # fmt: skip
def test_rectangular(content: bytes, columns: int) -> None:
    assert rectangular(content, separator=",", columns=columns)
    assert rectangular(b"sep=;\n" + content.replace(b",", b";"), separator=";", columns=columns, start=6)


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        (b"a,b,c\n1,2\n", 3), (b"a,b\n1,2\n3", 2), (b"a,b\n1,2,", 2), (b"a,b\n1,2,3\n", 2), (b"a,b\n1\r\n2,3\r\n", 2),
        (b"a,b\n \n", 2), (b'a,b\n"x,y"\n', 2), (b'a,b\n"x\n,y"\n1,2\n', 2), (b"a,b\n1,2,3\n4\n", 2), (b"a,b\n1\n2,3,4\n", 2),
    ],
)  # fmt: skip
def test_ragged(content: bytes, columns: int) -> None:
    assert not rectangular(content, separator=",", columns=columns)
