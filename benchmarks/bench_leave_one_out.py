"""Sentences a CPU second of leave-one-out decoding beside plain decoding of the same text."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.bench_decode import weight
from benchmarks.captions import training_pairs
from campanula.formats.model.files import LanguageModelFile
from campanula.formats.model.model import load_model
from campanula.stages import estimate_lm
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.left_out.leave_one_out import LANGUAGE_MODELS, LeftOut
from campanula.stages.decoding.search_settings import SearchSettings
from tests.examples import MULTI30K
from tests.training import Corpus, Pair, random_pairs

PAIRS = 10_000  # of which the model is made
SENTENCES = 500
BATCH = 64  # decoded before, so that the kernels are compiled


def pairs() -> list[Pair]:
    """Training pairs with links: captions, or made-up ones where those are absent."""
    return training_pairs(PAIRS) if MULTI30K.is_dir() else random_pairs(random.Random(1), 2000, 9)


@pytest.mark.benchmark(group="decode")
def test_leave_one_out(
    benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    corpus = Corpus(pairs(), tmp_path)
    lm = str(tmp_path / "lm")
    assert estimate_lm.main([corpus.paths[1], "-q", "-o", lm]) == 0
    files = replace(corpus.extract(), lms=(LanguageModelFile(lm),))
    model = load_model(files, str(tmp_path / "cache"))
    theta = np.array([weight(name) for name in model.feature_names()])

    def speed(left_out: LeftOut | None) -> float:
        """Sentences a CPU second after the first batch, with options still to choose."""
        decoder = Decoder(model, theta, SearchSettings(k=1), None, None, left_out)
        lists = decoder.decode_all(corpus.source)
        for _ in range(BATCH):
            next(lists)
        # processor time: with one thread it is the search's own, whatever else runs
        start = time.process_time()
        for _ in range(SENTENCES):
            next(lists)
        return SENTENCES / (time.process_time() - start)

    cache = str(tmp_path / "cache")
    left_out = LeftOut(corpus.text(), "phrase-table", cache=cache, lms=files.lms)
    with_lm = replace(left_out, parts=(LANGUAGE_MODELS,))
    plain = speed(None)
    mine = benchmark.pedantic(speed, (left_out,), rounds=1, warmup_rounds=1)
    # which compiles what the language model needs
    speed(with_lm)
    without_lm = speed(with_lm)
    # once more at the end: had the first run been slowed, all ratios would flatter ours
    plain = max(plain, speed(None))
    with capsys.disabled():
        for name, found in (("leave-one-out", mine), ("and of the language model", without_lm)):
            print(
                f"\n{name}: {found:.0f} sentences/CPU s, {plain / found:.2f} times the plain time"
            )
