"""A model.json that is written is read back."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from campanula.formats.model.files import LanguageModelFile, ModelFiles, ReorderingTable
from campanula.formats.model.folder import read_model_folder
from campanula.formats.model.folder_writer import write_model_folder


def files_in(folder: Path) -> ModelFiles:
    path = {name: os.fspath(folder / name) for name in ("t", "r", "h", "lm", "clm", "map", "d")}
    return ModelFiles(
        path["t"],
        (ReorderingTable(path["r"]), ReorderingTable(path["h"], "hierarchical")),
        (LanguageModelFile(path["lm"]), LanguageModelFile(path["clm"], path["map"])),
        ("LM0", "LM1"),
        path["d"],
    )


@pytest.mark.parametrize("n", [0, 1, 2])
def test_round_trip(tmp_path: Path, n: int) -> None:
    files = files_in(tmp_path)
    files = replace(files, reordering_tables=files.reordering_tables[:n], lms=files.lms[:n])
    if not n:
        files = replace(files, features=None, distortion_table=None)
    folder = tmp_path / "below" / "model"
    folder.mkdir(parents=True)
    write_model_folder(os.fspath(folder), files)
    found = read_model_folder(os.fspath(folder))
    kinds = [
        [None if path is None else os.path.realpath(path) for path in kind]
        for kind in found.paths()
    ]
    assert kinds == files.paths()
    orientations = [table.orientation for table in files.reordering_tables]
    assert [table.orientation for table in found.reordering_tables] == orientations
    assert found.features == files.features
    content = json.loads((folder / "model.json").read_text())
    if n == 1:
        assert (content["lm"], content["reordering-table"]) == ("../../lm", "../../r")
