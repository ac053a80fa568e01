"""The language model as the search reads it, against the n-grams."""

from __future__ import annotations

import random

import numpy as np
import pytest

from campanula.formats.arpa.reader import Arpa
from campanula.formats.model import sorted_ngrams
from campanula.formats.model.automaton import build_automaton
from campanula.formats.model.model import load_model
from campanula.stages.decoding.language_model import language_model
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.kernels.lm.automaton import lm_step, sentence_logs
from campanula.stages.kernels.search.options import end_logs
from tests.naive import decoder as naive
from tests.small_models import random_model, write_model


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_texts_have_the_probability_of_their_ngrams(tmp_path, order):
    rng = random.Random(order)
    model = random_model(rng, order, False)
    compiled = load_model(write_model(model, tmp_path), str(tmp_path / "cache"))
    lm = OptionStore(compiled, np.zeros(9), 20).lm
    words = [word.decode() for word in compiled.lm.known[0].words.all_words()]
    for _ in range(30):
        text = tuple(rng.choice(words) for _ in range(rng.randrange(7)))
        state, total = lm.begin[0], 0.0
        for word in (*text, "</s>"):
            step, state = lm_step(lm, state, words.index(word))
            total += step
        assert total == pytest.approx(naive.text_log(model, text), abs=1e-5)
    assert end_logs(lm)[0] == pytest.approx(naive.text_log(model, ()), abs=1e-5)


# unigrams <s> </s> a <unk>; bigrams <s> a, a a, a </s>; logs that single precision has exactly
SMALL = {
    ("<s>",): (-9.0, -0.75),
    ("</s>",): (-1.0, 0.0),
    ("a",): (-2.0, -4.0),
    ("<unk>",): (-7.0, 0.0),
    ("<s>", "a"): (-0.5, 0.0),
    ("a", "a"): (-0.125, 0.0),
    ("a", "</s>"): (-0.25, 0.0),
}


def small_model(monkeypatch):
    monkeypatch.setattr(sorted_ngrams, "LN10", 1.0)
    vocabulary = [gram[0].encode() for gram in SMALL if len(gram) == 1]
    words, prob, backoff = [], [], []
    for n in (1, 2):
        grams = [gram for gram in SMALL if len(gram) == n]
        numbers = [[vocabulary.index(word.encode()) for word in gram] for gram in grams]
        words.append(np.array(numbers, np.int32))
        prob.append(np.array([SMALL[gram][0] for gram in grams], np.float32))
        backoff.append(np.array([SMALL[gram][1] for gram in grams], np.float32))
    arpa = Arpa(vocabulary, words, prob, backoff)
    return language_model(build_automaton(arpa, "lm"))


def test_sentences_by_hand(monkeypatch):
    lm = small_model(monkeypatch)
    begin, a = 0, 2

    def scores(*sentences):
        pointer = np.cumsum([0, *map(len, sentences)])
        word = np.array([word for sentence in sentences for word in sentence], np.int64)
        return sentence_logs(lm, word, pointer).tolist()

    assert scores([a, a]) == [-0.5 - 0.125 - 0.25]
    assert scores([], [a, begin]) == [-0.75 - 1, -0.5 - (4 + 9) - (0.75 + 1)]
    assert scores([a], [a, a]) == scores([a]) + scores([a, a])
    assert scores() == []
