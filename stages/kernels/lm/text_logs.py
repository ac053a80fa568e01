"""Log probabilities of texts under a language model, several texts at a time.

A look-up in a large table takes some 100 ns, nearly all of it waiting for memory.  So LANES texts
are read in turns: each prefetches the table's entries that it needs next, and while memory sends
them the other texts are read on.
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

LANES = 16  # texts side by side: enough to hide the wait
ROW = 4  # columns of a table of transitions, and of states
# Columns of a lane: the text and the place it is at, the next word, the state before that word, the
# state that it has backed off to, and the slot of the table where its look-up begins.
TEXT, PLACE, NEXT, FROM, AT, SLOT = range(6)
KEY, AFTER = range(2)  # columns of the memo: state and word in one number, and the state after
MEMO_BITS = 10  # 24 KB: what the nearest cache holds
NO_SLOT = -1  # of a lane whose state has no context: unigrams need no hashed look-up
SPACE, TAB = b" \t"


class SpelledWords(NamedTuple):
    """Words by their bytes: word i is blob[offset[i]:offset[i + 1]], and has number[i].

    slot is the hash table of formats/model/spelled_words.py, with 2^bits homes; a word that it does
    not have gets the number `unknown`.
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
    entry = wide(words.slot[place])
    while entry >= 0:
        first = words.offset[entry]
        same = words.offset[entry + 1] - first == end - start
        for k in range(end - start if same else 0):
            if words.blob[first + k] != blob[start + k]:
                same = False
                break
        if same:
            return wide(words.number[entry])
        place += 1
        entry = wide(words.slot[place])
    return words.unknown


@njit(cache=True, nogil=True)
def numbered_texts(words: SpelledWords, blob: Bytes, pointer: Ints) -> tuple[Ids, Ints]:
    """Return the numbers (n_words,) of the words of texts blob[pointer[j]:pointer[j + 1]], and
    pointers (n + 1,) to each text's words.  Blanks and tabs end words.
    """
    # a word and its blank take two bytes at least, and a text's last word has no blank
    word = np.empty((pointer[-1] - pointer[0] + len(pointer)) // 2, np.int32)
    ends = np.zeros(len(pointer), np.int64)
    count = 0
    for j in range(len(pointer) - 1):
        start = pointer[j]
        code = SPELLED_START
        for i in range(pointer[j], pointer[j + 1] + 1):
            byte = wide(blob[i]) if i < pointer[j + 1] else SPACE
            if byte not in (SPACE, TAB):
                code = spelled(code, byte)
                continue
            if i > start:
                word[count] = find_spelled(words, blob, start, i, code)
                count += 1
            start = i + 1
            code = SPELLED_START
        ends[j + 1] = count
    return word[:count], ends


class Reading(NamedTuple):
    """Texts word[pointer[j]:pointer[j + 1]] that are being read, and their scores (n,) so far.

    lanes (LANES, 6): the texts side by side; step (LANES,): back-off weights so far of each lane's
    next word.  memo (1 << MEMO_BITS, 2) and memo_step: words read before, with the state before and
    after, and their log probabilities.  The texts of a k-best list repeat one another: the memo has
    four of five words.
    """

    word: Ids
    pointer: Ints
    score: Floats
    lanes: Ints
    step: Floats
    memo: Ints
    memo_step: Floats


@njit(**LEAN)
def aim(lm: LanguageModel, table: Ids, states: Ids, lanes: Ints, i: int) -> None:
    """Prefetch what a lane needs to read its next word in its state, and note the slot."""
    state, word = lanes[i, AT], lanes[i, NEXT]
    if state < lm.begin.shape[0]:
        lanes[i, SLOT] = NO_SLOT
        return
    slot = transition_home(state, word, lm.bits)
    prefetch(table, ROW * slot)
    prefetch(states, ROW * state)
    lanes[i, SLOT] = slot


@njit(**LEAN)
def advance(at: Reading, i: int, end: int, value: float, state: int) -> bool:
    """Add a word's log probability to a lane's text, and those of the next words in the memo.

    state: the state after the word.  Return whether the text has a word left that must be looked
    up; the lane is then set to that word.
    """
    lanes = at.lanes
    text, place = lanes[i, TEXT], lanes[i, PLACE]
    last = at.pointer[text + 1]
    score = at.score[text] + value
    unread = False
    while place < last and not unread:
        place += 1
        word = wide(at.word[place]) if place < last else end
        slot = transition_home(state, word, MEMO_BITS)
        # states and words are int32, so that one number holds both and one comparison is enough
        unread = at.memo[slot, KEY] != (state << 32 | word)
        if unread:
            lanes[i, PLACE] = place
            lanes[i, NEXT] = word
            lanes[i, AT] = lanes[i, FROM] = state
            at.step[i] = 0.0
        else:
            score += at.memo_step[slot]
            state = at.memo[slot, AFTER]
    at.score[text] = score
    return bool(unread)


@njit(**LEAN)
def note(at: Reading, i: int, state: int) -> None:
    """Write a lane's word, which has been read, and the state after it to the memo."""
    before, word = at.lanes[i, FROM], at.lanes[i, NEXT]
    slot = transition_home(before, word, MEMO_BITS)
    at.memo[slot, KEY] = before << 32 | word
    at.memo[slot, AFTER] = state
    at.memo_step[slot] = at.step[i]


@njit(cache=True, nogil=True)
def sentence_logs(lm: LanguageModel, word: Ids, pointer: Ints) -> Floats:
    """Log probabilities (n,) of sentences word[pointer[j]:pointer[j + 1]] and their ends, under one
    model; sums in float64, word after word.
    """
    n = len(pointer) - 1
    table, states = lm.table.ravel(), lm.state.ravel()
    score = np.zeros(n)
    step = np.zeros(LANES)
    memo_step = np.empty(1 << MEMO_BITS)
    lanes = np.zeros((LANES, 6), np.int64)
    memo = np.full((1 << MEMO_BITS, 2), -1, np.int64)
    at = Reading(word, pointer, score, lanes, step, memo, memo_step)
    begin, end = wide(lm.begin[0]), wide(lm.end[0])
    n_lanes, started = 0, 0
    while started < n or n_lanes > 0:
        if started < n and n_lanes < LANES:
            lanes[n_lanes, TEXT] = started
            lanes[n_lanes, PLACE] = pointer[started] - 1
            started += 1
            if advance(at, n_lanes, end, 0.0, begin):
                aim(lm, table, states, lanes, n_lanes)
                n_lanes += 1
            continue
        # from the last lane: one that ends is replaced by the last, which has had its turn
        for i in range(n_lanes - 1, -1, -1):
            value, after = read(lm, lanes, i)
            step[i] += value
            if after >= 0:
                note(at, i, after)
                if not advance(at, i, end, step[i], after):
                    n_lanes -= 1
                    step[i] = step[n_lanes]
                    for column in range(lanes.shape[1]):
                        lanes[i, column] = lanes[n_lanes, column]
                    continue
            aim(lm, table, states, lanes, i)
    return score


@njit(**LEAN)
def read(lm: LanguageModel, lanes: Ints, i: int) -> tuple[float, int]:
    """Finish a lane's look-up: return a log probability and the state after the word.

    If the table has no such transition, return a back-off weight and -1, and set the lane to the
    state to back off to.
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
