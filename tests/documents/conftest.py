"""A browser to look at pages with: Debian's Chromium, without a window."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep everything that needs a browser on one worker."""
    if "browser" in getattr(item, "fixturenames", ()):
        item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("there is no Chromium: apt-get install chromium")
    with api.sync_playwright() as running:
        made = running.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield made
        made.close()
