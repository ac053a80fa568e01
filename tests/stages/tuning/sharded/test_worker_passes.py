"""Passes by workers, in any order and over any ranges: the bytes of one process."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.collections.collection import Collection
from campanula.formats.errors import DataError
from campanula.stages.tuning.losses import LOSSES
from campanula.stages.tuning.settings import TuneSettings
from campanula.stages.tuning.sharded.start import Start
from campanula.stages.tuning.sharded.worker_passes import (
    WorkerPasses,
    read_partial,
    write_partial,
)
from campanula.stages.tuning.tune import minimise_theta, objective_of
from campanula.stages.tuning.tune_inputs import TuneInputs
from tests.stages.engines.any_order import AnyOrder
from tests.stages.tuning.sharded import files

SIZES = (1, 7, 64, 1 << 22)


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    return files.write(tmp_path_factory.mktemp("lists"), shards=4)


@pytest.fixture
def given(paths):
    return TuneInputs(
        paths["coll"], paths["w0.stream"], cache=paths["cache"], inventory=paths["inv"]
    )


def passes_of(given, folder, size=1 << 22, seed=1):
    folder.mkdir()
    collection = Collection.open(given.lists)
    return WorkerPasses(AnyOrder(seed), os.fspath(folder), collection, given.cache_folder, (), size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("loss", ["expected-bleu", "bayes-risk", "ramp3"])
def test_value_and_gradient(given, tmp_path, loss, size):
    data = given.shards()
    start = Start.of(given, data.names, data.path)
    plan = TuneSettings(loss=loss, solver="rprop").plan(sharded=True)
    passes = passes_of(given, tmp_path / "work", size, seed=size)
    elsewhere = replace(data, passes=passes)
    ours = objective_of(data, plan, start.origin)
    theirs = objective_of(elsewhere, plan, start.origin)
    theta = start.weights.theta
    if LOSSES[loss].has_terms:
        ours, theirs = ours.impute(theta), theirs.impute(theta)
    for point in (theta, 0.5 * theta, np.zeros(len(theta))):
        assert theirs.value(point) == ours.value(point)
        found, expected = theirs.value_and_gradient(point), ours.value_and_gradient(point)
        assert found[0] == expected[0]
        assert found[1].tobytes() == expected[1].tobytes()
    left = [path.name for path in (tmp_path / "work").iterdir()]
    assert [name for name in left if not name.startswith("hopes-")] == []


@pytest.mark.parametrize(
    ("loss", "solver"), [("expected-bleu", "rprop"), ("bayes-risk", "lbfgs"), ("ramp3", "ssd")]
)
def test_weights(given, tmp_path, loss, solver):
    data = given.shards()
    start = Start.of(given, data.names, data.path)
    plan = TuneSettings(loss=loss, solver=solver).plan(sharded=True)
    found = []
    for passes in (None, passes_of(given, tmp_path / "work", 50)):
        whose = replace(data, passes=passes)
        found.append(minimise_theta(whose, start.weights.theta, start.origin, plan))
    assert found[0].history == found[1].history
    assert found[0].last.theta.tobytes() == found[1].last.theta.tobytes()


def stamps(folder):
    """When everything in a folder was written; reading changes a file's status, too."""
    return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in folder.rglob("*")}


def test_shards_are_packed_once(paths, tmp_path):
    cache = tmp_path / "cache"
    given = TuneInputs(
        paths["coll"], paths["w0.stream"], cache=os.fspath(cache), inventory=paths["inv"]
    )
    passes = passes_of(given, tmp_path / "work")
    passes.pack()
    assert list((tmp_path / "work").iterdir()) == []
    made = stamps(cache)
    assert len(list((cache / "shards").iterdir())) == 4
    given.shards()
    assert stamps(cache) == made


def test_scores_that_overflow_are_named(given, tmp_path):
    data = given.shards()
    start = Start.of(given, data.names, data.path)
    plan = TuneSettings(loss="bayes-risk", solver="rprop").plan(sharded=True)
    elsewhere = replace(data, passes=passes_of(given, tmp_path / "work"))
    theta = np.full(len(data.names), 1e308)
    said = []
    for whose in (data, elsewhere):
        with pytest.raises(DataError, match="numbers too large") as caught:
            objective_of(whose, plan, start.origin).value(theta)
        said.append(str(caught.value))
    assert said[0] == said[1]


def test_partials_are_read_as_they_were_written(tmp_path):
    path = os.fspath(tmp_path / "partial")
    rng = np.random.default_rng(1)
    for n in (0, 1, 5):
        value, ids, sums = rng.normal(size=2), np.arange(n, dtype=np.int32), rng.normal(size=n)
        write_partial(path, value, ids, sums)
        found = read_partial(path)
        assert [part.tolist() for part in found] == [value.tolist(), ids.tolist(), sums.tolist()]
