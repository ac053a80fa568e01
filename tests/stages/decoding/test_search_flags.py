import argparse

import pytest

from campanula.stages.command import UsageError
from campanula.stages.decoding.search_flags import add_search_flags, search_settings
from campanula.stages.decoding.search_settings import EVERYTHING, SearchSettings


def parsed(*argv):
    p = argparse.ArgumentParser()
    p.add_argument("-k", type=int, default=500)
    p.add_argument("--distinct", action="store_true")
    add_search_flags(p)
    return p.parse_args(argv)


def test_the_defaults_are_those_of_the_search():
    assert search_settings(parsed()) == SearchSettings()


def test_flags_become_settings():
    argv = ["-k", "7", "--distinct", "--reordering", "swap", "--pop-limit", "50", "--stack", "9"]
    found = search_settings(parsed(*argv))
    assert (found.k, found.distinct, found.reordering) == (7, True, "swap")
    assert (found.pop_limit, found.stack) == (50, 9)


def test_no_pruning_lifts_every_limit():
    found = search_settings(parsed("--no-pruning"))
    assert found.pop_limit == found.stack == found.table_limit == EVERYTHING
    assert found.beam_threshold == float("inf")


def test_a_jump_too_long_is_refused():
    with pytest.raises(UsageError, match="at most 60"):
        search_settings(parsed("--distortion-limit", "61"))


def test_settings_of_moses_stand_behind_the_flags():
    moses = {"stack": 9, "table-limit": float("inf"), "distortion-limit": float("inf")}
    found = search_settings(parsed("--stack", "7"), moses | {"beam-threshold": 2.5, "jobs": 2})
    assert (found.stack, found.table_limit, found.distortion_limit) == (7, EVERYTHING, 60)
    assert (found.beam_threshold, found.pop_limit) == (2.5, SearchSettings().pop_limit)
