"""Words of lines numbered in the order in which they come, by their bytes."""

from __future__ import annotations

from typing import NamedTuple

from campanula.formats.arrays.hashing import LOW31, SPELLED_START
from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.memory import spelled, transition_home
from campanula.stages.kernels.wide import wide

SPACE, TAB, NEW_LINE, RETURN = 0x20, 0x09, 0x0A, 0x0D
SIZE, USED = range(2)  # of HashedWords.filled


class HashedWords(NamedTuple):
    """Words that have numbers: word i is blob[offset[i]:offset[i + 1]], its hash code[i].

    slot (2^bits,) is the hash table of numbers, -1 where it is free; filled (2,): SIZE of the words
    and bytes USED of the blob.  There is room for more.
    """

    blob: Bytes
    offset: Ints
    code: Ints
    slot: Ids
    bits: int
    filled: Ints


@njit(**LEAN)
def number_of(known: HashedWords, block: Bytes, start: int, end: int, code: int) -> int:
    """Number of the word block[start:end], whose hash is `code`; a new one gets the next."""
    mask = len(known.slot) - 1
    place = transition_home(code & LOW31, code >> 31, known.bits)
    while known.slot[place] >= 0:
        word = known.slot[place]
        first = known.offset[word]
        if known.code[word] == code and known.offset[word + 1] - first == end - start:
            k = 0
            while k < end - start and known.blob[first + k] == block[start + k]:
                k += 1
            if k == end - start:
                return wide(word)
        place = (place + 1) & mask
    number, used = known.filled[SIZE], known.filled[USED]
    known.slot[place] = number
    for k in range(end - start):
        known.blob[used + k] = block[start + k]
    known.code[number] = code
    known.offset[number + 1] = used + (end - start)
    known.filled[SIZE], known.filled[USED] = number + 1, used + (end - start)
    return wide(number)


@njit(cache=True, nogil=True)
def number_lines(known: HashedWords, block: Bytes, token: Ids, length: Ids) -> tuple[int, int]:
    r"""Number the words of lines that end at `\n`, or `\r\n`; words do there, at blanks and tabs.

    Fills in token and the lines' numbers of words, length; returns how many there are of both.
    """
    n_tokens, n_lines, before = 0, 0, 0
    start, code = 0, SPELLED_START
    for i in range(len(block)):
        byte = block[i]
        if byte > SPACE:
            code = spelled(code, wide(byte))
            continue
        last = byte == NEW_LINE or (
            byte == RETURN and i + 1 < len(block) and block[i + 1] == NEW_LINE
        )
        if not last and byte not in (SPACE, TAB):  # another character that is no letter
            code = spelled(code, wide(byte))
            continue
        if i > start:
            token[n_tokens] = number_of(known, block, start, i, code)
            n_tokens += 1
        start, code = i + 1, SPELLED_START
        if byte == NEW_LINE:
            length[n_lines] = n_tokens - before
            n_lines += 1
            before = n_tokens
    return n_tokens, n_lines


@njit(cache=True, nogil=True)
def fill_slots(known: HashedWords) -> None:
    """Put all words into slots that are free."""
    mask = len(known.slot) - 1
    for word in range(known.filled[SIZE]):
        code = known.code[word]
        place = transition_home(code & LOW31, code >> 31, known.bits)
        while known.slot[place] >= 0:
            place = (place + 1) & mask
        known.slot[place] = word
