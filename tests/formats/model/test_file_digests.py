"""Digests of files: those of large ones are kept, and never count for what has changed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import xxhash

from campanula.formats.errors import DataError
from campanula.formats.model import file_digests
from campanula.formats.model.file_digests import file_digest

LONG_AGO = 10**9  # seconds


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A file that counts as large, last changed long ago, and the folder of kept digests."""
    monkeypatch.setattr(file_digests, "LARGE", 4)
    monkeypatch.setattr(file_digests, "UNSURE", -(10**9))  # the inode has been changed just now
    path = tmp_path / "table"
    path.write_bytes(b"one two")
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path, tmp_path / "digests"


def fresh(path: Path) -> bytes:
    return xxhash.xxh3_128(path.read_bytes()).digest()


def test_what_is_kept_is_not_read_again(
    large: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, kept = large
    assert file_digest(str(path), str(kept.parent)) == fresh(path)
    [file] = os.listdir(kept)
    monkeypatch.setattr(file_digests, "_read", lambda path: b"read")
    assert file_digest(str(path), str(kept.parent)) == fresh(path)
    (kept / file).write_text("damaged")
    assert file_digest(str(path), str(kept.parent)) == b"read"


@pytest.mark.parametrize("place", range(1, 6))
def test_any_other_state_is_another_file(large: tuple[Path, Path], place: int) -> None:
    path, kept = large
    file_digest(str(path), str(kept.parent))
    [file] = os.listdir(kept)
    content = json.loads((kept / file).read_text())
    content[place] += 1
    content[-1] = "00" * 16
    (kept / file).write_text(json.dumps(content))
    assert file_digest(str(path), str(kept.parent)) == fresh(path)


def test_a_changed_file_has_another_digest(large: tuple[Path, Path]) -> None:
    path, kept = large
    before = file_digest(str(path), str(kept.parent))
    path.write_bytes(b"two one")  # as many bytes, and the same time
    os.utime(path, (LONG_AGO, LONG_AGO))
    assert file_digest(str(path), str(kept.parent)) == fresh(path) != before
    os.replace(path, path.with_name("other"))
    path.write_bytes(b"one two")
    assert file_digest(str(path), str(kept.parent)) == before


def test_a_file_that_was_changed_just_now_is_not_trusted(
    large: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, kept = large
    monkeypatch.setattr(file_digests, "UNSURE", 3 * 10**9)
    assert file_digest(str(path), str(kept.parent)) == fresh(path)
    assert not kept.exists()


def test_small_files_and_folders_that_cannot_be_written(
    large: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, kept = large
    assert file_digest(str(path), str(path / "none")) == fresh(path)
    monkeypatch.setattr(file_digests, "LARGE", 1000)
    assert file_digest(str(path), str(kept.parent)) == fresh(path)
    assert not kept.exists()
    with pytest.raises(DataError, match="cannot be read"):
        file_digest(str(tmp_path / "none"), str(kept.parent))
