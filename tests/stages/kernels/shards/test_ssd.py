"""RAMPION's descent over a shard against the one over lists."""

import numpy as np
import pytest

from campanula.stages.kernels.lists.scores import score_lists
from campanula.stages.kernels.shards.ssd import ShardWeights, ssd
from campanula.stages.kernels.solvers import descent
from tests.stages.tuning.sharded.shards import both


@pytest.mark.parametrize("shrink", [0.999, 0.4])
def test_the_steps_are_those_on_lists_in_memory(shrink):
    """0.4 shrinks a below a thousandth within a few lists, so it is folded into u."""
    whole, parts, theta = both("soft-ramp3", cuts=())
    whole, parts = whole.impute(theta), parts.impute(theta)
    center, free = whole.center, whole.limits.free
    ((lists, targets, hopes),) = whole.problems()
    inner = descent.SubgradientProblem(
        lists,
        targets,
        whole.loss.down,
        descent.Imputed(hopes.pointer, hopes.place, hopes.weight),
        score_lists(lists, center),
    )
    u = theta - center
    a = descent.ssd(inner, u, 1.0, free, 0.05, shrink)
    (item,) = parts.numbered()
    _, shard = item
    ids, factor = shard.ids, np.ones(2)
    own = ShardWeights((theta - center)[ids], center[ids], free[ids], factor)
    ssd(shard.lists, parts.question(*item), own, 0.05, shrink)
    np.testing.assert_allclose(own.u, u[ids], rtol=1e-11, atol=1e-13)
    assert factor[0] == pytest.approx(a, rel=1e-12)
    if shrink == 0.4:
        untouched = np.setdiff1d(np.arange(len(u)), ids)
        expected = (theta - center)[untouched] * factor[1]
        np.testing.assert_allclose(u[untouched], expected, rtol=1e-12)
        assert factor[1] < 1e-3
