"""A power cut anywhere in a run: what is there is whole, and the run ends in the same bytes."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from campanula.formats.files import Output
from tests.collections import file_bytes
from tests.formats.collections.making import write
from tests.formats.collections.test_collection import lists_of
from tests.reliability.power_cut import Cuts, PowerCuts, Recorder, State
from tests.reliability.runs import FOREIGN

STARTED_AGAIN = 8  # of some hundred states; `python -m tests.reliability.power_cut` tries all


@pytest.mark.parametrize("loop", ["rampion", FOREIGN])
def test_what_a_power_cut_leaves_is_whole_and_can_be_started_again(
    tmp_path: Path, loop: str
) -> None:
    tried = PowerCuts(tmp_path, loop)
    states = tried.states(seed=1)
    assert len(states) > 100
    assert [damaged for _, state in states if (damaged := tried.damaged(state))] == []
    for cut, state in random.Random(1).sample(states, STARTED_AGAIN):
        assert tried.again(state), f"after {cut} operations: {sorted(state)}"


def left(folder: Path) -> list[State]:
    """What cuts may leave of a file that is replaced."""
    folder.mkdir()
    with Recorder(os.fspath(folder / "work")) as recorder:
        (folder / "work").mkdir()
        os.fsync(descriptor := os.open(folder, os.O_RDONLY))
        os.close(descriptor)
        for data in (b"old", b"newer"):
            with Output(os.fspath(folder / "work" / "file")) as out:
                out.write(data)
    cuts = Cuts(recorder)
    return [s for n in range(cuts.operations + 1) for s in cuts.states(n, random.Random(n))]


def test_without_flushing_the_states_show_a_name_whose_bytes_are_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contents = {state.get(os.fspath(tmp_path / "a/work/file")) for state in left(tmp_path / "a")}
    assert contents == {None, b"old", b"newer"}
    monkeypatch.setattr("campanula.formats.atomic.flush_to_disk", lambda descriptor: None)
    contents = {state.get(os.fspath(tmp_path / "b/work/file")) for state in left(tmp_path / "b")}
    assert {b"", b"ol"} & contents


def test_a_collection_is_whole_or_not_there(tmp_path: Path) -> None:
    """One that replaces another, whenever the power fails; its shards are flushed as one folder."""
    work = tmp_path / "work"
    shards = {"old": [lists_of([0]), lists_of([1])], "new": [lists_of([2, 3])]}
    whole = []
    for name in shards:
        write(tmp_path / name, shards[name])
        whole.append(file_bytes(tmp_path / name))
    with Recorder(os.fspath(work)) as recorder:
        work.mkdir()
        os.fsync(descriptor := os.open(tmp_path, os.O_RDONLY))
        os.close(descriptor)
        for lists in shards.values():
            write(work / "dev", lists)
    cuts, found = Cuts(recorder), []
    for number in range(cuts.operations + 1):
        for state in cuts.states(number, random.Random(number)):
            below = f"{work / 'dev'}{os.sep}"
            files = {
                path.removeprefix(below): state[path] for path in state if path.startswith(below)
            }
            assert files in ({}, *whole), number
            found.append(files)
    assert all(files in found for files in whole)
