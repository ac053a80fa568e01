import numpy as np
import pytest

from campanula.stages.tuning.losses import LOSSES, PAIR_SETTINGS, own_loss
from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.pairs import PAPER, PairSampling
from campanula.stages.tuning.settings import TuneSettings
from campanula.stages.tuning.solvers.table import SOLVERS
from tests.present import present


@pytest.mark.parametrize(
    ("settings", "loss", "solver"),
    [
        ({}, "ramp3", "ssd"),
        ({"loss": "cost"}, "cost", "line-search"),
        ({"solver": "batch-mira"}, "cost", "batch-mira"),
        ({"solver": "line-search"}, "cost", "line-search"),
        ({"loss": "expected-bleu"}, "expected-bleu", "rprop"),
        ({"loss": "pairwise"}, "pairwise", "lbfgs"),
        ({"solver": "mira"}, "ramp3", "mira"),
    ],
)
def test_loss_and_solver_complete_each_other(settings, loss, solver):
    plan = TuneSettings(**settings).plan()
    assert (plan.loss_name, plan.solver_name) == (loss, solver)


def test_the_papers_settings_are_the_defaults():
    plan = TuneSettings().plan()
    assert (plan.alpha, plan.C, plan.rounds) == (10.0, 1.0, 10)
    assert (plan.solver_settings.epochs, plan.solver_settings.eta) == (5, 1e-4)
    assert plan.sampling == PAPER


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_is_not_set_is_as_the_solver_has_it(solver):
    plan = TuneSettings(solver=solver, loss="log-kbest" if solver == "lbfgs" else None).plan()
    assert plan.loss_name in ("ramp3", "cost", "costmargin", "log-kbest")
    assert plan.solver_settings == SOLVERS[solver].settings()


def test_settings_go_to_solver_and_loss():
    plan = TuneSettings(loss="pairwise", pairs_kept=7, iterations=9, seed=3).plan()
    assert plan.solver_settings.iterations == 9
    assert plan.sampling == PairSampling(pairs_kept=7, seed=3)
    plan = TuneSettings(loss="perceptron-gamma", gamma=0.25).plan()
    assert plan.loss.up.factor == -0.25


def test_steps_are_on_all_lists_where_the_loss_is_no_sum_over_them():
    for solver in ("sgd", "adagrad"):
        plan = TuneSettings(loss="expected-bleu", solver=solver).plan(streamed=True)
        assert plan.solver_settings.batch_size == 0
        assert TuneSettings(loss="pairwise", solver=solver).plan().solver_settings.batch_size == 1


def test_expected_bleu_has_the_papers_l2_unless_c_is_given():
    plan = TuneSettings(loss="expected-bleu", tau=0.25).plan()
    assert (plan.C, plan.tau) == (0.5, 0.25)
    plan = TuneSettings(loss="expected-bleu", C=0.25).plan()
    assert (plan.C, plan.tau) == (0.25, None)
    plan = TuneSettings(loss="expected-bleu").plan()
    tau = present(LOSSES["expected-bleu"].tau)
    assert (plan.C, plan.tau) == (2 * tau, tau)


def test_the_settings_of_pairs_are_those_of_a_sampling():
    assert {*PAIR_SETTINGS} == {*PairSampling.__dataclass_fields__} - {"seed"}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"loss": "bayes-risk", "solver": "ssd"}, "`solver` ssd"),
        ({"loss": "ramp3", "solver": "batch-mira"}, "own loss; drop `loss` ramp3"),
        ({"loss": "cost", "C": 1.0}, "drop `C`"),
        ({"loss": "ramp3", "solver": "lbfgs"}, "smooth"),
        ({"loss": "cost", "solver": "sgd"}, "line-search"),
        ({"loss": "bayes-risk", "solver": "sgd", "cccp_iterations": 3}, "concave"),
        ({"L1": 1.0}, "no `L1`; sgd and adagrad have"),
        ({"bounds": [("*", 0.0, 1.0)]}, "`bounds`"),
        ({"solver": "mira", "C": 0.0}, "`C` above 0"),
        ({"loss": "hinge"}, "needs `references`"),
        ({"shuffle": True}, "`solver` ssd does not read `shuffle`"),
        ({"pairs_kept": 3}, "`loss` ramp3 does not read `pairs_kept`"),
        ({"loss": "ramp2", "gamma": 2.0}, "`loss` ramp2 does not read `gamma`"),
        ({"loss": "expected-bleu", "alpha": 2.0}, "`loss` expected-bleu does not read `alpha`"),
        ({"loss": "costmargin", "alpha": 10.0}, "`loss` costmargin does not read `alpha`"),
        ({"loss": "perceptron-kbest", "alpha": 2.0}, "`loss` perceptron-kbest does not read `a"),
        ({"solver": "batch-mira", "alpha": 2.0}, "`solver` batch-mira does not read `alpha`"),
        ({"loss": "rmap3"}, "did you mean ramp3"),
        ({"solver": "line-serch"}, "did you mean line-search"),
        ({"epochs": 0}, "`epochs`: expected a number of at least 1, found 0"),
        ({"eta": -1.0}, "`eta`: expected a number of at least 0"),
        ({"C": float("nan")}, "`C`: expected a number"),
        ({"loss": "expected-bleu", "C": 1.0, "tau": 1.0}, "`C` and `tau`"),
        ({"tau": 1.0}, "`loss` ramp3 does not read `tau`"),
        ({"loss": "pairwise", "tau": 1.0}, "`loss` pairwise does not read `tau`"),
        ({"loss": "expected-bleu", "solver": "sgd", "batch_size": 1}, "drop `batch_size`"),
        ({"loss": "expected-bleu", "solver": "sgd", "shuffle": True}, "drop `shuffle`"),
        ({"solver": "adagrad", "batch_size": 0, "shuffle": True}, "drop `shuffle`"),
        ({"solver": "rprop", "loss": "bayes-risk", "rprop": "litral"}, "reset or literal"),
        ({"loss": "expected-bleu", "fobos": True}, "`solver` rprop does not read `fobos`"),
    ],
)
def test_what_does_not_go_together_is_refused_by_name(settings, words):
    with pytest.raises(Misfit, match=words):
        TuneSettings(**settings).plan()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"loss": "cost"}, "drop `stream`"),
        ({"solver": "sgd", "shuffle": True}, "drop `shuffle`"),
        ({"solver": "sgd", "batch_size": 4}, "give `batch_size` 1 or 0"),
    ],
)
def test_what_needs_all_lists_at_once_does_not_stream(settings, words):
    TuneSettings(**settings).plan()
    with pytest.raises(Misfit, match=words):
        TuneSettings(**settings).plan(streamed=True)


def test_hopes_are_one_inner_problem():
    assert TuneSettings().plan(hopes=True).rounds == 1
    with pytest.raises(Misfit, match="`hopes`"):
        TuneSettings(cccp_iterations=2).plan(hopes=True)
    with pytest.raises(Misfit, match="`hopes`"):
        TuneSettings(loss="bayes-risk").plan(hopes=True)


def test_references_let_a_loss_ask_what_reaches_them():
    assert TuneSettings(loss="hinge").plan(references=True).loss_name == "hinge"


def squared(score, cost):
    return 0.5 * np.square(score + cost).sum(), score + cost


def test_a_loss_may_be_a_row():
    plan = TuneSettings(loss=LOSSES["hinge-kbest"]).plan()
    assert (plan.loss_name, plan.solver_name) == ("hinge-kbest", "ssd")


def test_a_loss_may_be_a_function():
    plan = TuneSettings(loss=squared).plan()
    assert (plan.loss_name, plan.solver_name, plan.rounds) == ("squared", "rprop", 0)
    plan = TuneSettings(loss=own_loss(smooth=True)(squared)).plan()
    assert (plan.loss_name, plan.solver_name) == ("squared", "lbfgs")
    with pytest.raises(Misfit, match="`loss` squared does not read `gamma`"):
        TuneSettings(loss=squared, gamma=2.0).plan()
    with pytest.raises(Misfit, match=r"`loss` squared with `solver` lbfgs.*smooth"):
        TuneSettings(loss=squared, solver="lbfgs").plan()
    with pytest.raises(Misfit, match="`loss` squared with `solver` ssd"):
        TuneSettings(loss=squared, solver="ssd").plan()
