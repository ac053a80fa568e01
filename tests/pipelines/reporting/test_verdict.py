"""The verdict: better, worse, or not told apart, with the numbers."""

from __future__ import annotations

import pytest

from campanula.pipelines.reporting.verdict import verdict
from campanula.stages.comparing.comparison import Comparison, Difference, Result
from campanula.stages.comparing.significance import Chance


@pytest.mark.parametrize(
    ("change", "p", "higher", "judged"),
    [
        (1.5, 0.001, True, "is better than untuned"),
        (1.5, 0.001, False, "is worse than untuned"),
        (-1.5, 0.001, True, "is worse than untuned"),
        (1.5, 0.2, True, "is not significantly different from untuned"),
        (0.0, 1.0, True, "is as good as untuned"),
    ],
)
def test_what_is_said(change: float, p: float, higher: bool, judged: str) -> None:
    results = [Result("untuned", (40.0,), (38.0, 42.0)), Result("run", (40.0 + change,), (0, 1))]
    chance = Chance(p, p, 10, False)
    difference = Difference("untuned", "run", change, chance, p, (-0.25, 2.0))
    comparison = Comparison("BLEU", "BLEU|x", higher, results, [difference])
    found = verdict("test", comparison, difference)
    value = f"{judged}: BLEU 40.00 → {40 + change:.2f}"
    assert found.startswith(f"On test, run {value} ({change:+.2f}, 95 % interval -0.25 to")
    assert found.endswith(f"+2.00, p = {p:.2g}).")
