import pytest

from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.settings import TuneSettings


def test_the_step_size_of_a_loss_goes_before_the_solvers():
    assert TuneSettings(loss="costmargin").plan().solver_settings.eta == 1e-4
    assert TuneSettings(loss="relevant-perceptron").plan().solver_settings.eta == 1e-5
    assert TuneSettings(loss="relevant-perceptron", eta=0.5).plan().solver_settings.eta == 0.5


def test_relevant_sets_are_trained_online_and_nothing_else_is():
    plan = TuneSettings(solver="online").plan()
    assert (plan.loss_name, plan.C, plan.rounds) == ("costmargin", 0.0, 0)
    assert not plan.goes_by_shards
    with pytest.raises(Misfit, match="relevant sets go with online"):
        TuneSettings(loss="ramp3", solver="online").plan()
    with pytest.raises(Misfit, match="has `lambda_` for that"):
        TuneSettings(loss="costmargin", C=1.0).plan()
    with pytest.raises(Misfit, match="`update`: expected table2 or eq7"):
        TuneSettings(loss="costmargin", update="eq8").plan()
