"""The renderer is made ready before it is needed, and measures texts without a look at the disk."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from tests.support import run

from assent.documents import renderer

#: Draws some names, and tells whether a font of a folder is opened meanwhile.
DRAWN = """
import ctypes, json, os, sys
from assent.documents import charts, renderer
started, folder, names = json.loads(sys.argv[1])
if started:
    renderer.start()
left = "FONTCONFIG_FILE" in os.environ
libc = ctypes.CDLL(None)
watch = libc.inotify_init1(os.O_NONBLOCK)
libc.inotify_add_watch(watch, folder.encode(), 0x20)
rows = [{"name": name, "place": place} for place, name in enumerate(names)]
place = {"y": charts.nominal("name"), "x": charts.number("place")}
drawn = charts.svg(charts.layer(charts.mark("text", rows, {**place, "text": charts.nominal("name")})))
try:
    opened = bool(os.read(watch, 1 << 20))
except BlockingIOError:
    opened = False
print(json.dumps([drawn, opened, left]))
"""


def drawn(names: list[str], tmp_path: Path, *, started: bool) -> tuple[str, bool]:
    """Draw names in a process of its own, which has fonts that nobody else opens: the chart, and whether one was opened."""
    folder, config = tmp_path / "fonts", tmp_path / "fontconfig"
    for one in (folder, config):
        one.mkdir(exist_ok=True)
    (config / "fonts.conf").write_text(f"<fontconfig><dir>{folder}</dir></fontconfig>")
    for font in [font for top in renderer._font_folders() for font in Path(top).rglob("LiberationSans-Regular.ttf")][
        :1
    ]:
        shutil.copy(font, folder)
    settings = json.dumps([started, str(folder), names])
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", DRAWN, settings], capture_output=True, text=True, check=True, env=environment
    )
    svg, opened, left = json.loads(done.stdout)
    assert not left
    return svg, opened


@pytest.mark.skipif(
    sys.platform != "linux", reason="fonts are named by fontconfig, and watched by inotify, on Linux alone"
)
def test_no_font_is_opened_while_charts_are_drawn_and_they_are_the_same(tmp_path: Path) -> None:
    names = ["agreement", "worker_0042", "0.64 … 95 %"]
    plain, opened = drawn(names, tmp_path, started=False)
    ready, opened_then = drawn(names, tmp_path, started=True)
    assert ready == plain
    assert not opened_then
    # The same without a start, where the system has a copy of the font.
    assert opened == any((tmp_path / "fonts").iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="fonts are named by fontconfig on Linux alone")
def test_letters_that_the_own_font_lacks_are_still_found(tmp_path: Path) -> None:
    names = ["ქართული", "العربية", "中文标签", "→ ≥ −", "😀"]
    assert drawn(names, tmp_path, started=True)[0] == drawn(names, tmp_path, started=False)[0]


def test_folders_are_those_that_the_user_and_the_system_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fontconfig" / "conf.d").mkdir(parents=True)
    (tmp_path / "fontconfig" / "fonts.conf").write_text(
        '<fontconfig><!-- <dir>/proc</dir>\n --><dir>\n~/.fonts </dir>\n<dir>here</dir><dir prefix="xdg">fonts</dir></fontconfig>'
    )
    (tmp_path / "fontconfig" / "conf.d" / "10-more.conf").write_bytes(
        b"<dir>/else\xffwhere</dir><dir>~/.fonts</dir> <no xml"
    )
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setenv("HOME", "/home/ann")
    found = renderer._font_folders()
    assert found[:3] == ["/home/ann/.fonts", "/data/fonts", "/else\ufffdwhere"]
    assert len(found) == len(set(found))


@pytest.mark.skipif(sys.platform != "linux", reason="fonts are named by fontconfig on Linux alone")
@pytest.mark.parametrize(("chosen", "called"), [("/mine", ["start"]), (None, ["/fonts", "/more", "start"])])
def test_fonts_that_the_user_chose_are_left_alone(
    chosen: str | None, called: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vl_convert.py").write_text(
        "called = []\nregister_font_directory = called.append\ndef vega_to_html(*_, **__): called.append('start')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(renderer, "_font_folders", lambda: ["/fonts", "/more"])
    monkeypatch.delenv("FONTCONFIG_FILE", raising=False)
    if chosen is not None:
        monkeypatch.setenv("FONTCONFIG_FILE", chosen)
    with mock.patch.dict(sys.modules):
        sys.modules.pop("vl_convert", None)
        renderer.start()
        renderer.start()
        assert sys.modules["vl_convert"].called == called
    assert os.environ.get("FONTCONFIG_FILE") == chosen


@pytest.mark.parametrize(
    ("wanted", "order"),
    [
        (["-o", "report.html"], ["started", "counted"]),
        (["-o", "report.md"], ["counted"]),
        (["--brief"], ["counted"]),
        (["--brief", "--figures", "charts"], ["started", "counted"]),
    ],
)
def test_a_report_starts_it_before_the_first_section_if_there_is_something_to_draw(
    wanted: list[str], order: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from assent.reports import building

    monkeypatch.chdir(tmp_path)
    done: list[str] = []
    make = building.report_of

    def counted(*given: Any, **more: Any) -> Any:
        done.append("counted")
        return make(*given, **more)

    monkeypatch.setattr(building, "report_of", counted)
    monkeypatch.setattr(renderer, "start", lambda: done.append("started"))
    with pytest.raises(SystemExit, match="0"):
        run(["report", "--example", "lecture", *wanted])
    assert done == order


@pytest.mark.skipif(sys.platform == "win32", reason="a process is given so many addresses by Unix alone")
def test_with_few_addresses_a_report_has_no_charts_and_says_why(tmp_path: Path) -> None:
    """The engine that draws would end the process: a cluster that limits addresses (ulimit -v) still has its report."""

    def under_limit(*arguments: str) -> subprocess.CompletedProcess[str]:
        program = (
            "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_AS, (20 << 30,) * 2); "
            "sys.argv[0] = 'assent'; runpy.run_module('assent', run_name='__main__')"
        )
        command = [sys.executable, "-c", program, "report", "--example", "lecture", *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)

    needed = "a chart needs 68 GB of addresses, most of which stay unused, and this process may have 20 GB of them"
    done = under_limit("-o", "report.html")
    assert done.returncode == 0, done.stderr
    assert f"Charts are left out: {needed}" in (tmp_path / "report.html").read_text(encoding="utf-8")
    done = under_limit("--figures", "charts")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(f"assent: {needed.capitalize().replace('gb', 'GB')}")
    assert not (tmp_path / "charts").exists()
