import numpy as np
import pytest

from campanula.stages.tuning.blocks import SIZE
from campanula.stages.tuning.losses import LOSSES
from campanula.stages.tuning.regularised import Regularised, nothing
from campanula.stages.tuning.restraints import Restraints


class Flat(Regularised):
    """A loss of 0 over so many features; some are not free, some are bounded."""

    def __init__(self, n, jobs):
        rng = np.random.default_rng(1)
        self.loss, self.alpha, self.C, self.L1 = LOSSES["ramp3"], 1.0, 0.7, 0.3
        self.center, self.hopes, self.jobs, self.after = rng.normal(size=n), None, jobs, nothing
        free = (rng.random(n) < 0.8).astype(float)
        low = np.where(rng.random(n) < 0.5, -0.5, -np.inf)
        self.limits, self.varies = Restraints(free, low, np.full(n, 0.75)), None
        self.theta = rng.normal(size=n)

    n_lists = 1

    def impute(self, theta):
        raise AssertionError

    def subgradient_epoch(self, center, eta, shrink):
        raise AssertionError

    def with_hopes(self, hopes):
        raise AssertionError

    def skipped(self):
        return 0

    def _loss(self, theta, gradient):
        return 0.0


@pytest.mark.parametrize("jobs", [1, 3])
def test_it_is_what_the_formula_says_over_many_blocks(jobs):
    n = 2 * SIZE + 5
    flat = Flat(n, jobs)
    theta, free = flat.theta, flat.limits.free
    distance = (theta - flat.center) * free
    l2, l1 = 0.35 * np.square(distance).sum(), 0.3 * np.abs(theta * free).sum()
    assert flat.value(theta) == pytest.approx(l2 + l1, rel=1e-12)
    value, gradient = flat.value_and_gradient(theta)
    assert value == pytest.approx(l2, rel=1e-12)
    np.testing.assert_allclose(gradient, 0.7 * distance, rtol=1e-14)
    inside = np.clip(theta, flat.limits.low, flat.limits.high)
    assert (flat.clip(theta) == np.where(free > 0, inside, theta)).all()
    assert flat.theta is theta


def test_threads_do_not_change_a_byte():
    one, three = Flat(2 * SIZE + 5, 1), Flat(2 * SIZE + 5, 3)
    assert one.value(one.theta) == three.value(three.theta)
