"""A result is whole, or made again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.stages.engines import result
from campanula.stages.engines.task import Task, task


def numbers(folder: Path, seed: int = 1) -> Task:
    function = "tests.stages.engines.functions:numbers"
    return task(os.fspath(folder), "count", function, {"seed": seed}, seed, ".txt")


def test_what_is_there_is_not_made_again(tmp_path: Path) -> None:
    one = numbers(tmp_path)
    result.make(one)
    made = os.stat(one.output)
    assert result.is_whole(one.output)
    assert result.absence(one.output) is None
    assert result.value_of(one.output) == {"seed": 1}
    result.make(one)
    assert os.stat(one.output) == made


@pytest.mark.parametrize("suffix", ["", ".json", ".seal"])
@pytest.mark.parametrize("damage", ["bit", "cut", "remove"])
def test_what_is_damaged_is_made_again(tmp_path: Path, suffix: str, damage: str) -> None:
    one = numbers(tmp_path)
    result.make(one)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    path = Path(one.output + suffix)
    data = path.read_bytes()
    if damage == "remove":
        path.unlink()
    else:
        path.write_bytes(data[:-1] if damage == "cut" else bytes([data[0] ^ 1]) + data[1:])
    assert not result.is_whole(one.output)
    assert damage == "bit" or result.absence(one.output) is not None
    result.make(one)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_function_that_fails_leaves_nothing(tmp_path: Path) -> None:
    arguments = {"path": "dev.de"}
    one = Task("tests.stages.engines.functions:refusing", arguments, os.fspath(tmp_path / "a-1"))
    with pytest.raises(DataError, match=r"dev.de: sentence 7"):
        result.make(one)
    assert list(tmp_path.iterdir()) == []


def test_what_attempts_have_left_goes(tmp_path: Path) -> None:
    one, other = numbers(tmp_path), numbers(tmp_path, seed=2)
    result.make(one)
    whole = {path.name for path in tmp_path.iterdir()}
    left = [f".{one.name}{end}.5f0c77aa0123.tmp" for end in ("", ".seal", ".json")]
    left.append(f"..{one.name}.5f0c77aa0123.tmp.0123456789ab.tmp")
    others = [f".{other.name}.5f0c77aa0123.tmp", ".run-0123", "notes.tmp"]
    for name in (*left, *others):
        (tmp_path / name).touch()
    result.remove_unfinished(os.fspath(tmp_path), [one])
    assert {path.name for path in tmp_path.iterdir()} == whole | set(others)


def test_a_result_is_removed(tmp_path: Path) -> None:
    one = numbers(tmp_path)
    result.make(one)
    result.remove(one.output)
    assert list(tmp_path.iterdir()) == []
