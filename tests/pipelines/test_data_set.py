"""Data sets: every reference file has a line for every sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines.data_set import DataSet
from campanula.pipelines.decoder import EmbeddedDecoder
from campanula.pipelines.scorer import EmbeddedScorer, MetricSettings
from campanula.pipelines.settings import Files
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf


def lines(path: Path, n: int) -> str:
    path.write_text("line\n" * n)
    return os.fspath(path)


def test_the_references_must_fit_the_source(tmp_path: Path) -> None:
    cache = Cache(os.fspath(tmp_path))
    source, ref, short = (lines(tmp_path / name, n) for name, n in (("s", 3), ("r", 3), ("t", 2)))
    assert (
        len(
            DataSet.of(
                cache,
                Files(
                    "dev",
                    source,
                    (
                        ref,
                        ref,
                    ),
                ),
            ).refs
        )
        == 2
    )
    with pytest.raises(DataError, match=f"{short}: expected 3 lines as in {source}, found 2"):
        DataSet.of(
            cache,
            Files(
                "dev",
                source,
                (
                    ref,
                    short,
                ),
            ),
        )
    empty = lines(tmp_path / "e", 0)
    with pytest.raises(DataError, match="expected sentences"):
        DataSet.of(cache, Files("dev", empty, (empty,)))


def test_scoring_depends_on_the_metric_and_on_every_reference(tmp_path: Path) -> None:
    cache, decoder = Cache(os.fspath(tmp_path)), EmbeddedDecoder([], 1)
    source, ref = lines(tmp_path / "s", 2), lines(tmp_path / "r", 2)

    def digest(refs: list[str], jobs: int = 1, gain: str | None = None) -> str:
        scorer = EmbeddedScorer(MetricSettings(gain=gain), jobs)
        data = DataSet.of(cache, Files("dev", source, tuple(refs)))
        return data.scored(cache, decoder, scorer, Leaf("w", "1"), 20).digest

    base = digest([ref])
    assert digest([ref], jobs=2) == base
    assert len({base, digest([ref, ref]), digest([ref], gain="none"), digest([source])}) == 3


def test_texts_in_parts_have_the_same_parts(tmp_path: Path) -> None:
    def parts(name: str, *sizes: int) -> str:
        (tmp_path / name).mkdir()
        for number, n in enumerate(sizes):
            lines(tmp_path / name / str(number), n)
        return os.fspath(tmp_path / name)

    cache = Cache(os.fspath(tmp_path))
    source, ref, other = parts("s", 2, 1), parts("r", 2, 1), parts("t", 1, 2)
    assert DataSet.of(cache, Files("dev", source, (ref, lines(tmp_path / "u", 3)))).name == "dev"
    with pytest.raises(DataError, match=r"t/1: expected line 3 first, as in .*s/1, found line 2"):
        DataSet.of(cache, Files("dev", source, (other,)))
