"""Digests name what determines some bytes, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import campanula
from campanula.formats.errors import DataError
from campanula.pipelines import digest


def test_values_are_kept_apart() -> None:
    assert digest.of("ab", "c") != digest.of("a", "bc")
    assert digest.of("1") != digest.of(1)
    assert digest.of("x", ["y"]) == digest.of("x", ["y"])


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


def test_the_program_has_one_digest() -> None:
    anew = digest.of_program.__wrapped__
    assert anew() == anew() == digest.of_program()
    assert len(anew()) == 2 * digest.SIZE


def test_the_program_is_its_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    anew = digest.of_program.__wrapped__
    monkeypatch.setattr(campanula, "__path__", [os.fspath(tmp_path)])
    found = [anew()]
    for name in ("cli.py", "formats/a.py", "stages/deep/b.py", "pipelines/c.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
        found.append(anew())
        (tmp_path / name).write_text("1\n")
        found.append(anew())
    assert len({*found}) == 9
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "d.py").write_text("")
    assert anew() == found[-1]
