"""Paths of outputs: open files by several names, and what can be replaced."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.formats.output_paths import descriptor_of, is_one_file, is_replaceable


@pytest.mark.parametrize(
    ("path", "number"),
    [
        (None, 1),
        ("-", 1),
        ("/dev/stdout", 1),
        ("/dev/fd/1", 1),
        ("/proc/self/fd/7", 7),
        ("/dev//stderr", 2),
        ("/dev/null", None),
        ("stdout", None),
    ],
)
def test_a_path_may_name_an_open_file(path: str | None, number: int | None) -> None:
    assert descriptor_of(path) == number


def test_two_outputs_are_one_file_whatever_they_are_called(tmp_path: Path) -> None:
    path = str(tmp_path / "x")
    assert is_one_file(path, str(tmp_path / "y" / ".." / "x"))
    assert is_one_file(None, "/dev/stdout")
    assert is_one_file("-", None)
    assert not is_one_file(None, path)
    assert not is_one_file(path, str(tmp_path / "y"))
    assert not is_one_file("/dev/null", "/dev/null")


def test_a_file_or_a_new_name_can_be_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    os.mkfifo(tmp_path / "pipe")
    os.symlink(tmp_path / "file", tmp_path / "link")
    replaceable = {name: is_replaceable(str(tmp_path / name)) for name in os.listdir(tmp_path)}
    assert replaceable == {"file": True, "pipe": False, "link": True}
    assert is_replaceable(str(tmp_path / "new"))
    assert not any(map(is_replaceable, [None, "-", "/dev/stdout", "/dev/null", str(tmp_path)]))
