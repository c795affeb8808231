"""The program as a process: exit codes, pipes, encodings."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.conftest import WIDE

PROGRAM = Path(sys.executable).with_name("assent")


def start(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [str(PROGRAM), *arguments], input=stdin, capture_output=True, env={**os.environ, **environment}, check=False
    )


def test_done_is_0_and_one_object_on_standard_output() -> None:
    done = start("measure", "-", "--json", stdin=WIDE.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["data"]["items"] == 7


def test_below_the_target_is_1() -> None:
    done = start("measure", "-", "-m", "krippendorff-alpha", "--fail-under", "0.99", stdin=WIDE.encode())
    assert done.returncode == 1
    assert done.stderr.startswith(b"assent: Krippendorff's alpha is ")


@pytest.mark.parametrize(
    "arguments", [("measure", "-"), ("measure", "no-such-file.csv"), ("measure", "-", "-m", "zzz")]
)
def test_bad_input_is_2_and_nothing_on_standard_output(arguments: tuple[str, ...]) -> None:
    done = start(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("command", "reader"),
    [
        ("measures --json", "true"),
        ("measure data.csv", "true"),
        ("measure data.csv --json", "head -1"),
        ("--help", "true"),
    ],
)
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, command: str, reader: str) -> None:
    """Exit 1 would say that a target was missed."""
    (tmp_path / "data.csv").write_text(WIDE)
    script = f"'{PROGRAM}' {command} | {reader} > /dev/null; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="streams are closed by a POSIX shell")
@pytest.mark.parametrize(
    ("command", "code"),
    [("measure - --json <&- >&-", 2), ("measure data.csv >&- 2>&-", 0), ("measure nowhere 2>&-", 2)],
)
def test_streams_that_are_closed_change_no_exit_code(tmp_path: Path, command: str, code: int) -> None:
    (tmp_path / "data.csv").write_text(WIDE)
    done = subprocess.run(["bash", "-c", f"'{PROGRAM}' {command}"], capture_output=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout) == (code, b"")
    assert done.stderr.startswith(b"assent: ") == ("2>&-" not in command)
    assert done.stderr.count(b"\n") <= 1


def test_json_is_utf8_whatever_the_locale() -> None:
    text = "item,r1,r2\n1,é🙂,é🙂\n2,b,b\n".encode()
    done = start("measure", "-", "--json", stdin=text, PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout.decode())["data"]["labels"] == ["b", "é🙂"]


def test_the_table_for_people_survives_a_terminal_that_knows_ascii_alone() -> None:
    text = "item,r1,r2\n1,é🙂,é🙂\n2,b,b\n".encode()
    done = start("measure", "-", stdin=text, PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONUTF8="0")
    assert done.returncode == 0
    assert b"Krippendorff's alpha" in done.stdout


def test_a_message_survives_a_terminal_that_knows_ascii_alone() -> None:
    done = start("measure", "é🙂.csv", PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONUTF8="0")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"assent: There is no file")


def test_nothing_is_written_to_the_directory(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text(WIDE)
    subprocess.run([str(PROGRAM), "measure", "data.csv"], cwd=tmp_path, capture_output=True, check=True)
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "secret.csv"
    path.write_text(WIDE)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    done = start("measure", str(path))
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_full_disk_behind_standard_output_is_one_sentence(tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "data.csv").write_text(WIDE)
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [str(PROGRAM), "measure", str(tmp_path / "data.csv"), *options],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"assent: the system refused to go on: No space left on device.\n"


@pytest.mark.skipif(shutil.which("pwsh") is not None, reason="PowerShell is installed")
def test_what_the_system_refuses_is_named() -> None:
    done = start("--install-completion", "pwsh")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b'assent: the system refused to go on: "pwsh": No such file or directory.\n'


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize(("arguments", "code"), [("measure nowhere.csv", 2), ("measure data.csv", 2), ("measure data.csv -m alpha --fail-under 1", 2)])  # fmt: skip
def test_where_nothing_can_be_said_the_exit_code_still_is(tmp_path: Path, arguments: str, code: int) -> None:
    """Exit 1 would say that a target was missed."""
    (tmp_path / "data.csv").write_text(WIDE)
    script = f"'{PROGRAM}' {arguments} >/dev/full 2>/dev/full"
    assert subprocess.run(["bash", "-c", script], cwd=tmp_path, check=False).returncode == code


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no device that never ends")
def test_a_device_that_never_ends_is_refused() -> None:
    done = start("measure", "/dev/zero")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"is a device and not a file" in done.stderr
    assert b"is empty" in start("measure", "/dev/null").stderr


def test_a_terminal_that_does_not_know_its_width_shows_what_others_show() -> None:
    assert start("measure", "-", stdin=WIDE.encode(), COLUMNS="0").stdout.count(b"Krippendorff") > 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
@pytest.mark.parametrize("wait", [0.15, 0.5])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_whenever_it_is_stopped_a_file_is_whole_or_not_there(tmp_path: Path, wait: float, name: str) -> None:
    signal_number = signal.Signals[name]
    (tmp_path / "data.csv").write_text(WIDE)
    target = tmp_path / "items.csv"
    running = subprocess.Popen(
        [str(PROGRAM), "items", str(tmp_path / "data.csv"), "-o", str(target)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(wait)
    running.send_signal(signal_number)
    _, err = running.communicate()
    # Before our first line runs, Python itself says that it was interrupted: with 1 where it is not ready yet.
    before = b"KeyboardInterrupt" in err and b"assent/cli" not in err
    assert running.returncode in (0, 130, -signal_number) or (before and running.returncode == 1)
    assert b"Traceback" not in err or before
    if target.exists():
        assert len(target.read_text().splitlines()) == 1 + 7


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
@pytest.mark.parametrize(
    ("interrupted", "code", "said"),
    [
        # A module in C that is interrupted while it is imported may say something else.
        ("try: os.kill(os.getpid(), signal.SIGINT)\nexcept KeyboardInterrupt: raise ImportError('numpy')", 130, True),
        # One in Rust may panic, which Python takes for no Exception.
        (
            "try: os.kill(os.getpid(), signal.SIGINT)\nexcept KeyboardInterrupt: raise type('Panic', (BaseException,), {})",
            130,
            True,
        ),
        ("os.kill(os.getpid(), signal.SIGINT)", 130, True),
        ("atexit.register(os.kill, os.getpid(), signal.SIGINT); raise SystemExit(0)", -signal.SIGINT, False),
        (
            "signal.signal(signal.SIGINT, signal.SIG_IGN); os.kill(os.getpid(), signal.SIGINT); raise SystemExit(7)",
            7,
            False,
        ),
    ],
)
def test_an_interrupt_is_one_line_wherever_it_comes(interrupted: str, code: int, said: bool) -> None:
    script = (
        "import atexit, os, signal, sys\nimport assent.cli.app as app\nfrom assent.cli import main\n"
        "def stop(*_):\n    " + interrupted.replace("\n", "\n    ") + "\napp._run = stop\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"assent: interrupted.\n" * said)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_an_interrupt_that_is_ignored_by_who_starts_the_program_stays_ignored(tmp_path: Path) -> None:
    script = "import os, signal, sys; import assent.cli.app as app; from assent.cli import main\n"
    script += "def stop(*_):\n    os.kill(os.getpid(), signal.SIGINT)\n    return 0\napp._run = stop\nmain()"
    done = subprocess.run(
        ["bash", "-c", 'trap \'\' INT; exec "$0" -c "$1"', sys.executable, script], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_program_runs_in_any_thread_of_another_one() -> None:
    """Python lets the main thread alone say what a signal does."""
    script = (
        "import sys, threading\nfrom assent.cli import main\nsys.argv = ['assent', '--version']\n"
        "one = threading.Thread(target=main)\none.start()\none.join()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("assent ")
