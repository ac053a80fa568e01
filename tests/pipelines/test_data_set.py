"""Data sets: every reference file has a line for every sentence."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines.cache import Cache
from campanula.pipelines.data_set import DataSet, metric_arguments
from campanula.pipelines.decoder import EmbeddedDecoder
from campanula.pipelines.stage_task import Leaf

METRIC = {
    "metric": "bleu",
    "tokenize": "none",
    "gain": None,
    "smooth_value": None,
    "lowercase": False,
    "jobs": 1,
}


def lines(path: Path, n: int) -> str:
    path.write_text("line\n" * n)
    return os.fspath(path)


def test_the_references_must_fit_the_source(tmp_path: Path) -> None:
    cache = Cache(os.fspath(tmp_path))
    source, ref, short = (lines(tmp_path / name, n) for name, n in (("s", 3), ("r", 3), ("t", 2)))
    assert len(DataSet.of(cache, "dev", source, [ref, ref]).refs) == 2
    with pytest.raises(DataError, match=f"{short}: expected 3 lines as in {source}, found 2"):
        DataSet.of(cache, "dev", source, [ref, short])
    empty = lines(tmp_path / "e", 0)
    with pytest.raises(DataError, match="expected sentences"):
        DataSet.of(cache, "dev", empty, [empty])


def test_scoring_depends_on_the_metric_and_on_every_reference(tmp_path: Path) -> None:
    cache, decoder = Cache(os.fspath(tmp_path)), EmbeddedDecoder([], 1)
    source, ref = lines(tmp_path / "s", 2), lines(tmp_path / "r", 2)

    def digest(refs: list[str], **metric: object) -> str:
        args = argparse.Namespace(**{**METRIC, **metric})
        data = DataSet.of(cache, "dev", source, refs)
        return data.scored(cache, decoder, Leaf("w", "1"), 20, args).digest

    base = digest([ref])
    assert digest([ref], jobs=2) == base
    assert len({base, digest([ref, ref]), digest([ref], gain="none"), digest([source])}) == 3


def test_metric_flags_are_those_of_score_bleu() -> None:
    settings = {"gain": "floor", "smooth_value": "0.2", "lowercase": True}
    args = argparse.Namespace(**{**METRIC, **settings})
    given = ("--metric", "bleu", "--tokenize", "none", "--gain", "floor", "--smooth-value", "0.2")
    given += ("--lowercase",)
    assert metric_arguments(args) == given
