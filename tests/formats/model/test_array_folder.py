"""Arrays in a folder: what is written is read back, or nothing is."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from campanula.formats.model.array_folder import read_arrays, write_arrays

TYPES = st.sampled_from([np.int32, np.int64, np.float32, np.uint8])
ARRAYS = hnp.arrays(TYPES, hnp.array_shapes(min_dims=0, max_dims=2, min_side=0))


@given(arrays=st.dictionaries(st.sampled_from("abc"), ARRAYS, min_size=1))
def test_what_is_written_is_read_back(tmp_path_factory, arrays):
    folder = tmp_path_factory.mktemp("cache") / "entry"
    assert write_arrays(arrays, str(folder)) is arrays
    found = read_arrays(str(folder))
    assert found is not None
    assert sorted(found) == sorted(arrays)
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype


def test_arrays_can_be_written_to_and_the_files_stay(tmp_path):
    folder = str(tmp_path / "entry")
    write_arrays({"a": np.zeros(3)}, folder)
    found = read_arrays(folder)
    found["a"][0] = 1.0
    assert read_arrays(folder)["a"].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("damage", [b"", b"damaged"])
def test_a_damaged_entry_is_none_and_is_written_over(tmp_path, damage):
    folder = tmp_path / "entry"
    write_arrays({"a": np.zeros(3), "b": np.ones(2)}, str(folder))
    (folder / "b.npy").write_bytes(damage)
    assert read_arrays(str(folder)) is None
    write_arrays({"a": np.ones(1)}, str(folder))
    assert {name: array.tolist() for name, array in read_arrays(str(folder)).items()} == {"a": [1]}
    assert os.listdir(tmp_path) == ["entry"]


def test_without_a_place_there_is_no_entry(tmp_path):
    (tmp_path / "file").write_text("")
    folder = str(tmp_path / "file" / "entry")
    assert list(write_arrays({"a": np.zeros(1)}, folder)) == ["a"]
    assert read_arrays(folder) is None
