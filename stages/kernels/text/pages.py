"""Write lines from columns: strings that all lines have, texts, numbers, labelled features."""

from __future__ import annotations

from typing import NamedTuple

from campanula.formats.arrays.types import Bytes, Ids, Ints, Words64
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.text.spelling import LONGEST, spell
from campanula.stages.kernels.text.words import BLOCK, move

FIXED, TEXT, NUMBER, ROWS, ROWS_BEHIND = range(5)
"""Kinds of a line's parts: fixed string, text, number, features without and with a blank before."""

BLANK, ONE = b" 1"
KIND, WHICH = range(2)  # columns of PageColumns.part


class Strings(NamedTuple):
    """Strings: string i is `byte[pointer[i]:pointer[i + 1]]`."""

    byte: Bytes
    pointer: Ints


class PageColumns(NamedTuple):
    """The parts of `size` lines.

    part (n_parts, 2): KIND, and WHICH column of that kind; fixed: strings of all lines; text:
    n_texts columns of strings, one behind the other, each with size + 1 pointers; bits (n_numbers,
    size) of doubles.
    """

    part: Ints
    fixed: Strings
    text: Strings
    bits: Ints


class Entries(NamedTuple):
    """Features of lines, by pointers (size + 1,).

    pointer: rows of id with values, as bits of doubles; binary_pointer: rows of binary_id, whose
    values are 1.
    """

    pointer: Ints
    id: Ids
    bits: Ints
    binary_pointer: Ints
    binary_id: Ids


class Speller(NamedTuple):
    """`power` of ten (powers.py), and the last numbers that were written, by a hash of their bits.

    bits (SLOTS,), NO_NUMBER where there is none yet, length (SLOTS,), byte (SLOTS * LONGEST,).
    """

    power: Words64
    bits: Ints
    length: Ints
    byte: Bytes


SLOTS = 1024  # 48 KB; a k-best list repeats most of its numbers
NO_NUMBER = -1  # bits of a NaN


@njit(**LEAN, inline="always")
def _spell(out: Bytes, at: int, bits: int, speller: Speller) -> int:
    """Write a number, copied if its slot has it already; return the place behind it."""
    # two blocks are LONGEST bytes: two copies of fixed length are faster than one of the real one
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
    """Write a line's features; behind: whether a blank stands before the first."""
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
        out[at] = ONE
        at += 1
        behind = True
    return at


@njit(**LEAN)
def write_page(
    out: Bytes, size: int, columns: PageColumns, entries: Entries, labels: Strings, speller: Speller
) -> int:
    """Write `size` lines to `out`; return the number of bytes.

    `out` is longer than the lines by LONGEST bytes, which are overwritten.
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
