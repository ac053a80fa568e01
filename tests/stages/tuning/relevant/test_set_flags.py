import argparse

import pytest

from campanula.stages.tuning.relevant.set_flags import add_set_flags, size


@pytest.mark.parametrize(
    ("text", "n"), [("0", 0), ("17", 17), ("3k", 3072), ("500M", 500 << 20), ("4G", 4 << 30)]
)
def test_sizes_have_units(text, n):
    assert size(text) == n


@pytest.mark.parametrize("text", ["", "M", "-1", "1.5G", "4GB"])
def test_what_is_no_size_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError, match="such as 500M or 4G"):
        size(text)


def test_nothing_is_set_unless_it_is_given():
    p = argparse.ArgumentParser()
    add_set_flags(p)
    assert {*vars(p.parse_args([])).values()} == {None}
    found = p.parse_args(["--lambda", "0.5", "--printed-sign", "--memory", "1K"])
    assert (found.lambda_, found.printed_sign, found.memory) == (0.5, True, 1024)
