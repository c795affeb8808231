"""Pages of reports, opened in a browser."""

from __future__ import annotations

import base64
import hashlib
import io
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.report.page.studies import REPORTS

#: The checker of accessibility, fetched once by npm and known by its checksum.
AXE = "axe-core@4.14.0"
AXE_SHA512 = "9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ=="


@pytest.fixture(scope="session")
def html() -> Callable[[str], str]:
    """Return the page of a report by name, made once."""
    made: dict[str, str] = {}

    def of(name: str) -> str:
        if name not in made:
            made[name] = REPORTS[name]().html()
        return made[name]

    return of


@dataclass
class Opened:
    """A page in the browser, and what it said and asked for."""

    page: Any
    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@pytest.fixture
def opened(browser: Any, html: Callable[[str], str], tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Open a report in the browser; what its window is like are options."""
    contexts = []

    def open_it(name: str, *, width: int = 1280, **options: Any) -> Opened:
        # Without motion there is nothing to wait for.
        window = {"viewport": {"width": width, "height": 900}, "reduced_motion": "reduce"}
        context = browser.new_context(**window, **options)
        contexts.append(context)
        seen = Opened(context.new_page())
        seen.page.on("console", lambda message: seen.messages.append(message.text))
        seen.page.on("pageerror", lambda error: seen.messages.append(str(error)))
        seen.page.on("dialog", lambda dialog: (seen.messages.append(f"dialog {dialog.message}"), dialog.dismiss()))
        seen.page.on("request", lambda request: seen.requests.append(request.url))
        file = tmp_path / "report.html"
        file.write_text(html(name), encoding="utf-8")
        seen.page.goto(file.as_uri())
        return seen

    yield open_it
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """Return the source of the checker of accessibility."""
    kept = Path.home() / ".cache" / "assent" / "axe-core-4.14.0.tgz"
    if not kept.is_file():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("there is no npm to fetch the checker of accessibility with")
        kept.parent.mkdir(parents=True, exist_ok=True)
        fetched = subprocess.run(
            [npm, "pack", AXE, "--silent", "--pack-destination", str(kept.parent)], capture_output=True, timeout=120
        )
        if fetched.returncode or not kept.is_file():
            pytest.skip("the checker of accessibility cannot be fetched")
    content = kept.read_bytes()
    assert base64.b64encode(hashlib.sha512(content).digest()).decode() == AXE_SHA512
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        member = archive.extractfile("package/axe.min.js")
        assert member is not None
        return member.read().decode("utf-8")


#: What is only found to be right need not be told in full. A text that stands on something drawn by `::before` or `::after` is checked
#: like every other, where axe would leave it to a person, and need not look for that: half of the time.
AXE_RUN = """axe.run(document, {
    resultTypes: ["violations"], checks: { "color-contrast": { options: { ignorePseudo: true } } },
}).then((found) => found.violations)"""


def violations(page: Any, axe: str) -> list[dict[str, Any]]:
    """Return what the checker of accessibility finds on a page as it is now."""
    page.evaluate(axe)
    found: list[dict[str, Any]] = page.evaluate(AXE_RUN)
    return found
