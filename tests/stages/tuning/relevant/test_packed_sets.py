import numpy as np
import pytest

from campanula.stages.kernels.relevant.records import Sets
from campanula.stages.tuning.relevant import packed_sets
from campanula.stages.tuning.relevant.packed_sets import COUNTED_BY, SetPacking, pack_sets
from campanula.stages.tuning.relevant.set_of_lists import SetOfLists
from tests.stages.tuning.relevant.random_sets import random_sets, records_of


def sets_of(seed):
    sets = random_sets(seed, n_sentences=9, binary=False)
    return [SetOfLists.of(records_of(one), "set") for one in sets]


def test_every_array_is_counted():
    assert tuple(COUNTED_BY) == Sets._fields


@pytest.mark.parametrize("block", [2, 4096])
def test_sets_in_scratch_are_those_in_memory(tmp_path, monkeypatch, block):
    monkeypatch.setattr(packed_sets, "BLOCK", block)
    expected = pack_sets(sets_of(1), SetPacking())
    n_bytes = sum(array.nbytes for array in expected.sets)
    for memory, in_blocks in ((n_bytes, False), (n_bytes - 1, True), (0, True)):
        found = pack_sets(sets_of(1), SetPacking(memory=memory, scratch=str(tmp_path)))
        assert found.in_blocks == in_blocks
        assert found.counts == expected.counts
        for one, other in zip(found.sets, expected.sets, strict=True):
            assert one.dtype == other.dtype
            assert one.tolist() == other.tolist()
        found.fetch(2, 5)
    assert list(tmp_path.iterdir()) == []


def test_the_first_set_may_be_of_truths():
    first = sets_of(2)
    assert pack_sets(first, SetPacking()).sets.truths.tolist() == [0] * 9
    assert pack_sets(first, SetPacking(with_truth=True)).sets.truths.tolist() == [1] * 9
    kept = np.zeros(40, np.bool_)
    assert pack_sets(first, SetPacking(kept=kept)).counts.entries == 0
