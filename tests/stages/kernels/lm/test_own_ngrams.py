"""Changes of counts against counts of the text without the sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from campanula.formats.arrays.columns import STATE, TARGET, UNIGRAM_TARGET, WORD
from campanula.stages.kernels.lm.left_records import MORE, ONES, TOTAL, TWOS, LeftLanguageModel
from campanula.stages.kernels.lm.left_step import find_own
from campanula.stages.kernels.lm.own_ngrams import no_keys, transition_slots
from tests.naive.kneser_ney import BOS, EOS, Gram, adjusted_counts
from tests.stages.kernels.lm.small_left import targets, text_of, whole_and_left
from tests.training import Corpus


def count_of(lm: LeftLanguageModel, key: int) -> int:
    """Count without the sentence, of an n-gram by its key."""
    n_slots = len(lm.table)
    whole = lm.counted.adjusted[key] if key < n_slots else lm.counted.unigram[key - n_slots]
    place = find_own(lm.own.gram, key)
    return int(whole) + (int(lm.own.change[place]) if lm.own.gram[place] >= 0 else 0)


def sums_of(lm: LeftLanguageModel, state: int) -> list[int]:
    sums = lm.counted.context[state, [TOTAL, ONES, TWOS, MORE]].astype(int)
    place = find_own(lm.own.context, state)
    if lm.own.context[place] >= 0:
        sums += lm.own.shift[place]
    return sums.tolist()


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("seed", range(2))
def test_all_counts_are_those_of_the_other_sentences(tmp_path: Path, seed: int, order: int) -> None:
    corpus = text_of(seed, tmp_path)
    text = targets(corpus)
    models, left = whole_and_left(corpus, order)
    grams = [gram for count in adjusted_counts(text, order) for gram in count]
    numbers = {w: int(models.numbers(w.encode())[0]) for gram in grams for w in gram}
    for n, lm in enumerate(left):
        counts = adjusted_counts(text[:n] + text[n + 1 :], order)
        state: dict[Gram, int] = {(): 0}
        sums: dict[Gram, list[int]] = {(): [0, 0, 0, 0]}
        for gram in sorted(grams, key=len):
            word, before = numbers[gram[-1]], state[gram[:-1]]
            key = len(lm.table) + word
            if len(gram) > 1:
                [key] = transition_slots(lm.table, lm.bits, np.array([before]), np.array([word]))
            c = counts[len(gram) - 1][gram]
            assert count_of(lm, int(key)) == c
            after = lm.unigram[word, UNIGRAM_TARGET] if len(gram) == 1 else lm.table[key, TARGET]
            state[gram] = int(after)
            sums.setdefault(gram[:-1], [0, 0, 0, 0])
            sums[gram[:-1]][0] += c
            if c:
                sums[gram[:-1]][min(c, 3)] += 1
        for gram, expected in sums.items():
            assert sums_of(lm, state[gram]) == expected


def test_a_sentence_that_is_there_twice_changes_few_counts(tmp_path: Path) -> None:
    """Its longest n-grams lose one each; words before others stay."""
    corpus = Corpus([("a", "u v w", ""), ("a", "u v w", ""), ("b", "v v", "")], tmp_path)
    _, left = whole_and_left(corpus, 3)
    words = [BOS, *"uvw", EOS]
    by_times = {tuple(words[i : i + 3]) for i in range(3)} | {tuple(words[:2])}
    for lm in left[:2]:
        assert np.count_nonzero(lm.own.gram >= 0) == len(by_times)
        assert lm.own.change[lm.own.gram >= 0].tolist() == [-1] * 4


def test_tables_have_room() -> None:
    for entries in (0, 1, 4, 5, 100):
        keys = no_keys(entries)
        assert (keys == -1).all()
        assert len(keys) >= max(8, 2 * entries)
        assert len(keys) & (len(keys) - 1) == 0


def test_transitions_that_are_not_there(tmp_path: Path) -> None:
    _, [lm, *_] = whole_and_left(text_of(2, tmp_path), 2)
    there = np.flatnonzero(lm.table[:, STATE] >= 0)
    state, word = lm.table[there][:, [STATE, WORD]].T.astype(np.int64)
    assert transition_slots(lm.table, lm.bits, state, word).tolist() == there.tolist()
    assert transition_slots(lm.table, lm.bits, np.array([-1, 0]), np.array([0, 0])).tolist() == [
        -1,
        -1,
    ]
