import argparse

from campanula.stages.tuning.relevant.set_flags import add_set_flags


def test_nothing_is_set_unless_it_is_given():
    p = argparse.ArgumentParser()
    add_set_flags(p)
    assert {*vars(p.parse_args([])).values()} == {None}
    found = p.parse_args(["--lambda", "0.5", "--printed-sign", "--memory", "1K"])
    assert (found.lambda_, found.printed_sign, found.memory) == (0.5, True, 1024)
