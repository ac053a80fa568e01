"""An attempt ends well, or says whose fault it is."""

from __future__ import annotations

import errno
import os
import pickle
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.formats.program import program_digest
from campanula.stages.engines.attempt import BUG, DATA, MACHINE, Fault, attempt
from campanula.stages.engines.task import Task
from tests.reliability.faults import Faults


def attempted(folder: Path, function: str, program: str = "", **arguments: object) -> Fault | None:
    """The fault of an attempt in a folder that has its mark."""
    (folder / "mark").touch()
    one = Task(f"tests.stages.engines.functions:{function}", arguments, os.fspath(folder / "a-1"))
    try:
        attempt(one, os.fspath(folder / "mark"), program or program_digest())
    except Fault as fault:
        return pickle.loads(pickle.dumps(fault))
    return None


def test_it_ends_well(tmp_path: Path) -> None:
    assert attempted(tmp_path, "numbers", seed=1) is None
    assert (tmp_path / "a-1.seal").exists()


def test_the_users_data(tmp_path: Path) -> None:
    fault = attempted(tmp_path, "refusing", path="dev.de")
    assert fault is not None
    assert fault.kind == DATA
    with pytest.raises(DataError, match=r"dev.de: sentence 7: expected a word, found none"):
        fault.reraise("decode")


@pytest.mark.parametrize("number", range(1, 9))
def test_a_disk_that_is_full(tmp_path: Path, number: int) -> None:
    with Faults(number, errno.ENOSPC, os.fspath(tmp_path / ".a")) as faults:
        fault = attempted(tmp_path, "numbers", seed=1)
    if faults.fired:
        assert fault is not None
        assert fault.kind == MACHINE
        assert fault.problem == "cannot be written: No space left on device"
        assert ".tmp" not in str(fault)
        assert [path for path in tmp_path.iterdir() if path.suffix == ".tmp"] == []


def test_an_input_that_is_not_there_may_be_on_another_machine(tmp_path: Path) -> None:
    fault = attempted(tmp_path, "reading", path=os.fspath(tmp_path / "absent"))
    assert fault is not None
    assert fault.kind == MACHINE
    assert str(fault) == f"{tmp_path}/absent: cannot be read: No such file or directory"


def test_memory(tmp_path: Path) -> None:
    fault = attempted(tmp_path, "greedy")
    assert fault is not None
    assert fault.kind == MACHINE


def test_a_bug_has_its_traceback(tmp_path: Path) -> None:
    fault = attempted(tmp_path, "broken", seed=5)
    assert fault is not None
    assert fault.kind == BUG
    with pytest.raises(RuntimeError, match=r"(?s)Traceback.*ZeroDivisionError: of 5"):
        fault.reraise("decode")


def test_another_version_is_told(tmp_path: Path) -> None:
    fault = attempted(tmp_path, "numbers", program="another", seed=1)
    assert fault is not None
    assert fault.kind == MACHINE
    assert "version of campanula" in fault.problem


def test_another_folder_is_told(tmp_path: Path) -> None:
    one = Task("tests.stages.engines.functions:numbers", {"seed": 1}, os.fspath(tmp_path / "a-1"))
    with pytest.raises(Fault, match="a folder that all workers see"):
        attempt(one, os.fspath(tmp_path / "absent"), program_digest())
    assert list(tmp_path.iterdir()) == []
