"""Texts scored side by side: each as it is scored alone, word after word."""

from __future__ import annotations

import random

import numpy as np
import pytest

from campanula.formats.arpa.reader import Arpa, read_arpa
from campanula.formats.model import sorted_ngrams
from campanula.formats.model.language_models import compiled
from campanula.formats.records.texts import Texts
from campanula.formats.text.words import split_byte_words
from campanula.stages.decoding.language_model import language_model, spelled_words
from campanula.stages.kernels.lm.automaton import lm_step
from campanula.stages.kernels.lm.text_logs import LANES, numbered_texts, sentence_logs
from tests.small_models import arpa_text, random_ngrams

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
    return language_model(compiled(arpa, "lm").automaton)


def test_sentences_by_hand(monkeypatch):
    lm = small_model(monkeypatch)
    begin, a = 0, 2

    def scores(*sentences):
        pointer = np.cumsum([0, *map(len, sentences)])
        word = np.array([word for sentence in sentences for word in sentence], np.int32)
        return sentence_logs(lm, word, pointer).tolist()

    assert scores([a, a]) == [-0.5 - 0.125 - 0.25]
    assert scores([], [a, begin]) == [-0.75 - 1, -0.5 - (4 + 9) - (0.75 + 1)]
    assert scores([a], [a, a]) == scores([a]) + scores([a, a])
    assert scores() == []


@pytest.mark.parametrize("order", [1, 2, 4])
@pytest.mark.parametrize("n", [1, LANES - 1, LANES + 1, 40 * LANES])
def test_side_by_side_as_alone(tmp_path, order, n):
    path = tmp_path / "lm"
    path.write_text(arpa_text(random_ngrams(random.Random(order), order), order))
    lm = language_model(compiled(read_arpa(str(path)), "lm").automaton)
    rng = random.Random(n)
    sentences = [
        [rng.randrange(len(lm.unigram)) for _ in range(rng.randrange(9))] for _ in range(n)
    ]
    expected = []
    for sentence in sentences:
        total, state = 0.0, int(lm.begin[0])
        for word in [*sentence, int(lm.end[0])]:
            step, state = lm_step(lm, state, word)
            total += step
        expected.append(total)
    words = np.array([word for sentence in sentences for word in sentence], np.int32)
    found = sentence_logs(lm, words, np.cumsum([0, *map(len, sentences)]))
    assert found.tolist() == expected


def test_words_are_found_by_their_bytes(tmp_path):
    rng = random.Random(1)
    words = sorted({"".join(rng.choices("abé\u00a0", k=rng.randrange(1, 5))) for _ in range(90)})
    known = {word: number for number, word in enumerate(words[::2])}
    grams = [*known, "<s>", "</s>", "<unk>"]
    lines = "".join(f"-1\t{word}\n" for word in grams)
    text = f"\\data\\\nngram 1={len(grams)}\n\n\\1-grams:\n{lines}\n\\end\\\n"
    (tmp_path / "lm").write_text(text, encoding="utf-8")
    model = compiled(read_arpa(str(tmp_path / "lm")), "lm")
    unknown = grams.index("<unk>")
    texts = [rng.choice(["", " ", "\t"]).join(rng.choices([*words, " ", "\t"], k=6)) for _ in words]
    given = Texts.of(["", *texts, " "])
    spelled = spelled_words(model.lexicon, unknown)
    blob = np.frombuffer(given.blob, np.uint8)
    word, pointer = numbered_texts(spelled, blob, given.pointer)
    for j, text in enumerate(given):
        expected = [known.get(word.decode(), unknown) for word in split_byte_words(text.encode())]
        assert word[pointer[j] : pointer[j + 1]].tolist() == expected
