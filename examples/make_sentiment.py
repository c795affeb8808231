"""Make `sentiment.csv`: 60 short reviews, three annotators, and a story to find.

Two annotators know the guidelines; the third hesitates between neutral and negative. Some labels are missing.
"""

from __future__ import annotations

import csv
import random
from pathlib import Path

LABELS = ("negative", "neutral", "positive")


def rows(seed: int = 8) -> list[tuple[str, str, str]]:
    """Return (item, annotator, label) rows."""
    draw = random.Random(seed)
    made = []
    for number in range(1, 61):
        truth = draw.choices(LABELS, weights=(4, 3, 5))[0]
        for annotator, slip in (("ana", 0.08), ("ben", 0.12), ("cleo", 0.15)):
            if draw.random() < 0.06:
                label = "NA"
            elif draw.random() < slip:
                label = draw.choice([label for label in LABELS if label != truth])
            elif annotator == "cleo" and truth == "neutral" and draw.random() < 0.5:
                label = "negative"
            else:
                label = truth
            made.append((f"review-{number:02d}", annotator, label))
    return made


if __name__ == "__main__":
    with (Path(__file__).parent / "sentiment.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("item", "annotator", "label"))
        writer.writerows(rows())
