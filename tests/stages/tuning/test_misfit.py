from campanula.formats.registry import UnknownName
from campanula.stages.tuning.misfit import Misfit, UnknownChoice


def test_settings_become_flags():
    misfit = Misfit("`solver` sgd does not read `pairs_kept`; drop it")
    assert str(misfit) == "`solver` sgd does not read `pairs_kept`; drop it"
    assert misfit.as_flags == "--solver sgd does not read --pairs-kept; drop it"
    assert Misfit("`hopes`, `references`, `C`").as_flags == "--hope, --ref, --C"


def test_it_is_an_error_of_values():
    assert isinstance(Misfit("`C`"), ValueError)


def test_an_unknown_loss_is_an_unknown_name_as_any_other():
    error = UnknownChoice("no loss is called 'x'")
    assert isinstance(error, UnknownName)
    assert str(error) == error.as_flags == "no loss is called 'x'"
