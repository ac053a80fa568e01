"""Clipped matches as sets of bits, and BLEU+1 of them, against slow counting."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.metrics.reference_trie import BLEU_ORDER, reference_trie
from campanula.stages.kernels.oracle import ngrams as oracle_ngrams
from campanula.stages.kernels.oracle.ngrams import DOWN, UP
from campanula.stages.kernels.oracle.records import NGrams
from tests.naive import bleu


def sequences(rng: np.random.Generator, n: int, n_types: int, longest: int) -> list[Ints]:
    return [rng.integers(n_types, size=rng.integers(longest + 1)) for _ in range(n)]


def flat(parts: list[Ints]) -> tuple[Ids, Ints]:
    end = np.cumsum([0, *map(len, parts)])
    return np.concatenate([np.zeros(0), *parts]).astype(np.int32), end


def ngrams_of(ref: Ids, ref_end: Ints, n_types: int) -> NGrams:
    return oracle_ngrams.ngrams_of(reference_trie(ref, ref_end, n_types, BLEU_ORDER))


@pytest.mark.parametrize("seed", range(8))
def test_matches_and_gain_equal_slow_counting(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_types, longest = (3, 9) if seed % 2 else (5, 90)
    refs = sequences(rng, 1 + seed % 3, n_types, longest)
    ngrams = ngrams_of(*flat(refs), n_types)
    base = ngrams.base
    brevity = oracle_ngrams.brevity_powers(flat(refs)[1], 200)
    texts = [" ".join(map(str, ref)) for ref in refs]
    for _ in range(5):
        hyp = rng.integers(-1, n_types, size=rng.integers(1, longest)).astype(np.int32)
        stats = bleu.statistics(" ".join(map(str, hyp)), texts)
        cut = int(rng.integers(len(hyp) + 1))
        used = np.zeros(base[-1], np.int64)
        u = oracle_ngrams.read(ngrams, 0, hyp, 0, cut, used, UP)
        oracle_ngrams.read(ngrams, u, hyp, cut, len(hyp), used, UP)
        matches = [sum(int(x).bit_count() for x in used[base[k] : base[k + 1]]) for k in range(4)]
        assert matches == stats[2:6]
        power = oracle_ngrams.bleu_power(used, used, len(hyp), base, brevity, 0.0)
        assert power**0.25 == pytest.approx(bleu.bleu_plus_one(stats), abs=1e-12)
        back = np.zeros(base[-1], np.int64)
        oracle_ngrams.read(ngrams, 0, hyp, 0, len(hyp), back, DOWN)
        for k in range(4):
            matched = sum(int(x).bit_count() for x in back[base[k] : base[k + 1]])
            assert matched == matches[k]


def test_a_link_leads_to_the_ngram_without_its_first_word() -> None:
    ref = np.array([0, 1, 0, 1, 2, 2, 0], np.int32)
    ngrams = ngrams_of(ref, np.array([0, 4, 7]), 3)
    parent = np.zeros(len(ngrams.letter), np.int64)
    for v, child in enumerate(ngrams.first_child.tolist()):
        while child >= 0:
            parent[child] = v
            child = ngrams.sibling[child]

    def words(v: int) -> tuple[int, ...]:
        return (*words(int(parent[v])), int(ngrams.letter[v])) if v else ()

    every = [words(v) for v in range(len(parent))]
    expected = {
        tuple(part[i:j])
        for part in ([0, 1, 0, 1], [2, 2, 0])
        for i in range(4)
        for j in range(i, min(len(part), i + 4) + 1)
    }
    assert sorted(every) == sorted(expected)
    assert [len(ngram) for ngram in every] == ngrams.depth.tolist()
    assert [every[v] for v in ngrams.link] == [ngram[1:] for ngram in every]


def test_two_parts_that_match_the_same_ngram_share_its_slots() -> None:
    ref = np.array([0, 1, 0], np.int32)
    ngrams = ngrams_of(ref, np.array([0, 3]), 2)
    word = np.array([0], np.int32)
    used, tail = np.zeros((2, ngrams.base[-1]), np.int64)
    oracle_ngrams.read(ngrams, 0, word, 0, 1, used, UP)
    oracle_ngrams.read(ngrams, 0, word, 0, 1, tail, DOWN)
    assert int(used[0] | tail[0]).bit_count() == 2
    oracle_ngrams.read(ngrams, 0, word, 0, 1, tail, DOWN)
    assert int(used[0] | tail[0]).bit_count() == 2


def test_an_empty_reference_has_no_ngrams() -> None:
    ngrams = ngrams_of(np.zeros(0, np.int32), np.zeros(2, np.int64), 0)
    assert ngrams.base.tolist() == [0] * 5
    used = np.zeros(0, np.int64)
    assert oracle_ngrams.read(ngrams, 0, np.array([-1], np.int32), 0, 1, used, UP) == 0
    brevity = oracle_ngrams.brevity_powers(np.zeros(2, np.int64), 3)
    assert brevity.tolist() == [0.0, 1.0, 1.0, 1.0]
    assert oracle_ngrams.bleu_power(used, used, 0, ngrams.base, brevity, 0.0) == 0.0


@pytest.mark.parametrize("bits", [0, 1, 0x2AAAAAAAAAAAAAAA, (1 << 62) - 1, 1 << 61])
def test_bit_count(bits: int) -> None:
    assert oracle_ngrams.bit_count(bits) == bits.bit_count()
