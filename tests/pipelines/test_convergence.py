"""When a loop stops, and which weights are the best."""

from __future__ import annotations

import pytest

from campanula.pipelines.convergence import Convergence, best
from campanula.pipelines.history import Iteration

OFF = Convergence(0.0, 0, 0)


def history(devs: list[float], sizes: list[int] | None = None) -> list[Iteration]:
    sizes = sizes or [10 * (n + 1) for n in range(len(devs))]
    pairs = zip(devs, sizes, strict=True)
    return [Iteration(n, dev, {}, 1.0, 2, size, {}) for n, (dev, size) in enumerate(pairs, 1)]


def test_nothing_stops_a_loop_that_has_it_all_turned_off() -> None:
    assert OFF.measured(history([3.0, 2.0, 1.0], [9, 9, 9]), merged=True) is None
    assert OFF.tuned({"a": 1.0}, {"a": 1.0}) is None


@pytest.mark.parametrize(("size", "stops"), [(10, True), (11, True), (12, False)])
def test_new_hypotheses(size: int, stops: bool) -> None:
    rule = Convergence(0.0, 2, 0)
    assert (rule.measured(history([1.0, 2.0], [10, size]), merged=True) is not None) == stops
    assert rule.measured(history([1.0, 2.0], [10, size]), merged=False) is None
    assert rule.measured(history([1.0], [0]), merged=True) is None


@pytest.mark.parametrize(
    ("devs", "higher", "stops"),
    [
        ([3.0, 2.0, 1.0], True, True),
        ([3.0, 3.0, 3.0], True, True),
        ([1.0, 3.0, 2.0], True, False),
        ([1.0, 2.0, 3.0], True, False),
        ([1.0, 2.0, 3.0], False, True),
        ([3.0, 2.0, 1.0], False, False),
    ],
)
def test_patience(devs: list[float], higher: bool, stops: bool) -> None:
    reason = Convergence(0.0, 0, 2, higher).measured(history(devs), merged=True)
    assert reason == ("dev has not gained for 2 iterations" if stops else None)


def test_weights() -> None:
    rule = Convergence(1e-5, 0, 0)
    assert rule.tuned({"a": 1.0}, {"a": 1.0 + 1e-6}) == "no weight changed by 1e-05 or more"
    assert rule.tuned({"a": 1.0}, {"a": 1.0, "b": 1e-4}) is None
    assert rule.tuned({"a": 1.0}, {"a": 1.1}) is None
    assert rule.tuned({}, {}) is not None


def test_the_best_is_the_first_of_those_as_good() -> None:
    assert best([1.0, 3.0, 3.0, 2.0], higher=True) == 1
    assert best([2.0, 1.0, 1.0], higher=False) == 1
