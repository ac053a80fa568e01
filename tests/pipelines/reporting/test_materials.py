"""Materials: the first run before tuning, all runs after it, the texts that each keeps."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines.comparing.compared_run import ComparedRun
from campanula.pipelines.reporting.materials import UNTUNED, gathered, kept_place
from campanula.stages.command import UsageError
from tests.pipelines.reporting.runs import folder, materials, run


def test_systems_and_sets() -> None:
    found = materials("mert", "rampion")
    assert [one.name for one in found.sets] == ["dev", "test"]
    assert [one.name for one in found.tests] == ["test"]
    assert found.sets[0].systems == [UNTUNED, "mert", "rampion"]
    assert [len(files) for files in found.sets[0].lines.values()] == [1, 2, 1]
    assert [c.metric for c in found.sets[0].comparisons] == ["BLEU", "chrF2", "TER"]


def test_texts_gains_and_statistics_are_those_that_the_run_keeps() -> None:
    (dev, _) = materials("mert", "rampion").sets
    assert list(dev.texts("mert")) == (folder() / "mert" / "dev.out").read_text().splitlines()
    own = kept_place(run("mert"))
    stats = dev.stats()
    assert [s.shape[1] for s in stats] == [1, 2, 1]
    metric = dev.scored[0].metric
    assert dev.gains("mert").tolist() == metric.sentence_gains(stats[1][:, own]).tolist()
    assert dev.gains("rampion").tolist() == metric.sentence_gains(stats[2][:, 0]).tolist()


def test_runs_without_what_was_before() -> None:
    other = folder() / "plain"
    shutil.copytree(folder() / "rampion", other, symlinks=True)
    shutil.rmtree(other / "before")
    found = gathered([ComparedRun.open("plain", os.fspath(other))], [], 1)
    assert found.sets[0].systems == ["plain"]
    assert not found.has_before


def test_a_run_may_not_be_called_untuned() -> None:
    with pytest.raises(UsageError, match=r"RUN untuned: the report calls the first run so"):
        gathered([ComparedRun(UNTUNED, "x", run("mert").record)], [], 1)


def test_a_source_that_has_changed(tmp_path: Path) -> None:
    source = folder() / "dev.de"
    text = source.read_text()
    try:
        source.write_text(text.replace("hund", "katze"))
        problem = r"dev\.de: has changed since .*rampion was made: restore it, or tune again$"
        with pytest.raises(DataError, match=problem):
            gathered([run("rampion")], [], 1)
    finally:
        source.write_text(text)
