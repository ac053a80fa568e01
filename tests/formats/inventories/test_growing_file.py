"""What is written to a growing file is there, and nothing behind it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.inventories.growing_file import GrowingFile


def test_it_grows_and_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "f"
    file = GrowingFile(str(path), "<i8", 0)
    for k in range(0, 100_000, 1000):
        file.reserve(k + 1000)
        file.array[k : k + 1000] = np.arange(k, k + 1000)
    file.flush()
    file.close(99_999)
    assert np.array_equal(np.fromfile(path, "<i8"), np.arange(99_999))


def test_what_a_killed_run_left_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "f"
    np.arange(5).tofile(path)
    file = GrowingFile(str(path), "<i8", 3)
    assert file.array[:4].tolist() == [0, 1, 2, 0]
    file.close(3)
    with pytest.raises(DataError, match="damaged: expected 32 bytes, found 24"):
        GrowingFile(str(path), "<i8", 4)


def test_a_full_disk_is_said_before_it_is_mapped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: int) -> None:
        raise OSError(28, "No space left on device")

    file = GrowingFile(str(tmp_path / "f"), "<i8", 0)
    monkeypatch.setattr("os.posix_fallocate", full)
    with pytest.raises(DataError, match="f: cannot be written: No space left"):
        file.reserve(1 << 20)
    file.close(0)
    assert (tmp_path / "f").read_bytes() == b""


def test_without_fallocate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.posix_fallocate")
    file = GrowingFile(str(tmp_path / "f"), "<i8", 0)
    file.reserve(100_000)
    file.array[99_999] = 7
    file.close(100_000)
    assert (tmp_path / "f").stat().st_size == 800_000
