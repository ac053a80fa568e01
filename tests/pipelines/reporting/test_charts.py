"""Line charts: every point within the frame, at its place; a band where values differ."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET

import pytest

from campanula.pipelines.plot import CurvePoint
from campanula.pipelines.reporting import charts
from campanula.stages.metrics.bleu import Bleu


def test_points_are_where_their_values_say() -> None:
    axes = charts.Axes([CurvePoint(0, 1.0, 1.0, 1.0), CurvePoint(4, 3.0, 2.0, 4.0)])
    left, right = charts.LEFT, charts.WIDTH - charts.RIGHT
    assert (axes.x(0), axes.x(4), axes.x(2)) == (left, right, (left + right) / 2)
    assert axes.y(axes.low) == charts.HEIGHT - charts.BOTTOM
    assert axes.y(axes.high) == charts.TOP
    assert axes.y(2.5) == pytest.approx((charts.TOP + charts.HEIGHT - charts.BOTTOM) / 2, abs=0.1)


@pytest.mark.parametrize(("value", "ends"), [(99.9, (94.905, 100.0)), (0.0, (0.0, 0.05))])
def test_an_axis_ends_where_the_metric_does(value: float, ends: tuple[float, float]) -> None:
    axes = charts.Axes([CurvePoint(0, value, value, value)], Bleu().bounds)
    assert (axes.low, axes.high) == pytest.approx(ends)


def test_a_value_out_of_bounds_is_on_the_chart() -> None:
    axes = charts.Axes([CurvePoint(0, 1.0, -1.0, 101.0)], (0.0, 100.0))
    assert (axes.low, axes.high) == (-1.0, 101.0)


def test_a_chart_is_svg_with_a_line_a_name_and_bands_of_those_that_differ() -> None:
    same = [CurvePoint(i, float(i), float(i), float(i)) for i in range(3)]
    differ = [CurvePoint(i, 1.0, 0.5, 1.5) for i in range(3)]
    found = ET.fromstring(charts.lines("<BLEU>", {"a & b": same, "c": differ, "none": []}))
    assert [text.text for text in found.iter("span") if text.text] == []
    assert ["".join(span.itertext()) for span in found.iter("span")] == ["a & b", "c"]
    kinds = [path.get("class") for path in found.iter("path")]
    assert kinds == ["line", "band", "line"]
    for path in found.iter("path"):
        numbers = [float(n) for n in re.findall(r"[-0-9.]+", path.get("d") or "")]
        assert all(0 <= x <= charts.WIDTH for x in numbers[::2])
        assert all(0 <= y <= charts.HEIGHT for y in numbers[1::2])


@pytest.mark.parametrize("value", [0.0, 40.0, -3.0])
def test_one_value_has_a_chart(value: float) -> None:
    found = ET.fromstring(charts.lines("x", {"a": [CurvePoint(0, value, value, value)]}))
    assert len(list(found.iter("circle"))) == 1


def test_nothing_to_draw() -> None:
    assert charts.lines("x", {"a": []}) == ""


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (37.7, 39.9), (-0.12, 0.11), (1e-9, 2e-9)])
def test_ticks_are_round_and_within(low: float, high: float) -> None:
    found = charts.ticks(low, high)
    assert 2 <= len(found) <= 2 * charts.TICKS
    assert all(low <= tick <= high for tick in found)
    steps = {round((b - a) / (found[1] - found[0]), 6) for a, b in itertools.pairwise(found)}
    assert steps == {1.0}


def test_a_dot_at_what_was_kept() -> None:
    points = [CurvePoint(i, float(i), float(i), float(i)) for i in range(3)]
    axes = charts.Axes(points)
    found = ET.fromstring(charts.lines("x", {"a": points, "b": points}, {"a": 1, "b": None}))
    (dot,) = found.iter("circle")
    assert (dot.get("cx"), dot.get("cy")) == (str(axes.x(1)), str(axes.y(1.0)))
