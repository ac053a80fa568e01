"""The places of a run's results."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines.results import INVENTORY, outputs, refuse_folders


def test_outputs_are_called_as_their_data_sets() -> None:
    assert outputs(["dev", "x"]) == {"dev.out", "x.out"}


@pytest.mark.parametrize("name", ["dev.out", "model/phrase-table.gz", INVENTORY])
def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path: Path, name: str) -> None:
    refuse_folders(os.fspath(tmp_path), ["weights", name])
    (tmp_path / name).mkdir(parents=True)
    with pytest.raises(DataError, match=f"{name}: cannot be written: Is a directory"):
        refuse_folders(os.fspath(tmp_path), ["weights", name])


def test_a_link_to_an_inventory_is_in_its_place(tmp_path: Path) -> None:
    (tmp_path / INVENTORY).symlink_to(tmp_path)
    refuse_folders(os.fspath(tmp_path), [INVENTORY])
    (tmp_path / "weights").symlink_to(tmp_path)
    with pytest.raises(DataError, match="weights: cannot be written: Is a directory"):
        refuse_folders(os.fspath(tmp_path), [INVENTORY, "weights"])
