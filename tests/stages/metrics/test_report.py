"""The line of a corpus value."""

from __future__ import annotations

from campanula.stages.metrics.report import Report


def test_a_line_of_parts() -> None:
    assert Report("A", ("b:1", "c:2"), 0.5, "0.50", "(x)").line == "A|b:1|c:2 = 0.50 (x)"
    assert Report("mean gain", (), 0.5, "0.5000").line == "mean gain = 0.5000"
