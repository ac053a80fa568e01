from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.hope import Hope
from campanula.formats.stream import Writer
from campanula.stages.tuning.hopes import Hopes
from campanula.stages.tuning.tuning_set import TuningSet
from tests.examples import random_lists, write_kbest


@pytest.fixture
def data(tmp_path):
    records, _ = random_lists(seed=13, n_lists=4)
    return TuningSet.read(write_kbest(tmp_path / "dev.kbest", records))


def write_hopes(path, data, sizes=None, sids=range(4)):
    sizes = data.size if sizes is None else sizes
    with Writer(str(path), Hope, "test") as out:
        for sid, size in zip(sids, sizes, strict=False):
            out.write(Hope(sid, int(size), np.array([size - 1]), np.array([1.0])))
    return str(path)


def test_hopes_are_read_as_shares_and_back(tmp_path, data):
    hopes = Hopes.read(write_hopes(tmp_path / "hope", data), data)
    pointer = data.whole.lists.list_pointer
    share = hopes.share(pointer)
    assert np.flatnonzero(share).tolist() == (pointer[1:] - 1).tolist()
    again = Hopes.of([(pointer, share)])
    assert again.pointer.tolist() == hopes.pointer.tolist() == [0, 1, 2, 3, 4]
    assert again.place.tolist() == hopes.place.tolist() == (data.size - 1).tolist()
    assert again.weight.tolist() == hopes.weight.tolist() == [1.0] * 4


def test_hopes_of_chunks_are_those_of_the_whole():
    pointer = np.array([0, 2, 5, 6])
    share = np.array([0.25, 0.75, 0.0, 1.0, 0.0, 0.0])
    halves = [(pointer[:2], share[:2]), (pointer[1:] - 2, share[2:])]
    hopes, joined = Hopes.of([(pointer, share)]), Hopes.of(halves)
    assert joined.pointer.tolist() == hopes.pointer.tolist() == [0, 2, 3, 3]
    assert joined.place.tolist() == hopes.place.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("sids", "problem"),
    [
        ([0, 1, 2], "hope: expected 4 sentences as in .*, found 3"),
        ([0, 1, 3], "hope: sentence 3: expected sentence 2 of .*, found sentence 3"),
        ([0, 1, 2, 3, 4], "hope: sentence 4: expected 4 sentences as in .*, found more"),
    ],
)
def test_other_sentences_are_refused(tmp_path, data, sids, problem):
    sizes = [*data.size, 2]
    path = write_hopes(tmp_path / "hope", data, sizes, sids)
    with pytest.raises(DataError, match=problem):
        Hopes.read(path, data)


def test_other_sizes_are_refused(tmp_path, data):
    path = write_hopes(tmp_path / "hope", data, data.size + 1)
    size = int(data.size[0])
    problem = f"expected sentence 0 of {size} hypotheses .* found sentence 0 of {size + 1}"
    with pytest.raises(DataError, match=problem):
        Hopes.read(path, data)


def test_hopes_in_memory_are_those_of_a_stream(data, tmp_path):
    records = [
        Hope(int(sid), int(size), np.array([0], np.int64), np.ones(1))
        for sid, size in zip(data.sid, data.size, strict=True)
    ]
    with Writer(str(tmp_path / "hopes"), Hope, "test") as out:
        for record in records:
            out.write(record)
    read, made = Hopes.read(str(tmp_path / "hopes"), data), Hopes.of_records(records, data)
    assert read.pointer.tolist() == made.pointer.tolist() == [0, 1, 2, 3, 4]
    assert read.place.tolist() == made.place.tolist()
    with pytest.raises(DataError, match="hopes: expected 4 sentences"):
        Hopes.of_records(records[:3], data)


@pytest.mark.parametrize(("name", "found"), [("u9", "'u9'"), (None, "no id")])
def test_hopes_of_other_ids_are_refused(tmp_path, name, found):
    records = [replace(kbest, id=f"u{kbest.sid}") for kbest in random_lists(1, n_lists=2)[0]]
    of_file = TuningSet.read(write_kbest(tmp_path / "dev.kbest", records))
    for data in (of_file, TuningSet.of(records)):
        hopes = [
            Hope(kbest.sid, len(kbest), np.array([0], np.int64), np.ones(1), kbest.id)
            for kbest in records
        ]
        assert len(Hopes.of_records(hopes, data).place) == 2
        hopes[1] = replace(hopes[1], id=name)
        with pytest.raises(DataError, match=f"sentence 1: expected the id .* found {found}"):
            Hopes.of_records(hopes, data)
