r"""Texts as sequences of integers: units of the references are numbered, and hypotheses use these.

A unit is a word (as Python's `str.split` yields), a part of a word (chrF's words: a punctuation
mark at the end, or else at the beginning, is cut off), or a character that is no white space.
Units are compared by their bytes, not by a hash alone.  A unit that no reference has becomes -1.

Texts are valid UTF-8: text j is blob[pointer[j]:pointer[j + 1]].
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.memory import free_slots
from campanula.stages.kernels.wide import wide

FIRST, LAST, HASH = range(3)  # columns of the units numbered so far: start and end, and a hash

WORDS, PARTS, CHARACTERS = range(3)

_FNV_START, _FNV_PRIME, _LOW = 0x811C9DC5, 0x01000193, 0xFFFFFFFF


@njit(cache=True, nogil=True)
def _space(blob: Bytes, i: int, end: int) -> int:
    """Number of bytes of the white space character (str.isspace) at i, 0 for any other one."""
    first = wide(blob[i])
    if first <= 0x20:
        return 1 if first == 0x20 or 0x09 <= first <= 0x0D or first >= 0x1C else 0
    # most characters end here: white space above ASCII begins with one of few bytes
    if first < 0xC2 or first > 0xE3:
        return 0
    second = wide(blob[i + 1]) if i + 1 < end else 0
    if first == 0xC2:  # U+0085, U+00A0
        return 2 if second in (0x85, 0xA0) else 0
    third = wide(blob[i + 2]) if i + 2 < end else 0
    if first == 0xE1:  # U+1680
        return 3 if second == 0x9A and third == 0x80 else 0
    if first == 0xE2 and second == 0x80:  # U+2000..200A, U+2028, U+2029, U+202F
        return 3 if 0x80 <= third <= 0x8A or third in (0xA8, 0xA9, 0xAF) else 0
    if first == 0xE2:  # U+205F
        return 3 if second == 0x81 and third == 0x9F else 0
    return 3 if first == 0xE3 and second == 0x80 and third == 0x80 else 0  # U+3000


@njit(cache=True, nogil=True)
def _width(first: int) -> int:
    """Number of bytes of the UTF-8 character that begins with this byte."""
    if first < 0x80:
        return 1
    return 2 if first < 0xE0 else 3 if first < 0xF0 else 4


@njit(cache=True, nogil=True)
def _punctuation(byte: int) -> bool:
    """Whether the byte is one of Python's string.punctuation."""
    return bool(
        0x21 <= byte <= 0x2F or 0x3A <= byte <= 0x40 or 0x5B <= byte <= 0x60 or 0x7B <= byte <= 0x7E
    )


@njit(cache=True, nogil=True)
def _part_end(blob: Bytes, begin: int, start: int, end: int) -> int:
    """End of the first part of the word [start, end), or of what is left of a word.

    begin: the start of the text.
    """
    if end - start <= _width(wide(blob[start])):
        return end
    if _punctuation(wide(blob[end - 1])):
        return end - 1
    # a part that begins right behind punctuation is what was left when a mark was cut off, and no
    # second mark is cut off
    rest = start > begin and _punctuation(wide(blob[start - 1]))
    return start + 1 if _punctuation(wide(blob[start])) and not rest else end


@njit(cache=True, nogil=True)
def _hash(blob: Bytes, start: int, end: int) -> int:
    """Hash of bytes: FNV-1a, 32 bits."""
    code = _FNV_START
    for i in range(start, end):
        code = ((code ^ wide(blob[i])) * _FNV_PRIME) & _LOW
    return code


@njit(cache=True, nogil=True)
def _next(blob: Bytes, begin: int, i: int, end: int, unit: int) -> tuple[int, int, int]:
    """Start, end and hash of the unit at or after i; start = end if there is none."""
    while i < end:
        width = _space(blob, i, end)
        if width == 0:
            break
        i += width
    start = i
    code = _FNV_START
    if unit == CHARACTERS:
        i = min(end, i + _width(wide(blob[i]))) if i < end else end
        return start, i, _hash(blob, start, i)
    while i < end and _space(blob, i, end) == 0:
        code = ((code ^ wide(blob[i])) * _FNV_PRIME) & _LOW
        i += 1
    if unit == PARTS and start < i:
        i = _part_end(blob, begin, start, i)
        code = _hash(blob, start, i)
    return start, i, code


@njit(cache=True, nogil=True)
def _find(
    slots: Ids, spans: Ints, ref_blob: Bytes, blob: Bytes, start: int, end: int, code: int
) -> int:
    """Type of the unit blob[start:end]; if it is new, -1 - the free slot where it belongs.

    slots (power of two,): open addressing, type or -1; spans (n_types, 3): start, end and hash of
    each type, in ref_blob.
    """
    mask = len(slots) - 1
    slot = (code ^ (code >> 15)) & mask
    while True:
        t = wide(slots[slot])
        if t < 0:
            return int(-1 - slot)
        first = spans[t, FIRST]
        # the bytes are compared here and not in a function: that is three times as fast
        if spans[t, HASH] == code and spans[t, LAST] - first == end - start:
            same = True
            for k in range(end - start):
                if ref_blob[first + k] != blob[start + k]:
                    same = False
                    break
            if same:
                return int(t)
        slot = (slot + 1) & mask


@njit(cache=True, nogil=True)
def _numbered(blob: Bytes, pointer: Ints, unit: int) -> tuple[Ids, Ints, Ids, Ints]:
    """Number the units of texts from 0, in the order of their first occurrence.

    Return ids and pointers (n_texts + 1,), and slots and spans (n_types, 3) for `_find`.
    """
    bound = pointer[-1] - pointer[0]  # a unit has at least one byte
    slots = free_slots(bound)
    spans = np.empty((bound, 3), np.int64)
    ids = np.empty(bound, np.int32)
    ends = np.zeros(len(pointer), np.int64)
    n_types, count = 0, 0
    for r in range(len(pointer) - 1):
        begin, end = pointer[r], pointer[r + 1]
        first, last, code = _next(blob, begin, begin, end, unit)
        while first < last:
            t = _find(slots, spans, blob, blob, first, last, code)
            if t < 0:
                slots[-1 - t] = n_types
                spans[n_types, FIRST] = first
                spans[n_types, LAST] = last
                spans[n_types, HASH] = code
                t = n_types
                n_types += 1
            ids[count] = t
            count += 1
            first, last, code = _next(blob, begin, last, end, unit)
        ends[r + 1] = count
    return ids[:count], ends, slots, spans[:n_types]


@njit(cache=True, nogil=True)
def vocabulary(blob: Bytes, pointer: Ints) -> tuple[Ids, Ints, Ints]:
    """Number all words of texts from 0, in the order of their first occurrence.

    Return ids and pointers (n_texts + 1,), and start and end of each type's first occurrence,
    (n_types, 2).
    """
    ids, ends, _, spans = _numbered(blob, pointer, WORDS)
    return ids, ends, spans[:, : LAST + 1].copy()


@njit(cache=True, nogil=True)
def number(
    hyp_blob: Bytes, hyp_pointer: Ints, ref_blob: Bytes, ref_pointer: Ints, unit: int
) -> tuple[Ids, Ints, Ids, Ints, int]:
    """Number the units of a sentence's references from 0, and give its hypotheses' units the same.

    Return ids and pointers (n_hyps + 1,) of the hypotheses, ids and pointers (n_refs + 1,) of the
    references, and the number of types.
    """
    ref, ref_end, slots, spans = _numbered(ref_blob, ref_pointer, unit)
    hyp = np.empty(hyp_pointer[-1] - hyp_pointer[0], np.int32)
    hyp_end = np.zeros(len(hyp_pointer), np.int64)
    count = 0
    for j in range(len(hyp_pointer) - 1):
        begin, end = hyp_pointer[j], hyp_pointer[j + 1]
        first, last, code = _next(hyp_blob, begin, begin, end, unit)
        while first < last:
            # `_find` gives a number below 0 for any unit that no reference has: -1 for all of them
            hyp[count] = max(_find(slots, spans, ref_blob, hyp_blob, first, last, code), -1)
            count += 1
            first, last, code = _next(hyp_blob, begin, last, end, unit)
        hyp_end[j + 1] = count
    return hyp[:count], hyp_end, ref, ref_end, len(spans)
