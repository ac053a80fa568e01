"""Log probabilities of derivations, step by step, against the n-grams."""

from __future__ import annotations

import random

import numpy as np
import pytest

from campanula.formats.model.model import load_model
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.kernels.oracle.lm_logs import lm_logs
from campanula.stages.kernels.records import LENGTH, PLACE
from tests.naive import decoder as naive
from tests.present import present
from tests.small_models import random_model, write_model


@pytest.mark.parametrize("order", [1, 3])
def test_steps_add_up_to_their_text(tmp_path, order):
    rng = random.Random(order)
    model = random_model(rng, order, False)
    compiled = load_model(write_model(model, tmp_path), str(tmp_path / "cache"))
    lm = OptionStore(compiled, np.zeros(9), 20).lm
    words = [word.decode() for word in present(compiled.lm).lexicons[0].words.all_words()]
    info = np.zeros((9, 6), np.int32)
    info[:, LENGTH] = [rng.randrange(4) for _ in info]
    info[:, PLACE] = np.cumsum([0, *info[:-1, LENGTH]])
    lm_word = np.array([rng.randrange(len(words)) for _ in range(40)], np.int32).reshape(-1, 1)
    offset = np.array([0, 3, 4, 9])
    option = np.array([rng.randrange(9) for _ in range(9)])
    value = lm_logs(offset, option, info, lm_word, lm)

    def words_of(o):
        return [words[w] for w in lm_word[info[o, PLACE] :, 0][: info[o, LENGTH]].tolist()]

    for h in range(3):
        steps = range(offset[h], offset[h + 1])
        text = tuple(word for s in steps for word in words_of(option[s]))
        assert value[steps, 0].sum() == pytest.approx(naive.text_log(model, text), abs=1e-5)
        before: list[str] = []
        for s in steps:
            logs = [
                naive.word_log10(model, ("<s>", *before, *words_of(option[s])[:k]), word)
                for k, word in enumerate(words_of(option[s]))
            ]
            before += words_of(option[s])
            end = naive.word_log10(model, ("<s>", *before), "</s>") if s == steps[-1] else 0.0
            first = (logs[0] if logs else 0.0) + end
            assert value[s] / np.log(10) == pytest.approx([sum(logs) + end, first], abs=1e-5)
