"""What an earlier run has left: what goes, and what stays."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines import results
from campanula.pipelines.results import HISTORY, INVENTORY, REPLICATES, Results

FORMS = (r"{}\.out", r"{}\.[0-9]+\.out", r"{}\.compare")
OLD = {"iteration": 0, "dev": 1.0, "test": {"old": 1.0, "a+b": 2.0}, "stopped": "done"}


def of(folder: Path, *made: str, reads: tuple[str, ...] = ()) -> Results:
    fixed = (HISTORY, REPLICATES, INVENTORY)
    return Results(os.fspath(folder), frozenset(made), fixed, FORMS, reads)


def write(folder: Path, *names: str, history: object = OLD) -> None:
    (folder / HISTORY).write_text(json.dumps(history) + "\n")
    for name in names:
        (folder / name).write_text("")


def test_what_a_run_does_not_make_goes_and_the_users_files_stay(tmp_path: Path) -> None:
    stale = {"old.out", "old.2.out", "old.compare", "dev.3.out", "a+b.out", REPLICATES}
    own = {"nohup.out", "old.log", "xold.out", "old.out.gz", "aab.out", "new.out"}
    made = {HISTORY, "dev.out", "dev.1.out"}
    write(tmp_path, *stale, *own, *made - {HISTORY})
    (tmp_path / "old.4.out").mkdir()
    said: list[str] = []
    of(tmp_path, *made).begin(said.append)
    assert set(os.listdir(tmp_path)) == own | made | {"old.4.out"}
    where, _, removed = said[0].partition(": removed, of an earlier run: ")
    assert (where, set(removed.split(", "))) == (os.fspath(tmp_path), stale)
    assert of(tmp_path, *made).remove_stale() == []


def test_where_no_run_was_nothing_goes(tmp_path: Path) -> None:
    (tmp_path / "dev.out").write_text("mine")
    said: list[str] = []
    of(tmp_path).begin(said.append)
    assert (os.listdir(tmp_path), said) == (["dev.out"], [])


def test_what_the_run_reads_stays_by_whatever_name(tmp_path: Path) -> None:
    write(tmp_path, "old.out")
    (tmp_path / "link").symlink_to("old.out")
    assert of(tmp_path, HISTORY, reads=(os.fspath(tmp_path / "link"),)).remove_stale() == []


def test_the_history_goes_last_and_links_do_not_lead_anywhere(tmp_path: Path) -> None:
    write(tmp_path, "old.out", REPLICATES)
    (tmp_path / "cache").mkdir()
    (tmp_path / INVENTORY).symlink_to("cache")
    found = of(tmp_path).remove_stale()
    assert found == [INVENTORY, "old.out", HISTORY, REPLICATES]
    assert os.listdir(tmp_path) == ["cache"]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        (OLD, {"dev", "old", "a+b"}),
        ({"dev": 1.0, "test": {}, "tuned": {"dev": 1.0, "test": {"x": 0.5}}}, {"dev", "x"}),
        ({"seed": 1, "before": {}, "tuned": {"dev": 0.1, "y": 0.2}, "kept": 3}, {"dev", "y"}),
        ({"system": "baseline", "dev": [1.0, 2.0], "z": [3.0], "selection": [4.0]}, {"dev", "z"}),
        ([1], {"dev"}),
        ("{", {"dev"}),
    ],
)
def test_histories_name_data_sets(tmp_path: Path, line: object, names: set[str]) -> None:
    assert results.data_sets(os.fspath(tmp_path)) == set()
    write(tmp_path, history=line)
    assert results.data_sets(os.fspath(tmp_path)) == names
    (tmp_path / HISTORY).write_text('{"test": {"w": 1.0}}\n{"te')
    assert results.data_sets(os.fspath(tmp_path)) == {"dev", "w"}


def test_a_folder_in_the_place_of_a_file_is_refused_before_anything_goes(tmp_path: Path) -> None:
    write(tmp_path, "old.out")
    for name in ("dev.out", "model/phrase-table.gz", INVENTORY):
        (tmp_path / name).mkdir(parents=True)
        with pytest.raises(DataError, match=f"{name}: cannot be written: Is a directory"):
            of(tmp_path, HISTORY, name).begin(lambda line: None)
    assert (tmp_path / "old.out").exists()


def test_a_link_to_an_inventory_is_in_its_place(tmp_path: Path) -> None:
    (tmp_path / INVENTORY).symlink_to(tmp_path)
    of(tmp_path, INVENTORY).refuse_folders()
