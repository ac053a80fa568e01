"""The language model as the search reads it, against the n-grams."""

from __future__ import annotations

import random

import numpy as np
import pytest

from campanula.formats.model.model import load_model
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.kernels.lm.automaton import lm_step
from campanula.stages.kernels.search.options import end_logs
from tests.naive import decoder as naive
from tests.present import present
from tests.small_models import random_model, write_model


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_texts_have_the_probability_of_their_ngrams(tmp_path, order):
    rng = random.Random(order)
    model = random_model(rng, order, False)
    compiled = load_model(write_model(model, tmp_path), str(tmp_path / "cache"))
    lm = OptionStore(compiled, np.zeros(9), 20).lm
    words = [word.decode() for word in present(compiled.lm).lexicons[0].words.all_words()]
    for _ in range(30):
        text = tuple(rng.choice(words) for _ in range(rng.randrange(7)))
        state, total = lm.begin[0], 0.0
        for word in (*text, "</s>"):
            step, state = lm_step(lm, state, words.index(word))
            total += step
        assert total == pytest.approx(naive.text_log(model, text), abs=1e-5)
    assert end_logs(lm)[0] == pytest.approx(naive.text_log(model, ()), abs=1e-5)
