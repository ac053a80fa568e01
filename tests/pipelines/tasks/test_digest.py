"""Digests name what determines some bytes, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines.tasks import digest


def test_a_file_is_its_bytes_and_not_its_name(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"x" * 3_000_000)
    other.write_bytes(b"x" * 3_000_000)
    assert digest.of_path(os.fspath(one)) == digest.of_path(os.fspath(other))
    other.write_bytes(b"x" * 3_000_000 + b"y")
    assert digest.of_path(os.fspath(one)) != digest.of_path(os.fspath(other))


def test_a_folder_is_the_names_and_bytes_of_its_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name / "deep").mkdir(parents=True)
        (tmp_path / name / "deep" / "file").write_text("text")
    a, b = os.fspath(tmp_path / "a"), os.fspath(tmp_path / "b")
    assert digest.of_path(a) == digest.of_path(b)
    (tmp_path / "b" / "deep" / "file").rename(tmp_path / "b" / "file")
    assert digest.of_path(a) != digest.of_path(b)


def test_what_cannot_be_read_twice_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path / "absent"):
        with pytest.raises(DataError, match=path.name):
            digest.of_path(os.fspath(path))
