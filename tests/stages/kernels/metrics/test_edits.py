"""Word errors against the naive twin, translation errors against sacrebleu's TER."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.ter import TER

from campanula.stages.kernels.metrics import edits
from tests.naive import edits as naive

WORDS = st.lists(st.sampled_from("abcd"), max_size=9)


def joined(texts: list[list[str]], ids: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Sequences of texts in a row, words numbered as ids say, -1 for others."""
    flat = np.array([ids.get(word, -1) for text in texts for word in text], np.int32)
    return flat, np.cumsum([0, *map(len, texts)], dtype=np.int64)


def sequences(hyps: list[list[str]], refs: list[list[str]]) -> tuple[np.ndarray, ...]:
    ids: dict[str, int] = {}
    for word in (word for ref in refs for word in ref):
        ids.setdefault(word, len(ids))
    return *joined(hyps, ids), *joined(refs, ids)


def sacrebleu(hyps: list[list[str]], refs: list[list[str]]) -> list[list[float]]:
    """sacrebleu's statistics, edits and average length, times the number of references."""
    texts, streams = [" ".join(h) for h in hyps], [[" ".join(r)] * len(hyps) for r in refs]
    stats = TER()._extract_corpus_statistics(texts, streams)
    return [[edits * len(refs), length * len(refs)] for edits, length in stats]


@settings(deadline=None)
@given(st.lists(WORDS, max_size=4), st.lists(WORDS, min_size=1, max_size=3))
def test_word_errors_equal_the_twin(hyps: list[list[str]], refs: list[list[str]]) -> None:
    found = edits.word_errors(*sequences(hyps, refs)).tolist()
    texts = [" ".join(ref) for ref in refs]
    assert found == [naive.word_errors(" ".join(hyp), texts) for hyp in hyps]


def test_nearest_reference_is_by_edits_then_the_longest() -> None:
    refs = [["a"], ["a", "b", "c", "d"], ["x"] * 9]
    assert edits.word_errors(*sequences([["a", "b"]], refs)).tolist() == [[1, 1]]
    refs = [["a"], ["a", "b", "c"], ["a", "c"]]
    assert edits.word_errors(*sequences([["a", "b"]], refs)).tolist() == [[1, 3]]


@settings(deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=4), st.lists(WORDS, min_size=1, max_size=3))
def test_translation_errors_equal_sacrebleu(hyps: list[list[str]], refs: list[list[str]]) -> None:
    found = edits.translation_errors(*sequences(hyps, refs)).tolist()
    assert found == pytest.approx(np.array(sacrebleu(hyps, refs)))


def shuffled(rng: random.Random, words: list[str]) -> list[str]:
    """Words with some phrases moved and some words changed."""
    words = list(words)
    for _ in range(3):
        start, target = rng.randrange(len(words)), rng.randrange(len(words))
        phrase = words[start : start + 4]
        del words[start : start + 4]
        words[target:target] = phrase
        words[rng.randrange(len(words))] = str(rng.randrange(9))
    return words


@pytest.mark.parametrize("n_types", [3, 12, 100])
def test_shifts_of_longer_texts_equal_sacrebleu(n_types: int) -> None:
    rng = random.Random(n_types)
    for length in (5, 12, 12, 30):
        ref = [str(rng.randrange(n_types)) for _ in range(length)]
        hyps = [shuffled(rng, ref) for _ in range(6)]
        assert edits.translation_errors(*sequences(hyps, [ref])).tolist() == sacrebleu(hyps, [ref])


@pytest.mark.parametrize(("n_hyp", "n_ref"), [(1, 120), (120, 1), (3, 200), (60, 20), (20, 60)])
def test_beam_and_limits_equal_sacrebleu(n_hyp: int, n_ref: int) -> None:
    rng = random.Random(5)
    for n_types in (2, 40):
        hyp = [str(rng.randrange(n_types)) for _ in range(n_hyp)]
        ref = [str(rng.randrange(n_types)) for _ in range(n_ref)]
        assert edits.translation_errors(*sequences([hyp], [ref])).tolist() == sacrebleu(
            [hyp], [ref]
        )


def test_empty_texts() -> None:
    assert edits.word_errors(*sequences([[], ["a"]], [["a", "b"]])).tolist() == [[2, 2], [1, 2]]
    assert edits.word_errors(*sequences([[], ["a"]], [[]])).tolist() == [[0, 0], [1, 0]]
    hyps: list[list[str]] = [[], ["a"]]
    every: list[list[list[str]]] = [[["a", "b"]], [[]], [[], ["a"]]]
    for refs in every:
        found = edits.translation_errors(*sequences(hyps, refs)).tolist()
        assert found == sacrebleu(hyps, refs)
    assert edits.translation_errors(*sequences([], [["a"]])).shape == (0, 2)
