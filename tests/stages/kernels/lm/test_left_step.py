"""Probabilities without a sentence against the recursion in dictionaries; they sum to one."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from campanula.stages.kernels.lm.automaton import lm_step
from campanula.stages.kernels.lm.left_step import left_log
from tests.naive.kneser_ney import BOS, EOS
from tests.naive.left_language_model import LeftModel
from tests.stages.kernels.lm.small_left import FALLBACK, targets, text_of, whole_and_left


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
@pytest.mark.parametrize(("seed", "size"), [(0, 3), (1, 15)])
def test_equal_to_an_estimate_without_the_sentence(
    tmp_path: Path, seed: int, size: int, order: int
) -> None:
    rng = random.Random(seed)
    corpus = text_of(seed, tmp_path, size)
    text = targets(corpus)
    models, left = whole_and_left(corpus, order)
    for n in (rng.randrange(len(text)), len(text) - 1):
        lm, twin = left[n], LeftModel(text, order, FALLBACK, n)
        words = sorted(twin.words - {BOS})
        for sentence in [text[n], rng.choice(text), rng.choices(words, k=7)]:
            state = lm.begin[0]
            history: tuple[str, ...] = (BOS,)
            for word in (*sentence, EOS):
                total = 0.0
                for other in words:
                    number = int(models.numbers(other.encode())[0])
                    log, _ = lm_step(lm, state, number)
                    assert log == pytest.approx(np.log(twin.prob(history, other)), abs=1e-12)
                    assert lm_step(lm, state, number)[0] == log  # which it remembers
                    total += np.exp(log)
                assert total == pytest.approx(1.0, abs=1e-12)
                _, state = lm_step(lm, state, int(models.numbers(word.encode())[0]))
                history = (*history, word)


def test_the_start_of_a_sentence_stays_what_it_is(tmp_path: Path) -> None:
    """As in the whole model, for a target text that has it as a word: it costs what it is after."""
    corpus = text_of(4, tmp_path)
    models, left = whole_and_left(corpus, 3)
    number = int(models.numbers(BOS.encode())[0])
    twin = LeftModel(targets(corpus), 3, FALLBACK, 0)
    assert lm_step(left[0], 0, number)[0] == 0.0
    state = left[0].begin[0]
    assert lm_step(left[0], state, number)[0] == pytest.approx(np.log(twin.prob((BOS,), BOS)))


def test_what_is_remembered_does_not_tell_several_models_apart_wrongly(tmp_path: Path) -> None:
    corpus = text_of(5, tmp_path, 20)
    models, left = whole_and_left(corpus, 2, 3, classes=4)
    lm, rng = left[3], random.Random(5)
    for _ in range(300):
        m = rng.randrange(3)
        state = int(lm.begin[m])
        for _ in range(4):
            word = rng.choice("uvwxyz").encode()
            number = int(models.numbers(word)[m])
            assert lm_step(lm, state, number) == left_log(lm, state, number)
            state = lm_step(lm, state, number)[1]
