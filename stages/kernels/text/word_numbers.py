"""Number the words of lines, by their bytes, in the order of their first occurrence."""

from __future__ import annotations

from typing import NamedTuple

from campanula.formats.arrays.hashing import LOW31, SPELLED_START
from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.memory import spelled, transition_home
from campanula.stages.kernels.wide import wide

SPACE, TAB, NEW_LINE, RETURN = b" \t\n\r"
SIZE, USED = range(2)  # of HashedWords.filled


class HashedWords(NamedTuple):
    """Numbered words: word i is blob[offset[i]:offset[i + 1]], and code[i] is its hash.

    slot (2^bits,) is the hash table of numbers, -1 where it is free; filled (2,): SIZE, the number
    of words, and USED, the bytes of the blob in use.  The caller has made the arrays long enough
    for the words of a block.
    """

    blob: Bytes
    offset: Ints
    code: Ints
    slot: Ids
    bits: int
    filled: Ints


@njit(**LEAN)
def number_of(words: HashedWords, block: Bytes, start: int, end: int, code: int) -> int:
    """Number of the word block[start:end], whose hash is `code`; a new word gets the next."""
    mask = len(words.slot) - 1
    place = transition_home(code & LOW31, code >> 31, words.bits)
    while words.slot[place] >= 0:
        word = words.slot[place]
        first = words.offset[word]
        # the hash first: it is one comparison, and differs for nearly all other words
        if words.code[word] == code and words.offset[word + 1] - first == end - start:
            k = 0
            while k < end - start and words.blob[first + k] == block[start + k]:
                k += 1
            if k == end - start:
                return wide(word)
        place = (place + 1) & mask
    number, used = words.filled[SIZE], words.filled[USED]
    words.slot[place] = number
    for k in range(end - start):
        words.blob[used + k] = block[start + k]
    words.code[number] = code
    words.offset[number + 1] = used + (end - start)
    words.filled[SIZE] = number + 1
    words.filled[USED] = used + (end - start)
    return wide(number)


@njit(cache=True, nogil=True)
def number_lines(words: HashedWords, block: Bytes, token: Ids, length: Ids) -> tuple[int, int]:
    r"""Number the words of lines; `\n` or `\r\n` ends lines, and these, blanks and tabs end words.

    Write the words' numbers to token, and the lines' numbers of words to length; return how many
    tokens and lines there are.
    """
    n_tokens, n_lines, before = 0, 0, 0
    start = 0
    code = SPELLED_START
    for i in range(len(block)):
        byte = block[i]
        # one comparison for most bytes: all that end a word are at most a blank
        if byte > SPACE:
            code = spelled(code, wide(byte))
            continue
        last = byte == NEW_LINE or (
            byte == RETURN and i + 1 < len(block) and block[i + 1] == NEW_LINE
        )
        if not last and byte not in (SPACE, TAB):  # a control character is part of a word
            code = spelled(code, wide(byte))
            continue
        if i > start:
            token[n_tokens] = number_of(words, block, start, i, code)
            n_tokens += 1
        start = i + 1
        code = SPELLED_START
        if byte == NEW_LINE:
            length[n_lines] = n_tokens - before
            n_lines += 1
            before = n_tokens
    return n_tokens, n_lines


@njit(cache=True, nogil=True)
def fill_slots(words: HashedWords) -> None:
    """Insert all words into an empty hash table, whose slots are free."""
    mask = len(words.slot) - 1
    for word in range(words.filled[SIZE]):
        code = words.code[word]
        place = transition_home(code & LOW31, code >> 31, words.bits)
        while words.slot[place] >= 0:
            place = (place + 1) & mask
        words.slot[place] = word
