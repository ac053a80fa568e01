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
from campanula.stages.kernels.search.records import CUBE_ORIENTATION
from campanula.stages.kernels.search.room import room_for_cubes, room_for_drawn
from campanula.stages.kernels.search.scores import ask_models, drawn_score
from campanula.stages.kernels.search.steps import no_steps
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


def drawn_after(store, node_state, options, last=False, settings=None):
    """What the models say of options, each after a node of its own with a state of LM0."""
    n = len(options)
    sentence = sentence_of(3, options=store.options, lm=store.lm, settings=settings)
    hypotheses = empty_hypothesis(sentence)
    hypotheses.nodes.state[:n] = node_state
    drawn, steps = room_for_drawn(n, 1), no_steps(n)
    drawn.grid[:] = 0
    drawn.node[:] = np.arange(n)
    drawn.option[:] = options
    ask_models(n, last, hypotheses, sentence, drawn, steps)
    return sentence, hypotheses, drawn


@pytest.mark.parametrize("order", [1, 2, 3])
def test_words_after_words(tmp_path, order):
    model, store, words = options_of(tmp_path, order)
    rng = random.Random(0)
    one, other = ([rng.choice(list(words)) for _ in range(40)] for _ in range(2))
    _, _, drawn = drawn_after(store, store.lm.begin[0], one)
    first = drawn.log[0].copy()
    expected = [sum(naive_logs(model, (), words[option])) for option in one]
    assert first == pytest.approx(expected, abs=1e-5)
    _, _, drawn = drawn_after(store, drawn.after[0].copy(), other)
    logs = [naive_logs(model, words[a], words[b]) for a, b in zip(one, other, strict=True)]
    assert drawn.log[0] == pytest.approx([sum(each) for each in logs], abs=1e-5)
    assert drawn.first == pytest.approx([sum(each[:1]) for each in logs], abs=1e-5)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("split", [0, 1])
def test_a_candidate_scores_its_parts(tmp_path, last, split):
    model, store, words = options_of(tmp_path, 3)
    settings = settings_of(split, lm_weight=np.array([0.5]), first_weight=0.25 * split)
    before, option, *_ = words
    score = store.options.score
    state = drawn_after(store, store.lm.begin[0], [before])[2].after[0, 0]
    given = drawn_after(store, state, [option], last, settings)
    sentence, hypotheses, drawn = given
    hypotheses.nodes.score[0] = -2.0
    hypotheses.nodes.forth[0] = score[before, FORWARD : FORWARD + 3]
    cubes = room_for_cubes(1)
    cubes.info[:] = 0
    cubes.value[:] = -0.5
    cubes.info[0, CUBE_ORIENTATION] = SWAPPED
    own = np.zeros(2 + split)
    found = drawn_score(0, cubes, hypotheses, sentence, drawn, own)
    logs = naive_logs(model, words[before], (*words[option], *(["</s>"] if last else [])))
    first = logs[0] + (logs[-1] if last and words[option] else 0.0)
    expected = -2.5 + score[option, PLAIN] + 0.5 * sum(logs)
    expected += score[option, BACKWARD + SWAPPED] + score[before, FORWARD + SWAPPED]
    assert own[LM_LOG] == pytest.approx(sum(logs), abs=1e-5)
    if split:
        assert own[-1] == pytest.approx(first, abs=1e-5)
        expected += 0.25 * first
    assert found == pytest.approx(expected, abs=1e-5)


def test_the_end_of_an_empty_phrase_is_a_step_of_the_model(tmp_path):
    model, store, _ = options_of(tmp_path, 2)
    log, _ = lm_step(store.lm, store.lm.begin[0], store.lm.end[0])
    assert log == pytest.approx(naive.word_log10(model, ("<s>",), "</s>") * math.log(10), abs=1e-5)
