"""Lines from columns: what all lines have, texts, numbers, and features with their labels."""

from __future__ import annotations

from typing import NamedTuple

from campanula.formats.arrays.types import Bytes, Ids, Ints, Words64
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.text.spelling import LONGEST, spell
from campanula.stages.kernels.text.words import BLOCK, move

FIXED, TEXT, NUMBER, ROWS, ROWS_BEHIND = range(5)
"""Kinds of parts: the same in all lines; text; number; features, with a blank before or without."""

BLANK = 32
KIND, WHICH = range(2)


class Strings(NamedTuple):
    """Strings: number i is `byte[pointer[i]:pointer[i + 1]]`"""

    byte: Bytes
    pointer: Ints


class PageColumns(NamedTuple):
    """What lines (size,) consist of.

    part (n_parts, 2) by KIND and WHICH one of its kind; fixed strings; strings (n_texts, size + 1)
    one column behind the other, each with a pointer more than texts; bits (n_numbers, size) of
    doubles.
    """

    part: Ints
    fixed: Strings
    text: Strings
    bits: Ints


class Entries(NamedTuple):
    """Features with values as bits, then those of value 1, of lines by pointers (size + 1,)."""

    pointer: Ints
    id: Ids
    bits: Ints
    binary_pointer: Ints
    binary_id: Ids


class Speller(NamedTuple):
    """Powers of ten, and numbers that were written, by a hash: a list repeats most of its numbers.

    bits (SLOTS,), NO_NUMBER where there is none yet, length (SLOTS,), byte (SLOTS * LONGEST,).
    """

    power: Words64
    bits: Ints
    length: Ints
    byte: Bytes


SLOTS = 1024
NO_NUMBER = -1  # bits of a NaN


@njit(**LEAN, inline="always")
def _spell(out: Bytes, at: int, bits: int, speller: Speller) -> int:
    """Write a number, as it was written the last time; return the place behind it."""
    slot = ((((bits ^ bits >> 29) & 0x7FFFFFFF) * 0x9E3779B1) >> 20) & (SLOTS - 1)
    if speller.bits[slot] == bits:
        move(out, at, speller.byte, slot * LONGEST)
        move(out, at + BLOCK, speller.byte, slot * LONGEST + BLOCK)
        return int(at + speller.length[slot])
    end = spell(out, at, bits, speller.power)
    speller.bits[slot] = bits
    speller.length[slot] = end - at
    move(speller.byte, slot * LONGEST, out, at)
    move(speller.byte, slot * LONGEST + BLOCK, out, at + BLOCK)
    return end


@njit(**LEAN, inline="always")
def _copy(out: Bytes, at: int, strings: Strings, i: int) -> int:
    first = strings.pointer[i]
    length = strings.pointer[i + 1] - first
    blocks = min(length, len(strings.byte) - first - BLOCK + 1)  # places of whole blocks
    k = 0
    while k < blocks:
        move(out, at + k, strings.byte, first + k)
        k += BLOCK
    while k < length:
        out[at + k] = strings.byte[first + k]
        k += 1
    return int(at + length)


@njit(**LEAN)
def _write_entries(
    out: Bytes,
    at: int,
    entries: Entries,
    labels: Strings,
    line: int,
    speller: Speller,
    behind: bool,
) -> int:
    """Write a line's features, the place of the first of which is told by `behind`."""
    for e in range(entries.pointer[line], entries.pointer[line + 1]):
        if behind:
            out[at] = BLANK
            at += 1
        at = _copy(out, at, labels, entries.id[e])
        at = _spell(out, at, entries.bits[e], speller)
        behind = True
    for e in range(entries.binary_pointer[line], entries.binary_pointer[line + 1]):
        if behind:
            out[at] = BLANK
            at += 1
        at = _copy(out, at, labels, entries.binary_id[e])
        out[at] = 49  # 1
        at += 1
        behind = True
    return at


@njit(**LEAN)
def write_page(
    out: Bytes, size: int, columns: PageColumns, entries: Entries, labels: Strings, speller: Speller
) -> int:
    """Write lines (size,) into `out`, which has room for LONGEST bytes more than they have.

    Returns how many these are.
    """
    at = 0
    for line in range(size):
        for p in range(len(columns.part)):
            kind, which = columns.part[p, KIND], columns.part[p, WHICH]
            if kind == FIXED:
                at = _copy(out, at, columns.fixed, which)
            elif kind == TEXT:
                at = _copy(out, at, columns.text, which * (size + 1) + line)
            elif kind == NUMBER:
                at = _spell(out, at, columns.bits[which, line], speller)
            else:
                behind = kind == ROWS_BEHIND
                at = _write_entries(out, at, entries, labels, line, speller, behind)
    return at
