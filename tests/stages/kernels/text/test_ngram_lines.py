"""Lines of n-grams, whatever the lengths of words."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.estimating.arpa_typesetting import spelling_of
from campanula.stages.kernels.text.ngram_lines import write_ngrams
from campanula.stages.kernels.text.spelling import LONGEST
from campanula.stages.kernels.text.words import BLOCK

WORDS = ["a", "ä" * 8, "b" * 15, "c" * 17, "d" * 100, "<s>"]


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("backoff", [True, False])
def test_lines(n: int, backoff: bool) -> None:
    rng = np.random.default_rng(n)
    words = rng.integers(0, len(WORDS), (50, n))
    prob = -rng.random(50)
    weight = -rng.random(50) if backoff else np.zeros(0)
    expected = ""
    for i in range(50):
        expected += f"{prob[i]:.8g}\t{' '.join(WORDS[w] for w in words[i])}"
        expected += f"\t{weight[i]:.8g}\n" if backoff else "\n"
    out = np.empty(len(expected.encode()) + BLOCK + LONGEST, np.uint8)
    size = write_ngrams(out, spelling_of(WORDS), words, prob, weight)
    assert out[:size].tobytes().decode() == expected


def test_no_line() -> None:
    out = np.empty(LONGEST + BLOCK, np.uint8)
    none = np.zeros((0, 2), np.int64)
    assert write_ngrams(out, spelling_of(WORDS), none, np.zeros(0), np.zeros(0)) == 0
