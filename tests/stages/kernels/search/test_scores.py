"""What candidates score, against the n-grams."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from campanula.formats.model.model import load_model
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.kernels.lm.automaton import lm_step
from campanula.stages.kernels.records import (
    BACKWARD,
    FORWARD,
    LENGTH,
    LM_LOG,
    PLACE,
    PLAIN,
    SWAPPED,
)
from campanula.stages.kernels.search.hypotheses import empty_hypothesis
from campanula.stages.kernels.search.records import CUBE_ORIENTATION, Cell, Cubes
from campanula.stages.kernels.search.scores import candidate_score, first_log, words_log
from tests.naive import decoder as naive
from tests.small_models import random_model, write_model
from tests.stages.kernels.search.sentences import sentence_of, settings_of


def options_of(tmp_path, order):
    """A random model, its options, and each option's target words."""
    model = random_model(random.Random(order), order, True)
    compiled = load_model(write_model(model, tmp_path), str(tmp_path / "cache"))
    theta = np.array([model.weights[name] for name in compiled.feature_names()])
    store, words = OptionStore(compiled, theta, 20), dict[int, tuple[str, ...]]()
    for source, rows in model.phrases.items():
        [(first, count)] = store.spans([[word.encode() for word in source]])
        place, n = int(first[0, len(source) - 1]), int(count[0, len(source) - 1])
        assert n == len(rows)
        for option in range(place, place + n):
            info, vocabulary = store.options.info[option], compiled.target.all_words()
            part = store.word[info[PLACE] : info[PLACE] + info[LENGTH]]
            words[option] = tuple(vocabulary[w].decode() for w in part.tolist())
    return model, store, words


def naive_logs(model, before, words):
    """Natural log probability of each word after the words before."""
    history = ("<s>", *before)
    return [
        naive.word_log10(model, (*history, *words[:k]), word) * math.log(10)
        for k, word in enumerate(words)
    ]


@pytest.mark.parametrize("order", [1, 2, 3])
def test_words_after_words(tmp_path, order):
    model, store, words = options_of(tmp_path, order)
    rng = random.Random(0)
    for _ in range(40):
        one, other = rng.choice(list(words)), rng.choice(list(words))
        log, state = words_log(store.lm, store.options, store.lm.begin[0], one, 0)
        assert log == pytest.approx(sum(naive_logs(model, (), words[one])), abs=1e-5)
        expected = naive_logs(model, words[one], words[other])
        log, _ = words_log(store.lm, store.options, state, other, 0)
        assert log == pytest.approx(sum(expected), abs=1e-5)
        log = first_log(store.lm, store.options, state, other)
        assert log == pytest.approx(sum(expected[:1]), abs=1e-5)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("split", [0, 1])
def test_a_candidate_scores_its_parts(tmp_path, last, split):
    model, store, words = options_of(tmp_path, 3)
    settings = settings_of(split, lm_weight=np.array([0.5]), first_weight=0.25 * split)
    sentence = sentence_of(3, options=store.options, lm=store.lm, settings=settings)
    before, option, *_ = words
    score = store.options.score
    _, state = words_log(store.lm, store.options, store.lm.begin[0], before, 0)
    hypotheses = empty_hypothesis(sentence)
    hypotheses.nodes.score[1] = -2.0
    hypotheses.nodes.state[1] = state
    hypotheses.nodes.option[1] = before
    cubes = Cubes(np.zeros((1, 11), np.int64), np.full((1, 2), -0.5))
    cubes.info[0, CUBE_ORIENTATION] = SWAPPED
    own = np.zeros(2 + split)
    cell = Cell(0, 0, 0, 1, 0, option)
    found, after, _ = candidate_score(cell, last, cubes, hypotheses, sentence, own)
    logs = naive_logs(model, words[before], (*words[option], *(["</s>"] if last else [])))
    first = logs[0] + (logs[-1] if last and words[option] else 0.0)
    expected = -2.5 + score[option, PLAIN] + 0.5 * sum(logs)
    expected += score[option, BACKWARD + SWAPPED] + score[before, FORWARD + SWAPPED]
    assert own[LM_LOG] == pytest.approx(sum(logs), abs=1e-5)
    if split:
        assert own[-1] == pytest.approx(first, abs=1e-5)
        expected += 0.25 * first
    assert found == pytest.approx(expected, abs=1e-5)
    if last:
        assert after == 0
    else:
        assert after == words_log(store.lm, store.options, state, option, 0)[1]


def test_the_end_of_an_empty_phrase_is_a_step_of_the_model(tmp_path):
    model, store, _ = options_of(tmp_path, 2)
    log, _ = lm_step(store.lm, store.lm.begin[0], store.lm.end[0])
    assert log == pytest.approx(naive.word_log10(model, ("<s>",), "</s>") * math.log(10), abs=1e-5)
