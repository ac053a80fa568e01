from dataclasses import fields

import numpy as np
import pytest

from campanula.formats.arrays.types import Floats
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.solvers.rprop import RPROP, RpropSettings, rprop
from tests.stages.tuning.solvers.inner import SMOOTH, objective, smooth_optimum


@pytest.mark.parametrize("name", SMOOTH)
def test_the_optimum_of_smooth_problems_is_found(name):
    inner, theta = objective(name)
    found = RPROP.solve(inner, theta, RpropSettings(iterations=3000, tolerance=1e-9)).theta
    assert inner.value(found) == pytest.approx(smooth_optimum(inner), abs=1e-3)


def test_a_step_that_went_too_far_is_reverted() -> None:
    """On |x - 0.4| from 0: steps grow by 1.2 until the sign turns, then halve (W15 4.2)."""
    seen: list[float] = []

    class Distance(Objective):
        def value(self, theta: Floats) -> float:
            return float(abs(theta[0] - 0.4))

        def value_and_gradient(self, theta: Floats) -> tuple[float, Floats]:
            seen.append(float(theta[0]))
            return self.value(theta), np.array([np.sign(theta[0] - 0.4)])

    inner, _ = objective("log")
    distance = Distance(*(getattr(inner, f.name) for f in fields(inner)))
    rprop(distance, np.zeros(1), RpropSettings(iterations=60))
    step, x, old = 1e-3, 0.0, 0.0
    previous = x
    for position in seen:
        assert position == pytest.approx(x)
        slope = np.sign(x - 0.4)
        turn = slope * old
        step *= 1.2 if turn > 0 else 0.5 if turn < 0 else 1.0
        if turn < 0:
            x, previous, old = previous, x, 0.0
        else:
            x, previous, old = x - slope * step, x, slope
    assert seen[-1] == pytest.approx(0.4, abs=0.05)
