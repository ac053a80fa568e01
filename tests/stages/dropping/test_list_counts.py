"""Features are counted by lists, not by hypotheses, and a pipe is copied to be read again."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.stages.dropping.list_counts import ListCounts, counted
from tests.examples import write_kbest

ROWS = (
    [{"dense": 1.0, "often": 1.0}, {"dense": 2.0, "once": 1.0}, {"dense": 0.0, "once": 1.0}],
    [{"dense": 1.0, "often": 3.0}, {"dense": 1.0}],
)


@pytest.fixture
def lists() -> list[KBest]:
    names = Names(["dense", "often", "once"])
    return [
        KBest(sid, Texts.of(["x"] * len(rows)), Features.of(rows, names), names)
        for sid, rows in enumerate(ROWS)
    ]


@pytest.mark.parametrize(
    ("min_count", "expected"),
    [(1, [True, True, True]), (2, [True, True, False]), (3, [True, False, False])],
)
def test_what_few_lists_have_goes_and_dense_features_stay(
    lists: list[KBest], min_count: int, expected: list[bool]
) -> None:
    counts = ListCounts()
    for kbest in lists:
        counts.add(kbest)
    assert counts.kept(3, min_count).tolist() == expected


def test_without_lists_all_names_of_an_inventory_stay() -> None:
    assert ListCounts().kept(3000, 2).tolist() == [True] * 3000


def test_a_file_is_read_again_and_a_pipe_is_copied(tmp_path: Path, lists: list[KBest]) -> None:
    path = write_kbest(tmp_path / "dev", lists)
    with ExitStack() as stack:
        again, stays = counted(path, 2, lambda records: records, stack)
        assert again == path
    read, write = os.pipe()
    os.write(write, Path(path).read_bytes())
    os.close(write)
    with ExitStack() as stack:
        copy, of_pipe = counted(f"/dev/fd/{read}", 2, lambda records: records, stack)
        assert Path(copy).read_bytes() == Path(path).read_bytes()
    os.close(read)
    assert not Path(copy).exists()
    assert np.array_equal(stays, of_pipe)
