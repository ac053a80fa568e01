"""A power cut anywhere in a run: what is there is whole, and the run ends in the same bytes."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from campanula.formats.files import Output
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
