"""Who may ask, from where, how much and how slowly: everybody else gets one sentence."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.web.conftest import HOST, TOKEN, Client, run

from assent.web.app import Page, application
from assent.web.guard import HEADERS
from assent.web.protocol import BoundedProtocol


def test_every_answer_forbids_what_is_not_of_the_page(client: Client) -> None:
    for answer in (client.get("/"), client.get("/static/app.js"), client.get("/nowhere"), client.ask("GET", "/wrong/")):
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
        assert "set-cookie" not in answer.headers
    assert "unsafe" not in HEADERS["content-security-policy"]


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example:8477",
        "",
        "localhost.evil.example",
        "10.0.0.1",
        "127.0.0.1:8477.evil.example",
        "localhost:8477@evil.example",
        "localhost:",
        "[::1]evil.example",
        "127.0.0.1:8477/evil",
    ],
)
def test_another_host_is_refused(client: Client, host: str) -> None:
    answer = client.get("/", headers={"host": host})
    assert answer.status_code == 421
    assert "address that assent serve printed" in answer.json()["error"]


def test_a_request_that_names_two_hosts_or_origins_is_refused(client: Client) -> None:
    for name, own in (("host", HOST), ("origin", f"http://{HOST}")):

        async def asked(name: str = name, own: str = own) -> int:
            transport = httpx.ASGITransport(app=client.app)
            async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as window:
                headers = httpx.Headers([("host", HOST), (name, "evil.example"), (name, own)])
                return (await window.get(f"/{TOKEN}/", headers=headers)).status_code

        assert run(asked()) == 421


def test_a_length_that_is_no_number_to_reckon_with_is_refused(client: Client) -> None:
    assert client.post("/new?name=x.csv", headers={"content-length": "9" * 5000}).status_code == 413


@pytest.mark.parametrize("host", ["localhost:8477", "127.0.0.1", "[::1]:8477", "LOCALHOST:1"])
def test_names_of_this_machine_are_known(client: Client, host: str) -> None:
    assert client.get("/", headers={"host": host, "origin": f"http://{host}"}).status_code == 200


def test_a_server_for_all_addresses_takes_addresses_but_no_names() -> None:
    page = Page()
    app = Client(page, application(page, TOKEN, "0.0.0.0"), {})
    assert app.get("/", headers={"host": "192.168.1.7:8477"}).status_code == 200
    assert app.get("/", headers={"host": "rebound.example:8477"}).status_code == 421
    page.close()


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"origin": "null"}, {"origin": "https://127.0.0.1:8477"}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}])  # fmt: skip
def test_another_page_may_not_ask(client: Client, headers: dict[str, str]) -> None:
    assert client.get("/", headers=headers).status_code == 403
    assert client.post("/new?example=lecture", headers=headers).status_code == 403


def test_what_is_sent_says_where_it_comes_from(client: Client) -> None:
    client.headers = {}
    assert client.post("/new?example=lecture").status_code == 403
    assert client.post("/new?example=lecture", headers={"sec-fetch-site": "same-origin"}).status_code == 200


@pytest.mark.parametrize(
    "path", ["/", "/wrong/", "/static/app.js", "//", "/secre/", "/secret2/", "/Secret/", "/%00/", "/s/x/report"]
)
def test_without_the_token_there_is_nothing(client: Client, path: str) -> None:
    assert client.ask("GET", path).status_code == 404


@pytest.mark.parametrize(
    "name", ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "/etc/passwd", "..\\app.py", "app.js/../../app.py", "%00"]
)
def test_no_file_outside_is_served(client: Client, name: str) -> None:
    answer = client.get(f"/static/{name}")
    assert answer.status_code == 404
    assert "import" not in answer.text


def test_other_methods_are_refused(client: Client) -> None:
    for method in ("PUT", "DELETE", "TRACE", "OPTIONS", "PATCH"):
        assert client.ask(method, f"/{TOKEN}/").status_code == 405


def _guarded(**limits: Any) -> tuple[Page, Client]:
    page = Page()
    return page, Client(page, application(page, TOKEN, **limits))


def test_a_file_that_says_that_it_is_too_large_is_not_read() -> None:
    page, client = _guarded(most=1000)
    answer = client.post("/new?name=a.csv", b"x" * 1001)
    assert answer.status_code == 413
    assert "assent serve FILE" in answer.json()["error"]
    # Ten gigabytes that are only announced cost nothing.
    assert client.post("/new?name=a.csv", b"x", headers={"content-length": str(10 << 30)}).status_code == 413
    assert client.post("/new?name=a.csv", b"x", headers={"content-length": "-1"}).status_code == 413
    page.close()


def test_a_file_that_does_not_say_how_large_it_is_ends_at_the_limit() -> None:
    page, client = _guarded(most=1000)
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while sent < 10**9:
            sent += 500
            yield b"x" * 500

    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(app=client.app)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as to:
            return await to.post(f"/{TOKEN}/new?name=a.csv", content=endless(), headers=client.headers)

    answer = run(asked())
    assert answer.status_code == 408
    assert sent < 10_000
    page.close()


def test_a_body_that_does_not_come_is_given_up() -> None:
    page, client = _guarded(seconds=0.05)
    answers: list[Any] = []

    async def never() -> Any:
        await asyncio.sleep(60)

    async def send(message: Any) -> None:
        answers.append(message)

    scope = {
        "type": "http", "method": "POST", "path": f"/{TOKEN}/new", "query_string": b"name=a.csv", "scheme": "http",
        "headers": [(b"host", HOST.encode()), (b"origin", f"http://{HOST}".encode()), (b"content-length", b"10")],
    }  # fmt: skip
    run(_within(client.app(scope, never, send)))
    assert answers[0]["status"] == 408
    page.close()


async def _within(asked: Any) -> None:
    await asyncio.wait_for(asked, 10)


def _connected(address: str) -> socket.socket:
    host, port = address.split("/")[2].split(":")
    return socket.create_connection((host, int(port)), timeout=10)


def test_a_head_that_comes_byte_by_byte_is_let_go(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoundedProtocol, "seconds", 0.2)
    with _connected(address) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        ended = _ended(lambda: slow.recv(1) == b"")
    assert ended
    # One that was served and then begins another head slowly is let go as well.
    with _connected(address) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HT")
        assert slow.recv(10).startswith(b"HTTP/1.1")
        while slow.recv(65536):
            pass


def _ended(over: Callable[[], bool]) -> bool:
    until = time.monotonic() + 10
    while time.monotonic() < until:
        if over():
            return True
    return False


@pytest.mark.parametrize(
    "verb", ["measure", "report", "items", "annotators", "explain", "ceiling", "consensus", "compare", "plan"]
)
def test_a_request_names_no_function_and_no_file(
    client: Client, verb: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    called: list[Any] = []
    monkeypatch.setattr(os, "link", lambda *names: called.append(names))
    secret = tmp_path / "tree.csv"
    secret.write_text("child,parent\nsecret-of-this-machine\n", encoding="utf-8")
    place = client.file("item,annotator,label\n1,ann,a\n1,bob,b\n2,ann,a\n2,bob,a\n3,ann,b\n3,bob,b\n")
    for query in (
        "measure=krippendorff-alpha&distance=os:link",
        f"measure=krippendorff-alpha&distance=taxonomy&tree={secret}",
        f"measure=krippendorff-alpha&tree={secret}",
    ):
        told = client.get(f"{place}/{verb}/document?{query}").text + client.get(f"{place}/{verb}/parts?{query}").text
        assert "distance" in told or "tree" in told
        assert "there must be a child" not in told
        assert "secret-of" not in told
    assert called == []


@pytest.mark.parametrize("verb", ["items", "annotators", "report"])
def test_a_request_may_name_a_distance_of_our_own(client: Client, verb: str) -> None:
    place = client.file(
        "item,annotator,label\n1,ann,a cat\n1,bob,a hat\n2,ann,dogs\n2,bob,dogs\n3,ann,rain\n3,bob,sun\n"
    )
    told = client.events(f"{place}/{verb}/document?distance=levenshtein")
    assert "error" not in told[-1]
    assert "distance" in str(told)


def test_a_request_names_no_file_of_tokens(client: Client, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.csv"
    tokens.write_text("a,b\n1,2\n", encoding="utf-8")
    place, query = client.example("spans"), f"measure=span-f1&match=token&tokens={tokens}"
    assert "no option" in client.events(f"{place}/measure/document?{query}")[-1]["error"]
    assert "column" not in client.get(f"{place}/measure/parts?{query}").json()["number"]
