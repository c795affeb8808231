"""A coefficient in a package of somebody else is found everywhere without an edit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = '''
"""A coefficient of one's own."""

from typing import Annotated, Literal

from assent.measures import Components
from assent.measures.observed import mean_pair_agreement
from assent.measures.registry import measure
from assent.profiles import Counts
from assent.references import Reference
from assent.registry import Takes
from assent.scales import AgreementWeights


@measure(
    title="Doubled agreement",
    profiles=Counts,
    references=[Reference("Roe, R.", 2021, "Twice as much", "Letters", "https://example.org/twice")],
    aliases=["twice"],
)
def doubled_agreement(
    items: Counts,
    agree: AgreementWeights,
    *,
    times: Annotated[Literal["two", "three"], Takes(help="How often it counts.")] = "two",
) -> Components:
    """Observed agreement, beyond a chance of one half or two thirds.

    When to use
    -----------
    Never.

    Not when
    --------
    Always.
    """
    chance = {"two": 1 / 2, "three": 2 / 3}[times]
    observed = mean_pair_agreement(items, agree)
    return Components(observed=observed, expected=observed * 0 + chance)
'''


@pytest.fixture
def package(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "of_somebody.py").write_text(MODULE)
    about = tmp_path / "of_somebody-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: of-somebody\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[assent.measures]\nof_somebody = of_somebody\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path}


def run(package: dict[str, str], *arguments: str) -> str:
    code = "from assent.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=package, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_it_is_found_everywhere(package: dict[str, str], tmp_path: Path) -> None:
    table = tmp_path / "labels.csv"
    table.write_text("item,a,b\n1,x,x\n2,x,y\n3,y,y\n4,y,y\n")
    found = json.loads(run(package, "measure", str(table), "-m", "twice", "--times", "three", "--json"))
    (one,) = found["measures"]
    # Three of four pairs agree: (3/4 - 2/3) / (1 - 2/3).
    assert one["value"] == pytest.approx(1 / 4)
    assert one["measure"] == "doubled-agreement"
    assert one["ci"]["low"] < 1 / 4 < one["ci"]["high"]
    listed = {one["measure"]: one for one in json.loads(run(package, "measures", "--json"))["measures"]}
    assert listed["doubled-agreement"]["options"] == {"times": ["two", "three"]}
    assert "Roe, R. (2021)" in listed["doubled-agreement"]["references"][0]
    assert "--times" in run(package, "measure", "--help-all")
    code = "import assent; print(assent.doubled_agreement([['x', 'x'], ['x', 'y']]).value, 'doubled_agreement' in dir(assent))"
    done = subprocess.run([sys.executable, "-c", code], env=package, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0.0", "True"]
