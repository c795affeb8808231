"""Random tables and command lines: an answer or one sentence, never a traceback, a hang or half a file."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.fuzz.by_reference import UNCHECKED
from tests.fuzz.cases import failure_of, kind_of
from tests.fuzz.commands import SUITED
from tests.fuzz.exports import EXPORTS
from tests.fuzz.relations import CHECKED, COMPARED, apart_from_slow
from tests.fuzz.runs import case_of
from tests.fuzz.tables import HOSTILE, KINDS

import assent

#: Cases of `make test`; `make test-all` runs for an hour.
FIRST, SHORT, BLOCK = 1_000_000, 120, 20


@pytest.mark.parametrize("block", range(SHORT // BLOCK))
def test_answer_or_one_sentence(block: int, tmp_path: Path) -> None:
    for number in range(FIRST + block * BLOCK, FIRST + (block + 1) * BLOCK):
        folder = tmp_path / str(number)
        folder.mkdir()
        failure = failure_of(number, folder)
        assert failure is None, failure


def test_cases_are_made_anew_from_their_numbers() -> None:
    assert [case_of(one) for one in range(20)] == [case_of(one) for one in range(20)]


def test_cases_are_of_every_kind_and_both_ends() -> None:
    commands = {case_of(one).line[0] for one in range(400)}
    assert len(commands) >= 15
    assert set(SUITED) <= set(KINDS)
    assert len(EXPORTS) > 10
    assert len(set(HOSTILE)) == len(HOSTILE)
    assert {kind_of(one) for one in range(FIRST, FIRST + BLOCK)} == {"commands", "relations", "pages"}


def test_every_measure_is_held_against_a_slow_version() -> None:
    COMPARED.clear()
    for number in range(60):
        dice = random.Random(number)
        assert apart_from_slow(KINDS[CHECKED[number % len(CHECKED)]](dice)) is None, number
    assert set(COMPARED) == ({*assent.all_measures()} - set(UNCHECKED)) | {"gamma observed"}
