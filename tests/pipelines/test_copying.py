"""Copies have the bytes of the file, whatever their name ends in."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines.copying import copy


@pytest.mark.parametrize("name", ["weights", "table.gz"])
def test_a_copy_has_the_same_bytes(tmp_path: Path, name: str) -> None:
    data = bytes(range(256)) * 10_000  # more than one chunk
    (tmp_path / "source").write_bytes(data)
    (tmp_path / name).write_text("what was there before")
    copy(os.fspath(tmp_path / "source"), os.fspath(tmp_path / name))
    assert (tmp_path / name).read_bytes() == data
    assert sorted(os.listdir(tmp_path)) == sorted(["source", name])


def test_a_copy_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "source").write_text("text")
    with pytest.raises(DataError, match="cannot be written"):
        copy(os.fspath(tmp_path / "source"), os.fspath(tmp_path / "none" / "copy"))
