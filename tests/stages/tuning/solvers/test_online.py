import pytest

from campanula.stages.kernels.relevant.records import EQUATION_7, TABLE_II
from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.solvers.online import ONLINE, OnlineSettings, shrink_of


def test_the_papers_settings_are_the_defaults():
    settings = OnlineSettings()
    assert (settings.epochs, settings.eta, settings.update) == (40, 1e-4, "table2")
    assert settings.shuffle
    assert ONLINE.sets


def test_l2_is_stepped_down_at_the_scale_of_the_loss():
    assert shrink_of(TABLE_II, 0.1, 0.5) == 0.9
    assert shrink_of(EQUATION_7, 0.1, 0.5) == 0.95
    with pytest.raises(Misfit, match="`eta` times `lambda_`"):
        shrink_of(TABLE_II, 1.0, 0.5)
