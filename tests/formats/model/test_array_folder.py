"""Arrays in a folder: what is written is read back, or nothing is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from campanula.formats.model.array_folder import DamagedEntry, read_arrays, write_arrays

TYPES = st.sampled_from([np.int32, np.int64, np.float32, np.uint8])
ARRAYS = hnp.arrays(TYPES, hnp.array_shapes(min_dims=0, max_dims=2, min_side=0))


@given(arrays=st.dictionaries(st.sampled_from("abc"), ARRAYS, min_size=1))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, arrays: dict[str, NDArray[np.generic]]
) -> None:
    folder = tmp_path_factory.mktemp("cache") / "entry"
    assert write_arrays(arrays, str(folder)) is arrays
    found = read_arrays(str(folder))
    assert found is not None
    assert sorted(found) == sorted(arrays)
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype


def test_arrays_can_be_written_to_and_the_files_stay(tmp_path: Path) -> None:
    folder = str(tmp_path / "entry")
    write_arrays({"a": np.zeros(3)}, folder)
    found = read_arrays(folder)
    assert found is not None
    found["a"][0] = 1.0
    again = read_arrays(folder)
    assert again is not None
    assert again["a"].tolist() == [0.0, 0.0, 0.0]


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda entry: (entry / "b.npy").write_bytes(b""), "b.npy: expected 144 bytes, found 0"),
        (lambda entry: (entry / "b.npy").unlink(), "b.npy is missing"),
        (lambda entry: (entry / "seal").unlink(), "seal is missing"),
        (lambda entry: flip(entry / "b.npy"), "b.npy: the checksum does not fit"),
        (lambda entry: flip(entry / "seal"), "seal does not fit"),
        (lambda entry: np.save(entry / "c.npy", np.ones(2)), "c.npy is no part of it"),
        (lambda entry: (entry / "a.npy").rename(entry / "b.npy"), "a.npy is missing"),
        (lambda entry: entry.chmod(0o777), "entry may be written to by others"),
        (lambda entry: os.chown(entry / "a.npy", 12345, -1), "a.npy is another user's"),
        (lambda entry: link(entry / "a.npy"), "a.npy is a link"),
    ],
)
def test_a_damaged_entry_is_refused_and_written_over(
    tmp_path: Path, damage: Callable[[Path], object], words: str
) -> None:
    folder = tmp_path / "entry"
    write_arrays({"a": np.zeros(3), "b": np.ones(2)}, str(folder))
    try:
        damage(folder)
    except PermissionError:
        pytest.skip("needs another user")
    with pytest.raises(DamagedEntry, match=words):
        read_arrays(str(folder))
    write_arrays({"a": np.ones(1)}, str(folder))
    found = read_arrays(str(folder))
    assert found is not None
    assert {name: array.tolist() for name, array in found.items()} == {"a": [1]}
    assert os.listdir(tmp_path) == ["entry"]


def link(path: Path) -> None:
    path.unlink()
    path.symlink_to(os.devnull)


def test_the_entry_of_another_model_is_not_its_own(tmp_path: Path) -> None:
    write_arrays({"a": np.zeros(3)}, str(tmp_path / "one"))
    (tmp_path / "one").rename(tmp_path / "two")
    with pytest.raises(DamagedEntry, match="seal does not fit"):
        read_arrays(str(tmp_path / "two"))


def test_what_killed_processes_have_left_goes_after_a_day(tmp_path: Path) -> None:
    for name in (".old.1.tmp", ".new.1.tmp"):
        (tmp_path / name).mkdir()
    os.utime(tmp_path / ".old.1.tmp", (0, 0))
    write_arrays({"a": np.zeros(3)}, str(tmp_path / "entry"))
    assert sorted(os.listdir(tmp_path)) == [".new.1.tmp", "entry"]


def test_without_a_place_there_is_no_entry(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folder = str(tmp_path / "file" / "entry")
    assert list(write_arrays({"a": np.zeros(1)}, folder)) == ["a"]
    assert read_arrays(folder) is None
