import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.stages.tuning.losses import LOSSES
from campanula.stages.tuning.plan import BY_SHARDS
from campanula.stages.tuning.solvers.gradient_descent import DescentSettings
from campanula.stages.tuning.solvers.lbfgs import LbfgsSettings
from campanula.stages.tuning.solvers.rprop import RpropSettings
from campanula.stages.tuning.solvers.ssd import SsdSettings
from campanula.stages.tuning.solvers.table import SOLVERS
from tests.stages.tuning.sharded.shards import both

NAMES = [name for name in LOSSES if LOSSES[name].form in BY_SHARDS]
CLOSE = 1e-12


@pytest.mark.parametrize("name", NAMES)
def test_value_and_gradient_are_those_of_the_lists_in_memory(name):
    whole, parts, theta = both(name)
    value, gradient = whole.value_and_gradient(theta)
    assert parts.value(theta) == pytest.approx(value, rel=CLOSE)
    found, slope = parts.value_and_gradient(theta)
    assert found == pytest.approx(value, rel=CLOSE)
    np.testing.assert_allclose(slope, gradient, rtol=CLOSE, atol=1e-12)
    if not whole.loss.is_absolute:
        assert (parts.varies == whole.varies).all()
    assert parts.skipped() == whole.skipped()
    if whole.loss.has_terms:
        one, other = whole.impute(theta), parts.impute(theta)
        assert (one.hopes.pointer == other.hopes.pointer).all()
        assert (one.hopes.place == other.hopes.place).all()
        np.testing.assert_allclose(one.hopes.weight, other.hopes.weight, rtol=CLOSE)
        np.testing.assert_allclose(
            other.value_and_gradient(-theta)[1], one.value_and_gradient(-theta)[1], atol=1e-12
        )


@pytest.mark.parametrize(
    ("solver", "settings", "loss"),
    [
        ("rprop", RpropSettings(iterations=15), "expected-bleu"),
        ("sgd", DescentSettings(batch_size=0, eta=0.1), "expected-bleu"),
        ("adagrad", DescentSettings(batch_size=0, eta=0.1), "bayes-risk"),
        ("lbfgs", LbfgsSettings(iterations=5), "bayes-risk"),
        ("ssd", SsdSettings(eta=0.05), "ramp3"),
        ("ssd", SsdSettings(eta=20.0), "soft-ramp3"),  # so large that a is folded into u
        ("rprop", RpropSettings(iterations=9), "ramp2"),
    ],
)
def test_solvers_end_in_the_same_weights(solver, settings, loss):
    whole, parts, theta = both(loss)
    if SOLVERS[solver].inner_only:
        whole, parts = whole.impute(theta), parts.impute(theta)
    expected = SOLVERS[solver].solve(whole, theta, settings)
    found = SOLVERS[solver].solve(parts, theta, settings)
    np.testing.assert_allclose(found.theta, expected.theta, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(found.history, expected.history, rtol=1e-11)
    assert (expected.theta != theta).any()


@pytest.mark.parametrize("name", ["expected-bleu", "ramp3"])
def test_jobs_do_not_change_a_byte(name):
    _, one, theta = both(name)
    _, four, _ = both(name, jobs=4)
    for objective in (one, four):
        objective.value(theta)
    first, second = one.value_and_gradient(theta), four.value_and_gradient(theta)
    assert first[0] == second[0]
    assert first[1].tobytes() == second[1].tobytes()


def test_tiny_and_lost_gains_are_added_at_one_scale():
    """Gains down to e^-700 keep their digits, in whatever order the shards have them."""
    whole, parts, theta = both("expected-bleu", C=0.0)
    scale = np.exp(np.linspace(-700, -1, len(whole.data.whole.gain)))
    for order in (scale, scale[::-1]):
        whole.data.whole.gain[:] = order
        start = 0
        for shard in parts.data.shards:
            shard.lists.gain[:] = order[start : start + len(shard.lists.gain)]
            start += len(shard.lists.gain)
        value, gradient = whole.value_and_gradient(theta)
        found, slope = parts.value_and_gradient(theta)
        assert found == pytest.approx(value, rel=1e-12)
        np.testing.assert_allclose(slope, gradient, rtol=1e-9, atol=1e-12)


def test_scores_that_overflow_are_refused_by_name():
    _, parts, theta = both("ramp3")
    with (
        np.errstate(all="ignore"),
        pytest.raises(DataError, match=r"shard 0: sentence 0: expected finite scores .* large"),
    ):
        parts.value(np.full_like(theta, 1e308))


def test_a_gain_below_0_has_no_place_under_a_logarithm():
    _, parts, _ = both("expected-bleu")
    parts.data.shards[1].lists.gain[0] = -0.5
    with pytest.raises(DataError, match=r"shard 1: sentence 4: expected gains of at least 0"):
        parts.prepared()
