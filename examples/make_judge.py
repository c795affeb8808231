"""Make `judge.csv` and `judge_runs.csv`: answers of a chatbot that three people and two versions of a judge call pass or fail.

The second version of the judge makes fewer mistakes than the first. Its runs differ now and then, most of all on one answer in six.
"""

from __future__ import annotations

import csv
import random
from pathlib import Path

WHO = (("ann", 0.07), ("bob", 0.1), ("cleo", 0.12), ("judge-1", 0.28), ("judge-2", 0.08))
RUNS = 6


def answers(seed: int = 5) -> list[tuple[str, str, bool]]:
    """Return item, right verdict, and whether it is hard."""
    draw = random.Random(seed)
    return [
        (f"answer-{number:03d}", "pass" if draw.random() < 0.7 else "fail", draw.random() < 1 / 6)
        for number in range(1, 301)
    ]


def verdicts(seed: int = 6) -> list[tuple[str, str, str]]:
    """Return rows of item, annotator and verdict."""
    draw = random.Random(seed)
    made = []
    for item, right, hard in answers():
        for who, slip in WHO:
            wrong = draw.random() < slip * (2.0 if hard else 0.8)
            made.append((item, who, ("fail" if right == "pass" else "pass") if wrong else right))
    return made


def runs(seed: int = 7) -> list[tuple[str, str, int, str]]:
    """Return rows of item, judge, run and verdict."""
    draw = random.Random(seed)
    made = []
    for item, right, hard in answers():
        usual = right if draw.random() > 0.05 else ("fail" if right == "pass" else "pass")
        for run in range(1, RUNS + 1):
            flips = draw.random() < (0.35 if hard else 0.01)
            made.append((item, "judge-2", run, ("fail" if usual == "pass" else "pass") if flips else usual))
    return made


if __name__ == "__main__":
    folder = Path(__file__).parent
    for name, header, rows in (
        ("judge.csv", ("item", "annotator", "verdict"), verdicts()),
        ("judge_runs.csv", ("item", "judge", "run", "verdict"), runs()),
    ):
        with (folder / name).open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(header)
            writer.writerows(rows)
