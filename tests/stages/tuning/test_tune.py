"""What the command does, done from Python."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.optimize import minimize

from campanula.formats.errors import DataError
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.weights import Weights
from campanula.stages import impute_hope, optimize
from campanula.stages.kernels.lists.scores import score_lists
from campanula.stages.tuning import tuning_set
from campanula.stages.tuning.hopes import Hopes
from campanula.stages.tuning.losses import LOSSES, own_loss
from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.settings import TuneSettings
from campanula.stages.tuning.solvers.solver import Solution, Solver
from campanula.stages.tuning.solvers.table import SOLVERS
from campanula.stages.tuning.tune import minimise, objective_of
from campanula.stages.tuning.tuning_set import TuningSet
from tests.examples import random_lists, write_kbest


@own_loss(smooth=True)
def risk(score, cost):
    """Bayes risk, in NumPy."""
    p = np.exp(score - score.max())
    p /= p.sum()
    return p @ cost, p * (cost - p @ cost)


@pytest.fixture
def records():
    return random_lists(seed=5, n_lists=6)[0]


@pytest.fixture
def weights(records):
    rng = np.random.default_rng(6)
    return {name: float(rng.normal()) for name in records[0].names}


def test_tuning_in_four_lines():
    names = Names()
    features = Features.of([{"good": 1.0}, {"bad": 1.0}], names)
    lists = [KBest(0, Texts.of(["yes", "no"]), features, names, gain=np.array([1.0, 0.0]))]
    tuned = minimise(lists, {"good": 0.0, "bad": 0.0}, TuneSettings(loss="ramp3", eta=0.1))
    assert tuned.weights["good"] > 0.0 > tuned.weights["bad"]
    assert tuned.history[0] > tuned.objective == tuned.history[-1]
    assert len(tuned.history) == 11


@pytest.mark.parametrize(
    ("settings", "flags"),
    [
        ({}, ""),
        ({"loss": "bayes-risk", "solver": "sgd", "eta": 0.01, "shuffle": True, "seed": 4},
         "--loss bayes-risk --solver sgd --eta 0.01 --shuffle --seed 4"),
        ({"loss": "soft-ramp3", "solver": "lbfgs", "cccp_iterations": 2, "freeze": ["LM0"]},
         "--loss soft-ramp3 --solver lbfgs --cccp-iterations 2 --freeze LM0"),
        ({"loss": "expected-bleu", "iterations": 9, "bounds": [("pair_*", -0.5, 0.5)]},
         "--loss expected-bleu --iterations 9 --bounds pair_* -0.5 0.5"),
    ],
)  # fmt: skip
def test_the_command_makes_the_same_weights(tmp_path, records, weights, settings, flags):
    path = write_kbest(tmp_path / "dev.kbest", records)
    Weights(weights).write(str(tmp_path / "w0"))
    argv = [path, "--weights", str(tmp_path / "w0"), *flags.split(), "-o", str(tmp_path / "w1")]
    assert optimize.main([*argv, "-q"]) == 0
    tuned = minimise(records, weights, TuneSettings(**settings))
    assert dict(tuned.weights) == dict(Weights.read(str(tmp_path / "w1")))
    assert f"# objective:{tuned.objective!r}\n" in (tmp_path / "w1").read_text()


def test_hopes_and_a_center_are_those_of_a_step(tmp_path, records, weights):
    path = write_kbest(tmp_path / "dev.kbest", records)
    Weights(weights).write(str(tmp_path / "w0"))
    argv = [path, "--weights", str(tmp_path / "w0"), "-q", "-o", str(tmp_path / "hope")]
    assert impute_hope.main(argv) == 0
    data = TuningSet.of(records)
    hopes = Hopes.read(str(tmp_path / "hope"), data)
    step = minimise(data, weights, center=weights, hopes=hopes)
    assert dict(step.weights) == dict(
        minimise(records, weights, TuneSettings(cccp_iterations=1)).weights
    )
    assert len(step.history) == 2
    zero = minimise(data, weights, TuneSettings(C=3.0), center=0.0)
    zeros = minimise(data, weights, TuneSettings(C=3.0), center=dict.fromkeys(weights, 0.0))
    assert dict(zero.weights) == dict(zeros.weights) != dict(step.weights)


@pytest.mark.parametrize("solver", ["sgd", "adagrad", "rprop", "lbfgs"])
def test_a_loss_of_ones_own_tunes_as_the_compiled_one(tmp_path, records, weights, solver):
    settings = TuneSettings(
        loss="bayes-risk",
        solver=solver,
        C=0.3,
        bounds=[("LM0", -1.0, 1.0)],
        freeze=["WordPenalty0"],
    )
    if solver in ("sgd", "adagrad"):
        settings = replace(settings, eta=0.02, epochs=9, L1=0.01)
    else:
        settings = replace(settings, iterations=20)
    ours = minimise(records, weights, settings)
    own = minimise(records, weights, replace(settings, loss=risk))
    assert dict(own.weights) == pytest.approx(dict(ours.weights), abs=1e-7)
    assert own.history == pytest.approx(ours.history, abs=1e-9)
    assert own.objective < own.history[0]
    assert own.weights["WordPenalty0"] == weights["WordPenalty0"]


@pytest.mark.parametrize("solver", ["sgd", "rprop"])
def test_a_loss_of_ones_own_streams_to_the_same_bits(
    tmp_path, monkeypatch, records, weights, solver
):
    monkeypatch.setattr(tuning_set, "CHUNK_BYTES", 600)
    path = write_kbest(tmp_path / "dev.kbest", records)
    settings = TuneSettings(loss=risk, solver=solver)
    held = minimise(TuningSet.read(path), weights, settings)
    streamed = minimise(TuningSet.read(path, stream=True), weights, settings)
    assert dict(streamed.weights) == dict(held.weights)
    assert streamed.history == held.history


def test_a_loss_of_ones_own_is_used_by_name_from_the_command_line(
    tmp_path, monkeypatch, records, weights
):
    monkeypatch.setattr(LOSSES, "_items", dict(LOSSES._items))
    LOSSES.add("test-risk", risk)
    path = write_kbest(tmp_path / "dev.kbest", records)
    Weights(weights).write(str(tmp_path / "w0"))
    argv = [path, "--weights", str(tmp_path / "w0"), "--loss", "test-risk", "--C", "0.5", "-q"]
    assert optimize.main([*argv, "-o", str(tmp_path / "w1")]) == 0
    tuned = minimise(records, weights, TuneSettings(loss="test-risk", C=0.5))
    assert tuned.objective < tuned.history[0]
    assert dict(Weights.read(str(tmp_path / "w1"))) == dict(tuned.weights)
    assert "|loss:test-risk|solver:lbfgs|" in (tmp_path / "w1").read_text()


@dataclass(frozen=True)
class Halving:
    """Settings of a solver of one's own."""

    iterations: int = 3


def halve(objective, theta, settings):
    for _ in range(settings.iterations):
        theta = np.where(objective.limits.free > 0.0, 0.5 * theta, theta)
    return Solution(theta, reason="halved")


def test_a_solver_of_ones_own_is_used_by_name(monkeypatch, records, weights):
    monkeypatch.setitem(SOLVERS._items, "halving", Solver(halve, Halving))
    tuned = minimise(records, weights, TuneSettings(loss="bayes-risk", solver="halving"))
    assert dict(tuned.weights) == pytest.approx({n: w / 8 for n, w in weights.items()})
    assert tuned.last.reason == "halved"
    settings = TuneSettings(loss="bayes-risk", solver="halving", iterations=1, freeze=["LM0"])
    kept = minimise(records, weights, settings).weights
    assert (kept["LM0"], kept["WordPenalty0"]) == (weights["LM0"], weights["WordPenalty0"] / 2)


def test_errors_make_sense_without_a_command_line(records, weights):
    with pytest.raises(Misfit, match="`solver` ssd does not read `tolerance`; drop it"):
        minimise(records, weights, TuneSettings(tolerance=1.0))
    with pytest.raises(Misfit, match="`loss` hinge needs `references`"):
        minimise(records, weights, TuneSettings(loss="hinge"))
    with pytest.raises(DataError, match="k-best lists: expected k-best lists, found none"):
        minimise([], weights)
    with pytest.raises(DataError, match="feature 'LM0': expected a weight"):
        minimise(records, {name: w for name, w in weights.items() if name != "LM0"})
    with pytest.raises(Misfit, match="list 0: expected finite numbers"):
        minimise(records, weights, TuneSettings(loss=lambda score, cost: (np.inf, score)))
    with pytest.raises(DataError, match="expected a finite score of hypothesis 0"):
        minimise(records, {**weights, "LM0": 1e308, "WordPenalty0": 1e308})


def test_weights_that_no_list_has_are_kept_where_that_is_allowed(records, weights):
    tuned = minimise(records, {**weights, "nobody": 3.0}, allow_missing=True)
    assert tuned.weights["nobody"] == 3.0


def test_pairwise_has_its_minimum_where_megam_has_it(records, weights):
    """MegaM sees each pair with both signs: sum of all losses + |w|^2 / 2 (lambda = 1)."""
    plan = TuneSettings(loss="pairwise", iterations=400, tolerance=1e-9).plan()
    tuned = minimise(records, weights, plan, center=0.0)
    objective = objective_of(TuningSet.of(records), plan, np.zeros(len(weights)))
    assert isinstance(objective, Objective)
    lists, targets, _ = objective.whole()
    rows = np.array([score_lists(lists, unit) for unit in np.eye(len(weights))]).T
    first = np.repeat(lists.list_pointer[:-1], np.diff(targets.pair_pointer))
    x = rows[first + targets.better] - rows[first + targets.worse]
    both = np.concatenate([x, -x])
    label = np.concatenate([np.ones(len(x)), -np.ones(len(x))])

    def megam(w):
        return np.logaddexp(0.0, -label * (both @ w)).sum() + w @ w / 2

    found = np.array([tuned.weights[name] for name in records[0].names])
    assert 2.0 * tuned.objective == pytest.approx(megam(found), rel=1e-12)
    assert found == pytest.approx(minimize(megam, np.zeros(len(found))).x, abs=1e-4)
