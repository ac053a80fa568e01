"""What run.json says: the same after it was read, and whether two runs are one."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines.run_record import NAME, CommandLine, RunRecord

SETTINGS = {"eta": 0.5, "test": [["a", "b"]], "jobs": 1, "work_dir": "run", "lm": None}
SETS = {"dev": {"source": "dev.de", "refs": ["dev.en"]}}


def record(**changes: object) -> RunRecord:
    return RunRecord.of(CommandLine(("mert",), {**SETTINGS, **changes}), SETS)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    made = replace(record(), inputs={"dev.de": "1"}, results={"weights": "2"})
    made.write(os.fspath(tmp_path))
    assert RunRecord.read(os.fspath(tmp_path)) == made
    found = json.loads((tmp_path / NAME).read_text())
    assert found["command"] == ["tune", "mert"]
    assert found["settings"] == SETTINGS
    assert {"numpy", "numba", "sacrebleu"} <= set(found["libraries"])


def test_threads_and_folder_make_no_other_run() -> None:
    assert record().is_asked_as(record(jobs=8, work_dir="other", quiet=True))
    assert not record().is_asked_as(record(eta=0.25))
    assert not record().is_asked_as(replace(record(), program="other"))


def test_relative_paths_begin_in_the_folder_of_the_run() -> None:
    made = replace(record(), folder="/data")
    assert (made.resolved("dev.de"), made.resolved("/dev.de")) == ("/data/dev.de", "/dev.de")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"campanula": "0.1.0"}', "[" * 100_000])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataError, match="expected the folder of a run"):
        RunRecord.read(os.fspath(tmp_path))
    (tmp_path / NAME).write_text(text)
    with pytest.raises(DataError, match=NAME):
        RunRecord.read(os.fspath(tmp_path))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"folder": 5}, "'folder': expected text, found 5"),
        ({"program": None}, "'program': expected text, found None"),
        ({"inputs": ["dev.de"]}, "'inputs': expected texts by name, found"),
        ({"inputs": None}, "'inputs': expected texts by name, found None"),
        ({"results": {"weights": 1}}, "'results': expected texts by name, found"),
        ({"settings": None}, "'settings': expected settings by name, found None"),
        ({"command": "tune"}, "'command': expected words, found 'tune'"),
        ({"command": ["tune", 1]}, "'command': expected words, found"),
        ({"sets": []}, r"'sets': expected source and references by name, found \[\]"),
        ({"sets": {"dev": {"source": "a", "refs": "b"}}}, "'sets': expected source and references"),
        ({"sets": {"../dev": SETS["dev"]}}, "'sets': expected source and references by name"),
    ],
)
def test_values_of_another_kind_are_refused(
    tmp_path: Path, change: dict[str, object], problem: str
) -> None:
    record().write(os.fspath(tmp_path))
    written = json.loads((tmp_path / NAME).read_text())
    (tmp_path / NAME).write_text(json.dumps({**written, **change}))
    with pytest.raises(DataError, match=problem) as error:
        RunRecord.read(os.fspath(tmp_path))
    assert str(error.value).startswith(os.fspath(tmp_path / NAME))
