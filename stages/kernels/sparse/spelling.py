"""Names of features that fire, written from the words of their steps.

The same names as campanula.formats.feature_names.sparse.sparse_name makes of one feature, slowly.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Flags, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.graph.texts import Spelling
from campanula.stages.kernels.records import ORIENTATIONS
from campanula.stages.kernels.sparse.names import (
    ASKED,
    ESCAPED,
    JUMP,
    LETTER,
    MINUS,
    NO_HEAD,
    OTHER_LETTER,
    PERCENT,
    PLUS,
    TARGET_SIDE,
    TILDE,
    UNDERSCORE,
    UNKNOWN,
    UPPER_A,
    ZERO,
    Grammar,
    lead_of,
)
from campanula.stages.kernels.sparse.steps import FIRED_KIND, STEP, A, DerivationSteps, words_of
from campanula.stages.kernels.sparse.weights import (
    FORWARD,
    H_FORWARD,
    SOURCE_PHRASES,
    TARGET_PHRASES,
)
from campanula.stages.kernels.wide import wide


@njit(cache=True, nogil=True)
def spell_names(
    row: Ids, steps: DerivationSteps, source: Spelling, target: Spelling, grammar: Grammar
) -> tuple[Bytes, Ints, bool]:
    """Names of features (n, 5), rows as in steps.FiredRows: UTF-8, and where each begins (n + 1,).

    source: spelling of the sentence's words; target: of target words, by number.  False with it:
    some characters are ASKED for, and the names are to be spelled again.
    """
    known = np.ones(1, np.bool_)
    pointer = np.zeros(len(row) + 1, np.int64)
    text = np.zeros(0, np.uint8)
    for x in range(len(row)):  # where there is no room nothing is written: sizes alone
        pointer[x + 1] = spell(row[x], text, pointer[x], steps, source, target, grammar, known)
    text = np.empty(pointer[-1], np.uint8)
    for x in range(len(row)):
        spell(row[x], text, pointer[x], steps, source, target, grammar, known)
    return text, pointer, known[0]


@njit(**LEAN)
def spell(
    row: Ids, text: Bytes, place: int, steps: DerivationSteps, source: Spelling, target: Spelling,
    grammar: Grammar, known: Flags,
) -> int:  # fmt: skip
    """Write one name from a place on; returns where it ends."""
    kind, step = wide(row[FIRED_KIND]), wide(row[STEP])
    for k in range(grammar.start[kind], grammar.start[kind + 1]):
        place = put_byte(text, place, grammar.prefix[k])
    if grammar.head[kind] != NO_HEAD:
        place = put_byte(text, place, UNDERSCORE)
        place = put_head(text, place, wide(row[A]), grammar.head[kind], grammar.letter)
    first = A
    for k in range(2):
        size = grammar.words[kind, k]
        if size > -2:
            place = put_byte(text, place, UNDERSCORE if k == 0 else TILDE)
            if k > 0:
                place = put_byte(text, place, TILDE)
            is_target = grammar.side[kind, k] == TARGET_SIDE
            before = kind in (FORWARD, H_FORWARD) or (
                k == 0 and kind in (TARGET_PHRASES, SOURCE_PHRASES)
            )
            block = step - 1 if before else step
            if is_target:
                numbers = target_words(block, row[first:], size, steps)
                for n in range(len(numbers)):
                    if n > 0:
                        place = put_byte(text, place, TILDE)
                    place = put_word(text, place, numbers[n], target, grammar.plain, known)
            else:
                begin, end = steps.start[block], steps.end[block]
                count = end - begin if size < 0 else size
                for n in range(count):
                    if n > 0:
                        place = put_byte(text, place, TILDE)
                    word = begin + (n if size < 0 else wide(row[first + n]))
                    place = put_word(text, place, word, source, grammar.plain, known)
            first += max(size, 0)
    return place


@njit(**LEAN, inline="always")
def target_words(block: int, row: Ids, size: int, steps: DerivationSteps) -> Ids:
    """Numbers of the target words of a phrase: `size` of a row, or a block's for a size below 0."""
    begin, end = words_of(block, steps)
    if size < 0:
        return steps.word[begin:end]
    return row[:size]


@njit(**LEAN)
def put_byte(text: Bytes, place: int, byte: int) -> int:
    """Write a byte where there is room; returns the place behind it."""
    if place < len(text):
        text[place] = byte
    return place + 1


@njit(**LEAN)
def put_head(text: Bytes, place: int, number: int, head: int, letter: Bytes) -> int:
    """Write what stands before the phrases."""
    if head in (LETTER, OTHER_LETTER):
        first = 0 if head == LETTER else ORIENTATIONS
        return put_byte(text, place, letter[first + number])
    if head == JUMP and number != 0:
        place = put_byte(text, place, PLUS if number > 0 else MINUS)
    rest = abs(number)
    size = 1
    while 10**size <= rest:
        size += 1
    for k in range(size - 1, -1, -1):
        place = put_byte(text, place, ZERO + rest // 10**k % 10)
    return place


@njit(**LEAN)
def put_word(
    text: Bytes, place: int, word: int, spelling: Spelling, plain: Bytes, known: Flags
) -> int:
    """Write a word, its characters escaped that are not plain."""
    n_words = len(spelling.start) - 1
    if word < n_words:
        begin, end = spelling.start[word], spelling.start[word + 1]
        return put_text(text, place, spelling.blob[begin:end], plain, known)
    begin, end = spelling.extra_start[word - n_words], spelling.extra_start[word - n_words + 1]
    return put_text(text, place, spelling.extra_blob[begin:end], plain, known)


@njit(**LEAN)
def put_text(text: Bytes, place: int, word: Bytes, plain: Bytes, known: Flags) -> int:
    """Write UTF-8, its characters escaped that are not plain."""
    at = 0
    while at < len(word):
        size, code = lead_of(wide(word[at]))
        size = min(max(size, 1), len(word) - at)
        for k in range(1, size):
            code = code << 6 | wide(word[at + k]) & 0x3F
        what = plain[code]
        if what >= UNKNOWN:
            plain[code] = ASKED
            known[0] = False
        for k in range(size):
            byte = wide(word[at + k])
            if what == ESCAPED:
                place = put_byte(text, place, PERCENT)
                place = put_byte(text, place, hexadecimal(byte >> 4))
                place = put_byte(text, place, hexadecimal(byte & 15))
            else:
                place = put_byte(text, place, byte)
        at += size
    return place


@njit(**LEAN)
def hexadecimal(digit: int) -> int:
    """The letter of a digit below 16."""
    return ZERO + digit if digit < 10 else UPPER_A + digit - 10
