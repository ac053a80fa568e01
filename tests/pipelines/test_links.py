"""Links from the folder of a run to its cache."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines.links import link


def test_a_link_is_relative_and_may_be_there(tmp_path: Path) -> None:
    for target in ("model", "other", "other"):
        link(os.fspath(tmp_path / target), os.fspath(tmp_path / "link"))
        assert os.readlink(tmp_path / "link") == target
    assert os.listdir(tmp_path) == ["link"]


def test_a_link_is_not_put_in_the_place_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "features").mkdir()
    with pytest.raises(DataError, match="features: cannot be written: Is a directory"):
        link(os.fspath(tmp_path / "other"), os.fspath(tmp_path / "features"))
    assert os.listdir(tmp_path) == ["features"]
