import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.names import Names
from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.relevant.relevant_sets import RelevantSets
from campanula.stages.tuning.relevant.set_of_lists import SetOfLists
from campanula.stages.tuning.relevant.training import train, wants_apart
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.settings import TuneSettings
from tests.stages.tuning.relevant.random_sets import FEATURES, random_sets, records_of

LIMITS = Restraints.of(Names(FEATURES))
ZERO = np.zeros(len(FEATURES))


def data_of(seed, **shape):
    return RelevantSets.of([SetOfLists.of(records_of(s), "s") for s in random_sets(seed, **shape)])


@pytest.mark.parametrize("settings", [{}, {"update": "eq7", "eta": 0.05}], ids=["table2", "eq7"])
def test_training_goes_down_its_objective(settings):
    trained = train(data_of(1), ZERO, LIMITS, TuneSettings(loss="costmargin", **settings).plan())
    assert trained.objective < trained.before
    assert 0 < trained.updates <= 40 * 6
    assert not ZERO.any()


def test_the_perceptron_updates_until_score_and_gain_agree():
    trained = train(data_of(1), ZERO, LIMITS, TuneSettings(loss="relevant-perceptron").plan())
    assert 0 < trained.updates < 40 * 6
    assert trained.w.any()


def test_the_weights_of_every_epoch_are_handed_over():
    plan = TuneSettings(loss="costmargin", epochs=3).plan()
    seen = []
    trained = train(data_of(2), ZERO, LIMITS, plan, after=lambda w: seen.append(w.copy()))
    assert len(seen) == 3
    assert (seen[-1] == trained.w).all()


def test_eq_7_alone_wants_alternatives_apart():
    assert wants_apart(TuneSettings(loss="costmargin", update="eq7").plan())
    assert not wants_apart(TuneSettings(loss="costmargin").plan())
    assert not wants_apart(TuneSettings(loss="relevant-perceptron").plan())


def test_weights_that_are_not_kept_are_0():
    kept = np.arange(len(FEATURES)) < 20
    plan = TuneSettings(loss="costmargin", eta=0.1).plan()
    trained = train(data_of(3), np.ones(len(FEATURES)), LIMITS, plan, kept=kept)
    assert (trained.w[~kept] == 0.0).all()
    with pytest.raises(Misfit, match="no weight free"):
        train(data_of(3), ZERO, LIMITS, plan, kept=kept & False)


def test_a_step_that_overflows_is_refused():
    plan = TuneSettings(loss="costmargin", update="eq7", eta=1e200).plan()
    with pytest.raises(DataError, match=r"under the new weights|a smaller eta"):
        train(data_of(4), ZERO, LIMITS, plan)
