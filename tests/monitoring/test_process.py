"""Following as a process: signals, pipes, terminals."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.monitoring.simulated import csv_text, drawn, rows

pty = pytest.importorskip("pty", reason="terminals and signals of Unix")

PROGRAM = Path(sys.executable).with_name("assent")
#: Far longer than anything takes, even on a busy machine: a test that fails fails late, and one that passes never waits for it.
PATIENCE = 60.0


def until(met: Callable[[], bool]) -> None:
    """Wait until something is the case."""
    end = time.monotonic() + PATIENCE
    while not met():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


class Running:
    """A program that follows a file, and what it has said on standard error so far."""

    def __init__(self, *arguments: str, folder: Path, **environment: str) -> None:
        self.said = folder / "stderr.txt"
        with self.said.open("wb") as err:
            self.process = subprocess.Popen(
                [str(PROGRAM), "monitor", *arguments, "--follow", "--every", "0.02"],
                stdout=subprocess.PIPE,
                stderr=err,
                env={**os.environ, **environment},
            )

    def has_said(self, text: str) -> None:
        until(lambda: text in self.said.read_text() or self.process.poll() is not None)
        assert text in self.said.read_text()

    def end(self, number: int = signal.SIGINT) -> tuple[int, str, str]:
        self.process.send_signal(number)
        out, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out.decode(), self.said.read_text()


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    path.write_text(csv_text(rows(drawn((200, 0.6), seed=3))))
    return path


@pytest.fixture
def running(labels: Path, tmp_path: Path) -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def start(*arguments: str, **environment: str) -> Running:
        started.append(Running(str(labels), *arguments, folder=tmp_path, **environment))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
        one.process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_being_interrupted_is_a_good_end_and_says_where(
    labels: Path, running: Callable[..., Running], number: int
) -> None:
    with labels.open("a") as file:
        file.write("u1,ann,x\nu1,bob,x\nu2,an")
    program = running()
    program.has_said("201 items, agreement")
    code, out, err = program.end(number)
    assert code == 0
    assert "Traceback" not in err
    assert "agree on" in out
    size = labels.stat().st_size
    assert f"Interrupted at byte {size - 5:,} (line 403) of" in out
    assert "The line after it has no end yet (5 bytes) and was not counted." in out


def test_json_is_one_object_at_the_end(running: Callable[..., Running]) -> None:
    program = running("--json", "--target", "0.8")
    program.has_said("fell below the target")
    code, out, _ = program.end()
    assert code == 0
    found = json.loads(out)
    assert (found["monitor"]["items"], found["monitor"]["standing"]) == (200, "below")
    assert found["monitor"]["stopped"]["reason"] == "interrupted"


def test_below_what_it_must_reach_is_1_in_the_end(running: Callable[..., Running]) -> None:
    program = running("--fail-under", "0.8")
    program.has_said("200 items, agreement")
    code, _, err = program.end()
    assert code == 1
    assert "Agreement is below 0.8" in err


def test_a_rotation_while_it_runs(labels: Path, running: Callable[..., Running]) -> None:
    program = running("--json")
    program.has_said("200 items, agreement")
    old = labels.with_suffix(".1")
    os.replace(labels, old)
    program.has_said("The file is gone")
    with old.open("a") as file:
        file.write("u1,ann,x\nu1,bob,x\n")
    labels.write_text("item,annotator,label\nu2,ann,x\nu2,bob,y\nu3,ann,x\n")
    program.has_said("(rotation)")
    _, out, _ = program.end()
    found = json.loads(out)["monitor"]
    assert (found["items"], found["waiting"]) == (202, 1)
    assert found["stopped"]["line"] == 4


def test_a_reader_that_goes_away_is_no_error(labels: Path, tmp_path: Path) -> None:
    script = f"'{PROGRAM}' monitor labels.csv --follow --every 0.02 --idle 0 --json | head -1 > /dev/null; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, cwd=tmp_path, check=False, timeout=PATIENCE)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"BrokenPipe" not in done.stderr


def test_ascii_terminals_get_ascii(labels: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [str(PROGRAM), "monitor", str(labels), "--target", "0.8"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"},
        check=True,
        timeout=PATIENCE,
    )
    assert done.stdout.decode("ascii").count("*") > 60
    assert b"\\u" not in done.stdout


def test_on_a_terminal_the_chart_is_redrawn_and_then_gone(labels: Path) -> None:
    """Standard error is the terminal; what is found goes to standard output, as ever."""
    outer, inner = pty.openpty()
    program = subprocess.Popen(
        [str(PROGRAM), "monitor", labels.name, "--follow", "--every", "0.02", "--target", "0.8"],
        stdout=subprocess.PIPE,
        stderr=inner,
        cwd=labels.parent,
        env={**os.environ, "COLUMNS": "80", "TERM": "xterm"},
    )
    os.close(inner)
    seen = bytearray()

    def look() -> str:
        while select.select([outer], [], [], 0)[0]:
            try:
                piece = os.read(outer, 65536)
            except OSError:
                break
            if not piece:
                break
            seen.extend(piece)
        return seen.decode(errors="replace")

    until(lambda: "Ctrl-C ends it." in look())
    with labels.open("a") as file:
        file.write("u1,ann,x\nu1,bob,x\n")
    until(lambda: "line 403, byte" in look())
    program.send_signal(signal.SIGINT)
    out, _ = program.communicate(timeout=PATIENCE)
    drawn_text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", look())
    os.close(outer)
    assert program.returncode == 0
    assert "━" in drawn_text
    assert "201 items" in drawn_text
    assert "Interrupted at byte" in out.decode()
    assert b"\x1b" not in out
