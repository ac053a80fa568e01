import warnings

import numpy as np
import pytest

from campanula.formats.errors import DataError
from tests.stages.tuning.solvers.inner import objective


@pytest.mark.parametrize(
    "name", ["soft-ramp3", "bayes-risk", "expected-bleu", "pairwise", "squared-gain"]
)
def test_value_and_gradient_agree(name):
    inner, theta = objective(name, C=0.7)
    value, gradient = inner.value_and_gradient(theta)
    assert value == pytest.approx(inner.value(theta))
    for f in range(len(theta)):
        step = np.eye(len(theta))[f] * 1e-6
        slope = (inner.value(theta + step) - inner.value(theta - step)) / 2e-6
        assert gradient[f] == pytest.approx(slope, abs=1e-5)


def test_regularisation_is_toward_the_center():
    inner, theta = objective("ramp3", C=3.0, L1=2.0)
    expected = 1.5 * np.square(theta).sum() + 2.0 * np.abs(theta).sum()
    assert inner.regularisation(theta) == pytest.approx(expected)
    assert inner.regularisation(np.zeros_like(theta)) == 0.0


def test_lists_that_reach_no_reference_are_counted():
    inner, _ = objective("hinge")
    lists, targets, _ = inner.whole()
    spans = [slice(*lists.list_pointer[i : i + 2]) for i in range(lists.n_lists)]
    assert inner.skipped() == sum(not targets.reaches[span].any() for span in spans) > 0
    assert objective("ramp3")[0].skipped() == 0


def test_a_gain_below_0_has_no_place_under_a_logarithm():
    inner, _ = objective("expected-bleu")
    whole = inner.data.whole
    second = int(whole.lists.list_pointer[1])
    whole.gain[second] = -0.25
    expected = r"test: sentence 1: expected gains of at least 0, .* found -0.25 .*bayes-risk"
    with pytest.raises(DataError, match=expected):
        inner.prepared()
    assert objective("bayes-risk")[0].prepared()


def test_weights_that_grow_beyond_bounds_give_no_warning():
    inner, theta = objective("ramp3", C=3.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert inner.regularisation(np.full_like(theta, 1e300)) == np.inf
