"""The chart for a terminal."""

from __future__ import annotations

import pytest
from tests.monitoring.simulated import drawn, rows

import assent
from assent.analyses.monitor.plot import plotted
from assent.documents.terminal import ASCII


@pytest.fixture(scope="module")
def result():
    return assent.monitor(rows(drawn((400, 0.9), (300, 0.5), seed=1)), target=0.8)


@pytest.mark.parametrize("width", [20, 40, 80, 120, 500])
def test_it_keeps_to_its_width(result, width):
    lines = plotted(result, width=width)
    # A legend that is longer than the chart stands alone in its line.
    assert max(len(line) for line in lines[:16]) <= min(width, 120)


def test_ascii_is_ascii(result):
    text = "\n".join(plotted(result)).translate(ASCII)
    assert text.isascii()
    for mark in ("*", ":", "-", "^", "o"):
        assert mark in text


@pytest.mark.parametrize("items", [1, 2, 3, 10, 50, 5000])
def test_any_number_of_items(items):
    found = assent.monitor(rows(drawn((items, 0.7), seed=2)))
    lines = plotted(found, width=60)
    assert any(f"{items:,} items" in line for line in lines)
    assert all("━" in line or "░" in line or line[6:].strip(" ") == "" for line in lines[:13])


def test_the_line_ends_at_the_agreement_so_far(result):
    lines = plotted(result, width=80, height=41)
    top, bottom = float(lines[0][:4]), float(lines[40][:4])
    row = next(place for place, line in enumerate(lines[:41]) if len(line) == 79 + 0 and line.endswith("━"))
    assert top - row / 40 * (top - bottom) == pytest.approx(result.agreement, abs=(top - bottom) / 40)


def test_the_band_covers_the_sequence_at_the_end(result):
    lines = plotted(result, width=80, height=41)[:41]
    top, bottom = float(lines[0][:4]), float(lines[40][:4])
    step = (top - bottom) / 40
    rows_of_band = [place for place, line in enumerate(lines) if len(line) == 79 and line[-1] in "░━┄"]
    values = [top - row * step for row in rows_of_band]
    assert min(values) == pytest.approx(result.low, abs=1.5 * step)
    drawn_high = max(value for value, row in zip(values, rows_of_band, strict=True) if lines[row][-1] in "░━")
    assert drawn_high == pytest.approx(result.high, abs=1.5 * step)


def test_the_target_is_a_line(result):
    assert sum(line.count("┄") > 40 for line in plotted(result)) == 1


def test_alerts_and_changes_are_on_the_axis(result):
    axis = next(line for line in plotted(result, width=80) if line.strip().startswith("└"))
    assert axis.count("▲") == len(result.alerts)
    assert axis.count("◆") == len(result.shifts) == 1
    assert abs((axis.index("◆") - 6) / 72 - 400 / 700) < 0.06
