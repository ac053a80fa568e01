"""Seals: whatever happens to a file of a result, its seal does not fit."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from campanula.formats import seal


@pytest.fixture
def result(tmp_path: Path) -> tuple[str, list[str]]:
    """Paths of seal and files."""
    paths = [str(tmp_path / name) for name in ("one.kbest", "one.json")]
    for path in paths:
        with open(path, "wb") as file:
            file.write(os.urandom(100))
    seal.write(str(tmp_path / "one.seal"), "one", paths)
    return str(tmp_path / "one.seal"), paths


def test_what_is_as_it_was_fits(result: tuple[str, list[str]]) -> None:
    sealed, paths = result
    assert seal.fault(sealed, "one", paths) is None


def test_every_flipped_bit_and_every_cut_is_noticed(result: tuple[str, list[str]]) -> None:
    sealed, paths = result
    for path in (sealed, *paths):
        with open(path, "rb") as file:
            whole = file.read()
        damaged = [whole[:cut] for cut in range(len(whole))] + [whole + b"\n"]
        for place in random.Random(1).sample(range(8 * len(whole)), 200):
            at, bit = divmod(place, 8)
            damaged.append(whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :])
        for data in damaged:
            with open(path, "wb") as file:
                file.write(data)
            assert seal.fault(sealed, "one", paths) is not None
        with open(path, "wb") as file:
            file.write(whole)


def test_what_is_wrong_is_said(result: tuple[str, list[str]]) -> None:
    sealed, (kbest, json) = result
    assert seal.fault(sealed, "two", [kbest, json]) == "one.seal does not fit"
    assert seal.fault(sealed, "one", [kbest]) == "one.json is missing"
    os.truncate(json, 50)
    assert seal.fault(sealed, "one", [kbest, json]) == "one.json: expected 100 bytes, found 50"
    os.unlink(json)
    fault = seal.fault(sealed, "one", [kbest, json])
    assert fault == "one.json cannot be read: No such file or directory"
    os.unlink(sealed)
    with pytest.raises(FileNotFoundError):
        seal.fault(sealed, "one", [kbest, json])


def test_sizes_alone_are_compared_where_that_is_asked_for(result: tuple[str, list[str]]) -> None:
    sealed, paths = result
    assert seal.fault(sealed, "one", paths, seal.size_of) is None
    with open(paths[0], "r+b") as file:
        file.write(b"x")
    assert seal.fault(sealed, "one", paths, seal.size_of) is None
    with open(paths[0], "ab") as file:
        file.write(b"x")
    assert "expected 100 bytes, found 101" in str(seal.fault(sealed, "one", paths, seal.size_of))


def test_a_folder_is_sealed_with_all_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "one.kbest"
    folder.mkdir()
    (folder / "a").write_bytes(b"12")
    (folder / "b").write_bytes(b"345")
    sealed, paths = str(tmp_path / "one.seal"), [str(folder)]
    seal.write(sealed, "one", paths)
    assert seal.fault(sealed, "one", paths) is None
    assert seal.size_of(str(folder)) == (None, 5)
    assert seal.fault(sealed, "one", paths, seal.size_of) is None
    (folder / "a").write_bytes(b"13")
    assert seal.fault(sealed, "one", paths) == "one.kbest: the checksum does not fit"
    (folder / "a").rename(folder / "c")
    assert seal.fault(sealed, "one", paths) == "one.kbest: the checksum does not fit"
    (folder / "b").unlink()
    assert seal.fault(sealed, "one", paths) == "one.kbest: expected 5 bytes, found 2"
    (folder / "c").unlink()
    folder.rmdir()
    assert "one.kbest cannot be read" in str(seal.fault(sealed, "one", paths))
