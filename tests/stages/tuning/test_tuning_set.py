from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.stages.kernels.lists.scores import score_lists
from campanula.stages.metrics.table import metric_named
from campanula.stages.tuning import tuning_set
from campanula.stages.tuning.tuning_set import TuningSet
from tests.examples import random_lists, write_kbest


def test_a_stream_becomes_arrays(tmp_path):
    records, rows = random_lists(seed=17, n_lists=5)
    data = TuningSet.read(write_kbest(tmp_path / "dev.kbest", records))
    assert data.sid.tolist() == [0, 1, 2, 3, 4]
    assert data.whole.gain.tolist() == [gain for kbest in rows for _, gain in kbest]
    assert np.allclose(data.whole.targets(4.0).cost, 4.0 * (1.0 - data.whole.gain))
    assert data.whole.stats is None


def test_lists_without_gains_or_none_at_all_are_refused(tmp_path):
    records, _ = random_lists(seed=17)
    bare = [replace(record, gain=None) for record in records]
    with pytest.raises(DataError, match=r"sentence 0.*score-bleu"):
        TuningSet.read(write_kbest(tmp_path / "bare.kbest", bare))
    with pytest.raises(DataError, match="found none"):
        TuningSet.read(write_kbest(tmp_path / "empty.kbest", []))


def test_lists_in_memory_are_what_their_stream_is(tmp_path):
    records, _ = random_lists(seed=17, n_lists=5)
    read = TuningSet.read(write_kbest(tmp_path / "dev.kbest", records))
    data = TuningSet.of(iter(records))
    assert (data.sid.tolist(), data.size.tolist()) == (read.sid.tolist(), read.size.tolist())
    assert list(data.names) == list(read.names)
    for name, one in data.whole.lists._asdict().items():
        assert np.array_equal(one, getattr(read.whole.lists, name))
    assert np.array_equal(data.whole.gain, read.whole.gain)


def test_lists_made_apart_come_into_one_space():
    names = Names(["b", "a"]), Names(["a", "c"])
    rows = [{"a": 1.0, "b": 2.0}, {"b": 3.0}], [{"c": 4.0}, {"a": 5.0}]
    records = [
        KBest(sid, Texts.of(["x", "y"]), Features.of(row, own), own, gain=np.zeros(2))
        for sid, (row, own) in enumerate(zip(rows, names, strict=True))
    ]
    data = TuningSet.of(records)
    theta = np.array([{"a": 1.0, "b": 10.0, "c": 100.0}[name] for name in data.names])
    assert score_lists(data.whole.lists, theta).tolist() == [21.0, 30.0, 400.0, 5.0]
    assert list(names[0]) == ["b", "a"]


def test_lists_in_memory_have_the_metric_that_is_said():
    records = [
        replace(record, stats=np.zeros((len(record), 2), np.int64))
        for record in random_lists(seed=17)[0]
    ]
    assert TuningSet.of(records, metric=metric_named("wer")).metric.name == "wer"
    with pytest.raises(DataError, match="expected the metric of the statistics"):
        _ = TuningSet.of(records).metric
    with pytest.raises(DataError, match="expected statistics of a metric"):
        _ = TuningSet.of(random_lists(seed=17)[0]).metric
    with pytest.raises(DataError, match="mine: expected k-best lists, found none"):
        TuningSet.of([], source="mine")


def test_streamed_chunks_are_cut_at_lists_and_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(tuning_set, "CHUNK_BYTES", 1500)
    records, rows = random_lists(seed=18, n_lists=9)
    path = write_kbest(tmp_path / "dev.kbest", records)
    data, whole = TuningSet.read(path, stream=True), TuningSet.read(path)
    for _ in range(2):
        first, gain = [0], []
        for chunk in data.chunks():
            assert chunk.first == first[-1]
            first.append(first[-1] + chunk.lists.n_lists)
            gain += chunk.gain.tolist()
        assert len(first) > 3
        assert gain == whole.whole.gain.tolist()
    assert data.size.tolist() == [len(kbest) for kbest in rows]
    with pytest.raises(ValueError, match="streamed"):
        _ = data.whole


def test_streamed_lists_that_are_one_chunk_are_kept_from_the_first_pass_on(tmp_path):
    path = write_kbest(tmp_path / "dev.kbest", random_lists(seed=18, n_lists=9)[0])
    data, whole = TuningSet.read(path, stream=True), TuningSet.read(path)
    (first,) = data.chunks()
    (tmp_path / "dev.kbest").unlink()
    (chunk,) = data.chunks()
    assert chunk is first
    assert chunk.gain.tolist() == whole.whole.gain.tolist()
    assert chunk.lists.list_pointer.tolist() == whole.whole.lists.list_pointer.tolist()


def test_lists_that_change_while_they_are_streamed_are_refused(tmp_path):
    records, _ = random_lists(seed=18, n_lists=9)
    path = write_kbest(tmp_path / "dev.kbest", records)
    data = TuningSet.read(path, stream=True)
    write_kbest(tmp_path / "dev.kbest", records[:5])
    with pytest.raises(DataError, match="changed"):
        list(data.chunks())
