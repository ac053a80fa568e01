"""BLEU's and chrF's counts against sacrebleu and the naive twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from campanula.formats.arrays.types import Ids, Ints
from campanula.formats.records.texts import Texts
from campanula.stages.kernels.metrics import ngram_matches, tokens
from tests.naive import bleu as naive

PIECES = ["a", "b", "ab", "ba", "é", "\u4e2d", ".", "(", " ", " ", " ", "\u3000"]
TEXT = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)
TEXTS = st.lists(TEXT, min_size=1, max_size=4)


def sequences(hyps: list[str], refs: list[str], unit: int) -> tuple[Ids, Ints, Ids, Ints, int]:
    h, r = Texts.of(hyps), Texts.of(refs)
    hyp_blob, ref_blob = np.frombuffer(h.blob, np.uint8), np.frombuffer(r.blob, np.uint8)
    return tokens.number(hyp_blob, h.pointer, ref_blob, r.pointer, unit)


def bleu(hyps: list[str], refs: list[str]) -> list[list[int]]:
    return ngram_matches.bleu_statistics(*sequences(hyps, refs, tokens.WORDS)).tolist()


def sacrebleu(hyps: list[str], refs: list[str]) -> list[list[int]]:
    metric = BLEU(tokenize="none", force=True)
    return metric._extract_corpus_statistics(hyps, [[ref] * len(hyps) for ref in refs])


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_bleu_equals_sacrebleu_and_the_twin(hyps: list[str], refs: list[str]) -> None:
    found = bleu(hyps, refs)
    assert found == sacrebleu(hyps, refs)
    assert found == [naive.statistics(hyp, refs) for hyp in hyps]


def test_long_texts_with_many_types() -> None:
    rng = np.random.default_rng(7)
    words = [f"w{i}" for i in range(200)]
    refs = [" ".join(rng.choice(words[:60], size)) for size in (90, 120, 75)]
    hyps = [" ".join(rng.choice(words, size)) for size in (100, 1, 3, 140)] + refs
    assert bleu(hyps, refs) == sacrebleu(hyps, refs)


def test_twenty_references() -> None:
    refs = [f"w{i} x y" for i in range(20)]
    hyps = ["w3 x y w19 x", "x y x y"]
    assert bleu(hyps, refs) == sacrebleu(hyps, refs)


def test_closest_length_prefers_the_shorter() -> None:
    assert bleu(["a a a"], ["b b b b", "b b"])[0][1] == 2
    assert bleu(["a a a"], ["b b", "b b b b"])[0][1] == 2


def test_counts_are_clipped_at_the_highest_of_one_reference() -> None:
    assert bleu(["a a a a"], ["a b a", "a c"])[0][2] == 2


def test_empty_texts() -> None:
    assert bleu([], ["a"]) == []
    assert bleu(["", "a"], [""]) == [[0] * 10, [1, 0, 0, 0, 0, 0, 1, 0, 0, 0]]
    assert bleu([" \u3000", "a"], ["a b", ""])[0] == [0] * 10


@pytest.mark.parametrize("word_order", [0, 2])
@settings(deadline=None)
@given(hyps=TEXTS, refs=TEXTS)
def test_chrf_equals_sacrebleu(hyps: list[str], refs: list[str], word_order: int) -> None:
    counts = ngram_matches.chrf_counts(*sequences(hyps, refs, tokens.CHARACTERS), 6)
    if word_order:
        words = ngram_matches.chrf_counts(*sequences(hyps, refs, tokens.PARTS), word_order)
        counts = np.concatenate([counts, words], axis=2)
    metric = CHRF(word_order=word_order)
    for r, ref in enumerate(refs):
        expected = metric._extract_corpus_statistics(hyps, [[ref] * len(hyps)])
        assert counts[:, r].reshape(len(hyps), -1).tolist() == expected
