"""The page without a network, and on a port of this machine."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")

import httpx
from tests.report.page.conftest import axe

from assent.web.app import Page, application
from assent.web.server import serve

__all__ = ["axe"]

HOST = "127.0.0.1:8477"
TOKEN = "secret"
T = TypeVar("T")


def run(asked: Coroutine[Any, Any, T]) -> T:
    """Run something asynchronous in a thread: the one of the tests may have the loop of the browser."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asked).result()


@dataclass
class Client:
    """Requests to an application, one after the other, as a page of it sends them."""

    page: Page
    app: Any
    headers: dict[str, str] = field(default_factory=lambda: {"origin": f"http://{HOST}"})

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        headers = {**self.headers, **options.pop("headers", {})}

        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(app=self.app)
            async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
                return await client.request(method, path, headers=headers, **options)

        return run(asked())

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.ask("GET", f"/{TOKEN}{path}", **options)

    def post(self, path: str, content: bytes | str = b"", **options: Any) -> httpx.Response:
        return self.ask("POST", f"/{TOKEN}{path}", content=content, **options)

    def example(self, name: str) -> str:
        """Begin a session with an example and return its place."""
        return f"/s/{self.post(f'/new?example={name}').json()['session']}"

    def file(self, content: bytes | str, name: str = "labels.csv") -> str:
        return f"/s/{self.post(f'/new?name={name}', content).json()['session']}"

    def events(self, path: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.get(path).text.splitlines()]


@pytest.fixture
def client() -> Iterator[Client]:
    # However slow the machine, a number is answered with its interval; tests of waiting are less patient.
    page = Page(patience=600)
    yield Client(page, application(page, TOKEN))
    page.close()


@pytest.fixture(scope="session")
def address() -> str:
    """Return the address of a server that runs as long as the tests do."""
    ready: list[str] = []
    known = threading.Event()

    def say(where: str) -> None:
        ready.append(where)
        known.set()

    threading.Thread(target=serve, kwargs={"port": 0, "browser": False, "ready": say}, daemon=True).start()
    assert known.wait(30)
    return ready[0]
