"""Sorted n-grams: every one is found by its words; what does not fit is refused."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.arpa.reader import read_arpa
from campanula.formats.errors import DataError
from campanula.formats.model.sorted_ngrams import LN10, find, sorted_ngrams
from tests.naive.arpa_model import Model
from tests.small_models import arpa_text, random_ngrams


@pytest.mark.parametrize("order", [1, 2, 4])
def test_every_ngram_is_found_by_its_words(tmp_path: Path, order: int) -> None:
    ngrams = random_ngrams(random.Random(order), order)
    (tmp_path / "lm").write_text(arpa_text(ngrams, order), encoding="utf-8")
    arpa = read_arpa(str(tmp_path / "lm"))
    orders = sorted_ngrams(arpa, "lm")
    assert [len(found.key) for found in orders] == [len(words) for words in arpa.words]
    for gram, (prob, backoff) in ngrams.items():
        number = np.zeros(1, np.int64)
        for word, level in zip(gram, orders, strict=False):
            number = find(level.key, number << 32 | arpa.vocabulary.index(word.encode()))
        found = orders[len(gram) - 1]
        assert found.prob[number[0]] == pytest.approx(prob * LN10, rel=1e-6)
        assert found.backoff[number[0]] == pytest.approx(backoff * LN10, rel=1e-6)


@pytest.mark.parametrize("size", [0, 1, 7])
def test_find(size: int) -> None:
    key = np.sort(np.random.default_rng(size).choice(1 << 36, size, replace=False))
    assert find(key, key).tolist() == list(range(size))
    assert find(key, np.array([-1 << 32, 1 << 40])).tolist() == [-1, -1]


def test_a_context_that_is_not_there(tmp_path: Path) -> None:
    ngrams: Model = {(w,): (-1.0, 0.0) for w in ("<s>", "</s>", "a", "b")}
    ngrams["a", "b"] = ngrams["b", "a", "b"] = (-0.5, 0.0)
    (tmp_path / "lm").write_text(arpa_text(ngrams, 3), encoding="utf-8")
    with pytest.raises(DataError) as error:
        sorted_ngrams(read_arpa(str(tmp_path / "lm")), "lm")
    expected = "lm: 3-gram 'b a b': expected its first 2 words as an n-gram, found none"
    assert str(error.value) == expected


def test_sentence_ends_are_needed(tmp_path: Path) -> None:
    (tmp_path / "lm").write_text(arpa_text({("<s>",): (-1.0, 0.0)}, 1), encoding="utf-8")
    with pytest.raises(DataError, match="expected the word </s>, found no such unigram"):
        sorted_ngrams(read_arpa(str(tmp_path / "lm")), "lm")
