import argparse
from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.stages.tuning import tuning_set
from campanula.stages.tuning.tuning_set import TuningSet
from tests.examples import random_lists, write_kbest

QUIET = argparse.Namespace(quiet=True)


def test_a_stream_becomes_arrays(tmp_path):
    records, rows = random_lists(seed=17, n_lists=5)
    data = TuningSet.read(write_kbest(tmp_path / "dev.kbest", records), QUIET)
    assert data.sid.tolist() == [0, 1, 2, 3, 4]
    assert data.whole.gain.tolist() == [gain for kbest in rows for _, gain in kbest]
    assert np.allclose(data.whole.targets(4.0).cost, 4.0 * (1.0 - data.whole.gain))
    assert data.whole.stats is None
    assert data.signature == "test"


def test_lists_without_gains_or_none_at_all_are_refused(tmp_path):
    records, _ = random_lists(seed=17)
    bare = [replace(record, gain=None) for record in records]
    with pytest.raises(DataError, match=r"sentence 0.*score-bleu"):
        TuningSet.read(write_kbest(tmp_path / "bare.kbest", bare), QUIET)
    with pytest.raises(DataError, match="found none"):
        TuningSet.read(write_kbest(tmp_path / "empty.kbest", []), QUIET)


def test_streamed_parts_are_cut_at_lists_and_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(tuning_set, "PART_BYTES", 500)
    records, rows = random_lists(seed=18, n_lists=9)
    path = write_kbest(tmp_path / "dev.kbest", records)
    data, whole = TuningSet.read(path, QUIET, None, True), TuningSet.read(path, QUIET)
    for _ in range(2):
        parts = list(data.parts())
        assert len(parts) > 2
        assert [part.first for part in parts] == np.cumsum(
            [0, *(part.lists.n_lists for part in parts)]
        )[:-1].tolist()
        assert np.concatenate([part.gain for part in parts]).tolist() == whole.whole.gain.tolist()
    assert data.size.tolist() == [len(kbest) for kbest in rows]
    with pytest.raises(ValueError, match="streamed"):
        _ = data.whole


def test_lists_that_change_while_they_are_streamed_are_refused(tmp_path):
    records, _ = random_lists(seed=18, n_lists=9)
    path = write_kbest(tmp_path / "dev.kbest", records)
    data = TuningSet.read(path, QUIET, None, True)
    write_kbest(tmp_path / "dev.kbest", records[:5])
    with pytest.raises(DataError, match="changed"):
        list(data.parts())
