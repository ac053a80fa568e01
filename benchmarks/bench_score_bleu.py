"""Hypotheses priced in a second: score-bleu's kernels beside sacrebleu, on one thread."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from sacrebleu.metrics.bleu import BLEU

from benchmarks.captions import lines_of
from benchmarks.timing import seconds
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.meteor import Meteor
from campanula.stages.metrics.scoring import Scorer
from tests.examples import MOSES

Lists = list[list[str]]

SACREBLEU_LISTS = 100  # sacrebleu is slow; its speed shows on fewer lists


def made_up(n_lists: int = 400, size: int = 100) -> tuple[Lists, list[str]]:
    """References of common and rare words, and hypotheses that differ from them here and there."""
    rng = np.random.default_rng(1)
    words = [f"word{i}" for i in range(5000)]
    refs = [[words[i] for i in rng.zipf(1.3, 13) % 5000] for _ in range(n_lists)]
    lists = []
    for ref in refs:
        keep = rng.random((size, len(ref))) < 0.7
        other = rng.zipf(1.3, keep.shape) % 5000
        rows = [
            [w if k else words[o] for w, k, o in zip(ref, *row, strict=True)]
            for row in zip(keep, other, strict=True)
        ]
        lists.append([" ".join(row) for row in rows])
    return lists, [" ".join(ref) for ref in refs]


def real() -> tuple[Lists, list[str]]:
    """Moses's 100-best lists of the Multi30k validation set."""
    with gzip.open(MOSES / "run1.best100.gz", "rt", encoding="utf-8") as file:
        fields = [line.split(" ||| ", 2)[:2] for line in file]
    lists = [[text for _, text in group] for _, group in groupby(fields, lambda field: field[0])]
    return lists, lines_of("val.en", len(lists))


@pytest.mark.parametrize("data", [made_up, real], ids=["made up", "real"])
def test_hypotheses_a_second(
    benchmark: BenchmarkFixture,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    data: Callable[[], tuple[Lists, list[str]]],
) -> None:
    """State both speeds and their ratio."""
    if data is real and not MOSES.is_dir():
        pytest.skip("the shared data is absent")
    lists, refs = data()
    names, ids = Names(), np.zeros(0, np.int32)
    records = [
        KBest(sid, Texts.of(texts), Features.of_dense(ids, np.zeros((0, len(texts)))), names)
        for sid, texts in enumerate(lists)
    ]
    (tmp_path / "ref").write_text("".join(f"{ref}\n" for ref in refs), encoding="utf-8")
    references = References.read([str(tmp_path / "ref")])
    scorer, meteor = Scorer(Bleu(), references), Scorer(Meteor(), references)
    # texts have their tokens already, and force keeps sacrebleu from warning of that
    bleu = BLEU(tokenize="none", force=True)

    def ours() -> None:
        for record in records:
            scorer(record)

    def meteors() -> None:
        for record in records:
            meteor(record)

    def sacrebleus() -> None:
        # not strict: there are references of all lists
        for texts, ref in zip(lists[:SACREBLEU_LISTS], refs, strict=False):
            # statistics alone: its public methods also compute a corpus score at each call
            bleu._extract_corpus_statistics(texts, [[ref] * len(texts)])

    benchmark.pedantic(ours, rounds=5, warmup_rounds=1)
    speed = sum(map(len, lists)) / seconds(ours, 3)
    meteors()
    of_meteor = sum(map(len, lists)) / seconds(meteors, 3)
    other = sum(map(len, lists[:SACREBLEU_LISTS])) / seconds(sacrebleus, 1)
    benchmark.extra_info.update(hypotheses_per_second=speed, sacrebleu=other, ratio=speed / other)
    with capsys.disabled():
        print(f"\nscore-bleu, with gains: {speed:,.0f} hypotheses/s")
        print(f"METEOR, with gains: {of_meteor:,.0f} hypotheses/s")
        print(f"sacrebleu, without: {other:,.0f} hypotheses/s; ratio {speed / other:.1f}")
