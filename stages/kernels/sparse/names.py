"""Parse names of sparse features: kind, key, and fingerprints of the words at a seam.

    prefix _ [head _] phrase ~~ phrase      words of a phrase are joined by ~

The grammar is that of campanula.formats.feature_names.sparse, whose `split_name` parses one name,
slowly.  Names are canonical: exactly the characters of a word that are not plain are written as
%XX, byte by byte.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.hashing import LOW31, PRIME
from campanula.formats.arrays.types import Bytes, Flags, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.records import ORIENTATIONS
from campanula.stages.kernels.sparse.weights import (
    HEADLESS,
    LEFT_BASE,
    RIGHT_BASE,
    fold_mark,
    key_of,
    number_key,
    phrases_key,
    settled,
)
from campanula.stages.kernels.wide import wide

NO_HEAD, COUNT, JUMP, LETTER, OTHER_LETTER = range(5)  # kinds of heads, before the phrases
NOT_SPARSE, MALFORMED = 255, 254  # in the place of a kind; far above the numbers of kinds
ESCAPED, PLAIN, UNKNOWN, ASKED = range(4)  # kinds of characters; UNKNOWN: only Python can tell
SOURCE_SIDE, TARGET_SIDE = range(2)
ANY_NUMBER, NO_PHRASE = -1, -2  # in place of a number of words in Grammar.words
MOST_DIGITS = 9  # such a number fits into 32 bits
TILDE, UNDERSCORE, PERCENT, PLUS, MINUS, ZERO, NINE, UPPER_A, UPPER_F = b"~_%+-09AF"


class Grammar(NamedTuple):
    """The form of names, by kind.

    prefix (bytes,) with start (n_kinds + 1,): the prefix of a kind's names; head (n_kinds,):
    NO_HEAD, COUNT, JUMP, LETTER or OTHER_LETTER; letter (6,): the three letters of LETTER, then
    those of OTHER_LETTER; words (n_kinds, 2): number of words in each phrase, ANY_NUMBER, or
    NO_PHRASE where there is no such phrase; side (n_kinds, 2): SOURCE_SIDE or TARGET_SIDE.  plain
    (0x110000,) of every character: ESCAPED, PLAIN or UNKNOWN, which becomes ASKED when a name has
    it.
    """

    prefix: Bytes
    start: Ints
    head: Ints
    letter: Bytes
    words: Ints
    side: Ints
    plain: Bytes


class Parsed(NamedTuple):
    """Parsed names (n,).

    kind (n,): the number of a kind, NOT_SPARSE, or MALFORMED for a name that only begins like a
    feature's; key (n,), -1 for the last two.  mark (n, 3): for kinds with a fixed number of words,
    their fingerprints, the last one repeated; for others the keys of two phrases, and -1.
    """

    kind: Bytes
    key: Ints
    mark: Ints


@njit(cache=True, nogil=True)
def parse_names(text: Bytes, pointer: Ints, grammar: Grammar, seed: int) -> tuple[Parsed, bool]:
    """Parse n names: name x is text[pointer[x]:pointer[x + 1]], in UTF-8.

    Also return whether the result is complete.  If not, some characters are ASKED: the caller sets
    them to ESCAPED or PLAIN and parses all names again.
    """
    # Unicode's tables are Python's, so that the kernel asks for a character that it meets first
    n = len(pointer) - 1
    parsed = Parsed(np.empty(n, np.uint8), np.full(n, -1, np.int64), np.full((n, 3), -1, np.int64))
    complete = np.ones(1, np.bool_)
    for x in range(n):
        name = text[pointer[x] : pointer[x + 1]]
        parsed.kind[x] = parse_name(name, x, parsed, grammar, seed, complete)
    return parsed, complete[0]


@njit(**LEAN)
def parse_name(
    name: Bytes, x: int, parsed: Parsed, grammar: Grammar, seed: int, complete: Flags
) -> int:
    """Return the kind of a name; write its key and marks to row x.

    complete[0] becomes False if the name has a character that must be ASKED.
    """
    key, mark = parsed.key, parsed.mark
    kind, place = prefix_of(name, grammar)
    if kind == NOT_SPARSE:
        return NOT_SPARSE
    number = HEADLESS
    n_phrases = int(grammar.words[kind, 0] != NO_PHRASE) + int(grammar.words[kind, 1] != NO_PHRASE)
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
    words = grammar.words[kind]
    row = mark[x]
    place, filled = phrase_of(name, place, words[0], row, grammar.plain, seed, complete)
    if n_phrases == 2 and place >= 0:
        if place + 1 < len(name) and name[place] == TILDE and name[place + 1] == TILDE:
            rest = row[filled:]
            place, more = phrase_of(name, place + 2, words[1], rest, grammar.plain, seed, complete)
            filled += more
        else:
            place = -1
    if place != len(name):
        return MALFORMED
    if grammar.words[kind, 0] >= 0:
        key[x] = key_of(kind, mark[x, 0], mark[x, 1], mark[x, 2])
        # every row has three words; to need the last one twice changes nothing
        for k in range(filled, 3):
            mark[x, k] = mark[x, filled - 1]
    else:
        key[x] = phrases_key(kind, number, mark[x, 0], mark[x, 1])
    return kind


@njit(**LEAN)
def prefix_of(name: Bytes, grammar: Grammar) -> tuple[int, int]:
    """Kind by a name's prefix, or NOT_SPARSE, and the place behind the `_`, -1 if there is none."""
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
    """Number of the head at a place, and the place behind it; -1 if the head is malformed."""
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
    # one digit more than allowed is read, to see that there are too many
    while place < len(name) and place - begin <= MOST_DIGITS and ZERO <= name[place] <= NINE:
        number = 10 * number + (wide(name[place]) - ZERO)
        place += 1
    size = place - begin
    zero = size == 1 and number == 0
    signed = begin > 0 and (name[begin - 1] == PLUS or name[begin - 1] == MINUS)
    # canonical: no zeros in front, and 0 without a sign
    good = 0 < size <= MOST_DIGITS and (zero or name[begin] != ZERO) and not (zero and signed)
    return sign * number, place if good else -1


@njit(**LEAN)
def phrase_of(
    name: Bytes, place: int, wanted: int, row: Ints, plain: Bytes, seed: int, complete: Flags
) -> tuple[int, int]:
    """Read a phrase of `wanted` words, or ANY_NUMBER, from a place on; its marks go to `row`.

    Return the place behind the phrase, -1 if it is malformed, and its number of marks.
    """
    left, right = 1, 1
    n_words = 0
    while 0 <= place < len(name) and not (name[place] == TILDE and n_words == 0):
        place, word = word_of(name, place, plain, seed, complete)
        if wanted == ANY_NUMBER:
            left, right = fold_mark(left, right, word)
        elif n_words < wanted:
            row[n_words] = word
        n_words += 1
        # one `~` joins words, and two of them end the phrase
        if place == len(name) or (place + 1 < len(name) and name[place + 1] == TILDE):
            break
        if place >= 0:
            place = place + 1 if place + 1 < len(name) else -1
    if wanted == ANY_NUMBER:
        row[0] = settled(left, right)
        n_words = 1
    elif n_words != wanted:
        place = -1
    return place, n_words


@njit(**LEAN)
def word_of(name: Bytes, place: int, plain: Bytes, seed: int, complete: Flags) -> tuple[int, int]:
    """Read a word: return the place behind it, -1 if it is malformed, and its fingerprint."""
    begin = place
    # the polynomials of weights.word_mark, over the bytes that the escapes stand for
    left, right = 1, 1
    while place < len(name) and name[place] != TILDE:
        escaped = name[place] == PERCENT
        size = 1
        code = 0
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
        status = plain[code]
        if status >= UNKNOWN:
            plain[code] = ASKED
            complete[0] = False
        # not canonical: a plain character that is escaped, or another that is not
        elif (status == PLAIN) == escaped:
            return -1, 0
    return place if place > begin else -1, settled(left, right)


@njit(**LEAN)
def byte_of(name: Bytes, place: int, escaped: bool) -> tuple[int, int]:
    """The byte at a place, escaped (`%XX`) or not, and the place behind it, -1 if malformed."""
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
    """Number of bytes of the UTF-8 character that a byte begins, 0 if none, and the byte's bits."""
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
    """Whether a code is a character of Unicode, written in its shortest form, of `size` bytes."""
    least = 0  # of the codes that need so many bytes
    if size == 2:
        least = 0x80
    elif size == 3:
        least = 0x800
    elif size == 4:
        least = 0x10000
    return least <= code <= 0x10FFFF and not 0xD800 <= code < 0xE000
