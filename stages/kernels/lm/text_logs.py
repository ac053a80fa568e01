"""Texts scored under a language model, many at a time, so that look-ups wait for memory together.

A look-up in a large table takes some 100 ns, nearly all of it waiting.  Some texts go side by side:
each asks for the entries that it needs next, and the others go on until those have come.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.columns import (
    BACKOFF,
    LOWER,
    STATE,
    TARGET,
    UNIGRAM_TARGET,
    UNIGRAM_VALUE,
    VALUE,
    WORD,
)
from campanula.formats.arrays.hashing import LOW31, SPELLED_START
from campanula.formats.arrays.types import Bytes, Floats, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit, prefetch
from campanula.stages.kernels.memory import spelled, transition_home
from campanula.stages.kernels.records import LanguageModel
from campanula.stages.kernels.wide import wide

LANES = 16  # texts side by side
ROW = 4  # columns of a table of transitions, and of states
TEXT, PLACE, NEXT, AT, SLOT = range(
    5
)  # columns of a lane: what it reads, in which state, and where
NO_SLOT = -1
SPACE, TAB = 0x20, 0x09


class SpelledWords(NamedTuple):
    """Words by their bytes: word i is blob[offset[i]:offset[i + 1]], and has number[i].

    slot is the hash table of formats/model/spelled_words.py, with 2^bits homes; a word that is not
    there has the number `unknown`.
    """

    blob: Bytes
    offset: Ints
    number: Ids
    slot: Ids
    bits: int
    unknown: int


@njit(**LEAN)
def find_spelled(words: SpelledWords, blob: Bytes, start: int, end: int, code: int) -> int:
    """Number of the word blob[start:end], whose hash is `code`."""
    place = transition_home(code & LOW31, code >> 31, words.bits)
    found = wide(words.slot[place])
    while found >= 0:
        first = words.offset[found]
        same = words.offset[found + 1] - first == end - start
        for k in range(end - start if same else 0):
            if words.blob[first + k] != blob[start + k]:
                same = False
                break
        if same:
            return wide(words.number[found])
        place += 1
        found = wide(words.slot[place])
    return words.unknown


@njit(cache=True, nogil=True)
def numbered_texts(words: SpelledWords, blob: Bytes, pointer: Ints) -> tuple[Ids, Ints]:
    """Numbers (n_words,) of the words of texts, which end at blanks and tabs, and pointers (n + 1,)
    of texts blob[pointer[j]:pointer[j + 1]].
    """
    word = np.empty((pointer[-1] - pointer[0] + len(pointer)) // 2, np.int32)
    ends = np.zeros(len(pointer), np.int64)
    count = 0
    for j in range(len(pointer) - 1):
        start, code = pointer[j], SPELLED_START
        for i in range(pointer[j], pointer[j + 1] + 1):
            byte = wide(blob[i]) if i < pointer[j + 1] else SPACE
            if byte not in (SPACE, TAB):
                code = spelled(code, byte)
                continue
            if i > start:
                word[count] = find_spelled(words, blob, start, i, code)
                count += 1
            start, code = i + 1, SPELLED_START
        ends[j + 1] = count
    return word[:count], ends


@njit(**LEAN)
def aim(lm: LanguageModel, table: Ids, states: Ids, lanes: Ints, i: int) -> None:
    """Ask for what a lane needs to read its next word in its state."""
    state, word = lanes[i, AT], lanes[i, NEXT]
    if state < lm.begin.shape[0]:
        lanes[i, SLOT] = NO_SLOT
        return
    slot = transition_home(state, word, lm.bits)
    prefetch(table, ROW * slot)
    prefetch(states, ROW * state)
    lanes[i, SLOT] = slot


@njit(cache=True, nogil=True)
def sentence_logs(lm: LanguageModel, word: Ids, pointer: Ints) -> Floats:
    """Log probabilities (n,) of sentences word[pointer[j]:pointer[j + 1]] and their ends, of one
    model.

    Sums are of 64 bits, word after word.
    """
    n = len(pointer) - 1
    table, states = lm.table.ravel(), lm.state.ravel()
    score, step = np.zeros(n), np.zeros(LANES)
    lanes = np.zeros((LANES, 5), np.int64)
    begin, end = wide(lm.begin[0]), wide(lm.end[0])
    n_lanes, started = 0, 0
    while started < n or n_lanes > 0:
        if started < n and n_lanes < LANES:
            first = pointer[started]
            lanes[n_lanes, TEXT], lanes[n_lanes, PLACE], lanes[n_lanes, AT] = started, first, begin
            lanes[n_lanes, NEXT] = wide(word[first]) if first < pointer[started + 1] else end
            aim(lm, table, states, lanes, n_lanes)
            step[n_lanes] = 0.0
            n_lanes += 1
            started += 1
            continue
        for i in range(n_lanes - 1, -1, -1):
            value, after = read(lm, lanes, i)
            step[i] += value
            if after < 0:
                aim(lm, table, states, lanes, i)
                continue
            text = lanes[i, TEXT]
            score[text] += step[i]
            step[i] = 0.0
            lanes[i, AT] = after
            lanes[i, PLACE] += 1
            if lanes[i, PLACE] <= pointer[text + 1]:
                more = lanes[i, PLACE] < pointer[text + 1]
                lanes[i, NEXT] = wide(word[lanes[i, PLACE]]) if more else end
                aim(lm, table, states, lanes, i)
                continue
            n_lanes -= 1
            step[i] = step[n_lanes]
            for column in range(lanes.shape[1]):
                lanes[i, column] = lanes[n_lanes, column]
    return score


@njit(**LEAN)
def read(lm: LanguageModel, lanes: Ints, i: int) -> tuple[float, int]:
    """What a lane's look-up gives: a log probability and the state after the word; or a back-off
    weight and -1, and the lane is in the state to back off to.
    """
    state, word, slot = lanes[i, AT], lanes[i, NEXT], lanes[i, SLOT]
    if slot == NO_SLOT:
        return float(lm.unigram_value[word, UNIGRAM_VALUE]), wide(lm.unigram[word, UNIGRAM_TARGET])
    table = lm.table
    while table[slot, STATE] >= 0 and (table[slot, STATE] != state or table[slot, WORD] != word):
        slot += 1
    if table[slot, STATE] >= 0:
        return float(lm.table_value[slot, VALUE]), wide(table[slot, TARGET])
    lanes[i, AT] = wide(lm.state[state, LOWER])
    return float(lm.state_value[state, BACKOFF]), -1


@njit(cache=True, nogil=True)
def text_logs(lm: LanguageModel, words: SpelledWords, blob: Bytes, pointer: Ints) -> Floats:
    """Log probabilities (n,) of texts blob[pointer[j]:pointer[j + 1]] and their ends."""
    word, ends = numbered_texts(words, blob, pointer)
    return sentence_logs(lm, word, ends)
