"""What holds for every solver of the table."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.registry import UnknownName
from campanula.stages.tuning.solvers.table import SOLVERS
from tests.stages.tuning.solvers.inner import objective


def suited(solver):
    return objective("log-kbest" if SOLVERS[solver].smooth_only else "ramp3")


def settings(solver, eta):
    own = SOLVERS[solver].settings
    return own(eta=eta) if "eta" in SOLVERS[solver].defaults else own()


OF_LISTS = [name for name in SOLVERS if not SOLVERS[name].corpus and not SOLVERS[name].sets]


@pytest.mark.parametrize("solver", OF_LISTS)
def test_frozen_weights_stay_and_the_rest_moves(solver):
    inner, theta = suited(solver)
    free = inner.limits.free.copy()
    free[[0, 3]] = 0.0
    frozen = replace(inner, limits=replace(inner.limits, free=free))
    found = SOLVERS[solver].solve(frozen, theta.copy(), settings(solver, 0.01)).theta
    assert np.array_equal(found[[0, 3]], theta[[0, 3]])
    assert not np.array_equal(found, theta)


BOUNDED = [name for name in SOLVERS if SOLVERS[name].bounds and not SOLVERS[name].corpus]


def test_those_that_keep_bounds():
    assert BOUNDED == ["sgd", "adagrad", "rprop", "lbfgs"]


@pytest.mark.parametrize("solver", BOUNDED)
def test_bounds_hold(solver):
    inner, theta = suited(solver)
    size = len(theta)
    tight = replace(inner.limits, low=np.full(size, -0.1), high=np.full(size, 0.2))
    bounded = replace(inner, limits=tight)
    found = SOLVERS[solver].solve(bounded, theta, settings(solver, 0.5)).theta
    assert found.min() >= -0.1
    assert found.max() <= 0.2


@pytest.mark.parametrize("solver", BOUNDED)
def test_a_frozen_weight_stays_outside_its_bounds(solver):
    inner, theta = objective("pairwise")
    free = inner.limits.free.copy()
    free[0] = 0.0
    theta[0] = 5.0
    tight = replace(inner.limits, free=free, high=np.full(len(theta), 0.2))
    bounded = replace(inner, limits=tight)
    found = SOLVERS[solver].solve(bounded, theta, settings(solver, 0.1)).theta
    assert found[0] == 5.0
    assert found[1:].max() <= 0.2


def test_what_is_close_to_a_wrong_name_is_named():
    with pytest.raises(UnknownName, match="line-search"):
        SOLVERS["line-serch"]


def test_the_tables_load_neither_numba_nor_scipy():
    program = (
        "import sys\n"
        "from campanula.stages.tuning import flags, settings, tune\n"
        "from campanula.stages.tuning.losses import LOSSES\n"
        "assert not {'numba', 'scipy', 'sacrebleu'} & sys.modules.keys()\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
