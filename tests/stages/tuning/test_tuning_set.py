import argparse
from dataclasses import replace

import numpy as np
import pytest

from formats.errors import DataError
from stages.tuning.tuning_set import TuningSet
from tests.examples import random_lists, write_kbest

QUIET = argparse.Namespace(quiet=True)


def test_a_stream_becomes_arrays(tmp_path):
    records, rows = random_lists(seed=17, n_lists=5)
    data = TuningSet.read(write_kbest(tmp_path / "dev.kbest", records), QUIET)
    assert data.sid.tolist() == [0, 1, 2, 3, 4]
    assert data.gain.tolist() == [gain for kbest in rows for _, gain in kbest]
    assert np.allclose(data.targets(4.0).cost, 4.0 * (1.0 - data.gain))
    assert data.stats is None
    assert data.signature == "test"


def test_lists_without_gains_or_none_at_all_are_refused(tmp_path):
    records, _ = random_lists(seed=17)
    bare = [replace(record, gain=None) for record in records]
    with pytest.raises(DataError, match=r"sentence 0.*score-bleu"):
        TuningSet.read(write_kbest(tmp_path / "bare.kbest", bare), QUIET)
    with pytest.raises(DataError, match="found none"):
        TuningSet.read(write_kbest(tmp_path / "empty.kbest", []), QUIET)
