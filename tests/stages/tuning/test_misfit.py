from campanula.stages.tuning.misfit import Misfit


def test_settings_become_flags():
    misfit = Misfit("`solver` sgd does not read `pairs_kept`; drop it")
    assert str(misfit) == "`solver` sgd does not read `pairs_kept`; drop it"
    assert misfit.as_flags == "--solver sgd does not read --pairs-kept; drop it"
    assert Misfit("`hopes`, `references`, `C`").as_flags == "--hope, --ref, --C"


def test_it_is_an_error_of_values():
    assert isinstance(Misfit("`C`"), ValueError)
