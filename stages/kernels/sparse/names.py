"""Names of sparse features taken apart: kind, key, and what of a feature crosses a seam.

    prefix _ [head _] phrase ~~ phrase      words of a phrase are joined by ~

The grammar is that of campanula.formats.feature_names.sparse, whose `split_name` says the same of
one name, slowly.  A name is canonical: of a word exactly the characters that are not plain are
written as %XX, byte by byte.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.hashing import LOW31, PRIME
from campanula.formats.arrays.types import Bytes, Flags, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.records import ORIENTATIONS
from campanula.stages.kernels.sparse.weights import (
    LEFT_BASE,
    RIGHT_BASE,
    fold_mark,
    key_of,
    number_key,
    phrases_key,
    settled,
)
from campanula.stages.kernels.wide import wide

NO_HEAD, COUNT, JUMP, LETTER, OTHER_LETTER = range(5)  # what stands before the phrases
NOT_SPARSE, MALFORMED = 255, 254  # beside the numbers of kinds
ESCAPED, PLAIN, UNKNOWN, ASKED = range(4)  # what a character is
SOURCE_SIDE, TARGET_SIDE = range(2)
MOST_DIGITS = 9
TILDE, UNDERSCORE, PERCENT, PLUS, MINUS, ZERO, NINE, UPPER_A, UPPER_F = b"~_%+-09AF"


class Grammar(NamedTuple):
    """What names look like.

    prefix (bytes,) with start (n_kinds + 1,): what a kind's names begin with; head (n_kinds,):
    NO_HEAD, COUNT, JUMP, LETTER or OTHER_LETTER; letter (6,): the three that a LETTER may be, then
    those of the other kind; words (n_kinds, 2):
    number of words in each phrase, -1 for any, -2 where there is no such phrase; side (n_kinds, 2):
    SOURCE_SIDE or TARGET_SIDE.  plain (0x110000,) of every character: ESCAPED, PLAIN or UNKNOWN,
    which becomes ASKED when a name has it.
    """

    prefix: Bytes
    start: Ints
    head: Ints
    letter: Bytes
    words: Ints
    side: Ints
    plain: Bytes


class Parsed(NamedTuple):
    """Names (n,) taken apart.

    kind (n,), or NOT_SPARSE or MALFORMED, a name that begins like a feature's and is none; key
    (n,), -1 for these two; mark (n, 3): fingerprints of the words, the last of them repeated, of
    kinds of a fixed number of words, else the keys of two phrases and -1.
    """

    kind: Bytes
    key: Ints
    mark: Ints


@njit(cache=True, nogil=True)
def parse_names(text: Bytes, pointer: Ints, grammar: Grammar, seed: int) -> tuple[Parsed, bool]:
    """Take apart n names: name x is text[pointer[x]:pointer[x + 1]], in UTF-8.

    False with it: some characters are ASKED for; the names are to be parsed again when these are
    no more UNKNOWN.
    """
    n = len(pointer) - 1
    parsed = Parsed(np.empty(n, np.uint8), np.full(n, -1, np.int64), np.full((n, 3), -1, np.int64))
    known = np.ones(1, np.bool_)
    for x in range(n):
        name = text[pointer[x] : pointer[x + 1]]
        parsed.kind[x] = parse_name(name, x, parsed, grammar, seed, known)
    return parsed, known[0]


@njit(**LEAN)
def parse_name(
    name: Bytes, x: int, parsed: Parsed, grammar: Grammar, seed: int, known: Flags
) -> int:
    """Kind of a name, whose key and marks go to row x; known[0] becomes False for what is ASKED."""
    key, mark = parsed.key, parsed.mark
    kind, place = prefix_of(name, grammar)
    if kind == NOT_SPARSE:
        return NOT_SPARSE
    number = -2
    n_phrases = int(grammar.words[kind, 0] > -2) + int(grammar.words[kind, 1] > -2)
    if grammar.head[kind] != NO_HEAD:
        number, place = head_of(name, place, grammar.head[kind], grammar.letter)
        if place < 0 or (n_phrases == 0) != (place == len(name)):
            return MALFORMED
        if n_phrases == 0:
            key[x] = number_key(kind, number)
            return kind
        if name[place] != UNDERSCORE:
            return MALFORMED
        place += 1
    elif place < 0:
        return MALFORMED
    words, row = grammar.words[kind], mark[x]
    place, filled = phrase_of(name, place, words[0], row, grammar.plain, seed, known)
    if n_phrases == 2 and place >= 0:
        if place + 1 < len(name) and name[place] == TILDE and name[place + 1] == TILDE:
            rest = row[filled:]
            place, more = phrase_of(name, place + 2, words[1], rest, grammar.plain, seed, known)
            filled += more
        else:
            place = -1
    if place != len(name):
        return MALFORMED
    if grammar.words[kind, 0] >= 0:
        key[x] = key_of(kind, mark[x, 0], mark[x, 1], mark[x, 2])
        for k in range(filled, 3):
            mark[x, k] = mark[x, filled - 1]
    else:
        key[x] = phrases_key(kind, number, mark[x, 0], mark[x, 1])
    return kind


@njit(**LEAN)
def prefix_of(name: Bytes, grammar: Grammar) -> tuple[int, int]:
    """Kind that a name begins with, or NOT_SPARSE, and the place behind its `_`, -1 for none."""
    size = 0
    while size < len(name) and name[size] != UNDERSCORE:
        size += 1
    for kind in range(len(grammar.head)):
        begin = grammar.start[kind]
        if grammar.start[kind + 1] - begin == size:
            k = 0
            while k < size and name[k] == grammar.prefix[begin + k]:
                k += 1
            if k == size:
                return kind, size + 1 if size < len(name) else -1
    return NOT_SPARSE, -1


@njit(**LEAN)
def head_of(name: Bytes, place: int, head: int, letter: Bytes) -> tuple[int, int]:
    """Number that stands at a place, and the place behind it; -1 where it is none."""
    if place < 0 or place >= len(name):
        return 0, -1
    if head in (LETTER, OTHER_LETTER):
        first = 0 if head == LETTER else ORIENTATIONS
        for k in range(ORIENTATIONS):
            if name[place] == letter[first + k]:
                return k, place + 1
        return 0, -1
    sign = 1
    if head == JUMP and (name[place] == PLUS or name[place] == MINUS):
        sign = 1 if name[place] == PLUS else -1
        place += 1
    elif head == JUMP and name[place] != ZERO:
        return 0, -1
    begin = place
    number = 0
    while place < len(name) and place - begin <= MOST_DIGITS and ZERO <= name[place] <= NINE:
        number = 10 * number + (wide(name[place]) - ZERO)
        place += 1
    size = place - begin
    zero = size == 1 and number == 0
    signed = begin > 0 and (name[begin - 1] == PLUS or name[begin - 1] == MINUS)
    good = 0 < size <= MOST_DIGITS and (zero or name[begin] != ZERO) and not (zero and signed)
    return sign * number, place if good else -1


@njit(**LEAN)
def phrase_of(
    name: Bytes, place: int, wanted: int, row: Ints, plain: Bytes, seed: int, known: Flags
) -> tuple[int, int]:
    """Read a phrase of `wanted` words, -1 for any number, from a place on; its marks go to `row`.

    Returns the place behind it, -1 where it is none, and how many marks it has.
    """
    left, right = 1, 1
    n_words = 0
    while 0 <= place < len(name) and not (name[place] == TILDE and n_words == 0):
        place, word = word_of(name, place, plain, seed, known)
        if wanted < 0:
            left, right = fold_mark(left, right, word)
        elif n_words < wanted:
            row[n_words] = word
        n_words += 1
        if place == len(name) or (place + 1 < len(name) and name[place + 1] == TILDE):
            break
        if place >= 0:
            place = place + 1 if place + 1 < len(name) else -1
    if wanted < 0:
        row[0] = settled(left, right)
        n_words = 1
    elif n_words != wanted:
        place = -1
    return place, n_words


@njit(**LEAN)
def word_of(name: Bytes, place: int, plain: Bytes, seed: int, known: Flags) -> tuple[int, int]:
    """Read a word from a place on: the place behind it, -1 for none, and its fingerprint."""
    begin = place
    left, right = 1, 1
    while place < len(name) and name[place] != TILDE:
        escaped = name[place] == PERCENT
        size, code = 1, 0
        k = 0
        while k < size:
            byte, place = byte_of(name, place, escaped)
            if k == 0:
                size, code = lead_of(byte)
            else:
                size = size if byte & 0xC0 == 0x80 else 0
                code = code << 6 | byte & 0x3F
            if place < 0 or size == 0:
                return -1, 0
            left = (left * (LEFT_BASE + seed) + byte + 1) % LOW31
            right = (right * (RIGHT_BASE + seed) + byte + 1) % PRIME
            k += 1
        if not is_character(code, size):
            return -1, 0
        what = plain[code]
        if what >= UNKNOWN:
            plain[code] = ASKED
            known[0] = False
        elif (what == PLAIN) == escaped:
            return -1, 0
    return place if place > begin else -1, settled(left, right)


@njit(**LEAN)
def byte_of(name: Bytes, place: int, escaped: bool) -> tuple[int, int]:
    """The byte at a place, or the one escaped there, and the place behind it, -1 for none."""
    if place >= len(name):
        return 0, -1
    if not escaped:
        return wide(name[place]), place + 1
    if place + 2 >= len(name) or name[place] != PERCENT:
        return 0, -1
    byte = 0
    for k in range(1, 3):
        digit = wide(name[place + k])
        if ZERO <= digit <= NINE:
            byte = byte << 4 | digit - ZERO
        elif UPPER_A <= digit <= UPPER_F:
            byte = byte << 4 | digit - UPPER_A + 10
        else:
            return 0, -1
    return byte, place + 3


@njit(**LEAN)
def lead_of(byte: int) -> tuple[int, int]:
    """Number of bytes of the UTF-8 character that begins with a byte, 0 for none, and its bits."""
    if byte < 0x80:
        return 1, byte
    if 0xC0 <= byte < 0xE0:
        return 2, byte & 0x1F
    if 0xE0 <= byte < 0xF0:
        return 3, byte & 0x0F
    if 0xF0 <= byte < 0xF8:
        return 4, byte & 0x07
    return 0, 0


@njit(**LEAN)
def is_character(code: int, size: int) -> bool:
    """Whether a character is one, and has the number of bytes that it takes."""
    least = 0
    if size == 2:
        least = 0x80
    elif size == 3:
        least = 0x800
    elif size == 4:
        least = 0x10000
    return least <= code <= 0x10FFFF and not 0xD800 <= code < 0xE000
