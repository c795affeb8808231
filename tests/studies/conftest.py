from __future__ import annotations

import pytest
from tests.cli.conftest import Done, Program, file

from assent.cli.app import run
from studies.__main__ import program

__all__ = ["file"]


@pytest.fixture
def study(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Program:
    """Run `python -m studies` with these arguments."""
    monkeypatch.delenv("ASSENT_DEBUG", raising=False)

    def call(*arguments: str) -> Done:
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            run(list(arguments), name="python -m studies", make=program)
        printed = capsys.readouterr()
        code = end.value.code
        return Done(code if isinstance(code, int) else 0, printed.out, printed.err)

    return call
