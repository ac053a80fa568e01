"""Names of features that fire, written from the words of their steps.

They are the names of campanula.formats.feature_names.sparse.sparse_name, which writes one, slowly.
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
    NO_PHRASE,
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
    """Return the names of features, rows (n, 5) of steps.FiredRows: UTF-8, and pointers (n + 1,).

    source: spelling of the sentence's words; target: of target words, by number.  Also return
    whether the result is complete; if not, some characters are ASKED, and the caller sets them to
    ESCAPED or PLAIN and calls again.
    """
    complete = np.ones(1, np.bool_)
    pointer = np.zeros(len(row) + 1, np.int64)
    text = np.zeros(0, np.uint8)
    # twice: first into no bytes, where put_byte writes nothing, for the sizes alone
    for x in range(len(row)):
        pointer[x + 1] = spell(row[x], text, pointer[x], steps, source, target, grammar, complete)
    text = np.empty(pointer[-1], np.uint8)
    for x in range(len(row)):
        spell(row[x], text, pointer[x], steps, source, target, grammar, complete)
    return text, pointer, complete[0]


@njit(**LEAN)
def spell(
    row: Ids, text: Bytes, place: int, steps: DerivationSteps, source: Spelling, target: Spelling,
    grammar: Grammar, complete: Flags,
) -> int:  # fmt: skip
    """Write one name from a place on; return the place behind it."""
    kind, step = wide(row[FIRED_KIND]), wide(row[STEP])
    for k in range(grammar.start[kind], grammar.start[kind + 1]):
        place = put_byte(text, place, grammar.prefix[k])
    if grammar.head[kind] != NO_HEAD:
        place = put_byte(text, place, UNDERSCORE)
        place = put_head(text, place, wide(row[A]), grammar.head[kind], grammar.letter)
    first = A
    for k in range(2):
        size = grammar.words[kind, k]
        if size != NO_PHRASE:
            place = put_byte(text, place, UNDERSCORE if k == 0 else TILDE)
            if k > 0:
                place = put_byte(text, place, TILDE)
            is_target = grammar.side[kind, k] == TARGET_SIDE
            # these features fire at the step after the block that they name
            before = kind in (FORWARD, H_FORWARD) or (
                k == 0 and kind in (TARGET_PHRASES, SOURCE_PHRASES)
            )
            block = step - 1 if before else step
            if is_target:
                numbers = target_words(block, row[first:], size, steps)
                for n in range(len(numbers)):
                    if n > 0:
                        place = put_byte(text, place, TILDE)
                    place = put_word(text, place, numbers[n], target, grammar.plain, complete)
            else:
                begin, end = steps.start[block], steps.end[block]
                count = end - begin if size < 0 else size
                for n in range(count):
                    if n > 0:
                        place = put_byte(text, place, TILDE)
                    word = begin + (n if size < 0 else wide(row[first + n]))
                    place = put_word(text, place, word, source, grammar.plain, complete)
            first += max(size, 0)
    return place


@njit(**LEAN, inline="always")
def target_words(block: int, row: Ids, size: int, steps: DerivationSteps) -> Ids:
    """Numbers of a phrase's target words: `size` of a row, or all of a block if size < 0."""
    begin, end = words_of(block, steps)
    if size < 0:
        return steps.word[begin:end]
    return row[:size]


@njit(**LEAN)
def put_byte(text: Bytes, place: int, byte: int) -> int:
    """Write a byte unless the text is too short for it; return the place behind it."""
    if place < len(text):
        text[place] = byte
    return place + 1


@njit(**LEAN)
def put_head(text: Bytes, place: int, number: int, head: int, letter: Bytes) -> int:
    """Write the head of a name, a letter or a number; return the place behind it."""
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
    text: Bytes, place: int, word: int, spelling: Spelling, plain: Bytes, complete: Flags
) -> int:
    """Write a word, with characters that are not plain escaped; return the place behind it."""
    # words of the sentence that the vocabulary lacks have numbers behind it
    n_words = len(spelling.start) - 1
    if word < n_words:
        begin, end = spelling.start[word], spelling.start[word + 1]
        return put_text(text, place, spelling.blob[begin:end], plain, complete)
    begin, end = spelling.extra_start[word - n_words], spelling.extra_start[word - n_words + 1]
    return put_text(text, place, spelling.extra_blob[begin:end], plain, complete)


@njit(**LEAN)
def put_text(text: Bytes, place: int, word: Bytes, plain: Bytes, complete: Flags) -> int:
    """Write UTF-8, with characters that are not plain escaped; return the place behind it."""
    at = 0
    while at < len(word):
        size, code = lead_of(wide(word[at]))
        # at least one byte and none beyond the word, even of bytes that are no UTF-8
        size = min(max(size, 1), len(word) - at)
        for k in range(1, size):
            code = code << 6 | wide(word[at + k]) & 0x3F
        status = plain[code]
        if status >= UNKNOWN:
            plain[code] = ASKED
            complete[0] = False
        for k in range(size):
            byte = wide(word[at + k])
            if status == ESCAPED:
                place = put_byte(text, place, PERCENT)
                place = put_byte(text, place, hexadecimal(byte >> 4))
                place = put_byte(text, place, hexadecimal(byte & 15))
            else:
                place = put_byte(text, place, byte)
        at += size
    return place


@njit(**LEAN)
def hexadecimal(digit: int) -> int:
    """The character (0-9, A-F) of a hexadecimal digit."""
    return ZERO + digit if digit < 10 else UPPER_A + digit - 10
