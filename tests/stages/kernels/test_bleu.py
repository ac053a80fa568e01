"""BLEU statistics against sacrebleu and the naive twin."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from formats.texts import Texts
from stages.kernels import bleu
from tests.naive import bleu as naive

SPACES = [chr(c) for c in range(sys.maxunicode + 1) if chr(c).isspace()]
WORDS = ["a", "b", "ab", "ba", "é", "\u4e2d", "\u4e2d\u6587", "\U0001f600", "\u200b", "\xa1", "\0"]
SEPARATORS = [" ", " ", "  ", *SPACES]
TEXT = st.lists(st.sampled_from(WORDS + SEPARATORS), max_size=24).map("".join)


def statistics(hyps: list[str], refs: list[str]) -> list[list[int]]:
    h, r = Texts.of(hyps), Texts.of(refs)
    hyp_blob, ref_blob = np.frombuffer(h.blob, np.uint8), np.frombuffer(r.blob, np.uint8)
    return bleu.statistics(hyp_blob, h.pointer, ref_blob, r.pointer).tolist()


def sacrebleu_statistics(hyps: list[str], refs: list[str]) -> list[list[int]]:
    metric = BLEU(tokenize="none", force=True)
    return metric._extract_corpus_statistics(hyps, [[ref] * len(hyps) for ref in refs])


@settings(deadline=None)
@given(st.lists(TEXT, min_size=1, max_size=4), st.lists(TEXT, min_size=1, max_size=4))
def test_equals_sacrebleu_and_the_twin(hyps: list[str], refs: list[str]) -> None:
    found = statistics(hyps, refs)
    assert found == sacrebleu_statistics(hyps, refs)
    assert found == [naive.statistics(hyp, refs) for hyp in hyps]


def test_long_texts_with_many_types() -> None:
    rng = np.random.default_rng(7)
    words = [f"w{i}" for i in range(200)]
    refs = [" ".join(rng.choice(words[:60], size)) for size in (90, 120, 75)]
    hyps = [" ".join(rng.choice(words, size)) for size in (100, 1, 3, 140)] + refs
    assert statistics(hyps, refs) == sacrebleu_statistics(hyps, refs)


@pytest.mark.parametrize("space", SPACES, ids=lambda c: f"U+{ord(c):04X}")
def test_every_white_space_of_python_splits(space: str) -> None:
    assert statistics([f"a{space}b"], ["a b"]) == [[2, 2, 2, 1, 0, 0, 2, 1, 0, 0]]


def test_neighbours_of_white_space_do_not_split() -> None:
    characters = [chr(ord(c) + d) for c in SPACES for d in (-1, 1)]
    for character in (c for c in characters if not c.isspace()):
        assert statistics([f"a{character}b"], ["a b"])[0][0] == 1


def test_closest_length_prefers_the_shorter() -> None:
    assert statistics(["a a a"], ["b b b b", "b b"])[0][1] == 2
    assert statistics(["a a a"], ["b b", "b b b b"])[0][1] == 2


def test_counts_are_clipped_at_the_highest_of_one_reference() -> None:
    assert statistics(["a a a a"], ["a b a", "a c"])[0][2] == 2


def test_empty_texts() -> None:
    assert statistics([], ["a"]) == []
    assert statistics(["", "a"], [""]) == [[0] * 10, [1, 0, 0, 0, 0, 0, 1, 0, 0, 0]]
    assert statistics([" \u3000", "a"], ["a b", ""])[0] == [0] * 10


def test_words_of_one_hash_are_told_apart() -> None:
    # two words of equal 32-bit FNV-1a
    assert statistics(["costarring"], ["liquid"])[0][2] == 0
    assert statistics(["liquid costarring liquid"], ["liquid costarring"])[0][2] == 2


def test_twenty_references() -> None:
    refs = [f"w{i} x y" for i in range(20)]
    hyps = ["w3 x y w19 x", "x y x y"]
    assert statistics(hyps, refs) == sacrebleu_statistics(hyps, refs)
