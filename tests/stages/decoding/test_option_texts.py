"""Target words of options: known and unknown ones, of paths and of phrases."""

from __future__ import annotations

import random

import numpy as np

from campanula.formats.model.model import load_model
from campanula.formats.text.words import split_byte_words
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.decoding.option_texts import OptionTexts
from campanula.stages.decoding.paths import search_graph
from campanula.stages.kernels.graph.paths import Paths
from tests.lattices import paths_of, random_lattice
from tests.naive import decoder as naive_decoder
from tests.naive import lattice as naive
from tests.small_models import random_model, write_model


def test_texts_of_a_stores_options(tmp_path):
    """Each option alone, and phrases without repetition, as the naive model has them."""
    small = random_model(random.Random(2), 0, False)
    model = load_model(write_model(small, tmp_path), str(tmp_path / "cache"))
    weight = np.zeros(len(model.all_features()) + 1)
    store = OptionStore(model, weight, 1 << 40)
    words = ["a", "🌼", "b"]
    [(first, count)] = store.spans([split_byte_words(" ".join(words).encode())])
    texts, found = OptionTexts.of(model, store), []
    for i, k in zip(*np.nonzero(count), strict=True):
        option = np.arange(first[i, k], first[i, k] + count[i, k])
        link = np.zeros((len(option), 5), np.int32)
        link[:, 1] = option
        alone = Paths(np.arange(len(option) + 1), np.arange(len(option)))
        text = list(texts.path_texts(alone, link))
        expected = naive_decoder.options(small, tuple(words), i, i + k + 1)
        assert sorted(text) == sorted(" ".join(target) for target, _, _ in expected)
        phrases = texts.phrases(np.concatenate([option, option]))
        assert phrases.number.tolist() == 2 * list(range(len(option)))
        spelt = [
            " ".join(phrases.text[n] for n in phrases.word[a:b].tolist())
            for a, b in zip(phrases.pointer[:-1], phrases.pointer[1:], strict=True)
        ]
        assert spelt == text
        found += text
    assert "🌼" in found


def test_texts_of_a_lattices_phrases():
    lattice = random_lattice(4)
    graph, info = search_graph(lattice, lattice.score)
    every = list(naive.paths(lattice))
    texts = OptionTexts.of_lattice(lattice, info).path_texts(paths_of(every), graph.link)
    assert list(texts) == [naive.text(lattice, path) for path in every]
