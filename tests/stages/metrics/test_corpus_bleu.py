"""Corpus BLEU without sacrebleu is what sacrebleu prints, to the last digit."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from campanula.stages.metrics import corpus_bleu, sacrebleu_parts
from campanula.stages.metrics.bleu import Bleu

COUNT = st.one_of(st.just(0), st.integers(0, 12), st.integers(0, 10**7))
SUMS = st.lists(COUNT, min_size=10, max_size=10)


@given(SUMS, st.integers(0, 5), st.booleans())
def test_every_sum_has_the_report_of_sacrebleu(
    sums: list[int], n_refs: int, lowercase: bool
) -> None:
    judge = sacrebleu_parts.bleu("none", lowercase)
    expected = sacrebleu_parts.report(judge, np.array(sums), n_refs)
    assert corpus_bleu.report(sums, n_refs, "lc" if lowercase else "mixed") == expected


@pytest.mark.parametrize(
    "sums",
    [
        [0] * 10,
        [0, 5, *[0] * 8],
        [3, 0, 3, 2, 1, 0, 3, 2, 1, 0],
        [1107, 1113, 811, 520, 360, 250, 1107, 1056, 1005, 954],
    ],
)
def test_sums_of_nothing_of_little_and_of_a_corpus(sums: list[int]) -> None:
    expected = sacrebleu_parts.report(sacrebleu_parts.bleu("none", False), np.array(sums), 2)
    assert Bleu(n_refs=2).report(np.array(sums)) == expected


def test_the_version_is_read_without_loading_it() -> None:
    assert corpus_bleu.version() == sacrebleu.__version__
    code = (
        "import sys\nfrom campanula.stages.metrics import corpus_bleu\n"
        "assert corpus_bleu.report([1] * 10, 1, 'lc').line.endswith('ref_len = 1)')\n"
        "assert 'sacrebleu' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_version_that_is_written_otherwise_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_bleu, "VERSION", re.compile("nothing like it"))
    assert corpus_bleu.version.__wrapped__() == sacrebleu.__version__
