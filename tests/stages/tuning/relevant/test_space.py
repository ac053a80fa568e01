import errno
import os

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.stages.tuning.relevant.space import Memory, Scratch


def test_scratch_holds_what_memory_holds(tmp_path):
    spaces = Memory(), Scratch(str(tmp_path / "scratch"))
    arrays = [[space.array(5, np.int64), space.array(7, np.uint16)] for space in spaces]
    for space, (one, other) in zip(spaces, arrays, strict=True):
        space.reserve([40, 14])
        one[:] = np.arange(5)
        other[:] = 3
        space.close()
        space.fetch([(8, 40), (0, 0)])
    for one, other in zip(*arrays, strict=True):
        assert one.dtype == other.dtype
        assert one.tolist() == other.tolist()
        assert other.flags.writeable
    assert list((tmp_path / "scratch").iterdir()) == []


def test_a_system_without_fallocate_writes_zeros(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "posix_fallocate")
    space = Scratch(str(tmp_path))
    array = space.array(300_000, np.int64)
    space.reserve([16])
    array[:2] = 7
    space.reserve([2_400_000])
    space.close()
    assert array[:3].tolist() == [7, 7, 0]
    assert not array[2:].any()


def test_arrays_of_no_entries_have_a_place_too(tmp_path):
    space = Scratch(str(tmp_path))
    assert space.array(0, np.float64).shape == (0,)
    space.close()


def test_a_disk_that_is_full_is_one_line(tmp_path, monkeypatch):
    space = Scratch(str(tmp_path))
    space.array(5, np.int64)

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(DataError, match="No space left"):
        space.reserve([40])
    space.close()


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="file"):
        Scratch(str(tmp_path / "file" / "scratch"))
