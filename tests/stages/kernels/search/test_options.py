"""Options: the best rows of a phrase, and the language model as the search reads it."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from campanula.formats.model.hash_table import table_bits
from campanula.formats.model.model import load_model
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.kernels.records import ESTIMATED, PLAIN
from campanula.stages.kernels.search import options as search_options
from tests.naive import decoder as naive
from tests.small_models import random_model, write_model


@pytest.mark.parametrize("limit", [1, 2, 20])
def test_options_are_the_best_rows(tmp_path, limit):
    for seed in range(4):
        rng = random.Random(seed)
        model = random_model(rng, 3, True)
        folder = tmp_path / str(seed)
        folder.mkdir()
        compiled = load_model(write_model(model, folder), str(folder / "cache"))
        theta = np.array([model.weights[name] for name in compiled.feature_names()])
        store = OptionStore(compiled, theta, limit)
        for source, rows in model.phrases.items():
            expected = sorted(-estimate(model, *row[:2]) for row in rows)[:limit]
            [(first, count)] = store.spans([[word.encode() for word in source]])
            span = slice(first[0, len(source) - 1], None)
            found = store.options.score[span][: count[0, len(source) - 1]]
            np.testing.assert_allclose(found[:, 1], -np.array(expected), atol=1e-5)


def estimate(model: naive.NaiveModel, target: tuple[str, ...], scores: list[float]) -> float:
    """Score of a phrase alone, its words without any context before them."""
    value = -model.weights["WordPenalty0"] * len(target) + model.weights["PhrasePenalty0"]
    for k, p in enumerate(scores):
        value += model.weights[f"TranslationModel0_{k}"] * naive.log(p)
    for i, word in enumerate(target):
        log10 = naive.word_log10(model, target[:i], word)
        value += model.weights["LM0"] * log10 * math.log(10)
    return value


def test_spans_are_those_of_the_table(tmp_path):
    model = random_model(random.Random(8), 0, False)
    compiled = load_model(write_model(model, tmp_path), str(tmp_path / "cache"))
    sentence = [*"abcabdcab", "ä"]
    numbers = np.array([compiled.source.find(word.encode()) for word in sentence])
    bits = table_bits(compiled.trie)
    node = search_options.phrase_nodes(numbers, compiled.trie, bits, 3)
    rows = np.diff(compiled.row_start)
    for i in range(len(sentence)):
        for k in range(3):
            expected = len(model.phrases.get(tuple(sentence[i : i + k + 1]), []))
            assert rows[node[i, k]] == (expected if i + k < len(sentence) else 0)


def test_estimates_are_those_that_options_are_made_with(tmp_path):
    model = random_model(random.Random(9), 3, True)
    compiled = load_model(write_model(model, tmp_path), str(tmp_path / "cache"))
    theta = np.array([model.weights[name] for name in compiled.feature_names()])
    store = OptionStore(compiled, theta, 20, first_weight=0.3)
    store.spans([[word.encode() for word in source] for source in ["abc", "bca", "d"]])
    store.unknown_option(b"new")
    options, option = store.options, np.arange(store._n_options)
    found = search_options.estimates(option, options, store.lm, store.row_weights)
    expected = options.score[option, ESTIMATED] - options.score[option, PLAIN]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
    assert np.count_nonzero(found) > 5
