"""What is in files of a level: probabilities and weights of the twin."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from campanula.formats.arpa.writer import NgramLines
from campanula.formats.text.corpus import SPECIALS, Numbering
from campanula.stages.estimating.bounded import BoundedModel
from campanula.stages.estimating.levels import levels_of
from campanula.stages.estimating.model import specials_of
from campanula.stages.estimating.scratch_text import ScratchText
from tests.naive import kneser_ney as naive
from tests.stages.kernels.lm.test_kneser_ney import sample

FALLBACK = (0.5, 1.0, 1.5)


@pytest.mark.parametrize("thresholds", [(0, 0, 0), (0, 1, 2)])
def test_equal_to_the_twin(tmp_path: Path, thresholds: tuple[int, ...]) -> None:
    sentences = sample(2, 150)
    lines = [" ".join(words) for words in sentences]
    text = ScratchText(Numbering(lines), "", SPECIALS, str(tmp_path))
    specials = specials_of(text.words)
    levels = levels_of(text, specials, 3, str(tmp_path), 1000)
    model = BoundedModel(levels, specials, FALLBACK, thresholds, str(tmp_path), 1000)
    expected = naive.estimate(sentences, 3, list(FALLBACK), thresholds=thresholds)
    assert [estimate.size for estimate in model.estimates] == [len(level) for level in expected]
    seen = 0
    for part in model.parts():
        if not isinstance(part, NgramLines):
            continue
        backoff = part.log_backoff if len(part.log_backoff) else np.zeros(len(part.words))
        for words, prob, weight in zip(part.words, part.log_prob, backoff, strict=True):
            gram = tuple(text.words[word] for word in words)
            assert (prob, weight) == pytest.approx(expected[len(gram) - 1][gram], abs=1e-12)
            seen += 1
    assert seen == sum(map(len, expected))
