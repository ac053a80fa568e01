"""Lists tell whether they have names or ids, and a pipe is left alone."""

import os

import pytest

from campanula.stages.tuning.sharded.inventory_ids import against_inventory
from tests.stages.tuning.sharded import files


@pytest.fixture
def paths(tmp_path):
    return files.write(tmp_path)


def test_lists_tell_whether_they_are_against_an_inventory(paths):
    found = {name: against_inventory(paths[name]) for name in ("dev.kbest", "one.kbest", "coll")}
    assert found == {"dev.kbest": False, "one.kbest": True, "coll": True}
    assert not against_inventory("-")


def test_a_pipe_is_not_looked_into(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert not against_inventory(str(tmp_path / "pipe"))  # else it would wait for a writer
