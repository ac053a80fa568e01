"""Classes of blocks: the same types in the same order, within a span."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.oracle import classes as oracle_classes


def flat(parts: list[Ints]) -> tuple[Ids, Ints]:
    end = np.cumsum([0, *map(len, parts)])
    return np.concatenate([np.zeros(0), *parts]).astype(np.int32), end


def test_classes_gather_equal_sequences_of_a_span_alone() -> None:
    count = np.array([[3, 2], [1, 0]], np.int32)
    parts = [[0, -1], [1], [0, -1], [], [1], [1]]
    word, end = flat([np.array(part) for part in parts])
    found = oracle_classes.classes_of(count, np.arange(10, 16, dtype=np.int32), word, end)
    assert found.n_classes.tolist() == [[2, 2], [1, 0]]
    assert found.first.tolist() == [[0, 2], [4, 5]]
    members = [
        found.member[a:b].tolist()
        for a, b in zip(found.member_start[:-1], found.member_start[1:], strict=True)
    ]
    assert members == [[10, 12], [11], [13], [14], [15]]
    assert found.word.tolist() == [0, -1, 1, 1, 1]
